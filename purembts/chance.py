"""Randomness as an argument: each function that draws random numbers takes a generator.

The generator `rng` is the last positional argument. By default it is `random`, the generator of the
module of that name. With `Random(7)` instead, the call is a pure expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, repeat, starmap
from random import random as next_number
from typing import Any, Protocol, TypeVar, cast

from purembts.checks import an_rng, brief, whole_number

T = TypeVar("T")


class Rng(Protocol):
    """A source of random numbers: `random` or a `random.Random`.

    Only `random()` is called, which Python promises to keep, like the seeding of `random.Random`.
    """

    def random(self) -> float:
        """Return the next number, uniform over 0 <= x < 1."""
        ...


class _Shared:
    """The generator of the module `random`. A signature shows its name, and not a path."""

    random = staticmethod(next_number)

    def __repr__(self) -> str:
        return "random"


random: Rng = _Shared()
"""The generator by default, the one of the module `random`: `random.seed` there seeds it."""


def pick(items: Sequence[T], rng: Rng = random) -> T:
    """One of `items`, all equally likely. A single item takes no random number.

    >>> from random import Random
    >>> pick("abc", Random(7))
    'a'
    """
    try:
        return items[0] if len(items) == 1 else items[int(rng.random() * len(items))]
    except IndexError:
        raise ValueError(f"`items` must have at least one item; got {brief(items)}.") from None
    except (AttributeError, TypeError):
        an_rng(rng)
        raise


def shuffled(items: Sequence[T], rng: Rng = random) -> tuple[T, ...]:
    """`items` in random order, all orders equally likely (Durstenfeld 1964)."""
    deck, rng = list(items), an_rng(rng)
    for last in range(len(deck) - 1, 0, -1):
        i = int(rng.random() * (last + 1))
        deck[i], deck[last] = deck[last], deck[i]
    return tuple(deck)


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
