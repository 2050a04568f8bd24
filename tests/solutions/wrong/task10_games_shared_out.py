"""Task 10: n games are shared out among the boxes, so most boxes have none."""

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


all_boxes = [frozenset(c) for size in range(10) for c in combinations(range(1, 10), size)]


def look_up_table(n):
    table = {box: {"win": 0, "loss": 0} for box in all_boxes}
    for _ in range(n):
        box = random.choice(all_boxes)
        table[box][play_game(box)] += 1
    return table
