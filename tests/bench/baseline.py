"""The workshop's way, written literally: what the speed of purembts is measured against.

Moves are filtered from the vector `lever_combinations[roll]` at every turn, a tree is a pmap of
pmaps, dives are made one at a time, and exact values are Fractions in a pmap.
"""

import random
from fractions import Fraction
from functools import reduce
from itertools import product
from math import inf, sqrt

from pyrsistent import pmap


def power(items):
    chosen = [()]
    for item in items:
        chosen = chosen + [(item, *others) for others in chosen]
    return chosen


lever_power = power(range(1, 10))
lever_combinations = [[c for c in lever_power if sum(c) == roll] for roll in range(13)]
start_box = frozenset(range(1, 10))


def dice_roll(rng=random):
    return 2 + int(rng.random() * 6) + int(rng.random() * 6)


def possible_moves(box, roll):
    fitting = [c for c in lever_combinations[roll] if all(lever in box for lever in c)]
    return [box - frozenset(c) for c in fitting]


def play_game(box, rng=random):
    while box:
        moves = possible_moves(box, dice_roll(rng))
        if not moves:
            return "loss"
        box = moves[int(rng.random() * len(moves))]
    return "win"


def simulate(n, rng=random):
    record = pmap({"win": 0, "loss": 0})
    for _ in range(n):
        result = play_game(start_box, rng)
        record = record.set(result, record[result] + 1)
    return record


def ucb(record):
    if record is None:
        return inf
    w, l = record.get("win", 0), record.get("loss", 0)  # noqa: E741
    n = w + l
    return 3 / n if w == 0 else (w + 2 * sqrt(w * l / n)) / n


def add_result(tree, box, result):
    record = tree.get(box, pmap())
    return tree.set(box, record.set(result, record.get(result, 0) + 1)), result


def uct(tree, box, rng=random):
    if box not in tree:
        return add_result(tree, box, play_game(box, rng))
    if not box:
        return add_result(tree, box, "win")
    moves = possible_moves(box, dice_roll(rng))
    if not moves:
        return add_result(tree, box, "loss")
    best = max(moves, key=lambda move: ucb(tree.get(move)))
    tree, result = uct(tree, best, rng)
    return add_result(tree, box, result)


def search(tree, box, dives, rng=random):
    for _ in range(dives):
        tree, _ = uct(tree, box, rng)
    return tree


dice_probs = pmap(
    {
        roll: Fraction(sum(a + b == roll for a, b in product(range(1, 7), range(1, 7))), 36)
        for roll in range(2, 13)
    }
)


def build_tree(tree, node):
    if node in tree:
        return tree
    box, roll = node
    if not box:
        return tree.set(node, Fraction(1))
    if roll is None:
        children = [(box, throw) for throw in dice_probs]
        tree = reduce(build_tree, children, tree)
        return tree.set(node, sum(dice_probs[throw] * tree[box, throw] for _, throw in children))
    children = [(move, None) for move in possible_moves(box, roll)]
    tree = reduce(build_tree, children, tree)
    return tree.set(node, max((tree[child] for child in children), default=Fraction(0)))


def complete_tree():
    return build_tree(build_tree(pmap(), (start_box, None)), (start_box - {1}, None))


def best_move_table():
    tree = complete_tree()
    table = pmap()
    for box in map(frozenset, lever_power):
        for roll in range(2, 13):
            moves = possible_moves(box, roll) if box else []
            best = max(moves, key=lambda move: tree[move, None]) if moves else None
            table = table.set((box, roll), best)
    return table
