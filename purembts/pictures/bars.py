"""The moves of a report in pictures: in words, as attributes, and as bars with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from purembts.display import counted, digits_of, number, span
from purembts.pictures import svg
from purembts.pictures.charts import ticks, to_scale
from purembts.pictures.svg import CHOICE, DARK, GREY, MARK, PALE, PAPER, Drawing, Picture
from purembts.play import whose
from purembts.report import Report, Row, event_text, is_backed_up_mean, score_of

_BARS = 30
"""The number of moves in a picture. Of more moves, those with the most visits are drawn."""
_HIGH, _WIDE, _SIZE = 28.0, 260.0, 14.0
"""The height of a row, the width of the bars and the size of the text."""
_NUMBERS, _EXACT = 136.0, 76.0
"""The width of the mean and the visits, and of the exact values where there are no means."""
_BAR = "#a9c4e6"


def most_visited(rows: Sequence[Row], most: int) -> list[Row]:
    """The `most` rows with the most visits, these first."""
    return sorted(rows, key=lambda row: -row.visits)[:most]


def in_words(row: Row, *, briefly: bool = False) -> str:
    """A move with its numbers; briefly with its mean or else its exact value, and no interval."""
    no_exact = row.exact is None or (briefly and row.visits)
    parts = [
        "" if row.mean is None else f"mean {number(row.mean)}",
        "" if briefly or row.interval is None else f"95 % interval {span(row.interval)}",
        counted(row.visits, "visit") if row.visits else "",
        "" if no_exact else f"exactly {number(row.exact)}",
        "the move it would play" if row.learnt else "",
        "no move is better" if row.best and not row.visits else "",
    ]
    return f"{row.label}: {', '.join(filter(None, parts)) or 'no visits'}"


def row_facts(row: Row) -> dict[str, str | None]:
    """The exact numbers of a move, as attributes."""
    low, high = row.interval or (None, None)
    facts = {"move": row.label, "visits": row.visits, "mean": row.mean, "low": low, "high": high}
    facts |= {"exact": row.exact}
    return {f"data_{name}": None if fact is None else str(fact) for name, fact in facts.items()}


def notes(rows: Sequence[Row], mean: str, learnt: str, also: str = "") -> Iterator[str]:
    """The words that explain the signs of moves with means, from the names of the signs."""
    is_backed_up = any(map(is_backed_up_mean, rows))
    yield f"{mean}: mean score{', backed up from the moves that follow' * is_backed_up}{also}"
    if any(row.learnt for row in rows):
        yield f"{learnt}: the move it would play"


def has_means(rows: Sequence[Row]) -> bool:
    """True if the numbers of moves are means and visits, and not exact values alone."""
    return any(row.exact is None or row.visits for row in rows)


def is_chosen(row: Row) -> bool:
    """True if the records play a move, or if it has no visits and is best."""
    return row.learnt or (row.best and not row.visits)


def moves(report: Report) -> Picture:
    """The moves of `report`, each with a bar for its mean, a whisker for its interval, and visits.

    The move that the records play is emphasised. A diamond is the exact value; it is filled if no
    move has a higher one.
    """
    game, event, top = report.game, event_text(report), most_visited(report.rows, _BARS)
    rows = [row for row in report.rows if row in top]
    title = f"{game.name}: the moves{whose(game, report.turn.player, ' of')}"
    title += f", {svg.cut(event, 40)}" if event else ""
    bars = _bars(report, rows)
    room = max(20, int(bars.width / 7.6))
    lines = [line for sign in _explanations(report, rows) for line in wrap(sign, room)]
    text = "\n".join(f"{in_words(row)}." for row in rows)
    drawings = [svg.heading(title, bars.width), bars, svg.text_lines(lines)]
    return svg.picture(title, text, svg.stacked(drawings))


def _explanations(report: Report, rows: Sequence[Row]) -> Iterator[str]:
    """The words that explain the signs, and the moves without a bar."""
    whisker = ", whisker: 95 % interval" if any(row.interval for row in rows) else ""
    yield from notes(rows, "bar", "bold", whisker) if has_means(rows) else ()
    if any(row.exact is not None for row in rows):
        yield "diamond: exact value, filled if it is the best"
    rest = [row.visits for row in report.rows if row not in rows]
    if rest:
        yield f"{len(rest):,} more moves, with {max(rest):,} visits at most"


def _bars(report: Report, rows: Sequence[Row]) -> Drawing:
    """The rows with an axis below them."""
    marks = _axis_marks(report, rows)
    labels = [svg.cut(row.label, 26) for row in rows]
    beside = max((svg.width_of(label, _SIZE) for label in labels), default=0) + 14
    at = to_scale(marks[0], marks[-1], 0.0, _WIDE)
    base = min(max(0.0, marks[0]), marks[-1])
    digits = digits_of(report.game.score_range)
    groups = []
    for i, (row, label) in enumerate(zip(rows, labels, strict=True)):
        parts = [*_row_numbers(row, digits), *_bar(row, at(base), at)]
        name = svg.words(-14, 19, label, _SIZE, "end", font_weight=_weight(row))
        tip = svg.tip(f"{in_words(row)}.")
        groups.append(svg.group(0, i * _HIGH, tip, name, *parts, **row_facts(row)))
    high, numbers = _HIGH * len(rows), _NUMBERS if has_means(rows) else _EXACT
    axis = svg.group(0, 22, *_axis(marks, base, at, high), *groups)
    body = svg.group(beside, 0, *_heads(rows), axis)
    return Drawing(beside + _WIDE + numbers, 46 + high, body)


def _axis_marks(report: Report, rows: Sequence[Row]) -> Sequence[float]:
    """The numbers of the axis. Bars begin at 0, or at the lowest score if that is above 0."""
    lowest, highest = map(float, report.game.score_range)
    ends = [max(0.0, lowest)]
    for row in rows:
        values = (*(row.interval or ()), row.exact, row.mean)
        ends += [float(value) for value in values if value is not None]
    low, high = min(ends), max(ends)
    return ticks(low, high if high > low else highest, outside=True)


def _heads(rows: Sequence[Row]) -> Iterator[str]:
    """The headings of the numbers."""
    heads = {"mean": 70, "visits": _NUMBERS} if has_means(rows) else {"exact": 70}
    for name, right in heads.items():
        yield svg.words(_WIDE + right, 14, name, 13, "end", fill=GREY)


def _axis(
    marks: Sequence[float], base: float, at: Callable[[float], float], high: float
) -> Iterator[str]:
    """Thin lines at the marks with their numbers below. The bars begin at the dark one."""
    for mark in marks:
        yield svg.path(f"M{at(mark)},0V{high + 4}", stroke=GREY if mark == base else PALE)
        yield svg.words(at(mark), high + 19, f"{mark:g}", 13, "middle", fill=GREY)


def _weight(row: Row) -> str | None:
    """The weight of the text of a move: bold for the one that is played, or that is best."""
    return "700" if is_chosen(row) else None


def _row_numbers(row: Row, digits: int) -> Iterator[str]:
    """The mean or the exact value, and the visits, at the right of the bars."""
    text = number(score_of(row), digits) or "no visits"
    yield svg.words(_WIDE + 70, 19, text, _SIZE, "end", font_weight=_weight(row))
    if row.visits:
        yield svg.words(_WIDE + _NUMBERS, 19, f"{row.visits:,}", _SIZE, "end", fill=GREY)


def _bar(row: Row, base: float, at: Callable[[float], float]) -> Iterator[str]:
    """The bar from `base` to the mean, the whisker, and the diamond."""
    if row.mean is not None:
        end = at(row.mean)
        size = {"x": min(base, end), "y": 6.0, "width": abs(end - base), "height": _HIGH - 12}
        yield svg.element("rect", **size, fill=CHOICE if row.learnt else _BAR)
    if row.interval is not None:
        low, high = map(at, row.interval)
        for colour, wide in ((PAPER, 4.0), (DARK, 1.5)):  # it is seen on a dark bar too
            line = f"M{low},10v8m0,-4H{high}m0,-4v8"
            yield svg.path(line, fill="none", stroke=colour, stroke_width=wide)
    if row.exact is not None:
        diamond = f"M{at(float(row.exact))},7.5l6.5,6.5l-6.5,6.5l-6.5,-6.5Z"
        yield svg.path(diamond, fill=MARK if row.best else PAPER, stroke=MARK, stroke_width=2.0)
