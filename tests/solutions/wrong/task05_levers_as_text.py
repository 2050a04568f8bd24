"""Task 5: the levers are characters and not numbers."""

simple_start = set("23456789")
