"""The words of a solution, called in many cases, and their answers checked.

`exact` makes an exact property: all cases are tried, the smallest first, and the first one with a
fault is the counterexample. `check_chance` compares random answers with exact probabilities. The
number of calls of a word does not depend on its speed.
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

from purembts.course import task_texts
from purembts.course.tasks import forms
from purembts.course.tasks.forms import AnyValue, Form, NotRead, T, Words, Wrong, in_words, levers
from purembts.exact import solver, uniform
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
    box: Callable[[Box], AnyValue] = frozenset
    """A box as the solution writes it: a frozenset or a set."""

    def text(self, word: str, *values: AnyValue) -> str:
        """A call as a person would type it, or the look-up in a table."""
        arguments = ", ".join(map(self._argument, values))
        if callable(self.words.get(word)):
            return f"{word}({arguments})"
        return f"{word}[{arguments}]" if values else word

    def _argument(self, value: AnyValue) -> str:
        """An argument as a person would type it, and `tree` for a tree of more than two boxes."""
        if isinstance(value, frozenset) and self.box is frozenset:
            return f"frozenset({levers(value) if value else ''})"
        return "tree" if hasattr(value, "items") and len(value) > 2 else in_words(value)

    def with_table(self, name: str, table: AnyValue) -> Mine:
        """The solution with a table as a word, to ask it for entries."""
        return self._replace(words={**self.words, name: table}, fresh=None)


Property: TypeAlias = Callable[[Mine, str], str]
"""A phrase that says how sure it is that a word is right; it raises `Wrong` if it is not."""
Fault: TypeAlias = Callable[..., str]
"""The fault of an answer, from the text of the call, the answer and the arguments; or ""."""
Cases: TypeAlias = Sequence[tuple[AnyValue, ...]]
"""The arguments of some calls."""


class Tree(dict[Any, Any]):
    """An empty tree for a solution: a dict that also has the `set` of a persistent map."""

    def set(self, key: AnyValue, value: AnyValue) -> Tree:
        """A copy with one more entry."""
        return Tree({**self, key: value})


# Calls


def ask(mine: Mine, word: str, form: Form[T], *values: AnyValue) -> T:
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


def call(mine: Mine, word: str, *values: AnyValue) -> AnyValue:
    """The answer of a function to these arguments, the entry of a table, or a value itself.

    An error of the solution is a `Wrong`.
    """
    function = mine.words[word]
    arguments = [mine.box(value) if isinstance(value, frozenset) else value for value in values]
    try:
        if callable(function):
            keywords = {"rng": mine.rng} if _needs_generator(function, len(arguments)) else {}
            answer = function(*arguments, **keywords)
            answer = list(answer) if isinstance(answer, Iterator) else answer
        else:
            key = arguments[0] if len(arguments) == 1 else tuple(arguments)
            answer = function[key] if arguments else function
    except (Wrong, MemoryError):  # of a function that watches the solution, or of its process
        raise
    except NotRead:
        what = f"`{word}` was not called as `{mine.text(word, *values)}`."
        raise NotRead(f"{what} Write the arguments of the starter file.") from None
    except (Exception, SystemExit) as error:
        raise Wrong(f"`{mine.text(word, *values)}` raises {_error_text(mine, error)}") from error
    for value, after in zip(values, arguments, strict=True):
        if isinstance(value, frozenset) and value != after:
            change = f"`{mine.text(word, *values)}` changes the box that it gets"
            rule = "A move must be a new box, and the old one stays."
            raise Wrong(f"{change}: it is {levers(after)} afterwards. {rule}")
    return answer


@lru_cache(maxsize=32)  # a word is called thousands of times
def _needs_generator(function: AnyValue, n: int) -> bool:
    """True if a function of `n` arguments must have an `rng`; a `NotRead` if it takes others."""
    try:
        takes = signature(function)
        rng = takes.parameters.get("rng")
        needs = rng is not None and rng.default is rng.empty
        takes.bind(*[None] * n, **{"rng": None} if needs else {})
    except (TypeError, ValueError):
        raise NotRead from None
    return needs


def parameters(mine: Mine, word: str) -> Mapping[str, Parameter]:
    """The parameters of a word, by their names; none of a value."""
    function = mine.words[word]
    return signature(function).parameters if callable(function) else {}


@contextmanager
def replaced(mine: Mine, caller: str, word: str, function: AnyValue) -> Iterator[None]:
    """A context in which the word `caller` of the solution finds `function` as `word`."""
    words: Any = getattr(unwrap(mine.words[caller]), "__globals__", mine.words)
    before = words.pop(word, None)
    words[word] = function
    try:
        yield
    finally:
        del words[word]
        words |= {} if before is None else {word: before}


@contextmanager
def loaded_dice(mine: Mine, caller: str, rolls: Sequence[int]) -> Iterator[list[int]]:
    """The rolls so far, in a context in which `dice_roll` gives `rolls`, the last one for ever."""
    thrown: list[int] = []

    def dice_roll(*_: AnyValue, **__: AnyValue) -> int:
        if len(thrown) > 1000:
            raise Wrong(f"`{caller}` throws the dice again and again, without an end.")
        thrown.append(rolls[min(len(thrown), len(rolls) - 1)])
        return thrown[-1]

    with replaced(mine, caller, "dice_roll", dice_roll):
        yield thrown


def _error_text(mine: Mine, error: BaseException) -> str:
    """An error in words, with the last line of the solution that raised it, and advice."""
    message = format_exception_only(error)[-1].strip().splitlines()[-1]
    file = str(mine.words.get("__file__", ""))
    errors = task_texts()["errors"]
    advice = next((f" {what}" for part, what in errors.items() if part in message), "")
    return f"{message}{inner_line(error, file)}.{advice}"


# Cases

_REMEMBERS = (
    " Alone, in a fresh run of the file, this is right. So it remembers something from the calls "
    "before: look at global values, default arguments and caches."
)


def exact(cases: Cases, form: Form[T], fault: Fault, sure: str) -> Property:
    """A property that tries all cases; the phrase `sure` may have their number as {n}."""
    return lambda mine, word: sure.replace("{n}", check_cases(mine, word, cases, form, fault))


def check_cases(mine: Mine, word: str, cases: Cases, form: Form[T], fault: Fault) -> str:
    """The number of cases in words, if the answer of the word has no fault in any of them.

    A `Wrong` says so if the same case is right after the file was run again.
    """
    for case in cases:
        if message := _fault_in(mine, word, case, form, fault):
            fresh = mine.fresh and mine._replace(words=mine.fresh())
            alone = fresh and not _fault_in(fresh, word, case, form, fault)
            raise Wrong(f"{message}{_REMEMBERS if alone else ''}")
    return f"{len(cases):,}"


def _fault_in(mine: Mine, word: str, case: Sequence[Any], form: Form[T], fault: Fault) -> str:
    """The fault of the answer in a case as a sentence, or ""."""
    try:
        message = fault(mine.text(word, *case), ask(mine, word, form, *case), *case)
    except Wrong as wrong:
        return str(wrong)
    return f"{message}." if message else ""


def same(right: Callable[..., AnyValue], why: Callable[..., str]) -> Fault:
    """The fault of an answer that is not `right(*case)`; floats may have an error of 1e-9.

    `why` gives the reason for an answer and a case.
    """

    def fault(text: str, answer: AnyValue, *case: AnyValue) -> str:
        expected = right(*case)
        is_float = isinstance(answer, Real) and not isinstance(answer, Rational)
        answer = float(answer) if is_float else answer
        is_near = is_float and isclose(answer, expected, rel_tol=1e-9, abs_tol=1e-9)
        if answer == expected or is_near:
            return ""
        return f"{forms.got(text, answer)}; it must be {in_words(expected)}: {why(answer, *case)}"

    return fault


def same_sets(
    right: Callable[..., Iterable[Iterable[int]]], about: Callable[..., str] = lambda *_: ""
) -> Fault:
    """The fault of an answer that is not the sets of `right(*case)`, each once.

    `about` says something about a set of levers and a case: ", which shuts lever 3".
    """

    def fault(text: str, answer: list[Box], *case: AnyValue) -> str:
        counts, expected = Counter(answer), {frozenset(item) for item in right(*case)}
        for box in sorted({*counts, *expected}, key=lambda box: (box in expected, by_size(box))):
            if counts[box] != (box in expected):
                times = f" {counts[box]} times" if counts[box] > 1 else ""
                has = "has" if counts[box] else "leaves out"
                return f"`{text}` {has} {levers(box)}{times}{about(box, *case)}"
        return ""

    return fault


def by_size(box: Box) -> tuple[int, list[int]]:
    """A key that sorts boxes with few levers before those with many."""
    return len(box), sorted(box)


# Chance

SAMPLE = 20_000
"""The random games, flips, darts or rolls that a word is asked for."""
ROLLS: Mapping[int, Fraction] = {r: Fraction(THROWS.count(r), 36) for r in range(2, 13)}
"""The probability of each roll."""


@cache
def random_play(of_simple_game: bool = False) -> Callable[[Box], Fraction]:
    """The exact probability of winning a random game, as a function of the box."""
    value = solver(simple_game if of_simple_game else shut_the_box(), policy=uniform)
    return lambda box: Fraction(value(box)[0])


def check_chance(
    of: str, cases: str, hits: int, n: int, p: Fraction | float, hint: str = ""
) -> str:
    """The smallest error in the probability `p` that `n` cases would have shown, in words.

    A `Wrong` if the number of hits does not fit. `of` names the probability ("the probability of
    winning") and `cases` names the cases.
    """
    low, high = statistics.acceptance(n, p)
    is_certain = p in (0, 1)
    if not low <= hits <= high:
        alarm = ", and chance explains such a difference less often than once in 10^9"
        begins = f"After {n:,} {cases} {of} is {hits / n:.3g}; exactly it is {float(p):.3g}"
        raise Wrong(f"{begins}{'' if is_certain else alarm}.{hint}")
    if is_certain:
        return f"{n:,} {cases}"
    effect = ceil(1000 * statistics.smallest_effect(n, p)) / 1000
    power = f"an error of {effect:g} in the probability would be seen in 999 of 1,000 runs"
    return f"{n:,} {cases}; {power}"


def check_chances(
    cases: str, counts: Mapping[AnyValue, int], right: Mapping[AnyValue, Fraction], hint: str = ""
) -> str:
    """The phrase of `check_chance` for the likeliest outcome, after all outcomes are checked."""
    n, sure = sum(counts.values()), ""
    for outcome in sorted(right, key=right.__getitem__):  # the rarest one first
        hits, p = counts.get(outcome, 0), right[outcome]
        sure = check_chance(f"the share of {outcome}", cases, hits, n, p, hint)
    return sure


def check_share(mine: Mine, word: str, p: Fraction | float, *box: Box, times: int = 1) -> str:
    """The phrase of `check_chance` for a word that gives `times` the share of hits in n tries."""

    def hits(n: int) -> int:
        return ask(mine, word, forms.share(mine.words, n, times), n, *box)

    for n in sorted((1, 2, 5) * 10):
        hits(n)
    few, many = (f"the share in `{mine.text(word, n, *box)}`" for n in (3, SAMPLE))
    threes = sum(hits(3) for _ in range(SAMPLE // 10))
    check_chance(few, "tries, three a call,", threes, SAMPLE // 10 * 3, p)
    return check_chance(many, "tries", hits(SAMPLE), SAMPLE, p)
