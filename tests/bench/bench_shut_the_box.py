"""How fast Shut the Box is played, searched and solved in pure Python.

It needs the dependency group `bench`: python -m pytest tests/bench/bench_shut_the_box.py
"""

import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from random import Random

import pytest
from immutables import Map
from pyrsistent import pmap
from toolz import nth

from purembts import (
    all_boxes,
    learnt_probability,
    mcts,
    possible_moves,
    search,
    simulate,
    start_box,
    uct,
    win_probability,
)
from purembts.bounds import ucb_wald
from purembts.exact import solver
from purembts.fast import engine, links
from purembts.fast.flat import backed_up_ranks, flat_of, ranks_of, value
from purembts.game import Game
from purembts.games import shut_the_box
from purembts.proving import backed_up

GAME = shut_the_box.shut_the_box()
FLAT = flat_of(GAME, GAME.start)
TREE = search({}, start_box, 1000, Random(7))


def values_from_nothing():
    """The exact values of all boxes, with every cache of the game empty."""
    words = (possible_moves.__wrapped__, win_probability.__wrapped__)
    for cached in (*vars(shut_the_box).values(), *words):
        if hasattr(cached, "cache_clear"):
            cached.cache_clear()
    links._memory.clear()
    return [win_probability(box) for box in all_boxes]


def folded():
    """3,000 calls of `uct`."""
    tree, rng = {}, Random(1)
    for _ in range(3000):
        tree, _ = uct(tree, start_box, rng)
    return tree


def generic_dives():
    return nth(3000, mcts.trees(GAME, {}, start_box, Random(1), bound=ucb_wald))


def by_the_solver(tree):
    return solver(GAME, policy=mcts.learnt(tree))(GAME.start)


def importing(*packages):
    code = f"import {', '.join(packages)}"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run([sys.executable, "-c", code], check=True, env=environment)


SPEEDS = {
    "the plain uct against the generic one": (generic_dives, folded, 0.8, 9),
    "a flat value against the solver": (
        lambda: by_the_solver(TREE),
        lambda: value(FLAT, ranks_of(FLAT, TREE)),
        5,
        5,
    ),
    "a flat value backed up against the fold in Fractions": (
        lambda: by_the_solver(backed_up(GAME, TREE, GAME.start)),
        lambda: value(FLAT, backed_up_ranks(FLAT, ranks_of(FLAT, TREE))),
        8,
        5,
    ),
    "importing pyrsistent and toolz": (
        importing("pyrsistent", "toolz"),
        importing("purembts"),
        1 / 1.5,
        15,
    ),
}
"""Two ways, the number of times that the first one takes as long at least, and the rounds."""


@pytest.mark.parametrize("name", SPEEDS)
def bench_ratio(ratio, name):
    slow, fast, at_least, rounds = SPEEDS[name]
    fast()  # leaves the bytecode of an import
    ratio(slow, fast, at_least, rounds=rounds)


OLD = search({}, start_box, 50_000, Random(1))
RATES = {
    "random games": (10**6, lambda: simulate(10**6, rng=Random(1)), 400_000),
    "dives of 10,000": (10_000, lambda: search({}, start_box, 10_000, Random(1)), 60_000),
    "dives of 100,000": (100_000, lambda: search({}, start_box, 100_000, Random(1)), 60_000),
    "exact values": (512, values_from_nothing, 4000),
    "exact values of what 50,000 dives have learnt": (1, partial(learnt_probability, OLD), 10),
}
"""Works of a number of units, and how many of these are done in a second at least."""


@pytest.mark.parametrize("unit", RATES)
def bench_rate(rate, unit):
    count, work, at_least = RATES[unit]
    rate(unit, count, work, at_least=at_least)


WIDE = Game(
    moves=lambda at, event: [(at[0] + 1, (at[1] * 7 + k) % 6000) for k in range(9 * (at[0] < 6))],
    result=lambda at: (at[1] % 2, 1 - at[1] % 2),
    to_move=lambda at: at[0] % 2,
    name="a wide DAG",
)
"""Shut the Box has too few positions for a tree of more than 10,000."""
KEPT = {
    "Shut the Box, immutables.Map": (GAME, Map(), start_box, 50_000, 1 / 2, 9),
    "a wide DAG, immutables.Map": (WIDE, Map(), (0, 1), 40_000, 1 / 2, 9),
    "a wide DAG, pmap": (WIDE, pmap(), (0, 1), 40_000, 0, 3),
}


@pytest.mark.parametrize("name", KEPT)
def bench_keeping_no_tree_against_2_000(ratio, name):
    game, empty, state, n, at_least, rounds = KEPT[name]
    tree = engine.search(game, empty, state, n, Random(1))
    assert game is GAME or len(tree) > 10_000
    ratio(
        lambda: nth(2000, mcts.trees(game, tree, state, Random(1))),
        lambda: tuple(islice(mcts.trees(game, tree, state, Random(1)), 2001)),
        at_least,
        rounds=rounds,
    )


def bench_two_processes_against_one(ratio):
    """400,000 dives in two chunks, the pool started before."""
    how = {"seed": 7, "chunks": 2, "bound": ucb_wald}
    work = partial(engine.search_parallel, GAME, {}, start_box, 400_000, **how)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        list(executor.map(abs, range(8)))
        ratio(work, partial(work, executor=executor), at_least=1.6, rounds=5)
