"""Task 8: the power set lacks the empty set."""

from itertools import combinations


def power(items):
    items = list(items)
    return [set(c) for size in range(1, len(items) + 1) for c in combinations(items, size)]


def levers_for_roll(roll):
    return [levers for levers in power(range(1, 10)) if sum(levers) == roll]


lever_combinations = [levers_for_roll(roll) for roll in range(13)]
