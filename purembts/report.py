"""The knowledge about a turn, as one typed value that every surface renders.

`report` makes the value from a turn and the records of a tree, and `table` makes its table.
`pictures` has its picture, and `app.results` its JSON. None of them knows a game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import zip_longest
from math import inf
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from purembts.bounds import AnyBound, name_of, ucb1
from purembts.display import counted, digits_of, number, one_line, span
from purembts.game import AnyGame, E, Game, S, Turn, Values, turn_at
from purembts.guards import explained
from purembts.mcts import Final, learnt
from purembts.play import whose
from purembts.positions import all_events
from purembts.records import NOTHING, Record, Tree, as_tree, interval, mean
from purembts.tables import ALWAYS, Column, Table, as_html, filled

Facts: TypeAlias = dict[str, Any]
"""An object of JSON."""


class Row(NamedTuple):
    """The knowledge about one move."""

    move: Any
    """The position after the move, or its view."""
    label: str
    left: str
    """The position after the move in a few characters; "" if the game has no such text."""
    visits: int
    mean: float | None
    """The mean score of the player to move; None without visits."""
    interval: tuple[float, float] | None
    """The 95 % interval of that mean; None without visits, and for a mean that is backed up."""
    bound: float
    """The upper confidence bound, on a scale from the worst score, 0, to the best, 1."""
    exploit: float
    """The part of the bound that is the mean on that scale, 0 without visits. The rest explores."""
    learnt: bool = False
    """True if the records play this move."""
    exact: Fraction | None = None
    """The expected score of the player to move with best play after the move; None if unknown."""
    best: bool = False
    """True if no other move has a higher exact value; False if the values are unknown."""


class Report(NamedTuple):
    """The knowledge about a turn, with a row for each move."""

    game: AnyGame
    turn: Turn[Any, Any]
    record: Record
    """The record of the position; NOTHING if the tree has none."""
    mean: float | None
    """The mean score of the player to move in `record`; None without visits."""
    interval: tuple[float, float] | None
    """The 95 % interval of that mean; None without visits, and for a mean that is backed up."""
    bound: str
    """The name of the bound in the rows, which is that of the search."""
    rows: tuple[Row, ...]

    def __str__(self) -> str:
        return str(table(self))

    def _repr_html_(self) -> str:
        return as_html(table(self))


def worth(row: Row) -> float:
    """The exact value of a move, or else its mean; minus infinity if both are unknown."""
    return _first(row.exact, row.mean)


def score_of(row: Row) -> float:
    """The mean of a move, or else its exact value; minus infinity if both are unknown."""
    return _first(row.mean, row.exact)


def most_visited(rows: Sequence[Row], most: int) -> list[Row]:
    """The `most` rows with the most visits, in descending order."""
    return sorted(rows, key=lambda row: -row.visits)[:most]


def _first(*values: Fraction | float | None) -> float:
    return next((float(value) for value in values if value is not None), -inf)


def is_chosen(row: Row) -> bool:
    """True if the records play a move, or if it has no visits and is best."""
    return row.learnt or (row.best and not row.visits)


def in_words(row: Row) -> str:
    """A move with its mean and its visits, or else with its exact value."""
    if row.visits:
        numbers = f"mean {number(row.mean)}, {counted(row.visits, 'visit')}"
    else:
        numbers = "no visits" if row.exact is None else f"exactly {number(row.exact)}"
    choice = "the move it would play" if row.learnt else "no move is better"
    return f"{row.label}: {numbers}{f', {choice}' if is_chosen(row) else ''}"


def heat_digits(report: Report) -> int:
    """The digits after the point for the scores of a heat map; small means need more of them."""
    low, high = report.game.score_range
    if high - low > 1:
        return 1
    most = max((abs(score_of(row)) for row in report.rows if score_of(row) > -inf), default=0.0)
    return 2 if most >= 0.1 else 3


Value: TypeAlias = Callable[[Any], Values]
"""The exact value of a position, for example `exact.solver(game)`."""


@explained
def report(
    game: Game[S, E],
    turn: Turn[S, E],
    tree: Tree[S] | dict[S, Record],
    *,
    bound: AnyBound = ucb1,
    final: Final = mean,
    value: Value | None = None,
    is_backed_up: bool = False,
) -> Report:
    """The knowledge that `tree` has about `turn`, with a row for each move.

    `bound` is that of the search. A turn of views goes with a tree of views. `value` gives the
    exact values, and `final` ranks the moves that have visits: the records play the first of the
    best. `is_backed_up` is True for a tree that `proving.backed_up` gives. Its means are estimates
    and no means of games, so they have no intervals.

    >>> from purembts.fast.engine import search
    >>> from purembts.exact import solver
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> from random import Random
    >>> coins, turn = last_coin(), turn_at(last_coin(), Pile(4), None)
    >>> tree = search(coins, {}, Pile(4), 100, Random(7))
    >>> rows = report(coins, turn, tree, value=solver(coins)).rows
    >>> [(row.label, row.visits, row.learnt, row.exact) for row in rows]
    [('take 1', 90, True, Fraction(1, 1)), ('take 2', 9, False, Fraction(0, 1))]
    """
    tree = as_tree(tree)
    records = [tree.get(move) or NOTHING for move in turn.moves]
    total = sum(record.visits for record in records)
    values = [value(move)[turn.player] for move in turn.moves] if value else []
    best = learnt(tree, final=final)(turn)
    rows = [
        _row(game, turn, move, record, bound, total)._replace(
            learnt=record.visits > 0 and move in best,
            exact=exact,
            best=exact is not None and exact == max(values),
        )
        for move, record, exact in zip_longest(turn.moves, records, values)
    ]
    record = tree.get(turn.state) or NOTHING
    mean, interval = mean_and_interval(game, record, turn.player)
    if is_backed_up:
        interval, rows = None, [row._replace(interval=None) for row in rows]
    return Report(game, turn, record, mean, interval, name_of(bound), tuple(rows))


def _row(
    game: Game[S, E], turn: Turn[S, E], move: S, record: Record, bound: AnyBound, total: int
) -> Row:
    """The knowledge about a move of `turn`, which has `record`; all moves have `total` visits."""
    (low, high), n = game.score_range, record.visits
    points = (record.scores[turn.player] - n * low) / (high - low) if n else 0.0
    mean, interval = mean_and_interval(game, record, turn.player)
    return Row(
        move=move,
        label=game.display.label(turn.state, move),
        left=short_text(game, move),
        visits=n,
        mean=mean,
        interval=interval,
        bound=bound(points, n, total),
        exploit=points / max(1, n),
    )


def mean_and_interval(
    game: Game[S, E], record: Record, player: int
) -> tuple[float | None, tuple[float, float] | None]:
    """The mean of `player` and its interval; None without visits."""
    if not record.visits:
        return None, None
    return mean(record, player), interval(record, player, score_range=game.score_range)


def turns_at(game: Game[S, E], state: S) -> list[Turn[S, E]]:
    """The turns at `state`, one after each of the different events."""
    return [turn_at(game, state, event) for event in dict.fromkeys(all_events(game, state))]


def short_text(game: Game[S, E], state: S) -> str:
    """`state` in a few characters; "" if the game has no such text."""
    return game.display.short(state) if game.display.short else ""


@explained
def reports(
    game: Game[S, E], state: S, tree: Tree[S] | dict[S, Record], **options: Any
) -> tuple[Report, ...]:
    """The report of the turn at `state` after each event, in ascending order if they are numbers.

    `options` are those of `report`.
    """
    turns = turns_at(game, state)
    if all(isinstance(turn.event, int | float) for turn in turns):
        turns.sort(key=attrgetter("event"))
    return tuple(report(game, turn, tree, **options) for turn in turns)


_LEARNT = "*: the records play this move"
_BEST = "=: no move has a higher exact value"


def table(report: Report | Sequence[Report]) -> Table:
    """The table of the moves of a report, or of one report for each event, in groups.

    The scores have the units of the game. The bound and its part `explore` are on the scale from 0
    to 1. Columns without any text are left out.
    """
    events = [report] if isinstance(report, Report) else report
    rows, texts, groups = list[Row | None](), list[str](), list[int]()
    for event in events:
        groups.append(len(rows))
        rows += event.rows or [None]
        texts += [one_line(event_text(event)), *[""] * (len(event.rows) - 1)]
    game, turn, *_ = first = events[0]
    columns = (Column("event", tuple(texts), is_text=True), *_row_columns(first, rows))
    return Table(
        f"{game.name}: the moves{whose(game, turn.player, ' of')}",
        filled(columns),
        groups=tuple(groups) if len(groups) < len(rows) else (),
    )


def event_text(report: Report) -> str:
    """The event in words; "" in a game without chance."""
    event = report.turn.event
    return "" if event is None else report.game.display.event(event)


def _row_columns(report: Report, rows: Sequence[Row | None]) -> tuple[Column, ...]:
    """The columns of a table of `rows` of `report`, from the name of the move to the marks."""
    digits = digits_of(report.game.score_range)

    def column(heading: str, importance: int, cell: Callable[[Row], str], note: str = "") -> Column:
        cells = tuple("" if row is None else cell(row) for row in rows)
        return Column(heading, cells, heading in ("after", ""), importance, note)

    moves = [row for row in rows if row]
    bound = f"bound: {report.bound}"
    if report.game.score_range != (0, 1):
        bound += ", from 0, the worst score, to 1, the best score"
    is_backed_up = any(map(is_backed_up_mean, moves))
    means = "mean: backed up from the moves that follow, an estimate" if is_backed_up else ""
    signs = "".join(map(_marks, moves))
    meanings = "; ".join(meaning for meaning in (_LEARNT, _BEST) if meaning[0] in signs)
    return (
        Column("move", tuple(one_line(row.label) if row else "no move" for row in rows), True),
        column("after", 5, lambda row: one_line(row.left)),
        column("visits", ALWAYS, lambda row: f"{row.visits:,}"),
        column("mean", ALWAYS, lambda row: number(row.mean, digits), means),
        column("95 % interval", 6, lambda row: span(row.interval, digits)),
        column("explore", 1, lambda row: number(row.bound - row.exploit)),
        column("bound", 2, lambda row: number(row.bound), bound),
        column("exact", 7, lambda row: number(row.exact, digits)),
        column("", 8, _marks, meanings),
    )


def columns_called(
    headings: Sequence[str], report: Report, rows: Sequence[Row]
) -> tuple[Column, ...]:
    """The columns of `_row_columns` with one of `headings` that have a text in a cell."""
    none = "" if any(row.visits for row in rows) else "visits"
    columns = _row_columns(report, rows)
    return filled(column for column in columns if column.heading in {*headings} - {none})


def is_backed_up_mean(row: Row) -> bool:
    """True if the mean of a move is an estimate that is backed up, and no mean of games."""
    return row.visits > 0 and row.interval is None


def _marks(row: Row) -> str:
    """The signs of a move, whose meanings are `_LEARNT` and `_BEST`."""
    learnt, best = "*" if row.learnt else " ", "=" if row.best else ""
    return (learnt + best).rstrip()
