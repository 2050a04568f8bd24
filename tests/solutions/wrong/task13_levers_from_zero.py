"""Task 13: the text begins with lever 0 and ends with lever 8."""


def box_to_str(box):
    if box is None:
        return "x"
    return "".join(str(lever) if lever in box else " " for lever in range(9))
