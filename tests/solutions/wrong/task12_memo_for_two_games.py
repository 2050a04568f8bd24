"""Task 12: the best and the random values share one memo, so the first of them stays."""

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


all_boxes = [frozenset(c) for size in range(10) for c in combinations(range(1, 10), size)]

THROWS = [a + b for a in range(1, 7) for b in range(1, 7)]
memo = {frozenset(): 1.0}


def value(box, choose):
    if box not in memo:
        memo[box] = sum(value_of_roll(box, roll, choose) for roll in THROWS) / 36
    return memo[box]


def value_of_roll(box, roll, choose):
    values = [value(move, choose) for move in possible_moves(box, roll)]
    return choose(values) if values else 0.0


def mean(values):
    return sum(values) / len(values)


random_table = {box: value(box, mean) for box in all_boxes}


def win_probability(box, roll=None):
    return value(box, max) if roll is None else value_of_roll(box, roll, max)


def optimal_table():
    return {box: win_probability(box) for box in all_boxes}
