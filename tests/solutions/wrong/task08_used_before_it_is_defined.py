"""Task 8: a function is called above its definition, so the file cannot be loaded."""

from itertools import combinations


def power(items):
    items = list(items)
    return [set(c) for size in range(len(items) + 1) for c in combinations(items, size)]


lever_combinations = [levers_for_roll(roll) for roll in range(13)]


def levers_for_roll(roll):
    return [levers for levers in power(range(1, 10)) if sum(levers) == roll]


def possible_moves(box, roll):
    return [box - levers for levers in lever_combinations[roll] if levers <= box]
