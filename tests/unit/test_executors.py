"""The same answer from every executor: the answer depends on the seed and the chunks alone."""

import builtins
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial, reduce
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.bounds import ucb1, ucb_wald
from purembts.fast import engine
from purembts.games.shut_the_box import shut_the_box
from purembts.mcts import merge_trees
from purembts.records import merge
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from purembts.workshop import easy_box, search, simulate, start_box
from toys import Pile, pile_game

simulate_parallel = partial(engine.simulate_parallel, shut_the_box())
search_parallel = partial(engine.search_parallel, shut_the_box(), bound=ucb_wald)

SPAWN = multiprocessing.get_context("spawn")


def answers(executor):
    """Answers that must be the same with any `executor`: chance, three players, a known tree."""
    known = engine.search(pile_game, {}, Pile(9), 50, Random(1))
    return [
        engine.simulate_parallel(
            random_game(3, players=3), 0, 500, seed="word", chunks=4, executor=executor
        ),
        search_parallel({}, start_box, 600, seed=7, chunks=4, executor=executor),
        engine.search_parallel(
            pile_game, known, Pile(9), 100, seed=7, chunks=3, bound=ucb1, executor=executor
        ),
    ]


@pytest.fixture(scope="module")
def expected():
    return answers(builtins)


@pytest.mark.parametrize(
    "pool",
    [
        partial(ThreadPoolExecutor, 2),
        partial(ProcessPoolExecutor, 2, mp_context=SPAWN),
        pytest.param(partial(SPAWN.Pool, 2), marks=pytest.mark.slow),
    ],
    ids=["threads", "spawned processes", "a multiprocessing pool"],
)
def test_every_executor_gives_the_same(pool, expected):
    with pool() as executor:
        assert answers(executor) == expected


def test_a_parallel_search_is_the_merge_of_its_chunks():
    """The chunks have generators of their own."""
    parts = [simulate(250, easy_box, Random(f"7/{i}")) for i in range(4)]
    assert simulate_parallel(easy_box, 1000, seed=7, chunks=4) == reduce(merge, parts)
    parts = [search({}, start_box, 250, Random(f"7/{i}")) for i in range(4)]
    merged = search_parallel({}, start_box, 1000, seed=7, chunks=4)
    assert merged == reduce(merge_trees, parts)
    assert merged != search({}, start_box, 1000, Random(7)), "it is not one search"


@given(seeds, st.integers(1, 200), st.integers(1, 6), st.integers(1, 50))
def test_a_parallel_search_adds_its_dives_to_the_tree(seed, dives, chunks, before):
    """What was known is counted once, not once a chunk."""
    game = random_game(seed)
    tree = engine.search(game, {}, 0, before, Random(seed))
    kept = dict(tree)
    grown = engine.search_parallel(game, tree, 0, dives, seed=seed, chunks=chunks)
    assert grown[0].visits == before + dives
    assert tree == kept
    one = engine.search_parallel(game, tree, 0, dives, seed=seed, chunks=1)
    assert one == engine.search(game, tree, 0, dives, Random(f"{seed}/0"))


CLIENT = SimpleNamespace(map=map, get_executor=None)
"""An object with the names of a dask client, whose `map` gives futures."""


@pytest.mark.parametrize("executor", [4, SimpleNamespace(map=None), CLIENT])
def test_an_executor_that_gives_no_results_is_refused_by_its_name(executor):
    with pytest.raises(ValueError, match=r"`executor` must .*client\.get_executor\(\)") as error:
        search_parallel({}, start_box, 100, seed=7, chunks=2, executor=executor)
    assert str(error.value).endswith(f"got {executor}.")
