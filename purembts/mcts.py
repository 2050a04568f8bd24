"""Monte Carlo tree search: UCT on a tree that is a persistent map from position to record.

There are no nodes: a position that is reached in two ways has one record. The default tree is a
`pyrsistent.pmap`, which an empty dict becomes; any other persistent map with `get` and `set` will
do, `immutables.Map` for one.
"""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, ItemsView, Iterable, Iterator, Sequence
from functools import partial, reduce
from math import inf, log, sqrt
from operator import sub
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from pyrsistent import PMap, pmap
from toolz import identity, iterate, pluck

from purembts.bandits import Bound, exploration, needs_no_total, ucb1
from purembts.chance import Executor, Rng, map_chunks, pick
from purembts.checks import at_least_one, shown
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    Policy,
    S,
    Turn,
    Values,
    plain_playout,
    playout,
    positions,
    turn_at,
)
from purembts.records import (
    NOTHING,
    Record,
    Scores,
    add_result,
    add_scores,
    interval,
    mean,
    merge,
    unit_score,
)

K = TypeVar("K")


class Tree(Protocol[K]):
    """A persistent map from position to record. The dives call `get` and `set` and no more."""

    def get(self, state: K, /) -> Record | None: ...
    def set(self, state: K, record: Record, /) -> Self: ...
    def items(self) -> ItemsView[K, Record]: ...
    def __getitem__(self, state: K, /) -> Record: ...
    def __contains__(self, state: object, /) -> bool: ...
    def __len__(self) -> int: ...


def as_tree(tree: Tree[S] | dict[S, Record]) -> Tree[S]:
    """`tree` itself, or the persistent map of what a plain dict holds; a ValueError for no map."""
    if not hasattr(tree, "get"):
        raise ValueError(
            f"{shown(tree)} is not a tree, a map from positions to records; {{}} is the first one, "
            "and uct returns a pair: tree, result = uct(...)."
        )
    return pmap(tree) if isinstance(tree, dict) else tree


def uct(
    game: Game[S, E],
    tree: Tree[Any] | dict[Any, Record],
    state: S,
    rng: Rng = random,
    *,
    bound: Bound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    rollouts: int = 1,
    key: Callable[[S], Any] = identity,
) -> tuple[Tree[Any], Scores]:
    """One dive into `tree` from `state`: the new tree, and how the game ended.

    With `rollouts` more games than one are played from the leaf, and all are added to the records;
    the result is what they scored in all. Positions of the same `key` share a record, which the
    tree keeps for the key.

    Kocsis and Szepesvári (2006), "Bandit based Monte-Carlo planning", in the form of the
    workshop's task 11.
    """
    at_least_one(rollouts, "rollouts")
    tree = as_tree(tree)
    record = tree.get(key(state)) or NOTHING
    path = [(key(state), record)]
    # select
    while record.visits and (moves := game.moves(state, pick(game.chances(state), rng))):
        state = best_child(game, tree, moves, game.to_move(state), bound, key)
        record = tree.get(key(state)) or NOTHING
        path.append((key(state), record))
    # expand, and simulate, unless the game has ended
    if record.visits:
        results = [game.result(state)] * rollouts
    else:
        results = [default_policy(game, state, rng) for _ in range(rollouts)]
    result = reduce(add_scores, results)
    # backpropagate
    for place, known in path:
        tree = tree.set(place, add_result(known, result, rollouts))
    return tree, result


def best_child(
    game: Game[S, E],
    tree: Tree[Any],
    moves: Sequence[S],
    player: int,
    bound: Bound,
    key: Callable[[S], Any] = identity,
) -> S:
    """The move whose record has the highest bound for `player`, the first among equals.

    The bound's total is the visits of the moves available now: chance offers other moves another
    time, and a shared position may have more visits than this parent.
    """
    if len(moves) == 1:
        return moves[0]
    low, high = game.score_range
    records = [tree.get(key(move)) or NOTHING for move in moves]
    total = sum([n for n, _ in records])
    # unit_score, written out: a dive spends most of its time here.
    bounds = [
        bound((scores[player] - n * low) / (high - low) if n else 0, n, total)
        for n, scores in records
    ]
    return moves[bounds.index(max(bounds))]


