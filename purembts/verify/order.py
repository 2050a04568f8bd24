"""The order of moves and events in another process, where the hashes of texts are others.

A set of texts has another order there, so moves in the order of such a set change from day to day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any

from purembts.chance import pick
from purembts.checks import brief
from purembts.fast.links import FEW_EVENTS
from purembts.game import Game, first_position

LAW = "same in each process"
ADVICE = "Give moves and events an order of their own: sorted(...) of a set, for example."
GAMES, MOST = 10, 300
"""The random games that are compared, and the most of their turns."""
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def random_turns(game: Game[Any, Any], seed: int) -> Iterator[dict[str, Any]]:
    """The turns of random games: the moves so far, and the events and moves as pairs.

    A pair has a text for the whole value, and its name for a person.
    """
    for number in range(GAMES):
        rng = Random(f"{seed}/{number}")
        state, labels = first_position(game, rng), list[str]()
        for _ in range(MOST // GAMES):
            events = game.chances(state)
            event = pick(events, rng)
            moves = game.moves(state, event)
            pairs = {
                "events": [(str(_plain(one)), str(one)) for one in islice(events, FEW_EVENTS)],
                "moves": [(str(_plain(move)), label_of(game, state, move)) for move in moves],
            }
            yield {"line": labels, **pairs}
            if not moves:
                break
            after = pick(moves, rng)
            labels, state = [*labels, label_of(game, state, after)], after


def verdict(
    first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The verdict on the turns of two processes, with the fields of `checking.Verdict`."""
    facts = {"law": LAW, "status": "kept", "cases": len(first)}
    facts |= {"message": "", "line": [], "advice": ""}
    for one, other in zip(first, second, strict=False):
        for kind in ("events", "moves"):
            if [text for text, _ in one[kind]] != [text for text, _ in other[kind]]:
                names = (", ".join(name for _, name in turn[kind]) for turn in (one, other))
                why = f"In two processes, the {kind} are {' and '.join(map(brief, names))}."
                broken = {"status": "broken", "message": why, "line": one["line"]}
                return {**facts, **broken, "advice": ADVICE}
    return facts


def label_of(game: Game[Any, Any], before: object, after: object) -> str:
    """The name of a move; the position that it leads to, if the game has no name for it."""
    with suppress(Exception):
        return str(game.display.label(before, after))
    return brief(after)


def _plain(value: Any) -> Any:  # noqa: ANN401
    """`value` in a form whose text depends on its content alone: sets are sorted by their texts."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return sorted(str(_plain(part)) for part in value.items())
    if isinstance(value, AbstractSet):
        return sorted(str(_plain(part)) for part in value)
    if isinstance(value, Sequence):
        return [_plain(part) for part in value]
    if type(value).__module__ == "builtins":
        return _ADDRESS.sub("", repr(value))
    return [type(value).__name__, _plain(value.__reduce_ex__(2)[1:3])]
