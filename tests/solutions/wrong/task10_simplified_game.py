"""Task 10: the games of the table are those of the simplified game."""

import random
from itertools import combinations


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


all_boxes = [frozenset(c) for size in range(10) for c in combinations(range(1, 10), size)]


def simulate(n, box=frozenset(range(1, 10))):
    return [play_simple_game(box) for _ in range(n)].count("win") / n


def look_up_table(n):
    return {box: simulate(n, box) for box in all_boxes}
