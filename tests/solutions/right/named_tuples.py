"""Records as named tuples, probabilities as fractions; `uct` gives the result, then the tree."""

import random
from fractions import Fraction
from itertools import combinations
from math import inf, sqrt
from typing import NamedTuple


class Record(NamedTuple):
    win: int
    loss: int


class Turn(NamedTuple):
    roll: int
    levers: frozenset


class Node(NamedTuple):
    box: frozenset
    roll: int | None


class Dart(NamedTuple):
    x: float
    y: float


DICE = [a + b for a in range(1, 7) for b in range(1, 7)]


def flip_coin():
    return random.choice(("heads", "tails"))


def is_heads(flip):
    return flip == "heads"


def throw_dart():
    return Dart(random.random() * 2 - 1, random.random() * 2 - 1)


def in_circle(dart):
    x, y = dart
    return x * x + y * y < 1


def estimate_pi(n):
    return Fraction(4 * sum(in_circle(throw_dart()) for _ in range(n)), n)


start_box = frozenset(range(1, 10))
sample_box = start_box.difference({1, 3, 6})
simple_start = start_box.difference({1})
won_game = [
    Turn(12, frozenset({1, 2, 9})),
    Turn(12, frozenset({4, 8})),
    Turn(12, frozenset({5, 7})),
    Turn(9, frozenset({3, 6})),
]
lost_game = [Turn(5, frozenset({2, 3})), Turn(5, frozenset({1, 4})), Turn(5, frozenset({5}))]


def dice_roll():
    return random.choice(DICE)


def number_of_states():
    return len(all_boxes) * len(set(DICE))


def simple_moves(box, roll):
    return {box - {roll}} & {box - {lever} for lever in box}


def play_simple_game(box):
    if not box:
        return "win"
    for move in simple_moves(box, dice_roll()):
        return play_simple_game(move)
    return "loss"


def games(n, play, box):
    wins = sum(play(box) == "win" for _ in range(n))
    return Record(wins, n - wins)


def simulate_simple_game(n, box=simple_start):
    return Fraction(games(n, play_simple_game, box).win, n)


def power(items):
    items = list(items)
    return {frozenset(some) for size in range(len(items) + 1) for some in combinations(items, size)}


def levers_for_roll(roll):
    return {levers for levers in power(range(1, 10)) if sum(levers) == roll}


lever_combinations = [levers_for_roll(roll) for roll in range(13)]


def possible_moves(box, roll):
    return {box - levers for levers in lever_combinations[roll] if levers <= box}


def is_win(box):
    return sum(box) == 0


def play_game(box):
    if is_win(box):
        return "win"
    moves = sorted(possible_moves(box, dice_roll()), key=sorted)
    return play_game(random.choice(moves)) if moves else "loss"


def simulate(n, box=start_box):
    return Fraction(games(n, play_game, box).win, n)


def play_game_user(box=start_box, read=input, write=print):
    if is_win(box):
        write("Won!")
        return "win"
    turn = Node(box, dice_roll())
    write(f"Levers up: {sorted(turn.box)}. Roll: {turn.roll}.")
    moves = sorted(possible_moves(*turn), key=sorted)
    if not moves:
        write("Lost!")
        return "loss"
    if len(moves) > 1:
        write("Choices: " + "; ".join(f"{i}: {sorted(m)}" for i, m in enumerate(moves, start=1)))
        while (answer := read("> ").strip()) not in map(str, range(1, len(moves) + 1)):
            write("Please choose one of the numbers.")
        moves = [moves[int(answer) - 1]]
    return play_game_user(moves[0], read, write)


all_boxes = power(range(1, 10))


def look_up_table(n):
    return {box: games(n, play_game, box) for box in all_boxes}


def ucb(record):
    n = sum(record)
    if n == 0:
        return inf
    if record.win == 0:
        return 3 / n
    return (record.win + 2 * sqrt(record.win * record.loss / n)) / n


def dive(tree, box):
    if is_win(box) or box not in tree:
        return play_game(box), tree
    moves = possible_moves(box, dice_roll())
    if not moves:
        return "loss", tree
    return uct(tree, max(moves, key=lambda move: ucb(tree.get(move, Record(0, 0)))))


def uct(tree, box):
    result, tree = dive(tree, box)
    win, loss = tree.get(box, Record(0, 0))
    record = Record(win + 1, loss) if result == "win" else Record(win, loss + 1)
    return result, {**tree, box: record}


def children(node):
    if is_win(node.box):
        return []
    if node.roll is None:
        return [Node(node.box, roll) for roll in DICE]
    return [Node(move, None) for move in possible_moves(*node)]


def build_tree(tree, node):
    node = Node(*node)
    if node in tree:
        return tree
    for child in children(node):
        tree = build_tree(tree, child)
    values = [tree[child] for child in children(node)]
    if is_win(node.box):
        value = Fraction(1)
    elif node.roll is None:
        value = sum(values) / Fraction(36)
    else:
        value = max(values, default=Fraction(0))
    return {**tree, node: value}


full_tree = {}
for some_box in all_boxes:
    full_tree = build_tree(full_tree, Node(some_box, None))


def win_probability(box, roll=None):
    return full_tree[Node(box, roll)]


def optimal_table():
    return {box: win_probability(box) for box in all_boxes}


def best_move(box, roll):
    return max(possible_moves(box, roll), key=win_probability, default=None)


def best_move_table():
    return {Node(box, roll): best_move(box, roll) for box in all_boxes for roll in range(2, 13)}


def box_to_str(box):
    return "".join(str(lever) if lever in (box or ()) else " " for lever in range(1, 10))


def best_move_table_string():
    header = "box      " + "".join(f"\t{roll:<9}" for roll in range(2, 13))
    lines = [header]
    for box in sorted(all_boxes, key=sorted):
        moves = (best_move(box, roll) for roll in range(2, 13))
        cells = ["no move  " if move is None else box_to_str(move) for move in moves]
        lines.append("\t".join([box_to_str(box), *cells]))
    return "\n".join(lines)
