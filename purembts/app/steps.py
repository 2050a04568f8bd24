"""The steps that a command yields while it works.

A command is a generator. It yields steps, gets the answer to a `Question` by `send`, and returns
its result. An interrupt is thrown into it, so a command decides what it keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import count, pairwise, takewhile
from typing import Any, NamedTuple, TypeAlias, TypeVar

from purembts.records import NOTHING, Record, merge
from purembts.report import Report
from purembts.tables import Table

T = TypeVar("T")

STEP = 5_000
"""The games or dives of one step."""

_ROUND = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)  # each about 1.2 times the one before it


class Progress(NamedTuple):
    """The part of some work that is done."""

    label: str
    done: int = 0
    of: int | None = None
    """The size of the work; None if it is not known."""


class Said(NamedTuple):
    """Lines of a game in play."""

    lines: tuple[str, ...]


class Question(NamedTuple):
    """A question to the person who plays. The answer is a line of text."""

    text: str


Step: TypeAlias = Progress | Said | Question | Table | Report
Work: TypeAlias = Generator[Step, Any, T]
"""A generator that yields steps and returns a T."""


def returned(work: Work[T]) -> T:
    """The value that `work` returns. Its steps are not shown, and its questions get no answers.

    >>> def counting(n):
    ...     for i in range(n):
    ...         yield Progress("counting", i + 1, n)
    ...     return n
    >>> returned(counting(3))
    3
    """
    try:
        while True:
            next(work)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]


def kept(steps: Iterable[tuple[T, Progress]], value: T | None = None) -> Work[tuple[T, bool]]:
    """The last value of `steps`, or `value` if there is none; and True after an interrupt.

    Where nothing can be kept, the interrupt goes on.
    """
    is_interrupted = False
    try:
        for value, progress in steps:  # noqa: B007 - the last one is kept
            yield progress
    except KeyboardInterrupt:
        is_interrupted = True
        if value is None:
            raise
    return value, is_interrupted  # type: ignore[return-value]


def counted(n: int, noun: str) -> str:
    """`n` with `noun`, in the plural unless `n` is 1.

    >>> counted(1, "dart"), counted(2000, "dart")
    ('1 dart', '2,000 darts')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


# Long work in steps


def steps_of(n: int) -> Iterator[int]:
    """The sizes of the steps of `n` games or dives, at most `STEP` each."""
    return (min(STEP, n - done) for done in range(0, n, STEP))


def records_of(
    play: Callable[[int], Record], n: int, before: tuple[Record, ...] = ()
) -> Iterator[tuple[tuple[Record, ...], int]]:
    """After each step, the records so far and the number of games or darts; `n` of them in all.

    The records are those after `round_numbers`, and after `n`. `play(k)` is the record of k more
    games or darts. The work continues after the records `before`, of which the last is the newest.
    """
    record = before[-1] if before else NOTHING
    ends = dict.fromkeys([*takewhile(lambda end: end < n, round_numbers()), n])
    records = tuple(each for each in before if each.visits in ends)
    after = [record.visits, *(end for end in ends if end > record.visits)]
    for size in (size for begin, end in pairwise(after) for size in steps_of(end - begin)):
        record = merge(record, play(size))
        if record.visits in ends:
            records = (*records, record)
        yield records, record.visits


def round_numbers() -> Iterator[int]:
    """10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, ...: without end, ten a power of ten."""
    return (mark * 10**power for power in count() for mark in _ROUND)
