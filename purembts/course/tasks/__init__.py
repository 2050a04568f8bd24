"""The thirteen tasks of the workshop as properties of the words of a solution.

A property is a function with the name of its word. It raises `Wrong` with the smallest
counterexample, and otherwise returns how sure it is. Where all cases can be tried they are, the
smallest first. Chance is compared with exact probabilities. `mark` marks one task.
"""

from __future__ import annotations

import dis
import random
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from importlib import import_module
from inspect import unwrap
from random import Random
from textwrap import wrap
from types import CodeType
from typing import Any, Literal, NamedTuple

from purembts.checks import brief
from purembts.course import task_texts
from purembts.course.tasks import calls
from purembts.course.tasks.calls import Mine, Property, ask
from purembts.course.tasks.forms import BOX, AnyValue, NotRead, Words, Wrong
from purembts.loading import streams


class Mark(NamedTuple):
    """The verdict on one task."""

    task: int
    title: str
    status: Literal["right", "wrong", "not read", "not there yet", "not finished"]
    message: str
    """Full sentences: the smallest counterexample, how sure it is, or the missing words."""
    words: tuple[str, ...] = ()
    """The words of the task that are there, in the order of checking."""
    missing: tuple[str, ...] = ()
    """The words that the task needs and that are not there."""


class Task(NamedTuple):
    """A task of the workshop, with the texts of `data/tasks.toml`."""

    title: str
    checks: Mapping[str, Property]
    """A property for each word, in the order of checking. Words that are not there are left out."""
    needed: tuple[str, ...]
    """The words that a solution needs. In "a or b" one of the words is enough."""
    text: str
    """The words and values to write."""
    stub: str
    """Python code with their names and arguments."""
    hints: tuple[str, ...]
    """Hints, each plainer than the one before."""
    predict: tuple[tuple[str, str], ...]
    """Questions to answer before the task, with their exact answers, as the workshop has them."""
    why: str
    """The reason why a right solution is right, with the exact value."""


def _task(fields: dict[str, Any]) -> Task:
    """The task with these fields of the file of data."""
    room = vars(import_module(f"{__name__}.{fields['room']}"))
    checks = {word: room[word] for word in fields["words"]}
    texts = fields["text"].strip(), fields["stub"].strip(), tuple(fields["hints"])
    predict = tuple(map(tuple, fields["predict"]))
    return Task(fields["title"], checks, tuple(fields["needed"]), *texts, predict, fields["why"])


TASKS: Mapping[int, Task] = dict(enumerate(map(_task, task_texts()["tasks"]), 1))


# The starter file


def starter_file() -> str:
    """A file of Python with the text and the stubs of each task.

    >>> starter_file().count("# Task ")
    13
    """
    return "\n\n".join([task_texts()["starter"], *map(_part, TASKS)])


def _part(number: int) -> str:
    """The text of a task as comments, and its stubs."""
    task = TASKS[number]
    lines = [f"Task {number}: {task.title}", "", *wrap(task.text, 86)]
    about = "\n".join(f"# {line}".rstrip() for line in lines)
    between = "\n\n" if task.stub.startswith("def") else "\n"
    return f"{about}\n{between}{task.stub}\n"


# Marks


def mark(
    words: Words, task: int, *, seed: int | str = 0, fresh: Callable[[], Words] | None = None
) -> Mark:
    """The verdict on `task` for the words of a module, `vars(module)`.

    Random numbers come from `seed`. `fresh` runs the file of the words again: with it, the message
    about a wrong word says if the word remembers something from earlier calls.
    """
    if task not in TASKS:
        raise ValueError(f"`task` must be one of the tasks 1 to {len(TASKS)}; got {brief(task)}.")
    mine, state = Mine(words, fresh=fresh), random.getstate()
    try:
        with streams():
            return _marked(mine, task, str(seed))
    finally:
        random.setstate(state)


def _marked(mine: Mine, task: int, seed: str) -> Mark:
    """The mark of a task: the first word that is wrong decides, then those that were not read."""
    title, checks, needed, *_ = TASKS[task]
    in_file = [word for word in checks if word in mine.words and not is_stub(mine.words[word])]
    words = tuple(word for word in in_file if not is_borrowed(mine.words, word))
    missing = tuple(need for need in needed if not {*need.split(" or ")} & {*words})
    verdict = partial(Mark, task, title, words=words, missing=missing)
    right, unread = list[str](), dict[str, str]()
    for word in words:
        if {*unread} & words_below(mine.words, word):
            continue  # it uses a word that was not read
        try:
            right.append(f"`{word}`: {_certainty(mine, task, word, seed)}.")
        except NotRead as form:
            unread[word] = str(form)
        except Wrong as wrong:
            return verdict("wrong", f"{wrong}{_earlier_fault(mine, task, word, seed)}")
    if unread:
        return verdict("not read", " ".join(dict.fromkeys(unread.values())))
    if missing:
        return verdict("not there yet", _to_write(missing, in_file, right))
    return verdict("right", " ".join(right))


