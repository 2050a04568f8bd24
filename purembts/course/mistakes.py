"""Right solutions of the workshop's tasks, and mistakes, which are diffs of them.

They are data: `data/solutions.txt` has them, and its first lines say how to add a mistake.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from purembts.course import data_text


class Mistake(NamedTuple):
    """A mistake in a task, as a diff of a right solution."""

    task: int
    on: str
    """The name of the right solution."""
    names: tuple[str, ...]
    """The names in the solution whose definitions the mistake changes."""
    mistake: str
    """The mistake in words."""
    diff: str


@cache
def mistakes() -> tuple[Mistake, ...]:
    """All mistakes, in the order of the tasks."""
    _, *texts = _sections()[2].split("\n# ")
    return tuple(map(_mistake, texts))


def _mistake(text: str) -> Mistake:
    """The mistake with this head and diff."""
    head, diff = text.rstrip().split("\n", 1)
    kind, mistake = head.split(": ", 1)
    kind, names = kind.split(" in ")
    task, on = kind.split()
    return Mistake(int(task), on, tuple(names.split(", ")), mistake, diff)


@cache
def right_solutions() -> Mapping[str, str]:
    """The code of the right solutions, by their names."""
    return dict(zip(("pairs", "plain"), _sections(), strict=False))


def _sections() -> list[str]:
    """The code of the right solutions, and the text of the mistakes."""
    return re.split(r"\n== \w+\n", data_text("solutions.txt"))[1:]


def edits_of(mistake: Mistake) -> list[tuple[str, str]]:
    """The lines of the right solution that the mistake changes, with those in their place."""
    places = [place.split("\n") for place in mistake.diff.split("\n@@\n")]
    return [(_without("+", lines), _without("-", lines)) for lines in places]


def _without(sign: str, lines: list[str]) -> str:
    """The lines of a diff that do not begin with `sign`, each after the end of a line."""
    return "".join(f"\n{line[1:]}" for line in lines if line[:1] != sign)


def source_of(mistake: Mistake) -> str:
    """The code of the right solution with the mistake.

    >>> "return 100 * wins / n" in source_of([m for m in mistakes() if "per cent" in m.mistake][0])
    True
    """
    source = f"\n{right_solutions()[mistake.on]}"
    for lines, others in edits_of(mistake):
        source = source.replace(f"{lines}\n", f"{others}\n")
    return source[1:]
