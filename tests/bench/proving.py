"""Figures about `settling` and `proofs`: regrets, numbers of dives to a proof, players with a clock.

The counts depend on the seeds alone.
"""

import statistics
from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random

from purembts import search, shut_the_box, start_box, win_probability
from purembts.exact import solver
from purembts.mcts import learnt
from purembts.settling import backed_up, foreseen

the_box = shut_the_box()

READINGS: dict[str, Callable] = {
    "best mean": learnt,
    "backed up": lambda tree: learnt(backed_up(the_box, tree, start_box)),
    "foreseen": lambda tree: foreseen(the_box, tree, start_box),
}
"""Three policies that follow from one tree of Shut the Box."""


def regret(policy) -> Fraction:
    """The probability to win that `policy` gives away in Shut the Box."""
    return win_probability(start_box) - solver(the_box, policy)(start_box)[0]


def regrets_of_search(dives: int, seeds: Sequence[int]) -> dict[str, list[Fraction]]:
    """For each reading, the regrets of trees of the workshop's UCT, one for each seed."""
    trees = [search({}, start_box, dives, Random(seed)) for seed in seeds]
    return {name: [regret(read(tree)) for tree in trees] for name, read in READINGS.items()}


def mean_and_worst(regrets: Sequence[Fraction]) -> str:
    """The mean and the highest of `regrets`, as text."""
    return f"{float(statistics.mean(regrets)):.5f}, at most {float(max(regrets)):.5f}"
