"""The values of a learner's solution, read as the values of the library.

The workshop leaves much open: a box is a set, a tuple or a list; a result is `WIN`, "win" or True;
a record is a `Record`, a dict or a pair. Each function here reads one kind of value in all its
forms. A value that it cannot read is a ValueError, which lists the forms that are accepted.

The other direction is `Kinds`: values in the learner's own forms, to call the learner's functions
with.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from numbers import Rational, Real
from typing import Any, NamedTuple, TypeAlias

from purembts import checks
from purembts.games.shut_the_box import LOSS, WIN, Box, boxes
from purembts.records import Record

Value: TypeAlias = Any
"""A value of a learner, in any form."""
WinsAndLosses: TypeAlias = tuple[int, int]
Node: TypeAlias = tuple[Box, int | None]
"""A box and a roll; None before the roll."""

LEVERS: Box = frozenset(range(1, 10))
EVERY_BOX: frozenset[Box] = frozenset(boxes())


def brief(value: Value) -> str:
    """`checks.brief`, also for a value whose repr raises an error."""
    try:
        return checks.brief(value)
    except Exception:  # noqa: BLE001 - the repr of a learner's own class
        return f"a value of type {type(value).__name__}"


# Boxes and moves


def box_of(value: Value) -> Box:
    """The levers of `value` as a frozenset; a ValueError if it is no box.

    >>> sorted(box_of([7, 2])), box_of(set())
    ([2, 7], frozenset())
    """
    if not isinstance(value, Iterable) or isinstance(value, str | bytes | Mapping):
        raise ValueError(f"{_got(value, 'a box')} {BOXES}")
    if type(value) is frozenset and value in EVERY_BOX:  # the usual form, and the fast way
        return value
    levers = [_lever_of(lever, value) for lever in value]
    if len(set(levers)) < len(levers):
        raise ValueError(f"{_got(value, 'a box')} It has a lever twice. {BOXES}")
    return frozenset(levers)


BOXES = (
    "A box is a set, a frozenset, a tuple or a list of the levers that are up, from 1 to 9: "
    "for example frozenset({2, 7})."
)


def _lever_of(value: Value, box: Value) -> int:
    if not _is_number(value):
        raise ValueError(f"{_got(box, 'a box')} {brief(value)} is no lever. {BOXES}")
    if value not in LEVERS:
        raise ValueError(f"{_got(box, 'a box')} There is no lever {brief(value)}. {BOXES}")
    return int(value)


def _is_number(value: Value) -> bool:
    """True for a number, also one of numpy, but not for True and False."""
    return isinstance(value, Real) and not isinstance(value, bool)


def boxes_of(value: Value) -> list[Box]:
    """The boxes in a collection, in its order; a ValueError if it is no collection of boxes.

    >>> [sorted(box) for box in boxes_of([{2, 3}, (5,)])]
    [[2, 3], [5]]
    """
    if value is None or not isinstance(value, Iterable) or isinstance(value, str | bytes):
        raise ValueError(f"{_got(value, 'a collection of boxes')} {MOVES}")
    items = list(value)
    if items and all(isinstance(item, Real) for item in items):
        raise ValueError(
            f"{_got(items, 'a collection of boxes')} It looks like one box. {MOVES} "
            "With a single move the answer has one box: {frozenset({2, 7})}."
        )
    return [box_of(item) for item in items]


MOVES = "The moves are a set, a tuple or a list of boxes, and it is empty if there is no move."


def _got(value: Value, kind: str) -> str:
    return f"{brief(value)} cannot be read as {kind}."


def roll_of(value: Value) -> int:
    """A roll as the total of the dice; a pair of dice is added up.

    >>> roll_of(8), roll_of((5, 3))
    (8, 8)
    """
    dice = tuple(value) if isinstance(value, tuple | list) else ()
    if len(dice) == 2 and all(die in range(1, 7) for die in dice):
        return int(sum(dice))
    if _is_number(value) and value in range(2, 13):
        return int(value)
    raise ValueError(f"{_got(value, 'a roll')} A roll is the total of two dice, from 2 to 12.")


# Results and records

WON = {"win", "won", "wins", "w", "winner", "player", "true"}
LOST = {"loss", "lost", "lose", "losses", "loses", "l", "box", "false"}
VISITS = {"visits", "visit", "n", "games", "total", "count", "trials", "plays", "played", "tries"}


def _name(value: Value) -> str:
    text = value.name if isinstance(value, Enum) else value
    return text.strip().strip(":_").lower() if isinstance(text, str) else ""


Own: TypeAlias = tuple[tuple[Value, Value], ...]
"""Pairs of the learner's own values for a win and for a loss."""


