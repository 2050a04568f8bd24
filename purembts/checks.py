"""Checks of arguments, each with an error in a full sentence: "`X` must be Y; got Z."."""

from collections.abc import Sequence
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


def are_finite(numbers: Sequence[float]) -> bool:
    """True if all of `numbers` are finite numbers, of any type that compares with floats."""
    try:
        # A finite sum has finite parts. Adding up is faster than looking at each.
        if -inf < sum(numbers) < inf:
            return True
    except (TypeError, OverflowError):
        pass
    return all(map(_is_finite, numbers))


def _is_finite(x: float) -> bool:
    try:
        return -inf < x < inf
    except TypeError:
        return False


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
    if not _is_number(z) or z < 0:
        raise ValueError(f"`{name}` must be a finite number of at least 0; got {brief(z)}.")
    return z


def above_zero(x: float, name: str) -> float:
    """`x`, or a ValueError if it is not a finite number above 0."""
    if not _is_number(x) or x <= 0:
        raise ValueError(f"`{name}` must be a finite number above 0; got {brief(x)}.")
    return x


def probability(p: float, name: str) -> float:
    """`p`, or a ValueError if it is not a number from 0 to 1."""
    if not _is_number(p) or not 0 <= p <= 1:
        raise ValueError(f"`{name}` must be a number from 0 to 1; got {brief(p)}.")
    return p


def finite(x: float, name: str) -> float:
    """`x`, or a ValueError if it is not a finite number."""
    if not _is_number(x):
        raise ValueError(f"`{name}` must be a finite number; got {brief(x)}.")
    return x


def _is_number(x: object) -> bool:
    """True if `x` is a finite int or float. True and False are not numbers here."""
    return isinstance(x, int | float) and not isinstance(x, bool) and _is_finite(x)


def only(options: dict[str, T], *names: str) -> dict[str, T]:
    """`options`, or a ValueError if one of them has none of these `names`.

    >>> only({"rollout": 4}, "bound", "rollouts")
    Traceback (most recent call last):
    ValueError: An option must be one of bound, rollouts; got `rollout`.
    """
    for option in options:
        if option not in names:
            raise ValueError(f"An option must be one of {', '.join(names)}; got `{option}`.")
    return options


def a_seed(seed: T) -> T:
    """`seed`, or a ValueError if it is not a whole number or a text.

    Other seeds are not certain to draw the same numbers again.

    >>> a_seed(7.0)
    Traceback (most recent call last):
    ValueError: `seed` must be a whole number or a text, for example seed=7; got 7.0.
    """
    if not isinstance(seed, int | str) or isinstance(seed, bool):
        raise ValueError(
            f"`seed` must be a whole number or a text, for example seed=7; got {brief(seed)}."
        )
    return seed


def an_rng(rng: T) -> T:
    """`rng`, or a ValueError if it has no method `random`.

    >>> an_rng(7)
    Traceback (most recent call last):
    ValueError: `rng` must be a generator, for example random.Random(7); got 7.
    """
    if not hasattr(rng, "random"):
        raise ValueError(
            f"`rng` must be a generator, for example random.Random(7); got {brief(rng)}."
        )
    return rng


def whole_number(n: int, name: str, least: int, most: int | None = None) -> int:
    """`n`, or a ValueError if it is not a whole number from `least` to `most`.

    True and False are refused, although they are equal to 1 and 0.

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
    """`value`, or a ValueError if it is not True or False.

    >>> true_or_false("yes", "misere")
    Traceback (most recent call last):
    ValueError: `misere` must be True or False; got 'yes'.
    """
    if not isinstance(value, bool):
        raise ValueError(f"`{name}` must be True or False; got {brief(value)}.")
    return value
