"""Task 3: the dice have no six, because the factor is 5."""

import random


def dice_roll():
    return int(random.random() * 5) + 1 + int(random.random() * 5) + 1
