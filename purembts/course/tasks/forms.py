"""The forms in which values of a solution are read, and their texts in messages.

The starter file fixes the forms. A value of another form is never guessed: it is not read, and the
message says how to write it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from fractions import Fraction
from numbers import Real
from operator import index
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from purembts import checks
from purembts.games.shut_the_box import LOSS, WIN, Box, full_box

T = TypeVar("T")
K = TypeVar("K")
AnyValue: TypeAlias = Any
"""A value of a solution, in any form."""
Words: TypeAlias = Mapping[str, AnyValue]
"""The words of a solution, by their names."""
Sides: TypeAlias = tuple[int, int]
"""The wins and the losses of a record."""


class Wrong(Exception):  # noqa: N818 - it is a verdict, and no error of the program
    """A fault of a solution, as a full sentence."""


class NotRead(Exception):  # noqa: N818
    """A value in a form that is not read, as full sentences with the form to write."""


class Form(NamedTuple, Generic[T]):
    """A form of values."""

    text: str
    """The form in words, after "Write"."""
    read: Callable[[AnyValue], T]
    """The value as the properties use it; a `Wrong` if it is impossible, an error if not read."""


# Texts


def levers(box: Iterable[object]) -> str:
    """The levers of a box in braces.

    >>> levers(frozenset({9, 1}))
    '{1, 9}'
    """
    return f"{{{', '.join(sorted(map(str, box)))}}}"


def levers_in_words(box: Box) -> str:
    """The levers in words: `lever 3`, `levers 1, 2`."""
    return f"{'levers' if len(box) > 1 else 'lever'} {levers(box)[1:-1]}"


def in_words(value: AnyValue) -> str:
    """A value in a message: the levers of a box, and a number with up to nine digits.

    >>> in_words(frozenset({9, 1})), in_words(Fraction(1, 36)), in_words(2 / 3), in_words(None)
    ('{1, 9}', '1/36 = 0.0277777778', '0.666666667', 'None')
    """
    if isinstance(value, Fraction) and 1 < value.denominator < 10**6:
        return f"{value} = {float(value):.9g}"
    if isinstance(value, float | Fraction):
        return f"{float(value):.9g}"
    try:
        return levers(value) if isinstance(value, set | frozenset) else checks.brief(value)
    except Exception:  # noqa: BLE001 - the repr of a class in the solution
        return f"a value of type {type(value).__name__}"


def got(text: str, value: AnyValue) -> str:
    """The beginning of a sentence about the value of a call, of a word, or of an entry."""
    return f"`{text}` {'gives' if text.endswith(')') else 'is'} {in_words(value)}"


# Forms


def _of_type(kind: type[T], value: AnyValue) -> T:
    """The same value, which must have this type."""
    if not isinstance(value, kind):
        raise TypeError
    return value


def _lever_set(value: AnyValue) -> Box:
    """A set of levers as a box; a `Wrong` if an item of it is no lever."""
    if strange := _of_type(AbstractSet, value) - full_box():  # type: ignore[type-abstract]
        lever = min(map(in_words, strange))
        raise Wrong(f"{lever} is no lever; the levers are the whole numbers 1 to 9.")
    return frozenset(value)


NUMBER = Form[Any]("a number", lambda value: _of_type(Real, value))  # type: ignore[type-abstract]
TEXT = Form("a text", lambda value: _of_type(str, value))
TRUTH = Form("True or False", {True: True, False: False}.__getitem__)
BOX = Form("a box as a set of the levers that are up: frozenset({2, 7})", _lever_set)
MOVES = Form(
    f"the moves as a set or another iterable, empty without a move, each {BOX.text}",
    lambda value: [_lever_set(move) for move in value],
)
RECORD = "a record as a Record, a pair (wins, losses), or a mapping with WIN and LOSS as keys"


def result(words: Words) -> Form[bool]:
    """Results, which are the values of `WIN` and `LOSS` in the solution: True for a win."""
    both = [words.get("WIN", WIN), words.get("LOSS", LOSS)]
    return Form("the result as `WIN` or `LOSS`", lambda value: both.index(value) == 0)


def record(words: Words) -> Form[Sides]:
    """Records: the wins and the losses. A mapping may lack one of them, which is 0 then."""
    is_won = result(words).read

    def sides(value: AnyValue) -> Sides:
        if hasattr(value, "scores"):
            value = tuple(value.scores) or (0, 0)
        elif hasattr(value, "items"):
            numbers = {is_won(key): number for key, number in value.items()}
            value = numbers.get(True, 0), numbers.get(False, 0)
        if type(value) not in (tuple, list):  # a NamedTuple can have the losses first
            raise TypeError
        wins, losses = value
        return index(wins), index(losses)

    return Form(RECORD, sides)


def share(words: Words, n: int, times: int = 1) -> Form[int]:
    """The shares of hits in n cases, multiplied by `times`, or records: the number of hits."""

    def hits(value: AnyValue) -> int:
        if not isinstance(value, Real):
            wins, losses = record(words).read(value)
            if wins + losses != n:
                raise Wrong(f"The record has n = {wins + losses:,}; it must be {n:,}.")
            return wins
        number = float(value) * n / times
        if not 0 <= number <= n or abs(number - round(number)) > 1e-6 * n:  # rounding of floats
            step = f"{times / n:.4g}"
            why = f": it is {times} times the share" if times > 1 else ""
            raise Wrong(f"With n = {n:,} it must be from 0 to {times}, in steps of {step}{why}.")
        return round(number)

    return Form(f"the share as a number, or {RECORD}", hits)


def mapping(key: Callable[[AnyValue], K], text: str) -> Form[dict[K, AnyValue]]:
    """Mappings, whose keys are read; `text` names keys and values."""
    return Form(f"a mapping from {text}", lambda value: {key(k): v for k, v in value.items()})


def tree_records(words: Words) -> Form[dict[Box, Sides]]:
    """Trees: the records with visits, by their boxes."""
    sides = record(words).read

    def records(value: AnyValue) -> dict[Box, Sides]:
        pairs = {_lever_set(box): sides(record) for box, record in value.items()}
        return {box: pair for box, pair in pairs.items() if any(pair)}

    return Form(f"a tree as a mapping from boxes to records, {RECORD}", records)
