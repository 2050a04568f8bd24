"""Boxes as bit masks inside and as frozensets at the edge.

There is no `build_tree`: the values of best play are one list, from the shut box upwards.
"""

import random
from collections import defaultdict
from math import inf, sqrt

FULL = 0b111_111_111
SIZE = FULL + 1
ROLLS = range(2, 13)
WAYS = [max(0, 6 - abs(7 - roll)) for roll in range(13)]


def mask_of(levers):
    return sum(1 << (lever - 1) for lever in levers)


def levers_of(mask):
    return frozenset(lever for lever in range(1, 10) if mask >> (lever - 1) & 1)


LEVERS_OF = [levers_of(mask) for mask in range(SIZE)]
CHOICES = [[mask for mask in range(SIZE) if sum(LEVERS_OF[mask]) == roll] for roll in range(13)]
MOVES = [
    [[mask ^ levers for levers in CHOICES[roll] if not levers & ~mask] for roll in range(13)]
    for mask in range(SIZE)
]


def flip_coin():
    return random.getrandbits(1)


def is_heads(flip):
    return flip == 1


def throw_dart():
    return random.uniform(-1, 1), random.uniform(-1, 1)


def in_circle(dart):
    x, y = dart
    return x * x + y * y < 1


def estimate_pi(n):
    return 4 * sum(map(in_circle, (throw_dart() for _ in range(n)))) / n


start_box = LEVERS_OF[FULL]
sample_box = LEVERS_OF[0b111_011_010]
easy_box = LEVERS_OF[0b001_000_000]
simple_start = LEVERS_OF[FULL ^ 1]
won_game = [(6, {6}), (5, {5}), (12, {4, 8}), (12, {3, 9}), (10, {1, 2, 7})]
lost_game = [(5, {5}), (5, {1, 4}), (5, {2, 3})]


def dice_roll():
    first, second = divmod(random.randrange(36), 6)
    return first + second + 2


def number_of_states():
    return SIZE * len(ROLLS)


def simple_moves(box, roll):
    return {box - {roll}} if roll in box else set()


def play_simple_game(box):
    mask = mask_of(box)
    while mask:
        lever = 1 << (dice_roll() - 1)
        if not mask & lever:
            return "loss"
        mask ^= lever
    return "win"


def simulate_simple_game(n, box=simple_start):
    return sum(play_simple_game(box) == "win" for _ in range(n)) / n


def power(items):
    items = list(items)
    return [
        [item for i, item in enumerate(items) if mask >> i & 1] for mask in range(2 ** len(items))
    ]


def levers_for_roll(roll):
    return [LEVERS_OF[mask] for mask in CHOICES[roll]]


lever_combinations = [levers_for_roll(roll) for roll in range(13)]


def possible_moves(box, roll):
    return [LEVERS_OF[mask] for mask in MOVES[mask_of(box)][roll]]


def is_win(box):
    return mask_of(box) == 0


def play_mask(mask):
    while mask:
        moves = MOVES[mask][dice_roll()]
        if not moves:
            return "loss"
        mask = random.choice(moves)
    return "win"


def play_game(box):
    return play_mask(mask_of(box))


def simulate(n, box=start_box):
    mask = mask_of(box)
    return sum(play_mask(mask) == "win" for _ in range(n)) / n


def play_game_user(box=start_box, read=input, write=print):
    mask = mask_of(box)
    while mask:
        roll = dice_roll()
        write(f"|{text_of(mask)}| roll {roll}")
        moves = MOVES[mask][roll]
        if not moves:
            write("You lose.")
            return "loss"
        mask = moves[0]
        if len(moves) > 1:
            for i, move in enumerate(moves):
                write(f"  {i + 1}: |{text_of(move)}|")
            allowed = {str(i + 1): move for i, move in enumerate(moves)}
            answer = read("Number: ")
            while answer not in allowed:
                answer = read("Number from the list: ")
            mask = allowed[answer]
    write("You win.")
    return "win"


all_boxes = LEVERS_OF


def look_up_table(n):
    return {box: simulate(n, box) for box in all_boxes}


def bound(wins, n):
    if n == 0:
        return inf
    return (wins + 2 * sqrt(wins * (n - wins) / n)) / n if wins else 3 / n


def ucb(record):
    wins, losses = record
    return bound(wins, wins + losses)


def uct(tree, box):
    path = [mask_of(box)]
    result = None
    while result is None:
        mask = path[-1]
        if LEVERS_OF[mask] not in tree or mask == 0:
            result = play_mask(mask)
            continue
        moves = MOVES[mask][dice_roll()]
        if moves:
            path.append(max(moves, key=lambda m: ucb(tree.get(LEVERS_OF[m], (0, 0)))))
        else:
            result = "loss"
    new = defaultdict(lambda: (0, 0), tree)
    for mask in path:
        wins, losses = new[LEVERS_OF[mask]]
        new[LEVERS_OF[mask]] = (wins + (result == "win"), losses + (result == "loss"))
    return dict(new), result


VALUES = [1.0] * SIZE
for m in range(1, SIZE):
    VALUES[m] = sum(WAYS[r] * max((VALUES[i] for i in MOVES[m][r]), default=0) for r in ROLLS) / 36


def win_probability(box, roll=None):
    mask = mask_of(box)
    if roll is None:
        return VALUES[mask]
    return max((VALUES[move] for move in MOVES[mask][roll]), default=0.0)


def optimal_table():
    return dict(zip(LEVERS_OF, VALUES, strict=True))


def best_move(box, roll):
    moves = MOVES[mask_of(box)][roll]
    return LEVERS_OF[max(moves, key=VALUES.__getitem__)] if moves else None


def best_move_table():
    return {(box, roll): best_move(box, roll) for box in all_boxes for roll in ROLLS}


def text_of(mask):
    return "".join(str(i + 1) if mask >> i & 1 else " " for i in range(9))


def box_to_str(box):
    return "none" if box is None else text_of(mask_of(box))


def best_move_table_string():
    lines = []
    for box in LEVERS_OF:
        moves = [box_to_str(best_move(box, roll)) for roll in ROLLS]
        lines.append("\t".join([box_to_str(box), *moves]))
    return "\n".join(lines)
