"""The exact values of a game, worked out in steps and kept while it is played."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from purembts.app.kinds import AnyGame, Position
from purembts.app.steps import Progress, counted
from purembts.exact import MOST_POSITIONS, is_solvable, solver
from purembts.positions import children
from purembts.report import Value

COUNTED, SOLVED = 400, 100
"""The positions that are counted, and those that are solved, in one step."""
QUICK = 6_000
"""The most positions that are solved while a person waits.

It takes less than a second, and a second or two in a browser.
"""


class Solved(NamedTuple):
    """The exact values of a game that were worked out so far. They become more."""

    game: AnyGame
    value: Value
    known: set[Position]
    """The positions whose exact values were worked out."""
    quick: dict[Position, bool]
    """The positions that were counted, and True for those that few positions follow."""


def nothing_solved(game: AnyGame) -> Solved:
    """A game of which no exact value was worked out yet."""
    return Solved(game, solver(game), set(), {})


def is_quickly_solved(solved: Solved, state: Position) -> bool:
    """True if the exact values of the positions from `state` on take a second or two."""
    if state not in solved.quick:
        solved.quick[state] = is_solvable(solved.game, state, QUICK)
    return state in solved.known or solved.quick[state]


def solving(solved: Solved, state: Position) -> Iterator[Progress]:
    """The progress of working out the exact values of the positions from `state` on.

    A game that is too large is a ValueError, at the position with which it becomes too large.
    """
    if solved.game.hidden:
        raise ValueError(too_large(solved.game))
    if state in solved.known:
        return
    found, todo = {state: None}, [state]
    for n in count():
        new = [child for child in children(solved.game, todo.pop()) if child not in found]
        found.update(dict.fromkeys(new))
        todo += new
        if len(found) > MOST_POSITIONS + 1:
            raise ValueError(too_large(solved.game))
        if n % COUNTED == 0:
            yield Progress("Positions found", len(found))
        if not todo:
            break
    for n, each in enumerate(reversed(found), 1):
        solved.value(each)
        if n % SOLVED == 0 or n == len(found):
            yield Progress("Positions solved", n, len(found))
    solved.known.update(found)


def too_large(game: AnyGame) -> str:
    """The sentence for a game that is not small."""
    if game.hidden:
        return f"{game.name} has no exact values and no perfect play, as it hides information."
    return (
        f"{game.name} is too large for exact values and for perfect play: "
        f"more than {MOST_POSITIONS:,} positions can follow."
    )


def check_solvable(game: AnyGame, start: Position, most: int) -> None:
    """Raise a ValueError if `game` hides information or is too large.

    More than `most` positions that can follow `start` are too many.
    """
    if game.hidden:
        raise ValueError(f"{game.name} hides information, so it has no exact values.")
    if not is_solvable(game, start, most):
        raise ValueError(
            f"{game.name} is too large to solve: more than {counted(most, 'position')} can follow. "
            "--most-positions N allows more, and --from POSITION begins nearer to the end."
        )
