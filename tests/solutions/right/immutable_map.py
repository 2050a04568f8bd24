"""Trees as immutables.Map, and an `rng` argument in every function that draws."""

import random
from itertools import combinations
from math import inf, sqrt

from immutables import Map

ALL_LEVERS = (1, 2, 3, 4, 5, 6, 7, 8, 9)
CHANCES = {roll: (6 - abs(roll - 7)) / 36 for roll in range(2, 13)}
WIN, LOSS = "win", "loss"


def pick(items, rng):
    return items[int(rng.random() * len(items))]


def flip_coin(rng=random):
    return pick(("heads", "tails"), rng)


def is_heads(flip):
    return flip == "heads"


def throw_dart(rng=random):
    x = 2 * rng.random() - 1
    y = 2 * rng.random() - 1
    return x, y


def in_circle(dart):
    x, y = dart
    return sqrt(x * x + y * y) < 1


def estimate_pi(n, rng=random):
    inside = len([1 for _ in range(n) if in_circle(throw_dart(rng))])
    return inside / n * 4


start_box = frozenset(ALL_LEVERS)
sample_box = frozenset({2, 4, 5, 7, 8, 9})
easy_box = frozenset({7})
simple_start = frozenset({2, 3, 4, 5, 6, 7, 8, 9})
won_game = (
    (9, frozenset({4, 5})),
    (9, frozenset({9})),
    (9, frozenset({1, 8})),
    (9, frozenset({2, 7})),
    (9, frozenset({3, 6})),
)
lost_game = ((4, frozenset({4})), (4, frozenset({1, 3})), (4, frozenset()))


def dice_roll(rng=random):
    return pick(range(1, 7), rng) + pick(range(1, 7), rng)


def number_of_states():
    return 512 * 11


def simple_moves(box, roll):
    return (box - {roll},) if roll in box else ()


def play_simple_game(box, rng=random):
    while box:
        moves = simple_moves(box, dice_roll(rng))
        if not moves:
            return LOSS
        (box,) = moves
    return WIN


def simulate_simple_game(n, box=simple_start, rng=random):
    return sum(play_simple_game(box, rng) == WIN for _ in range(n)) / n


def power(items):
    items = list(items)
    return tuple(frozenset(c) for k in range(len(items) + 1) for c in combinations(items, k))


def levers_for_roll(roll):
    return tuple(levers for levers in power(ALL_LEVERS) if sum(levers) == roll)


lever_combinations = tuple(map(levers_for_roll, range(13)))


def possible_moves(box, roll):
    return tuple(box - levers for levers in lever_combinations[roll] if levers <= box)


def is_win(box):
    return len(box) == 0


def play_game(box, rng=random):
    if is_win(box):
        return WIN
    moves = possible_moves(box, dice_roll(rng))
    if not moves:
        return LOSS
    return play_game(pick(moves, rng), rng)


def simulate(n, box=start_box, rng=random):
    return sum(play_game(box, rng) == WIN for _ in range(n)) / n


def play_game_user(box=start_box, rng=random, *, read=input, write=print):
    if is_win(box):
        write("You have shut the box!")
        return WIN
    roll = dice_roll(rng)
    write(f"[{box_to_str(box)}] {roll}")
    moves = possible_moves(box, roll)
    if not moves:
        write("You lose.")
        return LOSS
    return play_game_user(asked(moves, read, write), rng, read=read, write=write)


def asked(moves, read, write):
    if len(moves) == 1:
        return moves[0]
    for i, move in enumerate(moves):
        write(f"{i + 1}: [{box_to_str(move)}]")
    while True:
        try:
            number = int(read("Number? "))
        except ValueError:
            write("That is not a number.")
            continue
        if 1 <= number <= len(moves):
            return moves[number - 1]
        write("There is no such choice.")


all_boxes = power(ALL_LEVERS)


def look_up_table(n, rng=random):
    return Map((box, simulate(n, box, rng)) for box in all_boxes)


def ucb(record):
    n = record["w"] + record["l"]
    if n == 0:
        return inf
    if record["w"] == 0:
        return 3 / n
    return (record["w"] + 2 * sqrt(record["w"] * record["l"] / n)) / n


def rating(tree, box):
    return ucb(tree[box]) if box in tree else inf


def uct(tree, box, rng=random):
    tree = Map(tree)
    if is_win(box):
        result = WIN
    elif box not in tree:
        result = play_game(box, rng)
    elif moves := possible_moves(box, dice_roll(rng)):
        tree, result = uct(tree, max(moves, key=lambda move: rating(tree, move)), rng)
    else:
        result = LOSS
    record = dict(tree.get(box, {"w": 0, "l": 0}))
    record["w" if result == WIN else "l"] += 1
    return tree.set(box, record), result


def monte_carlo_tree_search(box, dives, rng=random):
    tree = Map()
    for _ in range(dives):
        tree, _ = uct(tree, box, rng)
    return tree[box]


def build_tree(tree, node):
    if node in tree:
        return tree
    box, roll = node
    tree = Map(tree)
    if is_win(box):
        value = 1.0
    elif roll is not None:
        value = 0.0
        for move in possible_moves(box, roll):
            tree = build_tree(tree, (move, None))
            value = max(value, tree[move, None])
    else:
        value = 0.0
        for total, chance in CHANCES.items():
            tree = build_tree(tree, (box, total))
            value += chance * tree[box, total]
    return tree.set(node, value)


whole_tree = Map()
for b in all_boxes:
    whole_tree = build_tree(whole_tree, (b, None))


def win_probability(box, roll=None):
    return whole_tree[box, roll]


def optimal_table():
    return Map((box, whole_tree[box, None]) for box in all_boxes)


def best_move(box, roll):
    moves = possible_moves(box, roll)
    return max(moves, key=win_probability) if moves else None


def best_move_table():
    return Map(((box, roll), best_move(box, roll)) for box in all_boxes for roll in CHANCES)


def box_to_str(box):
    return "".join([str(lever) if lever in box else " " for lever in ALL_LEVERS])


def best_move_table_string():
    text = ""
    for box in all_boxes:
        moves = [best_move(box, roll) for roll in CHANCES]
        cells = [box_to_str(move) if move is not None else "x" for move in moves]
        text += "\t".join([box_to_str(box), *cells]) + "\n"
    return text
