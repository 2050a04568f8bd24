"""Task 3: the second die has two sixes and no 1."""

import random

FIRST = [1, 2, 3, 4, 5, 6]
SECOND = [2, 3, 4, 5, 6, 6]


def dice_roll():
    return random.choice(FIRST) + random.choice(SECOND)
