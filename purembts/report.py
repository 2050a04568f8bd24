"""What is known at a turn, as one typed value that every surface renders.

`report` makes the value from a turn and the records of a tree. `facts` is its JSON, `table` its
table. `pictures` has its picture. None of them knows a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple, TypeAlias

from purembts.bandits import Pulls
from purembts.bounds import Bound, ucb1
from purembts.game import E, Game, S, Turn, Values, turn_at
from purembts.mcts import MoveRow, learnt, move_rows
from purembts.play import Final
from purembts.records import NOTHING, Record, Tree, as_tree, interval, mean
from purembts.tables import Column, Table, as_text

Facts: TypeAlias = dict[str, Any]
"""An object of JSON."""


class Row(NamedTuple):
    """The knowledge about one move, or about one arm of a bandit."""

    move: Any
    """The position after the move, or its view; the index of an arm."""
    label: str
    left: str
    """The position after the move in a few characters; "" if the game has no such text."""
    json: Any
    """The position after the move as a JSON value; None if the game has no JSON."""
    visits: int
    mean: float | None
    """The mean score of the player to move; None without visits."""
    interval: tuple[float, float] | None
    """The 95 % interval of that mean; None without visits."""
    bound: float
    """The upper confidence bound, on a scale from the worst score, 0, to the best, 1."""
    exploit: float
    """The part of the bound that is the mean, on that scale; 0 without visits."""
    explore: float
    """The rest of the bound, which is large for a move with few visits."""
    learnt: bool
    """True if the records play this move."""
    exact: Fraction | None
    """The expected score of the player to move with best play after the move; None if unknown."""
    best: bool
    """True if no other move has a higher exact value; False if the values are unknown."""


class Report(NamedTuple):
    """The knowledge about a turn: the position, the event, and a row for each move."""

    game: str
    rules: Facts | None
    """The variant; None if the game has no variants."""
    score_range: tuple[float, float]
    """The lowest and the highest score of one game."""
    position: Any
    text: str
    """The position as text."""
    json: Any
    """The position as a JSON value; None if the game has no JSON."""
    event: Any
    event_text: str
    """The event in words; "" in a game without chance."""
    player: int
    """The index of the player to move."""
    record: Record
    """The record of the position; NOTHING if the tree has none."""
    mean: float | None
    """The mean score of the player to move in `record`; None without visits."""
    interval: tuple[float, float] | None
    """The 95 % interval of that mean; None without visits."""
    rows: tuple[Row, ...]


Value: TypeAlias = Callable[[Any], Values]
"""The exact value of a position, for example `exact.solver(game)`."""


def report(
    game: Game[S, E],
    turn: Turn[S, E],
    tree: Tree[S] | dict[S, Record],
    *,
    bound: Bound = ucb1,
    final: Final = mean,
    value: Value | None = None,
) -> Report:
    """The knowledge that `tree` has about `turn`, with a row for each move.

    A turn of views goes with a tree of views. `value` gives the exact values, and `final` ranks the
    moves that have visits: the records play the first of the best.

    >>> from purembts.engine import search
    >>> from purembts.exact import solver
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> from random import Random
    >>> coins, turn = last_coin(), turn_at(last_coin(), Pile(4), None)
    >>> tree = search(coins, {}, Pile(4), 100, Random(7))
    >>> print(text(report(coins, turn, tree, value=solver(coins)), width=60))
    Last coin: the moves of player 1
    move    visits    mean     95 % interval   exact
    ------  ------  ------  ----------------  ------  --
    take 1      90  0.9222  0.8481 to 0.9617  1.0000  *=
    take 2       9  0.2222  0.0632 to 0.5474  0.0000
    *: the records play this move; =: no move has a higher exact
    value
    """
    tree = as_tree(tree)
    record = tree.get(turn.state) or NOTHING
    values = [value(move)[turn.player] if value else None for move in turn.moves]
    played = learnt(tree, final=final)(turn, ())
    return Report(
        **_position_facts(game, turn),
        record=record,
        mean=mean(record, turn.player) if record.visits else None,
        interval=_interval(game, record, turn.player),
        rows=tuple(
            _row(game, turn, row, exact, values, is_learnt=row.visits > 0 and row.move in played)
            for row, exact in zip(move_rows(game, tree, turn, bound=bound), values, strict=True)
        ),
    )


def reports(
    game: Game[S, E], state: S, tree: Tree[S] | dict[S, Record], **options: Any
) -> tuple[Report, ...]:
    """The report of the turn at `state` after each event; `options` are those of `report`."""
    events = sorted(dict.fromkeys(game.chances(state)), key=_order)
    return tuple(report(game, turn_at(game, state, event), tree, **options) for event in events)


def _order(event: Any) -> tuple[bool, Any]:  # noqa: ANN401
    """Numbers in ascending order; other events stay as they are."""
    return (True, event) if isinstance(event, int | float) else (False, 0)


def _position_facts(game: Game[S, E], turn: Turn[S, E]) -> Facts:
    return {
        "game": game.name,
        "rules": game.rules._asdict() if hasattr(game.rules, "_asdict") else game.rules,
        "score_range": game.score_range,
        "position": turn.state,
        "text": game.display.show(turn.state),
        "json": _encoded(game, turn.state),
        "event": turn.event,
        "event_text": "" if turn.event is None else game.display.event(turn.event),
        "player": turn.player,
    }


def _encoded(game: Game[S, E], state: S) -> Any:  # noqa: ANN401
    """The JSON value of a position; None for a view, and for a game that has no JSON."""
    return game.json.encode(state) if game.json and not game.hidden else None


def _interval(game: Game[S, E], record: Record, player: int) -> tuple[float, float] | None:
    return interval(record, player, score_range=game.score_range) if record.visits else None


def _row(
    game: Game[S, E],
    turn: Turn[S, E],
    row: MoveRow,
    exact: Fraction | None,
    values: Sequence[Fraction | None],
    *,
    is_learnt: bool,
) -> Row:
    short = game.display.short
    return Row(
        move=row.move,
        label=game.display.label(turn.state, row.move),
        left=short(row.move) if short else "",
        json=_encoded(game, row.move),
        visits=row.visits,
        mean=row.mean,
        interval=row.interval if row.visits else None,
        bound=row.bound,
        exploit=row.exploit,
        explore=row.explore,
        learnt=is_learnt,
        exact=exact,
        best=exact is not None and exact == max(each for each in values if each is not None),
    )


def arms_report(
    history: Sequence[Pulls], *, bound: Bound = ucb1, means: Sequence[float] | None = None
) -> Report:
    """The knowledge about the arms of a bandit, with a row for each arm, which pays from 0 to 1.

    `means` are the expected rewards, if they are known.
    """
    total = sum(arm.n for arm in history)
    known = [None if means is None else Fraction(each) for each in means or [0.0] * len(history)]
    best = max((arm.paid / arm.n for arm in history if arm.n), default=None)
    rows = []
    for i, (arm, exact) in enumerate(zip(history, known, strict=True)):
        record = Record(arm.n, (arm.paid,)) if arm.n else NOTHING
        limit, own = bound(arm.paid, arm.n, total), arm.paid / arm.n if arm.n else None
        rows.append(
            Row(
                move=i,
                label=f"arm {i + 1}",
                left="",
                json=i,
                visits=arm.n,
                mean=own,
                interval=interval(record) if arm.n else None,
                bound=limit,
                exploit=own or 0.0,
                explore=limit - (own or 0.0),
                learnt=own is not None and own == best,
                exact=exact,
                best=exact is not None and exact == max(each for each in known if each is not None),
            )
        )
    together = Record(total, (sum(arm.paid for arm in history),)) if total else NOTHING
    return Report(
        game="Bandit",
        rules=None,
        score_range=(0, 1),
        position=tuple(history),
        text=f"{len(history)} arms",
        json=None,
        event=None,
        event_text="",
        player=0,
        record=together,
        mean=mean(together) if total else None,
        interval=interval(together) if total else None,
        rows=tuple(rows),
    )


# JSON


def facts(known: Report) -> Facts:
    """`known` as an object of JSON; docs/command_line.md lists its fields.

    JSON has no infinity: the bound of a move without visits is null.
    """
    return {
        "game": known.game,
        "rules": known.rules,
        "position": known.json,
        "event": known.event,
        "player": known.player,
        **_record_facts(known.record.visits, known.mean, known.interval),
        "moves": [_row_facts(row) for row in known.rows],
    }


def _row_facts(row: Row) -> Facts:
    return {
        "label": row.label,
        "position": row.json,
        **_record_facts(row.visits, row.mean, row.interval),
        "bound": row.bound if isfinite(row.bound) else None,
        "exploit": row.exploit,
        "explore": row.explore if isfinite(row.explore) else None,
        "learnt": row.learnt,
        "exact": None if row.exact is None else value_facts(row.exact),
        "best": row.best,
    }


def _record_facts(visits: int, mean: float | None, interval: tuple[float, float] | None) -> Facts:
    return {"visits": visits, "mean": mean, "interval": list(interval) if interval else None}


def value_facts(value: Fraction) -> Facts:
    """An exact value as a float and as a fraction."""
    return {"value": float(value), "exactly": str(value)}


# Tables


def table(known: Report | Sequence[Report]) -> Table:
    """The moves of a report as a table; or those of the reports of all events, in groups."""
    many = [known] if isinstance(known, Report) else list(known)
    named = [(each, row) for each in many for row in each.rows or (None,)]
    rows = [row for _, row in named]
    first = many[0]
    digits = _digits(first.score_range)
    columns = [
        Column("event", tuple(_once(each.event_text for each, _ in named)), is_text=True),
        Column(
            "move", tuple("no move" if row is None else row.label for row in rows), is_text=True
        ),
        Column("left", _texts(rows, lambda row: row.left), is_text=True, importance=5),
        Column("visits", _texts(rows, lambda row: f"{row.visits:,}")),
        Column("mean", _texts(rows, lambda row: number(row.mean, digits))),
        Column("95 % interval", _texts(rows, lambda row: span(row.interval, digits)), importance=6),
        Column("explore", _texts(rows, lambda row: _bound(row.explore)), importance=1),
        Column("bound", _texts(rows, lambda row: _bound(row.bound)), importance=2),
        Column("exact", _texts(rows, lambda row: number(row.exact, digits)), importance=7),
        Column("", _texts(rows, _marks), is_text=True, importance=8),
    ]
    begins, at = [], 0
    for each in many:
        begins.append(at)
        at += max(1, len(each.rows))
    return Table(
        f"{first.game}: the moves of player {first.player + 1}",
        tuple(column for column in columns if any(column.cells)),
        ("*: the records play this move; =: no move has a higher exact value",),
        tuple(begins),
    )


def _once(texts: Iterable[str]) -> list[str]:
    """`texts`, with "" for each that equals the one before it."""
    all_texts = list(texts)
    return ["" if i and text == all_texts[i - 1] else text for i, text in enumerate(all_texts)]


def _texts(rows: Sequence[Row | None], text: Callable[[Row], str]) -> tuple[str, ...]:
    return tuple("" if row is None else text(row) for row in rows)


def _marks(row: Row) -> str:
    return f"{'*' if row.learnt else ' '}{'=' if row.best else ' '}".rstrip()


def _digits(score_range: tuple[float, float]) -> int:
    """The digits after the point for scores in this range."""
    return 4 if score_range[1] - score_range[0] <= 1 else 2


def number(value: Fraction | float | None, digits: int = 4) -> str:
    """`value` with `digits` after the point; "" for None."""
    return "" if value is None else f"{float(value):.{digits}f}"


def span(interval: tuple[float, float] | None, digits: int = 4) -> str:
    """An interval in words; "" for None."""
    return "" if interval is None else " to ".join(number(end, digits) for end in interval)


def _bound(value: float) -> str:
    return number(value) if isfinite(value) else ""


def text(known: Report | Sequence[Report], width: int = 80) -> str:
    """The table of `known` as plain text, at most `width` characters wide; 60 is enough."""
    return as_text(table(known), width)
