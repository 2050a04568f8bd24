"""Exact learning curves: what trees of many seeds have learnt, and the regret of bandits.

A search draws, so each seed gives another tree. What a tree has learnt has an exact value, so the
curves have no noise but that of the seeds.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice
from random import Random
from typing import Any, NamedTuple, NoReturn, TypeAlias

from toolz import concat, partition_all

from purembts.bandits import BanditPolicy, Curve, Pulls, after_pull, curve_of
from purembts.bounds import AnyBound, ucb1, ucb_wald
from purembts.checks import finite
from purembts.display import counted, digits_of, number, span
from purembts.exact import against_best, check_solvable, solver
from purembts.executors import Executor, mapped
from purembts.game import AnyGame, E, Game, S, Values, is_alone, start_of
from purembts.guards import explained
from purembts.mcts import Final, learnt, trees
from purembts.proving import backed_up
from purembts.records import Record, Tree, mean, without_collector
from purembts.tables import Table, as_html, rows_table

# Trees

BOUNDS: Mapping[str, AnyBound] = {"UCB1": ucb1, "the workshop's bound": ucb_wald}
"""The bounds that are compared by default."""
PERCENT = (5, 25, 50, 75, 95)
"""The quantiles of the values, in percent."""
_PARTS = 100
"""The number of parts that many seeds are cut into."""


class Learning(NamedTuple):
    """The exact values of what the trees of many seeds have learnt, after some numbers of dives."""

    curve: Curve
    """The mean over the seeds, with its 95 % interval."""
    quantiles: tuple[tuple[float, ...], ...]
    """For each number of dives the quantiles `PERCENT` of the values."""
    worse: tuple[float, ...]
    """For each number of dives the share of trees that play worse than random moves."""


Reading: TypeAlias = dict[str, float]
"""The values of the trees of one seed after a number of dives, by the name of the line."""
Run: TypeAlias = list[Reading]
"""The readings of one seed, after more and more dives."""


class Trials(NamedTuple):
    """The searches of many seeds, and the exact values that they are compared with."""

    game: AnyGame
    marks: tuple[int, ...]
    """The numbers of dives of the readings."""
    chance: Fraction
    """The value of random moves. If there is another player, it plays best."""
    best: Fraction
    """The value of best play."""
    error: float
    """The largest difference of a value from the exact one, by rounding."""
    readings: Callable[[int], Iterator[Reading]]
    """The readings of one seed, each after its dives."""


class Curves(NamedTuple):
    """Learning curves, which show themselves as a table. `pictures.curves_chart` draws them."""

    trials: Trials
    seeds: int
    lines: dict[str, Learning]
    """The lines, by their names."""

    def __str__(self) -> str:
        return str(_table(self))

    def _repr_html_(self) -> str:
        return as_html(_table(self))


@explained
def curves(
    game: Game[S, E],
    marks: Iterable[int],
    seeds: int,
    bounds: Mapping[str, AnyBound] = BOUNDS,
    *,
    seed: int | str,
    start: S | None = None,
    final: Final = mean,
    executor: Executor = builtins,
) -> Curves:
    """The learning curves of `bounds` at the numbers of dives `marks`, over `seeds` searches each.

    There are two lines for each bound. The first plays as `mcts.learnt`, by `final`. The second
    plays by the means of the same tree, backed up. Search i of each bound draws from
    `Random(f"{seed}/{i}")`, with any executor. The game must have few positions, and one player, or
    two with a constant sum. `fast.curves.curves` is much faster, and differs by rounding alone.

    >>> from purembts.games.last_coin import last_coin, pile
    >>> print(curves(last_coin(), (30, 100), 20, {"UCB1": ucb1}, seed=7, start=pile(13)))
    Last coin: what trees of 20 seeds have learnt
    line                           dives    mean     95 % interval  worse
    -----------------------------  -----  ------  ----------------  -----
    UCB1                              30  0.3500  0.1355 to 0.5645    65%
                                     100  1.0000  1.0000 to 1.0000     0%
    <BLANKLINE>
    UCB1, backed up                   30  1.0000  1.0000 to 1.0000     0%
                                     100  1.0000  1.0000 to 1.0000     0%
    <BLANKLINE>
    best play                             1.0000
    random play against best play         0.0312
    interval: of the mean over the seeds
    worse: the trees that play worse than random moves
    """
    trials = trials_of(game, marks, bounds, seed=seed, start=start, final=final)
    return curves_of(trials, seeds, executor)


def curves_of(trials: Trials, seeds: int, executor: Executor = builtins) -> Curves:
    """The learning curves of the first `seeds` of `trials`."""
    parts = partition_all(-(-seeds // _PARTS), range(seeds))
    runs = list(concat(mapped(executor, partial(_runs, trials), parts)))
    return Curves(trials, len(runs), learning(trials, runs))


@explained
def trials_of(
    game: Game[S, E],
    marks: Iterable[int],
    bounds: Mapping[str, AnyBound],
    *,
    seed: int | str,
    start: S | None = None,
    final: Final = mean,
) -> Trials:
    """The searches of `curves`, one by one."""
    first = start_of(game, start)
    check_solvable(game, first)
    if game.players > 2 or (game.players == 2 and game.score_sum is None):
        right = "a game for one player, or for two with a constant sum of scores"
        raise ValueError(f"`game` must be {right}; got {game.name}.")
    at, player = tuple(sorted(set(marks))), game.to_move(first)
    readings = partial(_readings, game, first, at, dict(bounds), seed, final)
    chance, best = learnt_values(game, {}, first), solver(game)(first)
    return Trials(game, at, chance[player], best[player], 0.0, readings)


@explained
def learnt_values(
    game: Game[S, E], tree: Tree[S] | dict[S, Record], start: S, *, final: Final = mean
) -> Values:
    """The exact values where the player who begins plays what `tree` has learnt.

    The others play best against it. An empty tree has learnt nothing: its moves are random.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> learnt_values(last_coin(), {}, Pile(4))
    (Fraction(1, 4), Fraction(3, 4))
    """
    choose = against_best(game.to_move(start), learnt(tree, final=final))
    return solver(game, choose)(start)


@without_collector()
def _runs(trials: Trials, part: Iterable[int]) -> list[Run]:
    """The runs of the seeds of a part."""
    return [list(trials.readings(i)) for i in part]


def _readings(
    game: Game[S, E],
    start: S,
    marks: Sequence[int],
    bounds: Mapping[str, AnyBound],
    seed: int | str,
    final: Final,
    i: int,
) -> Iterator[Reading]:
    """The readings of seed i; the search of each bound draws the same random numbers."""
    searches = [
        _at(marks, trees(game, {}, start, Random(f"{seed}/{i}"), bound=bound))
        for bound in bounds.values()
    ]
    player = game.to_move(start)
    for trees_now in zip(*searches, strict=True):
        reading: Reading = {}
        for name, tree in zip(bounds, trees_now, strict=True):
            backed = learnt_values(game, backed_up(game, tree, start), start)
            reading[name] = float(learnt_values(game, tree, start, final=final)[player])
            reading[f"{name}, backed up"] = float(backed[player])
        yield reading


def _at(marks: Sequence[int], all_trees: Iterator[Tree[S]]) -> Iterator[Tree[S]]:
    """The trees after the numbers of dives in `marks`, which ascend."""
    return (tree for n, tree in enumerate(islice(all_trees, marks[-1] + 1)) if n in marks)


def learning(trials: Trials, runs: Iterable[Run]) -> dict[str, Learning]:
    """The curves of `runs`, at least one. A run may have only the first readings of its seed."""
    all_runs = list(runs)
    return {
        name: _learning_of(trials, [[reading[name] for reading in run] for run in all_runs])
        for name in all_runs[0][0]
    }


def _learning_of(trials: Trials, runs: Sequence[Sequence[float]]) -> Learning:
    """The curve of one line, from its values in each run."""
    columns = [sorted(column) for column in zip(*runs, strict=True)]
    n, limit = len(runs), float(trials.chance) - 2 * trials.error  # equal values may be rounded
    quantiles = [tuple([column[-(-p * n // 100) - 1] for p in PERCENT]) for column in columns]
    worse = [sum([x < limit for x in column]) / n for column in columns]
    marks = trials.marks[: len(columns)]
    curve = curve_of(marks, runs)
    if n > 1:  # the normal distribution goes on where the scores end
        low, high = trials.game.score_range
        bottom, top = tuple(max(low, x) for x in curve.low), tuple(min(high, x) for x in curve.high)
        curve = curve._replace(low=bottom, high=top)
    return Learning(curve, tuple(quantiles), tuple(worse))


# What is shown


def headline(curves: Curves) -> str:
    """The title of a table or a chart of `curves`."""
    return f"{curves.trials.game.name}: what trees of {counted(curves.seeds, 'seed')} have learnt"


COLUMN_NOTES: Mapping[str, str] = {
    "95 % interval": "interval: of the mean over the seeds",
    "5 to 95 %": "5 to 95 %: of the values of the trees, which are exact",
    "worse": "worse: the trees that play worse than random moves",
}
"""The notes of the columns, by their headings. A table of one seed has none of them."""


def _table(curves: Curves) -> Table:
    """The lines, one below the other, and the values of best and of random play."""
    game, marks, chance, best, *_ = curves.trials
    digits = digits_of(game.score_range)
    lines = [_rows_of(curves, name, line, digits) for name, line in curves.lines.items()]
    ends = [("best play", best), (random_play_name(game), chance)]
    lines.append([name, "", number(exact, digits), "", "", ""] for name, exact in ends)
    heads, least = ["line", "dives", "mean", *COLUMN_NOTES], ["5 to 95 %", "worse"]
    title, rows = headline(curves), list(concat(lines))
    table = rows_table(title, heads, rows, words=["line"], least=least, about=COLUMN_NOTES)
    return table._replace(groups=tuple(range(0, len(rows) - 1, len(marks))))


def _rows_of(curves: Curves, name: str, line: Learning, digits: int) -> Iterator[list[str]]:
    """The rows of one line; a single seed has its values alone."""
    for i, (dives, score, low, high) in enumerate(zip(*line.curve, strict=True)):
        cells = ["", "", ""]
        if curves.seeds > 1:
            ends = (low, high), (line.quantiles[i][0], line.quantiles[i][-1])
            cells = [*(span(pair, digits) for pair in ends), f"{line.worse[i]:.0%}"]
        yield ["" if i else name, f"{dives:,}", number(score, digits), *cells]


def random_play_name(game: AnyGame) -> str:
    """The name of the line of random moves."""
    return "random play" if is_alone(game) else "random play against best play"


# Bandits

_MOST_HISTORIES = 200_000
"""The number of histories at one time up to which the regret is computed."""


class _NoDraws:
    """The generator for policies that do not draw."""

    def random(self) -> NoReturn:
        raise ValueError(
            "`policy` must not draw, for example by_bound(ucb1); runs_of simulates it."
        )


@explained
def exact_regret(policy: BanditPolicy, means: Sequence[Any], pulls: int) -> tuple[Any, ...]:
    """The expected regret of `policy` after each of the pulls of Bernoulli arms with these `means`.

    It adds up over all histories. It is exact if the means are Fractions. Histories with the same
    pulls and pay of each arm count as one. More than 200,000 of them are a ValueError, and so is a
    policy that draws. `bandits.runs_of` simulates both.

    >>> from purembts.bandits import by_bound
    >>> round(exact_regret(by_bound(ucb1), (0.6, 0.5), 30)[-1], 6)
    1.292095
    """
    for p in means:
        finite(float(p), "means", 0, 1)
    best, regret, curve = max(means), 0, []
    chances: dict[tuple[Pulls, ...], Any] = {(Pulls(),) * len(means): 1}
    for t in range(pulls):
        after: dict[tuple[Pulls, ...], Any] = {}
        for history, weight in chances.items():
            arm = policy(history, _NoDraws())
            regret += weight * (best - means[arm])
            for pay, p in ((1, means[arm]), (0, 1 - means[arm])):
                now = after_pull(history, arm, pay)
                after[now] = after.get(now, 0) + weight * p
        if len(after) > _MOST_HISTORIES:
            raise ValueError(f"`pulls` must be at most {t} here; simulate more, by runs_of.")
        chances = after
        curve.append(regret)
    return tuple(curve)
