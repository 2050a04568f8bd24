"""Task 8: every total of the dice is equally likely."""

import random
from itertools import combinations


def dice_roll():
    return random.choice(range(2, 13))


CHOICES = {
    roll: [set(c) for k in range(1, 10) for c in combinations(range(1, 10), k) if sum(c) == roll]
    for roll in range(2, 13)
}


def possible_moves(box, roll):
    return [box - levers for levers in CHOICES[roll] if levers <= box]


def play_game(box):
    if not box:
        return "win"
    moves = possible_moves(box, dice_roll())
    if not moves:
        return "loss"
    return play_game(random.choice(moves))
