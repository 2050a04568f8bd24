"""Monte Carlo simulation: the results of many random games, added up."""

from __future__ import annotations

import builtins
from collections import Counter
from functools import partial, reduce
from itertools import repeat, starmap

from purembts.chance import Rng, random
from purembts.checks import an_rng, at_least_one
from purembts.executors import Executor, map_chunks
from purembts.fast.compiled import compiled_results, speed_of, timed
from purembts.fast.links import fast_policy
from purembts.fast.words import record_in_words, speed_in_words, word_form
from purembts.game import DefaultPolicy, E, Game, S, check_game, checked_result, playout
from purembts.records import Record, Scores, merge, tally


def simulate(
    game: Game[S, E],
    state: S,
    n: int,
    rng: Rng = random,
    *,
    default_policy: DefaultPolicy[S, E] = playout,
    total: int = 0,
) -> Record:
    """The record of `n` random games from `state`. Its mean estimates the expected score.

    `default_policy(game, state, rng)` is the result of one game. The `total` of the games that are
    wanted, if other calls follow, makes no difference but that of speed.
    """
    check_game(game, state)
    n = at_least_one(n, "n")
    an_rng(rng)
    policy = fast_policy(game, default_policy)
    results = Counter([checked_result(game, state, policy(game, state, rng))])
    play = partial(_random_results, policy, game, state, rng)
    rest, speed = n - 1, speed_of(policy, rng) or speed_in_words(policy, rng)
    while rest:
        words = word_form(game, policy, state, max(rest, total), speed)
        if record := record_in_words(words, game, state, rest, rng):
            return merge(tally(results), record)
        more, k = compiled_results(game, state, rest, total, speed, rng), rest
        if more is None:
            speed, k, more = timed(speed, rest, play)
        results.update(more)
        rest -= k
    for result in results:
        checked_result(game, state, result)
    return tally(results)


def _random_results(
    policy: DefaultPolicy[S, E], game: Game[S, E], state: S, rng: Rng, n: int
) -> dict[Scores, int]:
    """The results of `n` random games in Python, each with its number."""
    return Counter(starmap(policy, repeat((game, state, rng), n)))


def simulate_parallel(
    game: Game[S, E],
    state: S,
    n: int,
    *,
    seed: int | str,
    chunks: int,
    executor: Executor = builtins,
) -> Record:
    """The record of `n` random games, in chunks that `executor` may simulate side by side.

    It depends on (seed, n, chunks) alone, not on the executor.
    """
    n = at_least_one(n, "n")
    chunk = partial(simulate, game, state)
    return reduce(merge, map_chunks(executor, chunk, n, seed=seed, chunks=chunks))
