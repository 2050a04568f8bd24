"""The course: the workshop's tasks as properties, planted mistakes, and a learner's own tests.

`tasks` has the starter file, and marks a solution. `processes` starts the process that runs
somebody's file.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


def data_text(name: str) -> str:
    """The text of a file of data of the course."""
    return files("purembts.course").joinpath("data", name).read_text(encoding="utf-8")


@cache
def task_texts() -> dict[str, Any]:
    """The texts of the tasks."""
    return tomllib.loads(data_text("tasks.toml"))