def own_results(words: Mapping[str, Value]) -> Own:
    """The learner's values for a win and for a loss, if the words have them."""
    pairs = (("WIN", "LOSS"), ("WON", "LOST"))
    return tuple((words[a], words[b]) for a, b in pairs if a in words and b in words)


def result_of(value: Value, own: Own = ()) -> bool:
    """True for a win and False for a loss; a ValueError for anything else.

    >>> result_of((1, 0)), result_of(":loss"), result_of(True)
    (True, False, True)
    """
    for won, lost in own:
        if value is won or value is lost:
            return value is won
        if _equal(value, won) != _equal(value, lost):
            return _equal(value, won)
    name = _name(value)
    if name in WON | LOST:
        return name in WON
    for won, lost in ((WIN, LOSS), (list(WIN), list(LOSS)), (True, False)):
        if _equal(value, won) or _equal(value, lost):
            return _equal(value, won)
    raise ValueError(f"{_got(value, 'a result')} {RESULTS}")


RESULTS = (
    'A result is WIN or LOSS, (1, 0) or (0, 1), "win" or "loss", True or False, 1 or 0, or an Enum '
    "with such names."
)


def _equal(one: Value, other: Value) -> bool:
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001 - an array, for example, has no single answer
        return False


def is_yes(value: Value) -> bool:
    """True for true, False for false; a ValueError for anything but True, False, 1 and 0."""
    if _equal(value, True) or _equal(value, False):
        return bool(value)
    raise ValueError(f"{_got(value, 'an answer')} The answer is True or False.")


def record_of(value: Value, own: Own = ()) -> WinsAndLosses:
    """The wins and the losses of a record; a ValueError if it is no record.

    >>> record_of({"win": 3, "loss": 97}), record_of((3, 97)), record_of(Record(2, (1, 1)))
    ((3, 97), (3, 97), (1, 1))
    """
    if type(value) is Record and len(value.scores) == 2:  # the usual form, and the fast way
        return int(value.scores[0]), int(value.scores[1])
    fields = _fields(value, own)
    if fields is None:
        raise ValueError(f"{_got(value, 'a record')} {RECORDS}")
    wins = fields.get("wins")
    losses = fields.get("losses")
    if losses is None and "visits" in fields:
        losses = fields["visits"] - (wins or 0)
    if wins is None and "visits" in fields:
        wins = fields["visits"] - (losses or 0)
    return _whole(wins or 0, value), _whole(losses or 0, value)


RECORDS = (
    'A record is a Record, a dict {"win": 3, "loss": 97}, a tuple (3, 97) of wins and losses, or '
    "an object with the fields wins and losses."
)


def _whole(number: Value, record: Value) -> int:
    if not _is_number(number) or number != int(number) or number < 0:
        raise ValueError(f"{_got(record, 'a record')} {brief(number)} is no number. {RECORDS}")
    return int(number)


def _fields(value: Value, own: Own) -> dict[str, Value] | None:
    """The numbers of a record by their meaning: wins, losses, visits; None if it has no such."""
    if isinstance(value, Mapping) or (hasattr(value, "items") and hasattr(value, "keys")):
        return _meanings(dict(value.items()), own)
    if hasattr(value, "visits") and hasattr(value, "scores"):
        return _scores(value.visits, value.scores)
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        if len(value) == 2 and isinstance(value[1], tuple | list):
            return _scores(*value)
        is_pair = len(value) == 2 and all(isinstance(number, Real) for number in value)
        return {"wins": value[0], "losses": value[1]} if is_pair else None
    return _attributes(value)


def _scores(visits: Value, scores: Value) -> dict[str, Value] | None:
    if len(scores) == 0 and visits == 0:
        return {"wins": 0, "losses": 0}
    return {"wins": scores[0], "losses": visits - scores[0]} if len(scores) == 2 else None


def _attributes(value: Value) -> dict[str, Value] | None:
    """The numbers of an object with fields, by their meaning."""
    names = {meaning_of(name) for name in dir(value) if not name.startswith("__")} - {None}
    found: dict[str, Value] = {}
    for name in dir(value):
        meaning = None if name.startswith("__") else meaning_of(name)
        number = getattr(value, name, None) if meaning else None
        if meaning and isinstance(number, Real):
            found[meaning] = number
    return found if {"wins", "losses"} <= names or {"wins", "visits"} <= names else None


