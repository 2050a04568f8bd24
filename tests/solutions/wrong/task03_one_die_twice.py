"""Task 3: one die is thrown and counted twice."""

import random


def dice_roll():
    return 2 * random.randint(1, 6)
