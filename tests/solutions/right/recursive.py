"""Recursive functions, boxes as frozensets, records as dicts, and the module `random`."""

import random
from itertools import combinations
from math import inf, sqrt

# Task 1

HEADS, TAILS = "heads", "tails"


def flip_coin():
    return random.choice([HEADS, TAILS])


def is_heads(flip):
    return flip == HEADS


def throw_dart():
    return random.random() * 2 - 1, random.random() * 2 - 1


def in_circle(dart):
    x, y = dart
    return x**2 + y**2 < 1


def estimate_pi(n):
    return 4 * sum(in_circle(throw_dart()) for _ in range(n)) / n


# Tasks 2 and 3

won_game = [(9, {9}), (8, {8}), (7, {7}), (6, {6}), (10, {1, 4, 5}), (5, {2, 3})]
lost_game = [(12, {3, 9}), (12, {4, 8}), (12, {5, 7}), (12, set())]

start_box = frozenset(range(1, 10))
sample_box = start_box - {1, 3, 6}
easy_box = frozenset({7})


def dice_roll():
    return random.randint(1, 6) + random.randint(1, 6)


def number_of_states():
    return 2**9 * 11


# Tasks 4 to 7

simple_start = start_box - {1}


def simple_moves(box, roll):
    return {box - {roll}} if roll in box else set()


def play_simple_game(box):
    if not box:
        return "win"
    moves = simple_moves(box, dice_roll())
    return play_simple_game(moves.pop()) if moves else "loss"


def simulate_simple_game(n, box=simple_start):
    return [play_simple_game(box) for _ in range(n)].count("win") / n


# Task 8


def power(items):
    items = list(items)
    if not items:
        return [()]
    rest = power(items[1:])
    return rest + [(items[0], *subset) for subset in rest]


def levers_for_roll(roll):
    return [levers for levers in power(range(1, 10)) if sum(levers) == roll]


lever_combinations = [[frozenset(c) for c in levers_for_roll(roll)] for roll in range(13)]


def possible_moves(box, roll):
    return {box - levers for levers in lever_combinations[roll] if levers <= box}


def is_win(box):
    return not box


def play_game(box):
    if is_win(box):
        return "win"
    moves = possible_moves(box, dice_roll())
    return play_game(random.choice(list(moves))) if moves else "loss"


def simulate(n, box=start_box):
    return [play_game(box) for _ in range(n)].count("win") / n


# Task 9


def choice(moves):
    if len(moves) == 1:
        return moves[0]
    answer = input(f"A number from 1 to {len(moves)}: ")
    if answer in [str(i + 1) for i in range(len(moves))]:
        return moves[int(answer) - 1]
    print("That is not one of the choices.")
    return choice(moves)


def play_game_user(box=start_box):
    if is_win(box):
        print("All levers are down. You win.")
        return "win"
    roll = dice_roll()
    print("The box is", sorted(box), "and the roll is", roll)
    moves = sorted(possible_moves(box, roll), key=sorted)
    for i, move in enumerate(moves):
        print(i + 1, sorted(move))
    if not moves:
        print("There is no move. You lose.")
        return "loss"
    return play_game_user(choice(moves))


# Task 10

all_boxes = [frozenset(c) for size in range(10) for c in combinations(range(1, 10), size)]


def look_up_table(n):
    return {box: simulate(n, box) for box in all_boxes}


# Task 11


def ucb(record):
    wins, losses = record["win"], record["loss"]
    n = wins + losses
    if n == 0:
        return inf
    return (wins + 2 * sqrt(wins * losses / n)) / n if wins else 3 / n


def with_result(tree, box, result):
    record = tree.get(box, {"win": 0, "loss": 0})
    return {**tree, box: {**record, result: record[result] + 1}}


def uct(tree, box):
    if box not in tree or is_win(box):
        result = play_game(box)
    else:
        moves = possible_moves(box, dice_roll())
        if moves:
            best = max(moves, key=lambda move: ucb(tree.get(move, {"win": 0, "loss": 0})))
            tree, result = uct(tree, best)
        else:
            result = "loss"
    return with_result(tree, box, result), result


# Task 12


def build_tree(tree, node):
    if node in tree:
        return tree
    box, roll = node
    if is_win(box):
        return {**tree, node: 1.0}
    if roll is None:
        for total in range(2, 13):
            tree = build_tree(tree, (box, total))
        value = sum((6 - abs(7 - total)) * tree[box, total] for total in range(2, 13)) / 36
    else:
        moves = possible_moves(box, roll)
        for move in moves:
            tree = build_tree(tree, (move, None))
        value = max((tree[move, None] for move in moves), default=0.0)
    return {**tree, node: value}


full_tree = build_tree({}, (start_box, None))


def win_probability(box, roll=None):
    return build_tree(full_tree, (box, roll))[box, roll]


def optimal_table():
    return {box: win_probability(box) for box in all_boxes}


# Task 13


def best_move(box, roll):
    return max(possible_moves(box, roll), key=win_probability, default=None)


def best_move_table():
    return {(box, roll): best_move(box, roll) for box in all_boxes for roll in range(2, 13)}


def box_to_str(box):
    if box is None:
        return "x"
    return "".join(str(lever) if lever in box else " " for lever in range(1, 10))


def best_move_table_string():
    lines = []
    for box in all_boxes:
        moves = [best_move(box, roll) for roll in range(2, 13)]
        lines.append("\t".join(box_to_str(b) for b in [box, *moves]))
    return "\n".join(lines)
