"""Task 8: only the move with the largest levers is found."""


def possible_moves(box, roll):
    rest = roll
    for lever in sorted(box, reverse=True):
        if lever <= rest:
            rest -= lever
            box = box - {lever}
    return [box] if rest == 0 else []
