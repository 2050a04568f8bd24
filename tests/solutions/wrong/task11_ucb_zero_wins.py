"""Task 11: a record without wins has the bound 0, because the rule of 3 is missing."""

from math import inf, sqrt


def ucb(record):
    wins, losses = record["win"], record["loss"]
    n = wins + losses
    if n == 0:
        return inf
    return (wins + 2 * sqrt(wins * losses / n)) / n
