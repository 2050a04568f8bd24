"""The thirteen tasks of the workshop as properties of the words of a solution.

Each property is a function of the solution. It raises `Wrong` with the smallest counterexample, and
otherwise returns how sure it is. Where all cases can be tried they are, the smallest first. Chance
is compared with exact probabilities. `mark` marks one task; `as_test_case` is a test class.
"""

from __future__ import annotations

import contextlib
import dis
import inspect
import io
import random
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from types import CodeType, ModuleType
from typing import Literal, NamedTuple, TypeAlias

from purembts import workshop
from purembts.checks import brief
from purembts.games.shut_the_box import Box
from purembts.verify.processes import LIMIT, beside, marked
from purembts.verify.tasks import exactly, games, moves, person, search, start
from purembts.verify.tasks.calls import Mine, Property, boxed, seeded
from purembts.verify.tasks.forms import NotRead, Value, Wrong

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


FULL: Box = frozenset(range(1, 10))
SIMPLE: Box = FULL - {1}
_box: Callable[..., Property] = partial(partial, start.is_box)
PROPERTIES: Mapping[str, Property] = {
    "flip_coin": start.flip_coin,
    "is_heads": start.is_heads,
    "throw_dart": start.throw_dart,
    "in_circle": start.in_circle,
    "estimate_pi": start.estimate_pi,
    "won_game": partial(start.game_on_paper, won=True),
    "lost_game": partial(start.game_on_paper, won=False),
    "start_box": _box(right=FULL, meaning="the box with all nine levers up"),
    "sample_box": _box(right=FULL - {1, 3, 6}, meaning="the box with levers 1, 3 and 6 down"),
    "easy_box": _box(right=frozenset({7}), meaning="the box with only lever 7 up"),
    "number_of_states": start.number_of_states,
    "dice_roll": start.dice_roll,
    "simple_moves": partial(moves.moves, right=workshop.simple_moves),
    "simple_start": _box(right=SIMPLE, meaning="the box with lever 1 down and the others up"),
    "play_simple_game": games.play_simple_game,
    "simulate_simple_game": partial(games.simulation, start=SIMPLE, simple=True),
    "power": moves.power,
    "levers_for_roll": moves.levers_for_roll,
    "lever_combinations": moves.lever_combinations,
    "possible_moves": partial(moves.moves, right=workshop.possible_moves),
    "is_win": moves.is_win,
    "play_game": games.play_game,
    "simulate": partial(games.simulation, start=FULL),
    "play_game_user": person.play_game_user,
    "all_boxes": moves.all_boxes,
    "look_up_table": games.look_up_table,
    "ucb": search.ucb,
    "uct": search.uct,
    "search": search.search,
    "monte_carlo_tree_search": search.monte_carlo_tree_search,
    "win_probability": exactly.win_probability,
    "build_tree": exactly.build_tree,
    "optimal_table": exactly.optimal_table,
    "box_to_str": exactly.box_to_str,
    "best_move": exactly.best_move,
    "best_move_table": exactly.best_move_table,
    "best_move_table_string": exactly.best_move_table_string,
}
"""The property of each word, in the order of checking."""


def _task(title: str, needed: str, also: str = "") -> Task:
    """A task that needs some words, and checks others that may be there also."""
    words = {*f"{needed}, {also}".replace(" or ", ", ").split(", ")}
    checks = {word: right for word, right in PROPERTIES.items() if word in words}
    return Task(title, checks, tuple(needed.split(", ")))


TASKS: Mapping[int, Task] = {
    1: _task("A coin and a dart", "throw_dart, in_circle, estimate_pi", "flip_coin, is_heads"),
    2: _task("The game on paper", "won_game, lost_game"),
    3: _task(
        "The state of the game", "start_box, sample_box, dice_roll, number_of_states", "easy_box"
    ),
    4: _task("The simplified game", "simple_moves"),
    5: _task("Playing by hand", "simple_start"),
    6: _task("Playing automatically", "play_simple_game"),
    7: _task("Simulation", "simulate_simple_game"),
    8: _task(
        "The game with a choice",
        "possible_moves, play_game, simulate",
        "power, levers_for_roll, lever_combinations, is_win",
    ),
    9: _task("A person chooses", "play_game_user"),
    10: _task("The look-up table", "all_boxes, look_up_table"),
    11: _task("Monte Carlo tree search", "ucb, uct", "search, monte_carlo_tree_search"),
    12: _task("The complete tree", "win_probability or build_tree", "optimal_table"),
    13: _task(
        "The table for the pub",
        "best_move or best_move_table, best_move_table_string",
        "box_to_str",
    ),
}


