"""Trees as pyrsistent maps, records as dicts of wins and losses, and small expressions."""

import random
from functools import reduce
from itertools import product
from math import inf, sqrt

from pyrsistent import pmap, pvector

FACES = range(1, 7)
LEVERS = range(1, 10)
NONE_YET = {"win": 0, "loss": 0}


def flip_coin():
    return random.choice(["heads", "tails"])


def is_heads(flip):
    return flip == "heads"


def throw_dart():
    return 2 * random.random() - 1, 2 * random.random() - 1


def in_circle(dart):
    x, y = dart
    return x * x + y * y < 1


def estimate_pi(n):
    return 4 * len([dart for dart in (throw_dart() for _ in range(n)) if in_circle(dart)]) / n


def dice_roll():
    return sum(random.choices(FACES, k=2))


start_box = frozenset(LEVERS)
sample_box = start_box - {1, 3, 6}
simple_start = start_box - {1}
won_game = pvector([(7, {3, 4}), (7, {7}), (11, {5, 6}), (12, {1, 2, 9}), (8, {8})])
lost_game = pvector([(2, {2}), (2, None)])


def number_of_states():
    return 2 ** len(LEVERS) * len({a + b for a, b in product(FACES, FACES)})


def simple_moves(box, roll):
    return {box - {roll}} if roll in box else set()


def game_with(moves_from):
    def play(box):
        if not box:
            return "win"
        moves = tuple(moves_from(box, dice_roll()))
        return play(random.choice(moves)) if moves else "loss"

    return play


play_simple_game = game_with(simple_moves)


def record_of(play, n, box):
    wins = sum(play(box) == "win" for _ in range(n))
    return {"win": wins, "loss": n - wins}


def simulate_simple_game(n, box=simple_start):
    return record_of(play_simple_game, n, box)


def power(items):
    return reduce(lambda sets, item: sets + [{*one, item} for one in sets], items, [set()])


def levers_for_roll(roll):
    return frozenset(frozenset(levers) for levers in power(LEVERS) if sum(levers) == roll)


lever_combinations = pvector(levers_for_roll(roll) for roll in range(13))


def possible_moves(box, roll):
    return frozenset(box - levers for levers in lever_combinations[roll] if levers <= box)


def is_win(box):
    return box == frozenset()


play_game = game_with(possible_moves)


def simulate(n, box=start_box):
    return record_of(play_game, n, box)


def play_game_user(box=start_box, read=input, write=print):
    if is_win(box):
        write("You win!")
        return "win"
    roll = dice_roll()
    choices = pmap({str(i): move for i, move in enumerate(possible_moves(box, roll), 1)})
    write(f"Box {box_to_str(box)}. You rolled {roll}.")
    if not choices:
        write("No move is possible. You lose.")
        return "loss"
    if len(choices) == 1:
        return play_game_user(choices["1"], read, write)
    for number in sorted(choices, key=int):
        write(f"  {number} for {box_to_str(choices[number])}")
    answers = iter(lambda: read("Choose a number: "), None)
    chosen = next(answer for answer in answers if answer in choices)
    return play_game_user(choices[chosen], read, write)


all_boxes = tuple(frozenset(levers) for levers in power(LEVERS))


def look_up_table(n):
    return pmap({box: simulate(n, box) for box in all_boxes})


def ucb(record):
    wins, losses = record["win"], record["loss"]
    n = wins + losses
    if n == 0:
        return inf
    return (wins + 2 * sqrt(wins * losses / n)) / n if wins > 0 else 3 / n


def persistent(tree):
    return pmap(tree) if isinstance(tree, dict) else tree


def add_result(tree, box, result):
    record = tree.get(box, NONE_YET)
    return tree.set(box, {**record, result: record[result] + 1})


def uct(tree, box):
    tree = persistent(tree)
    if box not in tree or is_win(box):
        result = play_game(box)
        return add_result(tree, box, result), result
    moves = possible_moves(box, dice_roll())
    if not moves:
        return add_result(tree, box, "loss"), "loss"
    grown, result = uct(tree, max(moves, key=lambda move: ucb(tree.get(move, NONE_YET))))
    return add_result(grown, box, result), result


def search(tree, box, dives):
    return reduce(lambda tree, _: uct(tree, box)[0], range(dives), tree)


def build_tree(tree, node):
    tree = persistent(tree)
    if node in tree:
        return tree
    box, roll = node
    if is_win(box):
        return tree.set(node, 1.0)
    if roll is None:
        tree = reduce(build_tree, ((box, total) for total in range(2, 13)), tree)
        return tree.set(node, sum(tree[box, a + b] for a, b in product(FACES, FACES)) / 36)
    moves = [(move, None) for move in possible_moves(box, roll)]
    tree = reduce(build_tree, moves, tree)
    return tree.set(node, max((tree[move] for move in moves), default=0.0))


everything = reduce(build_tree, ((box, None) for box in all_boxes), pmap())


def win_probability(box, roll=None):
    return everything[box, roll]


def optimal_table():
    return pmap({box: win_probability(box) for box in all_boxes})


def best_move(box, roll):
    return max(possible_moves(box, roll), key=win_probability, default=None)


def best_move_table():
    return pmap({(b, roll): best_move(b, roll) for b in all_boxes for roll in range(2, 13)})


def box_to_str(box):
    if box is None:
        return "-"
    return "".join(str(lever) if lever in box else " " for lever in LEVERS)


def best_move_table_string():
    def row(box):
        return "\t".join(map(box_to_str, (box, *(best_move(box, r) for r in range(2, 13)))))

    return "\n".join(map(row, all_boxes))
