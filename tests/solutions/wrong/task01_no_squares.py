"""Task 1: x and y are added without squares."""


def in_circle(dart):
    x, y = dart
    return x + y < 1
