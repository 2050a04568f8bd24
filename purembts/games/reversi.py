"""Reversi: a player puts a disc, and it turns over the other player's discs that it encloses.

A board has two numbers, one for each player, whose bits are the squares with that player's discs.
The square in column c of row r, counted from the top left, is bit r * (size + 1) + c. The bit after
the last column is never set, so that no line continues in the next row.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from purembts.chance import Rng, random
from purembts.checks import brief, checked_parts, whole_number
from purembts.display import (
    COLUMNS,
    PASSES,
    Codec,
    Display,
    Squares,
    all_squares,
    bits_of,
    board_lines,
    square_bit,
    square_name,
    squares_of,
    stones_in,
)
from purembts.game import Game, with_playout
from purembts.records import Scores


class Board(NamedTuple):
    """The discs of black, who begins, and of white; and the player to move, 0 for black."""

    black: int
    white: int
    player: int


class Rules(NamedTuple):
    """The size of the board."""

    size: int
    """The number of rows and of columns, an even number."""


def reversi(size: int = 8) -> Game[Board, None]:
    """The game on `size` by `size` squares, an even number.

    A player who cannot put a disc must pass, and the pass is a move. The game ends when both
    players cannot put a disc.

    >>> game = reversi()
    >>> [game.display.label(game.start, move) for move in game.moves(game.start, None)]
    ['d3', 'c4', 'f5', 'e6']
    """
    size = whole_number(size, "size", 4, len(COLUMNS))
    if size % 2:
        raise ValueError(f"`size` must be an even number; got {size}.")
    return _game(Rules(size))


def _start(size: int) -> Board:
    """The board with its first four discs, and black to move."""
    high, low = size // 2 - 1, size // 2
    black = square_bit(high, low, size) | square_bit(low, high, size)
    return Board(black, square_bit(high, high, size) | square_bit(low, low, size), 0)


@cache
def _game(rules: Rules) -> Game[Board, None]:
    """The game with `rules`, the same one at every call."""
    size = rules.size
    game = Game(
        moves=partial(_moves, size),
        result=_result,
        to_move=_to_move,
        name="Reversi",
        start=_start(size),
        rules=rules,
        display=Display(
            partial(_show, size),
            partial(_label, size),
            squares=partial(_board, size),
            typed_move=_typed_move,
            typed_position=partial(_typed_board, size),
            look="felt",
            about=_ABOUT,
        ),
        json=Codec(list, partial(_decode, size)),
    )
    return with_playout(game, _playout)


_ABOUT = (
    "Player 1 has the black discs, x, and player 2 the white ones, o. A new disc must close in "
    "discs of the other colour in a straight line, between itself and another disc of its colour. "
    "These discs change their colour. A player who can close in no disc must pass. When nobody "
    "can, the game ends. The player with more discs wins."
)
"""The rules for a person."""


def _number(bit: int) -> int:
    """The number of a bit, from 0."""
    return bit.bit_length() - 1


@cache
def _steps(size: int) -> tuple[int, ...]:
    """The distance between neighbouring bits in four directions; the other four are opposite."""
    return (1, size, size + 1, size + 2)


def _to_move(board: Board) -> int:
    return board.player


def _result(board: Board) -> Scores:
    """The player with more discs wins."""
    black, white = board.black.bit_count(), board.white.bit_count()
    if black == white:
        return (0.5, 0.5)
    return (1, 0) if black > white else (0, 1)


def _moves(size: int, board: Board, event: None = None) -> tuple[Board, ...]:  # noqa: ARG001
    """The boards after a disc on each square where one is allowed, or after a forced pass."""
    black, white, player = board
    discs, others = (white, black) if player else (black, white)
    squares = targets(size, discs, others)
    if squares:
        return tuple([_put(size, discs, others, player, bit) for bit in bits_of(squares)])
    if targets(size, others, discs):
        return (Board(black, white, 1 - player),)
    return ()


def targets(size: int, discs: int, others: int) -> int:
    """The free squares where a new disc beside `discs` turns over at least one of `others`."""
    free = all_squares(size, size) & ~(discs | others)
    squares = 0
    for step in _steps(size):
        # Rows of `others` that begin beside one of `discs`: at most size - 2 long.
        up, down = others & (discs << step), others & (discs >> step)
        for _ in range(size - 3):
            up |= others & (up << step)
            down |= others & (down >> step)
        squares |= (up << step) | (down >> step)
    return squares & free


def _put(size: int, discs: int, others: int, player: int, bit: int) -> Board:
    """The board after `player`, who has `discs`, has put one on `bit`.

    It turns over those of `others` between itself and one of `discs`.
    """
    flips = 0
    for step in _steps(size):
        line, square = 0, bit << step
        while square & others:
            line |= square
            square <<= step
        if square & discs:
            flips |= line
        line, square = 0, bit >> step
        while square & others:
            line |= square
            square >>= step
        if square & discs:
            flips |= line
    discs, others = discs | flips | bit, others ^ flips
    return Board(others, discs, 0) if player else Board(discs, others, 1)


# A playout of its own


@cache
def _wide(size: int) -> tuple[int, ...]:
    """The bits of each square on a wide board, by the square's number on the usual board.

    On the wide board each square has eight bits, one in each of eight lanes. In each lane, the
    squares come line after line along one of the eight directions, with a bit between two lines
    that is never set. So a step in any direction is a shift by one, and the carry of an addition
    runs to the end of a row of discs. The first lane is the usual board.
    """
    squares = [0] * (size * (size + 1))
    offset = 0
    for a, b in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for sign in (1, -1):
            along = sorted(
                (a * row + b * column, sign * (row * size + column), row * (size + 1) + column)
                for row in range(size)
                for column in range(size)
            )
            for (line, _, square), (before, _, _) in zip(along, [along[0], *along], strict=False):
                offset += line != before
                squares[square] |= 1 << offset
                offset += 1
            offset += 1
    return tuple(squares)


def _widened(size: int, discs: int) -> int:
    """`discs` on the wide board."""
    squares = _wide(size)
    return sum([squares[_number(bit)] for bit in bits_of(discs)])


@cache
def _between(size: int, square: int, end: int) -> int:
    """The wide discs between a square and the disc that has the bit `end`, along its lane."""
    squares = _wide(size)
    begin = 1 << _number(squares[square] & (end - 1))  # the square's bit in the lane of `end`
    between = end - 2 * begin
    return sum(eight for eight in squares if eight & between)


def _playout(game: Game[Board, None], board: Board, rng: Rng = random) -> Scores:
    """The result of a uniformly random game from `board`, played on the wide board of `_wide`.

    `game.plain_playout` specifies it: this has the same distribution, from other random numbers.
    Free squares are drawn without replacement until one is a move, so that each move is equally
    likely.
    """
    size = game.rules.size
    squares = _wide(size)
    draw = rng.random
    player = board.player
    taken = board.black | board.white
    free = [_number(bit) for bit in bits_of(all_squares(size, size) & ~taken)]
    discs, others = _widened(size, board[player]), _widened(size, board[1 - player])
    passed = False
    # At the head of the loop `discs` and `others` are the wide discs of `player`, who is to move,
    # and of the other player. `free` has the numbers of the free squares, and the first `untried`
    # of them have not been drawn in this turn.
    while True:
        # To each row of `others` that follows one of `discs`, its first bit is added. The carry
        # sets the bit after the row: a free square with such a bit is a move.
        row_ends = others + ((discs << 1) & others)
        untried = len(free)
        while untried:
            i = int(draw() * untried)
            square = free[i]
            eight = squares[square]
            if row_ends & eight:
                break
            untried -= 1
            free[i] = free[untried]
            free[untried] = square
        else:
            if passed:
                break
            passed = True
            discs, others, player = others, discs, 1 - player
            continue
        passed = False
        free[i] = free[-1]
        free.pop()
        # The same carry from the new disc ends on one of `discs` where a row is enclosed.
        flips, ends = eight, (others + ((eight << 1) & others)) & discs
        while ends:
            end = ends & -ends
            flips |= _between(size, square, end)
            ends ^= end
        discs, others, player = others & ~flips, discs | flips, 1 - player
    black, white = (others, discs) if player else (discs, others)
    everything = all_squares(size, size)
    return _result(Board(black & everything, white & everything, 0))


# Text for people, and JSON


def _show(size: int, board: Board) -> str:
    """The board with its coordinates, x for black and o for white; the discs, and the mover."""
    *rows, columns = board_lines(_board(size, board))
    return "\n".join([columns, *rows, f"   {_note(size, board, 'xo')}"])


def _board(size: int, board: Board) -> Squares:
    """The squares of the board with its coordinates; the first row is at the top."""
    return squares_of(board, size, range(size), _note(size, board, ("black", "white")))


def _note(size: int, board: Board, sides: Sequence[str]) -> str:
    """The number of discs of each side, and the side to move."""
    discs = f"{sides[0]} {board.black.bit_count()}, {sides[1]} {board.white.bit_count()}"
    return f"{discs}; {sides[board.player]} to move" if _moves(size, board) else discs


def _label(size: int, before: Board, after: Board) -> str:
    """The square of the new disc, a letter for its column and a number for its row; or pass."""
    put = (after.black | after.white) & ~(before.black | before.white)
    return square_name(put, size) if put else "pass"


def _typed_move(board: Board, text: str) -> str:  # noqa: ARG001
    """`text`, or `pass` for one of `PASSES`."""
    return "pass" if text.strip().lower() in PASSES else text


def _typed_board(size: int, text: str) -> Board:
    """The board that a person drew, with the side to move after it; or a ValueError."""
    black, white, player = stones_in(text, size, range(size))
    board = Board(black, white, player or 0)
    if player is None and _moves(size, board):
        right = "The side to move must stand after the board, x for black or o for white"
        raise ValueError(f"{right}; got {brief(text)}.")
    return board


def _decode(size: int, value: Any) -> Board:  # noqa: ANN401
    """The board with the discs and the player in `value`, or a ValueError if there is none."""
    right = "A board must be a list of three whole numbers: the discs of black, those of white, "
    black, white, player = checked_parts(value, (int, int, int), f"{right}and the player")
    if black & white or (black | white) & ~all_squares(size, size) or player not in (0, 1):
        raise ValueError(
            "A board must have each disc on a square of its own, and player 0 or 1 to move; "
            f"got {brief(value)}."
        )
    return Board(black, white, player)
