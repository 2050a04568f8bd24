"""Task 12: the best move is followed by random play."""

import random
from functools import cache
from itertools import combinations


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


CHOICES = {
    roll: [set(c) for k in range(1, 10) for c in combinations(range(1, 10), k) if sum(c) == roll]
    for roll in range(2, 13)
}


def possible_moves(box, roll):
    return [box - levers for levers in CHOICES[roll] if levers <= box]


all_boxes = [frozenset(c) for size in range(10) for c in combinations(range(1, 10), size)]

THROWS = [a + b for a in range(1, 7) for b in range(1, 7)]


@cache
def random_play(box):
    if not box:
        return 1.0
    total = 0.0
    for roll in THROWS:
        moves = possible_moves(box, roll)
        if moves:
            total += sum(map(random_play, moves)) / len(moves)
    return total / 36


def win_probability(box):
    if not box:
        return 1.0
    best = [max(map(random_play, possible_moves(box, roll)), default=0.0) for roll in THROWS]
    return sum(best) / 36


def optimal_table():
    return {box: win_probability(box) for box in all_boxes}
