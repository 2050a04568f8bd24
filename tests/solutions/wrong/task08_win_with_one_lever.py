"""Task 8: a box with one lever up counts as shut."""


def is_win(box):
    return len(box) <= 1
