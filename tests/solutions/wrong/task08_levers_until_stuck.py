"""Task 8: random levers are shut until none fits, so a game is lost although there is a move."""

import random


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


def play_game(box):
    while box:
        rest = dice_roll()
        while rest:
            levers = [lever for lever in box if lever <= rest]
            if not levers:
                return "loss"
            lever = random.choice(levers)
            rest -= lever
            box = box - {lever}
    return "win"
