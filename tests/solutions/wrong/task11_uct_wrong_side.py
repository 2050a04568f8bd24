"""Task 11: a win is counted as a loss, and a loss as a win."""

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
    while box:
        moves = possible_moves(box, dice_roll())
        if not moves:
            return False
        box = random.choice(moves)
    return True


def ucb(record):
    wins, losses = record
    n = wins + losses
    if n == 0:
        return inf
    return (wins + 2 * sqrt(wins * losses / n)) / n if wins else 3 / n


def uct(tree, box):
    path = [box]
    while path[-1] in tree and path[-1]:
        moves = possible_moves(path[-1], dice_roll())
        if not moves:
            won = False
            break
        path.append(max(moves, key=lambda move: ucb(tree.get(move, (0, 0)))))
    else:
        won = play_game(path[-1])
    tree = dict(tree)
    for visited in path:
        wins, losses = tree.get(visited, (0, 0))
        tree[visited] = (wins + 1, losses) if not won else (wins, losses + 1)
    return tree, won
