"""Calls of a learner's functions: their arguments by name, their random numbers, their errors."""

from __future__ import annotations

import contextlib
import inspect
import random
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from math import inf
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from pyrsistent import pmap

from purembts.verify.solutions import BoxMaker, Own, Value, box_maker, own_results, shown

T = TypeVar("T")


class Wrong(Exception):  # noqa: N818 - it is a verdict, and no error of the program
    """A fault of a solution, as a full sentence."""


class Solution(NamedTuple):
    """The words of a learner, and the means to call them."""

    words: Mapping[str, Value]
    rng: Value
    """The generator for functions that take one."""
    make_box: BoxMaker
    own: Own
    """The learner's own values for a win and a loss."""
    games: int
    """The number of games from the full box."""
    clock: Callable[[], float] | None
    """A clock in seconds; None to play all the games, slow as they may be."""
    until: float = inf
    """The time on the clock when the games of the task should be over."""


BUDGET = 11.0
"""The seconds for the games of a task, if there is a clock."""


def solution(
    words: Mapping[str, Value], seed: int | str, games: int, clock: Callable[[], float] | None
) -> Solution:
    """The solution with these `words`; random numbers depend on `seed` alone."""
    seed_modules(words, seed)
    rng, until = _generator(words, seed), clock() + BUDGET if clock else inf
    return Solution(words, rng, box_maker(words), own_results(words), games, clock, until)


def seed_modules(words: Mapping[str, Value], seed: int | str) -> None:
    """Seed the module random, and that of numpy if the words use it."""
    random.seed(f"{seed}")
    numpy = _numpy(words)
    if numpy is not None:
        numpy.random.seed(random.Random(f"{seed}").getrandbits(32))


def reseeded(solution: Solution, seed: int | str) -> Solution:
    """`solution` with random numbers from `seed`."""
    seed_modules(solution.words, seed)
    return solution._replace(rng=_generator(solution.words, seed))


def _numpy(words: Mapping[str, Value]) -> Value | None:
    """The module numpy, if one of the words is it."""
    modules = (value for value in words.values() if isinstance(value, ModuleType))
    return next((module for module in modules if module.__name__ == "numpy"), None)


def empty_maps(words: Mapping[str, Value]) -> list[Callable[[], Value]]:
    """The makers of an empty map to try in turn: dict, pmap, and a class Map among the words."""
    modules = [value for value in words.values() if isinstance(value, ModuleType)]
    classes = [words.get("Map"), *(getattr(module, "Map", None) for module in modules)]
    return [dict, pmap, *(made for made in classes if isinstance(made, type))]


def _generator(words: Mapping[str, Value], seed: int | str) -> Value:
    """A generator: one of numpy if a word calls a method `integers`, which only numpy's have."""
    numpy = _numpy(words)
    codes = (getattr(value, "__code__", None) for value in words.values())
    if numpy is not None and any(code and "integers" in code.co_names for code in codes):
        return numpy.random.default_rng(random.Random(f"{seed}").getrandbits(32))
    return random.Random(f"{seed}")


# Arguments

NAMES: dict[str, set[str]] = {
    "tree": {"tree", "memo", "table", "cache", "records", "known"},
    "n": {"n", "games", "count", "times", "trials", "number", "iterations", "dives", "size"},
    "box": {"box", "start", "start_box", "levers", "board", "root", "box_state", "up"},
    "roll": {"roll", "dice", "total", "dice_roll"},
    "node": {"node", "key", "pair"},
    "state": {"state", "position", "pos"},
    "rng": {"rng", "random", "generator", "gen", "rnd", "rand", "random_generator"},
    "hints": {"hints", "hint"},
    "read": {"read", "ask", "input", "reader", "read_line", "answer"},
    "write": {"write", "print", "show", "output", "display", "writer"},
}
"""The usual names of an argument. Arguments of other names are matched by their place."""

KINDS = inspect.Parameter


