"""The values of a solution: their texts in messages, and the forms in which they are read.

The starter file fixes the forms. A value in another form is never guessed: `NotRead` says how to
write it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, TypeAlias, TypeVar

from purembts import checks
from purembts.games.shut_the_box import LOSS, WIN, Box

T = TypeVar("T")
K = TypeVar("K")
Value: TypeAlias = Any
"""A value of a solution, in any form."""
Words: TypeAlias = Mapping[str, Value]
"""The words of a solution, by their names."""
Form: TypeAlias = Callable[[Value], T]
"""A reader of values of one form. It raises `NotRead` for others, `Wrong` for impossible ones."""
WinsAndLosses: TypeAlias = tuple[int, int]


class Wrong(Exception):  # noqa: N818 - it is a verdict, and no error of the program
    """A fault of a solution, as a full sentence."""


class NotRead(Exception):  # noqa: N818
    """A value in a form that is not read, as a full sentence with the form to write."""


# Texts


def shown(value: Value) -> str:
    """The repr of a value, with the levers of a set in ascending order.

    >>> shown(frozenset([9, 1])), shown(frozenset()), shown({})
    ('frozenset({1, 9})', 'frozenset()', '{}')
    """
    if isinstance(value, set | frozenset) and value and all(isinstance(x, int) for x in value):
        return f"frozenset({levers(value)})" if type(value) is frozenset else levers(value)
    try:
        return checks.brief(value)
    except Exception:  # noqa: BLE001 - the repr of a class in the solution
        return f"a value of type {type(value).__name__}"


def levers(box: Iterable[int]) -> str:
    """The levers of a box in braces.

    >>> levers(frozenset({9, 1}))
    '{1, 9}'
    """
    return "{" + ", ".join(map(str, sorted(box))) + "}"


def told(value: Value) -> str:
    """A value that was read: the levers of a box, and a number with up to nine digits.

    >>> told(frozenset({9, 1})), told(Fraction(1, 36)), told(2 / 3), told(None)
    ('{1, 9}', '1/36 = 0.0277777778', '0.666666667', 'None')
    """
    if isinstance(value, frozenset):
        return levers(value)
    if isinstance(value, Fraction) and 1 < value.denominator < 10**6:
        return f"{value} = {float(value):.9g}"
    return f"{float(value):.9g}" if isinstance(value, float | Fraction) else shown(value)


def words_of(box: Box) -> str:
    """The levers in words.

    >>> words_of(frozenset({3})), words_of(frozenset({5, 1, 2}))
    ('lever 3', 'levers 1, 2 and 5')
    """
    *most, last = map(str, sorted(box))
    return f"levers {', '.join(most)} and {last}" if most else f"lever {last}"


def are(box: Box) -> str:
    """The levers in words, with "is" for one and "are" for several: `lever 3 is`."""
    return f"{words_of(box)} {'is' if len(box) == 1 else 'are'}"


def counted(n: int, thing: str) -> str:
    """A number of things: `1 turn`, `20,000 games`."""
    ending = "es" if thing.endswith("s") else "s"
    return f"{n:,} {thing}{ending * (n != 1)}"


def got(text: str, value: Value) -> str:
    """The beginning of a sentence about the value of a call or of a word."""
    return f"`{text}` {'gives' if text.endswith(')') else 'is'} {told(value)}"


def unread(text: str, value: Value, form: str) -> str:
    """The sentences about a value in another form than `form`."""
    return f"{got(text, value)}, which was not read. Write {form}."


# Forms


def read(text: str, form: Form[T], value: Value) -> T:
    """The value as `form` reads it, with `text` before the sentence of a `Wrong` or a `NotRead`."""
    try:
        return form(value)
    except Wrong as wrong:
        raise Wrong(f"{got(text, value)}. {wrong}") from None
    except NotRead as other:
        if value is None:
            raise Wrong(f"`{text}` gives None. Is a `return` missing?") from None
        raise NotRead(unread(text, value, str(other))) from None


def anything(value: Value) -> Value:
    """The same value, in any form."""
    return value


def truth(value: Value) -> bool:
    """True or False; other values count as Python counts them."""
    if value is None:
        raise NotRead("True or False")
    return bool(value)


def number_of(value: Value) -> Any:  # noqa: ANN401
    """The same number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise NotRead("a number")
    return value


