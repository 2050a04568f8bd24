"""The forms in which a prompt and IPython show values, and the best lines of a search tree.

A table, a report, a picture and a chart have a text, and a form for notebooks. A tree is a plain
map, which may have thousands of records, so a prompt shows one line, and `show` shows more.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nlargest
from operator import attrgetter
from random import Random
from shutil import get_terminal_size
from typing import Any, TypeGuard

from pyrsistent import PMap, pmap

from purembts import pictures
from purembts.checks import MISTAKES, brief
from purembts.curves import Curves
from purembts.display import one_line
from purembts.game import AnyGame, playout
from purembts.games.shut_the_box import shut_the_box
from purembts.pictures import Chart, Picture
from purembts.play import whose
from purembts.records import Record, Tree
from purembts.report import Report, Row, reports, table
from purembts.tables import Column, Table, as_text

_box: AnyGame = shut_the_box()


def show(value: object, *, game: AnyGame = _box) -> Table | Picture:
    """The best lines of a tree of `game` as a table, or the picture of one of its positions.

    >>> from random import Random
    >>> from purembts.fast.engine import search
    >>> from purembts.games.last_coin import last_coin
    >>> coins = last_coin()
    >>> tree = search(coins, {}, coins.start, 1000, Random(7))
    >>> outline(tree)
    'Tree (positions: 42, dives: 1,000); for more: show(tree, game=...)'
    >>> print(show(tree, game=coins))
    Last coin, player 1 to move
    move    after  visits    mean     95 % interval  then
    ------  -----  ------  ------  ----------------  ----------------------
    take 1  20        526  0.0532  0.0371 to 0.0759  take 2, take 1, take 2
    take 2  19        473  0.0444  0.0292 to 0.0669  take 1, take 1, take 2
    """
    try:
        value = pmap(value) if type(value) is dict else value
        if not is_tree(value):
            playout(game, value, Random(0))  # from a position, a game can be played
            return pictures.position(game, value)
        first = max(value, key=lambda state: value[state].visits)
        is_start = value.get(game.start) == value[first]
        return best_lines(game, value, game.start if is_start else first)
    except MISTAKES as error:
        got = outline(value).partition(";")[0] or brief(value)
        of = f"`value` must be a tree or a position of {game.name}, or `game` another game"
        raise ValueError(f"{of}; got {got}.") from error


def is_tree(value: object) -> TypeGuard[PMap[Any, Record]]:
    """True if `value` is a persistent map with a record for each position, and not empty."""
    if not isinstance(value, Mapping) or not hasattr(value, "set") or not value:
        return False
    return all(type(record) is Record for record in value.values())


def outline(value: object) -> str:
    """The size of a tree in one line; "" for every other value."""
    if not is_tree(value):
        return ""
    dives = max(record.visits for record in value.values())
    return f"Tree (positions: {len(value):,}, dives: {dives:,}); for more: show(tree, game=...)"


def best_lines(game: AnyGame, tree: Tree[Any], state: Any) -> Table:  # noqa: ANN401
    """The five best moves of the records at `state`, or the best move after each event.

    The column `then` has the moves that the records play next, until chance decides.
    """
    events = reports(game, state, tree)
    most = 5 if len(events) == 1 else 1
    rank = attrgetter("learnt", "visits")
    best = [report._replace(rows=tuple(nlargest(most, report.rows, rank))) for report in events]
    rows = [row for report in best for row in report.rows or (None,)]
    lines = tuple(_then(game, tree, row) if row else "" for row in rows)
    then = (Column("then", lines, is_text=True, importance=3),) if any(lines) else ()
    columns = [
        column._replace(note="")
        for column in table(best).columns
        if column.heading not in ("explore", "bound", "")
    ]
    mover = whose(game, events[0].turn.player, ",")
    return Table(f"{game.name}{mover}{' to move' if mover else ''}", (*columns, *then))


def _then(game: AnyGame, tree: Tree[Any], row: Row) -> str:
    """The names of the moves that the records play after `row`, up to about 20 characters."""
    labels: list[str] = []
    state = row.move
    while len(", ".join(labels)) < 20 and len(events := reports(game, state, tree)) == 1:
        move = next((row for row in events[0].rows if row.learnt), None)
        if move is None:
            break
        state = move.move
        labels.append(one_line(move.label))
    return ", ".join(labels)


def prompt_text(value: object) -> str:
    """The text of `value` at a prompt: its own form, one line for a tree, or its `repr`."""
    if isinstance(value, Table | Report):
        width = get_terminal_size().columns
        return as_text(value if isinstance(value, Table) else table(value), width)
    if isinstance(value, Picture | Chart | Curves):
        return str(value)
    if type(value) is tuple:  # such as the tree and the result of a dive
        end = "," if len(value) == 1 else ""
        return f"({', '.join(map(prompt_text, value))}{end})"
    return outline(value) or repr(value)


def load(shell: Any) -> None:  # noqa: ANN401
    """Let a shell of IPython show the values of the library, and know the word `show`."""
    formatters = shell.display_formatter.formatters
    for kind in (Table, Report, Picture, Chart, Curves, PMap):
        formatters["text/plain"].for_type(kind, _pretty)
    formatters["text/html"].for_type(Curves, _curves_html)
    shell.push({"show": show}, interactive=False)


def _curves_html(curves: Curves) -> str:
    """The table and the chart of learning curves."""
    return f"{curves._repr_html_()}{pictures.chart(pictures.curves_chart(curves)).svg}"


def _pretty(value: object, printer: Any, cycle: bool) -> None:  # noqa: ANN401, ARG001
    printer.text(prompt_text(value))
