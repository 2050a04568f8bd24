"""Task 11: parentheses are missing, so only the root is divided by n."""

from math import inf, sqrt


def ucb(record):
    wins, losses = record["win"], record["loss"]
    n = wins + losses
    if n == 0:
        return inf
    if wins == 0:
        return 3 / n
    return wins + 2 * sqrt(wins * losses / n) / n
