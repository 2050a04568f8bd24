"""Task 8: the generator is seeded in each game, so all games are the same."""

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
    random.seed(7)
    while box:
        moves = possible_moves(box, dice_roll())
        if not moves:
            return False
        box = random.choice(moves)
    return True
