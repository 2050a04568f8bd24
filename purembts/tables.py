"""Tables as values: columns of texts, and their forms as plain text and as HTML.

A table that is too wide leaves columns out, the least important first. It never breaks a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from textwrap import wrap
from typing import NamedTuple

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


class Table(NamedTuple):
    """A title, columns of the same length, and notes that explain them."""

    title: str
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
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


def rows_of(table: Table) -> Iterator[tuple[str, ...]]:
    """The rows of `table`, each with a cell for each column."""
    return zip(*[column.cells for column in table.columns], strict=True)


def fitting(table: Table, width: int, *, gap: int = 2, edges: int = 0) -> Table:
    """`table` without the least important columns, so that it is at most `width` characters wide.

    `gap` is the number of characters between two columns, and `edges` the number at both ends. The
    columns of importance `ALWAYS` stay, whatever their width is.
    """
    columns = list(table.columns)
    while sum(map(_width, columns)) + gap * (len(columns) - 1) + edges > width:
        least = min(columns, key=lambda column: column.importance)
        if least.importance >= ALWAYS:
            break
        columns.remove(least)
    return table._replace(columns=tuple(columns))


def _width(column: Column) -> int:
    return max(len(text) for text in (column.heading, *column.cells))


def as_text(table: Table, width: int = 80) -> str:
    """`table` as plain text, at most `width` characters wide where its columns allow it."""
    columns = fitting(table, width).columns
    widths = [_width(column) for column in columns]
    heads = [column.heading for column in columns]
    lines = [*wrap(table.title, width), _line(columns, widths, heads)]
    lines.append("  ".join("-" * n for n in widths))
    for number, row in enumerate(zip(*[column.cells for column in columns], strict=True)):
        if number in table.groups and number:
            lines.append("")
        lines.append(_line(columns, widths, row))
    return "\n".join([*lines, *(line for note in table.notes for line in wrap(note, width))])


def _line(columns: Sequence[Column], widths: Sequence[int], cells: Sequence[str]) -> str:
    padded = (
        cell.ljust(width) if column.is_text else cell.rjust(width)
        for column, width, cell in zip(columns, widths, cells, strict=True)
    )
    return "  ".join(padded).rstrip()


def as_html(table: Table) -> str:
    """`table` as an element of HTML, with its title as the caption and its notes below."""
    heads = "".join(f"<th scope=col>{escape(column.heading)}</th>" for column in table.columns)
    aligned = ["left" if column.is_text else "right" for column in table.columns]
    rows = "\n".join(
        "<tr>"
        + "".join(
            f'<td style="text-align:{side};white-space:pre">{escape(cell)}</td>'
            for side, cell in zip(aligned, row, strict=True)
        )
        + "</tr>"
        for row in rows_of(table)
    )
    notes = "".join(f"<p><small>{escape(note)}</small></p>\n" for note in table.notes)
    caption = f"<caption>{escape(table.title)}</caption>"
    return (
        f"<table>\n{caption}\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n"
        f"</table>\n{notes}"
    )
