"""Bandits: arms with random pay, policies that choose among them, and the regret of the choices."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from math import cos, inf, log, sqrt, tau
from random import Random
from typing import NamedTuple, TypeAlias, cast

from purembts.bounds import AnyBound, ucb1
from purembts.chance import Rng, random
from purembts.checks import above_zero, at_least_one, brief, finite
from purembts.executors import Executor, mapped
from purembts.guards import explained

# Arms

Arm: TypeAlias = Callable[[Rng], float]
"""A one-armed machine: its pay for one pull, drawn from a generator."""


def bernoulli(p: float) -> Arm:
    """The arm that pays 1 with probability `p` and otherwise 0."""
    return partial(_bernoulli, finite(p, "p", 0, 1))


def gaussian(mean: float, *, deviation: float = 1.0) -> Arm:
    """The arm whose pay has a normal distribution.

    The pay has no limits. (UCB1 is meant for pay from 0 to 1.)
    """
    return partial(_gaussian, finite(mean, "mean"), finite(deviation, "deviation", 0))


def _bernoulli(p: float, rng: Rng) -> float:
    return 1 if rng.random() < p else 0


def _gaussian(mean: float, deviation: float, rng: Rng) -> float:
    return mean + deviation * normal(rng)


def _means_of(arms: Sequence[Arm]) -> tuple[float, ...]:
    """The mean pay of each of `arms`; a ValueError if an arm is not of this module.

    >>> _means_of((bernoulli(0.5), gaussian(2)))
    (0.5, 2)
    """
    for arm in arms:
        if not isinstance(arm, partial) or arm.func not in (_bernoulli, _gaussian):
            raise ValueError(f"An arm must be made by bernoulli or gaussian; got {brief(arm)}.")
    return tuple([cast("partial[float]", arm).args[0] for arm in arms])


# Pulls


class Pulls(NamedTuple):
    """The pulls of one arm so far, added up."""

    n: int = 0
    """The number of pulls."""
    paid: float = 0
    """The sum of the pay."""
    squares: float = 0
    """The sum of the squares of the pay."""


class Pull(NamedTuple):
    """One pull."""

    arm: int
    """The index of the arm."""
    reward: float
    """The pay."""
    history: tuple[Pulls, ...]
    """The pulls of each arm so far, this one included."""


BanditPolicy: TypeAlias = Callable[[Sequence[Pulls], Rng], int]
"""A function from the history and a generator to the index of an arm.

