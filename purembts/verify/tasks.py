"""The thirteen tasks of the workshop as checks of a learner's own words.

`mark` marks one task; `as_test_case` is the same as a test class.
"""

from __future__ import annotations

import contextlib
import io
import random
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Literal, NamedTuple, TypeAlias

from purembts.checks import brief
from purembts.verify import task_checks_bound as bound
from purembts.verify import task_checks_exact as exactly
from purembts.verify import task_checks_games as games_of
from purembts.verify import task_checks_moves as moves_of
from purembts.verify import task_checks_person as person
from purembts.verify import task_checks_search as searches
from purembts.verify import task_checks_start as start
from purembts.verify.processes import LIMIT, beside, marked
from purembts.verify.solution_calls import NAMES, Solution, Wrong, required, solution
from purembts.verify.solutions import Value

Marks: TypeAlias = Callable[[int], Mapping[str, Value]]
"""The fields of the mark of a task."""

GAMES = 20_000
"""The default number of random games from the full box."""

Check: TypeAlias = Callable[[Solution], str]
"""A phrase that says how sure it is that one word is right; it raises `Wrong` if it is not."""


class Mark(NamedTuple):
    """The verdict on one task."""

    task: int
    title: str
    status: Literal["right", "wrong", "not there yet"]
    message: str
    """Full sentences: the smallest counterexample, how sure it is, or the missing words."""
    words: tuple[str, ...] = ()
    """The words of the task that were found and checked, in the order of checking."""
    missing: tuple[str, ...] = ()
    """The words that the task needs and that were not found."""


class Task(NamedTuple):
    """A task of the workshop."""

    title: str
    checks: Mapping[str, Check]
    """A check for each word, in the order of checking. Words that are not there are left out."""
    needed: tuple[str, ...]
    """The words that a solution needs. In "a or b" one of the words is enough."""


TASKS: Mapping[int, Task] = {
    1: Task(
        "Monte Carlo simulation",
        {
            "flip_coin": start.check_flip_coin,
            "is_heads": start.check_is_heads,
            "throw_dart": start.check_throw_dart,
            "in_circle": start.check_in_circle,
            "estimate_pi": start.check_estimate_pi,
        },
        ("throw_dart", "in_circle", "estimate_pi"),
    ),
    2: Task(
        "Shut the Box on paper",
        {"won_game": start.check_won_game, "lost_game": start.check_lost_game},
        ("won_game", "lost_game"),
    ),
    3: Task(
        "Game state",
        {
            "start_box": start.check_start_box,
            "sample_box": start.check_sample_box,
            "easy_box": start.check_easy_box,
            "number_of_states": start.check_number_of_states,
            "dice_roll": start.check_dice_roll,
        },
        ("start_box", "sample_box", "dice_roll", "number_of_states"),
    ),
    4: Task(
        "Simplified Shut the Box",
        {"simple_moves": moves_of.check_simple_moves},
        ("simple_moves",),
    ),
    5: Task("Playing by hand", {"simple_start": start.check_simple_start}, ("simple_start",)),
    6: Task(
        "Playing automatically",
        {"play_simple_game": games_of.check_play_simple_game},
        ("play_simple_game",),
    ),
    7: Task(
        "Simulation of the simplified game",
        {"simulate_simple_game": games_of.check_simulate_simple_game},
        ("simulate_simple_game",),
    ),
    8: Task(
        "Shut the Box with a choice",
        {
            "power": moves_of.check_power,
            "levers_for_roll": moves_of.check_levers_for_roll,
            "lever_combinations": moves_of.check_lever_combinations,
            "possible_moves": moves_of.check_possible_moves,
            "is_win": moves_of.check_is_win,
            "play_game": games_of.check_play_game,
            "simulate": games_of.check_simulate_real,
        },
        ("possible_moves", "play_game", "simulate"),
    ),
    9: Task(
        "A person chooses",
        {"play_game_user": person.check_play_game_user},
        ("play_game_user",),
    ),
    10: Task(
        "Look-up table",
        {
            "all_boxes": games_of.check_all_boxes,
            "look_up_table": games_of.check_look_up_table,
        },
        ("all_boxes", "look_up_table"),
    ),
    11: Task(
        "Monte Carlo tree search",
        {
            "ucb": bound.check_ucb,
            "uct": searches.check_uct,
            "search": searches.check_search("search"),
            "monte_carlo_tree_search": searches.check_search("monte_carlo_tree_search"),
        },
        ("ucb", "uct"),
    ),
    12: Task(
        "The complete tree",
        {
            "win_probability": exactly.check_win_probability,
            "build_tree": exactly.check_build_tree,
            "optimal_table": exactly.check_optimal_table,
        },
        ("win_probability or build_tree",),
    ),
    13: Task(
        "The table of best moves",
        {
            "box_to_str": exactly.check_box_to_str,
            "best_move": exactly.check_best_move,
            "best_move_table": exactly.check_best_move_table,
            "best_move_table_string": exactly.check_best_move_table_string,
        },
        ("best_move or best_move_table", "best_move_table_string"),
    ),
}


