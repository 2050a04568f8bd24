"""Checks of arguments, each with an error in a full sentence: "`X` must be Y; got Z."."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf
from operator import index
from typing import Any, TypeVar

T = TypeVar("T")

MISTAKES = (TypeError, AttributeError, LookupError, ValueError, OverflowError)
"""The errors of a function that gets other arguments, or other values, than it was written for."""
_LARGEST = 1.7976931348623157e308  # the largest float
_REALS = int, float  # `int | float` would be made again at each check


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
    return all(is_number(x) and -inf < x < inf for x in numbers)


def are_scores(numbers: Iterable[object]) -> bool:
    """True if all of `numbers` are of a type of scores: int, float or Fraction."""
    return all(isinstance(number, int | float | Fraction) for number in numbers)


def _wrong(name: str, right: str, got: object) -> ValueError:
    """The error for the wrong value `got`. The name "a of b" is written as "`a` of b"."""
    argument, of, owner = name.partition(" of ")
    return ValueError(f"`{argument}`{of}{owner} must be {right}; got {brief(got)}.")


def _is_finite(x: object) -> bool:
    """True if `x` is an int or a finite float; an int must not be too large for a float."""
    return isinstance(x, _REALS) and not isinstance(x, bool) and abs(x) <= _LARGEST


def finite(x: float, name: str, least: float = -inf, most: float = inf) -> float:
    """`x`, or a ValueError if it is not a finite number from `least` to `most`."""
    if _is_finite(x) and least <= x <= most:
        return x
    at_least = "" if least == -inf else f" of at least {least}"
    right = f"a finite number{at_least}" if most == inf else f"a number from {least} to {most}"
    raise _wrong(name, right, x)


LARGEST = 1_000_000
"""The largest constant of a bound. With a much larger one, tried moves have infinite bounds."""


def a_constant(x: float, name: str) -> float:
    """`x`, or a ValueError if it is not a number from 0 to `LARGEST`."""
    return finite(x, name, 0, LARGEST)


def is_number(x: object) -> bool:
    """True if `x` compares with floats and is not NaN; it may be infinite."""
    try:
        return bool(-inf <= x <= inf)  # type: ignore[operator]  # another type raises an error
    except (TypeError, ValueError):
        return False


def above_zero(x: float, name: str) -> float:
    """`x`, or a ValueError if it is not a finite number above 0."""
    if not (_is_finite(x) and x > 0):
        raise _wrong(name, "a finite number above 0", x)
    return x


def whole_number(n: int, name: str, least: int, most: float = inf) -> int:
    """`n` as an int, or a ValueError if it is no whole number from `least` to `most`.

    True and 1.0 are refused. A whole number of numpy is taken.
    """
    if type(n) is int and least <= n <= most:
        return n
    try:
        whole = None if isinstance(n, bool) else index(n)
    except TypeError:
        whole = None
    if whole is not None and least <= whole <= most:
        return whole
    allowed = f"of at least {least}" if most == inf else f"from {least} to {most}"
    raise _wrong(name, f"a whole number {allowed}", n)


def at_least_one(n: int, name: str) -> int:
    """`n`, or a ValueError if it is not a whole number of at least 1 that a loop can count to."""
    whole = whole_number(n, name, 1)
    if whole > 10**18:
        raise _wrong(name, "a whole number from 1 to 10**18", n)
    return whole


def true_or_false(value: bool, name: str) -> bool:
    """`value`, or a ValueError if it is not True or False."""
    if not isinstance(value, bool):
        raise _wrong(name, "True or False", value)
    return value


def checked_parts(value: Any, kinds: tuple[type, ...], right: str) -> list[Any]:  # noqa: ANN401
    """`value`. ValueError, with the words `right`, unless it is a list with a part of each kind."""
    if not isinstance(value, list) or tuple(map(type, value)) != kinds:
        raise ValueError(f"{right}; got {brief(value)}.")
    return value


def a_seed(seed: T, name: str = "seed") -> T:
    """`seed`. ValueError unless it is an int or a text: with other types the draws may differ."""
    is_seed = isinstance(seed, int | str) and not isinstance(seed, bool)
    if not is_seed:
        raise _wrong(name, "a whole number or a text, for example seed=7", seed)
    return seed


def an_rng(rng: T, name: str = "rng") -> T:
    """`rng`, or a ValueError if it has no method `random`: a seed is the usual mistake."""
    is_rng = hasattr(rng, "random") and not isinstance(rng, type)
    if not is_rng:
        raise _wrong(name, "a generator, for example random.Random(7)", rng)
    return rng
