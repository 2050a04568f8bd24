"""Estimates as tables and charts: the regret of bandits, pi, and the mean of random games."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf, log, pi

from purembts import bandits
from purembts.app.results import Result
from purembts.app.steps import counted
from purembts.bandits import Curve, Pulls, lai_robbins
from purembts.bounds import AnyBound, name_of, ucb1, ucb_wald
from purembts.chance import Rng, repeatedly
from purembts.display import number, span
from purembts.pictures.charts import Chart, Level, Line
from purembts.records import Record, interval, mean
from purembts.tables import Table, rows_table


def estimate_chart(
    records: Sequence[Record],
    exact: float | None,
    *,
    quantity: str,
    unit: str,
    factor: float = 1,
    player: int = 0,
    score_range: tuple[float, float] = (0, 1),
) -> Chart:
    """The means of a growing record times `factor`, with their intervals, and the exact value."""
    means = tuple(factor * mean(record, player) for record in records)
    spans = [interval(record, player, score_range=score_range) for record in records]
    low, high = (tuple(factor * each[i] for each in spans) for i in (0, 1))
    line = Line("estimate", tuple(record.visits for record in records), means, low, high)
    is_known = "" if exact is None else f", exactly {exact:.6g}"
    return Chart(
        title=f"{quantity}: {means[-1]:.6g} by simulation{is_known}",
        x=unit,
        y=quantity,
        lines=(line,),
        levels=() if exact is None else (Level("exact value", exact),),
        logarithmic=True,
    )


# Bandits


BANDITS: Mapping[str, bandits.BanditPolicy] = {
    "random": bandits.uniformly,
    "commit": bandits.explore_then_commit(50),
    "epsilon": bandits.epsilon_greedy(0.1),
    "decaying": bandits.epsilon_greedy(bandits.auer_schedule(5, 0.5)),
    "ucb1": bandits.by_bound(),
    "workshop": bandits.by_bound(ucb_wald),
    "tuned": bandits.ucb1_tuned,
    "thompson": bandits.thompson,
}
"""The policies for one-armed machines, by their names on the command line."""


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
        seen = (number(paid / n), span(interval(Record(n, (paid,))))) if n else ("", "")
        limit, exact = number(bound(paid, n, total)), number(means[i]) if means else ""
        rows.append([f"arm {i + 1}", f"{n:,}", *seen, limit, exact])
    heads = ["arm", "pulls", "mean", "95 % interval", "bound", "true mean"]
    least, about = ("bound", "95 % interval", "true mean"), {"bound": f"bound: {name_of(bound)}"}
    return rows_table("Bandit: the arms", heads, rows, words=["arm"], least=least, about=about)


def bandit_result(
    runs: Sequence[Mapping[str, Sequence[float]]],
    means: Sequence[float],
    pulls: int,
) -> Result:
    """The regret of some policies over `runs`, for arms that pay 1 with probabilities `means`."""
    curves, n = bandits.regret_curves(runs, pulls), len(runs)
    # JSON has no infinity: the ends of the interval of one run are null.
    nulls = dict.fromkeys(("low", "high") if n == 1 else (), [None] * len(curves[min(curves)].at))
    policies = {name: {**curve._asdict(), **nulls} for name, curve in curves.items()}
    found = {"means": list(means), "pulls": pulls, "runs": n, "policies": policies}
    arms = f"{counted(len(means), 'arm')} that pay{'s' if len(means) == 1 else ''}"
    arms = f"{arms} {', '.join(f'{mean:g}' for mean in means)} on average"
    table = _bandit_table(f"Regret of {arms}", curves, n)
    chart = _regret_chart(f"{arms}; mean of {counted(n, 'run')}, 95 % intervals", curves, means, n)
    return Result({**found, "lai_robbins": lai_robbins(means)}, (table,), chart=chart)


_EPSILON = (
    "epsilon and ucb1: with a constant epsilon, every pull loses epsilon times the mean gap, "
    "without end. ucb1 loses less and less, but it explores long where arms are close: for the "
    "arms 0.6 and 0.5 it is ahead after about 20,000 pulls."
)
"""The reason why epsilon-greedy may be ahead of UCB1, against the articles."""


def _bandit_table(title: str, curves: Mapping[str, Curve], runs: int) -> Table:
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
    after = [counted(at[mark], "pull") for mark in marks]
    heads = ["policy", *after, "95 % interval"]
    notes = [
        f"regret: expected loss against always pulling the best arm; mean of {counted(runs, 'run')}"
    ]
    ends = {name: curve.mean[-1] for name, curve in curves.items()}
    if ends.get("epsilon", inf) < ends.get("ucb1", -inf):
        notes.append(_EPSILON)
    least = [*after[:-1], "95 % interval"]
    return rows_table(title, heads, rows, words=["policy"], notes=notes, least=least)


def _regret_chart(
    title: str, curves: Mapping[str, Curve], means: Sequence[float], runs: int
) -> Chart:
    """The mean regret of each policy with its interval, and lines of reference.

    The lines of reference are the regret of always pulling the worst arm and of pulling a random
    arm, as far as the chart is high. If the means allow it, there is also C ln t with the constant
    of Lai and Robbins, which is no bound for a number of pulls, but for the growth in the limit.
    """
    pulls = max(curve.at[-1] for curve in curves.values())
    top = 1.15 * max(curve.mean[-1] for curve in curves.values()) or 1.0
    lines = [
        Line(name, *[(0.0, *values) for values in curve[: 4 if runs > 1 else 2]])
        for name, curve in curves.items()
    ]
    best = max(means)
    slopes = {"always wrong": best - min(means), "uniformly random": best - sum(means) / len(means)}
    for name, slope in slopes.items():
        end = min(pulls, top / slope) if slope else pulls
        lines.append(Line(name, (0, end), (0.0, slope * end)))
    if all(0 < mean < 1 for mean in means) and min(means) < best:
        growth = lai_robbins(means)
        at = [t for i in range(201) if growth * log(t := max(1.0, pulls * i / 200)) <= top]
        name = "Lai and Robbins: a limit of the growth, not a bound here"
        lines.append(Line(name, at, [growth * log(t) for t in at]))
    y, level = "regret: expected pay that was lost", Level("always right", 0.0)
    return Chart(title, "pulls", y, tuple(lines), (level,), logarithmic=False)


# Pi


def darts(throw: Callable[[Rng], tuple[float, float]], rng: Rng, n: int) -> Record:
    """The record of `n` darts: their number, and the number inside the circle of radius 1."""
    hits = (x * x + y * y < 1 for x, y in repeatedly(n, partial(throw, rng)))
    return Record(n, (sum(hits),))


def pi_result(records: Sequence[Record]) -> Result:
    """The estimates of pi by more and more darts."""
    series = [
        {"darts": each.visits, "mean": 4 * mean(each), "low": 4 * low, "high": 4 * high}
        for each in records
        for low, high in [interval(each)]
    ]
    darts, (_, estimate, *ends) = records[-1].visits, series[-1].values()
    rows = [
        [f"{row['darts']:,}", number(row["mean"], 5), span((row["low"], row["high"]), 5)]
        for row in series
        if row["darts"] == darts or str(row["darts"]).strip("0") == "1"
    ]
    heads, title = ["darts", "estimate", "95 % interval"], f"Pi by {counted(darts, 'dart')}"
    table = rows_table(title, heads, rows, notes=[f"pi is {pi:.5f}"])
    found = {"darts": darts, "estimate": estimate, "interval": ends, "pi": pi, "estimates": series}
    chart = estimate_chart(records, pi, quantity="pi", unit="darts", factor=4)
    return Result(found, (table,), chart=chart)
