"""The knowledge about a turn, as one typed value that every surface renders.

`report` makes the value from a turn and the records of a tree. `facts` is its JSON, `table` its
table. `pictures` has its picture. None of them knows a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import floor, isfinite, log10
from typing import Any, NamedTuple, TypeAlias

from pyrsistent import PMap, pmap

from purembts.bandits import Pulls
from purembts.bounds import AnyBound, ucb1
from purembts.display import Codec, Display
from purembts.game import E, Game, S, Turn, Values, turn_at
from purembts.mcts import learnt
from purembts.play import Final
from purembts.records import NOTHING, Record, Tree, as_tree, interval, mean, unit_score
from purembts.tables import ALWAYS, Column, Table, as_text, filled, one_line

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
    """The 95 % interval of that mean; None without visits, and for a mean that is backed up."""
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
    certain: Fraction | None = None
    """The worth of the move for the player to move, if the tree makes it certain; else None."""


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
    movers: int
    """The number of players who ever move: 1 in Shut the Box."""
    record: Record
    """The record of the position; NOTHING if the tree has none."""
    mean: float | None
    """The mean score of the player to move in `record`; None without visits."""
    interval: tuple[float, float] | None
    """The 95 % interval of that mean; None without visits, and for a mean that is backed up."""
    rows: tuple[Row, ...]
    certain: Fraction | None = None
    """The worth of the position for the player to move, if it is certain; else None."""


Value: TypeAlias = Callable[[Any], Values]
"""The exact value of a position, for example `exact.solver(game)`."""

NOT_CERTAIN: PMap[Any, Values] = pmap()
"""The certain worths of positions, where none is known."""


def report(
    game: Game[S, E],
    turn: Turn[S, E],
    tree: Tree[S] | dict[S, Record],
    *,
    bound: AnyBound = ucb1,
    final: Final = mean,
    value: Value | None = None,
    certain: Mapping[S, Values] = NOT_CERTAIN,
    is_backed_up: bool = False,
) -> Report:
    """The knowledge that `tree` has about `turn`, with a row for each move.

    A turn of views goes with a tree of views. `value` gives the exact values, and `final` ranks the
    moves that have visits: the records play the first of the best. `certain` has the worths that
    are certain, as `proving.settled(game, tree, turn.state)` gives them. It is not computed here,
    because that takes long for a large tree, and views and bandits have none.

    `is_backed_up` is True for a tree that `proving.backed_up` gives. Its means are estimates and
    no means of games, so they have no intervals. The means of a tree of `proving.settle` are those
    of open moves alone, so such a tree is judged by the report of the tree backed up from it.

    >>> from purembts.fast.engine import search
    >>> from purembts.exact import solver
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> from random import Random
    >>> coins, turn = last_coin(), turn_at(last_coin(), Pile(4), None)
    >>> tree = search(coins, {}, Pile(4), 100, Random(7))
    >>> print(text(report(coins, turn, tree, value=solver(coins)), width=60))
    Last coin: the moves of player 1
    move    after  visits    mean     95 % interval   exact
    ------  -----  ------  ------  ----------------  ------  --
    take 1  3          90  0.9222  0.8481 to 0.9618  1.0000  *=
    take 2  2           9  0.2222  0.0632 to 0.5474  0.0000
    *: the records play this move; =: no move has a higher exact
      value
    """
    tree = as_tree(tree)
    record = tree.get(turn.state) or NOTHING
    records = [tree.get(move) or NOTHING for move in turn.moves]
    limit = partial(_limit, game, turn.player, bound, sum(each.visits for each in records))
    values = [value(move)[turn.player] if value else None for move in turn.moves]
    played = learnt(tree, final=final)(turn)
    return Report(
        **_position_facts(game, turn),
        record=record,
        mean=mean(record, turn.player) if record.visits else None,
        interval=None if is_backed_up else _interval(game, record, turn.player),
        rows=tuple(
            _row(
                *(game, turn, move, own, limit(own), exact, values, certain),
                is_learnt=move in played,
                is_backed_up=is_backed_up,
            )
            for move, own, exact in zip(turn.moves, records, values, strict=True)
        ),
        certain=_worth(certain, turn.state, turn.player),
    )


def reports(
    game: Game[S, E], state: S, tree: Tree[S] | dict[S, Record], **options: Any
) -> tuple[Report, ...]:
    """The report of the turn at `state` after each event; `options` are those of `report`."""
    events = sorted(dict.fromkeys(game.chances(state)), key=_order)
    return tuple(report(game, turn_at(game, state, event), tree, **options) for event in events)


def _order(event: Any) -> tuple[bool, Any]:  # noqa: ANN401
    """The key that sorts numbers in ascending order, and leaves other events in their order."""
    return (True, event) if isinstance(event, int | float) else (False, 0)


def _position_facts(game: Game[S, E], turn: Turn[S, E]) -> Facts:
    return {
        "game": game.name,
        "rules": variant_of(game),
        "score_range": game.score_range,
        "position": turn.state,
        "text": game.display.show(turn.state),
        "json": encoded(game, turn.state),
        "event": turn.event,
        "event_text": "" if turn.event is None else game.display.event(turn.event),
        "player": turn.player,
        "movers": game.players if game.movers is None else len(game.movers),
    }


def variant_of(game: Game[S, E]) -> Any:  # noqa: ANN401
    """The variant as an object of JSON; None if the game has no variants."""
    return game.rules._asdict() if hasattr(game.rules, "_asdict") else game.rules


def encoded(game: Game[S, E], state: S) -> Any:  # noqa: ANN401
    """The JSON value of a position; None for a view, and for a game that has no JSON."""
    return game.json.encode(state) if game.json and not game.hidden else None


def _worth(certain: Mapping[S, Values], state: S, player: int) -> Fraction | None:
    """The certain worth of `state` for `player`; None if it is not certain."""
    worth = certain.get(state)
    return None if worth is None else worth[player]


def _interval(game: Game[S, E], record: Record, player: int) -> tuple[float, float] | None:
    return interval(record, player, score_range=game.score_range) if record.visits else None


def _limit(
    game: Game[S, E], player: int, bound: AnyBound, total: int, record: Record
) -> tuple[float, float]:
    """The bound of a move, and the part of it that is the mean, on a scale from 0 to 1."""
    points = unit_score(record, player, score_range=game.score_range)
    mean = points / record.visits if record.visits else 0.0
    return bound(points, record.visits, total), mean


def _row(
    game: Game[S, E],
    turn: Turn[S, E],
    move: S,
    record: Record,
    limit: tuple[float, float],
    exact: Fraction | None,
    values: Sequence[Fraction | None],
    certain: Mapping[S, Values],
    *,
    is_learnt: bool,
    is_backed_up: bool,
) -> Row:
    short = game.display.short
    return Row(
        move=move,
        label=game.display.label(turn.state, move),
        left=short(move) if short else "",
        json=encoded(game, move),
        visits=record.visits,
        mean=mean(record, turn.player) if record.visits else None,
        interval=None if is_backed_up else _interval(game, record, turn.player),
        bound=limit[0],
        exploit=limit[1],
        explore=limit[0] - limit[1],
        learnt=is_learnt and record.visits > 0,
        exact=exact,
        best=exact is not None and exact == max(each for each in values if each is not None),
        certain=_worth(certain, move, turn.player),
    )


def arms_report(
    history: Sequence[Pulls], *, bound: AnyBound = ucb1, means: Sequence[float] | None = None
) -> Report:
    """The knowledge about the arms of a bandit, with a row for each arm, which pays from 0 to 1.

    `means` are the expected rewards, if they are known.

    >>> print(text(arms_report([Pulls(90, 63, 63), Pulls(10, 4, 4)], means=[0.7, 0.5])))
    Bandit: the moves
    move   visits    mean     95 % interval  explore   bound   exact
    -----  ------  ------  ----------------  -------  ------  ------  --
    arm 1      90  0.7000  0.5987 to 0.7849   0.3199  1.0199  0.7000  *=
    arm 2      10  0.4000  0.1682 to 0.6873   0.9597  1.3597  0.5000
    *: the records play this move; =: no move has a higher exact value
    """
    arms = [Record(arm.n, (arm.paid,)) if arm.n else NOTHING for arm in history]
    position = tuple(history)
    tree: dict[Any, Record] = {position: sum(arms, NOTHING), **dict(enumerate(arms))}
    turn: Turn[Any, None] = Turn(position, None, range(len(arms)), 0)
    if means is None:
        return report(_bandit, turn, tree, bound=bound)
    values = [(Fraction(str(each)),) for each in means]
    return report(_bandit, turn, tree, bound=bound, value=values.__getitem__)


_bandit: Game[Any, None] = Game(
    moves=lambda history, event: range(len(history)),  # noqa: ARG005
    result=lambda history: (0,),  # noqa: ARG005
    to_move=lambda history: 0,  # noqa: ARG005
    name="Bandit",
    players=1,
    display=Display(
        show=lambda history: f"{len(history)} arms",
        label=lambda history, arm: f"arm {arm + 1}",  # noqa: ARG005
    ),
    json=Codec(lambda value: value if isinstance(value, int) else list(map(list, value)), tuple),
)
"""One turn at a bandit: the position is its history, and a move is the index of an arm."""


# JSON


def facts(known: Report) -> Facts:
    """`known` as an object of JSON; docs/prompt.md lists its fields.

    JSON has no infinity: the bound of a move without visits is null.
    """
    return {
        "game": known.game,
        "rules": known.rules,
        "score_range": list(known.score_range),
        "text": known.text,
        "position": known.json,
        "event": known.event if isinstance(known.event, int | str) else known.event_text or None,
        "player": known.player,
        "scores": list(map(_finite, known.record.scores)),
        **_record_facts(known.record.visits, known.mean, known.interval),
        "certain": _fraction_facts(known.certain),
        "moves": [_row_facts(row) for row in known.rows],
    }


def _row_facts(row: Row) -> Facts:
    return {
        "label": row.label,
        "position": row.json,
        **_record_facts(row.visits, row.mean, row.interval),
        "certain": _fraction_facts(row.certain),
        "bound": _finite(row.bound),
        "exploit": _finite(row.exploit),
        "explore": _finite(row.explore),
        "learnt": row.learnt,
        "exact": _fraction_facts(row.exact),
        "best": row.best,
    }


def _record_facts(visits: int, mean: float | None, interval: tuple[float, float] | None) -> Facts:
    return {
        "visits": visits,
        "mean": None if mean is None else _finite(mean),
        "interval": list(map(_finite, interval)) if interval else None,
    }


def _finite(x: float) -> float | None:
    """`x` as a number of JSON; None if it is infinite or not a number."""
    return None if not isfinite(x) else x if isinstance(x, int) else float(x)


def _fraction_facts(value: Fraction | None) -> Facts | None:
    return None if value is None else value_facts(value)


def value_facts(value: Fraction) -> Facts:
    """An exact value as a float and as a fraction."""
    return {"value": float(value), "exactly": str(value)}


# Tables


LEARNT = "*: the records play this move"
BEST = "=: no move has a higher exact value"
WORTH = "worth: certain, with best play after the move"
BACKED_UP = "mean: backed up from the moves that follow, an estimate"


def table(known: Report | Sequence[Report]) -> Table:
    """The moves of a report as a table; or those of the reports of all events, in groups.

    The scores have the units of the game. The bound and its part `explore` are on the scale from 0
    to 1. Columns without any text are left out.
    """
    many: list[Report] = [known] if isinstance(known, Report) else list(known)
    rows = [row for each in many for row in each.rows or (None,)]
    first, lengths = many[0], [max(1, len(each.rows)) for each in many]
    begins = tuple(accumulate(lengths[:-1], initial=0))
    events = [""] * len(rows)
    for row, each in zip(begins, many, strict=True):
        events[row] = one_line(each.event_text)
    columns = (Column("event", tuple(events), is_text=True), *row_columns(rows, first.score_range))
    mover = f" of player {first.player + 1}" if first.movers > 1 else ""
    return Table(
        f"{first.game}: the moves{mover}",
        filled(columns),
        certain_notes(first if len(many) == 1 else first._replace(event_text="")),
        groups=begins if len(begins) < len(rows) else (),
    )


def certain_notes(known: Report) -> tuple[str, ...]:
    """The sentence that says the worth of the position if it is certain, or no sentence.

    It is the worth before the event of the turn, if there is one.
    With means that are backed up, it says the visits too: `settle` ends where the worth is certain.
    """
    if known.certain is None:
        return ()
    worth = number(known.certain, digits_of(known.score_range))
    n = known.record.visits
    after = f" after {n:,} dive{'' if n == 1 else 's'}" if n and known.interval is None else ""
    whose = f" for player {known.player + 1}" if known.movers > 1 else ""
    before = f" before {known.event_text}" if known.event_text else ""
    return (f"The worth of the position{before} is certain{after}: {worth}{whose}.",)


def row_columns(rows: Sequence[Row | None], score_range: tuple[float, float]) -> tuple[Column, ...]:
    """The columns of a table of `rows`, from the name of the move to the marks."""
    digits = digits_of(score_range)

    def column(heading: str, importance: int, cell: Callable[[Row], str], note: str = "") -> Column:
        cells = tuple("" if row is None else cell(row) for row in rows)
        return Column(heading, cells, heading in ("after", ""), importance, note)

    known = [row for row in rows if row]
    labels = tuple("no move" if row is None else one_line(row.label) for row in rows)
    marks = (_note(LEARNT, known, lambda row: row.learnt), _note(BEST, known, lambda row: row.best))
    worth = _note(WORTH, known, lambda row: row.certain is not None)
    backed_up = _note(BACKED_UP, known, is_backed_up_mean)
    spans = any(map(has_span, known))
    scale = "" if score_range == (0, 1) else "bound: from 0, the worst score, to 1, the best score"
    return (
        Column("move", labels, is_text=True),
        column("after", 5, lambda row: one_line(row.left)),
        column("visits", ALWAYS, lambda row: f"{row.visits:,}"),
        column("mean", ALWAYS, lambda row: number(row.mean, digits), backed_up),
        column("95 % interval", 6, lambda row: _span_of(row, digits) if spans else ""),
        column("worth", 7, lambda row: number(row.certain, digits), worth),
        column("explore", 1, lambda row: number(row.explore)),
        column("bound", 2, lambda row: number(row.bound), scale),
        column("exact", 7, lambda row: number(row.exact, digits)),
        column("", 8, _marks, "; ".join(filter(None, marks))),
    )


def columns_called(
    headings: Sequence[str], rows: Sequence[Row | None], score_range: tuple[float, float]
) -> tuple[Column, ...]:
    """The columns of `row_columns` that have these headings and tell something."""
    none = "" if any(row and row.visits for row in rows) else "visits"
    columns = row_columns(rows, score_range)
    return filled(each for each in columns if each.heading in headings and each.heading != none)


def _note(note: str, rows: Sequence[Row], is_needed: Callable[[Row], bool]) -> str:
    """`note` if one of `rows` needs it, else no note."""
    return note if any(map(is_needed, rows)) else ""


def has_span(row: Row) -> bool:
    """True if a table or a picture shows an interval for a move, whose worth is not certain."""
    return row.interval is not None and row.certain is None


def is_backed_up_mean(row: Row) -> bool:
    """True if the mean of a move is an estimate that is backed up, and no mean of games."""
    return row.visits > 0 and row.interval is None and row.certain is None


def _span_of(row: Row, digits: int) -> str:
    """The interval of the mean of a move. A worth that is certain needs none."""
    return span(row.interval, digits) if row.certain is None else "certain"


def _marks(row: Row) -> str:
    return f"{'*' if row.learnt else ' '}{'=' if row.best else ' '}".rstrip()


def digits_of(score_range: tuple[float, float]) -> int:
    """The digits after the point for scores in this range.

    >>> digits_of((0, 1)), digits_of((-39, 117)), digits_of((0, 1_000_000))
    (4, 2, 0)
    """
    return max(0, 4 - floor(log10(score_range[1] - score_range[0])))


def believed(row: Row) -> Fraction | float | None:
    """The certain worth of a move, or else its mean; None if both are unknown."""
    return row.mean if row.certain is None else row.certain


def number(value: Fraction | float | None, digits: int = 4) -> str:
    """`value` with `digits` after the point; "" for None and for infinity."""
    return "" if value is None or not isfinite(value) else f"{float(value):z.{digits}f}"


def span(interval: tuple[float, float] | None, digits: int = 4) -> str:
    """An interval in words; "" for None."""
    return "" if interval is None else " to ".join(number(end, digits) for end in interval)


def text(known: Report | Sequence[Report], width: int = 80) -> str:
    """The table of `known` as plain text, at most `width` characters wide; 60 is enough."""
    return as_text(table(known), width)
