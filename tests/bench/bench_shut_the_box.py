"""How fast purembts is: against the workshop's way written literally, the limit, and itself.

It needs the dependency group `bench`: python -m pytest tests/bench/bench_shut_the_box.py
"""

import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from random import Random

from immutables import Map
from pyrsistent import pmap
from toolz import nth

import baseline
import limit
from purembts import (
    all_boxes,
    best_move_table,
    learnt_probability,
    mcts,
    possible_moves,
    search,
    simulate,
    simulate_crowd,
    start_box,
    uct,
    win_probability,
)
from purembts.bounds import ucb_wald
from purembts.fast import engine, links
from purembts.game import Game
from purembts.games import shut_the_box
from purembts.verify.statistics import assert_probability


def forget():
    """Clear every cache of the game, so that the next call starts from nothing."""
    words = (possible_moves.__wrapped__, win_probability.__wrapped__)
    for cached in (*vars(shut_the_box).values(), *words):
        if hasattr(cached, "cache_clear"):
            cached.cache_clear()
    links._kept.clear()


def bench_simulate_a_million_games(ratio):
    ratio(
        lambda: baseline.simulate(10**6, Random(1)),
        lambda: simulate(10**6, rng=Random(1)),
        at_least=8,
        rounds=3,
    )


def bench_the_limit_of_simulate(ratio):
    """A share of the limit in Python."""
    ratio(
        lambda: limit.simulate(10**6, Random(1)),
        lambda: simulate(10**6, rng=Random(1)),
        at_least=0.55,
        rounds=7,
    )


def bench_crowd_of_10_to_the_6_against_10_to_the_12(ratio):
    """At most 1.5 times as long for a million times as many."""
    ratio(
        lambda: simulate_crowd(10**6, rng=Random(1)),
        lambda: simulate_crowd(10**12, rng=Random(1)),
        at_least=1 / 1.5,
        rounds=15,
    )


def literal_dives(n):
    return lambda: baseline.search(pmap(), start_box, n, Random(1))


def bench_search_100_000_dives(ratio):
    ratio(literal_dives(100_000), lambda: search({}, start_box, 100_000, Random(1)), 15, rounds=3)


def bench_search_1_000_dives(ratio):
    ratio(literal_dives(1000), lambda: search({}, start_box, 1000, Random(1)), 5, rounds=15)


def limit_of_search(ratio, dives, rounds):
    ratio(
        lambda: limit.search(dives, Random(1)),
        lambda: search({}, start_box, dives, Random(1)),
        at_least=0.55,
        rounds=rounds,
    )


def bench_the_limit_of_search_10_000_dives(ratio):
    limit_of_search(ratio, 10_000, rounds=25)


def bench_the_limit_of_search_100_000_dives(ratio):
    limit_of_search(ratio, 100_000, rounds=7)


def folded(tree, dives):
    rng = Random(1)
    for _ in range(dives):
        tree, _ = uct(tree, start_box, rng)
    return tree


def bench_folding_uct_over_pmap(ratio):
    ratio(literal_dives(3000), lambda: folded(pmap(), 3000), 1.8, rounds=9)


def bench_folding_uct_over_immutables_map(ratio):
    ratio(literal_dives(3000), lambda: folded(Map(), 3000), 4, rounds=9)


def bench_the_plain_uct_against_the_generic_one(ratio):
    """About as fast."""
    game = shut_the_box.shut_the_box()

    def generic():
        return nth(3000, mcts.trees(game, {}, start_box, Random(1), bound=ucb_wald))

    ratio(generic, lambda: folded({}, 3000), at_least=0.8, rounds=9)


def keep_none(game, tree, state):
    return lambda: nth(2000, mcts.trees(game, tree, state, Random(1)))


def keep_all(game, tree, state):
    return lambda: tuple(islice(mcts.trees(game, tree, state, Random(1)), 2001))


