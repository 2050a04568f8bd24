"""Task 6: the moves are never computed again in the loop, which never ends."""

import random

simple_start = frozenset(range(2, 10))


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


def simple_moves(box, roll):
    return {box - {roll}} if roll in box else set()


def play_simple_game(box):
    moves = simple_moves(box, dice_roll())
    while box:
        if not moves:
            return "loss"
        (box,) = moves
    return "win"
