"""Many calls of `uct`, made fast: many dives in one call, and searches side by side.

`mcts.uct` is the specification. To understand the search, read `mcts.uct` alone.
"""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from math import inf, log, sqrt
from operator import sub
from typing import Any, Generic, TypeAlias

from pyrsistent import PMap, pmap

from purembts.bounds import Bound, exploration_constant, needs_record_alone, ucb1
from purembts.chance import Executor, Rng, map_chunks
from purembts.checks import an_rng, at_least_one, brief
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    S,
    check_game,
    checked_result,
    endless,
    plain_playout,
    playout,
    sequence_of,
)
from purembts.mcts import first_record, merge_trees, uct_with_rollouts
from purembts.records import NOTHING, Record, Scores, Tree, add_scores, as_tree


def search(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    dives: int,
    rng: Rng = random,
    *,
    bound: Bound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    rollouts: int = 1,
) -> Tree[S]:
    """The tree after `dives` more dives from `state`: equal to `nth(dives, trees(...))`.

    `uct` is the specification, and it makes the first dive from a new position. The other dives run
    on tallies: records that change in place and are linked to the tallies of their moves. They are
    made into one new tree at the end. Each dive plays `rollouts` games from its leaf.
    """
    at_least_one(dives, "dives")
    tree = as_tree(tree)
    add_zeros = not hasattr(tree, "__len__") or len(tree) > 0
    if dives > 1 and (tree.get(state) or NOTHING).visits:
        first_record(game, tree, state, rng)
    else:
        once = partial(uct_with_rollouts, bound=bound, default_policy=default_policy)
        tree, _ = once(game, tree, state, rollouts, rng)
        dives -= 1
    if not dives:
        return tree
    select, one_by_one = _selection(bound, game.score_range)
    tallies: dict[S, _Tally[S, E]] = {}
    most_visits = MOST_VISITS - dives * at_least_one(rollouts, "rollouts")
    tally_of = partial(_tally, tallies, _reader(tree, dives), most_visits)
    untried = partial(_untried, game, tally_of, one_by_one)
    root = tally_of(state)
    if default_policy is playout:
        default_policy = game.playout or plain_playout
    more_rollouts = range(rollouts - 1)
    right_results: set[Scores] = set()
    turns, players = range(game.max_turns), range(game.players)
    draw = an_rng(rng).random
    # From here on it is `uct` on tallies. `tally` is the last one of `path`.
    for _ in range(dives):
        tally = root
        path = [root]
        for _ in turns:
            if not tally.visits:
                # expand, and simulate
                result = default_policy(game, tally.state, rng)
                break
            # select
            tried = tally.tried
            if tried is None:
                if tally.events is None:
                    tally.events = game.chances(tally.state)
                    tally.player = game.to_move(tally.state)
                    if tally.player not in players:
                        check_game(game, tally.state)
                    tally.begun, tally.tried_by_event = {}, {}
                events = tally.events
                event = events[int(draw() * len(events))] if len(events) > 1 else events[0]
                tried = tally.tried_by_event.get(event)
                if tried is None:
                    option = untried(tally, event)
                    if option is not None:
                        tally = option
                        path.append(tally)
                        continue
                    tried = tally.tried_by_event[event]
                if not tried:
                    result = game.result(tally.state)
                    break
                if len(events) == 1:
                    tally.tried = tried
            tally = select(tried, tally.player) if len(tried) > 1 else tried[0]
            path.append(tally)
        else:
            raise endless(game, tally.state)
        if result not in right_results:
            right_results.add(checked_result(game, tally.state, result))
        for _ in more_rollouts:
            ended = tally.visits
            more = game.result(tally.state) if ended else default_policy(game, tally.state, rng)
            if more not in right_results:
                right_results.add(checked_result(game, tally.state, more))
            result = add_scores(result, more)
        # backpropagate
        if not tally.visits:
            path.pop()
            tally.visits, tally.scores = rollouts, list(result)
        for tally in path:
            tally.visits += rollouts
            tally.limit_for = _NOBODY
        for player, points in enumerate(result):
            # 0 + 0.0 is 0.0, -0.0 + 0 is 0.0, True + 0 is 1: a tree keeps the difference.
            if type(points) is not int and (not points or points is True):
                add_zeros = True
            if points or add_zeros:
                for tally in path:
                    tally.scores[player] += points
    return _grown(tree, tallies.values())


def search_parallel(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    dives: int,
    *,
    seed: int | str,
    chunks: int,
    executor: Executor = builtins,
    bound: Bound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    rollouts: int = 1,
) -> Tree[S]:
    """`tree` merged with the new records of `chunks` searches from it, with `dives` dives in all.

    It is the merge of its chunks, not `search`: a chunk does not use the results of the others. It
    depends on (tree, seed, dives, chunks) alone, not on the executor.
    """
    at_least_one(dives, "dives")
    tree = as_tree(tree)
    options = {"bound": bound, "default_policy": default_policy, "rollouts": rollouts}
    chunk = partial(_new_records, game, dict(tree.items()), state, options)
    return reduce(merge_trees, map_chunks(executor, chunk, dives, seed=seed, chunks=chunks), tree)


def _new_records(
    game: Game[S, E],
    tree: dict[S, Record],
    state: S,
    options: dict[str, Any],
    dives: int,
    rng: Rng,
) -> dict[S, Record]:
    """The records that, merged with `tree`, give the tree after the dives."""
    grown = search(game, tree, state, dives, rng, **options)
    return {
        position: _difference(record, tree.get(position) or NOTHING)
        for position, record in grown.items()
        if record != tree.get(position)
    }


def _difference(record: Record, before: Record) -> Record:
    """The record that, merged with `before`, gives `record`."""
    if not before.visits:
        return record
    return Record(record.visits - before.visits, tuple(map(sub, record.scores, before.scores)))


