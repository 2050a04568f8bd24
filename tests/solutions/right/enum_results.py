"""Results as an Enum, `ucb(wins, losses)`, `build_tree(tree, box, roll)`, and memos by `cache`."""

import random
from collections import Counter
from enum import Enum
from functools import cache
from itertools import combinations
from math import inf, sqrt


class Coin(Enum):
    HEADS = "heads"
    TAILS = "tails"


class Result(Enum):
    WIN = "win"
    LOSS = "loss"


HEADS, TAILS = Coin
FACES = [1, 2, 3, 4, 5, 6]
THROWS = Counter(a + b for a in FACES for b in FACES)


def flip_coin():
    return random.choice(list(Coin))


def is_heads(flip):
    return flip is Coin.HEADS


def throw_dart():
    return [2 * random.random() - 1 for _ in ("x", "y")]


def in_circle(dart):
    x, y = dart
    return x**2 + y**2 < 1


def estimate_pi(n):
    counts = Counter(in_circle(throw_dart()) for _ in range(n))
    return 4 * counts[True] / counts.total()


def dice_roll():
    return random.choice(FACES) + random.choice(FACES)


start_box = frozenset(range(1, 10))
sample_box = start_box - {1, 3, 6}
easy_box = frozenset([7])
simple_start = start_box - {1}
won_game = [(10, {1, 2, 3, 4}), (9, {9}), (8, {8}), (7, {7}), (6, {6}), (5, {5})]
lost_game = [(8, {8}), (8, {1, 7}), (8, {2, 6}), (8, {3, 5}), (8, set())]


def number_of_states():
    return 2 ** len(start_box) * len(THROWS)


def simple_moves(box, roll):
    return {box - {roll}} if roll in box else set()


def play_simple_game(box):
    if not box:
        return Result.WIN
    for move in simple_moves(box, dice_roll()):
        return play_simple_game(move)
    return Result.LOSS


def simulate_simple_game(n, box=simple_start):
    return Counter(play_simple_game(box) for _ in range(n))[Result.WIN] / n


def power(items):
    items = tuple(items)
    return {subset for size in range(len(items) + 1) for subset in combinations(items, size)}


@cache
def levers_for_roll(roll):
    return sorted(levers for levers in power(range(1, 10)) if sum(levers) == roll)


lever_combinations = {roll: levers_for_roll(roll) for roll in range(13)}


@cache
def possible_moves(box, roll):
    return [box.difference(c) for c in lever_combinations[roll] if box.issuperset(c)]


def is_win(box):
    return not box


def play_game(box):
    if is_win(box):
        return Result.WIN
    moves = possible_moves(box, dice_roll())
    return play_game(random.choice(moves)) if moves else Result.LOSS


def simulate(n, box=start_box):
    return Counter(play_game(box) for _ in range(n))[Result.WIN] / n


def play_game_user(box=start_box):
    if is_win(box):
        print("You win!")
        return Result.WIN
    roll = dice_roll()
    print(f"The box is {box_to_str(box)!r}. The roll is {roll}.")
    match possible_moves(box, roll):
        case []:
            print("You lose!")
            return Result.LOSS
        case [move]:
            print(f"The only move is {box_to_str(move)!r}.")
            return play_game_user(move)
        case moves:
            return play_game_user(answer({str(i): move for i, move in enumerate(moves, 1)}))


def answer(choices):
    for number, move in choices.items():
        print(f"  {number} {box_to_str(move)!r}")
    try:
        return choices[input("Your choice: ").strip()]
    except KeyError as error:
        print(f"{error} is not a choice.")
        return answer(choices)


all_boxes = {frozenset(levers) for levers in power(range(1, 10))}


def look_up_table(n):
    return {box: simulate(n, box) for box in all_boxes}


def ucb(wins, losses):
    match wins, losses:
        case 0, 0:
            return inf
        case 0, n:
            return 3 / n
    n = wins + losses
    return (wins + 2 * sqrt(wins * losses / n)) / n


def rating(tree, box):
    record = tree.get(box, {})
    return ucb(record.get("win", 0), record.get("loss", 0))


def uct(tree, box):
    def dive(path):
        box = path[-1]
        if box not in tree or is_win(box):
            return path, play_game(box)
        moves = possible_moves(box, dice_roll())
        if not moves:
            return path, Result.LOSS
        return dive([*path, max(moves, key=lambda move: rating(tree, move))])

    path, result = dive([box])
    records = {box: dict(Counter(tree.get(box, {})) + Counter([result.value])) for box in path}
    return tree | {box: {"win": 0, "loss": 0} | record for box, record in records.items()}, result


@cache
def win_probability(box, roll=None):
    if is_win(box):
        return 1.0
    if roll is None:
        return sum(THROWS[total] * win_probability(box, total) for total in THROWS) / 36
    return max(map(win_probability, possible_moves(box, roll)), default=0.0)


def build_tree(tree, box, roll=None):
    if (box, roll) in tree:
        return tree
    if is_win(box):
        following = []
    elif roll is None:
        following = [(box, total) for total in THROWS]
    else:
        following = [(move, None) for move in possible_moves(box, roll)]
    for node in following:
        tree = build_tree(tree, *node)
    return tree | {(box, roll): win_probability(box, roll)}


def optimal_table():
    return {box: win_probability(box) for box in all_boxes}


@cache
def best_move(box, roll):
    return max(possible_moves(box, roll), key=win_probability, default=None)


def best_move_table():
    return {(box, roll): best_move(box, roll) for box in all_boxes for roll in THROWS}


def box_to_str(box):
    return "".join(str(lever) if lever in box else " " for lever in sorted(start_box))


def best_move_table_string():
    lines = []
    for box in sorted(all_boxes, key=sorted):
        moves = [best_move(box, roll) for roll in sorted(THROWS)]
        cells = ["" if move is None else box_to_str(move) for move in moves]
        lines.append("\t".join([box_to_str(box), *cells]))
    return "\n".join(lines)
