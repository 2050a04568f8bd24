"""The result of a command as a value, which a terminal or a file shows."""

from __future__ import annotations

from typing import NamedTuple
from unicodedata import normalize

from purembts.pictures.charts import Chart
from purembts.report import Facts
from purembts.tables import Table, rows_of


class Result(NamedTuple):
    """The facts that a command has found, and the forms in which a person sees them."""

    facts: Facts
    """The result as an object of JSON."""
    tables: tuple[Table, ...]
    lines: tuple[str, ...] = ()
    """The text below the tables."""
    chart: Chart | None = None
    above: str = ""
    """The text above the tables."""


def ranked(table: Table, *headings: str, **notes: str) -> Table:
    """`table`, where a lack of width leaves out the columns `headings`, the first of them first.

    `notes` are the notes of columns, which are left out with them.
    """
    ranks = {heading: i for i, heading in enumerate(headings)}
    columns = (
        column._replace(
            importance=ranks.get(column.heading, column.importance),
            note=notes.get(column.heading, column.note),
        )
        for column in table.columns
    )
    return table._replace(columns=tuple(columns))


def unfolded(table: Table) -> Table:
    """`table` with a row for each line of a cell."""
    rows = [[cell.split("\n") for cell in row] for row in rows_of(table)]
    heights = [max(map(len, row), default=1) for row in rows]
    columns = []
    for i, column in enumerate(table.columns):
        parts = ([*row[i], *[""] * (n - len(row[i]))] for row, n in zip(rows, heights, strict=True))
        columns.append(column._replace(cells=tuple(cell for part in parts for cell in part)))
    groups = tuple(sum(heights[:number]) for number in table.groups)
    return table._replace(columns=tuple(columns), groups=groups)


LETTERS = dict(zip("♦♣♥♠●○·┃│", "DCHSxo.||", strict=True))
"""The characters of ASCII for those that a terminal of ASCII cannot print."""


def letters(error: UnicodeError) -> tuple[str, int]:
    """Characters of ASCII for those that a stream cannot print. It is a handler for `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    plain = (LETTERS.get(each) or normalize("NFKD", each)[0] for each in bad)
    return "".join(each if each.isascii() else "?" for each in plain), error.end
