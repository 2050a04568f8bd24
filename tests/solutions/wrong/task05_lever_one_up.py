"""Task 5: lever 1 is up at the start, so the game cannot be won."""

simple_start = frozenset(range(1, 10))
