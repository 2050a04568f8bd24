"""Task 8: the levers of a move are drawn one by one, so the boxes are not equally likely."""

import random
from itertools import combinations


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


CHOICES = {
    roll: [set(c) for k in range(1, 10) for c in combinations(range(1, 10), k) if sum(c) == roll]
    for roll in range(2, 13)
}


def possible_moves(box, roll):
    return [box - levers for levers in CHOICES[roll] if levers <= box]


def play_game(box):
    while box:
        moves = [box - move for move in possible_moves(box, dice_roll())]
        if not moves:
            return "loss"
        while moves != [set()]:
            lever = random.choice(sorted(set().union(*moves)))
            moves = [levers - {lever} for levers in moves if lever in levers]
            box = box - {lever}
    return "win"
