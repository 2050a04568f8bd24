"""A player who thinks, hints, and the costs of choices: knowledge that takes time, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from facade.links import game_of, link_of, playing, setting_of, turns_of
from purembts.app.encoded import encoded
from purembts.app.hints import KINDS, LOST, is_lost, kinds_of
from purembts.app.hints import costs as costs_of
from purembts.app.kinds import AnyTurn
from purembts.app.players import hint_dives
from purembts.app.sessions import HINT_DIVES, Session, Setting, visible
from purembts.app.steps import Belief, Moved, Progress, Question, Said, Shown, Step
from purembts.app.turns import one_turn
from purembts.exact import is_solvable
from purembts.records import Tree
from purembts.report import Facts
from purembts.tables import Table


def _is_drawn(view: AnyTurn, n: int, tree: Tree[Any]) -> bool:
    """True for the trees that are drawn, as a picture may take longer than a short step.

    They are fewer with many moves to draw, and with a large tree, whose report takes long.
    """
    return n % (2 + len(view.moves) // 10 + len(tree) // 5_000) == 0


def _steps(setting: Setting, session: Session, width: float | None) -> Iterator[tuple[Step, Facts]]:
    """The steps of the last turn, each with its JSON, up to the question to a person."""
    shown, view = None, visible(setting.game, session.turns[-1])
    for step in one_turn(setting, session, due=partial(_is_drawn, view)):
        if isinstance(step, Question):
            return
        shown = step if isinstance(step, Shown) else shown
        yield step, {} if isinstance(step, Shown) else encoded(step, shown, width)


# A strategy


def think(link: Mapping[str, Any], width: float | None = None) -> Iterator[Facts]:
    """The thoughts of the strategy whose turn it is; the last one has its `move`.

    Each has the number of dives that are `done`, `of` how many. Some have a `picture` of the board.
    Where people play behind views, the thoughts would show cards, so they have numbers alone.
    """
    found = link_of(link)
    setting, turns = playing(found), turns_of(found)
    is_secret = setting.game.hidden is not None and bool(setting.persons)
    if not setting.players or not turns[-1].moves:
        raise ValueError("`link` must be at the turn of a strategy; got another position.")
    last: Facts = {}
    for step, facts in _steps(setting, Session(turns), width):
        if isinstance(step, Progress) and step.unit == "positions":
            yield _progress_facts(step)
        elif isinstance(step, Progress):
            last = {"done": step.done, "of": step.of or 0, "unit": step.unit}
            yield {**facts, **last, "is_secret": is_secret}
        elif isinstance(step, Moved):
            yield {**facts, **last, "is_secret": is_secret}


def _progress_facts(step: Progress) -> Facts:
    """The progress of a search as numbers of dives or games, and of other work in words."""
    if step.label == "Hints":
        return {"done": step.done, "of": step.of, "unit": step.unit}
    of = "" if step.of is None else f" of {step.of:,}"
    return {"told": f"{step.label}: {step.done:,}{of}"}


# Hints

_HINTS_OF = (1_000, 10_000, 100_000)
"""The numbers of dives for hints of a search in most games; see `hint_dives`."""
_LATE = 16
"""The empty squares of a board from which on exact values may become possible."""


def kinds(link: Mapping[str, Any]) -> Facts:
    """The kinds of hints for the last turn of a link with their meanings, and the usual one.

    Exact values are offered where the game is small enough from here on. On a board with at most
    `late` empty squares, a page asks again. `dives` has the number of dives that this game makes
    for each of `_HINTS_OF`. The `note` says if the game begins with a position that is lost for the
    only person.
    """
    found = link_of(link)
    game, turn, persons = game_of(found), turns_of(found)[-1], setting_of(found).persons
    is_first = not found.moves and len(persons) == 1
    exact = is_solvable(game, turn.state)
    return {
        "kinds": [
            {"kind": kind, "meaning": KINDS[kind]}
            for kind in kinds_of(game)
            if exact or kind != "exact"
        ],
        "usual": "exact" if exact else "tree",
        "late": _LATE,
        "dives": {dives: hint_dives(game, dives) for dives in _HINTS_OF},
        "note": LOST if is_first and is_lost(game, turn, min(persons)) else "",
    }


def hints(
    link: Mapping[str, Any], kind: str, dives: int = HINT_DIVES, width: float | None = None
) -> Iterator[Facts]:
    """The hints of a kind for the person to move, again and again while a search goes on.

    Steps have `rows`, with the text to put beside each move. The last one has all pictures.
    """
    found = link_of(link)
    setting, turns = setting_of(found)._replace(dives=dives), turns_of(found)
    if not turns[-1].moves or turns[-1].player not in setting.persons:
        raise ValueError("`link` must be at the turn of a person; got another position.")
    if kind not in kinds_of(setting.game):
        right = ", ".join(kinds_of(setting.game))
        raise ValueError(f"`kind` must be one of {right}; got {kind}.")
    if len(turns[-1].moves) == 1 and kind != "none":
        yield {"told": "There is only one move."}
        return
    for step, facts in _steps(setting, Session(turns, kind), width):
        if isinstance(step, Progress):
            yield {**facts, **_progress_facts(step)}
        elif isinstance(step, Belief):
            yield {**({"told": ""} if kind == "exact" else {}), **facts}
        elif isinstance(step, Said) and step.lines:
            raise ValueError(step.lines[0].removesuffix(" The hints end here."))


# The cost of choices


def costs(link: Mapping[str, Any]) -> Iterator[Facts]:
    """The cost of each choice of the people in a game so far, the last first.

    Each step has the number of `choices` that are done, of `of_choices`. A step after a choice has
    the `table` of all that are known.
    """
    found = link_of(link)
    done: Facts = {}
    for step in costs_of(setting_of(found), turns_of(found)):
        if isinstance(step, Progress) and step.unit == "choices":
            done = {"choices": step.done, "of_choices": step.of}
            yield done
        elif isinstance(step, Progress):
            yield {**done, **_progress_facts(step)}
        elif isinstance(step, Table):
            done["choices"] += 1
            yield {**done, "table": encoded(step)}
