"""Tables as values: columns of texts, and their forms as text, HTML and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import zip_longest
from json import dumps
from textwrap import wrap
from typing import NamedTuple, TypeAlias
from unicodedata import combining, east_asian_width

Texts: TypeAlias = Sequence[str]
ALWAYS = 9  # the importance of a column that is never left out
WORDS, LEAST = 60, 20
"""The largest width of a column of words, and the smallest one in a table that is too wide."""


class Column(NamedTuple):
    """A heading, a cell for each row, and a note. Words stand at the left, numbers at the right."""

    heading: str
    cells: tuple[str, ...]
    is_text: bool = False
    importance: int = ALWAYS
    note: str = ""


class Table(NamedTuple):
    """A title, columns of the same length, notes, and the rows from 0 that begin a new group."""

    title: str
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


def rows_table(
    title: str,
    headings: Texts,
    rows: Iterable[Texts],
    *,
    words: Texts = (),
    notes: Texts = (),
    least: Texts = (),
    about: Mapping[str, str] = {},
) -> Table:
    """The table with these rows, without the columns that have no text in any of them.

    The columns in `words` have words, not numbers. Where the width is too small, `as_text` leaves
    out the columns in `least`, in this order. `about` has notes by heading.
    """
    cells = list(zip(*rows, strict=True))
    ranks = {heading: i for i, heading in enumerate(least)}
    columns = tuple(
        Column(heading, texts, heading in words, ranks.get(heading, ALWAYS), about.get(heading, ""))
        for heading, texts in zip(headings, cells or [()] * len(headings), strict=True)
    )
    return Table(title, filled(columns) if cells else columns, tuple(notes))


def filled(columns: Iterable[Column]) -> tuple[Column, ...]:
    """The columns that have a text in a cell."""
    return tuple(column for column in columns if any(column.cells))


def rows_of(table: Table) -> Iterator[tuple[str, ...]]:
    """The rows of `table`, each with a cell for each column."""
    return zip(*[column.cells for column in table.columns], strict=True)


def lines_of(table: Table) -> list[tuple[str, ...]]:
    """The headings of `table`, and then its rows."""
    return [tuple(column.heading for column in table.columns), *rows_of(table)]


def notes_of(table: Table) -> tuple[str, ...]:
    """The notes of the columns of `table`, each of them once, and then those of the whole table."""
    notes = dict.fromkeys(column.note for column in table.columns if column.note)
    return (*notes, *table.notes)


def fitting(table: Table, width: int) -> Table:
    """`table` without the least important columns, as many as make it wider than `width`."""
    columns = list(table.columns)
    while _total(columns) > width:
        least = min(reversed(range(len(columns))), key=lambda i: columns[i].importance, default=0)
        if not columns or columns[least].importance >= ALWAYS:
            break
        del columns[least]
    return table._replace(columns=tuple(columns))


def text_width(text: str) -> int:
    """The number of cells of a terminal that one line takes: 2 for a wide character."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(c) in ("W", "F") else 1 for c in text if not combining(c))


def _width(column: Column) -> int:
    lines = (line for cell in (column.heading, *column.cells) for line in cell.split("\n"))
    return max(map(text_width, lines))


def _total(columns: Sequence[Column]) -> int:
    return sum(map(_width, columns)) + 2 * (len(columns) - 1)


def as_text(table: Table, width: int = 80) -> str:
    """`table` as plain text, at most `width` wide where its columns allow it.

    Its least important columns are left out until it fits, then long cells of words are broken.
    """
    table, wide = _folded(fitting(table, width), width), min(width, 80)
    widths = list(map(_width, table.columns))

    def text_of(cells: Texts) -> str:
        """The lines of a row, in which the cells are as wide as the columns."""
        lines = zip_longest(*[cell.split("\n") for cell in cells], fillvalue="")
        padded = (map(_padded, table.columns, widths, line) for line in lines)
        return "\n".join("  ".join(line).rstrip() for line in padded)

    heads, *rows = map(text_of, lines_of(table))
    rule = text_of(["-" * width for width in widths])
    notes = [line for note in notes_of(table) for line in wrap(note, wide, subsequent_indent="  ")]
    return "\n".join([*wrap(table.title, wide), heads, rule, *_grouped(table, rows, ""), *notes])


def _folded(table: Table, width: int) -> Table:
    """`table` with long words on several lines, and narrower words where it is too wide."""
    columns = [_broken(column, WORDS) if column.is_text else column for column in table.columns]
    widths = {_width(column): i for i, column in enumerate(columns) if column.is_text}
    if widths and (over := _total(columns) - width) > 0:
        widest = max(widths)
        columns[widths[widest]] = _broken(columns[widths[widest]], max(LEAST, widest - over))
    return table._replace(columns=tuple(columns))


def _broken(column: Column, width: int) -> Column:
    """`column` with the lines of its cells broken between words if they are wider than `width`."""

    def broken(line: str) -> str:
        is_long = text_width(line) > width
        return "\n".join(wrap(line, width, break_on_hyphens=False)) if is_long else line

    cells = ("\n".join(map(broken, cell.split("\n"))) for cell in column.cells)
    return column._replace(cells=tuple(cells))


def _padded(column: Column, width: int, text: str) -> str:
    """`text` with blanks on one side, as a cell of `column`."""
    blanks = " " * (width - text_width(text))
    return text + blanks if column.is_text else blanks + text


def _grouped(table: Table, rows: Texts, mark: str) -> list[str]:
    """`rows` with `mark` between the groups."""
    lines = list[str]()
    for i, row in enumerate(rows):
        if i > 0 and i in table.groups:
            lines.append(mark)
        lines.append(row)
    return lines


def as_html(table: Table) -> str:
    """`table` as an element of HTML, in which the blanks of words are as wide as letters."""
    text, number = 'align="left" style="font-family:monospace"', 'align="right"'
    looks = [text if column.is_text else number for column in table.columns]
    row = "".join(f"<td {look}>{{}}</td>" for look in looks)
    head = row.replace("td", "th").format(*[escape(column.heading) for column in table.columns])
    rows = [f"<tr>{row.format(*map(escape, line))}</tr>" for line in rows_of(table)]
    body = "\n".join(_grouped(table, rows, "</tbody><tbody>"))
    notes = "".join(f"<p><small>{escape(note)}</small></p>\n" for note in notes_of(table))
    top = f'<table rules="groups" style="white-space:pre"><caption>{escape(table.title)}</caption>'
    return f"{top}<thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>\n{notes}"


def as_json(table: Table) -> str:
    """The title, the headings and the rows of `table` as an object of JSON."""
    heads, *rows = map(dumps, lines_of(table))
    top = f'{{"title": {dumps(table.title)}, "columns": {heads}, "rows": [\n'
    return top + ",\n".join(rows) + "\n]}\n"
