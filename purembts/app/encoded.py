"""Each step as an object of JSON, for the page; and the facts of a step, for --json."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from purembts import pictures
from purembts.app.players import player_words
from purembts.app.positions import AnyGame, labels_of, visible
from purembts.app.printed import BELIEFS
from purembts.app.results import Result, position_facts, report_facts
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
from purembts.app.steps import Belief, Moved, Progress, Question, Said, Shown
from purembts.chance import pick
from purembts.display import Squares, digits_of, new_squares, number
from purembts.game import result_of
from purembts.pictures import Chart, Picture
from purembts.play import player_name
from purembts.records import visits
from purembts.report import Facts, Report, Row, columns_called, short_text, worth
from purembts.tables import Table, notes_of


def encoded(step: Any, scene: Shown | None = None, width: float | None = None) -> Facts:  # noqa: ANN401
    """The step as an object of JSON, whose `kind` is the name of its type.

    `scene` is the turn that a report is about, and `width` that of pictures inside their margins.
    """
    match step:
        case Shown():
            body = _turn_facts(step)
        case Belief():
            body = _belief_facts(step, scene, width)
        case Moved():
            body = _move_facts(step, scene, width)
        case Progress():
            news = step.report and _board_facts(step.report, scene, width)
            body = {**step._replace(report=None, so_far=None)._asdict(), **(news or {})}
        case Table():
            body = _table_facts(step)
        case Chart():
            body = encoded(pictures.chart(step, **({"width": width} if width else {})))
        case Result():
            body = _result_facts(step, width)
        case Question() | Said() | Picture():
            body = step._asdict()
        case _:
            raise TypeError(f"A step must be of a type in `app.steps`, or a Result; got {step!r}.")
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


def _result_facts(result: Result, width: float | None) -> Facts:
    """The facts of a result, its lines, its tables and its chart."""
    return {
        "facts": result.facts,
        "lines": list(result.lines),
        "tables": list(map(encoded, result.tables)),
        "chart": result.chart and encoded(result.chart, width=width),
    }


# A turn


def _turn_facts(step: Shown) -> Facts:
    """The turn as a screen shows it: the position, the moves, the history."""
    setting, turns = step.setting, step.session.turns
    (game, persons, names), turn = (setting.game, setting.persons, setting.names), turns[-1]
    squares, state = game.display.squares, public_state(setting, turns)
    back, before = undone(turns, persons), None if game.hidden else before_last(turns)
    return {
        "title": game.name,
        "about": game.display.about,
        "picture": encoded(_board_picture(setting, turns, state)),
        "squares": squares(state)._asdict() if squares else None,
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


def _board_picture(
    setting: Setting,
    turns: Turns,
    state: Any,  # noqa: ANN401
    report: Report | None = None,
) -> Picture:
    """The picture of the last position, with the last move marked where nothing is hidden."""
    before = None if setting.game.hidden else before_last(turns)
    dice = _faces(setting, turns)
    return pictures.position(setting.game, state, before=before, report=report, dice=dice)


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


# Beliefs


def _belief_facts(step: Belief, scene: Shown | None, width: float | None) -> Facts:
    """The report of a belief, with its pictures and its table: the best move first."""
    most = "most visits" if step.final is visits else "best mean"
    rows = sorted(step.report.rows, key=lambda row: (row.learnt, worth(row)), reverse=True)
    return {
        "report": report_facts(step.report),
        **_board_facts(step.report, scene, width, is_last=True),
        "table": encoded(Table(step.title, columns_called(BELIEFS, step.report, rows))),
        "rule": f"The move it would play: the one with the {most}." if rows[0].learnt else "",
    }


def _move_facts(step: Moved, scene: Shown | None, width: float | None) -> Facts:
    """The facts of a watched turn; with a scene, also the pictures of a belief about a choice."""
    is_choice = scene is not None and len(step.turns[-1].moves) > 1
    belief = _belief_facts(step.belief, scene, width) if step.belief and is_choice else {}
    return {**watched_facts(step), **belief}


def _board_facts(
    report: Report, scene: Shown | None, width: float | None, *, is_last: bool = False
) -> Facts:
    """The rows of a report, the `picture` of the board with its heat map, and that of the `moves`.

    A game without squares has no heat map. Before the end, a game with squares has no other one.
    """
    if scene is None:
        raise ValueError("A report must come after its turn; got no turn.")
    setting, turns = scene.setting, scene.session.turns
    has_squares = setting.game.display.squares is not None
    board = _board_picture(setting, turns, report.turn.state, report) if has_squares else None
    # Moves that a search has not tried are left out, if it has tried any.
    rows = tuple(row for row in report.rows if row.visits or row.exact is not None) or report.rows
    is_drawn = is_last or not has_squares
    moves = pictures.moves(report._replace(rows=rows), width=width) if is_drawn else None
    return {
        "rows": _row_texts(scene, report),
        "picture": board and encoded(board),
        "moves": moves and encoded(moves),
    }


def _row_texts(scene: Shown, report: Report) -> list[Facts]:
    """For each move its label, the text to put beside it, and True if no move is better."""
    digits = digits_of(report.game.score_range)
    labels = labels_of(scene.setting.game, scene.session.turns[-1])
    return [
        {"label": label, "text": _beside(row, digits), "best": row.best or row.learnt}
        for label, row in zip(labels, report.rows, strict=True)
    ]


def _beside(row: Row, digits: int) -> str:
    """The worth of a move in a few characters."""
    if row.exact is not None:
        return f"{number(row.exact, digits)} exact"
    mean = f"{number(row.mean, min(digits, 3))} mean of {row.visits:,}"
    return mean if row.visits else "not tried"


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
