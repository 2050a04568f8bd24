"""Task 8: the moves are made in the box that was given, one after the other."""

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


lever_combinations = [levers_for_roll(roll) for roll in range(13)]

start_box = {1, 2, 3, 4, 5, 6, 7, 8, 9}


def possible_moves(box, roll):
    moves = []
    for levers in lever_combinations[roll]:
        if levers <= box:
            box -= levers
            moves.append(box)
    return moves
