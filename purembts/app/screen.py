"""The text on the screen: lines, tables and files, in any encoding, with rich or without it."""

import codecs
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import TextIO

from purembts.app.files import write_parts
from purembts.app.results import letters, unfolded
from purembts.app.sentences import fitted
from purembts.tables import Table, as_text, fitting, notes_of, rows_of

PIPE = 200
"""The width of a table in a file or a pipe, which has no width of its own."""

WORDS = 60
"""The width of a column of words, at most."""

STDOUT = Path("-")
"""The path that stands for stdout."""


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
    width = width_of(stream)
    try:
        from rich.console import Console
    except ModuleNotFoundError:
        print(as_text(unfolded(table), width), file=stream)
        return
    shown = fitting(table, width - 4, gap=3)
    Console(file=stream, highlight=False, width=width).print(_rich(shown))
    for line in notes_of(shown):
        print(fill(line, min(width, 80)), file=stream)


def _rich(table: Table) -> object:
    """`table` as a table of rich, without its notes."""
    from rich.markup import escape
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(title=escape(table.title))
    for column in table.columns:
        head = Text(column.heading)
        if column.is_text:
            drawn.add_column(head, max_width=WORDS, overflow="fold")
        else:
            drawn.add_column(head, justify="right")
    for number, row in enumerate(rows_of(table)):
        if number in table.groups:
            drawn.add_section()
        drawn.add_row(*map(Text, row))
    return drawn


def write(path: Path, text: str) -> None:
    """Write `text` to the file at `path`, whole or not at all, or to stdout."""
    if path != STDOUT:
        write_parts(path, [text.encode()])
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
    else:
        print(text, end="")
