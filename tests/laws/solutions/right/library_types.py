"""The types of purembts, `Record`, `WIN` and `LOSS`; trees are persistent maps, and never dicts."""

import random
from fractions import Fraction
from itertools import compress
from itertools import product as pairs
from math import inf, sqrt

from pyrsistent import pmap

from purembts import LOSS, NOTHING, WIN, Record, mean
from purembts.chance import pick, repeatedly

LEVERS = range(1, 10)
ROLLS = range(2, 13)
THROWS = tuple(a + b for a, b in pairs(range(1, 7), repeat=2))


def flip_coin(rng=random):
    return pick(("heads", "tails"), rng)


def is_heads(flip):
    return flip == "heads"


def throw_dart(rng=random):
    return 2 * rng.random() - 1, 2 * rng.random() - 1


def in_circle(dart):
    x, y = dart
    return x**2 + y**2 < 1


def estimate_pi(n, rng=random):
    hits = sum(map(in_circle, repeatedly(n, lambda: throw_dart(rng))))
    return 4 * mean(Record(n, (hits, n - hits)))


start_box = frozenset(LEVERS)
sample_box = start_box - {1, 3, 6}
simple_start = start_box - {1}
easy_box = frozenset({7})
won_game = [(12, {3, 9}), (12, {4, 8}), (12, {5, 7}), (9, {1, 2, 6})]
lost_game = [(9, {9}), (9, {1, 8}), (9, {2, 7}), (9, {3, 6}), (8, None)]


def number_of_states():
    return len(all_boxes) * len(ROLLS)


def dice_roll(rng=random):
    return pick(THROWS, rng)


def simple_moves(box, roll):
    return (box - {roll},) if roll in box else ()


def play_simple_game(box, rng=random):
    if not box:
        return WIN
    moves = simple_moves(box, dice_roll(rng))
    return play_simple_game(moves[0], rng) if moves else LOSS


def total(results):
    return sum((Record(1, result) for result in results), NOTHING)


def simulate_simple_game(n, box=simple_start, rng=random):
    return total(repeatedly(n, lambda: play_simple_game(box, rng)))


def power(items):
    items = tuple(items)
    masks = pairs((False, True), repeat=len(items))
    return tuple(tuple(compress(items, mask)) for mask in masks)


all_boxes = tuple(map(frozenset, power(LEVERS)))


def levers_for_roll(roll):
    return tuple(filter(lambda levers: sum(levers) == roll, all_boxes))


lever_combinations = tuple(map(levers_for_roll, range(13)))


def possible_moves(box, roll):
    return tuple(box - levers for levers in lever_combinations[roll] if levers <= box)


def is_win(box):
    return not box


def play_game(box, rng=random):
    while box:
        moves = possible_moves(box, dice_roll(rng))
        if not moves:
            return LOSS
        box = pick(moves, rng)
    return WIN


def simulate(n, box=start_box, rng=random):
    return total(repeatedly(n, lambda: play_game(box, rng)))


def play_game_user(box=start_box, rng=random, *, read=input, write=print):
    if is_win(box):
        write("Shut! You win.")
        return WIN
    roll = dice_roll(rng)
    moves = possible_moves(box, roll)
    write(f"Box [{box_to_str(box)}], roll {roll}")
    if not moves:
        write("No move: you lose.")
        return LOSS
    if len(moves) > 1:
        for i, move in enumerate(moves, 1):
            write(f"  {i}: shut {sorted(box - move)}")
        while not (answer := read("Which? ")).isdecimal() or not 0 < int(answer) <= len(moves):
            write(f"A number from 1 to {len(moves)}, please.")
        return play_game_user(moves[int(answer) - 1], rng, read=read, write=write)
    return play_game_user(moves[0], rng, read=read, write=write)


def look_up_table(n, rng=random):
    return pmap({box: simulate(n, box, rng) for box in all_boxes})


def ucb(record):
    if not record.visits:
        return inf
    wins, losses = record.scores
    if not wins:
        return 3 / record.visits
    return mean(record) + 2 * sqrt(wins * losses / record.visits) / record.visits


def uct(tree, box, rng=random):
    if is_win(box) or box not in tree:
        result = play_game(box, rng)
    elif moves := possible_moves(box, dice_roll(rng)):
        child = max(moves, key=lambda move: ucb(tree.get(move, NOTHING)))
        tree, result = uct(tree, child, rng)
    else:
        result = LOSS
    return tree.set(box, tree.get(box, NOTHING) + Record(1, result)), result


def search(tree, box, dives, rng=random):
    for _ in range(dives):
        tree, _ = uct(tree, box, rng)
    return tree


def monte_carlo_tree_search(box, dives, rng=random):
    return search(pmap(), box, dives, rng)[box]


def build_tree(tree, node):
    if node in tree:
        return tree
    box, roll = node
    value = Fraction(is_win(box))
    if roll is None and box:
        for throw in THROWS:
            tree = build_tree(tree, (box, throw))
            value += tree[box, throw] / 36
    for move in possible_moves(box, roll) if roll else ():
        tree = build_tree(tree, (move, None))
        value = max(value, tree[move, None])
    return tree.set(node, value)


solution = pmap()
for box in all_boxes:
    solution = build_tree(solution, (box, None))


def win_probability(box, roll=None):
    return solution[box, roll]


def optimal_table():
    return pmap({box: solution[box, None] for box in all_boxes})


def best_move(box, roll):
    return max(possible_moves(box, roll), key=win_probability, default=None)


def best_move_table():
    return pmap({(box, roll): best_move(box, roll) for box, roll in pairs(all_boxes, ROLLS)})


def box_to_str(box):
    return "x" if box is None else "".join(str(i) if i in box else " " for i in LEVERS)


def best_move_table_string():
    rows = ([box, *(best_move(box, roll) for roll in ROLLS)] for box in all_boxes)
    return "\n".join("\t".join(map(box_to_str, row)) for row in rows)