def parameters(function: Value) -> list[inspect.Parameter] | None:
    """The parameters of `function`, or None if Python does not know them."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


def takes(function: Value, role: str) -> bool:
    """True if `function` has a parameter with one of the usual names of `role`."""
    return any(p.name in NAMES[role] for p in parameters(function) or ())


def required(function: Value) -> list[str]:
    """The names of the positional arguments that `function` must get, but for a generator."""
    positional = (KINDS.POSITIONAL_ONLY, KINDS.POSITIONAL_OR_KEYWORD)
    return [
        p.name
        for p in parameters(function) or ()
        if p.kind in positional and p.default is p.empty and p.name not in NAMES["rng"]
    ]


def arranged(function: Value, values: Mapping[str, Value], rng: Value) -> dict[str, Value]:
    """The arguments of `values`, given by role in the usual order, by parameter of `function`.

    A parameter with a usual name gets that value. The others get the rest in order, and a last one
    that is required gets the generator.
    """
    free = [p for p in parameters(function) or () if p.kind not in STARRED]
    rest = dict(values)
    given: dict[str, Value] = {}
    for p in free:
        role = next((role for role in rest if p.name in NAMES.get(role, ())), None)
        if role is not None:
            given[p.name] = rest.pop(role)
        elif p.name == "rng" or (p.name in NAMES["rng"] and p.default is p.empty):
            given[p.name] = rng
    left = [p for p in free if p.name not in given and p.kind is not KINDS.KEYWORD_ONLY]
    places = sorted(left, key=lambda p: p.default is not p.empty)[: len(rest)]
    given |= dict(zip([p.name for p in left if p in places], rest.values(), strict=False))
    extra = [p for p in left if p.name not in given and p.default is p.empty]
    return given | {p.name: rng for p in extra[:1]}


STARRED = (KINDS.VAR_POSITIONAL, KINDS.VAR_KEYWORD)


def bound_call(function: Value, values: Mapping[str, Value], rng: Value) -> Callable[[], Value]:
    """A function without arguments that calls `function` with `values`."""
    known = parameters(function)
    if known is None or any(p.kind is KINDS.VAR_POSITIONAL for p in known):
        return partial(function, *values.values())
    given = arranged(function, values, rng)
    by_place = [p.name for p in known if p.kind is KINDS.POSITIONAL_ONLY and p.name in given]
    rest = {name: value for name, value in given.items() if name not in by_place}
    return partial(function, *[given[name] for name in by_place], **rest)


# Calls


@contextlib.contextmanager
def replaced(
    solution: Solution, word: str, make: Callable[[Callable[..., Value]], Callable[..., Value]]
) -> Iterator[None]:
    """Let the learner's function `word` be `make(function)`, for functions that call it by name.

    Nothing happens if there is no such function, or if the words are not those of a module.
    """
    words, real = solution.words, solution.words.get(word)
    if not callable(real) or not isinstance(words, dict):
        yield
        return
    words[word] = make(real)
    try:
        yield
    finally:
        words[word] = real


def caller(solution: Solution, word: str, **values: Any) -> Callable[[], Any]:
    """A function that calls the learner's `word`; an error of the learner's code is a `Wrong`."""
    return guarded(solution, word, call_text(word, values.values()), values)


def guarded(
    solution: Solution, word: str, text: str, values: Mapping[str, Value]
) -> Callable[[], Value]:
    """`caller`, with `text` for the call in messages."""
    function = solution.words[word]
    if not callable(function):
        raise Wrong(f"`{word}` must be a function; it is {shown(function)}.")
    _check_room(word, function, values)
    called = bound_call(function, values, solution.rng)
    keyed = bound_call(function, {k: hashable(v) for k, v in values.items()}, solution.rng)

    def safely() -> Value:
        try:
            return called() if word not in KEYED else _first_hashable(called, keyed)
        except Wrong:  # of a spy among the learner's functions
            raise
        except (Exception, SystemExit) as error:
            raise Wrong(f"`{text}` raises {raised(solution, function, error)}.") from error

    return safely


KEYED = frozenset(
    ("uct", "search", "monte_carlo_tree_search", "win_probability", "build_tree", "best_move")
)
"""The functions that may use their box as a key. A set cannot be a key, and a frozenset can."""


def _first_hashable(called: Callable[[], Value], keyed: Callable[[], Value]) -> Value:
    """The value of `called`, or that of `keyed` if the first needs a value that can be a key."""
    try:
        return called()
    except TypeError as error:
        if "unhashable" not in str(error):
            raise
    return keyed()


def hashable(value: Value) -> Value:
    """A set as a frozenset and a list as a tuple, also inside a tuple; other values unchanged.

    >>> hashable(({1}, None)), hashable([2, 7])
    ((frozenset({1}), None), (2, 7))
    """
    if isinstance(value, set):
        return frozenset(value)
    return tuple(map(hashable, value)) if type(value) in (tuple, list) else value


def _check_room(word: str, function: Value, values: Mapping[str, Value]) -> None:
    """Raise a `Wrong` if `function` takes fewer arguments than there are values."""
    known = parameters(function)
    if known is None or any(p.kind in STARRED for p in known):
        return
    room = [p.name for p in known if p.name not in NAMES["rng"]]
    if len(room) < len(values):
        found = f"it takes {', '.join(room)}" if room else "it takes none"
        raise Wrong(f"`{word}` must take the arguments {' and '.join(values)}; {found}.")


def call(solution: Solution, word: str, **values: Any) -> Value:
    """The value of the learner's `word`, called with `values`, which are named by their role."""
    return caller(solution, word, **values)()


def call_text(word: str, values: Iterable[Value]) -> str:
    """A call as a learner would type it, without the generator.

    >>> call_text("possible_moves", [frozenset({1, 2}), 3])
    'possible_moves(frozenset({1, 2}), 3)'
    """
    return f"{word}({', '.join(map(shown, values))})"


def raised(solution: Solution, function: Value, error: BaseException) -> str:
    """The error as text, with the line of the learner's file that raised it."""
    message = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    own = {solution.words.get("__file__"), getattr(_code(function), "co_filename", None)}
    frames = traceback.extract_tb(error.__traceback__)
    mine = [frame for frame in frames if frame.filename in own - {None}]
    if not mine:
        return message
    name = mine[-1].filename.replace("\\", "/").rpartition("/")[2]
    return f"{message} in line {mine[-1].lineno} of {name}"


def _code(function: Value) -> Value:
    """The code of a function, also of a method, a partial or a cached function."""
    function = getattr(function, "func", function)
    return getattr(inspect.unwrap(function), "__code__", None)


def reading(text: str, read: Callable[[Value], T], value: Value) -> T:
    """`read(value)`, where a ValueError becomes a `Wrong` that begins with `text`."""
    try:
        return read(value)
    except ValueError as error:
        raise Wrong(f"`{text}`: {error}") from None
