"""Task 12: the memo has only the box as its key, so all rolls get one value."""

import random
from itertools import combinations


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


CHOICES = {
    roll: [set(c) for k in range(1, 10) for c in combinations(range(1, 10), k) if sum(c) == roll]
    for roll in range(2, 13)
}


def possible_moves(box, roll):
    return [box - levers for levers in CHOICES[roll] if levers <= box]


memo = {}


def win_probability(box, roll=None):
    if not box:
        return 1.0
    if box not in memo:
        if roll is None:
            totals = [a + b for a in range(1, 7) for b in range(1, 7)]
            memo[box] = sum(win_probability(box, total) for total in totals) / 36
        else:
            moves = possible_moves(box, roll)
            memo[box] = max((win_probability(move) for move in moves), default=0.0)
    return memo[box]