def mark(
    words: Mapping[str, Value],
    task: int,
    *,
    seed: int | str = 0,
    fresh: Callable[[], Mapping[str, Value]] | None = None,
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
    words = mine.words
    written = [word for word in checks if word in words and not is_stub(words[word])]
    found = tuple(word for word in written if not is_borrowed(words, word))
    missing = tuple(need for need in needed if not {*need.split(" or ")} & {*found})
    right, other = list[str](), list[str]()
    for word in found:
        try:
            right.append(f"`{word}`: {_checked(mine, task, word, seed)}.")
        except NotRead as form:
            other.append(str(form))
        except Exception as error:  # noqa: BLE001 - a value of the solution can raise, too
            message = f"{_verdict(word, error)}{_reason(mine, task, word, seed)}"
            return Mark(task, title, "wrong", message, found, missing)
    if other:
        return Mark(task, title, "not read", " ".join(dict.fromkeys(other)), found, missing)
    if missing:
        return Mark(task, title, "not there yet", _not_there(mine, right, missing), found, missing)
    return Mark(task, title, "right", " ".join(right), found)


def _checked(mine: Mine, task: int, word: str, seed: str) -> str:
    """The phrase that says how sure it is that a word is right."""
    mine = seeded(mine, f"{seed}/{word}")
    return TASKS[task].checks[word](boxed(mine, as_keys=task > 9) if task > 3 else mine, word)


_HERE = __file__.removesuffix("__init__.py")


def _verdict(word: str, error: Exception) -> str:
    """The message of a `Wrong`, or one for an error that a value raises when it is used."""
    if isinstance(error, Wrong):
        return str(error)
    if traceback.extract_tb(error.__traceback__)[-1].filename.startswith(_HERE):
        raise error  # a fault of the library, and not of the solution
    return f"`{word}` has values that raise {type(error).__name__} when they are used: {error}."


def _reason(mine: Mine, task: int, word: str, seed: str) -> str:
    """A sentence about a word of an earlier task that is wrong, too; empty if there is none."""
    below = _words_below(mine.words, word, set())
    for earlier in range(1, task):
        for each in (each for each in TASKS[earlier].checks if each in below):
            try:
                _checked(mine._replace(fresh=None), earlier, each, seed)
            except Exception:  # noqa: BLE001 - as in `_marked`
                return f" `{each}` is wrong, too, and may be the reason: mark task {earlier} first."
    return ""


def _words_below(words: Mapping[str, Value], word: str, known: set[str]) -> set[str]:
    """The words of the solution that the code of a word names, and those that they name."""
    codes = [getattr(inspect.unwrap(words[word]), "__code__", None)]
    while codes and (code := codes.pop()):
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
        for each in {*code.co_names} & {*words} - known:
            if not is_borrowed(words, each):
                known |= {each} | _words_below(words, each, known | {each})
    return known


def _not_there(mine: Mine, right: list[str], missing: tuple[str, ...]) -> str:
    """The words that are missing, and those that are right so far."""
    names = [" or ".join(f"`{word}`" for word in need.split(" or ")) for need in missing]
    last = ", and " if any(" or " in name for name in names) else " and "
    listed = last.join(filter(None, [", ".join(names[:-1]), names[-1]]))
    message = f"{listed} {'is' if len(names) == 1 else 'are'} not there yet."
    needed = [word for need in missing for word in need.split(" or ")]
    borrowed = [w for w in needed if w in mine.words and not is_stub(mine.words[w])]
    if borrowed:
        message += f" `{borrowed[0]}` comes from purembts; write one of your own."
    return f"{message} Right so far: {' '.join(right)}" if right else message


def is_stub(value: Value) -> bool:
    """True for a function whose body is `...`, with a docstring or without, and for `...`."""
    code = getattr(value, "__code__", None)
    if code is None:
        return value is ...
    steps = {step.opname for step in dis.get_instructions(code)}
    return steps <= _NO_STEPS and all(each in (None, ..., value.__doc__) for each in code.co_consts)


_NO_STEPS = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}
"""The instructions of a function that does nothing."""


def is_borrowed(words: Mapping[str, Value], word: str) -> bool:
    """True if `word` is the library's own, imported by the file of a solution."""
    if str(words.get("__name__", "")).partition(".")[0] == "purembts":
        return False
    value = words[word]
    if callable(value):
        return str(getattr(value, "__module__", "")).partition(".")[0] == "purembts"
    own = value is vars(import_module("purembts")).get(word, [])
    return own and not isinstance(value, str | int)


# A test class


def as_test_case(
    solution: str | ModuleType, *, here: str = "", limit: float = LIMIT
) -> type[Value]:
    """A unittest.TestCase with a test for each task of a solution.

    `solution` is the name of a file, or a module. The name of a file is looked up in the folder of
    the file `here`, by default in the current folder. A file is marked in processes of its own,
    each with at most `limit` seconds, and a module in this one. A task that is not there yet or not
    read is skipped, with its message as the reason.
    """
    import unittest  # a child process that marks one task does without it

    trouble = list[str]()

    def test(case: Value, number: int) -> None:
        try:
            found = _mark_of(solution, number, here, limit) if not trouble else {}
        except ValueError as error:  # no task waits again for a file that cannot be loaded
            trouble.append(str(error))
        if trouble:
            case.fail(trouble[0])
        message = f"Task {number}: {found['message']} {found.get('trouble', '')}".rstrip()
        if found["status"] in ("not there yet", "not read"):
            case.skipTest(message)
        if found["status"] == "wrong":
            case.fail(message)

    tests = {
        f"test_task_{number:02}_{'_'.join(task.title.lower().split())}": (
            lambda case, number=number: test(case, number)
        )
        for number, task in TASKS.items()
    }
    return type("TestTasks", (unittest.TestCase,), tests)


def _mark_of(solution: str | ModuleType, task: int, here: str, limit: float) -> Mapping[str, Value]:
    """The fields of the mark of a task."""
    if isinstance(solution, str):
        return marked(beside(here, solution), task, limit=limit)
    return mark(vars(solution), task)._asdict()
