"""The words of a solution, called in many cases, and their answers checked.

`each` is the shape of the exact properties: all cases are tried, the smallest first, and the first
one with a fault is the counterexample. `fits` compares what comes by chance with exact
probabilities. How often a word is called does not depend on its speed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, lru_cache
from inspect import Parameter, signature, unwrap
from math import ceil, isclose
from numbers import Rational, Real
from random import Random
from traceback import format_exception_only
from typing import Any, NamedTuple, TypeAlias

from purembts import exact
from purembts.course.tasks import forms
from purembts.course.tasks.forms import Form, NotRead, T, Value, Words, Wrong, levers, told
from purembts.games.shut_the_box import Box, shut_the_box, simple_game
from purembts.loading import inner_line
from purembts.verify import statistics
from purembts.workshop import THROWS


class Mine(NamedTuple):
    """The words of a solution, and the means to call them."""

    words: Words
    rng: Random | None = None
    """The generator for words that take one."""
    fresh: Callable[[], Words] | None = None
    """Runs the file again; None if the words are not those of a file."""
    box: Callable[[Box], Value] = frozenset
    """A box as the solution writes it: a frozenset or a set."""

    def text(self, word: str, *values: Value) -> str:
        """A call as a person would type it, or the look-up in a table."""
        given = ", ".join(map(self._typed, values))
        if callable(self.words.get(word)):
            return f"{word}({given})"
        return f"{word}[{given}]" if values else word

    def _typed(self, value: Value) -> str:
        if isinstance(value, frozenset) and self.box is frozenset:
            return f"frozenset({levers(value) if value else ''})"
        return "tree" if hasattr(value, "items") and len(value) > 2 else told(value)

    def with_table(self, name: str, table: Value) -> Mine:
        """The solution with a table as a word, to ask it for entries."""
        return self._replace(words={**self.words, name: table}, fresh=None)


Property: TypeAlias = Callable[[Mine, str], str]
"""A phrase that says how sure it is that a word is right; it raises `Wrong` if it is not."""
Check: TypeAlias = Callable[..., str]
"""The fault of an answer, from the text of the call, the answer and the arguments; or ""."""


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
    "set' object is not subscriptable": "A set has no first item: write list(moves)[i].",
    "maximum recursion depth": "Perhaps the function calls itself without an end.",
    "'frozenset' object has no attribute": "A box is the set of the levers that are up.",
}
"""Advice about the commonest errors, by a part of their message."""


def ask(mine: Mine, word: str, form: Form[T], *values: Value) -> T:
    """The answer of a word, or the entry of a table, as `form` reads it."""
    answer = call(mine, word, *values)
    try:
        return form.read(answer)
    except Exception as error:  # noqa: BLE001 - a value of the solution can raise anything
        begins = forms.got(mine.text(word, *values), answer)  # a text takes longer than a game
        if isinstance(error, Wrong):
            raise Wrong(f"{begins}. {error}") from None
        if answer is None:
            raise Wrong(f"{begins}. Is a `return` missing? Write {form.text}.") from None
        raise NotRead(f"{begins}, which was not read. Write {form.text}.") from None


def call(mine: Mine, word: str, *values: Value) -> Value:
    """The value of a word for these arguments, or its entry; its errors are a `Wrong`.

    A value that is no function is the answer without arguments.
    """
    function = mine.words[word]
    given = [mine.box(value) if isinstance(value, frozenset) else value for value in values]
    try:
        if callable(function):
            named = {"rng": mine.rng} if _needs_generator(function, len(given)) else {}
            answer = function(*given, **named)
            answer = list(answer) if isinstance(answer, Iterator) else answer
        else:
            answer = function[given[0] if len(given) == 1 else tuple(given)] if given else function
    except Wrong:  # of a function that watches the solution
        raise
    except NotRead:
        as_starter = "Write the arguments of the starter file."
        text = mine.text(word, *values)
        raise NotRead(f"`{word}` was not called as `{text}`. {as_starter}") from None
    except (Exception, SystemExit) as error:
        raise Wrong(f"`{mine.text(word, *values)}` raises {_raised(mine, error)}") from error
    for value, after in zip(values, given, strict=True):
        if isinstance(value, frozenset) and value != after:
            changed = f"`{mine.text(word, *values)}` changes the box that it gets"
            rule = "A move must be a new box, and the old one stays."
            raise Wrong(f"{changed}: it is {levers(after)} afterwards. {rule}")
    return answer


@lru_cache(maxsize=32)  # a word is called thousands of times
def _needs_generator(function: Value, n: int) -> bool:
    """True if a function of `n` arguments must have an `rng`; a `NotRead` if it takes others."""
    try:
        takes = signature(function)
        rng = takes.parameters.get("rng")
        needs = rng is not None and rng.default is rng.empty
        takes.bind(*[None] * n, **{"rng": None} if needs else {})
    except (TypeError, ValueError):
        raise NotRead from None
    return needs


def parameter(mine: Mine, word: str, name: str) -> Parameter | None:
    """The parameter of a word that has this name; None without one."""
    function = mine.words[word]
    return signature(function).parameters.get(name) if callable(function) else None


@contextmanager
def replaced(mine: Mine, of: str, word: str, function: Value) -> Iterator[None]:
    """Let `word` be `function` for the word `of`, which calls it by name, as long as this lasts."""
    words: Any = mine.words
    words = getattr(unwrap(words[of]), "__globals__", words)
    before = words.pop(word, None)
    words[word] = function
    try:
        yield
    finally:
        del words[word]
        words |= {} if before is None else {word: before}


def _raised(mine: Mine, error: BaseException) -> str:
    """An error in words, with the last line of the solution that raised it, and advice."""
    message = format_exception_only(error)[-1].strip().splitlines()[-1]
    file = str(mine.words.get("__file__", ""))
    advice = next((f" {what}" for part, what in ADVICE.items() if part in message), "")
    return f"{message}{inner_line(error, file)}.{advice}"


# Cases

_REMEMBERS = (
    " Alone, in a fresh run of the file, this is right. So it remembers something from the calls "
    "before: look at global values, default arguments and caches."
)


def each(
    mine: Mine, word: str, cases: Sequence[tuple[Value, ...]], form: Form[T], check: Check
) -> int:
    """The number of cases, if the answer of the word has no fault in any of them.

    A `Wrong` says so if the same case is right after the file was run again.
    """
    for case in cases:
        if fault := _fault(mine, word, case, form, check):
            fresh = mine.fresh and mine._replace(words=mine.fresh())
            alone = fresh and not _fault(fresh, word, case, form, check)
            raise Wrong(f"{fault}{_REMEMBERS * bool(alone)}")
    return len(cases)


def _fault(mine: Mine, word: str, case: tuple[Value, ...], form: Form[T], check: Check) -> str:
    """The fault of an answer as a sentence, or ""."""
    try:
        fault = check(mine.text(word, *case), ask(mine, word, form, *case), *case)
    except Wrong as wrong:
        return str(wrong)
    return f"{fault}." if fault else ""


def same(right: Callable[..., Value], why: Callable[..., str]) -> Check:
    """A check that the answer is `right(*case)`; floats may have a rounding error of 1e-9.

    `why` gives the reason for an answer and a case.
    """

    def check(text: str, found: Value, *case: Value) -> str:
        expected = right(*case)
        is_float = isinstance(found, Real) and not isinstance(found, Rational)
        found = float(found) if is_float else found
        if found == expected or (is_float and isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9)):
            return ""
        return f"{forms.got(text, found)}; it must be {told(expected)}: {why(found, *case)}"

    return check


def same_sets(
    right: Callable[..., Iterable[Iterable[int]]], about: Callable[..., str] = lambda *_: ""
) -> Check:
    """A check that the answer has each set of `right(*case)` once, and no other.

    `about` says something about a set of levers and a case: ", which shuts lever 3".
    """

    def check(text: str, found: list[Box], *case: Value) -> str:
        counts, expected = Counter(found), {frozenset(each) for each in right(*case)}
        for box in sorted({*counts, *expected}, key=lambda box: (box in expected, by_size(box))):
            if counts[box] != (box in expected):
                times = f" {counts[box]} times" * (counts[box] > 1)
                has = "has" if counts[box] else "leaves out"
                return f"`{text}` {has} {levers(box)}{times}{about(box, *case)}"
        return ""

    return check


def by_size(box: Box) -> tuple[int, list[int]]:
    """A key that sorts boxes with few levers before those with many."""
    return len(box), sorted(box)


# Chance

GAMES = 20_000
"""The random games, flips, darts or rolls that a word is asked for."""
ROLLS: Mapping[int, Fraction] = {r: Fraction(THROWS.count(r), 36) for r in range(2, 13)}
"""The probability of each roll."""


@cache
def random_play(of_simple_game: bool = False) -> Callable[[Box], Fraction]:
    """The exact probability of winning a random game, as a function of the box."""
    value = exact.solver(simple_game if of_simple_game else shut_the_box(), policy=exact.uniform)
    return lambda box: Fraction(value(box)[0])


def fits(of: str, cases: str, hits: int, n: int, p: Fraction | float, hint: str = "") -> str:
    """The phrase that says which error in the probability `p` the n cases would have shown.

    It raises a `Wrong` if the number of hits does not fit. `of` names the probability, "the
    probability of winning", and `cases` the cases.
    """
    low, high = statistics.acceptance(n, p)
    is_certain = p in (0, 1)
    if not low <= hits <= high:
        exactly = f"After {n:,} {cases} {of} is {hits / n:.3g}; exactly it is {float(p):.3g}"
        alarm = ", and chance explains such a difference less often than once in 10^9"
        raise Wrong(f"{exactly}{alarm * (not is_certain)}.{hint}")
    if is_certain:
        return f"{n:,} {cases}"
    effect = ceil(1000 * statistics.smallest_effect(n, p)) / 1000
    seen = f"an error of {effect:g} in the probability would be seen in 999 of 1,000 runs"
    return f"{n:,} {cases}; {seen}"


def fits_all(
    cases: str, counts: Mapping[Value, int], right: Mapping[Value, Fraction], hint: str = ""
) -> str:
    """The phrase about the likeliest outcome, if the share of each one fits its probability."""
    n, rarest_first = sum(counts.values()), sorted(right, key=lambda each: right[each])
    return [
        fits(f"the share of {each}", cases, counts.get(each, 0), n, right[each], hint)
        for each in rarest_first
    ][-1]


def shares(mine: Mine, word: str, p: Fraction | float, *box: Box, times: int = 1) -> str:
    """The phrase that a word gives the share of hits in n tries, `times` over, for each n."""

    def hits(n: int) -> int:
        return ask(mine, word, forms.share(mine.words, n, times), n, *box)

    for n in sorted((1, 2, 5) * 10):
        hits(n)
    calls = GAMES // 10
    threes = sum(hits(3) for _ in range(calls))
    fits(f"the share in `{mine.text(word, 3, *box)}`", "tries, three a call,", threes, 3 * calls, p)
    return fits(f"the share in `{mine.text(word, GAMES, *box)}`", "tries", hits(GAMES), GAMES, p)
