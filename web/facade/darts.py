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
from facade.scenes import picture_facts, table_facts
from purembts.app import estimates
from purembts.app.estimates import pi_result
from purembts.app.steps import counted, records_of
from purembts.chance import Rng
from purembts.checks import whole_number
from purembts.display import number, span
from purembts.pictures import Picture
from purembts.pictures.charts import COLOURS, WIDTH, Chart, chart
from purembts.pictures.svg import (
    GREY,
    PAPER,
    Attribute,
    Drawing,
    element,
    heading,
    lines_of,
    picture,
    short,
    stacked,
    tip,
)
from purembts.records import Record, marks
from purembts.report import Facts
from purembts.workshop import in_circle, throw_dart

Dart: TypeAlias = tuple[float, float]

MOST = 1_000_000
"""The most darts."""
FULL = f"These are {MOST:,} darts, the most on this page. Start again, or take a new seed."
"""The reason why there are no more darts."""
BLOCK = 10_000
"""The darts that are thrown together, in about 10 ms."""
_DRAWN = 2_000
"""The most darts in a picture."""
_SIDE = 340.0
"""The side of the board in a picture."""


class _Thrown(NamedTuple):
    """The darts so far."""

    records: tuple[Record, ...]
    """The records after the `marks_of` the darts, and the newest one."""
    last: tuple[Dart, ...]
    """The last darts, at most `_DRAWN` of them."""
    state: Any
    """The state of the generator after these darts."""


# Throws


@lru_cache(maxsize=8)
def thrown(seed: int, n: int) -> _Thrown:
    """The first n darts of a seed, thrown on from the end of the block before."""
    if n == 0:
        return _Thrown((), (), Random(seed).getstate())
    before = thrown(seed, (n - 1) // BLOCK * BLOCK)
    rng, last = Random(), deque(before.last, _DRAWN)
    rng.setstate(before.state)

    def throw(rng: Rng) -> Dart:
        last.append(throw_dart(rng))
        return last[-1]

    *_, (records, _) = records_of(partial(estimates.darts, throw, rng), n, before.records)
    return _Thrown(records, tuple(last), rng.getstate())


# What a page shows


def pi_darts(seed: int | str, darts: int, width: float = WIDTH) -> Facts:
    """The first darts of a seed: the board, the estimate, its interval and its chart.

    `width` is that of the chart.
    """
    seed = seed_of(seed)
    whole_number(darts, "darts", 0, MOST)
    known = thrown(seed, darts)
    return {
        "seed": seed,
        "darts": darts,
        "full": FULL if darts >= MOST else "",
        "board": picture_facts(_board_picture(known)),
        **(_estimate_facts(known, width) if darts else _NO_ESTIMATE),
    }


_NO_ESTIMATE: Facts = {"said": "No darts so far.", "lines": [], "chart": None, "table": None}


def _estimate_facts(known: _Thrown, width: float) -> Facts:
    """The estimate of pi by the darts so far."""
    result = pi_result(known.records)
    (low, high), n = result.facts["interval"], known.records[-1].visits
    value = result.facts["estimate"]
    return {
        "said": f"{counted(n, 'dart')}: {number(value, 5)}, 95 % interval {span((low, high), 5)}.",
        "lines": [
            ["inside", f"{_hits(known):,} of {n:,}"],
            ["width of the interval", number(high - low, 5)],
        ],
        "chart": result.chart and picture_facts(chart(_titled(result.chart, value), width=width)),
        "table": table_facts(result.tables[0]),
    }


def _hits(known: _Thrown) -> int:
    """The number of darts inside the circle."""
    return int(known.records[-1].scores[0]) if known.records else 0


def _titled(known: Chart, estimate: float) -> Chart:
    """The chart of the command with the words of the page: pi has more digits than a title."""
    return known._replace(
        title=f"By {counted(int(known.lines[0].x[-1]), 'dart')}: {estimate:.6g}. Pi is 3.14159...",
        levels=tuple(level._replace(name="pi") for level in known.levels),
    )


def pi_run(seed: int, darts: int, to: int, width: float = WIDTH) -> Iterator[Facts]:
    """The facts after more and more darts, up to `to`: a fixed schedule.

    The steps end at the `marks` and after each `BLOCK`; the first ten are single.
    """
    to = min(to, MOST)
    while darts < to:
        after = next(each for each in marks() if each > darts)
        darts = min(darts + 1 if darts < 10 else after, (darts // BLOCK + 1) * BLOCK, to)
        yield pi_darts(seed, darts, width)


# The board


def _board_picture(known: _Thrown) -> Picture:
    """The board with its last darts: blue inside the circle, orange outside."""
    n, drawn = known.records[-1].visits if known.records else 0, known.last
    title = f"The board after {counted(n, 'dart')}"
    text = f"A circle in a square. {_hits(known):,} of {counted(n, 'dart')} hit inside the circle."
    if n > len(drawn):
        text += f" The last {len(drawn):,} are drawn."
    if drawn:
        text += f" The last dart hit {'inside' if in_circle(drawn[-1]) else 'outside'}."
    notes = lines_of([f"the last {len(drawn):,} darts are drawn"] if n > len(drawn) else [], 13)
    return picture(title, text, stacked([heading(title, _SIDE), _board(drawn), notes]))


def _board(darts: Sequence[Dart]) -> Drawing:
    """The square with its circle and its darts. The last dart has a ring."""
    half = _SIDE / 2
    outline: dict[str, Attribute] = {"fill": "none", "stroke": GREY, "stroke_width": 1.5}
    parts = [
        element("rect", x=0.75, y=0.75, width=_SIDE - 1.5, height=_SIDE - 1.5, **outline),
        element("circle", cx=half, cy=half, r=half - 0.75, **outline),
        _dots([dart for dart in darts if in_circle(dart)], len(darts), COLOURS[0], "inside"),
        _dots([dart for dart in darts if not in_circle(dart)], len(darts), COLOURS[1], "outside"),
    ]
    if darts:
        x, y = _at(darts[-1])
        for colour, width in ((PAPER, 5.0), (GREY, 2.5)):
            ring: dict[str, Attribute] = {"fill": "none", "stroke": colour, "stroke_width": width}
            parts.append(element("circle", cx=x, cy=y, r=7.0, **ring))
    return Drawing(_SIDE, _SIDE, "".join(parts))


def _dots(darts: Sequence[Dart], n: int, colour: str, name: str) -> str:
    """Darts as dots of one colour, which are smaller if there are many of them."""
    path = "".join(f"M{short(x)},{short(y)}h0" for x, y in map(_at, darts))
    return element(
        "path",
        tip(name),
        d=path or "M0,0",
        stroke=colour,
        stroke_width=8.0 if n <= 50 else 5.0 if n <= 500 else 3.2,
        stroke_linecap="round",
        fill="none",
        data_darts=name,
        data_drawn=str(len(darts)),
    )


def _at(dart: Dart) -> tuple[float, float]:
    """The point of a dart in the picture; y grows upwards on the board."""
    x, y = dart
    return (1 + x) / 2 * _SIDE, (1 - y) / 2 * _SIDE
