"""Task 11: the sum is divided by //."""

from math import inf, sqrt


def ucb(record):
    wins, losses = record
    n = wins + losses
    if n == 0:
        return inf
    return (wins + 2 * sqrt(wins * losses / n)) // n if wins else 3 / n
