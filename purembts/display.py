"""A game for people and files: texts, boards, views of hidden information, and JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, product, repeat
from math import floor, isfinite, log10
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from purembts.chance import Rng
from purembts.checks import brief

S = TypeVar("S", bound=Hashable)
"""A position of a game."""


Square: TypeAlias = tuple[int, int]
"""A row and a column, from 0."""


class Squares(NamedTuple):
    """A board, for terminals and pictures."""

    rows: tuple[tuple[str, ...], ...]
    """The rows from the top. Each square is a short text, `x` and `o` for discs, "" if empty."""
    columns: tuple[str, ...] = ()
    """The names of the columns; () if they have none."""
    names: tuple[str, ...] = ()
    """The names of the rows; () if they have none."""
    note: str = ""
    """A line below the board, for example the number of discs of each player."""
    line: tuple[Square, ...] = ()
    """The squares of the line that won; () if there is none."""


def new_squares(before: Squares, after: Squares) -> tuple[Square, ...]:
    """The squares that were empty and are filled now; if there are none, those that changed.

    >>> new_squares(Squares((("x", ""), ("", "o"))), Squares((("x", ""), ("x", "x"))))
    ((1, 0),)
    >>> new_squares(Squares((("1", "2", "3"),)), Squares((("", "2", ""),)))
    ((0, 0), (0, 2))
    """
    rows = zip(chain(before.rows, repeat(())), after.rows, strict=False)
    new = [
        ((i, j), was, text)
        for i, (old, row) in enumerate(rows)
        if old != row  # a heat map asks for every move of a large board
        for j, (was, text) in enumerate(zip(chain(old, repeat("")), row, strict=False))
        if was != text
    ]
    return tuple(at for at, was, text in new if text and not was) or tuple(at for at, *_ in new)


def one_line(text: str) -> str:
    """`text` with its lines side by side."""
    return " / ".join(text.splitlines())


def cut(text: str, most: int) -> str:
    """`text` on one line, cut to at most `most` characters.

    >>> cut("take 1", 6), cut("take 12", 6)
    ('take 1', 'take …')
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _text_after(before: S, after: S) -> str:  # noqa: ARG001
    return one_line(str(after))


def _draw(event: Any) -> str:  # noqa: ANN401
    return f"draw {event}"


def _as_typed(state: S, text: str) -> str:  # noqa: ARG001
    return text


def _no_reason(state: S, event: Any, text: str) -> str:  # noqa: ANN401, ARG001
    return ""


class Display(NamedTuple, Generic[S]):
    """The texts that a person reads and types.

    Every surface is made of them: the terminal, the notebook and the pictures. If the game has
    hidden information, `show`, `label` and `typed_move` get views as well as positions.
    """

    show: Callable[[S], str] = str
    """The text of a position."""
    label: Callable[[S, S], str] = _text_after
    """The name of a move, from the position before it and the position after it."""
    short: Callable[[S], str] | None = None
    """A position in a few characters, for tables and trees; None if it takes more than a line."""
    event: Callable[[Any], str] = _draw
    """The words for an event of chance, for example `roll 9`."""
    squares: Callable[[S], Squares] | None = None
    """The squares of a board; None if a position has no board."""
    typed_move: Callable[[S, str], str] = _as_typed
    """The label that a person means by a text; a ValueError says why there is no such move."""
    why_not: Callable[[S, Any, str], str] = _no_reason
    """The reason why a text names no move after an event, as a sentence; "" to list the moves."""
    typed_position: Callable[[str], S] | None = None
    """The position that a person means by a text; a ValueError if there is none."""
    dice: Callable[[S, int], tuple[int, ...]] | None = None
    """The faces of the dice at a position, for event i of `chances`; None without dice."""
    look: str = ""
    """The look of a picture: `felt`, `goban`, `tray`, `crosses`, `cards`, `coins`; plain if ""."""
    about: str = ""
    """The rules in some sentences, for a person who does not know the game."""


class Codec(NamedTuple, Generic[S]):
    """The functions from a position to a JSON value and back. Trees in files need them."""

    encode: Callable[[S], Any]
    """The JSON value of a position; different positions have different values."""
    decode: Callable[[Any], S]
    """The position with this JSON value; a ValueError if no position has it."""


class Hidden(NamedTuple, Generic[S]):
    """The information that a game hides from its players.

    The moves of a player look alike in all worlds of the view. So to reveal a card is a move of its
    own, by a player who knows the card.
    """

    view: Callable[[S, int], Any]
    """The part of a position that a player may know."""
    worlds: Callable[[Any, Rng], Iterator[S]]
    """Positions that fit a player's view, drawn without end, each of them equally likely."""
    json: Codec[Any] | None = None
    """The functions from a view to a JSON value and back. Trees of views in files need them."""


# Boards with stones of two players, each a number whose bits are the squares with that player's
# stones. The square in column c of row r is bit r * (width + 1) + c.

