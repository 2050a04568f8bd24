"""The words of a solution: their calls, their answers in the forms of the starter file, and cases.

A value in another form is never guessed: `NotRead` says how to write it. `same` is the shape of
most properties: for each case, the answer of a word must be the right one.
"""

from __future__ import annotations

import contextlib
import inspect
import random
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import lru_cache
from math import isclose
from numbers import Integral, Real
from typing import Any, NamedTuple, TypeAlias, TypeVar

from purembts import checks
from purembts.games.shut_the_box import LOSS, WIN, Box

T = TypeVar("T")
K = TypeVar("K")
Value: TypeAlias = Any
"""A value of a solution, in any form."""
Form: TypeAlias = Callable[[Value], T]
"""A reader of values of one form. It raises `NotRead` for others, `Wrong` for impossible ones."""
WinsAndLosses: TypeAlias = tuple[int, int]


class Wrong(Exception):  # noqa: N818 - it is a verdict, and no error of the program
    """A fault of a solution, as a full sentence."""


class NotRead(Exception):  # noqa: N818
    """A value in a form that is not read, as a full sentence with the form to write."""


class Mine(NamedTuple):
    """The words of a solution, and the means to call them."""

    words: Mapping[str, Value]
    rng: Value = None
    """The generator for words that take one."""
    fresh: Callable[[], Mapping[str, Value]] | None = None
    """Runs the file again; None if the words are not those of a file."""
    box: Callable[[Box], Value] = frozenset
    """A box as the solution writes it: a frozenset or a set."""

    def text(self, word: str, *values: Value) -> str:
        """A call as a person would type it, or the look-up in a table."""
        big = (hasattr(value, "items") and len(value) > 2 for value in values)
        texts = zip(big, map(self.given, values), strict=True)
        given = ", ".join("tree" if is_big else shown(value) for is_big, value in texts)
        if callable(self.words.get(word)):
            return f"{word}({given})"
        return f"{word}[{given}]" if values else word

    def given(self, value: Value) -> Value:
        """An argument as the solution writes it."""
        return self.box(value) if isinstance(value, frozenset) else value


class Tree(dict[Any, Any]):
    """An empty tree for a solution: a dict that also has the `set` of a persistent map."""

    def set(self, key: Value, value: Value) -> Tree:
        """A copy with one more entry."""
        return Tree({**self, key: value})

    def copy(self) -> Tree:
        """A copy, with the `set` as well."""
        return Tree(self)


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
        return shown({*value}) if value else "{}"
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


def result_of(mine: Mine) -> Form[bool]:
    """The reader of results: True for a win."""
    own = (mine.words.get("WIN", WIN), mine.words.get("LOSS", LOSS))

    def is_won(value: Value) -> bool:
        with contextlib.suppress(ValueError):  # an array has no single answer
            for pair in (own, *RESULTS):
                if value in pair:
                    return bool(value == pair[0])
        raise NotRead("the result as `WIN` or `LOSS`, for example (1, 0) or (0, 1), or as a bool")

    return is_won


RECORD = "a record as a Record, a pair (wins, losses), or a mapping with WIN and LOSS as keys"


def record_of(mine: Mine) -> Form[WinsAndLosses]:
    """The reader of records: the wins and the losses."""
    is_won = result_of(mine)

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


def tree_of(mine: Mine) -> Form[dict[Box, WinsAndLosses]]:
    """The reader of trees: the records with visits, by their boxes."""
    numbers, entries = record_of(mine), table_of(box_of, "boxes to records")

    def records(value: Value) -> dict[Box, WinsAndLosses]:
        found = {box: numbers(record) for box, record in entries(value).items()}
        return {box: record for box, record in found.items() if any(record)}

    return records


# Calls

ADVICE = {
    "unhashable type: 'set'": "A set cannot be a key: write the boxes as frozensets.",
    "unhashable type: 'list'": "A list cannot be a key: write a frozenset or a tuple.",
    "'NoneType' object": "A value is None. Is a `return` missing?",
    "'frozenset' object is not subscriptable": "A set has no first item: write list(moves)[i].",
    "'set' object is not subscriptable": "A set has no first item: write list(moves)[i].",
    "maximum recursion depth": "Perhaps the function calls itself without an end.",
    "KeyError": "There is no such entry.",
}
"""Advice about the commonest errors, by a part of their message."""


