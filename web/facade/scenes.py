"""A scene: the knowledge of a game so far that needs no thinking, as an object of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from facade.links import Link, game_of, good_turns, link_of, players_of, setting_of, turns_of
from purembts.app.encoded import encoded
from purembts.app.players import player_words
from purembts.app.sentences import move_meant, player_name
from purembts.app.sessions import Session, labels_of, visible
from purembts.app.steps import Shown
from purembts.loading import GAMES, as_typed, fields_of
from purembts.report import Facts

picture_facts = table_facts = encoded
"""A picture or a table as an object of JSON."""


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
    shown = encoded(Shown(setting, Session(turns)))
    return {
        **shown,
        "link": {**found._asdict(), "players": list(names.values())},
        "trouble": trouble,
        "usual_rules": {key: as_typed(each) for key, each in fields_of(game_of(usual)).items()},
        "players": [player_words(each) for each in names.values()],
    }


def meant(link: Mapping[str, Any], text: str) -> str:
    """The name of the move that a typed text means; a ValueError says which moves there are.

    It is a move of a person: other players make their own, and a person may not see theirs.
    """
    found = link_of(link)
    (game, _, persons, *_), turn = setting_of(found), turns_of(found)[-1]
    if turn.moves and turn.player not in persons:
        who = player_name(turn.player, persons)
        raise ValueError(f"A typed move must be that of a person; got the turn of {who}.")
    view = visible(game, turn)
    return labels_of(game, turn)[view.moves.index(move_meant(game, view, " ".join(text.split())))]
