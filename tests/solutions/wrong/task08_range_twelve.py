"""Task 8: range(12) has no 12, so a roll of 12 is an error."""

import random
from itertools import combinations


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


def power(items):
    items = list(items)
    return [set(c) for size in range(len(items) + 1) for c in combinations(items, size)]


def levers_for_roll(roll):
    return [levers for levers in power(range(1, 10)) if sum(levers) == roll]


lever_combinations = [levers_for_roll(roll) for roll in range(12)]


def possible_moves(box, roll):
    return [box - levers for levers in lever_combinations[roll] if levers <= box]
