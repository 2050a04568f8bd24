"""Bandits: arms that pay by chance, policies that choose among them, and the regret of a choice."""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from math import inf, log, sqrt
from typing import NamedTuple, TypeAlias

from purembts.bounds import Bound, ucb1
from purembts.chance import Executor, Rng, mapped
from purembts.checks import a_seed, at_least_one, brief, not_negative
from purembts.variates import gamma, normal

# Arms

Arm: TypeAlias = Callable[[Rng], float]
"""A one-armed machine: what it pays this time."""


def bernoulli(p: float) -> Arm:
    """The arm that pays 1 with probability p and else 0."""
    if not isinstance(p, int | float) or not 0 <= p <= 1:
        raise ValueError(f"The mean of a Bernoulli arm is {brief(p)}; it has to be from 0 to 1.")
    return partial(_bernoulli, p)


def gaussian(mean: float, deviation: float = 1.0) -> Arm:
    """The arm whose pay has a normal law; it is not bound to a range, as UCB1 asks for."""
    if not isinstance(mean, int | float) or not abs(mean) < inf:
        raise ValueError(f"The mean of a normal arm is {brief(mean)}; it has to be finite.")
    return partial(_gaussian, mean, not_negative(deviation, "deviation"))


def _bernoulli(p: float, rng: Rng) -> float:
    return 1 if rng.random() < p else 0


def _gaussian(mean: float, deviation: float, rng: Rng) -> float:
    return mean + deviation * normal(rng)


def means_of(arms: Sequence[Arm]) -> tuple[float, ...]:
    """What `arms` pay on average, as far as they were made here; a ValueError for any other.

    >>> means_of((bernoulli(0.5), gaussian(2)))
    (0.5, 2)
    """
    for arm in arms:
        if not isinstance(arm, partial) or arm.func not in {_bernoulli, _gaussian}:
            raise ValueError(f"The mean of {brief(arm)} is not known; write means=...")
    return tuple([arm.args[0] for arm in arms])  # type: ignore[attr-defined]


# Pulls


class Pulls(NamedTuple):
    """What is known of an arm: how often it was pulled, what it paid, the sum of the squares."""

    n: int = 0
    paid: float = 0
    squares: float = 0


class Pull(NamedTuple):
    """One pull: which arm, what it paid, and what is known of every arm after it."""

    arm: int
    reward: float
    known: tuple[Pulls, ...]


BanditPolicy: TypeAlias = Callable[[Sequence[Pulls], Rng], int]
"""How to choose: the index of an arm, from what is known of each."""


def pulls(arms: Sequence[Arm], policy: BanditPolicy, rng: Rng = random) -> Iterator[Pull]:
    """The pulls of `arms` by `policy`, without end.

    >>> from itertools import islice
    >>> arms = (bernoulli(0.9), bernoulli(0.1))
    >>> [pull.arm for pull in islice(pulls(arms, by_bound(), random.Random(7)), 9)]
    [0, 1, 0, 0, 0, 0, 1, 1, 0]
    """
    return _pulls(_checked_arms(arms), policy, rng)


def _pulls(arms: Sequence[Arm], policy: BanditPolicy, rng: Rng) -> Iterator[Pull]:
    known = (Pulls(),) * len(arms)
    while True:
        arm = policy(known, rng)
        if not 0 <= arm < len(arms):
            raise ValueError(
                f"The policy answered {brief(arm)}; there are arms 0 to {len(arms) - 1}."
            )
        reward = arms[arm](rng)
        n, paid, squares = known[arm]
        changed = list(known)
        changed[arm] = Pulls(n + 1, paid + reward, squares + reward * reward)
        known = tuple(changed)
        yield Pull(arm, reward, known)


def _checked_arms(arms: Sequence[Arm]) -> Sequence[Arm]:
    if not arms:
        raise ValueError("There are no arms; one is bernoulli(0.5).")
    return arms


# Policies


def uniformly(known: Sequence[Pulls], rng: Rng) -> int:
    """Any arm, each as likely as any other."""
    return int(rng.random() * len(known))


def explore_then_commit(times: int) -> BanditPolicy:
    """Each arm so many times in turn, then for ever the one that had the best mean.

    Lattimore and Szepesvári (2020), "Bandit Algorithms", algorithm 1.
    """
    return partial(_explore_then_commit, at_least_one(times, "times"))


def _explore_then_commit(times: int, known: Sequence[Pulls], rng: Rng) -> int:  # noqa: ARG001
    pulled = [arm.n for arm in known]
    if min(pulled) < times:
        return pulled.index(min(pulled))
    return pulled.index(max(pulled)) if max(pulled) > times else _best(known)


Schedule: TypeAlias = Callable[[int, int], float]
"""How likely to explore, from 0 to 1, at pull t = 1, 2, ... of so many arms."""


