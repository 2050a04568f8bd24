"""Task 8: a lever can be used twice in a move, for example 3 and 3 for a roll of 6."""


def levers_for_roll(roll, highest=9):
    if roll == 0:
        return [()]
    choices = []
    for lever in range(1, min(roll, highest) + 1):
        choices += [(*others, lever) for others in levers_for_roll(roll - lever, lever)]
    return choices


lever_combinations = [levers_for_roll(roll) for roll in range(13)]


def possible_moves(box, roll):
    return {box - set(levers) for levers in lever_combinations[roll] if set(levers) <= box}
