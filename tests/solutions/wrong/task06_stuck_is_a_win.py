"""Task 6: a win is counted when there is no move."""

import random

simple_start = frozenset(range(2, 10))


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


def simple_moves(box, roll):
    return {box - {roll}} if roll in box else set()


def play_simple_game(box):
    while box:
        moves = list(simple_moves(box, dice_roll()))
        if not moves:
            return "win"
        box = moves[0]
    return "win"
