"""Task 5: range stops before 9, so lever 9 is missing."""

simple_start = frozenset(range(2, 9))
