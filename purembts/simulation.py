"""Monte Carlo simulation: the results of many random games, added up."""

from __future__ import annotations

from purembts.chance import Rng, random, repeatedly
from purembts.game import DefaultPolicy, E, Game, S, playout
from purembts.guards import explained
from purembts.records import Record, tally


@explained
def simulate(
    game: Game[S, E],
    state: S,
    n: int,
    rng: Rng = random,
    *,
    default_policy: DefaultPolicy[S, E] = playout,
) -> Record:
    """The record of `n` random games from `state`. Its mean estimates the expected score.

    `default_policy(game, state, rng)` is the result of one game. `fast.engine.simulate` is faster,
    and gives the same record.

    >>> from random import Random
    >>> from purembts.games.last_coin import last_coin, pile
    >>> simulate(last_coin(), pile(20), 1000, Random(7))
    Record(visits=1000, scores=(496, 504))
    """
    return tally(repeatedly(n, lambda: default_policy(game, state, rng)))
