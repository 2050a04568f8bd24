"""Task 11: a record without visits has the bound 0."""

from math import sqrt


def ucb(record):
    wins, losses = record["win"], record["loss"]
    n = wins + losses
    if n == 0:
        return 0
    if wins == 0:
        return 3 / n
    return (wins + 2 * sqrt(wins * losses / n)) / n
