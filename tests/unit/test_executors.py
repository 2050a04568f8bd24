"""The same answer from every executor: the answer depends on the seed and the chunks alone."""

import builtins
import multiprocessing
import os
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial, reduce
from operator import neg
from random import Random
from subprocess import PIPE
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from killed import begin, times_factor
from purembts import simulation
from purembts.bounds import ucb1, ucb_wald, wald_with
from purembts.executors import _Opaque, mapped
from purembts.fast import engine
from purembts.games.shut_the_box import shut_the_box
from purembts.mcts import merge_trees
from purembts.records import merge
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from purembts.workshop import easy_box, sample_box, search, simulate, start_box
from toys import Pile, pile_game

simulate_parallel = partial(simulation.simulate_parallel, shut_the_box())
search_parallel = partial(engine.search_parallel, shut_the_box(), bound=ucb_wald)

SPAWN = multiprocessing.get_context("spawn")


def answers(executor):
    """Answers that must be the same with any `executor`: variants, chance, and three players."""
    variant = shut_the_box(levers=8, dice=3)
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


# Tasks that are pickled once


class Pickling:
    """An executor that sends the function with each task, as pools of processes do."""

    def map(self, work, tasks):
        return [self.sent(work)(task) for task in tasks]

    def sent(self, work):
        return pickle.loads(pickle.dumps(work))


class Twice(Pickling):
    """An executor that reads and writes the function on the way, as the scheduler of dask does."""

    def sent(self, work):
        return super().sent(super().sent(work))


class Counted:
    """A function that counts the times that it is pickled and unpickled."""

    pickled = unpickled = 0

    def __call__(self, task):
        return -task

    def __reduce__(self):
        Counted.pickled += 1
        return made_again, ()


def made_again():
    Counted.unpickled += 1
    return Counted()


@pytest.mark.parametrize("executor", [Pickling(), Twice()])
def test_a_function_is_pickled_once_and_unpickled_once_in_a_process(executor):
    assert [*mapped(Pickling(), abs, [-1])] == [1]  # the process forgets the last function
    Counted.pickled = Counted.unpickled = 0
    assert [*mapped(executor, Counted(), range(5))] == [0, -1, -2, -3, -4]
    assert (Counted.pickled, Counted.unpickled) == (1, 1)


def test_a_function_of_no_module_is_left_to_the_pickler_of_the_executor():
    """Some picklers send it whole. Another process may have another `__main__`."""

    def inner(task):
        return task

    class Main:
        def __reduce__(self):
            return SimpleNamespace, (), {"module": "__main__"}

    for function in (inner, lambda task: task, Main()):
        assert _Opaque(function).__reduce__() == (_Opaque, (function,))
    _, (_, packed) = _Opaque(neg).__reduce__()
    assert pickle.loads(packed) is neg


SCRIPT = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from purembts.fast.engine import search_parallel
from purembts.games.last_coin import Pile, last_coin

if __name__ == "__main__":
    def result(pile):
        return (1, 0) if pile.player else (0, 1)

    spawn = multiprocessing.get_context("spawn")
    search = partial(search_parallel, last_coin()._replace(result=result), {}, Pile(9), 50)
    for pool in (ProcessPoolExecutor(1, mp_context=spawn), spawn.Pool(1)):
        with pool:
            try:
                search(seed=7, chunks=2, executor=pool)
            except ValueError as error:
                print(error)
            assert [*pool.map(abs, [-1])] == [1], "the pool works on"
"""


@pytest.mark.slow
def test_a_game_that_a_new_process_does_not_have_is_an_error_with_advice(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, str(tmp_path / "script.py")]
    how = {"env": {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, "timeout": 60}
    lines = subprocess.run(command, check=True, stdout=PIPE, text=True, **how).stdout.splitlines()
    assert len(lines) == 2
    for line in lines:
        assert "other processes can import; got AttributeError: Can't get attribute 'res" in line
        assert line.endswith("Put it in a file of its own, and import it.")


def test_a_pool_of_python_reads_a_function_within_its_task(monkeypatch):
    """An error comes back from a task. Elsewhere it would break the pool."""

    class Pool(Pickling):
        __module__ = "multiprocessing.pool"

        def sent(self, work):
            sent = super().sent(work)
            monkeypatch.undo()
            return sent

    def own(task):
        return task

    own.__module__, own.__qualname__ = "__main__", "own"
    monkeypatch.setattr(sys.modules["__main__"], "own", own, raising=False)
    with pytest.raises(ValueError, match=r"must be in a module .* Can't get attribute 'own' on"):
        [*mapped(Pool(), own, [1])]


# Processes that are killed


def test_results_that_a_killed_process_has_lost_are_made_again(tmp_path):
    how = {"mp_context": SPAWN, "initializer": begin, "initargs": (10,)}
    with ProcessPoolExecutor(2, **how) as pool:
        results = mapped(pool, partial(times_factor, tmp_path), range(6))
        assert next(results) == 0
        (tmp_path / "now").touch()
        assert [*results] == [10, 20, 30, 40, 50]
        assert (tmp_path / "over").exists()
        with pytest.raises(BrokenProcessPool):
            pool.submit(abs, 1)
        assert [*mapped(pool, neg, [1, 2])] == [-1, -2], "a broken pool can be given again"


def test_another_executor_is_asked_again():
    """Those of joblib begin with new processes then."""

    def asked(work, tasks):
        left = [*tasks]
        calls.append(left)
        if len(calls) == 1:
            yield work(left[0])
            raise BrokenProcessPool
        yield from map(work, left)

    calls = []
    assert [*mapped(SimpleNamespace(map=asked), neg, [1, 2, 3])] == [-1, -2, -3]
    assert calls == [[1, 2, 3], [2, 3]]


# Other arguments


@pytest.mark.parametrize("executor", [4, SimpleNamespace(map=None)])
def test_an_executor_that_gives_no_results_is_refused_by_its_name(executor):
    with pytest.raises(
        ValueError, match=r"`executor` must .*client\.get_executor\(\).* got "
    ) as told:
        search_parallel({}, start_box, 100, seed=7, chunks=2, executor=executor)
    assert str(told.value).endswith(f"got {executor}.")
