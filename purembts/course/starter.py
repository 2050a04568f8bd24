"""The starter file of a learner: the texts and the stubs of the tasks."""

from textwrap import wrap

from purembts.course import data_text
from purembts.course.tasks import TASKS


def starter_file() -> str:
    """A file of Python with the text and the stubs of each task.

    >>> starter_file().count("# Task ")
    13
    """
    return "\n\n".join([data_text("starter.txt"), *map(_part, TASKS)])


def _part(number: int) -> str:
    """The text of a task as comments, and its stubs."""
    task = TASKS[number]
    lines = [f"Task {number}: {task.title}", "", *wrap(task.text, 86)]
    about = "\n".join(f"# {line}".rstrip() for line in lines)
    between = "\n\n" if task.stub.startswith("def") else "\n"
    return f"{about}\n{between}{task.stub}\n"