def epsilon_greedy(epsilon: float | Schedule) -> BanditPolicy:
    """The arm of the best mean; with probability epsilon any arm, each as likely as any other.

    `epsilon` is a number from 0 to 1, or a schedule. Arms that were never pulled come first. Sutton
    and Barto (2018), "Reinforcement Learning", section 2.4.
    """
    if callable(epsilon):
        return partial(_epsilon_greedy, epsilon)
    if not isinstance(epsilon, int | float) or not 0 <= epsilon <= 1:
        raise ValueError(f"`epsilon` must be from 0 to 1; got {brief(epsilon)}.")
    return partial(_epsilon_greedy, partial(_constant, epsilon))


def _epsilon_greedy(epsilon: Schedule, known: Sequence[Pulls], rng: Rng) -> int:
    if rng.random() < epsilon(sum([arm.n for arm in known]) + 1, len(known)):
        return uniformly(known, rng)
    return _best(known)


def _constant(epsilon: float, t: int, arms: int) -> float:  # noqa: ARG001
    return epsilon


def auer_schedule(c: float, d: float) -> Schedule:
    """The epsilon min(1, c K / (d^2 t)) for K arms, where d is at most the smallest gap of means.

    Auer, Cesa-Bianchi and Fischer (2002), figure 3; its regret is logarithmic for c > 5.
    """
    return partial(_auer, not_negative(c, "c"), _above_zero(d, "d"))


def _auer(c: float, d: float, t: int, arms: int) -> float:
    return min(1.0, c * arms / (d * d * t))


def root_schedule(c: float, horizon: int) -> Schedule:
    """The epsilon min(1, sqrt(c ln T / N)) after N - 1 pulls of a horizon of T.

    It is the one of the article "Gomoku with Monte Carlo Tree Search", section Epsilon-Greedy.
    """
    return partial(_root, not_negative(c, "c"), at_least_one(horizon, "horizon"))


def _root(c: float, horizon: int, t: int, arms: int) -> float:  # noqa: ARG001
    return min(1.0, sqrt(c * log(horizon) / t))


def by_bound(bound: Bound = ucb1) -> BanditPolicy:
    """The arm of the highest bound, the first among equals; by default UCB1, for pay from 0 to 1.

    Auer, Cesa-Bianchi and Fischer (2002), figure 1. `ucb_wald` makes it the workshop's.
    """
    return partial(_by_bound, bound)


def _by_bound(bound: Bound, known: Sequence[Pulls], rng: Rng) -> int:  # noqa: ARG001
    total = sum([n for n, _, _ in known])
    bounds = [bound(paid, n, total) for n, paid, _ in known]
    return bounds.index(max(bounds))


def ucb1_tuned(known: Sequence[Pulls], rng: Rng) -> int:  # noqa: ARG001
    """The arm of the highest mean + sqrt(ln t / n min(1/4, V)), the first among equals.

    V is the variance of what the arm paid, plus sqrt(2 ln t / n). Auer, Cesa-Bianchi and Fischer
    (2002), section 4, UCB1-TUNED.
    """
    total = sum([n for n, _, _ in known])
    bounds = [_tuned(arm, total) for arm in known]
    return bounds.index(max(bounds))


def _tuned(arm: Pulls, total: int) -> float:
    n, paid, squares = arm
    if not n:
        return inf
    variance = squares / n - (paid / n) ** 2 + sqrt(2 * log(total) / n)
    return paid / n + sqrt(log(total) / n * min(0.25, variance))


def thompson(known: Sequence[Pulls], rng: Rng) -> int:
    """The arm of the highest mean, where means are drawn from what is believed of each.

    It is for arms that pay 0 or 1, with the uniform prior: Beta(1 + won, 1 + lost). Thompson
    (1933); Agrawal and Goyal (2012), "Analysis of Thompson sampling for the multi-armed bandit
    problem", algorithm 1.
    """
    drawn = []
    for n, paid, _ in known:
        won, lost = gamma(1 + paid, rng), gamma(1 + n - paid, rng)
        drawn.append(won / (won + lost))
    return drawn.index(max(drawn))


def _best(known: Sequence[Pulls]) -> int:
    """The arm of the best mean, the first among equals; one that was never pulled before that."""
    means = [paid / n if n else inf for n, paid, _ in known]
    return means.index(max(means))


def _above_zero(x: float, name: str) -> float:
    if not isinstance(x, int | float) or not 0 < x < inf:
        raise ValueError(f"`{name}` must be a finite number above 0; got {brief(x)}.")
    return x


# Regret


class Regret(NamedTuple):
    """What has been lost so far against always pulling the best arm."""

    expected: float
    """By the means of the arms that were pulled; it never falls."""
    realised: float
    """By what they really paid."""


