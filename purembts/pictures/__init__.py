"""Pictures: a position, the moves of a report, the top of a search tree, a game, a chart.

Each function returns a `Picture`: SVG text with a title and a text alternative. A notebook shows
it. The numbers are those of the report or of the tree. No picture knows a game: positions are drawn
from the `squares` or the `show` of the game's own `display`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from purembts.display import Squares, number
from purembts.game import Game, S
from purembts.pictures.bars import moves, row_facts
from purembts.pictures.boards import (
    Look,
    Square,
    Tint,
    board,
    changed,
    drawing_of,
    rows_of_drawings,
    scale,
    squares_of,
)
from purembts.pictures.charts import Chart, Level, Line, chart
from purembts.pictures.svg import Drawing, Picture, cut, element, lines_of, picture, stacked
from purembts.pictures.trees import tree
from purembts.report import Report, Row, believed, is_backed_up_mean

__all__ = [
    "Chart",
    "Level",
    "Line",
    "Picture",
    "chart",
    "moves",
    "position",
    "strip",
    "tree",
]


def __dir__() -> list[str]:
    """The names of the pictures, without those that are imported."""
    return __all__


def look(game: Game[S, Any], state: S) -> Look:
    """The squares and the text of a position."""
    squares = game.display.squares
    return Look(squares(state) if squares else None, game.display.show(state))


# A position


def position(
    game: Game[S, Any], state: S, *, before: S | None = None, known: Report | None = None
) -> Picture:
    """The position, with the move from `before` marked, and a heat map of the report `known`.

    The square of a move has its mean and its visits. Its tint is the mean relative to the other
    moves. A move that is certain has its worth in the place of the mean, and the word in the place
    of the visits. A square of several moves has the numbers of the best one.

    >>> from purembts.games.mnk import Board, tic_tac_toe
    >>> drawn = position(tic_tac_toe, Board(1, 0), before=tic_tac_toe.start)
    >>> drawn.title
    'Tic-tac-toe after a1'
    """
    now, old = look(game, state), None if before is None else look(game, before)
    title = (
        game.name if before is None else f"{game.name} after {game.display.label(before, state)}"
    )
    places = _places(game, known)
    if now.squares and known:
        marked = changed(old.squares, now.squares) if old and old.squares else ()
        drawing = board(now.squares, marked=marked, tints=_tints(known, places))
    else:
        drawing = drawing_of(now, old)
    parts = [drawing, *_below(known, places)] if known else [drawing]
    return picture(title, _text(now.text, known), stacked(parts))


def _text(text: str, known: Report | None) -> str:
    """The position as text, and its five moves of the most visits."""
    best = _most_visited(known.rows, 5) if known else []
    return "\n".join([text, *(f"{_in_words(row)}." for row in best)])


def _most_visited(rows: Sequence[Row], most: int) -> list[Row]:
    return sorted(rows, key=lambda row: -row.visits)[:most]


def _in_words(row: Row) -> str:
    """A move with its certain worth or its mean, and its visits, in words."""
    if row.mean is None and row.certain is None:
        return f"{row.label}: no visits"
    played = ", the move it would play" if row.learnt else ""
    visits = ", 1 visit" if row.visits == 1 else f", {row.visits:,} visits" if row.visits else ""
    kind = "mean" if row.certain is None else "certain"
    return f"{row.label}: {kind} {number(believed(row), 4)}{visits}{played}"


def _places(game: Game[S, Any], known: Report | None) -> list[tuple[Row, tuple[Square, ...]]]:
    """Each move of `known` with the squares that it fills or changes."""
    squares = game.display.squares
    if known is None:
        return []
    if squares is None:
        return [(row, ()) for row in known.rows]
    first: Squares = squares(known.turn.state)
    return [(row, changed(first, squares(row.move))) for row in known.rows]


def _tints(known: Report, places: Sequence[tuple[Row, tuple[Square, ...]]]) -> dict[Square, Tint]:
    """The tint of each square: that of the best move, where there are several."""
    tint = partial(_tint, _range(known), _digits(known))
    ranked = sorted(places, key=_rank)
    return {square: tint(row) for row, squares in ranked for square in squares}


def _rank(place: tuple[Row, tuple[Square, ...]]) -> tuple[bool, float]:
    seen = believed(place[0])
    return seen is not None, float(seen or 0)


def _range(known: Report) -> tuple[float, float]:
    """The worst and the best mean of the moves, or certain worth."""
    means = [float(seen) for row in known.rows if (seen := believed(row)) is not None]
    return min(means, default=0.0), max(means, default=0.0)


def _tint(ends: tuple[float, float], digits: int, row: Row) -> Tint:
    (low, high), heat, seen = ends, None, believed(row)
    if seen is not None:
        heat = (float(seen) - low) / (high - low) if high > low else 0.5
    return Tint(
        heat,
        "-" if seen is None else number(seen, digits),
        f"{row.visits:,}" if row.certain is None else "certain",
        _in_words(row),
        row.learnt,
        row_facts(row),
    )


def _digits(known: Report) -> int:
    """The digits after the point in a square: as few as show small means apart."""
    low, high = known.game.score_range
    if high - low > 1:
        return 1
    return 2 if max(map(abs, _range(known))) >= 0.1 else 3


def _below(known: Report, places: Sequence[tuple[Row, tuple[Square, ...]]]) -> Iterator[Drawing]:
    """The scale of the tints, and the moves that do not stand in one square of their own."""
    low, high = (number(end, _digits(known)) for end in _range(known))
    if any(squares and believed(row) is not None for row, squares in places):
        if low != high:
            yield _marked_legend(scale(low, high))
        rows = [row for row, squares in places if squares]
        yield _marked_legend(lines_of(list(_legend(rows)), 13))
        if any(row.certain is None for row in rows):
            yield _marked_legend(lines_of(["below the mean: visits"], 13), "visits")
    others = [row for row, own in places if len(own) != 1]
    most = _most_visited(others, 8)
    rest = len(others) - len(most)
    lines = [cut(_in_words(row), 60) for row in most]
    yield lines_of([*lines, *([f"and {rest:,} more moves"] if rest else [])], 13)


def _marked_legend(drawing: Drawing, what: str = "") -> Drawing:
    """The drawing as a group, which a page can find."""
    return drawing._replace(body=element("g", drawing.body, data_legend=what))


def _legend(rows: Sequence[Row]) -> Iterator[str]:
    """The words that explain the texts in the squares of these moves."""
    words = ", backed up from the moves that follow"
    backed_up = words if any(map(is_backed_up_mean, rows)) else ""
    if any(row.certain is None for row in rows):
        yield f"in a square: mean score{backed_up}"
    if any(row.certain is not None for row in rows):
        yield "certain: the worth with best play after the move"
    if any(row.learnt for row in rows):
        yield "blue frame: the move it would play"


# A game


def strip(game: Game[S, Any], positions: Sequence[S]) -> Picture:
    """The positions of a game in rows, each with the number and the name of the move to it.

    The move to a position is marked.

    >>> from purembts.games.mnk import Board, tic_tac_toe
    >>> print(strip(tic_tac_toe, [Board(0, 0), Board(1, 0), Board(1, 2)]))
    Tic-tac-toe: 2 moves
    1. a1
    2. b1
    """
    looks = [look(game, state) for state in positions]
    labels = [
        f"{i + 1}. {game.display.label(before, after)}"
        for i, (before, after) in enumerate(pairwise(positions))
    ]
    side = _small_side(looks)
    drawings = [
        drawing_of(now, before, side, 11, with_names=False)
        for before, now in zip([None, *looks], looks, strict=False)
    ]
    title = f"{game.name}: {len(labels)} move{'' if len(labels) == 1 else 's'}"
    return picture(title, "\n".join(labels), rows_of_drawings(drawings, ["start", *labels]))


def _small_side(looks: Sequence[Look]) -> float:
    """The width of a square for boards about 132 wide; more for squares with texts."""
    boards = [look.squares for look in looks if look.squares]
    texts = {text for squares in boards for _, text in squares_of(squares)}
    longest = max(
        (max(len(squares.rows), *map(len, squares.rows)) for squares in boards), default=1
    )
    return max(24.0 if texts - {"x", "o", ""} else 10.0, min(30.0, 132 / longest))
