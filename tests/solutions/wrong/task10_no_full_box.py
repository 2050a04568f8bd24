"""Task 10: range(9) leaves the full box out."""

from itertools import combinations

all_boxes = [frozenset(c) for size in range(9) for c in combinations(range(1, 10), size)]
