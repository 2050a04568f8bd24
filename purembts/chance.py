"""Randomness as an argument: whatever draws is told what to draw from.

A function that draws takes an `rng` as its last positional argument. Left out, it is the
`random` module; `Random(7)` in its place makes the call a pure expression.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Protocol, TypeVar, overload

from purembts.checks import shown

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
        if not callable(n):
            raise ValueError(f"{shown(n)} cannot be called; repeatedly takes f, or n and f.")
        return _for_ever(n)
    if not isinstance(n, int) or n < 0:
        raise ValueError(f"n is {shown(n)}; it has to be a whole number of at least 0.")
    return islice(_for_ever(f), n)


def _for_ever(f: Callable[[], T]) -> Iterator[T]:
    while True:
        yield f()
