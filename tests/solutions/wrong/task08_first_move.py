"""Task 8: the first move is chosen, and not a random one."""

import random
from itertools import combinations


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


def power(items):
    items = list(items)
    return [set(c) for size in range(len(items) + 1) for c in combinations(items, size)]


def levers_for_roll(roll):
    return [levers for levers in power(range(1, 10)) if sum(levers) == roll]


lever_combinations = [levers_for_roll(roll) for roll in range(13)]


def possible_moves(box, roll):
    return [box - levers for levers in lever_combinations[roll] if levers <= box]


def play_game(box):
    if not box:
        return "win"
    moves = possible_moves(box, dice_roll())
    if not moves:
        return "loss"
    return play_game(moves[0])
