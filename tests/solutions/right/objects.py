"""Classes with methods for boxes, players and records; results as 1 and 0."""

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import inf, sqrt

HEADS, TAILS = "H", "T"
LEVERS, ROLLS = range(1, 10), range(2, 13)


class Die:
    def __init__(self, sides=6):
        self.sides = sides

    def throw(self):
        return random.randint(1, self.sides)


class Board:
    radius = 1

    def throw(self):
        return tuple(random.uniform(-self.radius, self.radius) for _ in range(2))

    def is_hit(self, dart):
        return sum(coordinate**2 for coordinate in dart) < self.radius**2


die, board = Die(), Board()


def flip_coin():
    return HEADS if Die(2).throw() == 1 else TAILS


def is_heads(flip):
    return flip == HEADS


throw_dart, in_circle = board.throw, board.is_hit


def estimate_pi(n):
    return 4 * sum(board.is_hit(board.throw()) for _ in range(n)) / n


def dice_roll():
    return die.throw() + die.throw()


won_game = [(10, {1, 9}), (10, {2, 8}), (10, {3, 7}), (10, {4, 6}), (5, {5})]
lost_game = [(3, {3}), (3, {1, 2}), (3, ())]

start_box = frozenset(LEVERS)
sample_box, simple_start, easy_box = start_box - {1, 3, 6}, start_box - {1}, frozenset({7})


def number_of_states():
    return len(all_boxes) * len(ROLLS)


@dataclass(frozen=True)
class Tally:
    """Games won and lost."""

    wins: int = 0
    losses: int = 0

    @property
    def n(self):
        return self.wins + self.losses

    @property
    def mean(self):
        return self.wins / self.n

    def plus(self, result):
        return replace(self, wins=self.wins + result, losses=self.losses + 1 - result)


class ShutTheBox:
    """The real game, for a player who moves at random."""

    def moves(self, box, roll):
        return [box - levers for levers in lever_combinations[roll] if levers <= box]

    def choose(self, moves):
        return random.choice(moves)

    def play(self, box):
        if not box:
            return 1
        moves = self.moves(box, dice_roll())
        return self.play(self.choose(moves)) if moves else 0

    def tally(self, n, box):
        wins = sum(self.play(box) for _ in range(n))
        return Tally(wins, n - wins)


class SimpleGame(ShutTheBox):
    def moves(self, box, roll):
        return [box - {roll}] if roll in box else []


class UserGame(ShutTheBox):
    def moves(self, box, roll):
        moves = super().moves(box, roll)
        print(f"{box_to_str(box)} and a {roll}: {', '.join(map(box_to_str, moves)) or 'you lose'}")
        return moves

    def choose(self, moves):
        numbers = {str(i): move for i, move in enumerate(moves, 1)}
        answer = "1" if len(moves) == 1 else ""
        while answer not in numbers:
            answer = input(f"Which one, {' or '.join(numbers)}? ")
        return numbers[answer]


simple_game, real_game = SimpleGame(), ShutTheBox()
simple_moves, play_simple_game = simple_game.moves, simple_game.play
possible_moves, play_game, play_game_user = real_game.moves, real_game.play, UserGame().play


def simulate_simple_game(n, box=simple_start):
    return simple_game.tally(n, box)


def simulate(n, box=start_box):
    return real_game.tally(n, box)


def power(items):
    items = tuple(items)
    return list(chain.from_iterable(combinations(items, size) for size in range(len(items) + 1)))


all_boxes = [frozenset(levers) for levers in power(LEVERS)]


def levers_for_roll(roll):
    return [levers for levers in all_boxes if sum(levers) == roll]


lever_combinations = [levers_for_roll(roll) for roll in range(13)]


def is_win(box):
    return not box


def look_up_table(n):
    return {box: real_game.tally(n, box) for box in all_boxes}


def ucb(tally):
    if not tally.n:
        return inf
    if not tally.wins:
        return 3 / tally.n
    return tally.mean + 2 * sqrt(tally.wins * tally.losses / tally.n) / tally.n


def uct(tree, box):
    def dive(box):
        if box not in tree or not box:
            return [box], real_game.play(box)
        moves = real_game.moves(box, dice_roll())
        if not moves:
            return [box], 0
        path, result = dive(max(moves, key=lambda move: ucb(tree.get(move, Tally()))))
        return [box, *path], result

    path, result = dive(box)
    return tree | {node: tree.get(node, Tally()).plus(result) for node in path}, result


class Solution:
    """The exact probabilities to win."""

    @cache
    def of_box(self, box):
        throws = (a + b for a in range(1, 7) for b in range(1, 7))
        return sum(self.of_roll(box, roll) for roll in throws) / Fraction(36) if box else 1

    @cache
    def of_roll(self, box, roll):
        return max(map(self.of_box, real_game.moves(box, roll)), default=Fraction(0))


solution = Solution()


def win_probability(box, roll=None):
    return solution.of_box(box) if roll is None else solution.of_roll(box, roll)


def build_tree(tree, node):
    if node in tree:
        return tree
    box, roll = node
    if roll is None:
        children = [(box, total) for total in ROLLS if box]
    else:
        children = [(move, None) for move in real_game.moves(box, roll)]
    for child in children:
        tree = build_tree(tree, child)
    return tree | {node: win_probability(box, roll)}


def optimal_table():
    return {box: win_probability(box) for box in all_boxes}


def best_move(box, roll):
    return max(real_game.moves(box, roll), key=win_probability, default=None)


def best_move_table():
    return {(box, roll): best_move(box, roll) for box in all_boxes for roll in ROLLS}


def box_to_str(box):
    return "x" if box is None else "".join(str(i) if i in box else " " for i in LEVERS)


def best_move_table_string():
    rows = ([box] + [best_move(box, roll) for roll in ROLLS] for box in all_boxes)
    return "\n".join("\t".join(map(box_to_str, row)) for row in rows)
