"""Monte Carlo simulation: the results of many random games, added up."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial, reduce
from itertools import chain, repeat, starmap

from pyrsistent import PMap, pmap

from purembts.chance import Rng, random
from purembts.checks import an_rng, at_least_one, brief
from purembts.executors import Executor, map_chunks
from purembts.fast.compiled import compiled_results
from purembts.fast.links import fast_policy
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    S,
    check_game,
    checked_moves,
    checked_result,
    playout,
)
from purembts.records import NOTHING, Record, merge, tally_counts


def simulate(
    game: Game[S, E],
    state: S,
    n: int,
    rng: Rng = random,
    *,
    default_policy: DefaultPolicy[S, E] = playout,
) -> Record:
    """The record of `n` random games from `state`. Its mean estimates the expected score."""
    check_game(game, state)
    n = at_least_one(n, "n")
    an_rng(rng)
    policy = fast_policy(game, default_policy)
    if compiled := compiled_results(game, policy, state, n, rng):
        return tally_counts(compiled)
    first = checked_result(game, state, policy(game, state, rng))
    results = Counter(chain([first], starmap(policy, repeat((game, state, rng), n - 1))))
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
    n = at_least_one(n, "n")
    chunk = partial(simulate, game, state, default_policy=default_policy)
    return reduce(merge, map_chunks(executor, chunk, n, seed=seed, chunks=chunks))


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
    tree with only the moves, for `mcts.learnt` and `report.report`.
    """
    games = at_least_one(games, "games")
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
