"""Knowledge of good play as a transformation of a game, which every search can then use.

`narrowed` leaves moves out, and `informed` changes the random games. The rules stay as they were,
and no search knows of either. The value of a narrowed game is no bound on that of the game: a best
move may be one of those that are left out, for either side.

Knowledge belongs to the functions that it was made for. So derive a game first, by `_replace`, and
then narrow it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from purembts.chance import Rng
from purembts.fast.links import alike
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    Policy,
    S,
    functions_of,
    playout,
    turn_at,
    with_playout,
)
from purembts.guards import explained
from purembts.records import Scores


@explained
def narrowed(game: Game[S, E], consider: Policy[S, E]) -> Game[S, E]:
    """`game` with the moves that `consider` answers for each turn, in its order.

    If it answers with none, all moves stay. It is not asked about a single move. Random games are
    those of `game`, with all its moves.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> coins = narrowed(last_coin(), lambda turn: turn.moves[-1:])
    >>> coins.moves(Pile(9), None)
    (Pile(coins=7, player=1),)
    """
    narrow = game._replace(moves=partial(_considered, game, consider))
    return with_playout(narrow, partial(_random_game, game), is_uniform=False)


def _considered(game: Game[S, E], consider: Policy[S, E], state: S, event: E) -> Sequence[S]:
    """The moves at `state` after `event` that `consider` keeps."""
    turn = turn_at(game, state, event)
    return turn.moves if len(turn.moves) < 2 else consider(turn) or turn.moves


def _random_game(game: Game[S, E], narrow: Game[S, E], state: S, rng: Rng) -> Scores:  # noqa: ARG001
    """The result of a random game of `game`, which has all moves."""
    return playout(game, state, rng)


@explained
def informed(game: Game[S, E], play: DefaultPolicy[S, E]) -> Game[S, E]:
    """`game` with random games by `play`, a policy that knows more of good play.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> playout(informed(last_coin(), lambda game, pile, rng: (0.5, 0.5)), Pile(9))
    (0.5, 0.5)
    """
    return game._replace(playout=play)


def plays_like(game: Game[S, E], other: Game[S, E]) -> bool:
    """True if `game` has the functions, the rules and the range of scores of `other`."""
    return alike(functions_of(game), functions_of(other))


def guess(share: float, player: int, rng: Rng) -> Scores:
    """The scores of two players, where `player` has `share` of 1, changed a little by a draw.

    Without the draw, a search by guesses would play the same game again and again.
    """
    score = share + _NOISE * (rng.random() - share)
    return (1 - score, score) if player else (score, 1 - score)


_NOISE = 0.05
"""The largest change of a guess."""
