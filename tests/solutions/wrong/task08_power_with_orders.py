"""Task 8: the power set has each set in all orders."""

from itertools import permutations


def power(items):
    items = list(items)
    return [p for size in range(5) for p in permutations(items, size)]


def levers_for_roll(roll):
    return [levers for levers in power(range(1, 10)) if sum(levers) == roll]


lever_combinations = [levers_for_roll(roll) for roll in range(13)]


def possible_moves(box, roll):
    return [box.difference(levers) for levers in lever_combinations[roll] if box.issuperset(levers)]