def text_of(value: Value) -> str:
    """The same text."""
    if not isinstance(value, str):
        raise NotRead("a text")
    return value


def box_of(value: Value) -> Box:
    """The levers of a box, which is a set."""
    if not isinstance(value, AbstractSet):
        raise NotRead("a box as a set of the levers that are up: frozenset({2, 7})")
    for lever in value:
        if not isinstance(lever, Integral) or isinstance(lever, bool) or lever not in range(1, 10):
            raise Wrong(f"{shown(lever)} is no lever; the levers are the whole numbers 1 to 9.")
    return frozenset(map(int, value))


def moves_of(value: Value) -> list[Box]:
    """The boxes in an iterable of moves, in its order; a generator is one."""
    if value is None:
        raise Wrong("Without a move the answer is an empty set. Is a `return` missing?")
    if not isinstance(value, Iterable) or isinstance(value, str | bytes | Mapping):
        raise NotRead("the moves as a set or another iterable of boxes, empty without a move")
    moves = list(value)
    if moves and all(isinstance(move, Real) for move in moves):
        raise Wrong("That is one box, and the answer is a set of boxes, here with one box in it.")
    return [box_of(move) for move in moves]


RESULTS = ((WIN, LOSS), (True, False), ("win", "loss"))
"""The results that are read, beside the values that the solution itself calls WIN and LOSS."""


def result_of(words: Words) -> Form[bool]:
    """The reader of results: True for a win."""
    own = (words.get("WIN", WIN), words.get("LOSS", LOSS))

    def is_won(value: Value) -> bool:
        with contextlib.suppress(ValueError):  # an array has no single answer
            for pair in (own, *RESULTS):
                if value in pair:
                    return bool(value == pair[0])
        raise NotRead("the result as `WIN` or `LOSS`, for example (1, 0) or (0, 1), or as a bool")

    return is_won


RECORD = "a record as a Record, a pair (wins, losses), or a mapping with WIN and LOSS as keys"


def record_of(words: Words) -> Form[WinsAndLosses]:
    """The reader of records: the wins and the losses."""
    is_won = result_of(words)

    def pair_of(value: Value) -> Value:
        if hasattr(value, "visits") and hasattr(value, "scores"):
            return tuple(value.scores) or (0, 0)
        if hasattr(value, "items"):
            sides = {is_won(key): number for key, number in value.items()}
            return sides.get(True, 0), sides.get(False, 0)
        return value

    def numbers(value: Value) -> WinsAndLosses:
        pair = pair_of(value)
        is_pair = type(pair) in (tuple, list) and len(pair) == 2
        if not is_pair or not all(isinstance(each, Real) for each in pair):
            raise NotRead(RECORD)
        if not all(each == int(each) >= 0 for each in pair):
            raise Wrong("The numbers of a record are whole.")
        return int(pair[0]), int(pair[1])

    return numbers


def table_of(key: Form[K], what: str) -> Form[dict[K, Value]]:
    """The reader of mappings with keys of one form; `what` names keys and values."""

    def entries(value: Value) -> dict[K, Value]:
        if not hasattr(value, "items"):
            raise NotRead(f"a mapping from {what}")
        return {key(each): entry for each, entry in value.items()}

    return entries


def tree_of(words: Words) -> Form[dict[Box, WinsAndLosses]]:
    """The reader of trees: the records with visits, by their boxes."""
    numbers, entries = record_of(words), table_of(box_of, "boxes to records")

    def records(value: Value) -> dict[Box, WinsAndLosses]:
        found = {box: numbers(record) for box, record in entries(value).items()}
        return {box: record for box, record in found.items() if any(record)}

    return records
