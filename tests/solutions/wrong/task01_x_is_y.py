"""Task 1: one random number is both x and y, so the darts hit a line."""

import random


def throw_dart():
    x = random.random() * 2 - 1
    return x, x


def in_circle(dart):
    x, y = dart
    return x**2 + y**2 < 1