The history has the pulls of each arm so far."""


@explained
def pulls(arms: Sequence[Arm], policy: BanditPolicy, rng: Rng = random) -> Iterator[Pull]:
    """The pulls of `arms` by `policy`, without end.

    >>> from itertools import islice
    >>> arms = (bernoulli(0.9), bernoulli(0.1))
    >>> [pull.arm for pull in islice(pulls(arms, by_bound(), Random(7)), 9)]
    [0, 1, 0, 0, 0, 0, 1, 1, 0]
    """
    history = (Pulls(),) * len(arms)
    while True:
        arm = policy(history, rng)
        reward = arms[arm](rng)
        history = after_pull(history, arm, reward)
        yield Pull(arm, reward, history)


def after_pull(history: tuple[Pulls, ...], arm: int, reward: float) -> tuple[Pulls, ...]:
    """The history after one more pull of `arm`, which paid `reward`.

    >>> after_pull((Pulls(), Pulls(1, 1, 1)), 0, 1)
    (Pulls(n=1, paid=1, squares=1), Pulls(n=1, paid=1, squares=1))
    """
    n, paid, squares = history[arm]
    now = Pulls(n + 1, paid + reward, squares + reward * reward)
    return (*history[:arm], now, *history[arm + 1 :])


# Policies


def uniformly(history: Sequence[Pulls], rng: Rng) -> int:
    """The index of any arm, all equally likely."""
    return int(rng.random() * len(history))


def explore_then_commit(times: int) -> BanditPolicy:
    """The policy that pulls each arm `times` times, and then always the arm with the best mean.

    Lattimore and Szepesvári (2020), "Bandit Algorithms", algorithm 1.
    """
    return partial(_explore_then_commit, at_least_one(times, "times"))


def _explore_then_commit(times: int, history: Sequence[Pulls], rng: Rng) -> int:  # noqa: ARG001
    """The arm with the fewest pulls, and once each has `times`, the arm that was best then."""
    counts = [arm.n for arm in history]
    if min(counts) < times:
        return counts.index(min(counts))
    return counts.index(max(counts)) if max(counts) > times else _best_arm(history)


Schedule: TypeAlias = Callable[[int, int], float]
"""The probability of exploring: a function of t and the number of arms, at pull t = 1, 2, ..."""


def epsilon_greedy(epsilon: float | Schedule) -> BanditPolicy:
    """The policy that explores with probability `epsilon`, and otherwise pulls the best arm.

    Exploring pulls any arm, all equally likely. The best arm is the first arm without pulls. If
    there is none, it is the arm with the best mean. `epsilon` is a number from 0 to 1, or a
    schedule.

    Sutton and Barto (2018), "Reinforcement Learning", section 2.4.
    """
    return partial(
        _epsilon_greedy, epsilon if callable(epsilon) else finite(epsilon, "epsilon", 0, 1)
    )


def _epsilon_greedy(epsilon: float | Schedule, history: Sequence[Pulls], rng: Rng) -> int:
    t = sum([arm.n for arm in history]) + 1
    explore = epsilon(t, len(history)) if callable(epsilon) else epsilon
    return uniformly(history, rng) if rng.random() < explore else _best_arm(history)


def auer_schedule(c: float, d: float) -> Schedule:
    """The schedule epsilon = min(1, c K / (d^2 t)) for pull t, with K arms.

    `d` is above 0, and at most the smallest gap between the best mean and another. Auer,
    Cesa-Bianchi and Fischer (2002), figure 3. The regret is logarithmic for c > 5.
    """
    return partial(_auer, finite(c, "c", 0), above_zero(d, "d"))


def _auer(c: float, d: float, t: int, arms: int) -> float:
    return min(1.0, c * arms / (d * d * t))


def root_schedule(c: float, horizon: int) -> Schedule:
    """The schedule epsilon = min(1, sqrt(c ln T / t)) for pull t of T = `horizon` pulls.

    The article "Gomoku with Monte Carlo Tree Search", section Epsilon-Greedy.
    """
    return partial(_root, finite(c, "c", 0), at_least_one(horizon, "horizon"))


def _root(c: float, horizon: int, t: int, arms: int) -> float:  # noqa: ARG001
    return min(1.0, sqrt(c * log(horizon) / t))


@explained
def by_bound(bound: AnyBound = ucb1) -> BanditPolicy:
    """The policy that pulls the arm with the highest bound, the first among equals.

    It is meant for pay from 0 to 1. The default is UCB1; Auer, Cesa-Bianchi and Fischer (2002),
    figure 1. `ucb_wald` is the bound of the workshop.
    """
    return partial(_by_bound, bound)


def _by_bound(bound: AnyBound, history: Sequence[Pulls], rng: Rng) -> int:  # noqa: ARG001
    total = sum([n for n, _, _ in history])
    bounds = [bound(paid, n, total) for n, paid, _ in history]
    return bounds.index(max(bounds))


def ucb1_tuned(history: Sequence[Pulls], rng: Rng) -> int:  # noqa: ARG001
    """The arm with the highest mean + sqrt((ln t / n) min(1/4, V)), the first among equals.

    t is the number of all pulls, and n the number of pulls of the arm. V is the variance of the pay
    of the arm, plus sqrt(2 ln t / n). Auer, Cesa-Bianchi and Fischer (2002), section 4, UCB1-TUNED.
    """
    total = sum([n for n, _, _ in history])
    bounds = [_tuned(arm, total) for arm in history]
    return bounds.index(max(bounds))


def _tuned(arm: Pulls, total: int) -> float:
    """The bound of `ucb1_tuned` for an arm, after `total` pulls of all arms."""
    n, paid, squares = arm
    if not n:
        return inf
    # For a large mean this is a difference of two large numbers, which rounding may turn below 0.
    variance = max(0.0, squares / n - (paid / n) ** 2)
    v = variance + sqrt(2 * log(total) / n)
    return paid / n + sqrt(log(total) / n * min(0.25, v))


def thompson(history: Sequence[Pulls], rng: Rng) -> int:
    """The arm with the highest drawn mean.

    A mean is drawn for each arm, from its posterior distribution Beta(1 + won, 1 + lost), for a
    uniform prior and arms that pay 0 or 1. Thompson (1933); Agrawal and Goyal (2012), "Analysis of
    Thompson sampling for the multi-armed bandit problem", algorithm 1.
    """
    means = []
    for n, paid, _ in history:
        if not 0 <= paid <= n:
            raise ValueError(
                f"The arms of Thompson sampling must pay 0 or 1; got {paid} from {n} pulls."
            )
        won, lost = gamma(1 + paid, rng), gamma(1 + n - paid, rng)
        means.append(won / (won + lost))
    return means.index(max(means))


def _best_arm(history: Sequence[Pulls]) -> int:
    """The first arm without pulls; if there is none, the first arm with the best mean."""
    means = [paid / n if n else inf for n, paid, _ in history]
    return means.index(max(means))


# Regret


class Regret(NamedTuple):
    """The loss so far, compared with always pulling the best arm."""

    expected: float
    """The loss computed from the means of the pulled arms. It never falls."""
    realised: float
    """The loss computed from their pay."""


def regret(pulled: Iterable[Pull], means: Sequence[float]) -> Iterator[Regret]:
    """The regret after each of the pulls; `means` has the mean pay of each arm.

    The article "Gomoku with Monte Carlo Tree Search", section Regret; Lattimore and Szepesvári
    (2020), section 4.5, where the expected regret is called the pseudo-regret.

    >>> list(regret([Pull(0, 1, ()), Pull(1, 1, ())], (0.75, 0.25)))
    [Regret(expected=0.0, realised=-0.25), Regret(expected=0.5, realised=-0.5)]
    """
    best = max(means)
    expected = realised = 0.0
    for arm, reward, _ in pulled:
        expected += best - means[arm]
        realised += best - reward
        yield Regret(expected, realised)


def lai_robbins(means: Sequence[float]) -> float:
    """The constant C: no policy that is good for all arms has less regret than C ln t in the limit.

    It is for Bernoulli arms: the sum of gap / KL(mean, best mean) over the arms that are not best.
    Lai and Robbins (1985), "Asymptotically efficient adaptive allocation rules", theorem 1.

    >>> round(lai_robbins((0.5, 0.25)), 4)
    1.9111
    """
    best = max([finite(p, "means", 0, 1) for p in means])
    return sum([(best - p) / _divergence(p, best) for p in means if p < best])


def _divergence(p: float, q: float) -> float:
    """The Kullback-Leibler divergence of two Bernoulli distributions."""
    won = p * log(p / q) if p else 0.0
    return won + (1 - p) * log((1 - p) / (1 - q)) if q < 1 else inf


# Experiments


class Curve(NamedTuple):
    """The mean of a number over many runs, such as the regret after some numbers of pulls."""

    at: tuple[int, ...]
    """The numbers of pulls or dives."""
    mean: tuple[float, ...]
    """The number after each of them, averaged over the runs."""
    low: tuple[float, ...]
    high: tuple[float, ...]
    """The 95 % interval of that average, by the normal distribution."""


@explained
def runs_of(
    policies: Mapping[str, BanditPolicy],
    arms: Sequence[Arm],
    pulls: int,
    runs: int,
    *,
    seed: int | str,
    executor: Executor = builtins,
) -> Iterator[dict[str, list[float]]]:
    """The expected regrets of each policy in each of `runs` runs, for `regret_curves`.

    Run i of a policy draws from `Random(f"{seed}/{name}/{i}")`, with any executor. The
    arms are those of this module.
    """
    run = partial(_regrets, tuple(arms), _means_of(arms), _looks(pulls))
    tasks = [(policies[name], f"{seed}/{name}/{i}") for i in range(runs) for name in policies]
    regrets = mapped(executor, run, tasks)
    return ({name: next(regrets) for name in policies} for _ in range(runs))


def regret_curves(runs: Sequence[Mapping[str, Sequence[float]]], pulls: int) -> dict[str, Curve]:
    """The curve of each policy, from some runs of `pulls` pulls each; at least one run."""
    return {name: curve_of(_looks(pulls), [run[name] for run in runs]) for name in runs[0]}


def _looks(pulls: int) -> list[int]:
    """The numbers of pulls on a curve: all up to `pulls`, or 200 of them if there are more."""
    return sorted({-(-pulls * i // 200) for i in range(1, 201)})


def _regrets(
    arms: Sequence[Arm],
    means: Sequence[float],
    at: Sequence[int],
    task: tuple[BanditPolicy, str],
) -> list[float]:
    """The expected regret of one run after each of the numbers of pulls `at`."""
    policy, seed = task
    running = regret(pulls(arms, policy, Random(seed)), means)
    steps = [after - before for before, after in zip([0, *at], at, strict=False)]
    return [next(islice(running, step - 1, None)).expected for step in steps]


def curve_of(at: Sequence[int], runs: Sequence[Sequence[float]]) -> Curve:
    """The curve of `runs`. Each run has a number for each number of pulls or dives in `at`."""
    columns = list(zip(*runs, strict=True))
    means = [_sum(column) / len(runs) for column in columns]
    halves = [_half_interval(column, mean) for column, mean in zip(columns, means, strict=True)]
    return Curve(
        tuple(at),
        tuple(means),
        tuple([mean - half for mean, half in zip(means, halves, strict=True)]),
        tuple([mean + half for mean, half in zip(means, halves, strict=True)]),
    )


def _half_interval(sample: Sequence[float], mean: float) -> float:
    """Half the width of the 95 % interval of a mean; infinite for a single run."""
    n = len(sample)
    return 1.96 * sqrt(_sum([(x - mean) ** 2 for x in sample]) / (n - 1) / n) if n > 1 else inf


def _sum(numbers: Iterable[float]) -> float:
    """The sum of floats, added one after another. `sum` differs between versions of Python."""
    total = 0.0
    for x in numbers:
        total += x
    return total


# Numbers drawn from other distributions


def normal(rng: Rng = random) -> float:
    """A number drawn from the standard normal distribution (Box and Muller 1958).

    Each call takes two random numbers.
    """
    return sqrt(-2 * log(1 - rng.random())) * cos(tau * rng.random())


def gamma(shape: float, rng: Rng = random) -> float:
    """A number drawn from the gamma distribution with scale 1 and `shape`, which is at least 1.

    Marsaglia and Tsang (2000), "A simple method for generating gamma variables", ACM TOMS 26.
    """
    d = shape - 1 / 3
    while True:
        x = normal(rng)
        v = (1 + x / sqrt(9 * d)) ** 3
        if v > 0 and log(1 - rng.random()) < x * x / 2 + d - d * v + d * log(v):
            return d * v
