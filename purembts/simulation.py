"""Monte Carlo simulation: the results of many random games, added up."""

from __future__ import annotations

import builtins
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial, reduce
from itertools import chain, islice
from typing import Generic, NamedTuple

from pyrsistent import PMap, pmap

from purembts.chance import Executor, Rng, map_chunks, repeatedly
from purembts.checks import a_seed, an_rng, at_least_one, brief, whole_number
from purembts.fast.links import (
    Position,
    Ways,
    linked,
    linked_playout,
    linked_results,
    links_of,
    shares,
    walk,
    weighted,
)
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    S,
    check_game,
    checked_moves,
    checked_result,
    playout,
    result_of,
)
from purembts.records import NOTHING, Record, Scores, merge, tally_counts
from purembts.variates import multinomial


def simulate(
    game: Game[S, E],
    state: S,
    n: int,
    rng: Rng = random,
    *,
    default_policy: DefaultPolicy[S, E] = playout,
) -> Record:
    """The record of `n` random games from `state`. Its mean estimates the expected score."""
    at_least_one(n, "n")
    check_game(game, state)
    an_rng(rng)
    first = checked_result(game, state, default_policy(game, state, rng))
    if default_policy is playout and game.playout is linked_playout:
        others = linked_results(game, state, rng)
    else:
        others = repeatedly(partial(default_policy, game, state, rng))
    results = Counter(chain([first], islice(others, n - 1)))
    for result in results:
        checked_result(game, state, result)
    return tally_counts(results)


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
    """The record of `n` random games, in chunks that `executor` may simulate side by side.

    It depends on (seed, n, chunks) alone, not on the executor.
    """
    at_least_one(n, "n")
    chunk = partial(simulate, game, state, default_policy=default_policy)
    return reduce(merge, map_chunks(executor, chunk, n, seed=seed, chunks=chunks))


def remembered(
    game: Game[S, E], state: S, rng: Rng = random, *, samples: int, seed: int | str
) -> Scores:
    """The result of one of `samples` random games from `state`. Each game is played only once.

    `rng` draws the number of the game, and `sample` keeps its result.
    `partial(remembered, samples=10, seed=7)` is a default policy.
    """
    i = int(rng.random() * at_least_one(samples, "samples"))
    return sample(game, state, i, seed=a_seed(seed))


@lru_cache(maxsize=1 << 14)
def sample(game: Game[S, E], state: S, i: int, *, seed: int | str) -> Scores:
    """The result of random game number `i` from `state`. The last 16,384 results are kept.

    It is a function of its arguments: the game draws from `Random(f"{seed}/{i}/{position}")`, where
    the position is the JSON value of `state`. A game without `json` is a ValueError, because equal
    positions can have different texts. `sample.cache_info()` counts the results that were kept.
    """
    if game.json is None:
        raise ValueError(
            f"{game.name} must have `json`, so that equal positions have equal samples; got None."
        )
    whole_number(i, "i", 0)
    position = game.json.encode(state)
    return playout(game, state, random.Random(f"{a_seed(seed)}/{i}/{position}"))


def look_up_table(
    game: Game[S, E],
    states: Iterable[S],
    n: int,
    rng: Rng = random,
    *,
    default_policy: DefaultPolicy[S, E] = playout,
) -> PMap[S, Record]:
    """A map from each of `states` to the record of `n` random games from it."""
    return pmap(
        {state: simulate(game, state, n, rng, default_policy=default_policy) for state in states}
    )


def flat(
    game: Game[S, E],
    state: S,
    games: int,
    rng: Rng = random,
    *,
    event: E | None = None,
    default_policy: DefaultPolicy[S, E] = playout,
) -> PMap[S, Record]:
    """A map from each move at `state` to its record of random games: flat Monte Carlo.

    The number of `games` is that of all moves together, and each move gets as many as any other, or
    one more. `event` is the event that was drawn; in a game without chance it is None. The map is a
    tree with only the moves, for `mcts.learnt` and `mcts.move_table`.
    """
    at_least_one(games, "games")
    check_game(game, state)
    moves = _moves_after(game, state, event)
    each, more = divmod(games, len(moves))
    return pmap(
        {
            move: simulate(game, move, k, rng, default_policy=default_policy) if k else NOTHING
            for i, move in enumerate(moves)
            for k in (each + (i < more),)
        }
    )


def _moves_after(game: Game[S, E], state: S, event: E | None) -> Sequence[S]:
    """The moves at `state` after `event`; a ValueError if there are none."""
    events = game.chances(state)
    for drawn in events:
        if drawn == event:
            moves = checked_moves(game, state, drawn)
            break
    else:
        raise ValueError(
            f"`event` must be an event of {game.name} at {brief(state)}, "
            f"for example event={brief(events[0])}; got {brief(event)}."
        )
    if not moves:
        raise ValueError(
            f"`state` must be a position with moves; got {brief(state)}, "
            f"where {game.name} has ended after the event {brief(event)}."
        )
    return moves


def simulate_crowd(game: Game[S, E], state: S, n: int, rng: Rng = random) -> Record:
    """The record of `n` random games from `state`, with the same distribution as `simulate`.

    The games are not played one by one. At each position the number of games that reach it is split
    among the events of chance and among the moves, by multinomial draws. The time depends on the
    number of positions, not on `n`.
    """
    at_least_one(n, "n")
    ended: dict[Scores, int] = {}
    splits = _splits(game, state)
    crowd = {splits[0].position: n}
    for position, ways, weights in splits:
        here = crowd.pop(position, 0)
        if not here:
            continue
        *counts, over = multinomial(here, weights, rng)
        for way, games in zip(ways, counts, strict=True):
            crowd[way] = crowd.get(way, 0) + games
        if over:
            result = result_of(game, position.state)
            ended[result] = ended.get(result, 0) + over
    return tally_counts(ended)


class _Split(NamedTuple, Generic[S, E]):
    """The ways that random games can take from a position."""

    position: Position[S, E]
    ways: tuple[Position[S, E], ...]
    """The positions one move away."""
    weights: tuple[int, ...]
    """The weight of each way, proportional to its probability; the last one is for the end."""


@lru_cache(maxsize=8)
def _splits(game: Game[S, E], state: S) -> tuple[_Split[S, E], ...]:
    """The splits of `state` and of all positions that can follow it, parents first."""
    links, after = links_of(game), partial(weighted, game)
    walked = walk(links, linked(links, state), after)
    return tuple([_split(position, shares(after(position))) for position in walked])[::-1]


def _split(position: Position[S, E], weights: dict[Ways[S, E], int]) -> _Split[S, E]:
    ends = weights.pop((), 0)
    ways = tuple([way for way in weights if isinstance(way, Position)])
    return _Split(position, ways, (*weights.values(), ends))
