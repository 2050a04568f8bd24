"""Exact learning curves: the time of a value, and of many seeds.

It needs the dependency group `bench`: python -m pytest tests/bench/bench_curves.py

The seconds of SEEDS searches of 10,000 dives of Shut the Box with five marks, on all cores:
python tests/bench/bench_curves.py SEEDS
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from random import Random

from purembts.bounds import ucb_wald
from purembts.curves import curves
from purembts.exact import solver
from purembts.fast.engine import search
from purembts.fast.flat import backed_up_ranks, flat_of, ranks_of, value
from purembts.games.shut_the_box import shut_the_box
from purembts.mcts import learnt
from purembts.proving import backed_up

GAME = shut_the_box()
MARKS = (100, 300, 1000, 3000, 10_000)


@cache
def grown():
    """The flat positions of Shut the Box, and a tree of them."""
    tree = search(GAME, {}, GAME.start, 1000, Random(7), bound=ucb_wald)
    return flat_of(GAME, GAME.start), tree


def learnt_values(n):
    flat, tree = grown()
    return [value(flat, ranks_of(flat, tree)) for _ in range(n)]


def backed_up_values(n):
    flat, tree = grown()
    return [value(flat, backed_up_ranks(flat, ranks_of(flat, tree))) for _ in range(n)]


def bench_values_of_what_a_tree_has_learnt(rate):
    rate("values", 100, lambda: learnt_values(100), at_least=400)


def bench_values_of_a_tree_backed_up(rate):
    rate("values", 100, lambda: backed_up_values(100), at_least=200)


def bench_flat_values_beside_the_solver(ratio):
    tree = grown()[1]
    ratio(lambda: solver(GAME, policy=learnt(tree))(GAME.start), lambda: learnt_values(1), 5)


def bench_flat_means_backed_up_beside_the_fold_in_fractions(ratio):
    tree = grown()[1]

    def plain():
        return solver(GAME, policy=learnt(backed_up(GAME, tree, GAME.start)))(GAME.start)

    ratio(plain, lambda: backed_up_values(1), 8)


if __name__ == "__main__":
    seeds, begin = int(sys.argv[1]), time.perf_counter()
    with ProcessPoolExecutor() as executor:
        curves(GAME, MARKS, seeds, {"workshop": ucb_wald}, seed=7, executor=executor)
    print(f"{seeds:,} seeds: {time.perf_counter() - begin:.1f} s")
