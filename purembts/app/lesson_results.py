"""The readings of the trees of a lesson, as a table, as a chart and as JSON. None knows a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isfinite

from purembts.app.lessons import Lesson, LessonRow, Reading
from purembts.app.results import result_table, value_facts
from purembts.app.steps import counted
from purembts.curves import PERCENT, Learning, Trials
from purembts.display import number, span
from purembts.pictures.charts import Chart, Level, Line
from purembts.report import Facts
from purembts.tables import Table

READINGS = {
    "learnt": "the moves with the {final}",
    "backed up": "the moves with the best mean, each mean computed from its children",
}
"""The readings of a tree with their meanings, in the order of the fields of `Reading`."""
SETTLE = "settle: dives that skip settled moves and events, until the start is settled too"


def readings_table(title: str, rows: Sequence[LessonRow], *, digits: int, final: str) -> Table:
    """The exact value of each reading of the trees, between random and best play.

    `final` names the rank of the moves that are learnt.
    """
    ends = {name: [name, "", "", *[number(x, digits)] * 2] for name, x in ends_of(rows).items()}
    cells = {}
    for row in rows:
        if row.reading and row.settling:
            cells[row.play] = _cells(row.play, row.reading, digits)
            play = f"settle, {counted(row.settling.dives, 'dive')}"
            cells[play] = _cells(play, row.settling, digits)
            cells[play][3] = ""  # the means of `settle` estimate nothing
    first, last = ([ends[name]] if name in ends else [] for name in ("random play", "best play"))
    heads = ["tree", "positions", "certain", *READINGS]
    every = [*first, *cells.values(), *last]
    about = {name: f"{name}: {text.format(final=final)}" for name, text in READINGS.items()}
    about["certain"] = "certain: the positions whose worth is certain"
    title, least = f"{title}: the worth of a tree", ["learnt", "backed up", "positions", "certain"]
    how = {"words": ["tree"], "notes": [SETTLE], "least": least}
    return result_table(title, heads, every, **how, about=about)


def _cells(play: str, read: Reading, digits: int) -> list[str]:
    values = [number(value, digits) for value in read[3:]]
    return [play, f"{read.positions:,}", f"{read.certain:,}", *values]


def ends_of(rows: Iterable[LessonRow]) -> dict[str, Fraction]:
    """The exact values of random and of best play, as far as a lesson has come."""
    exact = {row.play: row.exact for row in rows}
    random_play = [exact[name] for name in exact if name.startswith("random moves")][-1:]
    ends = dict.fromkeys(["random play"], random_play[0]) if random_play else {}
    return ends | {name: exact[name] for name in ["best play"] if name in exact}


def lesson_chart(title: str, lesson: Lesson) -> Chart:
    """The exact values of the readings against dives, with levels for random and for best play.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> from purembts.app.lessons import learn
    >>> *_, lesson = learn(last_coin(), Pile(7), 50, [10, 100], seed=7, marks=(20, 50))
    >>> [line.name for line in lesson_chart("Seven coins", lesson).lines]
    ['learnt', 'backed up', 'settle, backed up']
    """
    settling, dives = lesson.settling, tuple(read.dives for read in lesson.curve)
    lines = [
        Line(name, dives, tuple(float(read[i]) for read in lesson.curve))
        for i, name in enumerate(READINGS, 3)
    ]
    proved = Line(
        "settle, backed up",
        tuple(read.dives for read in settling),
        tuple(float(read.backed_up) for read in settling),
    )
    ends = [Level(name, float(value)) for name, value in ends_of(lesson.rows).items()]
    return curves_chart(f"{title}: what a search has learnt", [*lines, proved], ends)


def curves_chart(title: str, lines: Iterable[Line], levels: Iterable[Level]) -> Chart:
    """The chart of exact values against dives, with the values of some ways to play as `levels`."""
    y = "exact expected score"
    return Chart(title, "dives", y, tuple(lines), tuple(levels), logarithmic=True)


def curve_facts(lesson: Lesson) -> Facts:
    """The two curves as objects of JSON; means of `settle` have values only where backed up."""

    def point(read: Reading, values: Facts) -> Facts:
        sizes = {"positions": read.positions, "certain": read.certain}
        return {"dives": read.dives, **values, **sizes}

    curve = [
        point(read, {**value_facts(read.learnt), "backed_up": value_facts(read.backed_up)})
        for read in lesson.curve
    ]
    settle = [point(read, value_facts(read.backed_up)) for read in lesson.settling]
    return {"curve": curve, "settle": settle}


# Many seeds


def seeds_table(
    title: str,
    trials: Trials,
    lines: Mapping[str, Learning],
    dives: Iterable[int],
    *,
    digits: int,
    final: str,
) -> Table:
    """The values of the trees of many seeds after each of `dives`, between random and best play.

    `final` names the rank of the moves that are learnt.
    """
    rows = [
        [f"{name}, {counted(mark, 'dive')}", *_spread(line, trials.marks.index(mark), digits)]
        for mark in sorted({*dives})
        for name, line in lines.items()
    ]
    ends = {"random play": trials.chance, "best play": trials.best}
    first, last = ([name, number(value, digits), *[""] * 5] for name, value in ends.items())
    low, *_, high = [f"{percent} %" for percent in PERCENT]
    heads = ["trees", "mean", "95 % interval", low, "median", high, "worse"]
    meanings = [f"{name}: {text.format(final=final)}" for name, text in READINGS.items()]
    about = {
        "95 % interval": "interval: of the mean over the seeds",
        low: f"{low}, median, {high}: of the values of the trees, which are exact",
        "worse": "worse: the share of trees that play worse than random moves",
    }
    least = ["95 % interval", "median", high, low, "worse"]
    how = {"words": ["trees"], "notes": meanings, "least": least}
    return result_table(title, heads, [first, *rows, last], **how, about=about)


def _spread(line: Learning, i: int, digits: int) -> list[str]:
    """The cells of one number of dives."""
    curve, spread = line.curve, line.quantiles[i]
    ends = (curve.low[i], curve.high[i])
    shown = [number(spread[k], digits) for k in (0, len(PERCENT) // 2, -1)]
    sure = span(ends, digits) if isfinite(ends[0]) else ""
    return [number(curve.mean[i], digits), sure, *shown, f"{100 * line.worse[i]:.1f} %"]


def seeds_chart(title: str, trials: Trials, lines: Mapping[str, Learning]) -> Chart:
    """The mean of the exact values against dives, with bands from the lowest quantile to the last.

    >>> from purembts.curves import learning, trials_of
    >>> from purembts.games.last_coin import last_coin, pile
    >>> trials = trials_of(last_coin(), (10, 100), 9, seed=7, start=pile(9))
    >>> lines = learning(trials, trials.runs(range(9)))
    >>> [line.name for line in seeds_chart("Nine coins", trials, lines).lines][:2]
    ['UCB1', 'UCB1, backed up']
    """
    bands = {name: list(zip(*line.quantiles, strict=True)) for name, line in lines.items()}
    shown = [
        Line(name, trials.marks, line.curve.mean, bands[name][0], bands[name][-1])
        for name, line in lines.items()
    ]
    ends = Level("random play", trials.chance), Level("best play", trials.best)
    title = f"{title}: the mean, and {PERCENT[0]} to {PERCENT[-1]} % of the trees"
    return curves_chart(title, shown, ends)


def seeds_facts(trials: Trials, lines: Mapping[str, Learning]) -> Facts:
    """The curves as an object of JSON, which has no infinity: one seed has no interval."""
    points = {
        name: [
            {
                "dives": mark,
                "mean": curve.mean[i],
                "interval": [curve.low[i], curve.high[i]] if isfinite(curve.low[i]) else None,
                "quantiles": dict(zip(map(str, PERCENT), quantiles[i], strict=True)),
                "worse": worse[i],
            }
            for i, mark in enumerate(trials.marks)
        ]
        for name, (curve, quantiles, worse) in lines.items()
    }
    return {"random_play": trials.chance, "best_play": trials.best, "curves": points}
