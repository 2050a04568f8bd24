"""The steps that a command yields while it works.

A command is a generator. It yields steps, gets the answer to a `Question` by `send`, and returns
its result. An interrupt is thrown into it, so a command decides what it keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from purembts.app.clock import paced
from purembts.app.positions import AnyGame
from purembts.app.sessions import Session, Setting, Turns
from purembts.mcts import Final
from purembts.records import NOTHING, Record, marks_of, merge
from purembts.report import Report
from purembts.tables import Table

T = TypeVar("T")


class Progress(NamedTuple):
    """The part of some work that is done."""

    label: str
    done: int = 0
    of: int | None = None
    """The size of the work; None if it is not known."""
    unit: str = ""
    """The things that are counted, for example dives."""
    report: Report | None = None
    """The knowledge so far, where it is shown while it grows."""
    so_far: object = None
    """The value that the work would have now; a `Checkpoint` can be saved."""


class Said(NamedTuple):
    """Lines of a game in play."""

    lines: tuple[str, ...]
    entries: tuple[str, ...] = ()
    """The entries of a list, which a screen sets in columns below the lines."""


class Note(NamedTuple):
    """A sentence beside the result."""

    text: str


class Question(NamedTuple):
    """A question to the person who plays. The answer is a line of text."""

    text: str
    only: str = ""
    """The only answer that there is: Enter at a terminal, and no line in a pipe."""


class TreeFile(NamedTuple):
    """A file with a tree of a game. The answer is a `Checkpoint`."""

    path: Path
    game: AnyGame


class Change(NamedTuple):
    """A file that a person changes. The answer is the time when it was saved.

    It differs from the time `before`. Where no person watches, the answer is None, at once.
    """

    file: Path
    before: int | None


class Interrupted(NamedTuple):
    """The work was interrupted. Its result will be about the part that is finished."""

    text: str = "interrupted"


class Shell(NamedTuple):
    """A prompt of Python, until the person ends it."""


class Shown(NamedTuple):
    """A turn as all screens show it."""

    setting: Setting
    session: Session


class Belief(NamedTuple):
    """The knowledge of a player, or of hints, about a turn."""

    title: str
    report: Report
    final: Final
    """The rank of a record: the move with the highest rank would be played."""


class Moved(NamedTuple):
    """A move that is made in the last of the turns; at the end of a game its result."""

    setting: Setting
    turns: Turns
    move: Any = None
    belief: Belief | None = None
    """The belief of the strategy that made the move, if it keeps records."""


Shows: TypeAlias = Progress | Said | Note | Shown | Belief | Moved | Table | Interrupted
Asks: TypeAlias = Question | TreeFile | Change | Shell
Step: TypeAlias = Shows | Asks
Work: TypeAlias = Generator[Step, Any, T]
"""A generator that yields steps and returns a T."""


def returned(work: Work[T]) -> T:
    """The value that `work` returns. Its steps are not shown, and its questions get no answers."""
    try:
        while True:
            next(work)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]


# Long work in steps


def records_of(play: Callable[[int], Record], n: int) -> Iterator[tuple[tuple[Record, ...], int]]:
    """After each step, the records so far and the number of games or darts; `n` of them in all.

    The records are those after the `records.marks_of` n, and the newest. `play(k)` is the record of
    k more games or darts.
    """
    record, records, ends = NOTHING, tuple[Record, ...](), marks_of(n)
    for size in paced(end - begin for begin, end in pairwise([0, *ends])):
        record = merge(record, play(size))
        newest = (*records, record)
        records = newest if record.visits in ends else records
        yield newest, record.visits
