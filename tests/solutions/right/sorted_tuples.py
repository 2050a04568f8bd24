"""Boxes as sorted tuples of levers, results as pairs of scores, and records as sums of results."""

import random
from functools import lru_cache
from itertools import combinations
from math import inf, sqrt

WIN, LOSS = (1, 0), (0, 1)


def flip_coin():
    return random.choice("HT")


def is_heads(flip):
    return flip == "H"


def throw_dart():
    return (random.random() - 0.5) * 2, (random.random() - 0.5) * 2


def in_circle(dart):
    return abs(complex(*dart)) < 1


def estimate_pi(n):
    return 4 * sum(1 for _ in range(n) if in_circle(throw_dart())) / n


start_box = (1, 2, 3, 4, 5, 6, 7, 8, 9)
sample_box = (2, 4, 5, 7, 8, 9)
easy_box = (7,)
simple_start = start_box[1:]
won_game = [(11, (3, 8)), (11, (4, 7)), (11, (5, 6)), (12, (1, 2, 9))]
lost_game = [(2, (2,)), (2, ())]


def dice_roll():
    return 1 + random.randrange(6) + 1 + random.randrange(6)


def number_of_states():
    return sum(1 for box in all_boxes for roll in range(2, 13))


def without(box, levers):
    return tuple(lever for lever in box if lever not in levers)


def simple_moves(box, roll):
    return [without(box, (roll,))] if roll in box else []


def play(box, moves_from):
    while box:
        moves = moves_from(box, dice_roll())
        if not moves:
            return LOSS
        box = random.choice(moves)
    return WIN


def play_simple_game(box):
    return play(box, simple_moves)


def added(record, result):
    return record[0] + result[0], record[1] + result[1]


def simulate_simple_game(n, box=simple_start):
    record = (0, 0)
    for _ in range(n):
        record = added(record, play_simple_game(box))
    return record[0] / n


def power(items):
    items = tuple(items)
    return [chosen for size in range(len(items) + 1) for chosen in combinations(items, size)]


def levers_for_roll(roll):
    return [levers for levers in power(start_box) if sum(levers) == roll]


lever_combinations = tuple(levers_for_roll(roll) for roll in range(13))


@lru_cache(maxsize=None)
def possible_moves(box, roll):
    return [without(box, c) for c in lever_combinations[roll] if all(i in box for i in c)]


def is_win(box):
    return box == ()


def play_game(box):
    return play(box, possible_moves)


def simulate(n, box=start_box):
    record = (0, 0)
    for _ in range(n):
        record = added(record, play_game(box))
    return record[0] / n


def play_game_user(box=start_box):
    while box:
        roll = dice_roll()
        print("box", *box, "roll", roll)
        moves = possible_moves(box, roll)
        if not moves:
            print("you have lost")
            return LOSS
        box = moves[0] if len(moves) == 1 else ask(moves)
    print("you have won")
    return WIN


def ask(moves):
    for i, move in enumerate(moves, 1):
        print(i, "to leave", *move)
    while True:
        answer = input("which? ")
        for i, move in enumerate(moves, 1):
            if answer == str(i):
                return move


all_boxes = power(start_box)


def look_up_table(n):
    return {box: simulate(n, box) for box in all_boxes}


def ucb(record):
    wins, losses = record
    n = wins + losses
    if not n:
        return inf
    if not wins:
        return 3 / n
    return (wins + 2 * sqrt(wins * losses / n)) / n


def uct(tree, box):
    result = WIN
    if box and box not in tree:
        result = play_game(box)
    elif box:
        moves = possible_moves(box, dice_roll())
        if moves:
            bounds = [(ucb(tree.get(move, (0, 0))), move) for move in moves]
            tree, result = uct(tree, max(bounds)[1])
        else:
            result = LOSS
    return tree | {box: added(tree.get(box, (0, 0)), result)}, result


def search(tree, box, dives):
    for _ in range(dives):
        tree, _ = uct(tree, box)
    return tree


def monte_carlo_tree_search(box, dives):
    return search({}, box, dives)[box]


def build_tree(tree, node):
    box, roll = node
    if node in tree:
        return tree
    value = 0.0
    if not box:
        value = 1.0
    elif roll:
        for move in possible_moves(box, roll):
            tree = build_tree(tree, (move, None))
            value = max(value, tree[move, None])
    else:
        for total in range(2, 13):
            tree = build_tree(tree, (box, total))
            ways = total - 1 if total < 8 else 13 - total
            value += tree[box, total] * ways / 36
    return tree | {node: value}


@lru_cache(maxsize=None)
def win_probability(box, roll=None):
    if not box:
        return 1.0
    if roll:
        return max([win_probability(move) for move in possible_moves(box, roll)] + [0.0])
    return sum(win_probability(box, i + j) for i in range(1, 7) for j in range(1, 7)) / 36


def optimal_table():
    return dict(zip(all_boxes, map(win_probability, all_boxes), strict=True))


def best_move(box, roll):
    moves = sorted(possible_moves(box, roll), key=win_probability)
    return moves[-1] if moves else None


def best_move_table():
    return {(box, roll): best_move(box, roll) for roll in range(2, 13) for box in all_boxes}


def box_to_str(box):
    return "".join(str(lever) if lever in box else " " for lever in start_box)


def best_move_table_string():
    lines = []
    for box in all_boxes:
        line = box_to_str(box)
        for roll in range(2, 13):
            move = best_move(box, roll)
            line += "\t" + ("x" if move is None else box_to_str(move))
        lines.append(line)
    return "\n".join(lines)
