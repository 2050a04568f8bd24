"""The result of a command as a value, which a terminal or a file shows."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from typing import NamedTuple
from unicodedata import normalize

from purembts.app.kinds import AnyGame, AnyTree, Json, Position
from purembts.pictures.charts import Chart
from purembts.report import Facts, Report, Row, event_text
from purembts.tables import Table


class Result(NamedTuple):
    """The facts that a command has found, and the forms in which a person sees them."""

    facts: Facts = {}  # noqa: RUF012 - a NamedTuple
    """The result as an object of JSON; empty if nothing was found."""
    tables: tuple[Table, ...] = ()
    lines: tuple[str, ...] = ()
    """The text below the tables."""
    chart: Chart | None = None
    above: str = ""
    """The text above the tables."""
    tree: AnyTree | None = None
    """The tree of a search, which can be saved."""
    document: str = ""
    """The text that the command prints, in the place of tables or of JSON of the facts."""
    interrupted: bool = False
    """True if a person stopped the work; the result is that of the finished part."""
    failed: bool = False
    """True if something that was checked is wrong."""


_LETTERS = dict(zip("♦♣♥♠●○·", "DCHSxo.", strict=True))
"""The characters of ASCII for those that a terminal of ASCII cannot print."""


def letters(error: UnicodeError) -> tuple[str, int]:
    """Characters of ASCII for those that a stream cannot print. It is a handler for `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    plain = (_LETTERS.get(each) or normalize("NFKD", each)[0] for each in bad)
    return "".join(each if each.isascii() else "?" for each in plain), error.end


# A report as JSON


def facts(known: Report) -> Facts:
    """`known` as an object of JSON; docs/prompt.md lists its fields.

    JSON has no infinity: the bound of a move without visits is null.
    """
    game, turn = known.game, known.turn
    return {
        "game": game.name,
        "rules": variant_of(game),
        "score_range": list(game.score_range),
        "text": game.display.show(turn.state),
        "position": encoded(game, turn.state),
        "event": turn.event if isinstance(turn.event, int | str) else event_text(known) or None,
        "player": turn.player,
        "scores": list(map(_finite, known.record.scores)),
        **_record_facts(known.record.visits, known.mean, known.interval),
        "bound": known.bound if any(row.visits for row in known.rows) else None,
        "moves": [_row_facts(game, row) for row in known.rows],
    }


def _row_facts(game: AnyGame, row: Row) -> Facts:
    return {
        "label": row.label,
        "position": encoded(game, row.move),
        **_record_facts(row.visits, row.mean, row.interval),
        "bound": _finite(row.bound),
        "exploit": _finite(row.exploit),
        "explore": _finite(row.bound - row.exploit),
        "learnt": row.learnt,
        "exact": value_facts(row.exact),
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


def value_facts(value: Fraction | None) -> Json:
    """An exact value as a float and as a fraction; None if it is unknown."""
    return None if value is None else {"value": float(value), "exactly": str(value)}


def variant_of(game: AnyGame) -> Json:
    """The variant as an object of JSON; None if the game has no variants."""
    return game.rules._asdict() if hasattr(game.rules, "_asdict") else game.rules


def encoded(game: AnyGame, state: Position) -> Json:
    """The JSON value of a position; None for a view, and for a game that has no JSON."""
    return game.json.encode(state) if game.json and not game.hidden else None