def trees(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    rng: Rng = random,
    *,
    bound: Bound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    rollouts: int = 1,
) -> Iterator[Tree[S]]:
    """The trees after 0, 1, 2, ... dives into `tree` from `state`, without end."""
    once = partial(uct, bound=bound, default_policy=default_policy, rollouts=rollouts)

    def dive(tree_and_result: tuple[Tree[S], Any]) -> tuple[Tree[S], Any]:
        tree, _ = tree_and_result
        return once(game, tree, state, rng)

    grown: Iterator[Tree[S]] = pluck(0, iterate(dive, (as_tree(tree), None)))
    return grown


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
    """The tree after `dives` more dives: equal to `nth(dives, trees(...))`.

    `uct` is the specification, this the fast form of it. The dives run on tallies that change in
    place and are linked to their children; nobody else sees them, and at the end one new tree is
    made of them. What a bound is known to be like saves asking it: see `_selection`.
    """
    if at_least_one(dives, "dives") == 1:  # not worth the tallies
        once = partial(uct, bound=bound, default_policy=default_policy, rollouts=rollouts)
        return once(game, tree, state, rng)[0]
    at_least_one(rollouts, "rollouts")
    tree = as_tree(tree)
    known = _nothing_known if isinstance(tree, PMap) and not tree else tree.get
    select, one_by_one = _selection(bound, game.score_range)
    tallies: dict[S, _Tally[S, E]] = {}
    tally_of = partial(_tally, tallies, known, [0] * game.players)
    untried = partial(_untried, game, tally_of, one_by_one)
    root = tally_of(state)
    if default_policy is playout:
        default_policy = game.playout or plain_playout
    more_rollouts = range(rollouts - 1)
    draw = rng.random
    for _ in range(dives):
        tally = root
        path = [root]
        while tally.visits:
            # select
            tried = tally.tried
            if tried is None:
                if tally.events is None:
                    tally.events = game.chances(tally.state)
                    tally.player = game.to_move(tally.state)
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
            # expand, and simulate
            result = default_policy(game, tally.state, rng)
        for _ in more_rollouts:
            ended = tally.visits
            more = game.result(tally.state) if ended else default_policy(game, tally.state, rng)
            result = add_scores(result, more)
        # backpropagate
        for tally in path:
            tally.visits += rollouts
            tally.limit_for = _NOBODY
        for player, points in enumerate(result):
            if points:
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
    """`tree` and what `chunks` searches from it have added, `dives` in all, side by side.

    It is the merge of its chunks, not `search`: no chunk sees what another has learnt. It depends
    on (tree, seed, dives, chunks) alone, whatever the executor.
    """
    at_least_one(dives, "dives")
    tree = as_tree(tree)
    how = {"bound": bound, "default_policy": default_policy, "rollouts": rollouts}
    chunk = partial(_what_a_search_adds, game, dict(tree.items()), state, how)
    return reduce(merge_trees, map_chunks(executor, chunk, dives, chunks, seed), tree)


def _what_a_search_adds(
    game: Game[S, E],
    tree: dict[S, Record],
    state: S,
    how: dict[str, Any],
    dives: int,
    rng: Rng,
) -> dict[S, Record]:
    """What has to be merged with `tree` to give the tree after the dives."""
    grown = search(game, tree, state, dives, rng, **how)
    return {
        position: _added(record, tree.get(position) or NOTHING)
        for position, record in grown.items()
        if record != tree.get(position)
    }


def _added(record: Record, before: Record) -> Record:
    """What has to be merged with `before` to give `record`."""
    if not before.visits:
        return record
    return Record(record.visits - before.visits, tuple(map(sub, record.scores, before.scores)))


class _Tally(Generic[S, E]):
    """A record in the making, and the tallies of the moves, once all of an event were tried."""

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
    """What is remembered of the bound for the player `limit_for`."""
    narrowing: float
    player: int
    tried_by_event: dict[E, list[_Tally[S, E]]]
    begun: dict[E, tuple[list[_Tally[S, E]], Iterator[S]]]
    """The moves of an event that were tried, and the others, while there are others."""

    def __init__(self, state: S, visits: int, scores: list[float]) -> None:
        self.state = state
        self.before = self.visits = visits
        self.scores = scores
        self.limit_for = _NOBODY
        self.events: Sequence[E] | None = None
        self.tried: list[_Tally[S, E]] | None = None
        """What `tried_by_event` has for an only event."""


_NOBODY = -1


def _nothing_known(state: Any) -> None:  # noqa: ANN401, ARG001
    return None


def _tally(
    tallies: dict[S, _Tally[S, E]],
    known: Callable[[S], Record | None],
    zeros: list[float],
    state: S,
) -> _Tally[S, E]:
    """The one tally of `state`, which starts as its record in the tree."""
    tally = tallies.get(state)
    if tally is None:
        visits, scores = known(state) or NOTHING
        tally = tallies[state] = _Tally(state, visits, list(scores) if visits else zeros[:])
    return tally


def _untried(
    game: Game[S, E],
    tally_of: Callable[[S], _Tally[S, E]],
    one_by_one: bool,
    tally: _Tally[S, E],
    event: E,
) -> _Tally[S, E] | None:
    """The next move that was never tried, if they are tried one by one; None when all were."""
    begun = tally.begun.get(event)
    if begun is None:
        begun = tally.begun[event] = [], iter(game.moves(tally.state, event))
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
    """How the option of the highest bound is found, the first among equals.

    And whether it is known that what was never tried has a higher bound than all the rest.
    """
    c = exploration(bound)
    if c is not None and score_range == (0, 1):
        return _highest_ucb1(c), True
    if needs_no_total(bound):
        return _highest_remembered(bound, *score_range), True
    return _highest(bound, *score_range), False


