"""Task 1: the share of darts is not multiplied by 4."""

import random


def throw_dart():
    return random.random() * 2 - 1, random.random() * 2 - 1


def in_circle(dart):
    x, y = dart
    return x**2 + y**2 < 1


def estimate_pi(n):
    hits = sum(in_circle(throw_dart()) for _ in range(n))
    return hits / n
