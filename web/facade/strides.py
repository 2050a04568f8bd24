"""The dives of a short step: a page can stop long work between any two steps.

Their number follows from the game, and never from the clock. It has no effect on what a player
thinks: the same dives and games are made with the same numbers, so the moves are those of
`purembts play` at a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from random import Random

from facade.links import Link, game_of, start_of
from purembts.app.lessons import marks_of, steps_of
from purembts.chance import pick
from purembts.game import E, Game, S, draw_turn, endless
from purembts.players import Pace

MOST = 1_000
"""The most dives of a step."""
WORK = 10_000
"""The turns of the random games in a step, which take about 30 milliseconds at most."""
VIEW = 6
"""The work of a dive behind a view, which deals the hidden cards too, beside another dive."""


@lru_cache(maxsize=8)
def stride_of(link: Link) -> int:
    """The dives of a step: a round number that follows from some random games.

    A game without a fast form of random play lists all moves of each turn, so they count.
    """
    game, start = game_of(link), start_of(link)
    rng, games = Random(0), 3
    work = sum(_work_of_game(game, start, rng) for _ in range(games))
    return marks_of(max(1, min(MOST, games * WORK // max(work, 1))))[-1]


def _work_of_game(game: Game[S, E], start: S, rng: Random) -> int:
    """The turns and moves of a random game; a ValueError if it does not end."""
    turn, work = draw_turn(game, start, rng), 0
    for _ in range(game.max_turns):
        if not turn.moves:
            return work
        work += 1 if game.playout or game.is_small else 1 + len(turn.moves)
        turn = draw_turn(game, pick(turn.moves, rng), rng)
    raise endless(game, turn.state)


def pace_of(link: Link) -> Pace:
    """The pace of a player in the game of a link: each number of dives is made in short steps."""
    stride = stride_of(link._replace(moves=(), players=()))
    return partial(split, max(1, stride // VIEW) if game_of(link).hidden else stride)


def split(most: int, sizes: Iterable[int]) -> Iterator[int]:
    """`sizes`, each split into parts of at most `most`.

    >>> list(split(40, [100, 20]))
    [40, 40, 20, 20]
    """
    return (part for size in sizes for part in steps_of(size, most))
