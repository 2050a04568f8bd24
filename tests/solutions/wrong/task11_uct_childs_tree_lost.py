"""Task 11: the tree of the recursion is dropped, so only the root gets records."""

import random
from itertools import combinations
from math import inf, sqrt


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


def ucb(record):
    wins, losses = record["win"], record["loss"]
    n = wins + losses
    if n == 0:
        return inf
    if wins == 0:
        return 3 / n
    return (wins + 2 * sqrt(wins * losses / n)) / n


def uct(tree, box):
    if box not in tree or not box:
        result = play_game(box)
    else:
        moves = possible_moves(box, dice_roll())
        if moves:
            child = max(moves, key=lambda move: ucb(tree.get(move, {"win": 0, "loss": 0})))
            result = uct(tree, child)[1]
        else:
            result = "loss"
    record = dict(tree.get(box, {"win": 0, "loss": 0}))
    record[result] += 1
    return {**tree, box: record}, result
