"""Charts as values: lines with intervals over an axis, and levels of reference.

`chart` draws one as SVG. The lines differ in colour and in dashes, so two lines that coincide look
different from one line, also in black and white.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor, inf, isfinite, log10
from typing import NamedTuple, TypeAlias

from toolz import concat

from purembts.curves import Curves, headline, random_play_name
from purembts.display import cut
from purembts.pictures import svg
from purembts.pictures.svg import DARK, GREY, PALE, Attribute, Drawing, Picture

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", DARK)
"""The colours of Okabe and Ito, which look different to people who are colour-blind."""
DASHES = (None, "9,4", "2,3", "10,3,2,3", "5,3", "14,4", "8,3,2,3,2,3", "1,4")
"""The dashes of the lines: the lengths of ink and gap. The first line is solid.

There are eight dashes and seven colours, so 56 lines differ.
"""
_DOTS = 12
"""The most points of a line that has a dot at each."""
_WIDTH, _HEIGHT, _SIZE = 600.0, 330.0, 14.0
"""The width of the drawing inside the margins, the height of the axis, the size of text."""
_Point: TypeAlias = tuple[float, float]


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
    limits: tuple[float, float] = (-inf, inf)
    """The lowest and the highest number of the vertical axis, for lines that stay between them."""

    def __str__(self) -> str:
        return str(chart(self))

    def _repr_svg_(self) -> str:
        return chart(self).svg


def curves_chart(curves: Curves) -> Chart:
    """The means over the numbers of dives, with bands between the outer quantiles."""
    game, _, chance, best, *_ = curves.trials
    lines = list[Line]()
    for name, line in curves.lines.items():
        bands = list(zip(*line.quantiles, strict=True)) if curves.seeds > 1 else [None]
        lines.append(Line(name, *line.curve[:2], bands[0], bands[-1]))
    levels = (Level(random_play_name(game), float(chance)), Level("best play", float(best)))
    title, what = headline(curves), "exact expected score"
    return Chart(title, "dives", what, lines, levels, logarithmic=True, limits=game.score_range)


class _Plot(NamedTuple):
    """The place of the numbers: from data to the points of a drawing."""

    x: Callable[[float], float]
    y: Callable[[float], float]
    across: tuple[float, ...]
    """The numbers at the ticks of the horizontal axis."""
    up: tuple[float, ...]
    """The numbers at the ticks of the vertical axis. They begin and end it."""
    gutter: float
    """The width of the numbers at the left."""
    long: float
    """The length of the horizontal axis."""


def chart(chart: Chart) -> Picture:
    """The picture of `chart`: its lines, their intervals, its levels, and a legend above them."""
    _check(chart)
    legend, plotted = _legend(chart.lines), _plotted(chart, _plot_of(chart))
    drawing = svg.stacked([svg.heading(chart.title, _WIDTH), legend, plotted])
    return svg.picture(chart.title, _text(chart), drawing)


def _check(chart: Chart) -> None:
    """Raise a ValueError if a line or a level has no place in the picture."""
    numbers = [(f"Level {name!r}", value) for name, value in chart.levels]
    for name, x, *others in chart.lines:
        columns = [x, *(column for column in others if column is not None)]
        numbers += [(f"The numbers of line {name!r}", value) for value in concat(columns)]
        if len(set(map(len, columns))) > 1:
            raise ValueError(f"The sequences of line {name!r} must have the same length.")
        if list(x) != sorted(x):
            raise ValueError(f"`x` of line {name!r} must be in ascending order.")
        if chart.logarithmic and min(x, default=1) <= 0:
            right = f"`x` of line {name!r} must be above 0 on a logarithmic axis"
            raise ValueError(f"{right}; got {min(x)!r}.")
    for name, value in numbers:
        if not isfinite(value):
            raise ValueError(f"{name} must be finite; got {value!r}.")


def _text(chart: Chart) -> str:
    """The chart in words."""
    lines = [
        f"{line.name}: {_short_number(line.y[0])} at {_short_number(line.x[0])}, "
        f"{_short_number(line.y[-1])} at {_short_number(line.x[-1])}."
        for line in chart.lines
        if line.x
    ]
    levels = [f"{level.name}: {_short_number(level.value)}." for level in chart.levels]
    return "\n".join([f"{chart.y} over {chart.x}.", *lines, *levels])


def _short_number(value: float) -> str:
    """`value` with six significant digits, and commas between thousands."""
    return f"{value:,.0f}" if abs(value) >= 1e6 else f"{value:,.6g}"


def _plot_of(chart: Chart) -> _Plot:
    """The axes of `chart`, long enough for all lines, intervals and levels."""
    at = [x for line in chart.lines for x in line.x]
    low, high = (min(at), max(at)) if at else (1.0, 10.0)
    ends = [y for line in chart.lines for y in (*line.y, *(line.low or ()), *(line.high or ()))]
    ends += [level.value for level in chart.levels]
    bottom, top = chart.limits
    up = ticks(min(ends, default=0.0), max(ends, default=1.0), outside=True)
    up = tuple(sorted({min(max(tick, bottom), top) for tick in up}))
    if low == high:
        low, high = (low, 10 * low) if chart.logarithmic else (low - 1, high + 1)
    across = (_decades if chart.logarithmic else ticks)(low, high)
    scale = log10 if chart.logarithmic else float
    gutter = 10 + max(svg.width_of(_short_number(tick), _SIZE) for tick in up)
    long = _WIDTH - gutter - svg.width_of(_short_number(across[-1]), _SIZE) / 2
    x = to_scale(scale(low), scale(high), 0.0, long)
    y = to_scale(up[0], up[-1], _HEIGHT, 0.0)
    return _Plot(lambda at: x(scale(at)), y, across, up, gutter, long)


def to_scale(low: float, high: float, first: float, last: float) -> Callable[[float], float]:
    """The linear function with the value `first` at `low` and `last` at `high`."""
    return lambda value: first + (value - low) / (high - low) * (last - first)


def ticks(low: float, high: float, *, outside: bool = False) -> tuple[float, ...]:
    """About six round numbers from `low` to `high`; with `outside`, they enclose both.

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


