"""Random numbers and arrays from numpy; the values of best play fill one array."""

import numpy as np

rng = np.random.default_rng()

LEVERS = np.arange(1, 10)
ROLLS = np.arange(2, 13)
WEIGHTS = (6 - np.abs(ROLLS - 7)) / 36


def flip_coin():
    return ["heads", "tails"][rng.integers(2)]


def throw_dart():
    return rng.uniform(-1, 1, size=2)


def in_circle(dart):
    return np.hypot(*dart) < 1


def estimate_pi(n):
    darts = rng.uniform(-1, 1, size=(n, 2))
    return 4 * float(np.mean((darts**2).sum(axis=1) < 1))


start_box = frozenset(LEVERS.tolist())


def dice_roll():
    return int(rng.integers(1, 7) + rng.integers(1, 7))


def number_of_states():
    return 2 ** len(LEVERS) * len(ROLLS)


def play_simple_game(box):
    """WIN if all the levers come before any other roll."""
    throws = rng.integers(1, 7, size=(len(box), 2)).sum(axis=1).tolist()
    return WIN if sorted(throws) == sorted(box) else LOSS


def simulate_simple_game(n, box=simple_start):
    if not box:
        return 1.0
    throws = rng.integers(1, 7, size=(n, len(box), 2)).sum(axis=2)
    return float(np.mean((np.sort(throws, axis=1) == sorted(box)).all(axis=1)))


def power(items):
    items = list(items)
    bits = np.arange(2 ** len(items))[:, None] >> np.arange(len(items)) & 1
    return [tuple(item for item, bit in zip(items, row, strict=True) if bit) for row in bits]


def play_game(box):
    while box:
        moves = possible_moves(box, dice_roll())
        if not moves:
            return LOSS
        box = moves[rng.integers(len(moves))]
    return WIN


def simulate(n, box=start_box):
    return float(np.mean([play_game(box) == WIN for _ in range(n)]))


def ucb(record):
    wins, losses = record
    n = wins + losses
    if n == 0:
        return inf
    return (wins + 2 * np.sqrt(wins * losses / n)) / n if wins else 3 / n


def uct(tree, box):
    if not box or box not in tree:
        result = play_game(box)
    elif moves := possible_moves(box, dice_roll()):
        ratings = [ucb(tree.get(move, (0, 0))) for move in moves]
        tree, result = uct(tree, moves[np.argmax(ratings)])
    else:
        result = LOSS
    wins, losses = tree.get(box, (0, 0))
    return {**tree, box: (wins + (result == WIN), losses + (result == LOSS))}, result


number_of = {box: i for i, box in enumerate(all_boxes)}
best = np.zeros((len(all_boxes), len(ROLLS)))
value = np.ones(len(all_boxes))
for b, i in number_of.items():
    if b:
        for column, r in enumerate(ROLLS):
            best[i, column] = max((value[number_of[m]] for m in possible_moves(b, r)), default=0)
        value[i] = best[i] @ WEIGHTS


def win_probability(box, roll=None):
    i = number_of[box]
    return float(value[i] if roll is None else best[i, roll - 2])


def best_move(box, roll):
    moves = possible_moves(box, roll)
    return moves[np.argmax([value[number_of[move]] for move in moves])] if moves else None


def best_move_table_string():
    table = np.full((len(all_boxes), 1 + len(ROLLS)), "x" * 9)
    for i, box in enumerate(all_boxes):
        table[i, 0] = box_to_str(box)
        for roll in ROLLS:
            move = best_move(box, roll)
            if move is not None:
                table[i, roll - 1] = box_to_str(move)
    return "\n".join("\t".join(row) for row in table.tolist())
