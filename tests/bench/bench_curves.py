"""Exact learning curves: the time of a value, and of many seeds.

It needs the dependency group `bench`: python -m pytest tests/bench/bench_curves.py

The seconds of SEEDS searches of 10,000 dives of Shut the Box with five marks, on all cores:
python tests/bench/bench_curves.py SEEDS
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from random import Random

from measured import seconds
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


TREE = search(GAME, {}, GAME.start, 1000, Random(7), bound=ucb_wald)
FLAT = flat_of(GAME, GAME.start)


def learnt_value():
    return value(FLAT, ranks_of(FLAT, TREE))


def backed_up_value():
    return value(FLAT, backed_up_ranks(FLAT, ranks_of(FLAT, TREE)))


def by_the_solver(tree):
    return solver(GAME, policy=learnt(tree))(GAME.start)


def bench_values_of_what_a_tree_has_learnt(rate):
    rate("values", 100, lambda: [learnt_value() for _ in range(100)], at_least=400)


def bench_values_of_a_tree_backed_up(rate):
    rate("values", 100, lambda: [backed_up_value() for _ in range(100)], at_least=200)


def bench_flat_values_beside_the_solver(ratio):
    ratio(lambda: by_the_solver(TREE), learnt_value, 5)


def bench_flat_means_backed_up_beside_the_fold_in_fractions(ratio):
    ratio(lambda: by_the_solver(backed_up(GAME, TREE, GAME.start)), backed_up_value, 8)


if __name__ == "__main__":
    seeds = int(sys.argv[1])
    with ProcessPoolExecutor() as executor:
        how = {"seed": 7, "executor": executor}
        took = seconds(lambda: curves(GAME, MARKS, seeds, {"workshop": ucb_wald}, **how))
    print(f"{seeds:,} seeds: {took:.1f} s")
