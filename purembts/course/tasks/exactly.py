"""Tasks 12 and 13: exact probabilities and best moves, compared with the exact solver."""

from __future__ import annotations

import re
from functools import partial
from math import isclose
from typing import TypeAlias

from purembts import workshop
from purembts.course.tasks import calls, forms
from purembts.course.tasks.calls import ROLLS, Mine, Property, ask, exact, same
from purembts.course.tasks.forms import BOX, NUMBER, TEXT, AnyValue, Form, Wrong, levers
from purembts.course.tasks.games import BY_SIZE, PLAYED, SHUT, move_in_words
from purembts.games.shut_the_box import Box, full_box

_UNREACHED: Box = full_box() - {1}
"""The box that no game from the full box reaches, because two dice never show 1."""

# Task 12

Node: TypeAlias = tuple[Box, int | None]
"""A box and a roll; None before the roll."""


def _why(answer: AnyValue, box: Box, roll: int | None = None) -> str:
    """The rule for the value of a box and a roll, or the usual mistake if the answer has it."""
    if not box:
        return "the shut box is a win"
    if roll is None:
        random = "the answer is that of random play; the value of a roll is that of the best move"
        shares = "the values of the 11 rolls, each weighted with its share of the 36 throws"
        return random if isclose(answer, calls.random_play()(box)) else shares
    if (best := workshop.best_move(box, roll)) is None:
        return "no levers add up to the roll"
    values = [workshop.win_probability(move) for move in workshop.possible_moves(box, roll)]
    right = f"the best move leaves {levers(best)}"
    is_mean = len(values) > 1 and isclose(answer, sum(values) / len(values))
    return f"the answer is the mean of the moves, and {right}" if is_mean else right


EXACT = same(workshop.win_probability, _why)


def win_probability(mine: Mine, word: str) -> str:
    """The exact probability of winning, for each box, and for each roll if it takes one."""
    rolls = (*ROLLS,) if "roll" in calls.parameters(mine, word) else ()
    cases = [case for box in BY_SIZE for case in (*((box, roll) for roll in rolls if box), (box,))]
    return f"{calls.check_cases(mine, word, cases, NUMBER, EXACT)} cases, exactly"


def optimal_table(mine: Mine, word: str) -> str:
    """The exact probability of winning for each box."""
    table = ask(mine, word, forms.mapping(BOX.read, "boxes to probabilities"))
    cases = [(box,) for box in BY_SIZE if box in table or box not in (SHUT, _UNREACHED)]
    number = calls.check_cases(mine.with_table(word, table), word, cases, NUMBER, EXACT)
    return f"{number} boxes, exactly"


def build_tree(mine: Mine, word: str) -> str:
    """The tree has each box and roll below its node, with the exact probability."""
    roots: list[Node] = [(SHUT, None), (frozenset({7}), 7), (frozenset({7}), 6)]
    roots += [(box, None) for box in (*BY_SIZE[:20], frozenset({1, 2, 3}), full_box())]
    number = ""
    for root in roots:
        text = mine.text(word, calls.Tree(), root)
        tree = ask(mine, word, _NODES, calls.Tree(), root)
        # Nobody rolls at the shut box.
        nodes = {root, *(node for node in tree if node[0] or not node[1])}
        # A box comes after its rolls, of which its value is made.
        cases = sorted(nodes, key=lambda node: (calls.by_size(node[0]), node[1] or max(ROLLS) + 1))
        number = calls.check_cases(mine.with_table(text, tree), text, cases, NUMBER, EXACT)
    return f"{number} nodes of the tree from the full box, exactly"


def _box_and_roll(value: AnyValue) -> Node:
    """A pair as a box and a roll, or None before a roll."""
    box, roll = value
    if roll is not None and roll not in ROLLS:
        raise ValueError
    return BOX.read(box), roll


_NODES = forms.mapping(_box_and_roll, "pairs (box, roll) to values; the roll is None before a roll")

# Task 13

_MOVE = Form(f"{BOX.text}, or None", lambda value: None if value is None else BOX.read(value))


def _not_best(text: str, move: Box | None, box: Box, roll: int) -> str:
    """The fault of a move that is none of the best ones, or of None where there is a move."""
    moves, best = workshop.possible_moves(box, roll), workshop.best_move(box, roll)
    value = workshop.win_probability
    if move == best or (best is not None and move in moves and value(move) == value(best)):
        return ""
    if move is None or best is None:
        why = f"there is {'no' if best is None else 'a'} move"
    elif move not in moves:
        why = f"{levers(move)} {move_in_words(move, box, roll, moves)}"
    else:
        chances = f"{float(value(best)):.4g}, and {levers(move)} with {float(value(move)):.4g}"
        why = f"it wins with probability {chances}"
    return f"{forms.got(text, move)}; it must be {forms.in_words(best)}: {why}"


best_move: Property = exact(PLAYED, _MOVE, _not_best, "{n} states; any best move counts")
"""The move with the highest probability of winning, any one of equals; None without a move."""


def _best_moves(mine: Mine, word: str, *, form: Form[dict[Node, AnyValue]]) -> str:
    """The table has the best move of each box and roll; the unreached box may be missing."""
    table = ask(mine, word, form)
    cases = [
        (box, roll)
        for box, roll in PLAYED
        if (box, roll) in table or (box != _UNREACHED and workshop.possible_moves(box, roll))
    ]
    calls.check_cases(mine.with_table(word, table), word, cases, _MOVE, _not_best)
    return "all boxes and rolls; any best move counts"


def _levers_in(text: str) -> Box:
    """The levers whose digits are in a text."""
    return frozenset(int(mark) for mark in text if mark.isdigit())


_DIGITS = Form(TEXT.text, lambda value: _levers_in(TEXT.read(value)))
_SAME_DIGITS = same(lambda box: box, lambda *_: "the digits in it must be the levers that are up")
box_to_str: Property = exact([(box,) for box in BY_SIZE], _DIGITS, _SAME_DIGITS, "all {n} boxes")
"""A text in which the digits are the levers that are up."""


def _rows(value: AnyValue) -> dict[Node, Box | None]:
    """The moves of each box and roll. A cell with an x is no move, any other one a box.

    A heading with the rolls is left out.
    """
    moves: dict[Node, Box | None] = {}
    rows = [line.split("\t") for line in value.splitlines()]
    heading = [[str(roll)] for roll in ROLLS]
    rows = [row for row in rows if [re.findall(r"\d+", cell) for cell in row[1:]] != heading]
    shut = ["", *(text.strip() for text, *_ in rows if not _levers_in(text))]
    for text, *cells in rows:
        if ((box := _levers_in(text)), 2) in moves:
            raise Wrong(f"It has two lines for {levers(box)}.")
        for roll, cell in zip(ROLLS, cells, strict=True):
            moves[box, roll] = None if "x" in cell.lower() else _levers_in(cell)
            if not _levers_in(cell) and cell.strip() not in shut and moves[box, roll] is not None:
                raise ValueError  # another sign for no move
    return moves


LINES = Form(
    "a line for each box: the box and its best move for each of the 11 rolls, or x, with tabs "
    "between them",
    _rows,
)
best_move_table: Property = partial(_best_moves, form=_NODES)
"""The table maps each box and roll, as a pair, to the box that the best move leaves, or None."""
best_move_table_string: Property = partial(_best_moves, form=LINES)
"""The table is a text with a line for each box, and a best move for each roll."""
