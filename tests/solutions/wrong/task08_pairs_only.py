"""Task 8: a move shuts exactly two levers."""

import random

start_box = frozenset(range(1, 10))


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


def possible_moves(box, roll):
    return {box - {a, b} for a in box for b in box if a < b and a + b == roll}
