"""The thirteen tasks of the workshop as properties of the words of a solution.

A property is a function with the name of its word. It raises `Wrong` with the smallest
counterexample, and otherwise returns how sure it is. Where all cases can be tried they are, the
smallest first. Chance is compared with exact probabilities. `mark` marks one task.
"""

from __future__ import annotations

import contextlib
import dis
import io
import random
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from importlib import import_module
from inspect import unwrap
from random import Random
from types import CodeType, ModuleType
from typing import Literal, NamedTuple, TypeAlias

from purembts.checks import brief
from purembts.course.tasks import exactly, games, person, search, start
from purembts.course.tasks.calls import Mine, Property, ask
from purembts.course.tasks.forms import BOX, NotRead, Value, Words, Wrong

Status: TypeAlias = Literal["right", "wrong", "not read", "not there yet"]


class Mark(NamedTuple):
    """The verdict on one task."""

    task: int
    title: str
    status: Status
    message: str
    """Full sentences: the smallest counterexample, how sure it is, or the missing words."""
    words: tuple[str, ...] = ()
    """The words of the task that were found and checked, in the order of checking."""
    missing: tuple[str, ...] = ()
    """The words that the task needs and that were not found."""


class Task(NamedTuple):
    """A task of the workshop."""

    title: str
    checks: Mapping[str, Property]
    """A property for each word, in the order of checking. Words that are not there are left out."""
    needed: tuple[str, ...]
    """The words that a solution needs. In "a or b" one of the words is enough."""


def _task(title: str, room: ModuleType, words: str) -> Task:
    """A task with words of a room, in the order of checking.

    A word with a question mark may be missing. Of words with a bar between them one is needed.
    """
    names = words.replace("?", "").replace("|", " ").split()
    needed = [each.replace("|", " or ") for each in words.split() if not each.endswith("?")]
    return Task(title, {name: vars(room)[name] for name in names}, tuple(needed))


TASKS: Mapping[int, Task] = {
    1: _task("A coin and a dart", start, "flip_coin? is_heads? throw_dart in_circle estimate_pi"),
    2: _task("The game on paper", start, "won_game lost_game"),
    3: _task(
        "The state of the game",
        start,
        "start_box sample_box easy_box? number_of_states dice_roll",
    ),
    4: _task("The simplified game", games, "simple_moves"),
    5: _task("Playing by hand", start, "simple_start"),
    6: _task("Playing automatically", games, "play_simple_game"),
    7: _task("Simulation", games, "simulate_simple_game"),
    8: _task(
        "The game with a choice",
        games,
        "power? levers_for_roll? lever_combinations? possible_moves is_win? play_game simulate",
    ),
    9: _task("A person chooses", person, "play_game_user"),
    10: _task("The look-up table", games, "all_boxes look_up_table"),
    11: _task("Monte Carlo tree search", search, "ucb uct search? monte_carlo_tree_search?"),
    12: _task("The complete tree", exactly, "win_probability|build_tree optimal_table?"),
    13: _task(
        "The table for the pub",
        exactly,
        "box_to_str? best_move|best_move_table best_move_table_string",
    ),
}


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
        with contextlib.redirect_stdout(io.StringIO()):
            return _marked(mine, task, str(seed))
    finally:
        random.setstate(state)


def _marked(mine: Mine, task: int, seed: str) -> Mark:
    title, checks, needed = TASKS[task]
    written = [word for word in checks if word in mine.words and not is_stub(mine.words[word])]
    found = tuple(word for word in written if not is_borrowed(mine.words, word))
    missing = tuple(need for need in needed if not {*need.split(" or ")} & {*found})
    right, unread = list[str](), list[str]()
    for word in found:
        try:
            right.append(f"`{word}`: {_checked(mine, task, word, seed)}.")
        except NotRead as form:
            unread.append(str(form))
        except Wrong as wrong:
            message = f"{wrong}{_reason(mine, task, word, seed)}"
            return Mark(task, title, "wrong", message, found, missing)
    if unread:
        return Mark(task, title, "not read", " ".join(dict.fromkeys(unread)), found, missing)
    if missing:
        names = ", ".join(f"`{each}`" for each in missing).replace(" or ", "` or `")
        borrowed = [each for need in missing for each in need.split(" or ") if each in written]
        own = [f" `{each}` of purembts is not your own." for each in borrowed]
        so_far = [f" Right so far: {' '.join(right)}"] if right else []
        message = f"To write: {names}.{''.join([*own, *so_far])}"
        return Mark(task, title, "not there yet", message, found, missing)
    return Mark(task, title, "right", " ".join(right), found)


def _checked(mine: Mine, task: int, word: str, seed: str) -> str:
    """The phrase that says how sure it is that a word is right."""
    random.seed(f"{seed}/{word}")
    starts = [name for name in ("start_box", "simple_start") if name in mine.words]
    for name in starts:
        if not (isinstance(mine.words[name], AbstractSet) or is_stub(mine.words[name])):
            ask(mine, name, BOX)  # no word can take a set then
    # A box that becomes a key, from task 10 on, is a frozenset in any solution.
    is_set = task < 10 and any(isinstance(mine.words[name], set) for name in starts)
    box = set if is_set else frozenset
    mine = mine._replace(rng=Random(f"{seed}/{word}"), box=box)
    return TASKS[task].checks[word](mine, word)


def _reason(mine: Mine, task: int, word: str, seed: str) -> str:
    """A sentence about a word of an earlier task that is wrong, too; empty if there is none."""
    below = _words_below(mine.words, word)
    for earlier in range(1, task):
        for each in (each for each in TASKS[earlier].checks if each in below):
            try:
                _checked(mine._replace(fresh=None), earlier, each, seed)
            except (Wrong, NotRead):
                return f" `{each}` is wrong, too, and may be the reason: mark task {earlier} first."
    return ""


def _words_below(words: Words, word: str) -> set[str]:
    """The words of the solution that the code of a word names, and those that they name."""
    below, codes = set[str](), [getattr(unwrap(words[word]), "__code__", None)]
    while codes:
        if code := codes.pop():
            codes += [each for each in code.co_consts if isinstance(each, CodeType)]
            named = {each for each in {*code.co_names} & {*words} if not is_borrowed(words, each)}
            codes += [getattr(unwrap(words[each]), "__code__", None) for each in named - below]
            below |= named
    return below


def is_stub(value: Value) -> bool:
    """True for a function whose body is `...`, with a docstring or without, and for `...`."""
    code = getattr(value, "__code__", None)
    if code is None:
        return value is ...
    steps = {step.opname for step in dis.get_instructions(code)}
    return steps <= _NO_STEPS and all(each in (None, ..., value.__doc__) for each in code.co_consts)


_NO_STEPS = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}
"""The instructions of a function that does nothing."""


def is_borrowed(words: Words, word: str) -> bool:
    """True if `word` is the library's own, imported by the file of a solution."""
    library = vars(import_module("purembts"))
    is_library = str(words.get("__name__")).partition(".")[0] == "purembts"
    return not is_library and words[word] is library.get(word, library)
