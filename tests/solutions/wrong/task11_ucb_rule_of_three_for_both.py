"""Task 11: the rule of 3 is also used for records without losses."""

from math import inf, sqrt


def ucb(record):
    wins, losses = record["win"], record["loss"]
    n = wins + losses
    if n == 0:
        return inf
    if wins == 0 or losses == 0:
        return 3 / n
    return (wins + 2 * sqrt(wins * losses / n)) / n
