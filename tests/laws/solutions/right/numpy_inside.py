"""Random numbers and arrays from numpy, with boxes as frozensets.

There is no `build_tree`: the values of best play fill one array, from the smallest box upwards.
"""

import math

import numpy as np

rng = np.random.default_rng()
WIN, LOSS = "WIN", "LOSS"

LEVERS = np.arange(1, 10)
ROLLS = np.arange(2, 13)
WEIGHTS = (6 - np.abs(ROLLS - 7)) / 36


def flip_coin():
    return ["heads", "tails"][rng.integers(2)]


def is_heads(flip):
    return flip == "heads"


def throw_dart():
    return tuple(rng.uniform(-1, 1, size=2).tolist())


def in_circle(dart):
    return bool(np.hypot(*dart) < 1)


def estimate_pi(n):
    darts = rng.uniform(-1, 1, size=(n, 2))
    return 4 * float(np.mean((darts**2).sum(axis=1) < 1))


won_game = [(8, {3, 5}), (8, {8}), (8, {1, 7}), (8, {2, 6}), (4, {4}), (9, {9})]
lost_game = [(11, {5, 6}), (11, {3, 8}), (11, {4, 7}), (11, {2, 9}), (11, set())]

start_box = frozenset(LEVERS.tolist())
sample_box = start_box - {1, 3, 6}
simple_start = start_box - {1}


def dice_roll():
    return int(rng.integers(1, 7) + rng.integers(1, 7))


def number_of_states():
    return 2 ** len(LEVERS) * len(ROLLS)


def simple_moves(box, roll):
    return [box - {roll}] if roll in box else []


def play_simple_game(box):
    """WIN if all the levers come before any other roll."""
    throws = rng.integers(1, 7, size=(len(box), 2)).sum(axis=1).tolist()
    return "WIN" if sorted(throws) == sorted(box) else "LOSS"


def simulate_simple_game(n, box=simple_start):
    if not box:
        return 1.0
    throws = rng.integers(1, 7, size=(n, len(box), 2)).sum(axis=2)
    return float(np.mean((np.sort(throws, axis=1) == sorted(box)).all(axis=1)))


def power(items):
    items = list(items)
    bits = np.arange(2 ** len(items))[:, None] >> np.arange(len(items)) & 1
    return [tuple(item for item, bit in zip(items, row, strict=True) if bit) for row in bits]


def levers_for_roll(roll):
    return [frozenset(levers) for levers in power(range(1, 10)) if sum(levers) == roll]


lever_combinations = [levers_for_roll(roll) for roll in range(13)]


def possible_moves(box, roll):
    return [box - levers for levers in lever_combinations[roll] if levers <= box]


def is_win(box):
    return not box


def play_game(box):
    while box:
        moves = possible_moves(box, dice_roll())
        if not moves:
            return "LOSS"
        box = moves[rng.integers(len(moves))]
    return "WIN"


def simulate(n, box=start_box):
    return float(np.mean([play_game(box) == "WIN" for _ in range(n)]))


def play_game_user(box=start_box, read=input, write=print):
    while box:
        roll = dice_roll()
        moves = possible_moves(box, roll)
        write(f"{box_to_str(box)}   roll {roll}")
        if not moves:
            write("You lose, no levers add up to the roll.")
            return "LOSS"
        number = 1
        if len(moves) > 1:
            write("   ".join(f"{i}={box_to_str(move)}" for i, move in enumerate(moves, 1)))
            number = 0
        while number not in range(1, len(moves) + 1):
            answer = read("Number of your move: ")
            number = int(answer) if answer.isdecimal() else 0
        box = moves[number - 1]
    write("You win.")
    return "WIN"


all_boxes = [frozenset(levers) for levers in power(range(1, 10))]


def look_up_table(n):
    return {box: simulate(n, box) for box in all_boxes}


def ucb(record):
    wins, losses = record
    n = wins + losses
    if n == 0:
        return math.inf
    return (wins + 2 * np.sqrt(wins * losses / n)) / n if wins else 3 / n


def uct(tree, box):
    if not box or box not in tree:
        result = play_game(box)
    else:
        moves = possible_moves(box, dice_roll())
        if moves:
            ratings = [ucb(tree.get(move, (0, 0))) for move in moves]
            tree, result = uct(tree, moves[np.argmax(ratings)])
        else:
            result = "LOSS"
    wins, losses = tree.get(box, (0, 0))
    return {**tree, box: (wins + (result == "WIN"), losses + (result == "LOSS"))}, result


number_of = {box: i for i, box in enumerate(all_boxes)}
best = np.zeros((len(all_boxes), len(ROLLS)))
value = np.ones(len(all_boxes))
for b, i in sorted(number_of.items(), key=lambda item: len(item[0])):
    if b:
        for column, r in enumerate(ROLLS):
            best[i, column] = max((value[number_of[m]] for m in possible_moves(b, r)), default=0)
        value[i] = best[i] @ WEIGHTS


def win_probability(box, roll=None):
    i = number_of[frozenset(box)]
    return float(value[i] if roll is None else best[i, roll - 2])


def optimal_table():
    return {box: float(value[i]) for box, i in number_of.items()}


def best_move(box, roll):
    moves = possible_moves(box, roll)
    return moves[np.argmax([value[number_of[move]] for move in moves])] if moves else None


def best_move_table():
    return {(box, int(roll)): best_move(box, roll) for box in all_boxes for roll in ROLLS}


def box_to_str(box):
    return "".join(str(lever) if lever in box else " " for lever in range(1, 10))


def best_move_table_string():
    table = np.full((len(all_boxes), 1 + len(ROLLS)), "x" * 9)
    for i, box in enumerate(all_boxes):
        table[i, 0] = box_to_str(box)
        for roll in ROLLS:
            move = best_move(box, roll)
            if move is not None:
                table[i, roll - 1] = box_to_str(move)
    return "\n".join("\t".join(row) for row in table.tolist())
