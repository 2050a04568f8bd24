"""Task 11: z stands in the root."""

from math import inf, sqrt


def ucb(record):
    wins, losses = record["win"], record["loss"]
    n = wins + losses
    if n == 0:
        return inf
    if wins == 0:
        return 3 / n
    return (wins + sqrt(2 * wins * losses / n)) / n
