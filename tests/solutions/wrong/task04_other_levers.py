"""Task 4: levers that add up to the roll are shut, as in the real game."""

from itertools import combinations


def simple_moves(box, roll):
    choices = [c for size in range(1, 10) for c in combinations(sorted(box), size)]
    return {box - set(levers) for levers in choices if sum(levers) == roll}