def ask(mine: Mine, word: str, form: Form[T], *values: Value) -> T:
    """The answer of a word, as `form` reads it. A value is the answer without arguments."""
    is_called = values or callable(mine.words[word])
    answer = call(mine, word, *values) if is_called else mine.words[word]
    try:
        return form(answer)
    except (Wrong, NotRead):
        return read(mine.text(word, *values), form, answer)  # a text takes longer than a game


def tabled(mine: Mine, word: str, table: Value) -> Mine:
    """The solution with `table` as the word, to ask it for entries."""
    return mine._replace(words={word: table}, fresh=None)


def call(mine: Mine, word: str, *values: Value) -> Value:
    """The value of a word for these arguments, or its entry; its errors are a `Wrong`."""
    function, given = mine.words[word], [*map(mine.given, values)]
    if not callable(function) and not (given and hasattr(function, "__getitem__")):
        raise Wrong(f"`{word}` must be a function; it is {shown(function)}.")
    try:
        if not callable(function):
            return function[given[0] if len(given) == 1 else tuple(given)]
        answer = function(*given, **_generator(mine, word, *given))
        answer = list(answer) if isinstance(answer, Iterator) else answer
    except (Wrong, NotRead):  # of a word that watches the solution
        raise
    except (Exception, SystemExit) as error:
        raise Wrong(f"`{mine.text(word, *values)}` raises {raised(mine, error)}") from error
    for value, after in zip(values, given, strict=True):
        if isinstance(value, frozenset) and value != after:
            changed = f"`{mine.text(word, *values)}` changes the box that it gets"
            rule = "A move must be a new box, and the old one stays."
            raise Wrong(f"{changed}: it is {levers(after)} afterwards. {rule}")
    return answer


def _generator(mine: Mine, word: str, *given: Value) -> dict[str, Value]:
    """The argument `rng`, if the function must have it; a `NotRead` for any other one."""
    needs = _needs_generator(mine.words[word], len(given))
    if needs is None:
        takes = ", ".join(inspect.signature(mine.words[word]).parameters) or "none"
        raise NotRead(
            f"`{word}` takes the arguments {takes}, so it was not called. It is called as "
            f"`{mine.text(word, *given)}`: write the arguments of the starter file."
        )
    return {"rng": mine.rng} if needs else {}


