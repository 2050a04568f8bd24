"""Monte Carlo simulation: what becomes of many random games."""

from __future__ import annotations

import builtins
import random
from collections.abc import Iterable
from functools import lru_cache, partial, reduce
from itertools import chain
from math import lcm
from typing import Generic, NamedTuple

from pyrsistent import PMap, pmap
from toolz import frequencies

from purembts.chance import Executor, Rng, map_chunks, repeatedly
from purembts.checks import a_seed, at_least_one
from purembts.game import DefaultPolicy, E, Game, S, check_game, checked_result, playout, positions
from purembts.records import NOTHING, Record, Scores, merge, tally
from purembts.variates import multinomial


def simulate(
    game: Game[S, E],
    state: S,
    n: int,
    rng: Rng = random,
    *,
    default_policy: DefaultPolicy[S, E] = playout,
) -> Record:
    """The record of n random games from `state`; its mean estimates their expected score."""
    at_least_one(n, "n")
    check_game(game, state)
    first = checked_result(game, state, default_policy(game, state, rng))
    others = repeatedly(n - 1, partial(default_policy, game, state, rng))
    return tally(chain([first], others))


def simulate_parallel(
    game: Game[S, E],
    state: S,
    n: int,
    *,
    seed: int | str,
    chunks: int,
    executor: Executor = builtins,
    default_policy: DefaultPolicy[S, E] = playout,
) -> Record:
    """The record of n random games, in chunks that `executor` may simulate side by side.

    It depends on (seed, n, chunks) alone, whatever the executor.
    """
    at_least_one(n, "n")
    chunk = partial(simulate, game, state, default_policy=default_policy)
    return reduce(merge, map_chunks(executor, chunk, n, seed=seed, chunks=chunks))


def remembered(
    game: Game[S, E], state: S, rng: Rng = random, *, samples: int, seed: int | str
) -> Scores:
    """How one of so many random games from `state` ends, which are played once each.

    It is a default policy once it is bound, `partial(remembered, samples=10, seed=7)`: what it
    draws from rng is which of the games, so that a position that is met again is not simulated
    again. `sample` remembers them.
    """
    return sample(game, state, int(rng.random() * at_least_one(samples, "samples")), a_seed(seed))


@lru_cache(maxsize=1 << 14)
def sample(game: Game[S, E], state: S, i: int, seed: int | str) -> Scores:
    """How random game i from `state` ends; `sample.cache_info()` tells how often it was known.

    It is a function of its arguments, by the generator `Random(f"{seed}/{i}/{position}")`, where
    the position is written as JSON has it.
    """
    position = game.json.encode(state) if game.json else state
    return playout(game, state, random.Random(f"{seed}/{i}/{position}"))


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


def flat(
    game: Game[S, E],
    state: S,
    n: int,
    rng: Rng = random,
    *,
    event: E | None = None,
    default_policy: DefaultPolicy[S, E] = playout,
) -> PMap[S, Record]:
    """A map from each move at `state` to its record of random games, n in all: flat Monte Carlo.

    The games are spread over the moves as evenly as can be. What comes back is a tree of the moves
    alone, for `mcts.learnt` and `mcts.move_table`. `event` is what chance has drawn, where there is
    chance.
    """
    at_least_one(n, "n")
    moves = game.moves(state, event)  # type: ignore[arg-type]
    games = [n // len(moves) + (i < n % len(moves)) for i in range(len(moves))]
    return pmap(
        {
            move: simulate(game, move, k, rng, default_policy=default_policy) if k else NOTHING
            for move, k in zip(moves, games, strict=True)
        }
    )


def simulate_crowd(game: Game[S, E], state: S, n: int, rng: Rng = random) -> Record:
    """The record of n random games from `state`, by the crowd: a record of the law of `simulate`.

    The games are not played one by one. At each position the number of games that come through is
    split among the events of chance, and among the moves, by multinomial draws. What it costs
    depends on the number of positions, not on n.
    """
    crowd = {state: at_least_one(n, "n")}
    ended: dict[Scores, int] = {}
    for position, ways, weights in _splits(game, state):
        here = crowd.pop(position, 0)
        if not here:
            continue
        *counts, over = multinomial(here, weights, rng)
        for way, games in zip(ways, counts, strict=True):
            crowd[way] = crowd.get(way, 0) + games
        if over:
            result = checked_result(game, position, game.result(position))
            ended[result] = ended.get(result, 0) + over
    return reduce(merge, (Record(k, tuple(k * s for s in end)) for end, k in ended.items()))


class _Split(NamedTuple, Generic[S]):
    """Where random games go from a position, and how likely; the last weight is that they end."""

    position: S
    ways: tuple[S, ...]
    weights: tuple[int, ...]


@lru_cache(maxsize=8)
def _splits(game: Game[S, E], state: S) -> tuple[_Split[S], ...]:
    """The splits of `state` and of all that can follow it, parents first."""
    return tuple(_split(game, position) for position in positions(game, state))[::-1]


def _split(game: Game[S, E], position: S) -> _Split[S]:
    events = [
        (game.moves(position, event), times)
        for event, times in frequencies(game.chances(position)).items()
    ]
    shares = lcm(*(len(moves) for moves, _ in events if moves))
    weights: dict[S, int] = {}
    for moves, times in events:
        for move in moves:
            weights[move] = weights.get(move, 0) + times * shares // len(moves)
    ends = shares * sum(times for moves, times in events if not moves)
    return _Split(position, tuple(weights), (*weights.values(), ends))
