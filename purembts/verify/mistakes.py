"""Right solutions of the workshop's tasks, and mistakes, which are edits of them.

They are data: the folder `data` has the right solutions as texts, and the mistakes in a table.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Mistake(NamedTuple):
    """A mistake in a task, as edits of a right solution."""

    task: int
    mistake: str
    """The mistake in words."""
    on: str
    """The name of the right solution."""
    edits: tuple[tuple[str, str], ...]
    """Texts of the right solution, each of which is there once, with their replacements."""
    status: str
    """The mark of the task: "wrong", or "not read" if the mistake gives a value another form."""
    message: str
    """A part of the message of the mark."""


@cache
def mistakes() -> tuple[Mistake, ...]:
    """All mistakes, in the order of the tasks."""
    table = tomllib.loads(data_text("mistakes.toml"))["mistakes"]
    return tuple(Mistake(**{**each, "edits": _pairs(each["edits"])}) for each in table)


def _pairs(edits: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((text, replacement) for text, replacement in edits)


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
    for text, replacement in mistake.edits:
        source = source.replace(text, replacement)
    return source


def data_text(name: str) -> str:
    """The text of a file of data."""
    return files("purembts.verify").joinpath("data", name).read_text(encoding="utf-8")
