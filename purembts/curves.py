"""Exact learning curves: what trees of many seeds have learnt, and the regret of bandits.

A search draws, so each seed gives another tree. What a tree has learnt has an exact value, so the
curves have no noise but that of the seeds.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice, pairwise
from random import Random
from typing import Any, NamedTuple, NoReturn, TypeAlias

from toolz import concat, partition_all

from purembts.bandits import BanditPolicy, Curve, Pulls, after_pull, curve_of
from purembts.bounds import AnyBound, a_bound, ucb1, ucb_wald
from purembts.checks import a_seed, at_least_one, brief, finite
from purembts.exact import against_best, check_solvable, solver
from purembts.executors import Executor, mapped
from purembts.fast.engine import strides
from purembts.fast.flat import Flat, backed_up_ranks, flat_of, ranks_of, value
from purembts.game import E, Game, S, Values, start_of
from purembts.mcts import Final, learnt
from purembts.records import Record, Tree, mean

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
    """The searches of many seeds, by a function from the number of a seed."""

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
) -> dict[str, Learning]:
    """The learning curves of `bounds` at the numbers of dives `marks`, over `seeds` searches each.

    There are two lines for each bound: that of `mcts.learnt`, by `final`, and that of the same tree
    with means backed up, by the mean. Search i of each bound draws from `Random(f"{seed}/{i}")`,
    with any executor. The game must have few positions, and one player, or two with a constant sum.

    >>> from purembts.games.last_coin import last_coin, pile
    >>> lines = curves(last_coin(), (30, 100), 20, {"UCB1": ucb1}, seed=7, start=pile(13))
    >>> [(name, line.curve.mean) for name, line in lines.items()]
    [('UCB1', (0.35, 1.0)), ('UCB1, backed up', (1.0, 1.0))]
    """
    trials = trials_of(game, marks, bounds, seed=seed, start=start, final=final)
    parts = partition_all(-(-at_least_one(seeds, "seeds") // _PARTS), range(seeds))
    return learning(trials, concat(mapped(executor, partial(_runs, trials), parts)))


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
    at = tuple(sorted({at_least_one(mark, "marks") for mark in marks}))
    at_least_one(len(at), "len(marks)")
    first = start_of(game, start)
    if not bounds or not isinstance(bounds, Mapping):
        right = 'a map from names to bounds, for example {"UCB1": ucb1}'
        raise ValueError(f"`bounds` must be {right}; got {brief(bounds)}.")
    checked = {name: a_bound(bound) for name, bound in bounds.items()}
    check_solvable(game, first)
    flat = flat_of(game, first)
    readings = partial(_readings, game, first, at, checked, a_seed(seed), final, flat)
    chance, best = learnt_values(game, {}, first), solver(game)(first)
    return Trials(at, chance[flat.player], best[flat.player], flat.error, readings)


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
    flat: Flat,
    i: int,
) -> Iterator[Reading]:
    """The readings of seed i; the search of each bound draws the same random numbers."""
    lengths = [after - before for before, after in pairwise([0, *marks])]
    searches = [
        islice(strides(game, {}, start, lengths, Random(f"{seed}/{i}"), bound=bound), 1, None)
        for bound in bounds.values()
    ]
    for trees in zip(*searches, strict=True):
        pairs = zip(bounds, trees, strict=True)
        yield {key: x for name, tree in pairs for key, x in _read(flat, name, tree, final).items()}


def _read(flat: Flat, name: str, tree: Tree[S], final: Final) -> Reading:
    """The value of what `tree` has learnt, and of its means backed up."""
    means = ranks_of(flat, tree)
    ranks = means if final is mean else ranks_of(flat, tree, final)
    backed_up = backed_up_ranks(flat, means)
    return {name: value(flat, ranks), f"{name}, backed up": value(flat, backed_up)}


def learning(trials: Trials, runs: Iterable[Run]) -> dict[str, Learning]:
    """The curves of `runs`, at least one. A run may have only the first readings of its seed."""
    all_runs = list(runs)
    return {
        name: _learning(trials, [[reading[name] for reading in run] for run in all_runs])
        for name in all_runs[0][0]
    }


def _learning(trials: Trials, runs: Sequence[Sequence[float]]) -> Learning:
    """The curve of one line, from its values in each run."""
    columns = [sorted(column) for column in zip(*runs, strict=True)]
    n, limit = len(runs), float(trials.chance) - 2 * trials.error  # equal values may be rounded
    quantiles = [tuple([column[-(-p * n // 100) - 1] for p in PERCENT]) for column in columns]
    worse = [sum([x < limit for x in column]) / n for column in columns]
    marks = trials.marks[: len(columns)]
    return Learning(curve_of(marks, runs), tuple(quantiles), tuple(worse))


# Bandits

_MOST_HISTORIES = 200_000
"""The number of histories at one time up to which the regret is computed."""


class _NoDraws:
    """The generator for policies that do not draw."""

    def random(self) -> NoReturn:
        raise ValueError(
            "`policy` must not draw, for example by_bound(ucb1); runs_of simulates it."
        )


def exact_regret(policy: BanditPolicy, means: Sequence[Any], pulls: int) -> tuple[Any, ...]:
    """The expected regret of `policy` after each of the pulls of Bernoulli arms with these `means`.

    It adds up over all histories. It is exact if the means are Fractions. Histories with the same
    pulls and pay of each arm count as one. More than 200,000 of them are a ValueError, and so is a
    policy that draws. `bandits.runs_of` simulates both.

    >>> from purembts.bandits import by_bound
    >>> round(exact_regret(by_bound(ucb1), (0.6, 0.5), 30)[-1], 6)
    1.292095
    """
    at_least_one(len(means), "len(means)")
    for p in means:
        finite(float(p), "means", 0, 1)
    best, regret, curve = max(means), 0, []
    chances: dict[tuple[Pulls, ...], Any] = {(Pulls(),) * len(means): 1}
    for t in range(at_least_one(pulls, "pulls")):
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
