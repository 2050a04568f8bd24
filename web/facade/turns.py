"""The turn at the end of a link, as a page shows it, and the moves that a person types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from facade.links import OWN, game_in, good_turns, link_of, players_in, setting_in, turns_in
from purembts.app.encoded import turn_facts
from purembts.app.positions import labels_of, visible
from purembts.app.sentences import move_meant
from purembts.loading import as_typed, fields_of
from purembts.play import player_name
from purembts.report import Facts


def turn(link: Mapping[str, Any]) -> Facts:
    """The last turn of a game, and what follows from the link alone.

    A wrong move and those after it are left out, and the `trouble` is the reason. A link without a
    game, or with a wrong start or a wrong player, is a ValueError.
    """
    whole = link_of(link)
    turns, trouble = good_turns(whole)
    game, usual = game_in(whole), fields_of(game_in(whole._replace(rules=())))
    players, moves = tuple(players_in(whole).values()), whole.moves[: len(turns) - 1]
    return {
        **turn_facts(setting_in(whole), turns),
        "link": whole._replace(players=players, moves=moves)._asdict(),
        "can_solve": not game.hidden and (game.is_small or whole.game == OWN),
        "usual_rules": {key: as_typed(value) for key, value in usual.items()},
        "trouble": trouble,
    }


def move_in_text(link: Mapping[str, Any], text: str) -> str:
    """The name of the move that a typed text means; a ValueError says which moves there are.

    It is a move of a person: other players make their own, and a person may not see theirs.
    """
    whole = link_of(link)
    setting, now = setting_in(whole), turns_in(whole)[-1]
    if now.moves and now.player not in setting.persons:
        who = player_name(now.player, setting.persons).capitalize()
        raise ValueError(f"A typed move must be that of a person; got the turn of {who}.")
    view = visible(setting.game, now)
    move = move_meant(setting.game, view, " ".join(text.split()))
    return labels_of(setting.game, now)[view.moves.index(move)]