def _meanings(items: Mapping[Value, Value], own: Own) -> dict[str, Value] | None:
    """The numbers of a dict by the meaning of their keys; None if a key has none."""
    meanings = {_meaning_of_key(key, own): number for key, number in items.items()}
    return None if None in meanings or not meanings else {str(k): n for k, n in meanings.items()}


def _meaning_of_key(key: Value, own: Own) -> str | None:
    if type(key) is str and (known := meaning_of(key)) and not own:
        return known
    if _name(key) in VISITS:
        return "visits"
    try:
        return "wins" if result_of(key, own) else "losses"
    except ValueError:
        return None


@cache
def meaning_of(name: str) -> str | None:
    """The number of a record that a field or an argument is named after, or None.

    >>> meaning_of("wins"), meaning_of("n"), meaning_of("record")
    ('wins', 'visits', None)
    """
    name = name.strip(":_ ").lower()
    if name in VISITS:
        return "visits"
    if name in WON - {"player", "true", "winner"}:
        return "wins"
    return "losses" if name in LOST - {"box", "false"} else None


def probability_of(value: Value, own: Own = ()) -> Fraction | float:
    """The probability, as a fraction or a float: the number itself, or the mean of a record.

    >>> probability_of(0.5), probability_of({"win": 3, "loss": 97})
    (0.5, 0.03)
    """
    if isinstance(value, bool):
        raise ValueError(f"{_got(value, 'a probability')} {PROBABILITIES}")
    if isinstance(value, Rational):
        return Fraction(value)
    if isinstance(value, Real | Decimal):
        return float(value)
    try:
        wins, losses = record_of(value, own)
        return wins / (wins + losses)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{_got(value, 'a probability')} {PROBABILITIES}") from None


PROBABILITIES = "A probability is a number from 0 to 1, a Fraction, or a record with its mean."


# Trees and tables


def items_of(value: Value) -> list[tuple[Value, Value]]:
    """The pairs of a map; a ValueError if it is no map."""
    if not hasattr(value, "items"):
        raise ValueError(
            f"{_got(value, 'a map')} A tree or a table is a map: a dict, a pmap, or any other."
        )
    return [(key, item) for key, item in value.items()]


def tree_of(value: Value, own: Own = ()) -> dict[Box, WinsAndLosses]:
    """The records of a tree of boxes, as wins and losses.

    >>> tree_of({(7,): {"win": 1, "loss": 5}})
    {frozenset({7}): (1, 5)}
    """
    return {box_of(key): record_of(item, own) for key, item in items_of(value)}


def node_of(key: Value) -> Node:
    """A box and a roll: a pair of both, or a box alone, for which the roll is None.

    >>> node_of(((7,), 6)), node_of((2, 7))[1]
    ((frozenset({7}), 6), None)
    """
    is_pair = isinstance(key, tuple | list) and len(key) == 2
    if is_pair and isinstance(key[0], Iterable) and not isinstance(key[0], str):
        return box_of(key[0]), None if key[1] in (None, 0) else roll_of(key[1])
    return box_of(key), None


# The other direction: values in the learner's forms


def shown(value: Value) -> str:
    """The repr of an argument, with the levers of a set in ascending order.

    >>> shown(frozenset([9, 1])), shown(frozenset()), shown({})
    ('frozenset({1, 9})', 'frozenset()', '{}')
    """
    if isinstance(value, set | frozenset) and value and all(isinstance(x, int) for x in value):
        levers = "{" + ", ".join(map(repr, sorted(value))) + "}"
        return levers if type(value) is set else f"frozenset({levers})"
    return brief(value)


def levers_text(box: Iterable[int]) -> str:
    """The levers of a box in braces.

    >>> levers_text(frozenset({9, 1}))
    '{1, 9}'
    """
    return "{" + ", ".join(map(str, sorted(box))) + "}"


def levers_words(levers: Box) -> str:
    """The levers in words.

    >>> levers_words(frozenset({3})), levers_words(frozenset({5, 1, 2}))
    ('lever 3', 'levers 1, 2 and 5')
    """
    numbers = [str(lever) for lever in sorted(levers)]
    if len(numbers) == 1:
        return f"lever {numbers[0]}"
    return f"levers {', '.join(numbers[:-1])} and {numbers[-1]}"


def be(levers: Box, verb: str = "is") -> str:
    """The form of `verb`, is or was, for one lever or for several."""
    return verb if len(levers) == 1 else {"is": "are", "was": "were"}[verb]


BoxMaker: TypeAlias = Callable[[Iterable[int]], Value]

BOX_WORDS = ("start_box", "sample_box", "easy_box", "simple_start")


