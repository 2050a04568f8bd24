"""Progress bars on a terminal: with rich, or as a line that counts."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def watched(steps: Iterable[T], label: str, total: float | None = None) -> Iterator[T]:
    """`steps`, with a progress bar on stderr if that is a terminal.

    `total` is the size of the work. Steps that are whole numbers add up to it; each of the others
    counts as 1.
    """
    if not sys.stderr.isatty():
        return iter(steps)
    try:
        import rich.progress  # noqa: F401
    except ModuleNotFoundError:
        return _counting(steps, label, total)
    return _bar(steps, label, total)


def _bar(steps: Iterable[T], label: str, total: float | None) -> Iterator[T]:
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(label, total=total)
        for step in steps:
            yield step
            progress.advance(task, _size(step))


def _counting(steps: Iterable[T], label: str, total: float | None) -> Iterator[T]:
    done, line = 0, ""
    print(f"\r{label} ...", end="", file=sys.stderr, flush=True)
    try:
        for step in steps:
            yield step
            done += _size(step)
            share = f"{done / total:.0%}" if total else f"{done:,}"
            if share != line:
                line = share
                print(f"\r{label}: {share}", end="", file=sys.stderr, flush=True)
    finally:
        print("\r\x1b[2K", end="", file=sys.stderr, flush=True)


def _size(step: object) -> int:
    return step if isinstance(step, int) else 1
