"""Task 1: the coin is flipped once, when the file is loaded."""

import random

HEADS, TAILS = "heads", "tails"


def flip_coin(flip=random.choice([HEADS, TAILS])):
    return flip


def is_heads(flip):
    return flip == HEADS
