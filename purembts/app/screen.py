"""The screen: lines, tables, files, in any encoding, and progress bars with rich."""

import codecs
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, TextIO
from unicodedata import normalize

from purembts.app.files import write_parts
from purembts.app.sentences import fitted
from purembts.app.steps import Progress
from purembts.tables import Table, as_text

PIPE = 200
"""The width of a table in a file or a pipe, which has no width of its own."""

STDOUT = Path("-")
"""The path that stands for stdout."""
_LETTERS = dict(zip("♦♣♥♠●○·", "DCHSxo.", strict=True))
"""The characters of ASCII for those that a terminal of ASCII cannot print."""


def open_streams() -> None:
    """Open the streams that are closed, and let all of them take any text."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
    codecs.register_error("letters", letters)
    for stream, errors in (
        (sys.stdin, "backslashreplace"),
        (sys.stdout, "letters"),
        (sys.stderr, "letters"),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def letters(error: UnicodeError) -> tuple[str, int]:
    """Characters of ASCII for those that a stream cannot print. It is a handler for `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    plain = (_LETTERS.get(char) or normalize("NFKD", char)[0] for char in bad)
    return "".join(char if char.isascii() else "?" for char in plain), error.end


def say(line: str = "", *, error: bool = False) -> None:
    """Print `line` on stdout, or on stderr, where a full disk is no reason to fail.

    A line of a message that is longer than the terminal is broken between words.
    """
    if error:
        text = fitted(line, get_terminal_size().columns) if sys.stderr.isatty() else line
        with suppress(OSError):
            print(text, file=sys.stderr, flush=True)
    else:
        print(line)


def width_of(stream: TextIO) -> int:
    """The width of the terminal that `stream` is; for a file or a pipe, `PIPE`."""
    return get_terminal_size().columns if stream.isatty() else PIPE


def show(table: Table, *, error: bool = False) -> None:
    """Print `table` on stdout or stderr. On a terminal it is as wide as the terminal at most."""
    stream = sys.stderr if error else sys.stdout
    print(as_text(table, width_of(stream)), file=stream)


def write(path: Path, text: str) -> None:
    """Write `text` to the file at `path`, whole or not at all, or to stdout."""
    if path != STDOUT:
        write_parts(path, [text.encode()])
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
    else:
        print(text, end="")


# Progress bars


class Bar:
    """A progress bar on stderr if that is a terminal. It shows one kind of work at a time."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._label = ""

    def tell(self, progress: Progress) -> None:
        """Show how much is done."""
        if not sys.stderr.isatty():
            return
        if progress.label != self._label:
            self.end()
            self._label = progress.label
            with suppress(ModuleNotFoundError):
                from rich.console import Console
                from rich.progress import Progress as Rich

                self._bar = Rich(console=Console(stderr=True), transient=True)
                self._bar.add_task(progress.label)
                self._bar.start()
        if self._bar is not None:
            self._bar.update(0, completed=progress.done, total=progress.of)

    def end(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
        self._bar, self._label = None, ""
