"""Task 8: the memo of moves has the roll as its key, without the box."""

from itertools import combinations


def power(items):
    items = list(items)
    return [set(c) for size in range(len(items) + 1) for c in combinations(items, size)]


def levers_for_roll(roll):
    return [levers for levers in power(range(1, 10)) if sum(levers) == roll]


lever_combinations = [levers_for_roll(roll) for roll in range(13)]

memo = {}


def possible_moves(box, roll):
    if roll not in memo:
        memo[roll] = [box - levers for levers in lever_combinations[roll] if levers <= box]
    return memo[roll]
