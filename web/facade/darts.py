"""Darts on a board: the estimate of pi with its interval, as `purembts pi` makes it.

The darts of a seed are those of `Random(seed)`, one after the other. So the record of n darts is
that of `purembts pi --seed SEED --darts N`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Any, NamedTuple, TypeAlias

from facade.links import seed_of
from purembts.app import estimates
from purembts.app.encoded import encoded
from purembts.app.steps import counted, records_of
from purembts.chance import Rng
from purembts.checks import whole_number
from purembts.display import number, span
from purembts.pictures import Chart, Picture, svg
from purembts.pictures.charts import COLOURS, WIDTH
from purembts.records import NOTHING, Record, marks
from purembts.report import Facts
from purembts.workshop import in_circle, throw_dart

Dart: TypeAlias = tuple[float, float]

MOST_DARTS = 1_000_000
"""The most darts."""
_AT_END = f"These are {MOST_DARTS:,} darts, the most on this page. Start again, or take a new seed."
BLOCK = 10_000
"""The darts that are thrown together, in about 10 ms."""
MOST_DOTS = 2_000
"""The most darts in a picture."""
_SIDE = 340.0
"""The side of the board in a picture."""


class _Throws(NamedTuple):
    """The darts so far."""

    records: tuple[Record, ...]
    """The records after the `marks_of` the darts, and the newest one."""
    last: Sequence[Dart]
    """The last darts, at most `MOST_DOTS` of them."""
    state: Any
    """The state of the generator after these darts."""


@lru_cache(maxsize=8)
def throws(seed: int, n: int) -> _Throws:
    """The first n darts of a seed, on from the end of the block before."""
    if n == 0:
        return _Throws((), (), Random(seed).getstate())
    before = throws(seed, (n - 1) // BLOCK * BLOCK)
    rng, last = Random(), deque(before.last, MOST_DOTS)
    rng.setstate(before.state)

    def throw(rng: Rng) -> Dart:
        last.append(throw_dart(rng))
        return last[-1]

    *_, (records, _) = records_of(partial(estimates.darts, throw, rng), n, before.records)
    return _Throws(records, tuple(last), rng.getstate())


# The steps for a page


def pi_darts(seed: int | str, darts: int, to: int = 0, width: float = WIDTH) -> Iterator[Facts]:
    """The board, the estimate, its interval and its chart after `darts`, and on up to `to` darts.

    The steps end at the `marks` and after each `BLOCK`; the first ten are single. `width` is that
    of the chart.
    """
    seed, to = seed_of(seed), min(to, MOST_DARTS)
    whole_number(darts, "darts", 0, MOST_DARTS)
    yield _dart_facts(seed, darts, width)
    while darts < to:
        mark = next(mark for mark in marks() if mark > darts)
        darts = min(darts + 1 if darts < 10 else mark, (darts // BLOCK + 1) * BLOCK, to)
        yield _dart_facts(seed, darts, width)


def _dart_facts(seed: int, darts: int, width: float) -> Facts:
    """The facts after the first darts of a seed."""
    records, last, _ = throws(seed, darts)
    return {
        "seed": seed,
        "darts": darts,
        "full": _AT_END if darts >= MOST_DARTS else "",
        "board": encoded(_dartboard(records[-1] if records else NOTHING, last)),
        **(_estimate(records, width) if records else _NO_ESTIMATE),
    }


_NO_ESTIMATE: Facts = {"said": "No darts so far.", "lines": [], "chart": None, "table": None}


def _estimate(records: Sequence[Record], width: float) -> Facts:
    """The estimate of pi by the darts so far."""
    result, (n, (hits,)) = estimates.pi_result(records), records[-1]
    (low, high), value = result.facts["interval"], result.facts["estimate"]
    return {
        "said": f"{counted(n, 'dart')}: {number(value, 5)}, 95 % interval {span((low, high), 5)}.",
        "lines": [
            ["inside", f"{int(hits):,} of {n:,}"],
            ["width of the interval", number(high - low, 5)],
        ],
        "chart": result.chart and encoded(page_chart(result.chart, n, value), width=width),
        "table": encoded(result.tables[0]),
    }


def page_chart(chart: Chart, n: int, estimate: float) -> Chart:
    """The chart of the command with the words of the page: pi has more digits than a title."""
    title = f"By {counted(n, 'dart')}: {estimate:.6g}. Pi is 3.14159..."
    return chart._replace(title=title, levels=[chart.levels[0]._replace(name="pi")])


# The board


def _dartboard(record: Record, last: Sequence[Dart]) -> Picture:
    """The board with its last darts: blue inside the circle, orange outside."""
    count, hits, n = counted(record.visits, "dart"), int(sum(record.scores)), len(last)
    title, note = f"The board after {count}", f"the last {n:,} darts are drawn"
    text, notes = f"A circle in a square. {hits:,} of {count} hit inside the circle.", []
    if record.visits > n:
        text, notes = f"{text} The last {n:,} are drawn.", [note]
    if last:
        text += f" The last dart hit {'inside' if in_circle(last[-1]) else 'outside'}."
    parts = [svg.heading(title, _SIDE), _drawing(last), svg.text_lines(notes, 13)]
    return svg.picture(title, text, svg.stacked(parts))


def _drawing(darts: Sequence[Dart]) -> svg.Drawing:
    """The square with its circle and its darts. The last dart has a ring."""
    half, size = _SIDE / 2, _SIDE - 1.5
    outline = partial(svg.element, fill="none")
    grey = partial(outline, stroke=svg.GREY, stroke_width=1.5)
    square = grey("rect", x=0.75, y=0.75, width=size, height=size)
    parts = [square, grey("circle", cx=half, cy=half, r=size / 2)]
    for name, colour in zip(("inside", "outside"), COLOURS, strict=False):
        dots = [dart for dart in darts if in_circle(dart) == (name == "inside")]
        parts.append(_dots(dots, len(darts), colour, name))
    for x, y in map(_point, darts[-1:]):
        for colour, width in ((svg.PAPER, 5.0), (svg.GREY, 2.5)):
            parts.append(outline("circle", cx=x, cy=y, r=7.0, stroke=colour, stroke_width=width))
    return svg.Drawing(_SIDE, _SIDE, "".join(parts))


def _dots(darts: Sequence[Dart], n: int, colour: str, name: str) -> str:
    """Darts as dots of one colour, which are smaller if there are many of them."""
    points = "".join(f"M{svg.decimal(x)},{svg.decimal(y)}h0" for x, y in map(_point, darts))
    width = 8.0 if n <= 50 else 5.0 if n <= 500 else 3.2
    look: dict[str, svg.Attribute] = {"stroke": colour, "stroke_width": width, "fill": "none"}
    about: dict[str, svg.Attribute] = {"data_darts": name, "data_drawn": str(len(darts))}
    dots = points or "M0,0"
    return svg.element("path", svg.tip(name), d=dots, stroke_linecap="round", **look, **about)


def _point(dart: Dart) -> Dart:
    """The point of a dart in the picture; y grows upwards on the board."""
    x, y = dart
    return (1 + x) / 2 * _SIDE, (1 - y) / 2 * _SIDE
