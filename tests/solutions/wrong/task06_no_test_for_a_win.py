"""Task 6: the shut box is not a win: the dice are thrown, and no move is left."""

import random

simple_start = frozenset(range(2, 10))


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


def simple_moves(box, roll):
    return {box - {roll}} if roll in box else set()


def play_simple_game(box):
    moves = simple_moves(box, dice_roll())
    if not moves:
        return "loss"
    return play_simple_game(moves.pop())
