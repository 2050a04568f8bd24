"""Task 11: a record without visits is a division by 0."""

from math import sqrt


def ucb(record):
    wins, losses = record["win"], record["loss"]
    n = wins + losses
    if wins == 0:
        return 3 / n
    return (wins + 2 * sqrt(wins * losses / n)) / n
