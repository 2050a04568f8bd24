"""Task 4: the box after the move is returned without a set around it."""


def simple_moves(box, roll):
    return box - {roll} if roll in box else set()
