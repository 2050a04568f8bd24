"""The results of lessons: tables, charts and JSON of what trees have learnt. None knows a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite

from purembts.app.game_results import digits_at, game_facts, record_facts, seen
from purembts.app.kinds import AnyGame, Position, Words
from purembts.app.lessons import AGAINST_BEST, Lesson, LessonRow, final_of, uct_play
from purembts.app.results import Result, value_facts
from purembts.app.steps import counted
from purembts.curves import PERCENT, Learning, Run, Trials, learning
from purembts.display import number, span
from purembts.pictures.charts import Chart, Level, Line
from purembts.play import is_alone
from purembts.records import visits
from purembts.report import Facts
from purembts.tables import Table, rows_table

READINGS = {
    "learnt": "the moves with the {final}",
    "backed up": "the moves with the best mean, each mean computed from its children",
}
"""The readings of a tree with their meanings, in the order of the fields of `Reading`."""
INDEPENDENT = "interval: it counts dives as independent, but they learn from one another"
HELP = (
    "A tree can be worth more than best play: the others play best for themselves, and this may "
    "help the player who begins."
)


def lesson_result(game: AnyGame, start: Position, title: str, lesson: Lesson) -> Result:
    """The rows of a lesson, the readings of its trees, and its curve as a chart."""
    rows = [
        {"play": row.play, **record_facts(game, row.record), "exact": value_facts(row.exact)}
        for row in lesson.rows
    ]
    found = {**game_facts(game, start), "rows": rows, **_curve_facts(lesson)}
    tables = [_lesson_table(game, start, title, lesson.rows)]
    if not lesson.curve:
        return Result(found, tuple(tables))
    tables.append(_readings_table(game, title, lesson))
    return Result(found, tuple(tables), chart=lesson_chart(title, lesson))


def _lesson_table(game: AnyGame, start: Position, title: str, rows: Iterable[LessonRow]) -> Table:
    """The ways to play, each with its games or dives and with its exact value."""
    player, heads = game.to_move(start), ["way to play", "mean", "95 % interval", "exact"]
    others = "" if is_alone(game) else ", and the others play best against it"
    cells = [
        [row.play, *seen(game, row.record, player), number(row.exact, digits_at(game))]
        for row in rows
    ]
    about = {
        "mean": "mean: of the random games, or of the dives",
        "95 % interval": INDEPENDENT,
        "exact": f"exact: the expected score; for UCT, with what the tree has learnt{others}",
    }
    title = title if is_alone(game) else f"{title}: the score of player {player + 1}"
    # Scores that are best for the others are worst for a player whose score and theirs have a sum.
    may_help = not (is_alone(game) or (game.players == 2 and game.score_sum is not None))
    how = {"words": heads[:1], "notes": (HELP,) if may_help else ()}
    return rows_table(title, heads, cells, **how, least=["95 % interval", "mean"], about=about)


def _meanings(game: AnyGame) -> dict[str, str]:
    """The readings of the trees of `game`, each with its meaning in a note."""
    final = "most visits" if final_of(game) is visits else "best mean"
    return {name: f"{name}: {text.format(final=final)}" for name, text in READINGS.items()}


def _readings_table(game: AnyGame, title: str, lesson: Lesson) -> Table:
    """The exact value of each reading of the trees, between random and best play."""
    digits, plays = digits_at(game), [row.play for row in lesson.rows]
    rows = [
        [uct_play(read), f"{read.positions:,}", *(number(value, digits) for value in read[2:])]
        for read in lesson.curve
        if uct_play(read) in plays
    ]
    first, *last = ([name, "", *[number(x, digits)] * 2] for name, x in lesson.ends.items())
    heads, title = ["tree", "positions", *READINGS], f"{title}: the worth of a tree"
    how: Words = {"words": ["tree"], "least": ["positions", "backed up"], "about": _meanings(game)}
    return rows_table(title, heads, [first, *rows, *last], **how)


def lesson_chart(title: str, lesson: Lesson) -> Chart:
    """The exact values of the readings against dives, with levels for random and for best play.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> from purembts.app.lessons import learn
    >>> *_, lesson = learn(last_coin(), Pile(7), 50, [10, 100], seed=7, marks=(20, 50))
    >>> [line.name for line in lesson_chart("Seven coins", lesson).lines]
    ['learnt', 'backed up']
    """
    lines = [
        Line(name, *zip(*[(read.dives, float(read[i])) for read in lesson.curve], strict=True))
        for i, name in enumerate(READINGS, start=2)
    ]
    ends = [Level(name, float(value)) for name, value in lesson.ends.items()]
    return curves_chart(f"{title}: what a search has learnt", lines, ends)


def curves_chart(title: str, lines: Iterable[Line], levels: Iterable[Level]) -> Chart:
    """The chart of exact values against dives, with the values of some ways to play as `levels`."""
    y = "exact expected score"
    return Chart(title, "dives", y, tuple(lines), tuple(levels), logarithmic=True)


def _curve_facts(lesson: Lesson) -> Facts:
    """The curve as an object of JSON."""
    curve = [
        {
            "dives": read.dives,
            **value_facts(read.learnt),
            "backed_up": value_facts(read.backed_up),
            "positions": read.positions,
        }
        for read in lesson.curve
    ]
    return {"curve": curve}


# Many seeds


def seeds_result(
    game: AnyGame,
    start: Position,
    title: str,
    trials: Trials,
    runs: Sequence[Run],
    dives: Iterable[int],
) -> Result:
    """The curves of what the trees of many seeds have learnt; the table has those after `dives`."""
    lines, n = learning(trials, runs), counted(len(runs), "seed")
    title = f"{title}: what the trees of {n} have learnt"
    table = _seeds_table(game, title, trials, lines, dives)
    facts = {**game_facts(game, start), "seeds": len(runs), **_seeds_facts(trials, lines)}
    return Result(facts, (table,), chart=_seeds_chart(game, title, trials, lines))


def _random(game: AnyGame) -> str:
    """The name of the exact value of random play."""
    return "random play" if is_alone(game) else AGAINST_BEST


def _seeds_table(
    game: AnyGame,
    title: str,
    trials: Trials,
    lines: Mapping[str, Learning],
    dives: Iterable[int],
) -> Table:
    """The values of the trees of many seeds after each of `dives`, between random and best play."""
    digits = digits_at(game)
    rows = [
        [f"{name}, {counted(mark, 'dive')}", *_spread(line, trials.marks.index(mark), digits)]
        for mark in sorted({*dives})
        for name, line in lines.items()
    ]
    ends = {_random(game): trials.chance, "best play": trials.best}
    first, last = ([name, number(value, digits), *[""] * 5] for name, value in ends.items())
    low, *_, high = [f"{percent} %" for percent in PERCENT]
    heads = ["trees", "mean", "95 % interval", low, "median", high, "worse"]
    about = {
        "95 % interval": "interval: of the mean over the seeds",
        low: f"{low}, median, {high}: of the values of the trees, which are exact",
        "worse": "worse: the share of trees that play worse than random moves",
    }
    least = ["95 % interval", "median", high, low, "worse"]
    how = {"words": ["trees"], "notes": [*_meanings(game).values()], "least": least}
    return rows_table(title, heads, [first, *rows, last], **how, about=about)


def _spread(line: Learning, i: int, digits: int) -> list[str]:
    """The cells of one number of dives."""
    curve, spread = line.curve, line.quantiles[i]
    ends = (curve.low[i], curve.high[i])
    shown = [number(spread[k], digits) for k in (0, len(PERCENT) // 2, -1)]
    sure = span(ends, digits) if isfinite(ends[0]) else ""
    return [number(curve.mean[i], digits), sure, *shown, f"{100 * line.worse[i]:.1f} %"]


def _seeds_chart(game: AnyGame, title: str, trials: Trials, lines: Mapping[str, Learning]) -> Chart:
    """The mean of the exact values against dives, with bands between the outer quantiles."""
    bands = {name: list(zip(*line.quantiles, strict=True)) for name, line in lines.items()}
    shown = [
        Line(name, trials.marks, line.curve.mean, bands[name][0], bands[name][-1])
        for name, line in lines.items()
    ]
    ends = Level(_random(game), trials.chance), Level("best play", trials.best)
    title = f"{title}: the mean, and {PERCENT[0]} to {PERCENT[-1]} % of the trees"
    return curves_chart(title, shown, ends)


def _seeds_facts(trials: Trials, lines: Mapping[str, Learning]) -> Facts:
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
