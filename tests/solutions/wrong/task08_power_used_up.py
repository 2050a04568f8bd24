"""Task 8: the power set is an iterator, which the first roll uses up."""

from itertools import combinations

subsets = (set(c) for size in range(10) for c in combinations(range(1, 10), size))


def levers_for_roll(roll):
    return [levers for levers in subsets if sum(levers) == roll]


lever_combinations = [levers_for_roll(roll) for roll in range(13)]


def possible_moves(box, roll):
    return [box - levers for levers in lever_combinations[roll] if levers <= box]
