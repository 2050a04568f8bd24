"""Task 3: the levers are 0 to 8."""

start_box = frozenset(range(9))
easy_box = frozenset({7})
