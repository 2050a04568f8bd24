"""Task 4: the box that was given is changed."""

simple_start = {2, 3, 4, 5, 6, 7, 8, 9}


def simple_moves(box, roll):
    if roll not in box:
        return []
    box.remove(roll)
    return [box]