def _to_write(missing: Sequence[str], in_file: Sequence[str], right: Sequence[str]) -> str:
    """The message with the words to write, the borrowed ones, and the words that are right."""
    names = ", ".join(f"`{word}`" for word in missing).replace(" or ", "` or `")
    borrowed = [word for need in missing for word in need.split(" or ") if word in in_file]
    notes = [f" `{word}` comes from purembts; write your own." for word in borrowed]
    so_far = f" Right so far: {' '.join(right)}" if right else ""
    return f"To write: {names}.{''.join(notes)}{so_far}"


def _certainty(mine: Mine, task: int, word: str, seed: str) -> str:
    """The phrase that says how sure it is that a word is right."""
    random.seed(f"{seed}/{word}")
    starts = {name: mine.words.get(name, ...) for name in ("start_box", "simple_start")}
    for name, box in starts.items():
        if not (isinstance(box, AbstractSet) or is_stub(box)):
            ask(mine, name, BOX)  # no word can take a set then
    # A box that becomes a key, from task 10 on, is a frozenset in any solution.
    is_set = task < 10 and any(isinstance(box, set) for box in starts.values())
    mine = mine._replace(rng=Random(f"{seed}/{word}"), box=set if is_set else frozenset)
    if task > 9 and isinstance(start := starts["start_box"], set) and callable(mine.words[word]):
        _call_as_written(mine, word, start)
    return TASKS[task].checks[word](mine, word)


def _call_as_written(mine: Mine, word: str, start: set[int]) -> None:
    """Call a word with the box of the solution, a plain set; a `Wrong` has its error.

    The other arguments are those of the starter file. A word with more arguments is not called.
    """
    values = {"tree": {}, "box": start, "roll": 7, "dives": 3}
    takes = calls.parameters(mine, word)
    names = [name for name, one in takes.items() if one.default is one.empty and name != "rng"]
    if "box" in names and {*names} <= {*values}:
        calls.call(mine, word, *(values[name] for name in names))


def _earlier_fault(mine: Mine, task: int, word: str, seed: str) -> str:
    """A sentence about a word of an earlier task that is wrong, too; empty if there is none."""
    below = words_below(mine.words, word)
    pairs = [(task, other) for task in range(1, task) for other in TASKS[task].checks]
    for earlier, other in pairs:
        try:
            if other in below:
                _certainty(mine._replace(fresh=None), earlier, other, seed)
        except (Wrong, NotRead):
            return f" `{other}` is wrong, too, and may be the reason: mark task {earlier} first."
    return ""


def words_below(words: Words, word: str) -> set[str]:
    """The words of the solution that the code of a word names, and those that they name."""
    below, codes = set[str](), [_code_of(words, word)]
    while codes:
        if code := codes.pop():
            codes += [const for const in code.co_consts if isinstance(const, CodeType)]
            names = {name for name in {*code.co_names} & {*words} if not is_borrowed(words, name)}
            codes += [_code_of(words, name) for name in names - below]
            below |= names
    return below


def _code_of(words: Words, word: str) -> CodeType | None:
    """The code of a word that is a function; None for a value."""
    return getattr(unwrap(words[word]), "__code__", None)


def is_stub(value: AnyValue) -> bool:
    """True for a function whose body is `...`, with a docstring or without, and for `...`."""
    code = getattr(value, "__code__", None)
    if code is None:
        return value is ...
    steps = {step.opname for step in dis.get_instructions(code)}
    consts = (None, ..., value.__doc__)
    return steps <= _NO_STEPS and all(const in consts for const in code.co_consts)


_NO_STEPS = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}
"""The instructions of a function that does nothing."""


def is_borrowed(words: Words, word: str) -> bool:
    """True if `word` is the library's own, imported by the file of a solution."""
    library = vars(import_module("purembts"))
    is_library = str(words.get("__name__")).partition(".")[0] == "purembts"
    return not is_library and words[word] is library.get(word, library)
