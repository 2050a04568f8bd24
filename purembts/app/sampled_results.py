"""Estimates as tables and charts: random games, learnt values, the regret of bandits, and pi."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import inf, isfinite, log, pi

from toolz import concat

from purembts import bandits
from purembts.app import results
from purembts.app.positions import AnyGame, Position
from purembts.app.results import Result
from purembts.bandits import Curve, Pulls, lai_robbins
from purembts.bounds import AnyBound, name_of, ucb1, ucb_wald
from purembts.chance import Rng, repeatedly
from purembts.curves import COLUMN_NOTES, PERCENT, Curves, Learning, Run, Trials, learning
from purembts.display import counted, number, span
from purembts.game import S, Values
from purembts.mcts import final_of
from purembts.pictures.charts import Chart, Level, Line, curves_chart
from purembts.play import player_name, whose
from purembts.records import Record, interval, mean, visits
from purembts.report import Facts
from purembts.tables import Table, rows_table

# Random games


def _estimate_chart(
    series: Sequence[Sequence[float]], exact: Fraction | float | None, quantity: str, unit: str
) -> Chart:
    """The estimates of a quantity after more and more games or darts, and its exact value.

    `series` has the number of games or darts, the estimate, and the ends of its interval.
    """
    levels = [] if exact is None else [Level("exact value", float(exact))]
    exactly = "".join(f", exactly {level.value:.6g}" for level in levels)
    title = f"{quantity}: {series[-1][1]:.6g} by simulation{exactly}"
    line = Line("estimate", *zip(*series, strict=True))
    return Chart(title, unit, quantity, [line], levels, logarithmic=True)


def simulation_result(
    game: AnyGame, start: S, title: str, records: Sequence[Record], exact: Values | None
) -> Result:
    """The means of more and more random games, beside exact values of random play if known."""
    first, last, digits = game.to_move(start), records[-1], results.digits_at(game)
    values: Sequence[Fraction | None] = exact or (None,) * game.players
    rows = [
        [name, f"{last.visits:,}", *results.mean_cells(game, last, i), number(values[i], digits)]
        for i, name in results.player_numbers(game).items()
    ]
    heads, least = ["player", "games", "mean", "95 % interval", "exact"], ["games", "95 % interval"]
    table = rows_table(f"{title}: random games", heads, rows, least=least)
    ends = partial(interval, player=first, score_range=game.score_range)
    series = [(record.visits, float(mean(record, first)), *ends(record)) for record in records]
    quantity = f"mean score of {player_name(first)} with random moves"
    chart = _estimate_chart(series, values[first], quantity, "games")
    chart = chart._replace(title=f"{title}: {chart.title}", limits=game.score_range)
    facts = {**results.game_facts(game, start), **results.record_facts(game, last)}
    facts |= results.values_facts({"random_play": exact})
    return Result(facts, (table,), chart=chart)


# What trees have learnt

_LINE_NAMES = {"learnt": "learnt", "learnt, backed up": "backed up"}
"""The names of the two lines of `curves` for a bound that is called `learnt`."""
_INTERVAL, _QUANTILES = [*COLUMN_NOTES][:2]


def runs_so_far(trials: Trials, seeds: int) -> Iterator[tuple[list[Run], int]]:
    """After each reading of `seeds` runs, the runs so far, and the number of readings.

    The runs are the finished ones, or before that the first one as far as it goes.
    """
    runs, n = list[Run](), len(trials.marks)
    for i in range(seeds):
        run: Run = []
        for reading in trials.readings(i):
            run = [*run, reading]
            yield [*runs, run] if len(run) == n else runs or [run], i * n + len(run)
        runs = [*runs, run]


def learning_result(
    game: AnyGame,
    start: Position,
    title: str,
    trials: Trials,
    runs: Sequence[Run],
    dives: Iterable[int],
) -> Result:
    """The values of what trees have learnt; the table has a row for each of `dives`."""
    lines = learning(trials, runs)
    marks = trials.marks[: len(runs[0])]
    facts = {
        **results.game_facts(game, start),
        "seeds": len(runs),
        "random_play": results.value_facts(trials.chance),
        "best_play": results.value_facts(trials.best),
        "curve": [{"dives": mark, **_point_facts(lines, i)} for i, mark in enumerate(marks)],
    }
    points = [point for point in facts["curve"] if point["dives"] in {*dives}]
    several = "" if len(runs) == 1 else f": {counted(len(runs), 'seed')}"
    table = _learning_table(game, f"{title}{several}", trials, points)
    if note := whose(game, game.to_move(start), "the scores are those of"):
        table = table._replace(notes=(f"{note} against best play",))
    return Result(facts, (table,), chart=learning_chart(title, trials, runs))


def _point_facts(lines: Mapping[str, Learning], i: int) -> Facts:
    """The values after a number of dives. JSON has no infinity: one seed has no interval."""
    return {
        _LINE_NAMES[name].replace(" ", "_"): {
            "mean": curve.mean[i],
            "interval": [curve.low[i], curve.high[i]] if isfinite(curve.low[i]) else None,
            "quantiles": dict(zip(map(str, PERCENT), quantiles[i], strict=True)),
            "worse": worse[i],
        }
        for name, (curve, quantiles, worse) in lines.items()
    }


def _learning_table(game: AnyGame, title: str, trials: Trials, points: Sequence[Facts]) -> Table:
    """The values at some points of the curve, between those of random and of best play."""
    digits = results.digits_at(game)
    final = "most visits" if final_of(game) is visits else "best mean"
    about = {
        "learnt": f"learnt: the moves with the {final}",
        "backed up": "backed up: the moves with the best mean, "
        "each mean computed from its children",
        **COLUMN_NOTES,
    }
    first, last = [[number(value, digits), "", ""] * 2 for value in (trials.chance, trials.best)]
    rows = [["random play", *first]]
    for point in points:
        cells = [_point_cells(point[key], digits) for key in ("learnt", "backed_up")]
        rows.append([counted(point["dives"], "dive"), *concat(cells)])
    rows.append(["best play", *last])
    heads = ["tree", "learnt", _INTERVAL, _QUANTILES, "backed up", _INTERVAL, _QUANTILES]
    least = [_QUANTILES, _INTERVAL]
    notes = []
    if any(point["learnt"]["mean"] < trials.chance for point in points):
        notes = ["After few dives most moves were tried once: random play can be better."]
    return rows_table(title, heads, rows, words=["tree"], notes=notes, least=least, about=about)


def _point_cells(point: Facts, digits: int) -> list[str]:
    """The mean over the seeds, its interval, and the outer quantiles; one seed has a mean alone."""
    low, *_, high = point["quantiles"].values()
    ends = (low, high) if point["interval"] else None
    return [number(point["mean"], digits), span(point["interval"], digits), span(ends, digits)]


def learning_chart(title: str, trials: Trials, runs: Sequence[Run]) -> Chart:
    """The exact values of learnt moves against dives; for several seeds, with quantiles."""
    n, lines = len(runs), {_LINE_NAMES[key]: x for key, x in learning(trials, runs).items()}
    trees = f"the trees of {counted(n, 'seed')} have learnt: the mean, and {_QUANTILES} of them"
    title = f"{title}: what {'a tree has learnt' if n == 1 else trees}"
    return curves_chart(Curves(trials, n, lines))._replace(title=title)


# Bandits

_POLICIES: Mapping[str, tuple[str, bandits.BanditPolicy]] = {
    "random": ("Random arm", bandits.uniformly),
    "commit": ("Explore, then commit", bandits.explore_then_commit(50)),
    "epsilon": ("Epsilon-greedy (0.1)", bandits.epsilon_greedy(0.1)),
    "decaying": ("Decaying epsilon-greedy", bandits.epsilon_greedy(bandits.auer_schedule(5, 0.5))),
    "ucb1": ("UCB1", bandits.by_bound(ucb1)),
    "workshop": ("Bound of the workshop", bandits.by_bound(ucb_wald)),
    "tuned": ("UCB1-tuned", bandits.ucb1_tuned),
    "thompson": ("Thompson sampling", bandits.thompson),
}
"""The policies for one-armed machines, each with its title, by their names on the command line."""
BANDITS = {name: policy for name, (_, policy) in _POLICIES.items()}
BANDIT_TITLES = {name: title for name, (title, _) in _POLICIES.items()}
"""Their titles, which a page shows."""


def arms_table(
    history: Sequence[Pulls], *, bound: AnyBound = ucb1, means: Sequence[float] | None = None
) -> Table:
    """The arms of a bandit, which pay from 0 to 1, with their bounds and their `means` if known.

    >>> print(arms_table([Pulls(90, 63, 63), Pulls(10, 4, 4)], means=[0.7, 0.5]))
    Bandit: the arms
    arm    pulls    mean     95 % interval   bound  true mean
    -----  -----  ------  ----------------  ------  ---------
    arm 1     90  0.7000  0.5987 to 0.7849  1.0199     0.7000
    arm 2     10  0.4000  0.1682 to 0.6873  1.3597     0.5000
    bound: UCB1
    """
    total, rows = sum(arm.n for arm in history), []
    for i, (n, paid, _) in enumerate(history):
        cells = (number(paid / n), span(interval(Record(n, (paid,))))) if n else ("", "")
        limit, exact = number(bound(paid, n, total)), number(means[i]) if means else ""
        rows.append([f"arm {i + 1}", f"{n:,}", *cells, limit, exact])
    heads = ["arm", "pulls", "mean", "95 % interval", "bound", "true mean"]
    least, about = ("bound", "95 % interval", "true mean"), {"bound": f"bound: {name_of(bound)}"}
    return rows_table("Bandit: the arms", heads, rows, words=["arm"], least=least, about=about)


def bandit_result(
    runs: Sequence[Mapping[str, Sequence[float]]], means: Sequence[float], pulls: int
) -> Result:
    """The regret of some policies over `runs`, for arms that pay 1 with probabilities `means`."""
    curves, n = bandits.regret_curves(runs, pulls), len(runs)
    policies = {
        name: dict(zip(curve._fields, results.json_value(curve), strict=True))
        for name, curve in curves.items()
    }
    facts = {"means": list(means), "pulls": pulls, "runs": n, "policies": policies}
    arms = f"{counted(len(means), 'arm')} that pay{'s' if len(means) == 1 else ''}"
    arms = f"{arms} {', '.join(f'{mean:g}' for mean in means)} on average"
    table = _regret_table(f"Regret of {arms}", curves, n)
    lines = [
        Line(name, *[(0.0, *values) for values in curve[: 4 if n > 1 else 2]])
        for name, curve in curves.items()
    ]
    top = 1.15 * max(line.y[-1] for line in lines) or 1.0
    chart = Chart(
        title=f"{arms}; mean of {counted(n, 'run')}, 95 % intervals",
        x="pulls",
        y="regret: expected pay that was lost",
        lines=(*lines, *_references(means, pulls, top)),
        levels=[Level("always right", 0.0)],
    )
    return Result({**facts, "lai_robbins": lai_robbins(means)}, (table,), chart=chart)


_EPSILON = (
    "epsilon and ucb1: with a constant epsilon, every pull loses epsilon times the mean gap, "
    "without end. ucb1 loses less and less, but it explores long where arms are close: for the "
    "arms 0.6 and 0.5 it is ahead after about 20,000 pulls."
)
"""The reason why epsilon-greedy may be ahead of UCB1, against the articles."""


def _regret_table(title: str, curves: Mapping[str, Curve], runs: int) -> Table:
    """The regret of each policy after a tenth, half and all of the pulls."""
    at = next(iter(curves.values())).at
    marks = sorted({bisect_left(at, at[-1] * share) for share in (0.1, 0.5, 1)})
    rows = [
        [
            name,
            *(number(curve.mean[mark], 2) for mark in marks),
            span((curve.low[-1], curve.high[-1]), 2) if runs > 1 else "",
        ]
        for name, curve in curves.items()
    ]
    after, over = [counted(at[mark], "pull") for mark in marks], counted(runs, "run")
    notes = [f"regret: expected loss against always pulling the best arm; mean of {over}"]
    ends = {name: curve.mean[-1] for name, curve in curves.items()}
    if ends.get("epsilon", inf) < ends.get("ucb1", -inf):
        notes.append(_EPSILON)
    heads, least = ["policy", *after, "95 % interval"], [*after[:-1], "95 % interval"]
    return rows_table(title, heads, rows, words=["policy"], notes=notes, least=least)


def _references(means: Sequence[float], pulls: float, top: float) -> Iterator[Line]:
    """The regret of always pulling the worst arm and of pulling a random arm, up to `top`.

    If the means allow it, there is also C ln t with the constant of Lai and Robbins, which is no
    bound for a number of pulls, but for the growth in the limit.
    """
    best = max(means)
    slopes = {"always wrong": best - min(means), "uniformly random": best - sum(means) / len(means)}
    for name, slope in slopes.items():
        end = min(pulls, top / slope) if slope else pulls
        yield Line(name, (0, end), (0.0, slope * end))
    if all(0 < mean < 1 for mean in means) and min(means) < best:
        growth = lai_robbins(means)
        at = [t for i in range(201) if growth * log(t := max(1.0, pulls * i / 200)) <= top]
        name = "Lai and Robbins: a limit of the growth, not a bound here"
        yield Line(name, at, [growth * log(t) for t in at])


# Pi


def darts(throw: Callable[[Rng], tuple[float, float]], rng: Rng, n: int) -> Record:
    """The record of `n` darts: their number, and the number inside the circle of radius 1."""
    hits = (x * x + y * y < 1 for x, y in repeatedly(n, partial(throw, rng)))
    return Record(n, (sum(hits),))


def pi_result(records: Sequence[Record]) -> Result:
    """The estimates of pi by more and more darts."""
    last = records[-1].visits
    series = [
        (record.visits, *[4 * share for share in (mean(record), *interval(record))])
        for record in records
    ]
    rows = [
        [f"{n:,}", number(estimate, 5), span((low, high), 5)]
        for n, estimate, low, high in series
        if n == last or f"{n}".strip("0") == "1"
    ]
    heads, notes = ["darts", "estimate", "95 % interval"], [f"pi is {pi:.5f}"]
    table = rows_table(f"Pi by {counted(last, 'dart')}", heads, rows, notes=notes)
    _, estimate, *ends = series[-1]
    facts = {"darts": last, "estimate": estimate, "interval": ends, "pi": pi}
    estimates = [dict(zip(("darts", "mean", "low", "high"), row, strict=True)) for row in series]
    chart = _estimate_chart(series, pi, "pi", "darts")
    return Result({**facts, "estimates": estimates}, (table,), chart=chart)
