"""m,n,k-games: two players put stones on a board of m columns and n rows, k in a row wins.

Tic-tac-toe is `mnk(3, 3, 3)`, gomoku `mnk(15, 15, 5)`. A board is two numbers, whose bits are the
squares of either player: the square in column c of row r is bit r * (m + 1) + c. The bit after the
last column is never set, so that no row goes on in the next.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import Any, NamedTuple

from purembts.chance import Rng
from purembts.checks import at_least_one, brief
from purembts.game import Codec, DefaultPolicy, Display, Game
from purembts.records import Scores

COLUMNS = "abcdefghijklmnopqrstuvwxyz"


class Board(NamedTuple):
    """The squares of the player who began, and those of the other, as bits."""

    first: int = 0
    second: int = 0


class Rules(NamedTuple):
    """A size of the board, and what wins on it."""

    columns: int
    rows: int
    in_a_row: int
    exactly: bool
    """Whether more than so many in a row do not win."""


def mnk(columns: int, rows: int, in_a_row: int, *, exactly: bool = False) -> Game[Board, None]:
    """The game of `in_a_row` on so many columns and rows; it begins with `Board()`.

    With `exactly`, a longer row does not win.

    >>> tic_tac_toe = mnk(3, 3, 3)
    >>> len(tic_tac_toe.moves(Board(), None))
    9
    """
    at_least_one(columns, "columns")
    at_least_one(rows, "rows")
    at_least_one(in_a_row, "in_a_row")
    if max(columns, rows) > len(COLUMNS):
        raise ValueError(
            f"The board is {brief(columns)} by {brief(rows)}; it has to be {len(COLUMNS)} by "
            f"{len(COLUMNS)} at most."
        )
    if in_a_row > max(columns, rows):
        raise ValueError(
            f"{brief(in_a_row)} in a row do not fit on a board of {columns} by {rows}; "
            f"at most {max(columns, rows)} do."
        )
    return _game(Rules(columns, rows, in_a_row, exactly))


@cache
def _game(rules: Rules) -> Game[Board, None]:
    return Game(
        moves=partial(_moves_of(rules), rules),
        result=partial(_result, rules),
        to_move=_to_move,
        name="m,n,k-game",
        start=Board(),
        rules=rules,
        display=Display(partial(_show, rules), partial(_label, rules)),
        json=Codec(list, partial(_decode, rules)),
        playout=_playout_of(rules),
    )


def _playout_of(rules: Rules) -> DefaultPolicy[Board, None] | None:
    """The fastest way there is to play a random game; None for the plain one."""
    if rules.columns * rules.rows <= _FEW:
        return _playout_on_few
    return None if rules.exactly else playout


def _to_move(board: Board) -> int:
    """Whoever has put fewer stones, the first player if both have as many."""
    return (board.first | board.second).bit_count() % 2


def _moves_of(rules: Rules) -> Callable[[Rules, Board, None], tuple[Board, ...]]:
    """The fastest way there is to find the moves."""
    return _known_moves if rules.columns * rules.rows <= _FEW else _moves


def _known_moves(rules: Rules, board: Board, event: None) -> tuple[Board, ...]:  # noqa: ARG001
    """What `_moves` returns, remembered."""
    return _known(rules, board).moves


_FEW = 9
"""With so many squares, all positions that there are can be remembered."""


class _Known:
    """What is remembered of a board, and of the boards after its moves once it was asked for."""

    __slots__ = ("after", "moves", "result")

    def __init__(self, rules: Rules, board: Board) -> None:
        self.moves = _moves(rules, board)
        self.result: Scores = () if self.moves else _result(rules, board)
        self.after: list[_Known] = []

    def link(self, rules: Rules) -> list[_Known]:
        self.after = [_known(rules, move) for move in self.moves]
        return self.after


_known = cache(_Known)


def _moves(rules: Rules, board: Board, event: None = None) -> tuple[Board, ...]:  # noqa: ARG001
    """A stone on any free square, unless whoever moved last has won."""
    first, second = board
    taken = first | second
    if taken.bit_count() % 2:
        if _wins(rules, first):
            return ()
        return tuple([Board(first, second | bit) for bit in _squares(rules) if not bit & taken])
    if _wins(rules, second):
        return ()
    return tuple([Board(first | bit, second) for bit in _squares(rules) if not bit & taken])


def _result(rules: Rules, board: Board) -> Scores:
    if _wins(rules, board.first):
        return (1, 0)
    return (0, 1) if _wins(rules, board.second) else (0.5, 0.5)


@cache
def _squares(rules: Rules) -> tuple[int, ...]:
    """The bits of the squares, row by row."""
    return tuple(
        1 << row * (rules.columns + 1) + column
        for row in range(rules.rows)
        for column in range(rules.columns)
    )


@cache
def _directions(rules: Rules) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """How far the next square of a line is: along a row, a column, and both diagonals.

    And with each how far to shift again and again, so that of a row of enough stones its begin is
    left.
    """
    row, lengths = rules.columns + 1, [1]
    while lengths[-1] < rules.in_a_row:
        lengths.append(min(2 * lengths[-1], rules.in_a_row))
    return tuple(
        (step, tuple((after - before) * step for before, after in pairwise(lengths)))
        for step in (1, row, row - 1, row + 1)
    )


def _wins(rules: Rules, stones: int) -> bool:
    """Whether `stones` have enough in a row, in any direction."""
    for step, shifts in _directions(rules):
        begins = stones
        for shift in shifts:
            begins &= begins >> shift
        if begins and rules.exactly:
            begins &= ~(stones << step) & ~(stones >> rules.in_a_row * step)
        if begins:
            return True
    return False


# A playout of its own


def _playout_on_few(game: Game[Board, None], board: Board, rng: Rng = random) -> Scores:
    """What `plain_playout` returns, with the same draws, from moves that are remembered."""
    draw = rng.random
    known = _known(game.rules, board)
    while ways := len(known.moves):
        after = known.after or known.link(game.rules)
        known = after[int(draw() * ways)] if ways > 1 else after[0]
    return known.result


def playout(game: Game[Board, None], board: Board, rng: Rng = random) -> Scores:
    """How a game from `board` ends in which every choice is uniformly random.

    It has the law of `plain_playout`: the free squares are taken in a random order, a block of them
    at a time, and as whoever has won keeps the row, the stone that won is found by bisection in the
    first block after which somebody has won. It is not for `exactly`, where a row may be spoilt
    later.
    """
    rules: Rules = game.rules
    taken = board.first | board.second
    free = [bit for bit in _squares(rules) if not bit & taken]
    mover = taken.bit_count() % 2
    sides = [board[mover], board[1 - mover]]
    if _wins(rules, sides[1]):
        return _result(rules, board)
    while free:
        block = _drawn(free, _BLOCK, rng)
        after = [sides[0] | sum(block[::2]), sides[1] | sum(block[1::2])]
        if _wins(rules, after[0]) or _wins(rules, after[1]):
            stones = _until_won(rules, sides, block)
            return ((0, 1), (1, 0))[(stones + mover) % 2]
        sides = after
    return (0.5, 0.5)


_BLOCK = 32
"""How many stones are put before somebody looks who has won: an even number."""


def _drawn(free: list[int], count: int, rng: Rng) -> list[int]:
    """So many of `free` in random order, taken away from it; all where there are fewer."""
    draw, block = rng.random, []
    for left in range(len(free), max(0, len(free) - count), -1):
        i = int(draw() * left)
        block.append(free[i])
        free[i] = free[left - 1]
    del free[len(free) - len(block) :]
    return block


def _until_won(rules: Rules, sides: Sequence[int], block: Sequence[int]) -> int:
    """After how many stones of `block`, put by both sides in turn, somebody has won."""

    def won(stones: int) -> bool:
        return any(_wins(rules, sides[who] | sum(block[who:stones:2])) for who in (0, 1))

    return bisect_left(range(len(block)), True, key=won)


# What a person reads and types


def _show(rules: Rules, board: Board) -> str:
    """The board with its coordinates; x for the player who began, o for the other."""
    lines = [
        f"{row + 1:>2} "
        + " ".join(_stone(rules, board, row, column) for column in range(rules.columns))
        for row in reversed(range(rules.rows))
    ]
    return "\n".join([*lines, "   " + " ".join(COLUMNS[: rules.columns])])


def _stone(rules: Rules, board: Board, row: int, column: int) -> str:
    bit = 1 << row * (rules.columns + 1) + column
    return "x" if board.first & bit else "o" if board.second & bit else "."


def _label(rules: Rules, before: Board, after: Board) -> str:
    """The square that was taken: a letter for its column, a number for its row."""
    put = (before.first ^ after.first) | (before.second ^ after.second)
    row, column = divmod(put.bit_length() - 1, rules.columns + 1)
    return f"{COLUMNS[column]}{row + 1}"


def _decode(rules: Rules, value: Any) -> Board:  # noqa: ANN401
    if not isinstance(value, list) or [type(stones) for stones in value] != [int, int]:
        raise ValueError(f"{brief(value)} is not a board, a list of the stones of both players.")
    first, second = value
    ahead = first.bit_count() - second.bit_count()
    if first & second or (first | second) & ~sum(_squares(rules)) or ahead not in (0, 1):
        raise ValueError(
            f"{brief(value)} has stones off the board, on one another, or out of turn."
        )
    return Board(first, second)


tic_tac_toe: Game[Board, None] = mnk(3, 3, 3)
"""Three in a row on three by three squares."""
gomoku: Game[Board, None] = mnk(15, 15, 5)
"""Five in a row on fifteen by fifteen squares; more win as well."""
