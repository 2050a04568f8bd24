"""A learner's own properties, tried on right solutions of the workshop's tasks and on mistakes.

A file of properties has tests, functions whose names begin with `test_`. They take the words from a
module `mine`, which is each of the solutions in turn. A good property is kept by each right
solution, and finds many of the mistakes.
"""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Iterator, Mapping
from inspect import isasyncgenfunction, isclass, iscoroutinefunction, isgeneratorfunction
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import hypothesis

from purembts.course.mistakes import Mistake, mistakes, right_solutions, source_of
from purembts.course.tasks import TASKS
from purembts.loading import Unloadable, executed, streams, syntax_trouble


class Trial(NamedTuple):
    """A solution on which the tests are tried."""

    source: str
    name: str = ""
    """The name of a right solution."""
    mistake: Mistake | None = None


def words_of(source: str) -> tuple[str, ...]:
    """The words that the code of the tests takes from `mine`, in their order.

    >>> words_of("import mine as my; from mine import uct; my.ucb")
    ('ucb', 'uct')
    """
    nodes = list(ast.walk(ast.parse(source)))
    imports = [alias for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    modules = {alias.asname or alias.name for alias in imports if alias.name == "mine"}
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "mine"]
    words = {alias.name for node in froms for alias in node.names}
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    words |= {node.attr for node in attributes if ast.unparse(node.value) in modules}
    return tuple(sorted(words))


def trials_for(file: Path) -> tuple[tuple[str, ...], list[Trial]]:
    """The words that the tests in `file` take, and the solutions to try them on.

    These are the right solutions, and then the mistakes in the words. A mistake is one in a word if
    it is in a task of the word, and changes the word's definition.
    """
    try:
        words = words_of(file.read_text("utf-8"))
    except SyntaxError as error:
        raise Unloadable(syntax_trouble(error, file)) from error
    tasks = {number for number, task in TASKS.items() if {*task.checks} & {*words}}
    wrong = [one for one in mistakes() if one.task in tasks and {*one.names} & {*words}]
    right = [Trial(source, name) for name, source in right_solutions().items()]
    trials = [*right, *(Trial(source_of(mistake), mistake=mistake) for mistake in wrong)]
    return words, trials if words else []


def failure(file: Path, source: str) -> tuple[str, str]:
    """The name and the error of the first test in `file` that the solution fails; "" if none does.

    The tests are loaded again, with the solution as the module `mine`.
    """
    name = "loading"
    try:
        with _as_mine(source):
            module, trouble = executed(file)
            if trouble:
                return name, trouble
            for name, test in _tests_of(module).items():  # noqa: B007 - the error has it
                test()
    except Exception as error:  # noqa: BLE001 - it is what a test is for
        notes = getattr(error, "__notes__", [])  # Hypothesis writes the example into them
        text = f"{type(error).__name__}: {error}".strip().rstrip(":")
        return name, " ".join(" ".join([text, *notes]).split())
    return "", ""


@contextlib.contextmanager
def _as_mine(source: str) -> Iterator[None]:
    """Let the module `mine` be the solution with this code. Its prints are dropped."""
    solution, before = ModuleType("mine"), sys.modules.get("mine")
    sys.modules["mine"] = solution
    try:
        with streams():
            exec(compile(source, "mine.py", "exec"), vars(solution))
            yield
    finally:
        sys.modules.pop("mine")
        if before is not None:
            sys.modules["mine"] = before


def _tests_of(module: ModuleType) -> Mapping[str, Any]:
    """The tests of a module by their names."""
    return {k: v for k, v in vars(module).items() if k.startswith("test_") and callable(v)}


_NOT_RUN = (iscoroutinefunction, isasyncgenfunction, isgeneratorfunction)
"""The kinds of functions that a call does not run."""


def quiet() -> None:
    """Let Hypothesis try the same examples each time, without a clock and without notes."""
    usual = hypothesis.settings(database=None, deadline=None, derandomize=True, print_blob=False)
    hypothesis.settings.register_profile("purembts", usual)
    hypothesis.settings.load_profile("purembts")


def check_tests(file: Path) -> None:
    """Raise an `Unloadable` unless the tests of `file` can be tried on a right solution."""
    with _as_mine(next(iter(right_solutions().values()))):
        module, trouble = executed(file)
    if trouble:
        raise Unloadable(trouble)
    for name, value in vars(module).items():
        is_class = isclass(value) and name.startswith("Test") and name != "TestCase"
        if is_class or (name.startswith("test_") and any(kind(value) for kind in _NOT_RUN)):
            got = "a class" if is_class else "one with `async` or `yield`"
            right = f"must be a plain function; got {got}. Write it as a function"
            raise Unloadable(f"`{name}` of {file.name} {right}.")
    if not _tests_of(module):
        right = "must have tests, functions whose names begin with `test_`"
        raise Unloadable(f"{file.name} {right}; got none.")
