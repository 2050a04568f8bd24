"""The readings of the trees of a lesson, as a table, as a chart and as JSON. None knows a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from purembts.app.lessons import Lesson, LessonRow, Reading
from purembts.app.results import ranked, value_facts
from purembts.app.steps import counted
from purembts.display import number
from purembts.pictures.charts import Chart, Level, Line
from purembts.report import Facts
from purembts.tables import Table, rows_table

READINGS = {
    "learnt": "the moves with the {final}",
    "backed up": "the moves with the best mean, when means are backed up",
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
    table = rows_table(
        f"{title}: the worth of a tree", heads, every, words=["tree"], notes=[SETTLE]
    )
    notes = {name: f"{name}: {text.format(final=final)}" for name, text in READINGS.items()}
    notes["certain"] = "certain: the positions whose worth is certain"
    return ranked(table, "learnt", "backed up", "positions", "certain", **notes)


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
    return Chart(
        title=f"{title}: what a search has learnt",
        x="dives",
        y="exact expected score",
        lines=(*lines, proved),
        levels=tuple(Level(name, float(value)) for name, value in ends_of(lesson.rows).items()),
        logarithmic=True,
    )


def reading_facts(read: Reading) -> Facts:
    """A point of the curve as an object of JSON: the value of the learnt moves, and the others."""
    return {
        "dives": read.dives,
        **value_facts(read.learnt),
        "backed_up": value_facts(read.backed_up),
        "positions": read.positions,
        "certain": read.certain,
    }


def settling_facts(read: Reading) -> Facts:
    """A point of the curve of `settle`, whose value is that of the means backed up."""
    sizes = {"positions": read.positions, "certain": read.certain}
    return {"dives": read.dives, **value_facts(read.backed_up), **sizes}
