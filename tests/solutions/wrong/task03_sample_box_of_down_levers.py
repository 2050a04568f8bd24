"""Task 3: the sample box has the levers that are down."""

start_box = frozenset(range(1, 10))

sample_box = frozenset({1, 3, 6})
