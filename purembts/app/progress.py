"""Progress bars on a terminal, with rich."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from purembts.app.steps import Progress


class Bar:
    """A progress bar on stderr if that is a terminal. It shows one kind of work at a time.

    With `is_quiet`, keys that are typed meanwhile are not shown, and dropped at the end: a person
    who waits for others to move must not answer the next question by accident.
    """

    def __init__(self, *, is_quiet: bool = False) -> None:
        self._is_quiet = is_quiet
        self._open = ExitStack()
        self._bar: Any = None
        self._label = ""

    def tell(self, progress: Progress) -> None:
        """Show how much is done."""
        if not sys.stderr.isatty():
            return
        if progress.label != self._label:
            self.end()
            self._begin(progress.label)
        if self._bar is not None:
            self._bar.update(0, completed=progress.done, total=progress.of)

    def end(self) -> None:
        """Remove the bar, and show keys again."""
        self._open.close()
        self._bar, self._label = None, ""

    def _begin(self, label: str) -> None:
        self._label = label
        if self._is_quiet:
            self._open.enter_context(_unechoed())
        with suppress(ModuleNotFoundError):
            from rich.console import Console
            from rich.progress import Progress as Rich

            self._bar = self._open.enter_context(Rich(console=Console(stderr=True), transient=True))
            self._bar.add_task(label)


@contextmanager
def _unechoed() -> Iterator[None]:
    """A terminal in which keys are not shown. At the end, the keys that were typed are dropped."""
    try:
        import termios
        import tty
    except ImportError:  # on Windows
        yield
        return
    if not sys.stdin.isatty():
        yield
        return
    file = sys.stdin.fileno()
    before = termios.tcgetattr(file)
    try:
        tty.setcbreak(file)
        yield
    finally:
        termios.tcsetattr(file, termios.TCSAFLUSH, before)
