"""Monte Carlo simulation: what becomes of many random games."""

import random
from collections.abc import Iterable
from functools import partial

from pyrsistent import PMap, pmap

from purembts.chance import Rng, repeatedly
from purembts.checks import at_least_one
from purembts.game import DefaultPolicy, E, Game, S, playout
from purembts.records import Record, tally


def simulate(
    game: Game[S, E],
    state: S,
    n: int,
    rng: Rng = random,
    *,
    default_policy: DefaultPolicy[S, E] = playout,
) -> Record:
    """The record of n random games from `state`; its mean estimates their expected score."""
    return tally(repeatedly(at_least_one(n, "n"), partial(default_policy, game, state, rng)))


def look_up_table(
    game: Game[S, E],
    states: Iterable[S],
    n: int,
    rng: Rng = random,
    *,
    default_policy: DefaultPolicy[S, E] = playout,
) -> PMap[S, Record]:
    """A map from each of `states` to the record of n random games from there."""
    return pmap(
        {state: simulate(game, state, n, rng, default_policy=default_policy) for state in states}
    )
