"""A scene: the knowledge of a game so far that needs no thinking, as an object of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any

from facade.links import (
    Link,
    game_of,
    good_turns,
    labels_of,
    link_of,
    player_words,
    players_of,
    setting_of,
    turns_of,
)
from purembts.app.hints import Setting, Turns, before_last, undone
from purembts.app.kinds import AnyGame, AnyTurn, Position
from purembts.app.sentences import (
    event_line,
    is_event_told,
    move_line,
    move_meant,
    name,
    outcome,
)
from purembts.app.thinking import own_turn
from purembts.chance import pick
from purembts.display import new_squares
from purembts.loading import GAMES, as_typed, fields_of
from purembts.pictures import Picture, position
from purembts.report import Facts
from purembts.tables import Table, notes_of


def picture_facts(picture: Picture) -> Facts:
    """A picture as an object of JSON: its title, its text and its SVG."""
    return picture._asdict()


def table_facts(table: Table) -> Facts:
    """A table as an object of JSON, with the notes of its columns among its notes.

    A narrow page hides the columns of the least importance.
    """
    columns = [
        {"heading": each.heading, "cells": list(each.cells), "is_text": each.is_text}
        for each in table.columns
    ]
    notes, groups = list(notes_of(table)), list(table.groups)
    facts = {"title": table.title, "columns": columns, "notes": notes, "groups": groups}
    return {**facts, "importance": [each.importance for each in table.columns]}


# Games


def games() -> list[Facts]:
    """The games by their names, each with its title."""
    return [{"game": each, "title": game_of(Link(each)).name} for each in GAMES]


# Scenes


def scene(link: Mapping[str, Any]) -> Facts:
    """The game of a link after its last move: the position, the moves, the history.

    A wrong move and those after it are left out, and the `trouble` is the reason. A link without a
    game, or with a wrong start or a wrong player, is a ValueError.
    """
    found = link_of(link)
    setting, names, usual = setting_of(found), players_of(found), found._replace(rules=())
    turns, trouble = good_turns(found)
    found = found._replace(moves=found.moves[: len(turns) - 1])
    game, persons, turn = setting.game, setting.persons, turns[-1]
    player, seen, before = turn.player, _seen(setting, turn), undone(turns, persons)
    return {
        "link": {**found._asdict(), "players": list(names.values())},
        "trouble": trouble,
        "title": game.name,
        "usual_rules": {key: as_typed(each) for key, each in fields_of(game_of(usual)).items()},
        "about": game.display.about,
        "picture": picture_facts(_picture_of(setting, turns)),
        "squares": game.display.squares(seen)._asdict() if game.display.squares else None,
        "event": event_line(game, turn, persons) if is_event_told(game, turn) else "",
        "player": player,
        "who": name(player, persons),
        "strategy": "" if player in persons else player_words(names.get(player, "")),
        "players": [player_words(each) for each in names.values()],
        "moves": _moves(game, turn) if player in persons else [],
        "is_over": not turn.moves,
        "is_hidden": game.hidden is not None,
        "outcome": "" if turn.moves else outcome(game, turn.state, persons),
        "history": list(_history(game, turns, found.moves, persons)),
        "undo_to": None if before == turns else len(before) - 1,
    }


def dice_of(game: AnyGame, turns: Turns, seed: int) -> tuple[int, ...]:
    """The faces of the dice in the event of the last turn; () if there are none.

    The event was drawn with the first number of the generator of the turn, as `pick` draws.
    """
    turn = turns[-1]
    events = game.chances(turn.state)
    if game.display.dice is None or turn.event is None or len(events) == 1:
        return ()
    drawn = pick(range(len(events)), Random(f"{seed}/{len(turns) - 1}"))
    return game.display.dice(turn.state, drawn)


def _seen(setting: Setting, turn: AnyTurn) -> Position:
    """The position that a page may show: behind a view, that of the person to move, or the first.

    Without people, it is the view of the player to move.
    """
    game, persons = setting.game, setting.persons
    if game.hidden is None or not turn.moves:
        return turn.state
    seat = turn.player if turn.player in persons or not persons else min(persons)
    return game.hidden.view(turn.state, seat)


def _picture_of(setting: Setting, turns: Turns) -> Picture:
    """The picture of the last position, with the last move marked where nothing is hidden."""
    game = setting.game
    before = before_last(turns) if game.hidden is None else None
    return position(
        game, _seen(setting, turns[-1]), before=before, dice=dice_of(game, turns, setting.seed)
    )


def _moves(game: AnyGame, turn: AnyTurn) -> list[Facts]:
    """The moves of a turn, each with its name and the squares that it fills or new_squares."""
    own, (short, squares) = own_turn(game, turn), (game.display.short, game.display.squares)
    now = squares and squares(own.state)
    return [
        {
            "label": label,
            "left": short(move) if short else "",
            "squares": list(map(list, new_squares(now, squares(move)))) if squares and now else [],
        }
        for label, move in zip(labels_of(game, turn), own.moves, strict=True)
    ]


def _history(
    game: AnyGame, turns: Turns, labels: Sequence[str], persons: frozenset[int]
) -> Iterator[Facts]:
    """Each move so far, with the event before it, in words."""
    for (turn, after), label in zip(pairwise(turns), labels, strict=True):
        yield {
            "label": label,
            "player": turn.player,
            "who": name(turn.player, persons),
            "event": "" if turn.event is None else event_line(game, turn, persons),
            "line": move_line(game, turn, after.state, persons),
        }


def meant(link: Mapping[str, Any], text: str) -> str:
    """The name of the move that a typed text means; a ValueError says which moves there are.

    It is a move of a person: other players make their own, and a person may not see theirs.
    """
    found = link_of(link)
    (game, _, persons, *_), turn = setting_of(found), turns_of(found)[-1]
    if turn.moves and turn.player not in persons:
        who = name(turn.player, persons)
        raise ValueError(f"A typed move must be that of a person; got the turn of {who}.")
    own = own_turn(game, turn)
    return labels_of(game, turn)[own.moves.index(move_meant(game, own, " ".join(text.split())))]
