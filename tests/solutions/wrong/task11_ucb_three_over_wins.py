"""Task 11: the rule of 3 divides by the wins, which are 0."""

from math import inf, sqrt


def ucb(record):
    wins, losses = record["win"], record["loss"]
    n = wins + losses
    if n == 0:
        return inf
    if wins == 0:
        return 3 / wins
    return (wins + 2 * sqrt(wins * losses / n)) / n
