"""Task 13: the first move is taken."""

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


def best_move(box, roll):
    moves = possible_moves(box, roll)
    return moves[0] if moves else None
