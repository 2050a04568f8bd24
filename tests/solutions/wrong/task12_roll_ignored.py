"""Task 12: the value of a box and a roll is the value of the box."""

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
    best = 0.0
    for a, b in THROWS:
        best += max(map(win_probability, possible_moves(box, a + b)), default=0.0)
    return best / 36