class _Tally(Generic[S, E]):
    """A record that changes in place, linked to the tallies of its moves."""

    __slots__ = (
        "before",
        "begun",
        "events",
        "limit",
        "limit_for",
        "narrowing",
        "player",
        "scores",
        "state",
        "tried",
        "tried_by_event",
        "visits",
    )
    limit: float
    """The remembered part of the bound for the player `limit_for`."""
    narrowing: float
    player: int
    tried_by_event: dict[E, list[_Tally[S, E]]]
    """The tallies of all moves of an event, once all of them have been listed."""
    begun: dict[E, tuple[list[_Tally[S, E]], Iterator[S]]]
    """For each event, its moves so far and an iterator over the rest, until all are listed."""

    def __init__(self, state: S, visits: int, scores: Scores) -> None:
        self.state = state
        self.before = self.visits = visits
        self.scores = list(scores)
        self.limit_for = _NOBODY
        self.events: Sequence[E] | None = None
        self.tried: list[_Tally[S, E]] | None = None
        """The value in `tried_by_event` if there is only one event."""


_NOBODY = -1

MOST_VISITS = 2**53
"""The most visits in a tree that `search` accepts. Above it, floats leave out whole numbers."""


def _reader(tree: Tree[S], dives: int) -> Callable[[S], Record | None]:
    """The function from a position to its record in `tree`.

    A small pmap is copied to a dict, which is faster to read.
    """
    if isinstance(tree, PMap) and len(tree) <= dives:
        return dict(tree.items()).get
    return tree.get


def _tally(
    tallies: dict[S, _Tally[S, E]],
    read: Callable[[S], Record | None],
    most_visits: int,
    state: S,
) -> _Tally[S, E]:
    """The one tally of `state`, which starts as its record in the tree."""
    tally = tallies.get(state)
    if tally is None:
        visits, scores = read(state) or NOTHING
        if visits > most_visits:
            raise ValueError(
                "The visits in `tree` and the dives must be at most 2**53 together; "
                f"got {visits} visits at {brief(state)}."
            )
        tally = tallies[state] = _Tally(state, visits, scores)
    return tally


def _untried(
    game: Game[S, E],
    tally_of: Callable[[S], _Tally[S, E]],
    one_by_one: bool,
    tally: _Tally[S, E],
    event: E,
) -> _Tally[S, E] | None:
    """The next move without visits; None if `one_by_one` is False, or if all moves have visits."""
    begun = tally.begun.get(event)
    if begun is None:
        moves = game.moves(tally.state, event)
        if type(moves) is not tuple:
            sequence_of(game, tally.state, moves)
        begun = tally.begun[event] = [], iter(moves)
    tried, others = begun
    for move in others:
        option = tally_of(move)
        tried.append(option)
        if one_by_one and not option.visits:
            return option
    del tally.begun[event]
    tally.tried_by_event[event] = tried
    return None


_Select: TypeAlias = Callable[[list[_Tally[Any, Any]], int], _Tally[Any, Any]]


def _selection(bound: Bound, score_range: tuple[float, float]) -> tuple[_Select, bool]:
    """The function that finds the move of the highest bound (the first among equals), and a flag.

    The flag is True if moves without visits certainly have a higher bound than all others.
    """
    c = exploration_constant(bound)
    if c is not None and score_range == (0, 1):
        return _highest_ucb1(c), True
    if needs_record_alone(bound):
        return _highest_remembered(bound, *score_range), True
    return _highest(bound, *score_range), False


def _highest(bound: Bound, low: float, high: float) -> _Select:
    """`mcts.best_child`, on tallies."""

    def select(options: list[_Tally[S, E]], player: int) -> _Tally[S, E]:
        total = sum([option.visits for option in options])
        limits = [
            bound((option.scores[player] - n * low) / (high - low) if n else 0, n, total)
            for option in options
            for n in (option.visits,)
        ]
        return options[limits.index(max(limits))]

    return select


def _highest_ucb1(c: float) -> _Select:
    """The same for `ucb1`, written out. The parts that depend on the record are remembered."""

    def select(options: list[_Tally[S, E]], player: int) -> _Tally[S, E]:
        total = 0
        for option in options:
            n = option.visits
            total += n
            if option.limit_for != player:
                option.limit = option.scores[player] / n
                option.narrowing = sqrt(1 / n)
                option.limit_for = player
        width = c * sqrt(log(total))
        highest, chosen = -inf, options[0]
        for option in options:
            limit = option.limit + width * option.narrowing
            if limit > highest:
                highest, chosen = limit, option
        return chosen

    return select


def _highest_remembered(bound: Bound, low: float, high: float) -> _Select:
    """The same for a bound of the record alone. It is computed after a change of the record."""

    def select(options: list[_Tally[S, E]], player: int) -> _Tally[S, E]:
        highest, chosen = -inf, options[0]
        for option in options:
            if option.limit_for != player:
                n = option.visits
                option.limit = bound((option.scores[player] - n * low) / (high - low), n, 0)
                option.limit_for = player
            if option.limit > highest:
                highest, chosen = option.limit, option
        return chosen

    return select


def _grown(tree: Tree[S], tallies: Iterable[_Tally[S, Any]]) -> Tree[S]:
    """`tree` with the records of those of `tallies` that have changed."""
    records = {
        tally.state: Record(tally.visits, tuple(tally.scores))
        for tally in tallies
        if tally.visits != tally.before
    }
    if isinstance(tree, PMap) and len(tree) < 3 * len(records):  # faster as a new map
        return pmap({**dict(tree.items()), **records})
    for state, record in records.items():
        tree = tree.set(state, record)
    return tree
