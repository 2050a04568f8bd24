"""A scene: the knowledge of a game so far that needs no thinking, as an object of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any

from facade.links import (
    Link,
    game_of,
    good_moves,
    labels_of,
    link_of,
    player_words,
    players_of,
    setting_of,
    turns_of,
)
from purembts.app.hints import Turns, before_last, undone
from purembts.app.sentences import (
    event_line,
    is_event_told,
    move_line,
    move_meant,
    name,
    outcome,
)
from purembts.app.sitting import kinds_of, movers_of
from purembts.app.thinking import own_turn
from purembts.chance import pick
from purembts.game import Game, Turn
from purembts.pictures import Picture, position
from purembts.pictures.boards import changed
from purembts.report import Facts
from purembts.tables import Table, notes_of
from purembts.verify.loading import GAMES, as_typed, fields_of


def picture_facts(picture: Picture) -> Facts:
    """A picture as an object of JSON: its title, its text and its SVG."""
    return picture._asdict()


def table_facts(table: Table) -> Facts:
    """A table as an object of JSON, with the notes of its columns among its notes."""
    columns = [
        {"heading": each.heading, "cells": list(each.cells), "is_text": each.is_text}
        for each in table.columns
    ]
    notes, groups = list(notes_of(table)), list(table.groups)
    return {"title": table.title, "columns": columns, "notes": notes, "groups": groups}


# Games


def games() -> list[Facts]:
    """The games by their names, each with its rules and the number of its players."""
    return [{"game": each, **game_facts(link={"game": each})} for each in GAMES]


def game_facts(link: Mapping[str, Any]) -> Facts:
    """The facts of a game that do not change while it is played."""
    found = link_of(link)
    game = game_of(found)
    rules = {key: as_typed(value) for key, value in fields_of(game).items()}
    return {
        "title": game.name,
        "about": game.display.about,
        "rules": rules,
        "players": game.players,
        "movers": list(movers_of(game)),
        "is_hidden": game.hidden is not None,
        "kinds": kinds_of(game),
    }


# Scenes


def scene(link: Mapping[str, Any]) -> Facts:
    """The game of a link after its last move: the position, the moves, the history."""
    found = link_of(link)
    game, turns, persons = game_of(found), turns_of(found), setting_of(found).persons
    turn, player = turns[-1], turns[-1].player
    seen = _seen(found, turns)
    return {
        "link": {**found._asdict(), "players": list(players_of(found).values())},
        "title": game.name,
        "about": game.display.about,
        "picture": picture_facts(picture_of(found, turns)),
        "text": game.display.show(seen),
        "squares": game.display.squares(seen)._asdict() if game.display.squares else None,
        "event": event_line(game, turn, persons) if is_event_told(game, turn) else "",
        "dice": list(dice_of(found, turns)),
        "player": player,
        "who": name(player, persons),
        "strategy": "" if player in persons else player_words(players_of(found).get(player, "")),
        "players": [player_words(each) for each in players_of(found).values()],
        "moves": _moves(game, turn) if player in persons else [],
        "is_over": not turn.moves,
        "is_hidden": game.hidden is not None,
        "outcome": "" if turn.moves else outcome(game, turn.state, persons),
        "history": list(_history(game, turns, found.moves, persons)),
        "undo_to": len(undone(turns, persons)) - 1 if undone(turns, persons) != turns else None,
    }


def dice_of(link: Link, turns: Turns) -> tuple[int, ...]:
    """The faces of the dice in the event of the last turn; () if there are none.

    The event was drawn with the first number of the generator of the turn, as `pick` draws.
    """
    game, turn = game_of(link), turns[-1]
    events = game.chances(turn.state)
    if game.display.dice is None or turn.event is None or len(events) == 1:
        return ()
    drawn = pick(range(len(events)), Random(f"{link.seed}/{len(turns) - 1}"))
    return game.display.dice(turn.state, drawn)


def _seen(link: Link, turns: Turns) -> Any:  # noqa: ANN401
    """The position that a page may show: behind a view, that of the person to move, or the first.

    Without people, it is the view of the player to move.
    """
    game, turn, persons = game_of(link), turns[-1], setting_of(link).persons
    if game.hidden is None or not turn.moves:
        return turn.state
    seat = turn.player if turn.player in persons or not persons else min(persons)
    return game.hidden.view(turn.state, seat)


def picture_of(link: Link, turns: Turns) -> Picture:
    """The picture of the last position, with the last move marked where nothing is hidden."""
    game = game_of(link)
    before = before_last(turns) if game.hidden is None else None
    return position(game, _seen(link, turns), before=before)


def _moves(game: Game[Any, Any], turn: Turn[Any, Any]) -> list[Facts]:
    """The moves of a turn, each with its name and the squares that it fills or changes."""
    short, own = game.display.short, own_turn(game, turn)
    return [
        {"label": label, "left": short(move) if short else "", "squares": squares}
        for label, move, squares in zip(
            labels_of(game, turn), own.moves, _squares(game, own), strict=True
        )
    ]


def _squares(game: Game[Any, Any], own: Turn[Any, Any]) -> list[list[list[int]]]:
    """For each move of a turn the squares, as a row and a column, that it fills or changes."""
    squares = game.display.squares
    if squares is None:
        return [[] for _ in own.moves]
    now = squares(own.state)
    return [[list(each) for each in changed(now, squares(move))] for move in own.moves]


def _history(
    game: Game[Any, Any], turns: Turns, labels: Sequence[str], persons: frozenset[int]
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
    game, turn = game_of(found), turns_of(found)[-1]
    if turn.moves and turn.player not in setting_of(found).persons:
        who = name(turn.player, setting_of(found).persons)
        raise ValueError(f"A typed move must be that of a person; got the turn of {who}.")
    own = own_turn(game, turn)
    return labels_of(game, turn)[own.moves.index(move_meant(game, own, " ".join(text.split())))]


def good_part(link: Mapping[str, Any]) -> Facts:
    """The number of `moves` of a link that can be made, and the `trouble` with the next one."""
    moves, trouble = good_moves(link_of(link))
    return {"moves": moves, "trouble": trouble}


ANSWERS = {
    "games": games,
    "game_facts": game_facts,
    "scene": scene,
    "meant": meant,
    "good_part": good_part,
}