COLUMNS = "abcdefghijklmnopqrstuvwxyz"
"""The names of the columns, from the left; a board has at most 26."""
PASSES = ("pass", "pa", "ps", "p", "--")
"""The texts that people type for the move `pass`."""
_SIGNS = {sign: n for n, signs in enumerate((".-_·", "xX*bB●", "oOwW○")) for sign in signs}
"""The signs of empty squares, and of the stones of both players."""
_AFTER = (
    r"(?is)(?:\s+(?:x|black) \d+, (?:o|white) \d+;?)?"
    r"(?:\s+([xbow*●○]|black|white)(?: to (?:move|play))?)?\s*(?:;.*)?"
)
"""The text after a board: the numbers of stones, the side to move, and more after a semicolon."""


def square_bit(row: int, column: int, width: int) -> int:
    """The bit of the square in `column` of `row`."""
    return 1 << (row * (width + 1) + column)


@cache
def all_squares(width: int, rows: int) -> int:
    """The bits of all squares of a board."""
    return sum(((1 << width) - 1) << (row * (width + 1)) for row in range(rows))


def bits_of(squares: int) -> Iterator[int]:
    """Each bit of `squares`, the lowest first."""
    while squares:
        bit = squares & -squares
        yield bit
        squares ^= bit


def square_name(bit: int, width: int) -> str:
    """The name of the square with this bit.

    >>> square_name(1 << 5, width=3)
    'b2'
    """
    row, column = divmod(bit.bit_length() - 1, width + 1)
    return f"{COLUMNS[column]}{row + 1}"


def squares_of(
    stones: Sequence[int],
    width: int,
    rows: Sequence[int],
    note: str = "",
    line: tuple[Square, ...] = (),
) -> Squares:
    """The board with x for the first of `stones` and o for the second; `rows` are from the top."""
    first, second = stones[:2]

    def stone(bit: int) -> str:
        if first & bit:
            return "x"
        return "o" if second & bit else ""

    places = [[square_bit(row, column, width) for column in range(width)] for row in rows]
    squares = tuple(tuple(map(stone, bits)) for bits in places)
    return Squares(squares, tuple(COLUMNS[:width]), tuple(str(row + 1) for row in rows), note, line)


def board_lines(squares: Squares) -> list[str]:
    """The lines of a board as text: its rows with their names, and the names of its columns."""
    rows = zip(squares.names, squares.rows, strict=True)
    lines = [f"{name:>2} {' '.join(stone or '.' for stone in row)}" for name, row in rows]
    return [*lines, f"   {' '.join(squares.columns)}"]


def stones_in(text: str, width: int, rows: Sequence[int]) -> tuple[int, int, int | None]:
    """The stones of both players on a board in `text`, and the player to move; None if unknown.

    Coordinates may be left out. A ValueError names the place where there is no such board.

    >>> stones_in("xo./.x./... o", 3, range(3))
    (33, 2, 1)
    """
    names, signs = rf"\b{' ?'.join(COLUMNS[:width])}\b|[()]", re.escape("".join(_SIGNS))
    rest = re.sub(names, lambda part: " " * len(part[0]), text)
    # Blanks are between the rows alone, or else between the squares.
    blanks = "" if re.match(rf"[^{signs}]*[{signs}]{{2}}", rest) else r"[^\S\n]*"
    stones = [0, 0, 0]
    for row, column in product(rows, range(width)):
        before = blanks if column else rf"(?:[\s/]|{row + 1}(?!\d))*"
        rest = re.sub(f"^{before}", "", rest)
        if rest[:1] not in _SIGNS:
            place = f"{COLUMNS[column]}{row + 1} of a board with {width} columns, at character"
            right = f"Square {place} {len(text) - len(rest) + 1}, must be x, o or ."
            raise ValueError(f"{right}; got {brief(rest[:1])}.")
        stones[_SIGNS[rest[0]]] |= square_bit(row, column, width)
        rest = rest[1:]
    if (match := re.fullmatch(_AFTER, rest)) is None:
        right = "A board may have a blank and the side to move after its last square, x or o"
        raise ValueError(f"{right}; got {brief(rest.strip())}.")
    return stones[1], stones[2], _SIGNS[match[1][0]] - 1 if match[1] else None


# Numbers


def digits_of(score_range: tuple[float, float]) -> int:
    """The digits after the point for scores in this range.

    >>> digits_of((0, 1)), digits_of((-39, 117)), digits_of((0, 1_000_000))
    (4, 2, 0)
    """
    return max(0, 4 - floor(log10(score_range[1] - score_range[0])))


def number(value: Fraction | float | None, digits: int = 4) -> str:
    """`value` with `digits` after the point; "" for None and for infinity."""
    return "" if value is None or not isfinite(value) else f"{float(value):z.{digits}f}"


def span(interval: tuple[float, float] | None, digits: int = 4) -> str:
    """An interval in words; "" for None."""
    return "" if interval is None else " to ".join(number(end, digits) for end in interval)


def counted(n: int, noun: str) -> str:
    """`n` with `noun`, in the plural unless `n` is 1.

    >>> counted(1, "dart"), counted(2000, "dart")
    ('1 dart', '2,000 darts')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
