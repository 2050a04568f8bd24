"""Task 13: the value of the best move is returned, and not the box."""

import random
from functools import cache
from itertools import combinations


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


CHOICES = {
    roll: [set(c) for k in range(1, 10) for c in combinations(range(1, 10), k) if sum(c) == roll]
    for roll in range(2, 13)
}


def possible_moves(box, roll):
    return [box - levers for levers in CHOICES[roll] if levers <= box]


THROWS = [(a, b) for a in range(1, 7) for b in range(1, 7)]


@cache
def win_probability(box, roll=None):
    if not box:
        return 1.0
    if roll is None:
        return sum(win_probability(box, a + b) for a, b in THROWS) / 36
    return max([win_probability(move) for move in possible_moves(box, roll)], default=0.0)


all_boxes = [frozenset(c) for size in range(10) for c in combinations(range(1, 10), size)]


def best_move(box, roll):
    moves = possible_moves(box, roll)
    return max(map(win_probability, moves)) if moves else None
