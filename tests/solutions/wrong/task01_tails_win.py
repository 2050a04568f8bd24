"""Task 1: tails win."""

import random

HEADS, TAILS = "heads", "tails"


def flip_coin():
    return random.choice([HEADS, TAILS])


def is_heads(flip):
    return flip == TAILS
