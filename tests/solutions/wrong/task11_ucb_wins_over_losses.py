"""Task 11: w/l is the estimate, where it should be w/n."""

from math import inf, sqrt


def ucb(record):
    wins, losses = record["win"], record["loss"]
    n = wins + losses
    if n == 0:
        return inf
    if wins == 0:
        return 3 / n
    return wins / losses + 2 * sqrt(wins * losses / n) / n
