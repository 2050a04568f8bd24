"""Task 13: the text shows the levers that are down."""


def box_to_str(box):
    if box is None:
        return "x"
    return "".join(str(lever) if lever not in box else " " for lever in range(1, 10))
