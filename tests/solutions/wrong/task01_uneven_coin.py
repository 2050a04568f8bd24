"""Task 1: randint includes its last number, so two of three flips are heads."""

import random

HEADS, TAILS = "heads", "tails"


def flip_coin():
    return HEADS if random.randint(0, 2) else TAILS


def is_heads(flip):
    return flip == HEADS
