"""The picture of a report: its moves as bars with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil
from textwrap import wrap

from purembts.display import digits_of, number
from purembts.pictures.charts import ticks
from purembts.pictures.svg import (
    CHOICE,
    DARK,
    GREY,
    MARK,
    PALE,
    PAPER,
    Drawing,
    Picture,
    cut,
    element,
    heading,
    lines_of,
    moved,
    picture,
    short,
    stacked,
    tip,
    width_of,
    words,
)
from purembts.report import Report, Row, event_text, has_span, is_backed_up_mean, whose

MOST = 30
"""The number of moves in a picture. Of more moves, those with the most visits are drawn."""
HIGH, BARS, SIZE = 28.0, 260.0, 14.0
"""The height of a row, the usual width of the bars and the size of the text."""
SHORTEST, APART = 36.0, 34.0
"""The least width of the bars, and of the room of a number at their axis."""
NUMBERS = 136.0
"""The width of the mean and the visits."""
EXACT = 76.0
"""The width of the exact values, where there are no means."""
BAR = "#a9c4e6"


def moves(known: Report, *, width: float | None = None) -> Picture:
    """The moves of `known`, each with a bar for its mean, a whisker for its interval, and visits.

    `width` is that of the drawing inside the margins. The bars become shorter to fit into it; text
    keeps its size.
    A move that is certain has a line at its worth and the word, and no whisker.
    The move that the records play is emphasised. A diamond is the exact value; it is filled if no
    move has a higher one.
    """
    rows = _kept(known.rows)
    title = _title(known)
    drawn = _table(known, rows, width)
    parts = [heading(title, drawn.width), drawn, _note_lines(known, rows, drawn.width)]
    return picture(title, "\n".join(_in_words(row) for row in rows), stacked(parts))


def _title(known: Report) -> str:
    """The game, the player to move if there are several, and the event if there is one."""
    event = f", {cut(event_text(known), 40)}" if event_text(known) else ""
    return f"{known.game.name}: the moves{whose(known, ' of player')}{event}"


def _kept(rows: Sequence[Row]) -> list[Row]:
    """The rows with the most visits, at most `MOST` of them, in the order of the report."""
    ranked = sorted(range(len(rows)), key=lambda i: -rows[i].visits)
    return [rows[i] for i in sorted(ranked[:MOST])]


def _note_lines(known: Report, rows: Sequence[Row], width: float) -> Drawing:
    """The notes, broken between words where they are wider than `width`."""
    notes = _notes(known, rows)
    return lines_of([line for note in notes for line in wrap(note, max(20, int(width / 7.6)))], 13)


def _in_words(row: Row) -> str:
    """A move with all of its numbers."""
    if row.mean is None:
        seen = f"{row.label}: no visits"
    else:
        seen = f"{row.label}: mean {row.mean:.4g}, "
        if row.interval is not None and row.certain is None:
            low, high = row.interval
            seen += f"95 % interval {low:.4g} to {high:.4g}, "
        seen += "1 visit" if row.visits == 1 else f"{row.visits:,} visits"
    if row.certain is not None:
        seen += f", certain {float(row.certain):.4g}"
    exact = "" if row.exact is None else f", exactly {float(row.exact):.4g}"
    return f"{seen}{exact}{', the move it would play' if row.learnt else ''}."


def row_facts(row: Row) -> dict[str, str | None]:
    """The exact numbers of a move, as attributes."""
    span = row.interval if row.certain is None else None
    return {
        "data_move": row.label,
        "data_visits": str(row.visits),
        "data_mean": None if row.mean is None else repr(row.mean),
        "data_low": None if span is None else repr(span[0]),
        "data_high": None if span is None else repr(span[1]),
        "data_certain": None if row.certain is None else str(row.certain),
        "data_exact": None if row.exact is None else str(row.exact),
    }


def _notes(known: Report, rows: Sequence[Row]) -> list[str]:
    """The words that explain the signs, and the moves that are left out."""
    rest = len(known.rows) - len(rows)
    most = max((row.visits for row in known.rows if row not in rows), default=0)
    exact = any(row.exact is not None for row in rows)
    certain = any(row.certain is not None for row in rows)
    backed_up = ", backed up from the moves that follow"
    kind = backed_up if any(map(is_backed_up_mean, rows)) else ""
    has_whiskers = any(map(has_span, rows))
    bar = f"bar: mean score{kind}{', whisker: 95 % interval' if has_whiskers else ''}"
    return [
        *([bar] if has_means(rows) else []),
        *(["line: certain worth, with best play after the move"] if certain else []),
        *(["bold: the move it would play"] if any(row.learnt for row in rows) else []),
        *(["diamond: exact value, filled if it is the best"] if exact else []),
        *([f"{rest:,} more moves, with {most:,} visits at most"] if rest > 0 else []),
    ]


def has_means(rows: Sequence[Row]) -> bool:
    """True if the numbers beside the bars are means and visits, and not exact values alone."""
    return any(row.exact is None or row.visits for row in rows)


# Bars


def _ends(known: Report, rows: Sequence[Row]) -> tuple[float, float]:
    """The ends of the axis. Bars begin at 0, or at the lowest score if that is above 0."""
    base = max(0.0, float(known.game.score_range[0]))
    reached = [end for row in rows if row.certain is None for end in row.interval or ()]
    reached += [float(row.certain) for row in rows if row.certain is not None]
    reached += [float(row.exact) for row in rows if row.exact is not None]
    reached += [row.mean for row in rows if row.mean is not None]
    low, high = min([base, *reached]), max([base, *reached])
    return low, high if high > low else float(known.game.score_range[1])


def _table(known: Report, rows: Sequence[Row], width: float | None) -> Drawing:
    """The rows with an axis below them."""
    marks = ticks(*_ends(known, rows), outside=True)
    base = min(max(0.0, marks[0]), marks[-1])
    labels = [cut(row.label, 26) for row in rows]
    left = max((width_of(label, SIZE) for label in labels), default=0) + 14
    numbers = NUMBERS if has_means(rows) else EXACT
    bars = _bars_within(None if width is None else width - left - numbers)
    digits = digits_of(known.game.score_range)

    def at(value: float) -> float:
        return (value - marks[0]) / (marks[-1] - marks[0]) * bars

    drawn = [
        _in_row(i, row, (*_numbers(row, label, digits, bars), *_bar(row, at(base), at, bars)))
        for i, (row, label) in enumerate(zip(rows, labels, strict=True))
    ]
    high = HIGH * len(rows)
    body = moved(left, 0, *_heads(rows, bars), moved(0, 22, *_axis(marks, base, at, high), *drawn))
    return Drawing(left + bars + numbers, 22 + high + 24, body)


def _in_row(i: int, row: Row, parts: Sequence[str]) -> str:
    """The parts of row `i`, with its words and its exact numbers."""
    down = f"translate(0 {short(i * HIGH)})"
    return element("g", tip(_in_words(row)), *parts, transform=down, **row_facts(row))


def _bars_within(room: float | None) -> float:
    """The width of the bars, which is at most `room`, but never less than the shortest."""
    return BARS if room is None else min(BARS, max(SHORTEST, room))


def _heads(rows: Sequence[Row], bars: float) -> Iterator[str]:
    """The headings of the numbers."""
    are_means = has_means(rows)
    name = "mean" if are_means else "exact"
    yield words(bars + 70, 14, name, 13, text_anchor="end", fill=GREY)
    if are_means:
        yield words(bars + NUMBERS, 14, "visits", 13, text_anchor="end", fill=GREY)


def _axis(
    marks: Sequence[float], base: float, at: Callable[[float], float], high: float
) -> Iterator[str]:
    """Thin lines at the ticks with their numbers below. The bars begin at the dark one.

    On a short axis some lines have no number.
    """
    room = at(marks[-1]) / max(1, len(marks) - 1)
    each = max(1, ceil(APART / room))
    for i, mark in enumerate(marks):
        down = f"M{short(at(mark))},0V{short(high + 4)}"
        yield element("path", d=down, stroke=GREY if mark == base else PALE)
        if i % each == 0:
            yield words(at(mark), high + 19, f"{mark:g}", 13, text_anchor="middle", fill=GREY)


def _numbers(row: Row, label: str, digits: int, bars: float) -> Iterator[str]:
    """The label at the left of the bars, and the mean or the exact value and the visits right."""
    weight = "700" if row.learnt or (row.best and not row.visits) else None
    yield words(-14, 19, label, SIZE, text_anchor="end", font_weight=weight)
    seen = row.mean if row.visits else row.exact
    text = "no visits" if seen is None else number(seen, digits)
    yield words(bars + 70, 19, text, SIZE, text_anchor="end", font_weight=weight)
    if row.visits:
        yield words(bars + NUMBERS, 19, f"{row.visits:,}", SIZE, text_anchor="end", fill=GREY)


def _bar(row: Row, base: float, at: Callable[[float], float], bars: float) -> Iterator[str]:
    """The bar from `base` to the mean, the whisker or the certain worth, and the diamond."""
    if row.mean is not None:
        end = at(row.mean)
        size = {"x": min(base, end), "y": 6.0, "width": abs(end - base), "height": HIGH - 12}
        yield element("rect", **size, fill=CHOICE if row.learnt else BAR)
    if row.certain is not None:
        yield from _certain(at(float(row.certain)), bars)
    elif row.interval is not None:
        low, high = map(at, row.interval)
        yield from _outlined(f"M{short(low)},10v8m0,-4H{short(high)}m0,-4v8", 1.5)
    if row.exact is not None:
        yield element(
            "path",
            d="M0,-6.5L6.5,0L0,6.5L-6.5,0Z",
            transform=f"translate({short(at(float(row.exact)))} {short(HIGH / 2)})",
            fill=MARK if row.best else PAPER,
            stroke=MARK,
            stroke_width=2.0,
        )


def _certain(x: float, bars: float) -> Iterator[str]:
    """The line at a certain worth, with the word beside it, on the side with more room."""
    yield from _outlined(f"M{short(x)},4V{short(HIGH - 4)}", 3.0)
    beside, anchor = (x + 10, None) if x < bars / 2 else (x - 10, "end")
    yield words(
        beside,
        18.5,
        "certain",
        13,
        text_anchor=anchor,
        stroke=PAPER,
        stroke_width=4,
        paint_order="stroke",
        stroke_linejoin="round",
    )


def _outlined(path: str, width: float) -> Iterator[str]:
    """A dark path with a pale outline, which is seen on a dark bar too."""
    for colour, wide in ((PAPER, width + 2.5), (DARK, width)):
        yield element("path", d=path, fill="none", stroke=colour, stroke_width=wide)
