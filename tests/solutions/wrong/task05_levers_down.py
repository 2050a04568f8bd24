"""Task 5: the box has the lever that is down."""

simple_start = frozenset({1})
