"""Task 5: there is a lever for each roll."""

simple_start = tuple(range(2, 13))
