"""Checks of arguments, each with an error in a full sentence: "`X` must be Y; got Z."."""

from math import inf
from typing import TypeVar

T = TypeVar("T")


def brief(value: object) -> str:
    """The repr of `value`, cut to 120 characters; its type if it has no repr."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an int of 5,000 digits, a list in itself
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= 120 else f"{text[:117]}..."


def at_least_one(n: int, name: str) -> int:
    """`n`, or a ValueError if it is not a whole number of at least 1.

    >>> at_least_one(0, "dives")
    Traceback (most recent call last):
    ValueError: `dives` must be a whole number of at least 1; got 0.
    """
    return whole_number(n, name, 1)


def not_negative(z: float, name: str) -> float:
    """`z`, or a ValueError if it is not a finite number of at least 0.

    >>> not_negative(-1, "z")
    Traceback (most recent call last):
    ValueError: `z` must be a finite number of at least 0; got -1.
    """
    if not isinstance(z, int | float) or not 0 <= z < inf:
        raise ValueError(f"`{name}` must be a finite number of at least 0; got {brief(z)}.")
    return z


def a_seed(seed: T) -> T:
    """`seed`, or a ValueError if it could not draw the same numbers again.

    >>> a_seed(7.0)
    Traceback (most recent call last):
    ValueError: `seed` must be a whole number or a text, for example seed=7; got 7.0.
    """
    if not isinstance(seed, int | str):
        raise ValueError(
            f"`seed` must be a whole number or a text, for example seed=7; got {brief(seed)}."
        )
    return seed


def an_rng(rng: T) -> T:
    """`rng`, or a ValueError if it cannot draw random numbers.

    >>> an_rng(7)
    Traceback (most recent call last):
    ValueError: `rng` must be a generator, as random.Random(7), or the module random; got 7.
    """
    if not hasattr(rng, "random"):
        raise ValueError(
            "`rng` must be a generator, as random.Random(7), or the module random; "
            f"got {brief(rng)}."
        )
    return rng


def whole_number(n: int, name: str, least: int, most: int | None = None) -> int:
    """`n`, or a ValueError where it is not a whole number from `least` to `most`.

    True and False are refused, though Python takes them for 1 and 0.

    >>> whole_number(True, "player", 0, 1)
    Traceback (most recent call last):
    ValueError: `player` must be a whole number from 0 to 1; got True.
    """
    is_whole = isinstance(n, int) and not isinstance(n, bool)
    if not is_whole or n < least or (most is not None and n > most):
        allowed = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"`{name}` must be a whole number {allowed}; got {brief(n)}.")
    return n


def true_or_false(value: bool, name: str) -> bool:
    """`value`, or a ValueError where it is anything but True or False.

    >>> true_or_false("yes", "misere")
    Traceback (most recent call last):
    ValueError: `misere` must be True or False; got 'yes'.
    """
    if not isinstance(value, bool):
        raise ValueError(f"`{name}` must be True or False; got {brief(value)}.")
    return value