@lru_cache(maxsize=32)  # a word is called thousands of times
def _needs_generator(function: Value, n: int) -> bool | None:
    """True if a function of `n` arguments must have an `rng`; None if it takes another number."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return False
    rng = signature.parameters.get("rng")
    needs = rng is not None and rng.default is rng.empty
    with contextlib.suppress(TypeError):
        signature.bind(*[None] * n, **{"rng": None} if needs else {})
        return needs
    return None


def parameter(mine: Mine, word: str, name: str) -> inspect.Parameter | None:
    """The parameter of a word that has this name; None without one."""
    return inspect.signature(mine.words[word]).parameters.get(name)


def seeded(mine: Mine, seed: str) -> Mine:
    """The solution with random numbers from `seed`: those of its generator, and of the modules."""
    random.seed(seed)
    numpy = [m for m in mine.words.values() if getattr(m, "__name__", "") == "numpy"]
    for module in numpy[:1]:
        module.random.seed(random.Random(seed).getrandbits(32))
    return mine._replace(rng=random.Random(seed))


def boxed(mine: Mine, *, as_keys: bool) -> Mine:
    """The solution that gets boxes as sets where its start box is one, but frozensets as keys."""
    starts = [mine.words.get(word) for word in ("start_box", "simple_start")]
    for start in starts:
        if isinstance(start, tuple | list):
            read("start_box", box_of, start)
    return mine._replace(box=set if set in map(type, starts) and not as_keys else frozenset)


def raised(mine: Mine, error: BaseException) -> str:
    """An error in words, with the last line of the solution that raised it, and advice."""
    message = traceback.format_exception_only(error)[-1].strip().splitlines()[-1]
    file = mine.words.get("__file__")
    lines = [f for f in traceback.extract_tb(error.__traceback__) if file and f.filename == file]
    name = str(file).replace("\\", "/").rpartition("/")[2]
    where = "".join(f" in line {frame.lineno} of {name}" for frame in lines[-1:])
    advice = next((f" {what}" for part, what in ADVICE.items() if part in message), "")
    return f"{message}{where}.{advice}"


@contextlib.contextmanager
def replaced(mine: Mine, of: str, word: str, function: Callable[..., Value]) -> Iterator[None]:
    """Let `word` be `function` for the word `of`, which calls it by name, as long as this lasts."""
    words: Any = getattr(inspect.unwrap(mine.words[of]), "__globals__", mine.words)
    before = words.get(word)
    words[word] = function
    try:
        yield
    finally:
        words[word] = before
        if before is None:
            del words[word]


# Cases


def each(mine: Mine, cases: Iterable[tuple[Any, ...]], check: Callable[..., object]) -> int:
    """The number of cases for which `check(mine, *case)` raises nothing: all, the smallest first.

    A `Wrong` says so if the same case is right after the file was run again.
    """
    n = 0
    for n, case in enumerate(cases, 1):  # noqa: B007
        try:
            check(mine, *case)
        except Wrong as wrong:
            raise Wrong(f"{wrong}{_remembers(mine, case, check)}") from None
    return n


def _remembers(mine: Mine, case: tuple[Any, ...], check: Callable[..., object]) -> str:
    if mine.fresh is None:
        return ""
    try:
        check(mine._replace(words=mine.fresh(), fresh=None), *case)
    except Exception:  # noqa: BLE001 - it is wrong alone, too
        return ""
    return (
        " Alone, in a fresh run of the file, this is right. So it remembers something from the "
        "calls before: look at global values, default arguments and caches."
    )


def same(
    mine: Mine,
    word: str,
    cases: Iterable[tuple[Any, ...]],
    form: Form[T],
    right: Callable[..., T],
    why: Callable[..., str] = lambda *_: "",
) -> int:
    """The number of cases in which the answer of a word is `right(*case)`, which are all.

    `why` gives the reason for a case, or for a case and the wrong answer.
    """

    def check(mine: Mine, *case: Any) -> None:
        found = ask(mine, word, form, *case)
        must_be(mine.text(word, *case), found, right(*case), lambda: why(*case, found))

    return each(mine, cases, check)


def must_be(text: str, found: Value, right: Value, why: Callable[[], str]) -> None:
    """Raise a `Wrong` unless `found` is `right`; floats may have a rounding error of 1e-9."""
    is_exact = not isinstance(found, float) or isinstance(right, bool)
    if found == right if is_exact else isclose(found, right, rel_tol=1e-9, abs_tol=1e-9):
        return
    reason = f": {why()}" if why() else ""
    raise Wrong(f"{got(text, found)}; it must be {told(right)}{reason}.")


def same_sets(
    mine: Mine,
    word: str,
    cases: Iterable[tuple[Any, ...]],
    form: Form[list[Box]],
    right: Callable[..., Iterable[Iterable[int]]],
    about: Callable[..., str],
) -> int:
    """The number of cases in which a word has each set of `right(*case)` once, and no other.

    `about(*case, each)` says something about a set of levers: ", which shuts lever 3".
    """

    def check(mine: Mine, *case: Any) -> None:
        counts = Counter(ask(mine, word, form, *case))
        expected, text = {frozenset(each) for each in right(*case)}, mine.text(word, *case)
        for box in sorted({*counts, *expected}, key=lambda box: (box in expected, by_size(box))):
            fault = "" if counts[box] == (box in expected) else f"has {levers(box)}"
            if fault and not counts[box]:
                fault = f"leaves out {levers(box)}"
            elif fault and box in expected:
                fault += f" {counts[box]} times"
            if fault:
                raise Wrong(f"`{text}` {fault}{about(*case, box)}.")

    return each(mine, cases, check)


def by_size(box: Box) -> tuple[int, list[int]]:
    """A key that sorts boxes with few levers before those with many."""
    return len(box), sorted(box)
