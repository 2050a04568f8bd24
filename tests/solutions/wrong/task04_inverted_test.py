"""Task 4: a lever that is up counts as down, and the other way round."""


def simple_moves(box, roll):
    return {box - {roll}} if roll not in box else set()
