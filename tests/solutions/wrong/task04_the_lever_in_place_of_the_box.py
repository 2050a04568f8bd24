"""Task 4: the lever that is shut is returned, and not the box after the move."""


def simple_moves(box, roll):
    return {frozenset({roll})} if roll in box else set()
