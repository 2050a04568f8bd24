"""m,n,k-games: two players put stones on a board of m columns and n rows, and k in a row win.

Tic-tac-toe is `mnk(3, 3, 3)`, and gomoku is `mnk(15, 15, 5)`. A board has two numbers, one for each
player, whose bits are the squares with that player's stones. The square in column c of row r is bit
r * (m + 1) + c. The bit after the last column is never set, so that no line continues in the next
row.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import Any, NamedTuple

from purembts.chance import Rng, random
from purembts.checks import brief, checked_parts, true_or_false, whole_number
from purembts.display import (
    COLUMNS,
    Codec,
    Display,
    Squares,
    all_squares,
    bits_of,
    board_lines,
    square_name,
    squares_of,
    stones_in,
)
from purembts.game import Game, with_playout
from purembts.records import Scores


class Board(NamedTuple):
    """The stones of the player who began, and those of the other player, as bits."""

    first: int = 0
    second: int = 0


class Rules(NamedTuple):
    """The size of the board, and the row that wins on it."""

    columns: int
    """The number of columns of the board."""
    rows: int
    """The number of rows of the board."""
    in_a_row: int
    """The number of stones in a row that wins."""
    exactly: bool
    """A row of more stones does not win."""


def mnk(columns: int, rows: int, in_a_row: int, *, exactly: bool = False) -> Game[Board, None]:
    """The game of `in_a_row` stones on a board of `columns` by `rows`; it begins with `Board()`.

    With `exactly`, a longer row does not win.

    >>> tic_tac_toe = mnk(3, 3, 3)
    >>> len(tic_tac_toe.moves(Board(), None))
    9
    """
    columns = whole_number(columns, "columns", 1, len(COLUMNS))
    rows = whole_number(rows, "rows", 1, len(COLUMNS))
    in_a_row = whole_number(in_a_row, "in_a_row", 1, max(columns, rows))
    true_or_false(exactly, "exactly")
    return _game(Rules(columns, rows, in_a_row, exactly))


_NAMES = {Rules(3, 3, 3, False): "Tic-tac-toe", Rules(15, 15, 5, False): "Gomoku"}
"""The games that have a name of their own."""


@cache
def _game(rules: Rules) -> Game[Board, None]:
    """The game with `rules`, the same one at every call."""
    game = Game(
        moves=partial(_moves, rules),
        result=partial(_result, rules),
        to_move=_to_move,
        name=_NAMES.get(rules, "m,n,k-game"),
        start=Board(),
        rules=rules,
        display=Display(
            partial(_show, rules),
            partial(_label, rules),
            squares=partial(_board, rules),
            typed_position=partial(_typed_board, rules),
            look="crosses" if rules.columns * rules.rows <= _FEW else "goban",
            about=_about(rules),
        ),
        json=Codec(list, partial(_decode, rules)),
        is_small=rules.columns * rules.rows <= _FEW,
    )
    return game if game.is_small or rules.exactly else with_playout(game, _playout)


def _about(rules: Rules) -> str:
    """The rules for a person."""
    k = rules.in_a_row
    more = f" More than {k} in a row are no win." if rules.exactly else ""
    return (
        "Two players fill one empty square each in turn: player 1 with x, or black, and player 2 "
        f"with o, or white. The first with {k} in a row wins: across, up or "
        f"diagonally.{more} If the board is full before that, it is a draw."
    )


def _to_move(board: Board) -> int:
    """The player with fewer stones; the first player if both have the same number."""
    return (board.first | board.second).bit_count() % 2


_FEW = 9
"""Boards of at most this number of squares have so few positions that all of them are kept."""


def _moves(rules: Rules, board: Board, event: None = None) -> tuple[Board, ...]:  # noqa: ARG001
    """The boards after a stone on each free square; none once the last stone has won."""
    first, second = board
    taken = first | second
    if taken.bit_count() % 2:
        if _wins(rules, first):
            return ()
        return tuple(
            [_new_board((first, second | bit)) for bit in _squares(rules) if not bit & taken]
        )
    if _wins(rules, second):
        return ()
    return tuple([_new_board((first | bit, second)) for bit in _squares(rules) if not bit & taken])


_new_board: Callable[[tuple[int, int]], Board] = partial(tuple.__new__, Board)
"""The board of two sides; a call of `Board` takes twice as long."""


def _result(rules: Rules, board: Board) -> Scores:
    if _wins(rules, board.first):
        return (1, 0)
    return (0, 1) if _wins(rules, board.second) else (0.5, 0.5)


@cache
def _squares(rules: Rules) -> tuple[int, ...]:
    """The bits of the squares, row by row."""
    return tuple(bits_of(all_squares(rules.columns, rules.rows)))


@cache
def _directions(rules: Rules) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The four directions of a line: a row, a column and both diagonals.

    Each is the distance of neighbouring squares, and the shifts that find rows in that direction.
    Intersecting the stones with themselves after each shift leaves the first stone of each row of
    `in_a_row` stones. Each shift doubles the length of the rows that are found, up to
    `in_a_row`.
    """
    row, lengths = rules.columns + 1, [1]
    while lengths[-1] < rules.in_a_row:
        lengths.append(min(2 * lengths[-1], rules.in_a_row))
    return tuple(
        (step, tuple((after - before) * step for before, after in pairwise(lengths)))
        for step in (1, row, row - 1, row + 1)
    )


