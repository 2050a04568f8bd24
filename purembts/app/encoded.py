"""A turn and a table as objects of JSON, for the page; and a turn that is watched, for --json."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from purembts.app import sessions
from purembts.app.players import player_words
from purembts.app.positions import AnyGame, AnyTurn, labels_of, visible
from purembts.app.results import position_facts, report_facts
from purembts.app.sentences import event_line, move_line, outcome
from purembts.app.sessions import Setting, Turns
from purembts.app.steps import Moved
from purembts.chance import pick
from purembts.display import Square, Squares, new_squares
from purembts.play import player_name
from purembts.report import Facts, short_text
from purembts.tables import Table, notes_of


def table_facts(table: Table) -> Facts:
    """The columns of a table, and its notes."""
    columns = [
        {"heading": column.heading, "cells": list(column.cells), "is_text": column.is_text}
        for column in table.columns
    ]
    return {"title": table.title, "columns": columns, "notes": list(notes_of(table))}


# A turn


def turn_facts(setting: Setting, turns: Turns) -> Facts:
    """The last turn as a screen shows it: the position, the moves, the history."""
    (game, persons, names), turn = (setting.game, setting.persons, setting.names), turns[-1]
    state = sessions.public_state(setting, turns)
    back, before = sessions.undone(turns, persons), sessions.before_last(game, turns)
    return {
        "title": game.name,
        "about": game.display.about,
        "look": game.display.look,
        "position": board_facts(game, state, before, _faces(setting, turns)),
        "event": event_line(game, turn, persons),
        "player": turn.player,
        "who": player_name(turn.player, persons).capitalize(),
        "strategy": player_words(names.get(turn.player, ""), game),
        "moves": list(_move_list(game, turn)) if turn.player in persons else [],
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
    """A position as data: its squares if it has some, the squares of the last move, dice, text."""
    board, has_squares = _squares_at(game, state), game.display.squares is not None
    marked = new_squares(_squares_at(game, before), board) if before and has_squares else ()
    facts = {"marked": marked, "dice": dice, "text": game.display.show(state)}
    return {**board._asdict(), "rows": board.rows if has_squares else None, **facts}


def _squares_at(game: AnyGame, state: Any) -> Squares:  # noqa: ANN401
    """The squares of a position; none in a game without a board."""
    return game.display.squares(state) if game.display.squares else Squares(())


def move_squares(game: AnyGame, view: AnyTurn) -> list[tuple[Square, ...]]:
    """The squares that each move of a turn, as its player sees it, fills or changes."""
    now = _squares_at(game, view.state)
    return [new_squares(now, _squares_at(game, move)) for move in view.moves]


def _faces(setting: Setting, turns: Turns) -> tuple[int, ...]:
    """The faces of the dice in the event of the last turn; () if there are none.

    The event was drawn with the first number of the generator of the turn, as `pick` draws.
    """
    turn, dice = turns[-1], setting.game.display.dice
    events = setting.game.chances(turn.state)
    if dice is None or turn.event is None or len(events) == 1 or setting.rng:
        return ()
    return dice(turn.state, pick(range(len(events)), sessions.rng_of(setting, len(turns) - 1)))


def _move_list(game: AnyGame, turn: AnyTurn) -> Iterator[Facts]:
    """The moves of a turn, each with its name, its squares, and the text in the first of them."""
    view = visible(game, turn)
    moves = zip(labels_of(game, turn), view.moves, move_squares(game, view), strict=True)
    for label, move, squares in moves:
        rows = _squares_at(game, move).rows
        sign = rows[squares[0][0]][squares[0][1]] if squares else ""
        yield {"label": label, "left": short_text(game, move), "squares": squares, "sign": sign}


def _history(setting: Setting, turns: Turns) -> Iterator[Facts]:
    """Each move so far, with the event before it, in words."""
    game, persons = setting.game, setting.persons
    labels = sessions.moves_so_far(game, turns)
    for label, (turn, after) in zip(labels, pairwise(turns), strict=True):
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
        result, line = list(game.result(turn.state)), sessions.line_of(setting, turns)
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
