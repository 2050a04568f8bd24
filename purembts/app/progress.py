"""Progress bars on a terminal, with rich."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from purembts.app.steps import Progress

T = TypeVar("T")


class Bar:
    """A progress bar on stderr if that is a terminal. It shows one kind of work at a time.

    With `is_quiet`, keys that are typed meanwhile are not shown, and dropped at the end: a person
    who waits for others to move must not answer the next question by accident.
    """

    def __init__(self, *, is_quiet: bool = False) -> None:
        self._is_quiet = is_quiet
        self._is_on = False
        self._bar: Any = None
        self._task: Any = None
        self._label = ""
        self._keys: Any = None

    def tell(self, progress: Progress) -> None:
        """Show how much is done."""
        if not sys.stderr.isatty():
            return
        if not self._is_on:
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
        self._is_on = False

    def _begin(self) -> None:
        self._is_on = True
        self._keys = without_echo() if self._is_quiet else None
        with suppress(ModuleNotFoundError):
            from rich.console import Console
            from rich.progress import Progress as Rich

            self._bar = Rich(console=Console(stderr=True), transient=True)
            self._bar.start()


def without_echo() -> Any:  # noqa: ANN401
    """Show no keys that are typed; the settings of the terminal before that, or None."""
    try:
        import termios
    except ImportError:  # on Windows
        return None
    try:
        before = termios.tcgetattr(sys.stdin.fileno())
        now = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, now)
    except (OSError, ValueError, termios.error):
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
