"""Executors: any object with a `map` can work on the chunks of a task side by side.

The answer does not depend on the executor. If a process is killed, its chunks are computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache, partial
from random import Random
from typing import Any, Generic, TypeAlias, TypeVar

from purembts.chance import Rng
from purembts.checks import a_seed, at_least_one, brief

T = TypeVar("T")

Executor: TypeAlias = Any
"""An object with a method `map(function, values)` that keeps the order of the values.

Examples are a pool of threads, processes or machines, and the module `builtins`. For processes and
machines, the function, the values and the results must pickle."""


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
    n, chunks = at_least_one(n, "n"), at_least_one(chunks, "chunks")
    sizes = [n // chunks + (i < n % chunks) for i in range(min(n, chunks))]
    tasks = [(size, f"{a_seed(seed)}/{i}") for i, size in enumerate(sizes)]
    return mapped(executor, partial(_run_chunk, work), tasks)


def _run_chunk(work: Callable[[int, Rng], T], task: tuple[int, str]) -> T:
    size, seed = task
    return work(size, Random(seed))


def mapped(executor: Executor, work: Callable[[Any], T], tasks: Iterable[Any]) -> Iterator[T]:
    """The result of `work` for each of `tasks`, in the same order, computed by `executor`.

    If a process of the executor is killed, a new executor computes the results from the first
    missing one on, once.
    """
    if hasattr(executor, "get_executor") or not callable(getattr(executor, "map", None)):
        raise ValueError(
            "`executor` must have a method map(function, values) that gives the results, for "
            "example ProcessPoolExecutor(), or client.get_executor() of a dask Client; "
            f"got {brief(executor)}."
        )
    by_name = any(kind.__module__ in _POOLS for kind in type(executor).__mro__)
    return _all_results(executor, _Opaque(work, by_name=by_name), list(tasks))


_POOLS = "concurrent.futures.process", "multiprocessing.pool"
"""The rooms of the executors of Python, whose pickler writes a function as its name."""


def _all_results(executor: Executor, work: _Opaque[T], tasks: list[Any]) -> Iterator[T]:
    """The results from `executor`, and after a broken process the rest from a new one like it."""
    n = 0
    try:
        for result in executor.map(work, tasks):
            n += 1
            yield result
    except RuntimeError as error:
        from concurrent.futures import BrokenExecutor  # it takes longer to import than all the rest

        if not isinstance(error, BrokenExecutor):
            raise
        again = _like(executor)
        try:
            yield from again.map(work, tasks[n:])
        finally:
            if again is not executor:
                again.shutdown(wait=False, cancel_futures=True)


def _like(executor: Executor) -> Executor:
    """A new pool in the place of a pool of processes, which has ended; any other executor."""
    from concurrent.futures import ProcessPoolExecutor  # which a browser does not have

    if not isinstance(executor, ProcessPoolExecutor):
        return executor
    names = "max_workers", "mp_context", "initializer", "initargs", "max_tasks_per_child"
    return ProcessPoolExecutor(**{name: getattr(executor, f"_{name}") for name in names})


class _Opaque(Generic[T]):
    """A function that executors pass on without a look at its parts, for example at a large tree.

    It is pickled once, however many tasks it is sent with, and unpickled once in each process. A
    function that `pickle` cannot find in a module is left to the pickler of the executor, unless
    that writes functions `by_name`: a pool breaks, or waits, if it cannot read its own messages.
    """

    def __init__(self, function: Callable[[Any], T], *, by_name: bool = False) -> None:
        self.function, self.by_name = function, by_name

    def __call__(self, task: Any) -> T:  # noqa: ANN401
        return self.function(task)

    def __reduce__(self) -> tuple[Any, ...]:
        return (partial, (_run, self._packed)) if self._packed else (_Opaque, (self.function,))

    def __dask_tokenize__(self) -> str:
        """Return a name that no other function has; dask would make one of all the parts."""
        from uuid import uuid4

        return uuid4().hex

    @cached_property
    def _packed(self) -> bytes | None:
        """The function in the form of `pickle`, which every process reads; None if it has none."""
        import pickle  # for processes alone

        try:
            packed = pickle.dumps(self.function)
        except (pickle.PicklingError, AttributeError, TypeError):
            return None
        # Other processes may have another `__main__`. Some picklers send such functions whole.
        return None if b"__main__" in packed and not self.by_name else packed


def _run(packed: bytes, task: Any) -> Any:  # noqa: ANN401
    """The result of a task; a ValueError if this process does not have the function."""
    try:
        function = _unpacked(packed)
    except (AttributeError, ImportError) as error:
        raise ValueError(
            "A game must be in a module that other processes can import; "
            f"got {type(error).__name__}: {error}. Put it in a file of its own, and import it."
        ) from error
    return function(task)


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Callable[[Any], Any]:
    """The function, read once: the next task in this process gets it with its full caches."""
    import pickle

    function: Callable[[Any], Any] = pickle.loads(packed)
    return function
