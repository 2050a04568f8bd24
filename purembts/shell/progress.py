"""Progress bars: wrappers around whatever is being iterated over."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import track

T = TypeVar("T")


def watched(steps: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """`steps`, while a bar on stderr shows that they go on; without a terminal, no bar.

    `total` is how many there are, where they do not say so themselves.
    """
    console, hidden = Console(stderr=True), not sys.stderr.isatty()
    return iter(track(steps, label, total, console=console, transient=True, disable=hidden))
