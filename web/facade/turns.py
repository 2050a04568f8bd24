"""The turn at the end of a link in steps, the kinds of its hints, and the costs of choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import takewhile
from typing import Any

from facade.links import OWN, Link, game_in, good_turns, link_of, players_in, setting_in, turns_in
from purembts.app.encoded import encoded
from purembts.app.hints import HINTS, LOST, cost_table, costs, is_lost, kinds_of
from purembts.app.players import hint_dives, player_called, player_words
from purembts.app.positions import labels_of, visible
from purembts.app.sentences import move_meant
from purembts.app.sessions import HINT_DIVES, Session, Setting, Turns
from purembts.app.steps import Progress, Question, Shown, Step
from purembts.app.turns import one_turn
from purembts.exact import check_solvable, is_solvable
from purembts.loading import GAMES, as_typed, fields_of
from purembts.play import player_name
from purembts.records import Tree
from purembts.report import Facts

_OFFERS = (1_000, 10_000, 100_000)
"""The numbers of dives for hints of a search in most games; see `hint_dives`."""
_LATE = 16
"""The empty squares of a board from which on exact values may become possible."""


def games() -> list[Facts]:
    """The games by their names, each with its title."""
    return [
        {
            "game": name,
            "title": game_in(Link(name)).name,
            "is_more": name in _MORE,
            **_STARTS.get(name, {}),
        }
        for name in GAMES
    ]


_MORE = ("simple-shut-the-box", "mnk")
"""The games that a page offers behind the others."""
_STARTS = {"coins": {"start": "20"}}
"""First positions that the player who begins can win, where the usual one is lost."""


def turn(
    link: Mapping[str, Any],
    hints: str = "none",
    dives: int = HINT_DIVES,
    width: float | None = None,
) -> Iterator[Facts]:
    """The last turn of a game, and then hints of a kind for a person, or the move of a strategy.

    A wrong move and those after it are left out, and the `trouble` is the reason. A link without a
    game, or with a wrong start or a wrong player, is a ValueError. `width` is that of the pictures
    of moves inside their margins.
    """
    whole = link_of(link)
    turns, trouble = good_turns(whole)
    setting, scene = setting_in(whole)._replace(dives=dives), None
    for step in _turn_steps(setting, turns, hints):
        if isinstance(step, Shown):
            scene = step
            facts = {**encoded(step), **_link_facts(whole, len(turns) - 1), "trouble": trouble}
        else:
            facts = encoded(step, scene, width)
        yield facts


def _link_facts(link: Link, moves: int) -> Facts:
    """The facts that follow from a link alone, of which the first moves are good."""
    names, usual = players_in(link).values(), fields_of(game_in(link._replace(rules=())))
    game = game_in(link)
    return {
        "link": link._replace(players=tuple(names), moves=link.moves[:moves])._asdict(),
        "players": [player_words(name, game) for name in names],
        "can_solve": not game.hidden and (game.is_small or link.game == OWN),
        "usual_rules": {key: as_typed(value) for key, value in usual.items()},
    }


def _turn_steps(setting: Setting, turns: Turns, hints: str) -> Iterator[Step]:
    """The steps of the last turn, up to a question: a person answers with one more move.

    Perfect play is a ValueError after the first step if too many positions can follow.
    """
    now, game, name = turns[-1], setting.game, setting.names.get(turns[-1].player, "")
    if now.moves and now.player not in setting.persons:
        value = setting.value
        player = player_called(game, name, bound=setting.bound, value=value)
        setting = setting._replace(players={now.player: player})
    steps = one_turn(setting, Session(turns, hints), due=partial(_is_due, len(now.moves)))
    yield next(steps)
    if now.moves and name == "perfect":
        check_solvable(game, now.state)
    yield from takewhile(lambda step: not isinstance(step, Question), steps)


def _is_due(moves: int, n: int, tree: Tree[Any]) -> bool:
    """True for the trees that are drawn, as a picture may take longer than a short step.

    They are fewer with many moves to draw, and with a large tree, whose report takes long.
    """
    return n % (2 + moves // 10 + len(tree) // 5_000) == 1


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


def kinds(link: Mapping[str, Any]) -> Facts:
    """The kinds of hints for the last turn of a link with their meanings, and the usual one.

    Exact values are offered where the game is small enough from here on. On a board with at most
    `late` empty squares, a page asks again. `dives` has the number of dives that this game makes
    for each of `_OFFERS`. The `note` says if the game begins with a position that is lost for the
    only person.
    """
    whole = link_of(link)
    game, now, persons = game_in(whole), turns_in(whole)[-1], setting_in(whole).persons
    is_first, is_exact = not whole.moves and len(persons) == 1, is_solvable(game, now.state)
    names = [kind for kind in kinds_of(game) if is_exact or kind != "exact"]
    return {
        "kinds": [{"kind": kind, "meaning": HINTS[kind]} for kind in names],
        "usual": "exact" if is_exact else "tree",
        "late": _LATE,
        "dives": {dives: hint_dives(game, dives) for dives in _OFFERS},
        "note": LOST if is_first and is_lost(game, now, min(persons)) else "",
    }


def choice_costs(link: Mapping[str, Any]) -> Iterator[Facts]:
    """The steps to the cost of each choice of the people in a game so far, the last first.

    After each choice, there is the table of all costs that are known.
    """
    whole = link_of(link)
    for step in costs(setting_in(whole), turns_in(whole)):
        yield encoded(step)
        if isinstance(step, Progress) and step.so_far:
            yield encoded(cost_table(game_in(whole), step.so_far))  # type: ignore[arg-type]
