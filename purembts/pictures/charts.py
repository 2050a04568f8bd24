"""Charts as values: lines with intervals over an axis, and levels of reference.

`chart` draws one as SVG. The lines differ in colour, in dashes and in the shape of their signs, so
two lines that coincide look different from one line, also in black and white.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from math import ceil, floor, isfinite, log10
from typing import NamedTuple

from purembts.pictures.svg import (
    DARK,
    GREY,
    PALE,
    PAPER,
    Drawing,
    Picture,
    cut,
    element,
    heading,
    moved,
    picture,
    short,
    spread,
    stacked,
    tip,
    width_of,
    words,
)

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
"""The colours of Okabe and Ito, which look different to people who are colour-blind."""
DASHES = ((), (9, 4), (2, 3), (10, 3, 2, 3), (5, 3), (14, 4), (8, 3, 2, 3, 2, 3), (1, 4))
"""The dashes of the lines: the lengths of ink and gap. The first line is solid.

There are eight dashes and seven colours, so 56 lines differ.
"""
SIGNS = (
    "M-4,0A4,4 0 1 0 4,0A4,4 0 1 0 -4,0Z",
    "M-3.6,-3.6H3.6V3.6H-3.6Z",
    "M0,-4.8L4.4,3.6H-4.4Z",
    "M0,-5L5,0L0,5L-5,0Z",
    "M0,4.8L4.4,-3.6H-4.4Z",
    "M-4,-4L4,4M-4,4L4,-4",
    "M-5,0H5M0,-5V5",
    "M-2.4,-4.6H2.4V4.6H-2.4Z",
)
"""The signs on the lines, as paths around (0, 0)."""

WIDTH, HEIGHT, SIZE = 600.0, 330.0, 14.0


class Line(NamedTuple):
    """A line through points, with an interval around each of them if it is known."""

    name: str
    x: Sequence[float]
    """The numbers on the horizontal axis, in ascending order."""
    y: Sequence[float]
    low: Sequence[float] | None = None
    """The lower ends of the intervals; None without intervals."""
    high: Sequence[float] | None = None


class Level(NamedTuple):
    """A horizontal line of reference."""

    name: str
    value: float


class Chart(NamedTuple):
    """Lines over an axis. A notebook shows it as a picture."""

    title: str
    x: str
    """The words below the horizontal axis."""
    y: str
    """The words of the vertical axis."""
    lines: Sequence[Line]
    levels: Sequence[Level] = ()
    logarithmic: bool = False
    """True if the horizontal axis is logarithmic."""

    def _repr_svg_(self) -> str:
        return chart(self).svg


class Plot(NamedTuple):
    """The place of the numbers: from data to the points of a drawing."""

    x: Callable[[float], float]
    y: Callable[[float], float]
    across: tuple[float, ...]
    """The numbers at the ticks of the horizontal axis."""
    up: tuple[float, ...]
    """The numbers at the ticks of the vertical axis. They begin and end it."""
    right: float
    """The length of the horizontal axis."""


def chart(chart: Chart, *, width: float = WIDTH) -> Picture:
    """The picture of `chart`: its lines, their intervals, its levels, and a legend above them.

    `width` is that of the drawing inside the margins; text keeps its size.
    """
    _check(chart)
    plot = plot_of(chart, width)
    names = [line.name for line in chart.lines]
    parts = [heading(chart.title, width), _legend(names, width), _plotted(chart, plot, width)]
    drawing = stacked(parts)
    return picture(chart.title, _text(chart), drawing)


def _check(chart: Chart) -> None:
    """Raise a ValueError if a line has no place in the picture."""
    for line in chart.lines:
        bands = [band for band in (line.low, line.high) if band is not None]
        if not all(len(each) == len(line.x) for each in (line.y, *bands)):
            raise ValueError(f"The sequences of line {line.name!r} must have the same length.")
        for number in (*line.x, *line.y, *(end for band in bands for end in band)):
            if not isfinite(number):
                raise ValueError(
                    f"The numbers of line {line.name!r} must be finite; got {number!r}."
                )
        if any(a > b for a, b in pairwise(line.x)):
            raise ValueError(f"`x` of line {line.name!r} must be in ascending order.")
        if chart.logarithmic and min(line.x, default=1) <= 0:
            raise ValueError(
                f"`x` of line {line.name!r} must be above 0 on a logarithmic axis; "
                f"got {min(line.x)!r}."
            )
    for level in chart.levels:
        if not isfinite(level.value):
            raise ValueError(f"Level {level.name!r} must be finite; got {level.value!r}.")


def _text(chart: Chart) -> str:
    """The chart in words."""
    lines = [
        f"{line.name}: {_number(line.y[0])} at {_number(line.x[0])}, "
        f"{_number(line.y[-1])} at {_number(line.x[-1])}."
        for line in chart.lines
        if line.x
    ]
    levels = [f"{level.name}: {_number(level.value)}." for level in chart.levels]
    return "\n".join([f"{chart.y} over {chart.x}.", *lines, *levels])


def _number(value: float) -> str:
    """`value` with six digits that count, and commas between thousands."""
    return f"{value:,.0f}" if abs(value) >= 1e6 else f"{value:,.6g}"


# Axes


def plot_of(chart: Chart, width: float = WIDTH) -> Plot:
    """The axes of `chart`, long enough for all lines, intervals and levels."""
    at = [x for line in chart.lines for x in line.x]
    left, right = (min(at), max(at)) if at else (1.0, 10.0)
    ends = [y for line in chart.lines for y in (*line.y, *(line.low or ()), *(line.high or ()))]
    ends += [level.value for level in chart.levels]
    up = ticks(min(ends, default=0.0), max(ends, default=1.0), outside=True)
    if left == right:
        left, right = (left / 2, right * 2) if chart.logarithmic else (left - 1, right + 1)
    across = (decades if chart.logarithmic else ticks)(left, right)
    scale = log10 if chart.logarithmic else float
    long = width - _gutter(up) - width_of(_number(across[-1]), SIZE) / 2
    x = _scale(scale(left), scale(right), 0.0, long)
    return Plot(lambda at: x(scale(at)), _scale(up[0], up[-1], HEIGHT, 0.0), across, up, long)


def _scale(low: float, high: float, first: float, last: float) -> Callable[[float], float]:
    return lambda value: first + (value - low) / (high - low) * (last - first)


def ticks(low: float, high: float, *, outside: bool = False) -> tuple[float, ...]:
    """About six round numbers from `low` to `high`; with `outside`, the first is not above `low`.

    >>> ticks(0, 1000)
    (0.0, 200.0, 400.0, 600.0, 800.0, 1000.0)
    >>> ticks(0.013, 0.049, outside=True)
    (0.01, 0.02, 0.03, 0.04, 0.05)
    """
    if not high - low > 1e-12 * max(abs(low), abs(high)):
        low, high = low - (abs(low) or 1) / 10, high + (abs(high) or 1) / 10
    rough = (high - low) / 5
    power = 10.0 ** floor(log10(rough))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= rough * 0.999)
    first, last = low / step, high / step
    begin = floor(first + 1e-9) if outside else ceil(first - 1e-9)
    end = ceil(last - 1e-9) if outside else floor(last + 1e-9)
    digits = max(0, -floor(log10(step)))
    return tuple(round(i * step, digits) + 0.0 for i in range(begin, end + 1))


def decades(low: float, high: float) -> tuple[float, ...]:
    """Powers of ten from `low` to `high`, and for a short axis also 2 and 5 times as much.

    >>> decades(1, 1000)
    (1.0, 10.0, 100.0, 1000.0)
    >>> decades(3, 60)
    (5.0, 10.0, 20.0, 50.0)
    """
    first, last = floor(log10(low)), ceil(log10(high))
    times = (1, 2, 5) if log10(high / low) < 2 else (1,)
    step = max(1, ceil((last - first) / 8))
    marks = (each * 10.0**power for power in range(first, last + 1, step) for each in times)
    inside = tuple(mark for mark in marks if low * (1 - 1e-9) <= mark <= high * (1 + 1e-9))
    return inside or ticks(low, high)


def _gutter(up: Sequence[float]) -> float:
    """The width of the numbers at the left."""
    return 10 + max(width_of(_number(tick), SIZE) for tick in up)


# Parts


def _legend(names: Sequence[str], width: float) -> Drawing:
    """The names beside samples of their lines, in rows above the plot."""
    x, y, parts = 0.0, 0.0, []
    for i, name in enumerate(names):
        wide = 46 + width_of(cut(name, 60), SIZE)
        if x and x + wide > width:
            x, y = 0.0, y + 22
        sample = _stroke(i, [(0, 0), (36, 0)]) + _sign(i, 18, 0)
        parts.append(moved(x, y + 10, sample, words(42, 5, cut(name, 60), SIZE)))
        x += wide + 12
    return Drawing(width if names else 0, y + 20, "".join(parts))


def _plotted(chart: Chart, plot: Plot, width: float) -> Drawing:
    """The axes with the lines and levels, and the words of the axes."""
    gutter = _gutter(plot.up)
    parts = [*_grid(plot), *_levels(chart, plot), *_bands(chart, plot)]
    signs: list[str] = []
    for i, line in enumerate(chart.lines):
        points = [(plot.x(x), plot.y(y)) for x, y in zip(line.x, line.y, strict=True)]
        signs += [_sign(i, x, y) for x, y in _staggered(points, i, len(chart.lines))]
        parts.append(element("g", tip(line.name), _stroke(i, points), data_line=line.name))
    parts += [*signs, *_level_names(chart, plot)]
    parts.append(words(plot.right / 2, HEIGHT + 42, chart.x, SIZE, text_anchor="middle", fill=GREY))
    above = words(0, 14, chart.y, SIZE, fill=GREY)
    return Drawing(width, HEIGHT + 76, above + moved(gutter, 30, *parts))


def _grid(plot: Plot) -> Iterator[str]:
    """Thin lines at the ticks, with their numbers."""
    for tick in plot.up:
        y = plot.y(tick)
        yield element("path", d=f"M0,{short(y)}H{short(plot.right)}", stroke=PALE)
        yield words(-8, y + 5, _number(tick), SIZE, text_anchor="end", fill=GREY)
    numbered = _numbered(plot)
    for tick in plot.across:
        x = plot.x(tick)
        yield element("path", d=f"M{short(x)},{short(HEIGHT)}v6", stroke=GREY)
        if tick in numbered:
            yield words(x, HEIGHT + 21, _number(tick), SIZE, text_anchor="middle", fill=GREY)
    yield element("path", d=f"M0,{short(HEIGHT)}H{short(plot.right)}", stroke=GREY)


def _numbered(plot: Plot) -> list[float]:
    """The ticks of the horizontal axis that have room for their number, from the last one on."""
    kept: list[float] = []
    for tick in reversed(plot.across):
        if not kept or plot.x(kept[-1]) - plot.x(tick) >= width_of(_number(kept[-1]), SIZE):
            kept.append(tick)
    return kept


def _bands(chart: Chart, plot: Plot) -> Iterator[str]:
    """The intervals of the lines, as areas."""
    for i, line in enumerate(chart.lines):
        if line.low is not None and line.high is not None:
            there = zip(line.x, line.high, strict=True)
            back = zip(reversed(line.x), reversed(line.low), strict=True)
            corners = [(plot.x(x), plot.y(y)) for x, y in (*there, *back)]
            colour = COLOURS[i % len(COLOURS)]
            yield element("path", d=f"{_path(corners)}Z", fill=colour, fill_opacity=0.14)


def _stroke(i: int, points: Sequence[tuple[float, float]]) -> str:
    """Line i. The first lines are wider, so that they are seen below the later ones."""
    return element(
        "path",
        d=_path(points),
        fill="none",
        stroke=COLOURS[i % len(COLOURS)],
        stroke_width=4.0 if i % len(DASHES) == 0 else 2.4,
        stroke_dasharray=",".join(map(str, DASHES[i % len(DASHES)])) or None,
        stroke_linejoin="round",
    )


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{short(x)},{short(y)}" for x, y in points) if points else "M0,0"


def _sign(i: int, x: float, y: float) -> str:
    """The sign of line i at (x, y)."""
    return element(
        "path",
        d=SIGNS[i % len(SIGNS)],
        transform=f"translate({short(x)} {short(y)})",
        fill=COLOURS[i % len(COLOURS)] if i % 2 == 0 else PAPER,
        stroke=COLOURS[i % len(COLOURS)],
        stroke_width=1.6,
    )


def _staggered(
    points: Sequence[tuple[float, float]], i: int, lines: int
) -> Iterator[tuple[float, float]]:
    """Points on line i for its signs, at places where no other line has its own.

    They are the points of a line that stands alone, if these are few.
    """
    if len(points) < 2 or (lines == 1 and len(points) <= 12):
        yield from points
        return
    across = [x for x, _ in points]
    times = max(2, 8 // lines)
    for k in range(times):
        at = across[0] + (across[-1] - across[0]) * (k + (i + 0.5) / lines) / times
        j = min(bisect_right(across, at), len(points) - 1)
        (x, y), (right, after) = points[j - 1 : j + 1]
        yield at, y + (after - y) * ((at - x) / (right - x) if right > x else 1)


def _levels(chart: Chart, plot: Plot) -> Iterator[str]:
    for level in chart.levels:
        y = short(plot.y(level.value))
        yield element(
            "path",
            tip(f"{level.name}: {level.value!r}"),
            d=f"M0,{y}H{short(plot.right)}",
            stroke=DARK,
            stroke_dasharray="6,4",
            data_level=level.name,
            data_value=repr(level.value),
        )


def _level_names(chart: Chart, plot: Plot) -> Iterator[str]:
    """The names of the levels above their right ends, moved apart where they would overlap.

    The names of levels that coincide stand above each other, and all of them above the line.
    """
    levels = sorted(chart.levels, key=lambda level: -level.value)
    groups = [(value, list(each)) for value, each in groupby(levels, lambda level: level.value)]
    sizes = [16.0 * len(each) for _, each in groups]
    room = [size / 2 if size == 16 else size / 2 + 5 for size in sizes]
    wanted = [plot.y(value) - above for (value, _), above in zip(groups, room, strict=True)]
    for (_, each), size, y in zip(groups, sizes, spread(wanted, sizes), strict=True):
        for i, level in enumerate(each):
            yield _level_name(level.name, plot.right - 4, y + 12 - size / 2 + 16 * i)


def _level_name(name: str, x: float, y: float) -> str:
    return words(
        x,
        y,
        cut(name, 60),
        13,
        text_anchor="end",
        stroke=PAPER,
        stroke_width=4,
        paint_order="stroke",
        stroke_linejoin="round",
    )
