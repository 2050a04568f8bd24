"""The times of executors: their start, a chunk without work, and a search from a known tree.

python tests/bench/executors.py pool spawned multiprocessing threads joblib loky dask ray
mpirun -n 3 python -m mpi4py.futures tests/bench/executors.py mpi

Each executor has two workers. The rounds alternate between no executor, the executor, and the
executor with the work in each task, as it was before `executors.Opaque`.
"""

import builtins
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from statistics import median
from types import SimpleNamespace

from measured import seconds
from purembts.executors import mapped
from purembts.fast.engine import search, search_parallel
from purembts.games.reversi import reversi

ROUNDS = 5


@contextmanager
def joblib():
    from joblib import Parallel, delayed

    def side_by_side(work, tasks):
        return Parallel(n_jobs=2)(delayed(work)(task) for task in tasks)

    yield SimpleNamespace(map=side_by_side)


@contextmanager
def loky():
    from loky import get_reusable_executor

    yield get_reusable_executor(max_workers=2)


@contextmanager
def dask():
    from dask.distributed import Client, LocalCluster

    how = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**how) as cluster, Client(cluster) as client:
        yield client.get_executor()


@contextmanager
def ray():
    from ray.util.multiprocessing import Pool

    with Pool(2) as pool:
        yield pool


@contextmanager
def mpi():
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor() as executor:
        yield executor


SPAWN = multiprocessing.get_context("spawn")
EXECUTORS = {
    "pool": lambda: ProcessPoolExecutor(2),
    "spawned": lambda: ProcessPoolExecutor(2, mp_context=SPAWN),
    "multiprocessing": lambda: SPAWN.Pool(2),
    "threads": lambda: ThreadPoolExecutor(2),
    **{each.__name__: each for each in (joblib, loky, dask, ray, mpi)},
}


def run_pair(pair):
    work, task = pair
    return work(task)


def measure(name, game, tree):
    """Print the times of an executor."""
    begun = time.perf_counter()
    with EXECUTORS[name]() as executor:
        list(mapped(executor, abs, range(2)))
        begun = time.perf_counter() - begun
        chunk = median(seconds(lambda: list(mapped(executor, abs, range(200)))) for _ in "abc")

        def before(work, tasks):
            return executor.map(run_pair, [(work.function, task) for task in tasks])

        trees, ratios = [], {"packed": [], "as before": []}
        ways = {"packed": executor, "as before": SimpleNamespace(map=before)}
        for _ in range(ROUNDS):

            def searched(way):
                how = {"seed": 7, "chunks": 4, "executor": way}
                trees.append(search_parallel(game, tree, game.start, 2_000, **how))

            alone = seconds(lambda: searched(builtins))
            for way, chosen in ways.items():
                ratios[way].append(seconds(lambda chosen=chosen: searched(chosen)) / alone)
        assert all(each == trees[0] for each in trees)
    times = ", ".join(f"{way} {median(each):.2f}" for way, each in ratios.items())
    each = f"a chunk {chunk / 200 * 1000:.2f} ms"
    print(f"{name}: start {begun:.2f} s, {each}; time / that of one process: {times}", flush=True)


if __name__ == "__main__":
    game = reversi()
    tree = search(game, {}, game.start, 20_000, Random(1))
    for name in sys.argv[1:]:
        measure(name, game, tree)
