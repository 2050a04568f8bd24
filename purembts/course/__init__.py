"""The course: the workshop's tasks as properties, planted mistakes, and a learner's own tests.

`tasks` marks a solution. `processes` starts the process that runs somebody's file.
"""

from importlib.resources import files


def data_text(name: str) -> str:
    """The text of a file of data of the course."""
    return files("purembts.course").joinpath("data", name).read_text(encoding="utf-8")
