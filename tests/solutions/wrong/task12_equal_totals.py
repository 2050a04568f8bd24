"""Task 12: the eleven totals have equal weights."""

import random
from fractions import Fraction
from itertools import combinations


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


CHOICES = {
    roll: [set(c) for k in range(1, 10) for c in combinations(range(1, 10), k) if sum(c) == roll]
    for roll in range(2, 13)
}


def possible_moves(box, roll):
    return [box - levers for levers in CHOICES[roll] if levers <= box]


def build_tree(tree, node):
    if node in tree:
        return tree
    box, roll = node
    if not box:
        value = Fraction(1)
    elif roll is None:
        for total in range(2, 13):
            tree = build_tree(tree, (box, total))
        value = sum(tree[box, total] for total in range(2, 13)) / 11
    else:
        moves = possible_moves(box, roll)
        for move in moves:
            tree = build_tree(tree, (move, None))
        value = max([tree[move, None] for move in moves], default=Fraction(0))
    return {**tree, node: value}


def win_probability(box, roll=None):
    return build_tree({}, (box, roll))[box, roll]
