"""Knowledge that follows from a tree, and dives that leave out what is certain: their figures.

It needs the dependency group `bench`: python -m pytest tests/bench/bench_settling.py

Numbers of dives and regrets depend on the seeds alone. Times are ratios of two works in one run.
"""

from fractions import Fraction
from random import Random
from statistics import mean

import pytest

from proving import mean_and_worst, regrets_of_search, the_box
from purembts import search, start_box
from purembts.settling import backed_up, foreseen

SEEDS = range(100)

AT_MOST = {100: 1, 300: 1, 1000: Fraction("0.0135"), 3000: Fraction("0.0004"), 10_000: 0}
"""The highest mean regret of what is backed up, for a number of dives of `search`."""


@pytest.mark.parametrize("dives", AT_MOST)
def bench_regret_of_trees_of_search(figure, dives):
    regrets = regrets_of_search(dives, SEEDS)
    for reading, own in regrets.items():
        figure(f"{reading}: {mean_and_worst(own)}")
    assert mean(regrets["backed up"]) <= AT_MOST[dives]
    assert mean(regrets["foreseen"]) <= AT_MOST[dives]
    assert mean(regrets["backed up"]) <= mean(regrets["best mean"])


@pytest.mark.parametrize("fold", [backed_up, foreseen])
def bench_search_of_3_000_dives_against_a_fold(ratio, fold):
    """`backed_up` costs at most as much as the search."""
    trees = [search({}, start_box, 3000, Random(seed)) for seed in range(5)]
    ratio(
        lambda: [search({}, start_box, 3000, Random(seed)) for seed in range(5)],
        lambda: [fold(the_box, tree, start_box) for tree in trees],
        at_least=1 if fold is backed_up else 0,
        rounds=15,
    )