def _decades(low: float, high: float) -> tuple[float, ...]:
    """Powers of ten from `low` to `high`, and for a short axis also 2 and 5 times as much.

    >>> _decades(1, 1000)
    (1.0, 10.0, 100.0, 1000.0)
    >>> _decades(3, 60)
    (5.0, 10.0, 20.0, 50.0)
    """
    first, last = floor(log10(low)), ceil(log10(high))
    factors = (1, 2, 5) if log10(high / low) < 2 else (1,)
    step = max(1, ceil((last - first) / 8))
    marks = (n * 10.0**power for power in range(first, last + 1, step) for n in factors)
    inside = tuple(mark for mark in marks if low * (1 - 1e-9) <= mark <= high * (1 + 1e-9))
    return inside or ticks(low, high)


def _legend(lines: Sequence[Line]) -> Drawing:
    """The names beside samples of their lines, in rows above the plot."""
    x, y, parts = 0.0, 0.0, []
    for i, line in enumerate(lines):
        name = cut(line.name, 60)
        wide = 46 + svg.width_of(name, _SIZE)
        if x and x + wide > _WIDTH:
            x, y = 0.0, y + 22
        dots = [(18.0, 0.0)] if len(line.x) <= _DOTS else []
        sample = _stroke(i, [(0, 0), (36, 0)], dots)
        parts.append(svg.group(x, y + 10, *sample, svg.words(42, 5, name, _SIZE)))
        x += wide + 12
    return Drawing(_WIDTH if lines else 0, y + 20, "".join(parts))


def _plotted(chart: Chart, plot: _Plot) -> Drawing:
    """The axes with the lines and levels, and the words of the axes."""
    parts = [*_grid(plot), *_intervals(chart, plot)]
    for i, line in enumerate(chart.lines):
        points = [(plot.x(x), plot.y(y)) for x, y in zip(line.x, line.y, strict=True)]
        stroke = _stroke(i, points, points if len(points) <= _DOTS else [])
        parts.append(svg.element("g", svg.tip(line.name), *stroke, data_line=line.name))
    parts += _levels(chart, plot)
    parts.append(svg.words(plot.long / 2, _HEIGHT + 42, chart.x, _SIZE, "middle", fill=GREY))
    above = svg.words(0, 14, chart.y, _SIZE, fill=GREY)
    return Drawing(_WIDTH, _HEIGHT + 76, above + svg.group(plot.gutter, 30, *parts))


def _grid(plot: _Plot) -> Iterator[str]:
    """Thin lines at the ticks, with their numbers where there is room, from the last one on."""
    for tick in plot.up:
        y = plot.y(tick)
        yield svg.path(f"M0,{y}H{plot.long}", stroke=PALE)
        yield svg.words(-8, y + 5, _short_number(tick), _SIZE, "end", fill=GREY)
    marks, free = [], inf
    for tick in reversed(plot.across):
        x, text = plot.x(tick), _short_number(tick)
        marks.append(svg.path(f"M{x},{_HEIGHT}v6", stroke=GREY))
        if x <= free:
            marks[-1] += svg.words(x, _HEIGHT + 21, text, _SIZE, "middle", fill=GREY)
            free = x - svg.width_of(text, _SIZE)
    yield from reversed(marks)
    yield svg.path(f"M0,{_HEIGHT}H{plot.long}", stroke=GREY)


def _intervals(chart: Chart, plot: _Plot) -> Iterator[str]:
    """The intervals of the lines, as areas."""
    for i, line in enumerate(chart.lines):
        if line.low is not None and line.high is not None:
            there = zip(line.x, line.high, strict=True)
            back = zip(reversed(line.x), reversed(line.low), strict=True)
            corners = [(plot.x(x), plot.y(y)) for x, y in (*there, *back)]
            area, colour = f"{_through(corners)}Z", COLOURS[i % len(COLOURS)]
            yield svg.path(area, fill=colour, fill_opacity=0.14)


def _stroke(i: int, points: Sequence[_Point], dots: Sequence[_Point]) -> Iterator[str]:
    """Line i. The first lines are wider, so that they are seen below the later ones."""
    colour, dashes = COLOURS[i % len(COLOURS)], DASHES[i % len(DASHES)]
    look: dict[str, Attribute] = {"stroke": colour, "stroke_width": 2.4 if dashes else 4.0}
    look |= {"stroke_dasharray": dashes, "stroke_linejoin": "round"}
    yield svg.path(_through(points), fill="none", **look)
    for x, y in dots:
        yield svg.element("circle", cx=x, cy=y, r=4, fill=colour)


def _through(points: Sequence[_Point]) -> str:
    return "M" + "L".join(f"{x},{y}" for x, y in points or [(0, 0)])


def _levels(chart: Chart, plot: _Plot) -> Iterator[str]:
    """Lines of reference, and their names above the right ends, or higher where they overlap."""
    levels, names, y = sorted(chart.levels, key=lambda level: -level.value), [], inf
    for name, value in reversed(levels):
        line, look = f"M0,{plot.y(value)}H{plot.long}", {"stroke": DARK, "stroke_dasharray": "6,4"}
        yield svg.path(line, svg.tip(f"{name}: {value!r}"), **look)
        y = min(plot.y(value) - 4, y - 16)
        names.append(svg.words_on_lines(plot.long - 4, y, cut(name, 60)))
    yield from names
