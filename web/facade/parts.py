"""Thinking in short parts, on a fixed schedule: a page can stop it between any two parts.

The schedule follows from the game and the turn, and never from the clock. The parts have no effect
on the answer: the same dives and games are made with the same numbers, so the moves are those of
`purembts play` at a terminal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from facade.links import Link, game_of, start_of
from facade.scenes import table_facts
from purembts.app.players import player_called
from purembts.app.sitting import QUICK
from purembts.app.thinking import at_pace, bound_at, growing, too_large
from purembts.bounds import AnyBound
from purembts.exact import MOST_POSITIONS, is_solvable, solver
from purembts.game import Game, Turn
from purembts.mcts import Final
from purembts.players import Player, exact_player, turn_moves
from purembts.positions import children
from purembts.records import visits
from purembts.report import Facts, Value
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


def bound_of(link: Link) -> AnyBound:
    """The bound of searches that a terminal uses for the game of `link`."""
    return bound_at(link.game, game_of(link))


def player_in_parts(link: Link, own: Turn[Any, Any], text: str) -> tuple[Player, int]:
    """The player with the name `text`, who thinks in parts, and the number of dives or games.

    A name that no player has is a ValueError. So is a player who looks at the clock.
    """
    game = game_of(link)
    kind, _, amount = text.partition(":")
    if kind == "time":
        raise ValueError("A player in a page must not depend on the clock; choose uct:2000.")
    if kind == "perfect":
        return exact_player(exact_of(link).value), 0
    player = player_called(game, text, bound=bound_of(link), start=start_of(link))
    n = int(float(amount or 0))
    k = dives_of_part(game, own) if n and len(turn_moves(own)) > 1 else 1
    return at_pace(player, partial(split, k)), n


# Exact values

COUNTED, SOLVED = 400, 100
"""The positions that are counted, and those that are solved, in one part."""


class Exact(NamedTuple):
    """The exact values of a game that a page has worked out."""

    value: Value
    known: set[Any]
    """The positions whose exact values were worked out."""
    quick: dict[Any, bool]
    """The positions that were counted, and True for those that few positions follow."""


def exact_of(link: Link) -> Exact:
    """The exact values of the game of `link`."""
    return _exact(link._replace(moves=(), players=(), start="", seed=0))


@lru_cache(maxsize=4)
def _exact(link: Link) -> Exact:
    return Exact(solver(game_of(link)), set(), {})


def is_quickly_solved(link: Link, state: Any) -> bool:  # noqa: ANN401
    """True if the exact values of the positions from `state` on take a second or two."""
    exact = exact_of(link)
    if state not in exact.quick:
        exact.quick[state] = is_solvable(game_of(link), state, QUICK)
    return state in exact.known or exact.quick[state]


def solving(link: Link, state: Any) -> Iterator[str]:  # noqa: ANN401
    """The progress of working out the exact values from `state` on, in words.

    A game that is too large is a ValueError, at the position with which it becomes too large.
    """
    game, exact = game_of(link), exact_of(link)
    if game.hidden:
        raise ValueError(too_large(game))
    if state in exact.known:
        return
    found = {state: None}
    for n, _ in enumerate(_positions(game, found, state)):
        if n % COUNTED == 0:
            yield f"{len(found):,} positions are found so far."
    last_first = reversed(found)
    while some := list(islice(last_first, SOLVED)):
        for each in some:
            exact.value(each)
        yield f"{len(found):,} positions are being solved."
    exact.known.update(found)


def _positions(game: Game[Any, Any], found: dict[Any, None], state: Any) -> Iterator[None]:  # noqa: ANN401
    """Put the positions that follow `state` into `found`, those of one position in each step."""
    todo = [state]
    while todo:
        for child in children(game, todo.pop()):
            if child not in found:
                found[child] = None
                todo.append(child)
        if len(found) > MOST_POSITIONS + 1:
            raise ValueError(too_large(game))
        yield
