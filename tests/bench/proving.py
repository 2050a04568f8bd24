"""Regrets, and the numbers of dives to a proof, for the figures of `proving`.

They depend on the seeds alone.
"""

import statistics
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any, NamedTuple

from purembts import search, shut_the_box, start_box, win_probability
from purembts.bounds import ucb1, ucb1_with, ucb_wald
from purembts.exact import solver
from purembts.game import Game
from purembts.games import last_coin, mnk, reversi
from purembts.games.shut_the_box import Rules, full_box
from purembts.mcts import learnt
from purembts.proving import backed_up, robust, settle_search

# Regrets in Shut the Box

the_box = shut_the_box()

READINGS: dict[str, Callable] = {
    "best mean": learnt,
    "backed up": lambda tree: learnt(backed_up(the_box, tree, start_box)),
    "robust": lambda tree: robust(the_box, tree, start_box),
}
"""Three policies that follow from one tree of Shut the Box."""


def regret(policy) -> Fraction:
    """The probability to win that `policy` gives away in Shut the Box."""
    return win_probability(start_box) - solver(the_box, policy=policy)(start_box)[0]


def regrets(grow: Callable, dives: int, seeds: Sequence[int]) -> dict[str, list[Fraction]]:
    """For each reading, the regrets of the trees that `grow` makes, one for each seed."""
    trees = [grow(dives, Random(seed)) for seed in seeds]
    return {name: [regret(read(tree)) for tree in trees] for name, read in READINGS.items()}


def mean_and_worst(regrets: Sequence[Fraction]) -> str:
    """The mean and the highest of `regrets`, as text."""
    return f"{float(statistics.mean(regrets)):.5f}, at most {float(max(regrets)):.5f}"


def searched(dives: int, rng: Random):
    return search({}, start_box, dives, rng)


def settled_by(dives: int, rng: Random):
    return settle_search(the_box, {}, start_box, dives, rng, bound=ucb_wald)


# Proofs


class Proof(NamedTuple):
    """A game to prove from a position, by dives with a bound."""

    game: Game[Any, Any]
    start: Any
    bound: Callable[[float, int, int], float]


twelve = Rules(levers=12)
PROOFS = {
    "nine levers": Proof(the_box, start_box, ucb_wald),
    "12 levers": Proof(shut_the_box(twelve), full_box(rules=twelve), ucb_wald),
    "tic-tac-toe": Proof(mnk.tic_tac_toe, mnk.Board(), ucb1),
    "4x4 Reversi": Proof(reversi.reversi(4), reversi.start(4), ucb1_with(0.5)),
    "4x4 Reversi, c = 1.41": Proof(reversi.reversi(4), reversi.start(4), ucb1),
    "21 coins": Proof(last_coin.last_coin(), last_coin.Pile(21), ucb1),
}

MANY = 10**6
"""More dives than any of these proofs takes."""


def proof(of: Proof, seed: int, **how):
    """The tree in which the start is proved."""
    options = {"bound": of.bound, **how}
    return settle_search(of.game, {}, of.start, MANY, Random(seed), **options)


def dives_to_proof(of: Proof, seeds: Sequence[int], **how) -> list[int]:
    """The number of dives until the start is proved, for each seed."""
    return [proof(of, seed, **how)[of.start].visits for seed in seeds]


def blind(seed: int) -> Callable[[float, int, int], float]:
    """A bound that is drawn: the move of the highest bound is uniformly random."""
    return partial(_drawn, Random(f"blind/{seed}"))


def _drawn(rng: Random, score: float, visits: int, total: int) -> float:
    return rng.random()


def spread(numbers: Sequence[float]) -> str:
    """The lowest, the mean and the highest of `numbers`, as text."""
    return f"{min(numbers):,} to {max(numbers):,}, mean {statistics.mean(numbers):,.1f}"
