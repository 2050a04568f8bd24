"""Tasks 12 and 13: exact probabilities and best moves, compared with the exact solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from inspect import signature
from statistics import mean
from typing import Any, TypeAlias

from purembts import workshop
from purembts.games.shut_the_box import Box, full_box
from purembts.verify.tasks import calls, forms
from purembts.verify.tasks.calls import Mine, Tree, ask, by_size, each, must_be, same, tabled
from purembts.verify.tasks.chances import ROLLS
from purembts.verify.tasks.forms import NotRead, Value, Wrong, box_of, levers, table_of, text_of
from purembts.verify.tasks.moves import BY_SIZE, PLAYED, SHUT, about

UNREACHED: Box = full_box() - {1}
"""The box that no game from the full box reaches, because two dice never show 1."""

# Task 12

Node: TypeAlias = tuple[Box, int | None]
"""A box and a roll; None before the roll."""


def win_probability(mine: Mine, word: str) -> str:
    """The exact probability of winning, for each box, and for each roll if it takes one."""
    takes_roll = calls.parameter(mine, word, "roll")
    cases = [(box, None) if takes_roll else (box,) for box in BY_SIZE]
    _probabilities(mine, word, [*cases, *(PLAYED if takes_roll else ())])
    return f"{len(cases)} boxes, exactly"


def optimal_table(mine: Mine, word: str) -> str:
    """The exact probability of winning for each box."""
    found = ask(mine, word, table_of(box_of, "boxes to probabilities"))
    cases = [(box,) for box in BY_SIZE if box in found or box not in (SHUT, UNREACHED)]
    return f"{_probabilities(tabled(mine, word, found), word, cases)} boxes, exactly"


def build_tree(mine: Mine, word: str) -> str:
    """The tree has each box and roll below its node, with the exact probability."""

    def check(mine: Mine, *node: Value) -> int:
        text, tree = mine.text(word, {}, node), table_of(node_of, NODES)
        if len(signature(mine.words[word]).parameters) > 2:
            raise NotRead("`build_tree` was not called. Write the arguments tree and node, a pair.")
        found = ask(mine, word, tree, Tree(), node)
        known = [(box, roll) for box, roll in found if box or not roll]  # no roll at the shut box
        nodes = sorted({*known, node}, key=lambda node: (by_size(node[0]), node[1] or 0))
        return _probabilities(tabled(mine, text, found), text, nodes)

    nodes = [(box, None) for box in (*BY_SIZE[:20], frozenset({1, 2, 3}))]
    each(mine, [nodes[0], (frozenset({7}), 7), (frozenset({7}), 6), *nodes[1:]], check)
    return f"{check(mine, full_box(), None):,} nodes of the tree from the full box, exactly"


def node_of(value: Value) -> Node:
    """A pair of a box and a roll, or None before the roll."""
    if not isinstance(value, tuple) or len(value) != 2:
        raise NotRead(f"a mapping from {NODES}")
    return box_of(value[0]), value[1]


NODES = "nodes to values; a node is a pair of a box and a roll, or of a box and None"


def _probabilities(mine: Mine, word: str, cases: Iterable[tuple[Value, ...]]) -> int:
    return same(mine, word, cases, forms.number_of, workshop.win_probability, _why)


def _why(box: Box, *rest: Value) -> str:
    """The reason for a value, if it is short, and the mistake that gives the wrong value."""
    *rolls, found = rest
    roll = next(iter(rolls), None)
    if not box:
        return "the shut box is a win"
    if roll is None:
        shares = "the values of the 11 rolls, each weighted with its share of the 36 throws"
        return f"{shares}{_likeness(found, box)}"
    best = best_of(box, roll)
    if best is None:
        return "no levers add up to the roll"
    return f"the best move leaves {levers(best)}"


MISTAKES: Mapping[str, tuple[Callable[..., Any], Mapping[int, Fraction], bool]] = {
    "for a player who moves at random": (mean, ROLLS, False),
    "for the simplified game": (max, ROLLS, True),
    "for a player who takes the worst moves": (min, ROLLS, False),
    "for eleven rolls that are equally likely": (max, dict.fromkeys(ROLLS, Fraction(1, 11)), False),
    "without roll 12": (max, {**ROLLS, 12: Fraction(0)}, False),
    "without roll 2": (max, {**ROLLS, 2: Fraction(0)}, False),
}
"""Values that are easy to come by: the worth of some moves, the weights of the rolls, the game."""


@cache
def _mistaken(reason: str, box: Box) -> Fraction:
    """The value of `box` with a mistake."""
    worth, weights, simple = MISTAKES[reason]
    moves = workshop.simple_moves if simple else workshop.possible_moves
    values = {roll: [_mistaken(reason, move) for move in moves(box, roll)] for roll in ROLLS}
    total = sum(weights[roll] * worth(each) for roll, each in values.items() if each)
    return Fraction(total) if box else Fraction(1)


def _likeness(value: Value, box: Box) -> str:
    """The mistake that gives this value, as a sentence; empty without one.

    It has to be the first box, in the order of checking, where the mistake shows.
    """
    for reason in MISTAKES:
        wrong = (b for b in BY_SIZE if _mistaken(reason, b) != workshop.win_probability(b))
        if box == next(wrong, None) and abs(value - _mistaken(reason, box)) <= 1e-9:
            return f". {forms.told(value)} is the value {reason}"
    return ""


# Task 13


def best_of(box: Box, roll: int) -> Box | None:
    """The first of the best moves; None without a move."""
    return max(workshop.possible_moves(box, roll), key=workshop.win_probability, default=None)


def must_be_best(text: str, move: Box | None, box: Box, roll: int) -> None:
    """Raise a `Wrong` unless `move` is one of the best moves, or None if there is no move."""
    moves, best = workshop.possible_moves(box, roll), best_of(box, roll)
    worth: dict[Box | None, Fraction] = {each: workshop.win_probability(each) for each in moves}
    if move == best or (best in worth and worth.get(move) == worth[best]):
        return

    def why() -> str:
        if move is None or best is None:
            return f"there is {'no' if best is None else 'a'} move"
        if move not in moves:
            return f"{levers(move)} {about(box, roll, move, moves)}"
        chances = f"{float(worth[best]):.4g}, and {levers(move)} with {float(worth[move]):.4g}"
        return f"it wins with probability {chances}"

    must_be(text, move, best, why)


def _are_best(mine: Mine, word: str, cases: Iterable[tuple[Box, int]]) -> int:
    def check(mine: Mine, box: Box, roll: int) -> None:
        move = ask(mine, word, lambda value: None if value is None else box_of(value), box, roll)
        must_be_best(mine.text(word, box, roll), move, box, roll)

    return each(mine, cases, check)


def best_move(mine: Mine, word: str) -> str:
    """The move with the highest probability of winning, any one of equals; None without a move."""
    return f"{_are_best(mine, word, PLAYED):,} states; any best move counts"


def best_move_table(mine: Mine, word: str) -> str:
    """The table has the best move of each box and roll."""
    found = ask(mine, word, table_of(node_of, "pairs (box, roll) to moves"))
    needed = [s for s in PLAYED if s in found or (s[0] != UNREACHED and best_of(*s) is not None)]
    _are_best(tabled(mine, word, found), word, needed)
    return "all boxes and rolls; any best move counts"


def box_to_str(mine: Mine, word: str) -> str:
    """A text in which the digits are the levers that are up."""
    why, cases = "the digits in it must be the levers that are up", [(box,) for box in BY_SIZE]
    n = same(
        mine, word, cases, digits_of, lambda box: "".join(map(str, sorted(box))), lambda *_: why
    )
    return f"all {n} boxes"


def digits_of(text: Value) -> str:
    """The digits in a text."""
    return "".join(mark for mark in text_of(text) if mark.isdigit())


def best_move_table_string(mine: Mine, word: str) -> str:
    """A line for each box: the box, and its best moves for the 11 rolls; a mark without a move."""
    table = ask(mine, word, lines_of)
    for box in BY_SIZE:
        if box not in table and box not in (SHUT, UNREACHED):
            raise Wrong(f"`{word}` has no line for {levers(box)}.")
    cells = [
        (box, roll, cell) for box in table for roll, cell in zip(ROLLS, table[box], strict=True)
    ]
    nothing = {cell for box, roll, cell in cells if box and best_of(box, roll) is None}
    for box, roll, cell in cells:
        move = frozenset(map(int, digits_of(cell)))
        if box:  # any cell will do for the shut box
            where = f"{word}: line of {levers(box)}, roll {roll}, cell {cell!r}"
            must_be_best(where, move if move or cell not in nothing else None, box, roll)
    return f"{len(table)} lines; any best move counts"


def lines_of(value: Value) -> dict[Box, list[str]]:
    """The cells on the line of each box."""
    cells = [line.strip("\r\n").split("\t") for line in text_of(value).splitlines() if line.strip()]
    heads = [f"{roll}" for roll in ROLLS]
    lines = [line for line in cells if [cell.strip() for cell in line[1:]] != heads]
    if not lines or any(len(line) != 12 for line in lines):
        raise NotRead("the box and its best move for each of the 11 rolls, with tabs between them")
    return {frozenset(map(int, digits_of(line[0]))): line[1:] for line in lines}
