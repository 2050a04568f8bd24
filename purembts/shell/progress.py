"""Progress bars: wrappers around whatever is being iterated over."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import track

T = TypeVar("T")


def watched(steps: Iterable[T], label: str) -> Iterator[T]:
    """`steps`, while a bar on stderr shows that they go on; without a terminal, no bar."""
    console = Console(stderr=True)
    return iter(
        track(steps, label, console=console, transient=True, disable=not console.is_terminal)
    )
