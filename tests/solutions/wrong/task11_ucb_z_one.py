"""Task 11: z is 1 and not 2."""

from math import inf, sqrt


def ucb(record):
    wins, losses = record["win"], record["loss"]
    n = wins + losses
    if n == 0:
        return inf
    if wins == 0:
        return 3 / n
    return (wins + sqrt(wins * losses / n)) / n
