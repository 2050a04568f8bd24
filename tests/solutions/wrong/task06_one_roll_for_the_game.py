"""Task 6: the dice are thrown once, before the loop."""

import random

simple_start = frozenset(range(2, 10))


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


def simple_moves(box, roll):
    return {box - {roll}} if roll in box else set()


def play_simple_game(box):
    roll = dice_roll()
    while box:
        moves = list(simple_moves(box, roll))
        if not moves:
            return "loss"
        box = moves[0]
    return "win"
