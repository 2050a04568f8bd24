"""Tables as values: columns of texts, and their forms as plain text and as HTML.

A table that is too wide leaves columns out, the least important first. It never breaks a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from textwrap import wrap
from typing import NamedTuple
from unicodedata import combining, east_asian_width

ALWAYS = 9
"""The importance of a column that is never left out."""


class Column(NamedTuple):
    """A heading, and a cell for each row of the table."""

    heading: str
    cells: tuple[str, ...]
    is_text: bool = False
    """True for words, which stand at the left; numbers stand at the right."""
    importance: int = ALWAYS
    """The column of the lowest importance is left out first."""
    note: str = ""
    """A note that explains the column, and is left out with it."""


class Table(NamedTuple):
    """A title, columns of the same length, and notes."""

    title: str
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    """The notes on the whole table; `notes_of` adds those of its columns."""
    groups: tuple[int, ...] = ()
    """The numbers of the rows, from 0, that begin a new group."""

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


def rows_table(
    title: str,
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    words: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Table:
    """The table with these rows. The columns with headings in `words` are words, not numbers.

    >>> rows = [["uct", "9"], ["random", "10"]]
    >>> print(rows_table("Wins", ["player", "won"], rows, words=["player"]))
    Wins
    player  won
    ------  ---
    uct       9
    random   10
    """
    cells = list(zip(*rows, strict=True)) or [()] * len(headings)
    columns = (
        Column(heading, tuple(column), is_text=heading in words)
        for heading, column in zip(headings, cells, strict=True)
    )
    return Table(title, tuple(columns), tuple(notes))


def filled(columns: Iterable[Column]) -> tuple[Column, ...]:
    """The columns that have a text in a cell."""
    return tuple(column for column in columns if any(column.cells))


def one_line(text: str) -> str:
    """`text` with its lines side by side."""
    return " / ".join(text.splitlines())


def rows_of(table: Table) -> Iterator[tuple[str, ...]]:
    """The rows of `table`, each with a cell for each column."""
    return zip(*[column.cells for column in table.columns], strict=True)


def notes_of(table: Table) -> tuple[str, ...]:
    """The notes of the columns of `table`, and then those of the whole table."""
    return (*(column.note for column in table.columns if column.note), *table.notes)


def fitting(table: Table, width: int, *, gap: int = 2, edges: int = 0) -> Table:
    """`table` without the least important columns, so that it is at most `width` characters wide.

    `gap` is the number of characters between two columns, and `edges` the number at both ends. The
    columns of importance `ALWAYS` stay, even if they are too wide. Of columns that are equally
    important, the last one is left out first. The notes of the columns that stay are among the
    notes of the new table.
    """
    columns = list(table.columns)
    while sum(map(_column_width, columns)) + gap * (len(columns) - 1) + edges > width:
        least = min(reversed(range(len(columns))), key=lambda i: columns[i].importance, default=0)
        if not columns or columns[least].importance >= ALWAYS:
            break
        del columns[least]
    notes = notes_of(table._replace(columns=tuple(columns)))
    return table._replace(
        columns=tuple(column._replace(note="") for column in columns), notes=notes
    )


def text_width(text: str) -> int:
    """The number of cells of a terminal that one line takes.

    >>> text_width("5♦"), text_width("石")
    (2, 2)
    """
    if text.isascii():
        return len(text)
    return sum(1 + (east_asian_width(each) in "WF") for each in text if not combining(each))


def _column_width(column: Column) -> int:
    return max(map(text_width, (column.heading, *column.cells)))


def as_text(table: Table, width: int = 80) -> str:
    """`table` as plain text, at most `width` characters wide where its columns allow it."""
    table = fitting(table, width)
    columns, widths = table.columns, list(map(_column_width, table.columns))
    lines = [_line(columns, widths, [column.heading for column in columns])]
    lines.append("  ".join("-" * n for n in widths))
    for number, row in enumerate(rows_of(table)):
        if number in table.groups and number:
            lines.append("")
        lines.append(_line(columns, widths, row))
    return "\n".join([*wrap(table.title, width), *lines, *_wrapped(table.notes, width)])


def _wrapped(notes: Sequence[str], width: int) -> Iterator[str]:
    return (line for note in notes for line in wrap(note, width, subsequent_indent="  "))


def _line(columns: Sequence[Column], widths: Sequence[int], cells: Sequence[str]) -> str:
    padded = (
        _padded(cell, width, is_text=column.is_text)
        for column, width, cell in zip(columns, widths, cells, strict=True)
    )
    return "  ".join(padded).rstrip()


def _padded(cell: str, width: int, *, is_text: bool) -> str:
    blanks = " " * (width - text_width(cell))
    return cell + blanks if is_text else blanks + cell


def as_html(table: Table) -> str:
    """`table` as an element of HTML, with its title as the caption and its notes below."""
    styles = [WORDS if column.is_text else NUMBERS for column in table.columns]
    heads = [column.heading for column in table.columns]
    rows = "\n".join(
        _html_row("td", row, styles, ";border-top:1px solid" if i and i in table.groups else "")
        for i, row in enumerate(rows_of(table))
    )
    notes = "".join(f"<p><small>{escape(note)}</small></p>\n" for note in notes_of(table))
    caption = f"<caption>{escape(table.title)}</caption>"
    head = f"<thead>{_html_row('th', heads, styles)}</thead>"
    return f"<table>\n{caption}\n{head}\n<tbody>\n{rows}\n</tbody>\n</table>\n{notes}"


WORDS = "text-align:left;white-space:pre;font-family:monospace"
"""The style of a column of words, whose blanks are as wide as letters: the levers of a box."""
NUMBERS = "text-align:right;white-space:pre"


def _html_row(tag: str, cells: Sequence[str], styles: Sequence[str], more: str = "") -> str:
    inside = "".join(
        f'<{tag} style="{style}{more}">{escape(cell)}</{tag}>'
        for style, cell in zip(styles, cells, strict=True)
    )
    return f"<tr>{inside}</tr>"