def bench_keeping_no_tree_against_2_000(ratio):
    """At most twice as long: the tree of Shut the Box, on immutables.Map."""
    how = (shut_the_box.shut_the_box(), search(Map(), start_box, 50_000, Random(1)), start_box)
    ratio(keep_none(*how), keep_all(*how), at_least=1 / 2, rounds=9)


WIDE = Game(
    moves=lambda at, event: [(at[0] + 1, (at[1] * 7 + k) % 6000) for k in range(9 * (at[0] < 6))],
    result=lambda at: (at[1] % 2, 1 - at[1] % 2),
    to_move=lambda at: at[0] % 2,
    name="a wide DAG",
)
"""Shut the Box has too few positions for a large tree."""


def large_tree(empty):
    tree = engine.search(WIDE, empty, (0, 1), 40_000, Random(1))
    assert len(tree) > 10_000
    return tree


def bench_keeping_no_large_tree_against_2_000(ratio):
    """At most twice as long: a tree of more than 10,000 positions, on immutables.Map."""
    how = (WIDE, large_tree(Map()), (0, 1))
    ratio(keep_none(*how), keep_all(*how), at_least=1 / 2, rounds=9)


def bench_keeping_no_large_pmap_against_2_000(ratio):
    """What it costs over pmap, which the documentation states."""
    how = (WIDE, large_tree(pmap()), (0, 1))
    ratio(keep_none(*how), keep_all(*how), at_least=0, rounds=3)


def values_from_nothing():
    forget()
    return [win_probability(box) for box in all_boxes]


def table_from_nothing():
    forget()
    return best_move_table()


def bench_exact_values_of_all_boxes(ratio):
    ratio(baseline.complete_tree, values_from_nothing, 2.5, rounds=15)


def bench_the_limit_of_exact_values(ratio):
    ratio(limit.exact_values, values_from_nothing, at_least=0, rounds=25)


def bench_the_table_of_best_moves(ratio):
    ratio(baseline.best_move_table, table_from_nothing, 2.5, rounds=15)


def bench_the_limit_of_the_table_of_best_moves(ratio):
    ratio(limit.best_move_table, table_from_nothing, at_least=0, rounds=25)


def bench_the_value_of_an_old_tree(ratio):
    """The exact value of what 50,000 dives have learnt, against the complete game tree."""
    tree = search({}, start_box, 50_000, Random(1))
    ratio(baseline.complete_tree, lambda: learnt_probability(tree), at_least=3, rounds=15)


def bench_two_processes_against_one(ratio):
    """400,000 dives in two chunks, the pool started before."""
    how = {"seed": 7, "chunks": 2, "bound": ucb_wald}
    game = shut_the_box.shut_the_box()
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        list(executor.map(abs, range(8)))
        ratio(
            lambda: engine.search_parallel(game, {}, start_box, 400_000, **how),
            lambda: engine.search_parallel(game, {}, start_box, 400_000, **how, executor=executor),
            at_least=1.6,
            rounds=5,
        )


def importing(*packages):
    code = f"import {', '.join(packages)}"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return lambda: subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def bench_importing_pyrsistent_and_toolz_against_purembts(ratio):
    """At most 1.5 times as long."""
    importing("purembts")()  # leaves its bytecode
    ratio(importing("pyrsistent", "toolz"), importing("purembts"), at_least=1 / 1.5, rounds=15)


def test_the_baseline_is_right():
    """It finds what purembts finds: it is slow, not wrong."""
    tree = baseline.complete_tree()
    assert all(tree[box, None] == win_probability(box) for box in all_boxes)
    record = baseline.simulate(20_000, Random(1))
    assert_probability(record["win"], 20_000, learnt_probability({}), effect=0.015)


def test_the_limit_is_right():
    """It finds the same as purembts, from the same random numbers."""
    assert limit.simulate(20_000, Random(1)) == simulate(20_000, rng=Random(1))
    for dives in (1, 30, 5000):
        assert limit.search(dives, Random(dives)) == search({}, start_box, dives, Random(dives))
    assert limit.exact_values() == {box: win_probability(box) for box in all_boxes}
    assert limit.best_move_table() == best_move_table()
