"""Randomness as an argument: each function that draws random numbers takes a generator.

The generator `rng` is the last positional argument. It is the `random` module by default. With
`Random(7)` instead, the call is a pure expression.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, repeat, starmap
from typing import Any, Protocol, TypeAlias, TypeVar, cast

from purembts.checks import a_seed, an_rng, at_least_one, brief, whole_number

T = TypeVar("T")


class Rng(Protocol):
    """A source of random numbers: the `random` module or a `random.Random`.

    Only `random()` is called, which Python promises to keep, like the seeding of `random.Random`.
    """

    def random(self) -> float:
        """Return the next number, uniform over 0 <= x < 1."""
        ...


def pick(items: Sequence[T], rng: Rng = random) -> T:
    """One of `items`, all equally likely. A single item takes no random number.

    >>> pick("abc", random.Random(7))
    'a'
    """
    try:
        return items[0] if len(items) == 1 else items[int(rng.random() * len(items))]
    except IndexError:
        raise ValueError(f"`items` must have at least one item; got {brief(items)}.") from None
    except AttributeError:
        an_rng(rng)
        raise


def shuffled(items: Sequence[T], rng: Rng = random) -> tuple[T, ...]:
    """`items` in random order, all orders equally likely (Durstenfeld 1964)."""
    deck = list(items)
    for last in range(len(deck) - 1, 0, -1):
        i = int(rng.random() * (last + 1))
        deck[i], deck[last] = deck[last], deck[i]
    return tuple(deck)


Executor: TypeAlias = Any
"""An object with a method `map(function, values)` that keeps the order of the values.

Examples are a pool of threads, processes or machines, and the module `builtins`. For processes and
machines, the function, the values and the results must pickle."""


def map_chunks(
    executor: Executor, work: Callable[[int, Rng], T], n: int, *, seed: int | str, chunks: int
) -> Iterable[T]:
    """The results of `work(size, rng)` for chunks whose sizes add up to `n`.

    Each chunk has its own generator: chunk i draws from `Random(f"{seed}/{i}")`. So the results
    depend on (seed, n, chunks) alone.

    >>> import builtins
    >>> list(map_chunks(builtins, lambda size, rng: size, 10, seed=7, chunks=3))
    [4, 3, 3]
    """
    at_least_one(chunks, "chunks")
    sizes = [n // chunks + (i < n % chunks) for i in range(min(n, chunks))]
    tasks = [(work, size, f"{a_seed(seed)}/{i}") for i, size in enumerate(sizes)]
    return mapped(executor, _run_chunk, tasks)


def mapped(executor: Executor, work: Callable[[Any], T], tasks: Iterable[Any]) -> Iterable[T]:
    """The result of `work` for each of `tasks`, in the same order, computed by `executor`."""
    results: Iterable[T] = executor.map(work, tasks)
    return results


def _run_chunk(task: tuple[Callable[[int, Rng], T], int, str]) -> T:
    work, size, seed = task
    return work(size, random.Random(seed))


def repeatedly(n: int | Callable[[], T], f: Callable[[], T] | None = None, /) -> Iterator[T]:
    """The results of calling `f()` again and again: n of them, or without end for `repeatedly(f)`.

    The results are an iterator, which can be read only once; `tuple` keeps them.

    >>> tuple(repeatedly(3, lambda: "heads"))
    ('heads', 'heads', 'heads')
    """
    call: Any = n if f is None else f
    if not callable(call):
        raise ValueError(
            f"`f` must be a function; got {brief(call)}. Write repeatedly(f) or repeatedly(n, f)."
        )
    calls = starmap(call, repeat(()))
    return calls if f is None else islice(calls, whole_number(cast("int", n), "n", 0))
