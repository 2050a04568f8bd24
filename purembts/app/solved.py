"""The exact values of a game, worked out in steps and kept while it is played."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from purembts import exact
from purembts.app.kinds import AnyGame, Position
from purembts.app.steps import Progress
from purembts.positions import children
from purembts.report import Value

COUNTED, SOLVED = 400, 100
"""The positions that are counted, and those that are solved, in one step."""


class Solved(NamedTuple):
    """The exact values of a game that were worked out so far. They become more."""

    game: AnyGame
    value: Value
    known: set[Position]
    """The positions whose exact values were worked out."""
    solvable: dict[Position, bool]
    """The positions of which `exact.is_solvable` was asked, and its answers."""


def nothing_solved(game: AnyGame) -> Solved:
    """A game of which no exact value was worked out yet."""
    return Solved(game, exact.solver(game), set(), {})


def can_be_solved(solved: Solved, state: Position) -> bool:
    """True if `exact.is_solvable`, which is asked once for each position."""
    if state not in solved.solvable:
        solved.solvable[state] = exact.is_solvable(solved.game, state)
    return solved.solvable[state]


def solving(solved: Solved, state: Position) -> Iterator[Progress]:
    """The progress of working out the exact values of the positions from `state` on.

    A game that is too large is a ValueError, at the position with which it becomes too large.
    """
    if solved.game.hidden:
        raise exact.not_solvable(solved.game)
    if state in solved.known:
        return
    found, todo = {state: None}, [state]
    for n in count():
        new = [child for child in children(solved.game, todo.pop()) if child not in found]
        found.update(dict.fromkeys(new))
        todo += new
        if len(found) > exact.MOST_POSITIONS + 1:
            raise exact.not_solvable(solved.game)
        if n % COUNTED == 0:
            yield Progress("Positions found", len(found))
        if not todo:
            break
    for n, each in enumerate(reversed(found), 1):
        solved.value(each)
        if n % SOLVED == 0 or n == len(found):
            yield Progress("Positions solved", n, len(found))
    solved.known.update(found)
