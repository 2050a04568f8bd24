"""Drawings of positions: squares with discs or texts, their heat map, and plain text.

They know no game. A game says its squares, or its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple, TypeAlias

from purembts.display import Squares
from purembts.pictures.svg import (
    CHOICE,
    DARK,
    GREY,
    MARK,
    MONO,
    PAPER,
    Drawing,
    element,
    fitting_size,
    moved,
    stacked,
    tip,
    width_of,
    words,
)
from purembts.tables import text_width

Square: TypeAlias = tuple[int, int]
"""A row and a column, from 0."""

EMPTY, EDGE = "#e6eaee", "#8b949e"
DISCS = {"x": DARK, "o": PAPER}
HEAT = ("#a9c4e6", "#f3f1ea", "#f5a742")
"""The tints of the worst move, of one in the middle and of the best move."""


class Tint(NamedTuple):
    """The heat of a square: the knowledge about a move that fills or changes it."""

    heat: float | None
    """The mean relative to the other moves, from 0 for the worst to 1 for the best; None without
    visits."""
    mean: str
    visits: str
    tip: str
    is_learnt: bool
    facts: Mapping[str, str | None]
    """The exact numbers, as attributes."""


# Squares


def squares_of(squares: Squares) -> Iterator[tuple[Square, str]]:
    """Each square with its text."""
    for i, row in enumerate(squares.rows):
        for j, text in enumerate(row):
            yield (i, j), text


def changed(before: Squares, after: Squares) -> tuple[Square, ...]:
    """The squares that were empty and are filled now; if there are none, those that changed.

    >>> changed(Squares((("x", ""), ("", "o"))), Squares((("x", ""), ("x", "x"))))
    ((1, 0),)
    >>> changed(Squares((("1", "2", "3"),)), Squares((("", "2", ""),)))
    ((0, 0), (0, 2))
    """
    new = list(_differing(before, after))
    filled = tuple(square for square, was, text in new if text and not was)
    return filled or tuple(square for square, _, _ in new)


def _differing(before: Squares, after: Squares) -> Iterator[tuple[Square, str, str]]:
    """The squares of `after` with another text than before, and both texts.

    Equal rows are passed over at once: a heat map asks for every move of a large board.
    """
    for i, row in enumerate(after.rows):
        old = before.rows[i] if i < len(before.rows) else ()
        if old == row:
            continue
        for j, text in enumerate(row):
            was = old[j] if j < len(old) else ""
            if was != text:
                yield (i, j), was, text


def board(
    squares: Squares,
    side: float = 48,
    *,
    marked: Iterable[Square] = (),
    tints: Mapping[Square, Tint] | None = None,
    with_names: bool = True,
) -> Drawing:
    """The squares, `side` wide each, with the names of their columns and rows."""
    names = [name for name in squares.names if name] if with_names else []
    left = 12 + 9 * max(map(text_width, names), default=0) if names else 0
    top = 22 if with_names and any(squares.columns) else 0
    columns = max(map(len, squares.rows), default=0)
    drawn = [
        moved(
            left + j * side,
            top + i * side,
            *_square((i, j), text, side, tints or {}),
            data_square=f"{i},{j}",
        )
        for (i, j), text in squares_of(squares)
    ]
    drawn += [moved(left + j * side, top + i * side, _mark((i, j), side)) for i, j in marked]
    drawn += _names(squares, side, left, top)
    return Drawing(left + columns * side, top + len(squares.rows) * side, "".join(drawn))


def _mark(square: Square, side: float) -> str:
    """The frame of a square that changed."""
    width = max(1.5, side / 14)
    inner = side - width
    return element(
        "rect",
        x=width / 2,
        y=width / 2,
        width=inner,
        height=inner,
        fill="none",
        stroke=MARK,
        stroke_width=width,
        data_marked=f"{square[0]},{square[1]}",
    )


def _names(squares: Squares, side: float, left: float, top: float) -> Iterator[str]:
    """The names of the columns above them, and those of the rows at their left."""
    for j, name in enumerate(squares.columns if top else ()):
        x = left + (j + 0.5) * side
        size = fitting_size(name, side - 2, 14)
        yield words(x, 14, name, size, text_anchor="middle", fill=GREY)
    for i, name in enumerate(squares.names if left else ()):
        y = top + (i + 0.5) * side + 5
        yield words(left - 9, y, name, 14, text_anchor="end", fill=GREY)


def _square(square: Square, text: str, side: float, tints: Mapping[Square, Tint]) -> Iterator[str]:
    """A square at (0, 0) with its disc or its text, and its heat."""
    tint = tints.get(square)
    filled = tint_colour(tint.heat) if tint else PAPER if text and text not in DISCS else EMPTY
    yield element("rect", width=side, height=side, fill=filled, stroke=EDGE)
    if text in DISCS:
        yield element(
            "circle",
            cx=side / 2,
            cy=side / 2,
            r=side * 0.36,
            fill=DISCS[text],
            stroke=DARK,
            stroke_width=max(1.0, side / 32),
        )
    elif text:
        size = fitting_size(text, side - 6, side * (0.27 if tint else 0.42))
        y = side * 0.3 if tint else side * 0.5 + size * 0.35
        weight, colour = ("400", GREY) if tint else ("600", DARK)
        yield words(side / 2, y, text, size, text_anchor="middle", font_weight=weight, fill=colour)
    if tint:
        yield _heat(tint, side, is_low=bool(text))


def tint_colour(heat: float | None) -> str:
    """The colour of a heat from 0 to 1; that of paper for None.

    >>> tint_colour(0), tint_colour(0.75), tint_colour(None)
    ('#a9c4e6', '#f4cc96', '#ffffff')
    """
    if heat is None:
        return PAPER
    low, high = HEAT[:2] if heat < 0.5 else HEAT[1:]
    part = heat * 2 - (heat >= 0.5)
    mixed = (
        round(a + (b - a) * part)
        for a, b in zip(bytes.fromhex(low[1:]), bytes.fromhex(high[1:]), strict=True)
    )
    return f"#{bytes(mixed).hex()}"


def _heat(tint: Tint, side: float, *, is_low: bool) -> str:
    """The mean and the visits of a move in its square, and a frame if the records play it."""
    lines = [(tint.mean, 0.31, 0.48, "600"), (tint.visits, 0.25, 0.8, "400")]
    if is_low:
        lines = [(tint.mean, 0.28, 0.62, "600"), (tint.visits, 0.22, 0.88, "400")]
    parts = [
        words(
            side / 2,
            side * y,
            text,
            fitting_size(text, side - 9, side * size),
            text_anchor="middle",
            font_weight=weight,
        )
        for text, size, y, weight in lines
    ]
    if tint.is_learnt:
        inner = side - 5
        frame = {"x": 2.5, "y": 2.5, "width": inner, "height": inner, "stroke_width": 3.0}
        parts.append(element("rect", fill="none", stroke=CHOICE, **frame))
    return element("g", tip(tint.tip), *parts, **tint.facts)


def scale(low: str, high: str) -> Drawing:
    """The tints from the worst mean to the best one."""
    n, wide = 11, 14.0
    boxes = [
        element("rect", x=i * wide, y=0.0, width=wide, height=14.0, fill=tint_colour(i / (n - 1)))
        for i in range(n)
    ]
    right = 58 + n * wide
    return Drawing(
        right + 8 + width_of(high, 13),
        16,
        words(50, 12, low, 13, text_anchor="end", fill=GREY)
        + moved(58, 1, *boxes)
        + words(right + 8, 12, high, 13, fill=GREY),
    )


# Text


def text_drawing(text: str, before: str | None = None, size: float = 15) -> Drawing:
    """`text` in a monospaced font. The characters that are new since `before` are marked."""
    lines = text.expandtabs().splitlines() or [""]
    cell, high = size * 0.6, size * 1.35
    new = [] if before is None else list(new_characters(before.expandtabs(), text.expandtabs()))
    marks = [
        element(
            "rect",
            x=text_width(lines[row][:begin]) * cell - 1,
            y=row * high + 0.1 * size,
            width=max(text_width(lines[row][begin:end]), 0.2) * cell + 2,
            height=high - 0.1 * size,
            rx=2,
            fill="#ffd9bf",
            stroke=MARK,
            stroke_width=0.8,
            data_marked=f"{row},{begin},{end}",
        )
        for row, begin, end in new
    ]
    drawn = [_line(line, i * high + size, size) for i, line in enumerate(lines) if line.strip()]
    width = max(text_width(line) for line in lines) * cell
    return Drawing(width, len(lines) * high + 0.2 * size, "".join([*marks, *drawn]))


def _line(line: str, y: float, size: float) -> str:
    """A line whose characters keep their columns, also where the font has none of this width."""
    return words(
        0,
        y,
        line,
        size,
        font_family=MONO,
        style="white-space:pre",
        textLength=text_width(line) * size * 0.6,
        lengthAdjust="spacingAndGlyphs",
    )


def new_characters(before: str, after: str) -> Iterator[tuple[int, int, int]]:
    r"""The row, begin and end of each run of characters of `after` that are not in `before`.

    >>> list(new_characters("...\n...", "..x\n..."))
    [(0, 2, 3)]
    >>> list(new_characters("3 coins", "10 coins left"))
    [(0, 0, 2), (0, 9, 13)]
    """
    for begin, end in _runs(before, after):
        row = after.count("\n", 0, begin)
        at = begin - (after.rfind("\n", 0, begin) + 1)
        for i, part in enumerate(after[begin:end].split("\n")):
            if part.strip():
                first = at if i == 0 else 0
                skipped = len(part) - len(part.lstrip())
                yield row + i, first + skipped, first + len(part.rstrip())


def _runs(before: str, after: str) -> Iterator[tuple[int, int]]:
    """The begin and end of each changed run: place by place where the shape is the same."""
    if [len(line) for line in before.split("\n")] == [len(line) for line in after.split("\n")]:
        differ = [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
        yield from ((i, i + 1) for i in differ)
        return
    for tag, _, _, begin, end in SequenceMatcher(None, before, after, False).get_opcodes():
        if tag in {"insert", "replace"}:
            yield begin, end


# A position


class Look(NamedTuple):
    """The look of a position: its squares, or its text if it has none."""

    squares: Squares | None
    text: str


def drawing_of(
    look: Look, before: Look | None, side: float = 48, size: float = 15, *, with_names: bool = True
) -> Drawing:
    """The drawing of a position, with the change since `before` marked."""
    if look.squares is None:
        return text_drawing(look.text, before.text if before else None, size)
    marked = changed(before.squares, look.squares) if before and before.squares else ()
    return board(look.squares, side, marked=marked, with_names=with_names)


def rows_of_drawings(
    drawings: Sequence[Drawing], labels: Sequence[str], width: float = 720
) -> Drawing:
    """`drawings` in rows that wrap, each with its label below."""
    wide = max((drawing.width for drawing in drawings), default=0)
    wide = max(wide, 76) + 22
    each = max(1, int((width + 22) // wide))
    rows = []
    for begin in range(0, len(drawings), each):
        row = drawings[begin : begin + each]
        high = max(drawing.height for drawing in row)
        body = "".join(
            moved(k * wide, 0, drawing.body, _below(label, drawing.width, high))
            for k, (drawing, label) in enumerate(
                zip(row, labels[begin : begin + each], strict=True)
            )
        )
        rows.append(Drawing(len(row) * wide - 22, high + 24, body))
    return stacked(rows, 14)


def _below(label: str, width: float, high: float) -> str:
    size = fitting_size(label, max(width, 76) + 14, 15)
    return words(0, high + 19, label, size, data_label=label)