def _highest(bound: Bound, low: float, high: float) -> _Select:
    """What `best_child` does, on tallies."""

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
    """The same for `ucb1`, written out: what only depends on the record is remembered."""

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
        highest = -inf
        for option in options:
            limit = option.limit + width * option.narrowing
            if limit > highest:
                highest, chosen = limit, option
        return chosen

    return select


def _highest_remembered(bound: Bound, low: float, high: float) -> _Select:
    """The same for a bound of the record alone, asked where the record has changed."""

    def select(options: list[_Tally[S, E]], player: int) -> _Tally[S, E]:
        highest = -inf
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
    if isinstance(tree, PMap) and len(tree) < 3 * len(records):  # made anew it is there sooner
        return pmap({**dict(tree.items()), **records} if tree else records)
    for state, record in records.items():
        tree = tree.set(state, record)
    return tree


def merge_trees(a: Tree[S] | dict[S, Record], b: Tree[S] | dict[S, Record]) -> Tree[S]:
    """The tree of all the dives of `a` and all the dives of `b`: their records, added up.

    It is associative and commutative, with the empty tree as unit, exactly so for the whole and
    half points that floats add exactly. Two searches of n
    dives, merged, are not one search of 2 n: neither saw what the other had learnt.
    """
    return reduce(_add_item, as_tree(b).items(), as_tree(a))


def subtree(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> Tree[S]:
    """The part of `tree` that is reached from `state` through positions of `tree`.

    It is what a search that goes on from `state` can make use of; empty where `state` has no
    record.
    """
    tree = as_tree(tree)
    empty: Tree[S] = as_tree({}) if isinstance(tree, PMap) else type(tree)()
    reached = positions(game, state, skip=lambda position: position not in tree)
    return reduce(_add_item, ((position, tree[position]) for position in reached), empty)


def _add_item(tree: Tree[S], item: tuple[S, Record]) -> Tree[S]:
    state, record = item
    return tree.set(state, merge(_record(tree, state), record))


def _record(tree: Tree[S], state: S) -> Record:
    return tree.get(state) or NOTHING


class Choice(NamedTuple):
    """What a search knows of a move: a row of `move_table`."""

    move: Any
    visits: int
    mean: float | None
    """The mean score of the player to move; None where there are no visits."""
    interval: tuple[float, float]
    """The 95 % interval of that mean; the whole range of scores where there are no visits."""
    bound: float
    """What the search selects by, on a scale where the worst score is 0 and the best is 1."""
    exploit: float
    """The part of the bound that is the mean, on that scale; 0 where there are no visits."""
    explore: float
    """The rest of the bound: what it adds for how little is known."""


def move_table(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    event: E,
    *,
    bound: Bound = ucb1,
) -> tuple[Choice, ...]:
    """What `tree` knows of each move from `state` once `event` is drawn, in the order of moves."""
    turn, tree = turn_at(game, state, event), as_tree(tree)
    records = [_record(tree, move) for move in turn.moves]
    total = sum(record.visits for record in records)
    return tuple(
        _choice(game, turn.player, move, record, total, bound)
        for move, record in zip(turn.moves, records, strict=True)
    )


def _choice(
    game: Game[S, E], player: int, move: S, record: Record, total: int, bound: Bound
) -> Choice:
    points = unit_score(record, player, game.score_range)
    limit = bound(points, record.visits, total)
    exploit = points / record.visits if record.visits else 0.0
    return Choice(
        move=move,
        visits=record.visits,
        mean=mean(record, player) if record.visits else None,
        interval=interval(record, player, score_range=game.score_range),
        bound=limit,
        exploit=exploit,
        explore=limit - exploit,
    )


def learnt(
    tree: Tree[S] | dict[S, Record], final: Callable[[Record, int], float] = mean
) -> Policy[S, Any]:
    """The policy that `tree` has learnt: of the moves that have a record, the best by `final`.

    `final` is `records.mean`, or `records.visits` for the most visited; the first among equals is
    taken. Where no move has a record, the policy is uniformly random.
    """
    grown = as_tree(tree)

    def policy(turn: Turn[S, Any], values: Sequence[Values] = ()) -> Sequence[S]:  # noqa: ARG001
        known = [move for move in turn.moves if _record(grown, move).visits]
        ranks = [final(_record(grown, move), turn.player) for move in known]
        return (known[ranks.index(max(ranks))],) if known else turn.moves

    return policy
