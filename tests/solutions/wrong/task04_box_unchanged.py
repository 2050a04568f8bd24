"""Task 4: a lever that is down is no loss: the box stays as before."""


def simple_moves(box, roll):
    return {box - {roll}}
