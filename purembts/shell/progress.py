"""Progress bars, and the counts in their labels."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import track

T = TypeVar("T")


def watched(steps: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """`steps`, with a progress bar on stderr if that is a terminal.

    `total` is the number of steps; without it the bar uses `len(steps)`, if there is one.
    """
    console, hidden = Console(stderr=True), not sys.stderr.isatty()
    return iter(track(steps, label, total, console=console, transient=True, disable=hidden))


def counted(n: int, noun: str) -> str:
    """`n` with `noun`, in the plural unless `n` is 1.

    >>> counted(1, "dart"), counted(2000, "dart")
    ('1 dart', '2,000 darts')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
