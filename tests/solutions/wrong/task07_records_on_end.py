"""Task 7: the counters are outside the function, so they still have the games of the last call."""

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


RECORD = {"win": 0, "loss": 0}


def simulate_simple_game(n, box=simple_start):
    for _ in range(n):
        RECORD[play_simple_game(box)] += 1
    return RECORD["win"] / (RECORD["win"] + RECORD["loss"])
