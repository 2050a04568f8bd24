"""The result of `learn`: what trees have learnt, as a table, as JSON and as a chart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import isfinite

from purembts.app.game_results import digits_at, game_facts
from purembts.app.kinds import AnyGame, Position
from purembts.app.results import Result, value_facts
from purembts.app.steps import counted
from purembts.curves import PERCENT, Learning, Run, Trials, learning
from purembts.display import number, span
from purembts.mcts import final_of
from purembts.pictures.charts import Chart, Level, Line
from purembts.play import is_alone
from purembts.records import visits
from purembts.report import Facts
from purembts.tables import ALWAYS, Column, Table, filled

NAMES = {"learnt": "learnt", "learnt, backed up": "backed up"}
"""The names of the two lines of `curves` for a bound that is called `learnt`."""


def runs_so_far(trials: Trials, seeds: int) -> Iterator[tuple[list[Run], int]]:
    """The runs of `seeds` seeds after each reading, and the number of readings.

    They are the runs that are done, or the first one as far as it goes.
    """
    done, n = list[Run](), len(trials.marks)
    for i in range(seeds):
        run: Run = []
        for reading in trials.readings(i):
            run = [*run, reading]
            yield [*done, run] if len(run) == n else done or [run], i * n + len(run)
        done = [*done, run]


def learning_result(
    game: AnyGame,
    start: Position,
    title: str,
    trials: Trials,
    runs: Sequence[Run],
    dives: Iterable[int],
) -> Result:
    """The values of what trees have learnt; the table has a row for each of `dives`."""
    lines = {NAMES[name]: line for name, line in learning(trials, runs).items()}
    marks = trials.marks[: len(runs[0])]
    facts = {
        **game_facts(game, start),
        "seeds": len(runs),
        "random_play": value_facts(trials.chance),
        "best_play": value_facts(trials.best),
        "curve": [{"dives": mark, **_point(lines, i)} for i, mark in enumerate(marks)],
    }
    shown = [i for i, mark in enumerate(marks) if mark in {*dives}]
    several = "" if len(runs) == 1 else f": {counted(len(runs), 'seed')}"
    table = _table(game, f"{title}{several}", trials, lines, shown)
    if not is_alone(game):
        whose = f"the scores are those of player {game.to_move(start) + 1} against best play"
        table = table._replace(notes=(whose,))
    return Result(facts, (table,), chart=learning_chart(game, title, trials, runs))


def _ends_of(game: AnyGame, trials: Trials) -> dict[str, Fraction]:
    """The exact values of random play and of best play, by their names."""
    return {by_chance(game): trials.chance, "best play": trials.best}


def by_chance(game: AnyGame) -> str:
    """The name of random play. Where others move too, they play best against it."""
    return "random play" if is_alone(game) else "random play against best play"


def _point(lines: Mapping[str, Learning], i: int) -> Facts:
    """The values after a number of dives. JSON has no infinity: one seed has no interval."""
    return {
        name.replace(" ", "_"): {
            "mean": curve.mean[i],
            "interval": [curve.low[i], curve.high[i]] if isfinite(curve.low[i]) else None,
            "quantiles": dict(zip(map(str, PERCENT), quantiles[i], strict=True)),
            "worse": worse[i],
        }
        for name, (curve, quantiles, worse) in lines.items()
    }


def _table(
    game: AnyGame, title: str, trials: Trials, lines: Mapping[str, Learning], shown: Sequence[int]
) -> Table:
    """The values of the trees at the marks `shown`, between those of random and of best play."""
    digits, ends = digits_at(game), _ends_of(game, trials)
    first, last = [(number(value, digits), "", "") for value in ends.values()]
    names = ("random play", *(counted(trials.marks[i], "dive") for i in shown), "best play")
    columns, notes = [Column("tree", names, is_text=True)], _notes(game)
    for name, line in lines.items():
        cells = zip(first, *(_cells(line, i, digits) for i in shown), last, strict=True)
        heads = ((name, ALWAYS), (INTERVAL, 1), (QUANTILES, 0))
        for (head, rank), own in zip(heads, cells, strict=True):
            columns.append(Column(head, own, importance=rank, note=notes.pop(head, "")))
    return Table(title, filled(columns))


INTERVAL, QUANTILES = "95 % interval", f"{PERCENT[0]} to {PERCENT[-1]} %"
"""The headings of the columns that one seed does not have."""


def _notes(game: AnyGame) -> dict[str, str]:
    """The note of the first column with each heading."""
    final = "most visits" if final_of(game) is visits else "best mean"
    return {
        "learnt": f"learnt: the moves with the {final}",
        "backed up": "backed up: the moves with the best mean, "
        "each mean computed from its children",
        INTERVAL: "interval: of the mean over the seeds",
        QUANTILES: f"{QUANTILES}: of the values of the trees, which are exact",
    }


def _cells(line: Learning, i: int, digits: int) -> tuple[str, str, str]:
    """The mean over the seeds, its interval, and the outer quantiles; one seed has a value."""
    curve, quantiles = line.curve, line.quantiles[i]
    ends = (curve.low[i], curve.high[i]), (quantiles[0], quantiles[-1])
    shown = [span(each, digits) for each in ends] if isfinite(curve.low[i]) else ["", ""]
    return number(curve.mean[i], digits), shown[0], shown[1]


def learning_chart(game: AnyGame, title: str, trials: Trials, runs: Sequence[Run]) -> Chart:
    """The exact values against dives, over many seeds with bands between the outer quantiles.

    >>> from purembts.bounds import ucb1
    >>> from purembts.curves import trials_of
    >>> from purembts.games.last_coin import last_coin, pile
    >>> trials = trials_of(last_coin(), (10, 20), {"learnt": ucb1}, seed=7, start=pile(7))
    >>> chart = learning_chart(last_coin(), "Seven coins", trials, [list(trials.readings(0))])
    >>> [line.name for line in chart.lines]
    ['learnt', 'backed up']
    """
    lines, n = list[Line](), len(runs)
    for name, line in learning(trials, runs).items():
        bands = list(zip(*line.quantiles, strict=True)) if n > 1 else [None]
        lines.append(Line(NAMES[name], *line.curve[:2], bands[0], bands[-1]))
    trees = f"the trees of {counted(n, 'seed')} have learnt: the mean, and {QUANTILES} of them"
    title = f"{title}: what {'a tree has learnt' if n == 1 else trees}"
    return curves_chart(title, lines, _ends_of(game, trials))


def curves_chart(title: str, lines: Iterable[Line], ends: Mapping[str, Fraction]) -> Chart:
    """The chart of exact values against dives, with the values of some ways to play as levels."""
    levels = tuple(Level(name, float(value)) for name, value in ends.items())
    return Chart(title, "dives", "exact expected score", tuple(lines), levels, logarithmic=True)
