"""Randomness as an argument: whatever draws is told what to draw from.

A function that draws takes an `rng` as its last positional argument. Left out, it is the
`random` module; `Random(7)` in its place makes the call a pure expression.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Protocol, TypeAlias, TypeVar, overload

from purembts.checks import a_seed, at_least_one, brief

T = TypeVar("T")


class Rng(Protocol):
    """A source of random numbers: the `random` module or a `random.Random`.

    Only `random()` is called: of the standard generators just that method and the seeding are
    promised to give the same numbers on every version of Python.
    """

    def random(self) -> float:
        """Return the next number, uniform over 0 <= x < 1."""
        ...


def pick(items: Sequence[T], rng: Rng = random) -> T:
    """One of `items`, each as likely as any other; a single item costs no random number.

    >>> pick(("only",))
    'only'
    >>> pick("abc", random.Random(7))
    'a'
    """
    return items[0] if len(items) == 1 else items[int(rng.random() * len(items))]


def shuffled(items: Sequence[T], rng: Rng = random) -> tuple[T, ...]:
    """`items` in random order, each order as likely as any other (Durstenfeld 1964).

    >>> shuffled("abcde", random.Random(7))
    ('c', 'd', 'e', 'a', 'b')
    """
    deck = list(items)
    for last in range(len(deck) - 1, 0, -1):
        i = int(rng.random() * (last + 1))
        deck[i], deck[last] = deck[last], deck[i]
    return tuple(deck)


Executor: TypeAlias = Any
"""Whatever has `map(function, values)` and keeps the order: a pool of threads, processes or
machines, or the module `builtins`. Values and results are picklable."""


def map_chunks(
    executor: Executor, work: Callable[[int, Rng], T], n: int, chunks: int, seed: int | str
) -> Iterable[T]:
    """The results of `work(size, rng)` for chunks that add up to n, each with its own generator.

    They depend on (seed, n, chunks) alone: chunk i draws from `Random(f"{seed}/{i}")`.

    >>> import builtins
    >>> list(map_chunks(builtins, lambda size, rng: size, 10, 3, seed=7))
    [4, 3, 3]
    """
    at_least_one(chunks, "chunks")
    sizes = [n // chunks + (i < n % chunks) for i in range(min(n, chunks))]
    tasks = [(work, size, f"{a_seed(seed)}/{i}") for i, size in enumerate(sizes)]
    return mapped(executor, _run_chunk, tasks)


def mapped(executor: Executor, work: Callable[[Any], T], tasks: Iterable[Any]) -> Iterable[T]:
    """The results of `work` for each of `tasks`, in their order, from `executor`."""
    if not hasattr(executor, "map"):
        raise ValueError(f"`executor` must have a method map; got {brief(executor)}.")
    results: Iterable[T] = executor.map(work, tasks)
    return results


def _run_chunk(task: tuple[Callable[[int, Rng], T], int, str]) -> T:
    work, size, seed = task
    return work(size, random.Random(seed))


@overload
def repeatedly(n: Callable[[], T], /) -> Iterator[T]: ...
@overload
def repeatedly(n: int, f: Callable[[], T], /) -> Iterator[T]: ...
def repeatedly(n: int | Callable[[], T], f: Callable[[], T] | None = None, /) -> Iterator[T]:
    """Results of `f()`, one after another: `repeatedly(f)` for ever, `repeatedly(n, f)` n of them.

    What comes back is an iterator, to be gone through once: keep the results with `tuple`.

    >>> tuple(repeatedly(3, lambda: "heads"))
    ('heads', 'heads', 'heads')
    """
    if f is None:
        return _for_ever(_callable(n))
    if not isinstance(n, int) or n < 0:
        raise ValueError(f"`n` must be a whole number of at least 0; got {brief(n)}.")
    return islice(_for_ever(_callable(f)), n)


def _callable(f: T) -> T:
    if not callable(f):
        raise ValueError(
            f"`f` must be a function; got {brief(f)}. Write repeatedly(f) or repeatedly(n, f)."
        )
    return f


def _for_ever(f: Any) -> Iterator[Any]:  # noqa: ANN401
    while True:
        yield f()
