"""Task 1: the darts inside are divided by those outside."""

import random


def throw_dart():
    return random.random() * 2 - 1, random.random() * 2 - 1


def in_circle(dart):
    x, y = dart
    return x**2 + y**2 < 1


def estimate_pi(n):
    hits = sum(in_circle(throw_dart()) for _ in range(n))
    return 4 * hits / (n - hits)