def mark(
    words: Mapping[str, Value],
    task: int,
    *,
    seed: int | str = 0,
    games: int = GAMES,
    clock: Callable[[], float] | None = None,
) -> Mark:
    """The verdict on `task` for the words of a module, `vars(module)`.

    Random numbers come from `seed`. `games` is the number of random games from the full box. With a
    `clock` in seconds, slow solutions play fewer games, and the verdict says how many.
    """
    if task not in TASKS:
        raise ValueError(f"`task` must be one of the tasks 1 to {len(TASKS)}; got {brief(task)}.")
    state = random.getstate()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return _marked(words, task, f"{seed}/{task}", games, clock)
    finally:
        random.setstate(state)


def _marked(
    words: Mapping[str, Value],
    task: int,
    seed: str,
    games: int,
    clock: Callable[[], float] | None,
) -> Mark:
    title, checks, _ = TASKS[task]
    found = tuple(word for word in checks if word in words and not is_borrowed(words, word))
    missing = _missing(task, found)
    right: list[str] = []
    solved = solution(words, seed, games, clock)
    for word in found:
        try:
            right.append(f"`{word}`: {checks[word](solved)}.")
        except Exception as wrong:  # noqa: BLE001 - a value of the learner's can raise, too
            message = f"{_verdict(word, wrong)}{_reason(solved, task, word)}"
            return Mark(task, title, "wrong", message, found, missing)
    if missing:
        return Mark(task, title, "not there yet", _not_there(words, right, missing), found, missing)
    return Mark(task, title, "right", " ".join(right), found)


_HERE = __file__.removesuffix("tasks.py")


def _verdict(word: str, error: Exception) -> str:
    """The message of a `Wrong`, or one for an error that a value raises when it is used."""
    if isinstance(error, Wrong):
        return str(error)
    if traceback.extract_tb(error.__traceback__)[-1].filename.startswith(_HERE):
        raise error  # a fault of the library, and not of the learner
    return f"`{word}` has values that raise {type(error).__name__} when they are used: {error}."


ON_DICE: tuple[str, ...] = (
    "play_simple_game",
    "simulate_simple_game",
    "play_game",
    "simulate",
    "play_game_user",
    "look_up_table",
    "uct",
    "search",
    "monte_carlo_tree_search",
)
ON_MOVES: tuple[str, ...] = ("win_probability", "build_tree", "optimal_table")
ON_VALUES: tuple[str, ...] = ("best_move", "best_move_table", "best_move_table_string")
ON_GAMES: tuple[str, ...] = ("look_up_table", "uct", "search", "monte_carlo_tree_search")
STARTS: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "start_box": (3, ("play_game", "simulate", "play_game_user", *ON_GAMES[2:])),
    "simple_start": (5, ON_DICE[:2]),
}
"""The boxes where words begin that are called without a box."""
FOUNDATIONS: Mapping[str, tuple[int, tuple[str, ...]]] = {
    **STARTS,
    "dice_roll": (3, ON_DICE),
    "simple_moves": (4, ON_DICE[:2]),
    "play_simple_game": (6, ON_DICE[1:2]),
    "possible_moves": (8, (*ON_DICE[2:], *ON_MOVES, *ON_VALUES)),
    "play_game": (8, ON_GAMES),
    "simulate": (8, ON_GAMES[:1]),
    "win_probability": (12, ON_VALUES),
}
"""Words with their tasks, and the words that build on them. Few games are enough to check them."""


