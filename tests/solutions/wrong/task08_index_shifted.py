"""Task 8: the list begins with the roll 2, so the index is not the roll."""

import random


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


def power(items):
    subsets = [set()]
    for item in items:
        subsets += [subset | {item} for subset in subsets]
    return subsets


def levers_for_roll(roll):
    return [levers for levers in power(range(1, 10)) if sum(levers) == roll]


lever_combinations = [levers_for_roll(roll) for roll in range(2, 13)]


def possible_moves(box, roll):
    moves = []
    for levers in lever_combinations[roll]:
        if levers.issubset(box):
            moves.append(box - levers)
    return moves
