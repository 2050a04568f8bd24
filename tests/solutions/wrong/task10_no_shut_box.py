"""Task 10: the list of boxes begins with one lever, so the shut box is missing."""

from itertools import combinations

all_boxes = [frozenset(c) for size in range(1, 10) for c in combinations(range(1, 10), size)]
