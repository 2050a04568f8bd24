"""Task 3: every total from 2 to 12 is equally likely."""

import random


def dice_roll():
    return random.randint(2, 12)
