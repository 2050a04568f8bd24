"""Task 1: the circle is too large, with 2 in place of 1."""

import random


def throw_dart():
    return random.random() * 2 - 1, random.random() * 2 - 1


def in_circle(dart):
    x, y = dart
    return x**2 + y**2 <= 2


def estimate_pi(n):
    hits = sum(in_circle(throw_dart()) for _ in range(n))
    return 4 * hits / n
