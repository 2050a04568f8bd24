"""The words of a solution, called in many cases, with answers in the forms of `forms`.

`same` is the shape of most properties: for each case, the answer of a word must be the right one.
"""

from __future__ import annotations

import contextlib
import inspect
import random
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from math import isclose
from typing import Any, NamedTuple, TypeAlias

from purembts.games.shut_the_box import Box
from purembts.verify.tasks import forms
from purembts.verify.tasks.forms import Form, NotRead, T, Value, Words, Wrong, levers, shown


class Mine(NamedTuple):
    """The words of a solution, and the means to call them."""

    words: Words
    rng: Value = None
    """The generator for words that take one."""
    fresh: Callable[[], Words] | None = None
    """Runs the file again; None if the words are not those of a file."""
    box: Callable[[Box], Value] = frozenset
    """A box as the solution writes it: a frozenset or a set."""

    def text(self, word: str, *values: Value) -> str:
        """A call as a person would type it, or the look-up in a table."""
        texts = [
            "tree" if hasattr(value, "items") and len(value) > 2 else shown(self.given(value))
            for value in values
        ]
        given = ", ".join(texts)
        if callable(self.words.get(word)):
            return f"{word}({given})"
        return f"{word}[{given}]" if values else word

    def given(self, value: Value) -> Value:
        """An argument as the solution writes it."""
        return self.box(value) if isinstance(value, frozenset) else value


Property: TypeAlias = Callable[[Mine, str], str]
"""A phrase that says how sure it is that a word is right; it raises `Wrong` if it is not."""


class Tree(dict[Any, Any]):
    """An empty tree for a solution: a dict that also has the `set` of a persistent map."""

    def set(self, key: Value, value: Value) -> Tree:
        """A copy with one more entry."""
        return Tree({**self, key: value})


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
        return forms.read(mine.text(word, *values), form, answer)  # a text takes longer than a game


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
            forms.read("start_box", forms.box_of, start)
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

    `why` gives the reason for a case and the wrong answer.
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
    raise Wrong(f"{forms.got(text, found)}; it must be {forms.told(right)}{reason}.")


def same_sets(
    mine: Mine,
    word: str,
    cases: Iterable[tuple[Any, ...]],
    form: Form[list[Box]],
    right: Callable[..., Iterable[Iterable[int]]],
    about: Callable[..., str] = lambda *_: "",
) -> int:
    """The number of cases in which a word has each set of `right(*case)` once, and no other.

    `about(*case, each)` says something about a set of levers: ", which shuts lever 3".
    """

    def check(mine: Mine, *case: Any) -> None:
        counts = Counter(ask(mine, word, form, *case))
        expected, text = {frozenset(each) for each in right(*case)}, mine.text(word, *case)
        for box in sorted({*counts, *expected}, key=lambda box: (box in expected, by_size(box))):
            if counts[box] != (box in expected):
                times = f" {counts[box]} times" if counts[box] and box in expected else ""
                fault = f"{'has' if counts[box] else 'leaves out'} {levers(box)}{times}"
                raise Wrong(f"`{text}` {fault}{about(*case, box)}.")

    return each(mine, cases, check)


def by_size(box: Box) -> tuple[int, list[int]]:
    """A key that sorts boxes with few levers before those with many."""
    return len(box), sorted(box)
