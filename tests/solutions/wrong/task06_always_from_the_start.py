"""Task 6: every game begins with the box of the start, not with the given one."""

import random

simple_start = frozenset(range(2, 10))


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


def simple_moves(box, roll):
    return {box - {roll}} if roll in box else set()


def play_simple_game(box):
    box = simple_start
    while box:
        moves = list(simple_moves(box, dice_roll()))
        if not moves:
            return "loss"
        box = moves[0]
    return "win"
