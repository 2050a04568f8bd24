"""The eight symmetries of a square board whose bits are row * (size + 1) + column."""


def symmetries(size):
    """Functions from the stones of one player to the same stones, turned or mirrored."""
    places = [
        lambda r, c: (r, c),
        lambda r, c: (c, r),
        lambda r, c: (size - 1 - r, c),
        lambda r, c: (r, size - 1 - c),
        lambda r, c: (size - 1 - r, size - 1 - c),
        lambda r, c: (c, size - 1 - r),
        lambda r, c: (size - 1 - c, r),
        lambda r, c: (size - 1 - c, size - 1 - r),
    ]
    return [lambda stones, place=place: moved(stones, size, place) for place in places]


def moved(stones, size, place):
    result = 0
    for row in range(size):
        for column in range(size):
            if stones >> row * (size + 1) + column & 1:
                r, c = place(row, column)
                result |= 1 << r * (size + 1) + c
    return result