def regret(pulled: Iterable[Pull], means: Sequence[float]) -> Iterator[Regret]:
    """The running regret after each of the pulls, where `means` are what the arms pay on average.

    The article "Gomoku with Monte Carlo Tree Search", section Regret; Lattimore and Szepesvári
    (2020), section 4.5, where the first is the pseudo-regret.

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
    """The constant C such that no good policy has less regret than C ln t in the limit.

    It is for Bernoulli arms: the sum of gap / KL(mean, best mean) over the arms that are not best.
    Lai and Robbins (1985), "Asymptotically efficient adaptive allocation rules", theorem 1.

    >>> round(lai_robbins((0.5, 0.25)), 4)
    1.9111
    """
    best = max(means)
    return sum([(best - p) / _divergence(p, best) for p in means if p < best])


def _divergence(p: float, q: float) -> float:
    """Kullback and Leibler's divergence of two Bernoulli laws."""
    won = p * log(p / q) if p else 0.0
    return won + (1 - p) * log((1 - p) / (1 - q)) if q < 1 else inf


# Experiments


class Curve(NamedTuple):
    """The mean regret of a policy over many runs, at some of its pulls."""

    at: tuple[int, ...]
    """Numbers of pulls."""
    mean: tuple[float, ...]
    """The expected regret after so many pulls, on average."""
    low: tuple[float, ...]
    high: tuple[float, ...]
    """The 95 % interval of that mean, by the normal law."""


def experiment(
    policies: Mapping[str, BanditPolicy],
    arms: Sequence[Arm],
    pulls: int,
    runs: int,
    seed: int | str,
    *,
    means: Sequence[float] | None = None,
    executor: Executor = builtins,
) -> dict[str, Curve]:
    """The curve of mean regret of each policy, from so many runs of so many pulls each.

    Run i of a policy draws from `Random(f"{seed}/{name}/{i}")`: the curves depend on the seed
    alone, whatever the executor. `means` are those of the arms, where they are not known.
    """
    done = runs_of(policies, arms, pulls, runs, seed, means=means, executor=executor)
    return curves(list(done), pulls)


def runs_of(
    policies: Mapping[str, BanditPolicy],
    arms: Sequence[Arm],
    pulls: int,
    runs: int,
    seed: int | str,
    *,
    means: Sequence[float] | None = None,
    executor: Executor = builtins,
) -> Iterator[dict[str, list[float]]]:
    """The runs of an `experiment`, one after another: what each policy had lost at its pulls."""
    at_least_one(runs, "runs")
    known = means_of(_checked_arms(arms)) if means is None else tuple(means)
    if len(known) != len(arms):
        raise ValueError(f"There are {len(known)} means for {len(arms)} arms.")
    run = partial(_run, tuple(arms), known, _looks(at_least_one(pulls, "pulls")))
    a_seed(seed)
    tasks = [
        (policy, f"{seed}/{name}/{i}") for i in range(runs) for name, policy in policies.items()
    ]
    lost = iter(mapped(executor, run, tasks))
    return ({name: next(lost) for name in policies} for _ in range(runs))


def curves(runs: Sequence[Mapping[str, Sequence[float]]], pulls: int) -> dict[str, Curve]:
    """The curves that some runs of so many pulls give."""
    return {name: _curve(_looks(pulls), [run[name] for run in runs]) for name in runs[0]}


def _looks(pulls: int) -> list[int]:
    """The numbers of pulls at which a curve is known: all, if there are no more than 200."""
    return sorted({-(-pulls * i // 200) for i in range(1, 201)})


def _run(
    arms: Sequence[Arm],
    means: Sequence[float],
    at: Sequence[int],
    task: tuple[BanditPolicy, str],
) -> list[float]:
    """The expected regret of one run, at these numbers of pulls."""
    policy, seed = task
    running = regret(pulls(arms, policy, random.Random(seed)), means)
    steps = [after - before for before, after in zip([0, *at], at, strict=False)]
    return [next(islice(running, step - 1, None)).expected for step in steps]


def _curve(at: Sequence[int], runs: Sequence[Sequence[float]]) -> Curve:
    columns = list(zip(*runs, strict=True))
    means = [_added(column) / len(runs) for column in columns]
    halves = [_half_interval(column, mean) for column, mean in zip(columns, means, strict=True)]
    return Curve(
        tuple(at),
        tuple(means),
        tuple([mean - half for mean, half in zip(means, halves, strict=True)]),
        tuple([mean + half for mean, half in zip(means, halves, strict=True)]),
    )


def _half_interval(sample: Sequence[float], mean: float) -> float:
    """Half the 95 % interval of a mean; infinite where there is a single run."""
    n = len(sample)
    return 1.96 * sqrt(_added([(x - mean) ** 2 for x in sample]) / (n - 1) / n) if n > 1 else inf


def _added(numbers: Iterable[float]) -> float:
    """The sum, one after another: what `sum` does with floats differs between Pythons."""
    total = 0.0
    for x in numbers:
        total += x
    return total
