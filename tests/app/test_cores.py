"""Tests of work on all cores that need no process."""

from concurrent.futures import Executor, Future

from purembts.app.cores import Cores
from purembts.games.mnk import tic_tac_toe


class Pool(Executor):
    """A pool in which a person ends each task."""

    def __init__(self):
        self.futures = []

    def submit(self, work, *tasks):
        self.futures.append(Future())
        return self.futures[-1]


def test_results_come_in_the_order_of_their_tasks():
    pool = Pool()
    results = Cores(pool, tic_tac_toe).map(abs, [1, 2])
    for answer, future in zip("ba", reversed(pool.futures), strict=True):
        future.set_result(answer)
    assert [*results] == ["a", "b"]


def test_work_that_is_left_is_not_cancelled_while_the_pool_may_set_its_end():
    """A pool whose processes were killed set an error for such work, and printed a traceback."""
    pool = Pool()
    results = Cores(pool, tic_tac_toe).map(abs, [1, 2, 3])
    pool.futures[0].set_result("a")
    assert next(results) == "a"
    results.close()
    assert not any(future.cancelled() for future in pool.futures)
