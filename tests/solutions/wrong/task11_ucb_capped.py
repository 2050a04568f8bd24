"""Task 11: the bound is capped at 1."""

from math import inf, sqrt


def ucb(record):
    wins, losses = record
    n = wins + losses
    if n == 0:
        return inf
    return min(1, (wins + 2 * sqrt(wins * losses / n)) / n if wins else 3 / n)
