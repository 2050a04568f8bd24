"""Task 8: every game is played from the full box."""

import random
from itertools import combinations

start_box = frozenset(range(1, 10))


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


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


def simulate(n, box=start_box):
    wins = 0
    for _ in range(n):
        if play_game(start_box) == "win":
            wins += 1
    return wins / n
