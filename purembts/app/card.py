"""The table of best moves of Shut the Box, for the pub."""

from __future__ import annotations

from purembts.exact import MOST_POSITIONS, solver
from purembts.game import Game
from purembts.games.shut_the_box import Box, Roll, boxes
from purembts.tables import Column, Table, lines_of


def card(game: Game[Box, Roll]) -> Table:
    """The best move for every box and roll, and the probability to win before the roll.

    A move is the box that it leaves; an x is for no move.
    """
    if 2 ** (levers := game.rules.levers) > MOST_POSITIONS:
        raise ValueError(f"The table must have at most {MOST_POSITIONS:,} boxes; got 2^{levers}.")
    value, show, every = solver(game), game.display.short or str, boxes(game.rules)
    chances = {box: game.chances(box) for box in every}

    def best(box: Box, roll: Roll) -> str:
        moves = game.moves(box, roll) if roll in chances[box] else ()
        return show(max(moves, key=value)) if moves else "x"

    rolls = sorted({roll for box in every for roll in chances[box] if roll is not None})
    columns = [(str(roll), tuple([best(box, roll) for box in every])) for roll in rolls]
    texts = [("box", tuple(map(show, every))), *columns]
    named = [Column(*column, is_text=True) for column in texts]
    chance = Column("to win", tuple([f"{float(value(box)[0]):.5f}" for box in every]))
    return Table(f"{game.name}: the best moves", (*named, chance), (game.display.about,))


def as_workshop(table: Table) -> str:
    """The headings, and the table of the workshop: boxes with tabs between them."""
    lines = lines_of(table._replace(columns=table.columns[:-1]))
    return "".join("\t".join(line) + "\n" for line in lines)
