"""What a caller may get wrong, said in a full sentence where it comes in."""

from math import inf
from typing import TypeVar

T = TypeVar("T")


def shown(value: object) -> str:
    """`value` as it is written, cut short where it would flood a terminal."""
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."


def at_least_one(n: int, name: str) -> int:
    """`n`, or a ValueError that says what it should have been.

    >>> at_least_one(0, "dives")
    Traceback (most recent call last):
    ValueError: dives is 0; it has to be a whole number of at least 1.
    """
    if not isinstance(n, int) or n < 1:
        raise ValueError(f"{name} is {shown(n)}; it has to be a whole number of at least 1.")
    return n


def not_negative(z: float, name: str) -> float:
    """`z`, or a ValueError that says what it should have been; NaN and infinity are refused.

    >>> not_negative(-1, "z")
    Traceback (most recent call last):
    ValueError: z is -1; it has to be a finite number of at least 0.
    """
    if not isinstance(z, int | float) or not 0 <= z < inf:
        raise ValueError(f"{name} is {shown(z)}; it has to be a finite number of at least 0.")
    return z


def a_seed(seed: T) -> T:
    """`seed`, or a ValueError where it would not draw the same again.

    >>> a_seed(7.0)
    Traceback (most recent call last):
    ValueError: The seed is 7.0; it has to be a whole number or a text, as seed=7.
    """
    if not isinstance(seed, int | str):
        raise ValueError(
            f"The seed is {shown(seed)}; it has to be a whole number or a text, as seed=7."
        )
    return seed


def an_rng(rng: T) -> T:
    """`rng`, or a ValueError where it is nothing that random numbers can be drawn from.

    >>> an_rng(7)
    Traceback (most recent call last):
    ValueError: The rng is 7; it has to be a generator, as random.Random(7), or the random module.
    """
    if not hasattr(rng, "random"):
        raise ValueError(
            f"The rng is {shown(rng)}; it has to be a generator, as random.Random(7), "
            "or the random module."
        )
    return rng
