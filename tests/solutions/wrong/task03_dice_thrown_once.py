"""Task 3: the dice are thrown once, when the file is loaded."""

import random

dice = [random.randint(1, 6), random.randint(1, 6)]


def dice_roll():
    return sum(dice)
