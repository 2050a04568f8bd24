"""The tasks of the workshop as texts: the words to write, stubs, graded hints, and the reasons."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from textwrap import wrap
from typing import NamedTuple

from purembts.course.mistakes import data_text
from purembts.course.tasks import TASKS


class Prediction(NamedTuple):
    """A question that a learner answers before the task, and its exact answer."""

    question: str
    answer: str


class TaskText(NamedTuple):
    """The texts of a task."""

    text: str
    """The words and values to write."""
    stub: str
    """Python code with their names and arguments."""
    hints: tuple[str, ...]
    """Hints, each plainer than the one before."""
    predict: tuple[Prediction, ...]
    """Questions to answer before the task. The pages of the workshop compute their answers."""
    why: str
    """The reason why a right solution is right, with the exact value."""


@cache
def task_texts() -> Mapping[int, TaskText]:
    """The texts of each task."""
    tasks = tomllib.loads(data_text("tasks.toml"))["tasks"]
    return {number: _task_text(**each) for number, each in enumerate(tasks, 1)}


def _task_text(
    text: str, stub: str, hints: Sequence[str], predict: Sequence[Mapping[str, str]], why: str
) -> TaskText:
    predictions = tuple(Prediction(**each) for each in predict)
    return TaskText(text.strip(), stub, tuple(hints), predictions, why)


def starter_file() -> str:
    """A file of Python with the text and the stubs of each task.

    >>> starter_file().count("# Task ")
    13
    """
    parts = (_part(number, each) for number, each in task_texts().items())
    return "\n\n".join([f"{HEAD}\n", *parts])


HEAD = '''"""My solutions of the tasks of the workshop.

Write the bodies in the place of `...`. A box is a set of the levers that are up.

purembts workshop next FILE     marks the next task
purembts workshop hint FILE     gives one more hint
"""

import random'''


def _part(number: int, each: TaskText) -> str:
    lines = [f"Task {number}: {TASKS[number].title}", "", *wrap(each.text, 86)]
    about = "\n".join(f"# {line}".rstrip() for line in lines)
    between = "\n\n" if each.stub.lstrip().startswith("def") else "\n"
    return f"{about}\n{between}{each.stub.strip()}\n"
