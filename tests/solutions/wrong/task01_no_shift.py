"""Task 1: the darts are from 0 to 2, because 1 is not subtracted."""

import random


def throw_dart():
    return random.random() * 2, random.random() * 2


def in_circle(dart):
    x, y = dart
    return x**2 + y**2 < 1


def estimate_pi(n):
    hits = sum(in_circle(throw_dart()) for _ in range(n))
    return 4 * hits / n
