"""The same answer from every executor: the answer depends on the seed and the chunks alone."""

import builtins
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial, reduce
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from purembts import simulation
from purembts.bounds import ucb1, ucb_wald, wald_with
from purembts.fast import engine
from purembts.games.shut_the_box import Rules, full_box, shut_the_box
from purembts.mcts import merge_trees
from purembts.records import merge
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from purembts.workshop import easy_box, sample_box, search, simulate, start_box
from toys import MAPPINGS, PERSISTENT, Pile, kind_of, pile_game, plain

simulate_parallel = partial(simulation.simulate_parallel, shut_the_box())
search_parallel = partial(engine.search_parallel, shut_the_box(), bound=ucb_wald)

SPAWN = multiprocessing.get_context("spawn")


def answers(executor):
    """Answers that must be the same with any `executor`: variants, chance, and three players."""
    variant = shut_the_box(Rules(levers=8, dice=3))
    known = engine.search(pile_game, {}, Pile(9), 50, Random(1))
    return [
        simulate_parallel(sample_box, 1000, seed=7, chunks=3, executor=executor),
        simulation.simulate_parallel(
            random_game(3, players=3), 0, 500, seed="word", chunks=4, executor=executor
        ),
        search_parallel({}, start_box, 600, seed=7, chunks=4, executor=executor),
        engine.search_parallel(
            variant, {}, easy_box, 60, seed=7, chunks=2, bound=wald_with(1), executor=executor
        ),
        engine.search_parallel(
            pile_game, known, Pile(9), 100, seed=7, chunks=3, bound=ucb1, executor=executor
        ),
    ]


@pytest.fixture(scope="module")
def expected():
    return answers(builtins)


def test_threads_give_the_same(expected):
    with ThreadPoolExecutor(2) as executor:
        assert answers(executor) == expected


def test_spawned_processes_give_the_same(expected):
    with ProcessPoolExecutor(2, mp_context=SPAWN) as executor:
        assert answers(executor) == expected


def test_a_multiprocessing_pool_gives_the_same(expected):
    with SPAWN.Pool(2) as pool:
        assert answers(pool) == expected


def test_the_chunks_have_generators_of_their_own():
    parts = [simulate(250, easy_box, Random(f"7/{i}")) for i in range(4)]
    assert simulate_parallel(easy_box, 1000, seed=7, chunks=4) == reduce(merge, parts)


def test_a_parallel_search_is_the_merge_of_its_chunks():
    parts = [search({}, start_box, 250, Random(f"7/{i}")) for i in range(4)]
    merged = search_parallel({}, start_box, 1000, seed=7, chunks=4)
    assert merged == reduce(merge_trees, parts)
    assert merged != search({}, start_box, 1000, Random(7)), "it is not one search"


@settings(max_examples=30)
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


@pytest.mark.parametrize("start", [*PERSISTENT, *MAPPINGS])
def test_the_kind_of_tree_is_kept(start):
    grown = engine.search_parallel(pile_game, start(), Pile(9), 50, seed=7, chunks=2)
    assert type(grown) is kind_of(start)
    again = engine.search_parallel(pile_game, start(plain(grown)), Pile(9), 50, seed=8, chunks=2)
    assert again[Pile(9)].visits == 100


def test_more_chunks_than_games_are_as_many_as_there_are_games():
    assert simulate_parallel(easy_box, 3, seed=7, chunks=10).visits == 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: simulate_parallel(easy_box, 0, seed=7, chunks=2), "`n` must be"),
        (lambda: simulate_parallel(easy_box, 10, seed=7, chunks=0), "`chunks` must be"),
        (lambda: search_parallel({}, start_box, 0, seed=7, chunks=2), "`dives` must be"),
        (lambda: search_parallel({}, start_box, 10, seed=7, chunks=1.5), "`chunks` must be"),
        (
            lambda: simulate_parallel(easy_box, 9, seed=Random(7), chunks=2),
            "`seed` must be a whole number",
        ),
        (lambda: simulate_parallel(easy_box, 9, seed=None, chunks=2), "`seed` must be a"),
    ],
)
def test_a_wrong_argument_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("dives", [0, -1, 2.5, True])
def test_searches_side_by_side_have_at_least_one_dive(dives):
    with pytest.raises(ValueError, match="`dives` must be a whole number of at least 1; got"):
        engine.search_parallel(shut_the_box(), {}, full_box(), dives, seed=7, chunks=2)