def _wins(rules: Rules, stones: int) -> bool:
    """True if `stones` have a row that wins, in any direction."""
    for step, shifts in _directions(rules):
        # The first stones of all rows that are long enough. A longer row has several first stones.
        begins = stones
        for shift in shifts:
            begins &= begins >> shift
        if begins and rules.exactly:
            # Keep only the rows with no stone before the first and none after the last.
            begins &= ~(stones << step) & ~(stones >> (rules.in_a_row * step))
        if begins:
            return True
    return False


# A playout of its own


def _playout(game: Game[Board, None], board: Board, rng: Rng = random) -> Scores:
    """The result of a uniformly random game from `board`, where `exactly` is False.

    `game.plain_playout` specifies it: this has the same distribution, from other random numbers.
    The free squares are filled in random order, one block of them at a time. A row that wins stays
    on the board. So after the first block with such a row, bisection finds the stone that won. With
    `exactly`, a later stone could spoil the row.
    """
    rules: Rules = game.rules
    taken = board.first | board.second
    free = [bit for bit in _squares(rules) if not bit & taken]
    mover = taken.bit_count() % 2
    sides = [board[mover], board[1 - mover]]
    if _wins(rules, sides[1]):
        return _result(rules, board)
    # At the head of the loop no row has won, and `sides` are the stones of the player to move and
    # of the other player. After a block the same player is to move, because each block but the last
    # has an even number of stones.
    while free:
        block = _random_block(free, _BLOCK, rng)
        after = [sides[0] | sum(block[::2]), sides[1] | sum(block[1::2])]
        if _wins(rules, after[0]) or _wins(rules, after[1]):
            stones = _stones_until_win(rules, sides, block)
            return (1, 0) if (stones + mover) % 2 else (0, 1)
        sides = after
    return (0.5, 0.5)


_BLOCK = 32
"""The number of stones in a block, after which the board is searched for a row: an even number."""


def _random_block(free: list[int], count: int, rng: Rng) -> list[int]:
    """`count` of `free` in random order, or all if there are fewer; they are removed from it."""
    draw, block = rng.random, []
    for n in range(len(free), max(0, len(free) - count), -1):
        i = int(draw() * n)
        block.append(free[i])
        free[i] = free[n - 1]
    del free[len(free) - len(block) :]
    return block


def _stones_until_win(rules: Rules, sides: Sequence[int], block: Sequence[int]) -> int:
    """The number of stones of `block`, put by both sides in turn, after which a row has won."""

    def is_won(stones: int) -> bool:
        return any(_wins(rules, sides[who] | sum(block[who:stones:2])) for who in (0, 1))

    return bisect_left(range(len(block)), True, key=is_won)


# Text for people, and JSON


def _show(rules: Rules, board: Board) -> str:
    """The board with its coordinates, x for the player who began and o for the other player."""
    return "\n".join(board_lines(_board(rules, board)))


def _board(rules: Rules, board: Board) -> Squares:
    """The squares of the board with its coordinates; the first row is at the bottom."""
    line = _line(rules, board)
    is_full = (board.first | board.second).bit_count() == rules.columns * rules.rows
    sides = ("x", "o") if rules.columns * rules.rows <= _FEW else ("black", "white")
    note = "" if line or is_full else f"{sides[_to_move(board)]} to move"
    return squares_of(board, rules.columns, range(rules.rows)[::-1], note, line)


def _line(rules: Rules, board: Board) -> tuple[tuple[int, int], ...]:
    """The squares of the row that won, with rows counted from the top; () without a winner."""
    k = rules.in_a_row
    for stones in (side for side in board if _wins(rules, side)):
        for first in _squares(rules):
            for step, _ in _directions(rules):
                line = [first << (i * step) for i in range(k)]
                ends = (first >> step) | (first << (k * step)) if rules.exactly else 0
                if all(stones & bit for bit in line) and not stones & ends:
                    places = (divmod(bit.bit_length() - 1, rules.columns + 1) for bit in line)
                    return tuple((rules.rows - 1 - row, column) for row, column in places)
    return ()


def _label(rules: Rules, before: Board, after: Board) -> str:
    """The square of the new stone: a letter for its column, and a number for its row."""
    put = (before.first ^ after.first) | (before.second ^ after.second)
    return square_name(put, rules.columns)


def _typed_board(rules: Rules, text: str) -> Board:
    """The board that a person drew with x, o and dots, or a ValueError."""
    first, second, player = stones_in(text, rules.columns, range(rules.rows)[::-1])
    board = Board(first, second)
    got = f"x {first.bit_count()}, o {second.bit_count()}"
    if first.bit_count() - second.bit_count() not in (0, 1):
        raise ValueError(f"x must have as many stones as o, or one more; got {got}.")
    if player not in (None, _to_move(board)):
        right = "x" if player else "o"
        raise ValueError(f"The side to move must be {right} after {got}; got {'xo'[player]}.")
    return board


def _decode(rules: Rules, value: Any) -> Board:  # noqa: ANN401
    """The board with the stones in `value`, or a ValueError if there is no such board."""
    right = "A board must be a list of two whole numbers, the stones of each player"
    first, second = checked_parts(value, (int, int), right)
    is_off = (first | second) & ~all_squares(rules.columns, rules.rows)
    if first & second or is_off or first.bit_count() - second.bit_count() not in (0, 1):
        raise ValueError(
            "A board must have each stone on a square of its own, and the players must have put "
            f"them in turn; got {brief(value)}."
        )
    return Board(first, second)


tic_tac_toe: Game[Board, None] = mnk(3, 3, 3)
"""Three in a row on three by three squares."""
gomoku: Game[Board, None] = mnk(15, 15, 5)
"""Five in a row on fifteen by fifteen squares; a longer row wins as well."""
