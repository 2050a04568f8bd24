"""Task 6: the dice are thrown again until there is a move."""

import random

simple_start = frozenset(range(2, 10))


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


def simple_moves(box, roll):
    return {box - {roll}} if roll in box else set()


def play_simple_game(box):
    if not box:
        return "win"
    moves = simple_moves(box, dice_roll())
    while not moves:
        moves = simple_moves(box, dice_roll())
    return play_simple_game(moves.pop())