def box_maker(words: Mapping[str, Value]) -> BoxMaker:
    """A function from levers to a box of the learner's type; frozensets, if no word has a box."""
    for example in _example_boxes(words):
        try:
            box_of(example)
        except ValueError:
            continue
        return lambda levers: _made_box(type(example), levers)
    return frozenset


def _example_boxes(words: Mapping[str, Value]) -> Iterable[Value]:
    yield from (words[name] for name in BOX_WORDS if name in words)
    boxes = words.get("all_boxes")
    if isinstance(boxes, AbstractSet | tuple | list):
        yield from list(boxes)[-1:]


def _made_box(kind: type, levers: Iterable[int]) -> Value:
    try:
        return kind(sorted(levers))
    except Exception:  # noqa: BLE001 - a type of the learner's own that is made in another way
        return frozenset(levers)


class RecordForm(NamedTuple):
    """A form of records: a name for messages, and a function from wins and losses to a record."""

    name: str
    make: Callable[[int, int], Value]


def record_forms(words: Mapping[str, Value], example: Value = None) -> list[RecordForm]:
    """The forms to call a function of a record with: that of `example` alone, or the usual ones."""
    own = own_results(words)
    if example is not None:
        return [RecordForm("", lambda wins, losses: record_like(example, wins, losses, own))]
    return [RecordForm(name, make) for name, make in _usual_forms(own)]


def _usual_forms(own: Own) -> Iterable[tuple[str, Callable[[int, int], Value]]]:
    yield "a Record", lambda wins, losses: Record(wins + losses, (wins, losses))
    yield "a dict with win and loss", lambda wins, losses: {"win": wins, "loss": losses}
    yield "a tuple of wins and losses", lambda wins, losses: (wins, losses)
    yield "a dict with wins and losses", lambda wins, losses: {"wins": wins, "losses": losses}
    yield "a dict with w and l", lambda wins, losses: {"w": wins, "l": losses}
    yield "a dict with :win and :loss", lambda wins, losses: {":win": wins, ":loss": losses}
    for won, lost in own:
        if _is_hashable(won) and _is_hashable(lost):
            yield "a dict of results", partial(_by_result, won, lost)
    yield "a dict of (1, 0) and (0, 1)", lambda wins, losses: {WIN: wins, LOSS: losses}
    yield "a dict of True and False", lambda wins, losses: {True: wins, False: losses}
    yield (
        "a dict with wins and visits",
        lambda wins, losses: {"wins": wins, "losses": losses, "visits": wins + losses},
    )


def _by_result(won: Value, lost: Value, wins: int, losses: int) -> dict[Value, int]:
    return {won: wins, lost: losses}


def _is_hashable(value: Value) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def record_like(example: Value, wins: int, losses: int, own: Own = ()) -> Value:
    """A record of `wins` and `losses` in the form of `example`.

    >>> record_like({"loss": 1, "win": 0}, 3, 97)
    {'loss': 97, 'win': 3}
    """
    numbers = {"wins": wins, "losses": losses, "visits": wins + losses}
    if isinstance(example, Record):
        return Record(wins + losses, (wins, losses))
    if hasattr(example, "items"):
        made = {key: numbers[_meaning_of_key(key, own) or ""] for key in example}
        return made if type(example) is dict else _filled(example, made)
    if isinstance(example, tuple | list) and not hasattr(example, "_fields"):
        scores = type(example[1])((wins, losses)) if isinstance(example[1], tuple | list) else None
        return type(example)((wins, losses) if scores is None else (wins + losses, scores))
    return _object_like(example, numbers)


def _filled(example: Value, made: dict[Value, int]) -> Value:
    """A map like `example`, with the numbers of `made`."""
    filled = copy.copy(example)
    for key, number in made.items():
        if hasattr(filled, "set"):
            filled = filled.set(key, number)
        else:
            filled[key] = number
    return filled


def _object_like(example: Value, numbers: Mapping[str, int]) -> Value:
    """An object with fields like `example`, with other numbers."""
    if hasattr(example, "_fields"):
        named = {f: numbers[m] for f in example._fields if (m := meaning_of(f))}
        return example._replace(**named)
    if dataclasses.is_dataclass(example) and not isinstance(example, type):
        fields = [field.name for field in dataclasses.fields(example)]
        return dataclasses.replace(
            example, **{f: numbers[m] for f in fields if (m := meaning_of(f))}
        )
    made = copy.copy(example)
    for name in vars(example):
        if meaning := meaning_of(name):
            setattr(made, name, numbers[meaning])
    return made
