"""Progress bars on a terminal, with rich. Keys that are typed meanwhile are not shown."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from purembts.app.steps import Progress

T = TypeVar("T")


class Bar:
    """A progress bar on stderr if that is a terminal. It shows one kind of work at a time."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._task: Any = None
        self._label = ""
        self._keys: Any = None

    def tell(self, progress: Progress) -> None:
        """Show how much is done."""
        if not sys.stderr.isatty():
            return
        if self._bar is None:
            self._begin()
        if self._bar is None:
            return
        if self._task is None or self._label != progress.label:
            if self._task is not None:
                self._bar.remove_task(self._task)
            self._label = progress.label
            self._task = self._bar.add_task(progress.label, total=progress.of)
        self._bar.update(self._task, completed=progress.done, total=progress.of)

    def end(self) -> None:
        """Remove the bar, and show keys again."""
        if self._bar is not None:
            self._bar.stop()
            echo(self._keys)
        self._bar = self._task = self._keys = None

    def _begin(self) -> None:
        try:
            from rich.console import Console
            from rich.progress import Progress as Rich
        except ModuleNotFoundError:
            return
        self._keys = without_echo()
        self._bar = Rich(console=Console(stderr=True), transient=True)
        self._bar.start()


def without_echo() -> Any:  # noqa: ANN401
    """Show no keys that are typed; the settings of the terminal before that, or None."""
    try:
        import termios

        before = termios.tcgetattr(sys.stdin.fileno())
        now = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, now)
    except (ImportError, OSError, ValueError, termios.error):
        return None
    return before


def echo(settings: Any) -> None:  # noqa: ANN401
    """Drop the keys that were typed, and set the terminal as it was before `without_echo`."""
    if settings is not None:
        import termios

        with suppress(termios.error):
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSAFLUSH, settings)


def watched(steps: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """`steps`, with a progress bar. Steps that are whole numbers add up to `total`.

    Each of the others counts as 1.
    """
    done, bar = 0, Bar()
    bar.tell(Progress(label, 0, total))
    try:
        for step in steps:
            yield step
            done += step if isinstance(step, int) else 1
            bar.tell(Progress(label, done, total))
    finally:
        bar.end()
