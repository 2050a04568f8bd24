"""Each step as an object of JSON, for the page; and the facts of a step, for --json."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from purembts.app.players import player_words
from purembts.app.positions import AnyGame, labels_of, visible
from purembts.app.results import position_facts, report_facts
from purembts.app.sentences import event_line, move_line, outcome
from purembts.app.sessions import (
    Setting,
    Turns,
    before_last,
    line_of,
    moves_so_far,
    public_state,
    rng_of,
    undone,
)
from purembts.app.steps import Moved, Shown
from purembts.chance import pick
from purembts.display import Squares, new_squares
from purembts.game import result_of
from purembts.play import player_name
from purembts.report import Facts, short_text
from purembts.tables import Table, notes_of


def encoded(step: Shown | Table) -> Facts:
    """A turn or a table as an object of JSON, whose `kind` is the name of its type."""
    body = _turn_facts(step) if isinstance(step, Shown) else _table_facts(step)
    return {"kind": type(step).__name__.lower(), **body}


def _table_facts(table: Table) -> Facts:
    """The columns of a table, and its notes. A narrow page hides those of the least importance."""
    columns = [
        {"heading": column.heading, "cells": list(column.cells), "is_text": column.is_text}
        for column in table.columns
    ]
    notes, groups = list(notes_of(table)), list(table.groups)
    facts = {"title": table.title, "columns": columns, "notes": notes, "groups": groups}
    return {**facts, "importance": [column.importance for column in table.columns]}


# A turn


def _turn_facts(step: Shown) -> Facts:
    """The turn as a screen shows it: the position, the moves, the history."""
    setting, turns = step.setting, step.session.turns
    (game, persons, names), turn = (setting.game, setting.persons, setting.names), turns[-1]
    state = public_state(setting, turns)
    back, before = undone(turns, persons), None if game.hidden else before_last(turns)
    return {
        "title": game.name,
        "about": game.display.about,
        "look": game.display.look,
        "position": board_facts(game, state, before, _faces(setting, turns)),
        "event": event_line(game, turn, persons),
        "player": turn.player,
        "who": player_name(turn.player, persons).capitalize(),
        "strategy": player_words(names.get(turn.player, ""), game),
        "moves": list(_move_list(step)) if turn.player in persons else [],
        "is_over": not turn.moves,
        "is_hidden": game.hidden is not None,
        "outcome": "" if turn.moves else outcome(game, turn.state, persons),
        "history": list(_history(setting, turns)),
        "undo_to": None if back == turns else len(back) - 1,
    }


def board_facts(
    game: AnyGame,
    state: Any,  # noqa: ANN401
    before: Any = None,  # noqa: ANN401
    dice: Sequence[int] = (),
) -> Facts:
    """A position as data: its squares if it has some, those of the last move, dice, its text."""
    board, has_squares = squares_at(game, state), game.display.squares is not None
    marked = new_squares(squares_at(game, before), board) if before and has_squares else ()
    facts = {"marked": marked, "dice": dice, "text": game.display.show(state)}
    return {**board._asdict(), "rows": board.rows if has_squares else None, **facts}


def squares_at(game: AnyGame, state: Any) -> Squares:  # noqa: ANN401
    """The squares of a position; none in a game without a board."""
    return game.display.squares(state) if game.display.squares else Squares(())


def _faces(setting: Setting, turns: Turns) -> tuple[int, ...]:
    """The faces of the dice in the event of the last turn; () if there are none.

    The event was drawn with the first number of the generator of the turn, as `pick` draws.
    """
    turn, dice = turns[-1], setting.game.display.dice
    events = setting.game.chances(turn.state)
    if dice is None or turn.event is None or len(events) == 1 or setting.rng:
        return ()
    return dice(turn.state, pick(range(len(events)), rng_of(setting, len(turns) - 1)))


def _move_list(step: Shown) -> Iterator[Facts]:
    """The moves of a turn, each with its name and the squares that it fills or changes."""
    game, turn = step.setting.game, step.session.turns[-1]
    view = visible(game, turn)
    now = squares_at(game, view.state)
    for label, move in zip(labels_of(game, turn), view.moves, strict=True):
        after = squares_at(game, move)
        new = new_squares(now, after)
        sign = after.rows[new[0][0]][new[0][1]] if new else ""
        facts = {"left": short_text(game, move), "squares": list(map(list, new)), "sign": sign}
        yield {"label": label, **facts}


def _history(setting: Setting, turns: Turns) -> Iterator[Facts]:
    """Each move so far, with the event before it, in words."""
    game, persons = setting.game, setting.persons
    for label, (turn, after) in zip(moves_so_far(game, turns), pairwise(turns), strict=True):
        yield {
            "label": label,
            "player": turn.player,
            "who": player_name(turn.player, persons).capitalize(),
            "event": event_line(game, turn, persons),
            "line": move_line(game, turn, after.state, persons),
        }


# The facts of a watched turn


def watched_facts(step: Moved) -> Facts:
    """A turn as an object of JSON; docs/play.md lists its fields."""
    (setting, turns, move, belief), turn, game = step, step.turns[-1], step.setting.game
    position = position_facts(game, turn.state)
    if not turn.moves:
        result, line = list(result_of(game, turn.state)), line_of(setting, turns)
        return {"turn": len(turns), "position": position, "result": result, "line": line}
    return {
        "turn": len(turns),
        "player": turn.player,
        "strategy": setting.names.get(turn.player),
        "position": position,
        "event": turn.event,
        "move": labels_of(game, turn)[turn.moves.index(move)],
        "report": report_facts(belief.report) if belief else None,
    }
