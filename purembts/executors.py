"""Executors: any object with a `map` can work on the chunks of a task side by side.

The answer does not depend on the executor; docs/scaling.md says how to use the pools of others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from random import Random
from typing import Any, Protocol, TypeVar

from purembts.chance import Rng
from purembts.checks import a_seed, at_least_one, brief

T = TypeVar("T")


class Executor(Protocol):
    """An object whose method `map` gives the results in the order of the values.

    Examples are a pool of threads, processes or machines, and the module `builtins`. For processes
    and machines, the function, the values and the results must pickle.
    """

    def map(self, function: Callable[[Any], T], values: Iterable[Any], /) -> Iterable[T]: ...


def map_chunks(
    executor: Executor, work: Callable[[int, Rng], T], n: int, *, seed: int | str, chunks: int
) -> Iterator[T]:
    """The results of `work(size, rng)` for chunks whose sizes add up to `n`.

    Each chunk has its own generator: chunk i draws from `Random(f"{seed}/{i}")`. So the results
    depend on (seed, n, chunks) alone.

    >>> import builtins
    >>> list(map_chunks(builtins, lambda size, rng: size, 10, seed=7, chunks=3))
    [4, 3, 3]
    """
    n = at_least_one(n, "n")
    chunks = min(n, at_least_one(chunks, "chunks"))
    size, larger = divmod(n, chunks)
    sizes = [size + 1] * larger + [size] * (chunks - larger)
    tasks = [(size, f"{a_seed(seed)}/{i}") for i, size in enumerate(sizes)]
    return mapped(executor, partial(_chunk, work), tasks)


def _chunk(work: Callable[[int, Rng], T], task: tuple[int, str]) -> T:
    size, seed = task
    return work(size, Random(seed))


def mapped(executor: Executor, work: Callable[[Any], T], tasks: Iterable[Any]) -> Iterator[T]:
    """The result of `work` for each of `tasks`, in the same order, computed by `executor`."""
    if hasattr(executor, "get_executor") or not callable(getattr(executor, "map", None)):
        raise ValueError(
            "`executor` must have a method map(function, values) that gives the results, for "
            "example ProcessPoolExecutor(), or client.get_executor() of a dask Client; "
            f"got {brief(executor)}."
        )
    return iter(executor.map(work, list(tasks)))
