"""Task 7: every result counts as a win, because a text is true."""

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
    if not moves:
        return "loss"
    return play_simple_game(moves.pop())


def simulate_simple_game(n, box=simple_start):
    wins = 0
    for _ in range(n):
        if play_simple_game(box):
            wins += 1
    return wins / n
