"""Work on all cores: the order of results, and processes that are killed."""

import multiprocessing
import pickle
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial

import pytest

from killed import begin, times_factor
from purembts.app.cores import Cores, all_cores
from purembts.executors import Opaque, mapped
from purembts.games.mnk import tic_tac_toe
from purembts.simulation import simulate


class Pool(Executor):
    """A pool in which a person ends each task."""

    def __init__(self):
        self.futures, self.packed = [], []

    def submit(self, work, packed):
        self.futures.append(Future())
        self.packed.append(packed)
        return self.futures[-1]


def test_results_come_in_the_order_of_their_tasks():
    pool = Pool()
    results = Cores(tic_tac_toe, lambda: pool).map(abs, [1, 2])
    for answer, future in zip("ba", reversed(pool.futures), strict=True):
        future.set_result(answer)
    assert [*results] == ["a", "b"]


def test_the_game_is_not_sent_but_made_again_in_each_process():
    """The file of a person is no module that a new process could import."""
    pool = Pool()
    game = tic_tac_toe
    Cores(game, lambda: pool).map(Opaque(partial(simulate, game, game.start)), [1])
    [(work, task)] = pool.packed
    with pytest.raises(pickle.UnpicklingError, match="persistent"):
        pickle.loads(work)
    assert pickle.loads(task) == 1


def test_work_that_is_left_is_not_cancelled_while_the_pool_may_set_its_end():
    """A pool whose processes were killed set an error for such work, and printed a traceback."""
    pool = Pool()
    results = Cores(tic_tac_toe, lambda: pool).map(abs, [1, 2, 3])
    pool.futures[0].set_result("a")
    assert next(results) == "a"
    results.close()
    assert not any(future.cancelled() for future in pool.futures)


def test_a_new_pool_makes_again_what_a_killed_process_has_lost(tmp_path):
    spawn = multiprocessing.get_context("spawn")
    how = {"mp_context": spawn, "initializer": begin, "initargs": (10,)}
    cores = Cores(tic_tac_toe, partial(ProcessPoolExecutor, 2, **how))
    first = cores.pool
    results = mapped(cores, partial(times_factor, tmp_path), range(5))
    assert next(results) == 0
    (tmp_path / "now").touch()
    assert [*results] == [10, 20, 30, 40]
    assert cores.pool is not first
    cores.pool.shutdown()
    first.shutdown()


def test_processes_that_end_twice_are_an_error():
    with pytest.raises(ValueError, match="Processes of --executor processes ended before"):
        ended_twice()


def ended_twice():
    with all_cores(tic_tac_toe, "tic-tac-toe", []):
        raise BrokenProcessPool
