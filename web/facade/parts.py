"""Thinking in short parts, on a fixed schedule: a page can stop it between any two parts.

The schedule follows from the game and the turn, and never from the clock. The parts have no effect
on the answer: the same dives and games are made with the same numbers, so the moves are those of
`purembts play` at a terminal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import Any

from facade.links import Link, setting_of, solved_of, start_of
from facade.scenes import table_facts
from purembts.app.players import player_called
from purembts.app.thinking import at_pace, growing
from purembts.game import Game, Turn
from purembts.mcts import Final
from purembts.players import Pace, Player, exact_player, turn_moves
from purembts.records import visits
from purembts.report import Facts
from purembts.tables import Table

# Tables


def sized_facts(table: Table) -> Facts:
    """A table as an object of JSON, with the importance of its columns.

    A narrow page hides the least important ones.
    """
    return {**table_facts(table), "importance": [each.importance for each in table.columns]}


def rule_of(final: Final) -> str:
    """The words for the way in which a player chooses among the moves of a tree."""
    most = "most visits" if final is visits else "best mean"
    return f"The move it would play: the one with the {most}."


# The schedule

LINES = 120_000
"""The lines of Python of one part. They take a browser from 10 to 30 milliseconds."""
COUNTED_DIVES = 4
"""The dives whose lines are counted."""
MOST = 2_000
"""The most dives or games of one part."""


def dives_of_part(game: Game[Any, Any], own: Turn[Any, Any]) -> int:
    """The number of dives in one part, as many as run about `LINES` lines of Python.

    The lines are counted in a few dives. A dive behind a view also deals the hidden cards and keeps
    persistent records, so its lines take about three times as long.

    >>> from purembts.game import turn_at
    >>> from purembts.games.mnk import gomoku, tic_tac_toe
    >>> first, second = (turn_at(game, game.start, None) for game in (tic_tac_toe, gomoku))
    >>> dives_of_part(tic_tac_toe, first) > 3 * dives_of_part(gomoku, second)
    True
    """
    lines = lines_of(lambda: next(growing(game, [COUNTED_DIVES], own, Random(0))))
    lines = max(1, lines * (3 if game.hidden else 1))
    return max(1, min(MOST, LINES * COUNTED_DIVES // lines))


def lines_of(work: Callable[[], object]) -> int:
    """The number of lines of Python that `work` runs, counted the second time it is called."""
    work()  # fills the caches of the game
    count = 0

    def trace(frame: object, event: str, argument: object) -> Any:  # noqa: ANN401, ARG001
        nonlocal count
        count += 1
        return trace

    with _traced(trace):
        work()
    return count


@contextmanager
def _traced(trace: Any) -> Iterator[None]:  # noqa: ANN401
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def split(k: int, parts: Iterable[int]) -> Iterator[int]:
    """`parts`, each split into parts of at most `k`.

    >>> list(split(40, [100, 20]))
    [40, 40, 20, 20]
    """
    for part in parts:
        yield from [k] * (part // k)
        if part % k:
            yield part % k


# Strategies


def player_in_parts(link: Link, own: Turn[Any, Any], text: str) -> tuple[Player, int]:
    """The player with the name `text`, who thinks in parts, and the number of dives or games.

    A name that no player has is a ValueError. So is a player who looks at the clock.
    """
    setting = setting_of(link)
    game = setting.game
    kind, _, amount = text.partition(":")
    if kind == "time":
        raise ValueError("A player in a page must not depend on the clock; choose uct:2000.")
    if kind == "perfect":
        return exact_player(solved_of(link).value), 0
    player = player_called(game, text, bound=setting.bound, start=start_of(link))
    n = int(float(amount or 0))
    k = dives_of_part(game, own) if n and len(turn_moves(own)) > 1 else 1
    return at_pace(player, partial(split, k)), n


def pace_of(game: Game[Any, Any], own: Turn[Any, Any]) -> Pace:
    """The pace of a search for hints: parts of the same size, and a smaller last one."""
    return lambda parts: split(dives_of_part(game, own), [sum(parts)])