def _reason(solved: Solution, task: int, word: str) -> str:
    """A sentence about a word of an earlier task that is wrong, too; empty if there is none."""
    few = solved._replace(games=min(solved.games, GAMES // 10))
    for below, (earlier, above) in FOUNDATIONS.items():
        if below in STARTS and not _starts_alone(solved, word):
            continue
        if word in above and earlier < task and below in solved.words:
            try:
                TASKS[earlier].checks[below](few)
            except Exception:  # noqa: BLE001 - as in `_marked`
                return (
                    f" `{below}` is wrong, too, and may be the reason: mark task {earlier} first."
                )
    return ""


def _starts_alone(solved: Solution, word: str) -> bool:
    """True if the function `word` can be called without a box."""
    return not any(name in NAMES["box"] for name in required(solved.words[word]))


def _missing(task: int, found: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(need for need in TASKS[task].needed if not set(need.split(" or ")) & set(found))


def _not_there(words: Mapping[str, Value], right: list[str], missing: tuple[str, ...]) -> str:
    """The words that are missing, and those that are right so far."""
    names = [" or ".join(f"`{word}`" for word in need.split(" or ")) for need in missing]
    before = ", and " if any(" or " in name for name in names) else " and "
    listed = before.join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
    message = f"{listed} {'is' if len(names) == 1 else 'are'} not there yet."
    borrowed = [word for need in missing for word in need.split(" or ") if word in words]
    if borrowed:
        message += f" `{borrowed[0]}` comes from purembts; write one of your own."
    return f"{message} Right so far: {' '.join(right)}" if right else message


def is_borrowed(words: Mapping[str, Value], word: str) -> bool:
    """True if `word` is the library's own, imported by a learner's file."""
    if str(words.get("__name__", "")).partition(".")[0] == "purembts":
        return False
    value = words[word]
    if callable(value):
        return str(getattr(value, "__module__", "")).partition(".")[0] == "purembts"
    own = value is vars(import_module("purembts")).get(word, [])
    return own and not isinstance(value, str | int)


def as_test_case(
    solution: str | ModuleType | Mapping[str, Value],
    *,
    here: str = "",
    limit: float = LIMIT,
    games: int = GAMES,
) -> type[Value]:
    """A unittest.TestCase with a test for each task of a solution.

    `solution` is the name of a file, a module, or the words of one. The name of a file is looked up
    in the folder of the file `here`, by default in the current folder. A file is marked in
    processes of its own, each with at most `limit` seconds. A module or its words are marked in
    this process, with `games` random games. A task that is not there yet is skipped, with the
    missing words as the reason.
    """
    import unittest  # a child process that marks one task does without it

    if isinstance(solution, str):
        marks = _file_marks(beside(here, solution), limit)
    else:
        words = vars(solution) if isinstance(solution, ModuleType) else solution
        marks = partial(_mark_here, words, games)
    tests = {
        f"test_task_{number:02}_{_identifier(task.title)}": _test(marks, number)
        for number, task in TASKS.items()
    }
    return type("TestTasks", (unittest.TestCase,), tests)


def _file_marks(file: str, limit: float) -> Marks:
    """The marks of a file. After a task for which it could not be loaded, no task waits again."""
    trouble: list[ValueError] = []

    def marks(task: int) -> Mapping[str, Value]:
        if trouble:
            raise trouble[0]
        try:
            return marked(file, task, limit=limit)
        except ValueError as error:
            trouble.append(error)
            raise

    return marks


def _mark_here(words: Mapping[str, Value], games: int, task: int) -> Mapping[str, Value]:
    return mark(words, task, games=games)._asdict()


def _identifier(title: str) -> str:
    return "_".join(title.lower().replace("-", " ").split())


def _test(marks: Marks, number: int) -> Callable[[Value], None]:
    def test(case: Value) -> None:
        try:
            found = marks(number)
        except ValueError as error:
            case.fail(str(error))
        message = f"Task {number}: {found['message']} {found.get('trouble', '')}".rstrip()
        if found["status"] == "not there yet":
            case.skipTest(message)
        if found["status"] == "wrong":
            case.fail(message)

    return test
