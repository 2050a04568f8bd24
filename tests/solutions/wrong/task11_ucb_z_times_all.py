"""Task 11: z multiplies the wins too."""

from math import inf, sqrt


def ucb(record):
    wins, losses = record["win"], record["loss"]
    n = wins + losses
    if n == 0:
        return inf
    if wins == 0:
        return 3 / n
    return (2 * (wins + sqrt(wins * losses / n))) / n
