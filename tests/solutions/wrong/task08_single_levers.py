"""Task 8: a move shuts one lever, as in the simplified game."""


def possible_moves(box, roll):
    return [box - {lever} for lever in box if lever == roll]
