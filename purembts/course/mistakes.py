"""Right solutions of the workshop's tasks, and mistakes, which are diffs of them.

They are data: `data/mistakes.txt` has the mistakes, and its first lines say how to add one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Mistake(NamedTuple):
    """A mistake in a task, as a diff of a right solution."""

    task: int
    on: str
    """The name of the right solution."""
    status: str
    """The mark of the task: "wrong", or "not read" if the mistake gives a value another form."""
    mistake: str
    """The mistake in words."""
    message: str
    """A part of the message of the mark."""
    diff: str


@cache
def mistakes() -> tuple[Mistake, ...]:
    """All mistakes, in the order of the tasks."""
    _, *texts = data_text("mistakes.txt").split("\n# ")
    return tuple(map(_mistake_in, texts))


def _mistake_in(text: str) -> Mistake:
    """The mistake with this head, message and diff."""
    head, message, diff = text.rstrip().split("\n", 2)
    kind, mistake = head.split(": ", 1)
    task, on, status = kind.split(" ", 2)
    return Mistake(int(task), on, status, mistake, message, diff)


def _edits_of(mistake: Mistake) -> list[tuple[str, str]]:
    """The lines of the right solution that the mistake changes, with those in their place."""
    places = [place.split("\n") for place in mistake.diff.split("\n@@\n")]
    return [(_without("+", lines), _without("-", lines)) for lines in places]


def _without(sign: str, lines: list[str]) -> str:
    kept = (line[1:] for line in lines if line[:1] != sign)
    return "".join(f"\n{line}" for line in kept)


@cache
def right_solutions() -> Mapping[str, str]:
    """The code of the right solutions, by their names."""
    return {name: data_text(f"{name}.txt") for name in ("pairs", "plain")}


def source_of(mistake: Mistake) -> str:
    """The code of the right solution with the mistake.

    >>> "return 100 * wins / n" in source_of([m for m in mistakes() if "per cent" in m.mistake][0])
    True
    """
    source = right_solutions()[mistake.on]
    for lines, others in _edits_of(mistake):
        source = f"\n{source}".replace(f"{lines}\n", f"{others}\n")[1:]
    return source


def data_text(name: str) -> str:
    """The text of a file of data."""
    return files("purembts.course").joinpath("data", name).read_text(encoding="utf-8")
