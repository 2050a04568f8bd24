"""Task 3: the dice show 0 to 5."""

import random


def dice_roll():
    return random.randrange(6) + random.randrange(6)
