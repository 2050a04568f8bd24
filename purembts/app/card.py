"""The table of best moves of Shut the Box, for the pub, and the forms in which it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from purembts.exact import MOST_POSITIONS, solver
from purembts.game import Game
from purembts.games.shut_the_box import Box, Roll, boxes
from purembts.tables import Column, Table, as_csv, as_html, as_json, as_markdown


def card(game: Game[Box, Roll]) -> Table:
    """The best move for every box and roll, and the probability to win before the roll.

    A move is the box that it leaves; an x is for no move.
    """
    if (n := 2**game.rules.levers) > MOST_POSITIONS:
        got = f"{n:,} boxes of {game.rules.levers} levers"
        raise ValueError(f"The table must have at most {MOST_POSITIONS:,} boxes; got {got}.")
    value, show, every = solver(game), game.display.short or str, boxes(game.rules)
    chances = {box: game.chances(box) for box in every}

    def best(box: Box, roll: Roll) -> str:
        moves = game.moves(box, roll) if roll in chances[box] else ()
        return show(max(moves, key=value)) if moves else "x"

    rolls = sorted({roll for box in every for roll in chances[box] if roll is not None})
    columns = [(str(roll), tuple([best(box, roll) for box in every])) for roll in rolls]
    chance = Column("to win", tuple([f"{float(value(box)[0]):.5f}" for box in every]))
    named = [
        Column(*column, is_text=True) for column in [("box", tuple(map(show, every))), *columns]
    ]
    return Table(f"{game.name}: the best moves", (*named, chance), (game.display.about,))


def as_workshop(table: Table) -> str:
    """The headings, and the table of the workshop: boxes with tabs between them."""
    return as_csv(table._replace(columns=table.columns[:-1]), "\t")


PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{}</title>
<style>
body {{ font: 11px sans-serif }}
table {{ border-collapse: collapse }}
th, td {{ padding: 0 0.5em }}
th {{ position: sticky; top: 0; background: #fff; color: #000 }}
tr:nth-child(even) {{ background: #eee; color: #000 }}
@media print {{ body {{ font-size: 6pt }} th {{ position: static }} }}
</style>
{}</html>
"""


def as_page(table: Table) -> str:
    """A page of HTML that stands alone, to print."""
    return PAGE.format(table.title, as_html(table))


FORMS: Mapping[str, Callable[[Table], str]] = {
    "text": as_workshop,
    "csv": as_csv,
    "markdown": as_markdown,
    "json": as_json,
    "html": as_page,
}
"""The function for each format."""

SUFFIXES = {".csv": "csv", ".md": "markdown", ".json": "json", ".html": "html", ".htm": "html"}
"""The format for the end of a file's name; text for any other end."""
