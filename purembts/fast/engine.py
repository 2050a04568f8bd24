"""Many calls of `uct`, made fast: many dives in one call, and searches side by side.

`mcts.uct` is the specification. To understand the search, read `mcts.uct` alone.
"""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import islice, repeat
from math import inf
from operator import sub
from typing import Any, TypeAlias

from pyrsistent import PMap

from purembts.bounds import Bound, ucb1
from purembts.chance import Executor, Rng, map_chunks, pick
from purembts.checks import an_rng, at_least_one, brief
from purembts.fast.links import few_links_of
from purembts.fast.tallies import (
    Search,
    Tally,
    add_points,
    begin,
    open_after,
    open_tally,
    options_after,
    tally_of,
    way_to_select,
)
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    S,
    Turn,
    checked_result,
    endless,
    plain_playout,
    playout,
)
from purembts.mcts import first_record, merge_trees, uct_with_rollouts
from purembts.records import NOTHING, Record, Scores, Tree, add_scores, as_tree, with_records


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

    Each dive plays `rollouts` games from its leaf.
    """
    at_least_one(dives, "dives")
    tree = as_tree(tree)
    how: dict[str, Any] = {"bound": bound, "default_policy": default_policy}
    if dives <= _FEW_DIVES and hasattr(tree, "__len__") and 5 * dives <= len(tree):
        for _ in range(dives):
            tree, _ = uct_with_rollouts(game, tree, state, rollouts, rng, **how)
        return tree
    _, grown = islice(strides(game, tree, state, dives, rng, rollouts=rollouts, **how), 2)
    return grown


_FEW_DIVES = 50
"""The most dives that are made one by one, which is faster in a large tree."""


def strides(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    k: int | Iterable[int],
    rng: Rng = random,
    *,
    turn: Turn[S, E] | None = None,
    bound: Bound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    rollouts: int = 1,
) -> Iterator[Tree[S]]:
    """The trees after 0, k, 2 k, ... dives into `tree` from `state`, without end.

    They are trees of `mcts.trees`, and share what they have in common. If `k` is an iterable, it
    has the number of dives of each stride. Each dive plays `rollouts` games from its leaf. With a
    `turn` at `state`, all dives begin with its event, which is not drawn.

    >>> from itertools import islice
    >>> from purembts.games.last_coin import last_coin, pile
    >>> trees = strides(last_coin(), {}, pile(5), 100, random.Random(7))
    >>> [len(tree) for tree in islice(trees, 4)]
    [0, 10, 10, 10]
    """
    lengths = k if isinstance(k, Iterable) else repeat(at_least_one(k, "k"))
    at_least_one(rollouts, "rollouts")
    tree = as_tree(tree)
    first_record(game, tree, state, an_rng(rng))
    if default_policy is playout:
        default_policy = game.playout or plain_playout
    way = way_to_select(bound, game.score_range)
    links = few_links_of(game)
    search = Search(game, {}, reader(tree), way, links, [])
    root = tally_of(search, state)
    if turn is not None:
        if not isinstance(turn, Turn) or not turn.moves or turn.state != state:
            raise ValueError(f"`turn` must be at {brief(state)}, with moves; got {brief(turn)}.")
        if len(game.chances(state)) > 1:  # a single event is never drawn
            open_after(search, root, turn)
            default_policy = partial(_play_after, turn, default_policy)
    return _strides(search, tree, root, lengths, rng, default_policy, rollouts)


def _play_after(
    turn: Turn[S, E],
    default_policy: DefaultPolicy[S, E],
    game: Game[S, E],
    state: S,
    rng: Rng,
) -> Scores:
    """The result of `default_policy`; at the position of `turn`, after a random move of it."""
    return default_policy(game, pick(turn.moves, rng) if state == turn.state else state, rng)


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


def _strides(
    search: Search[S, E],
    tree: Tree[S],
    root: Tally[S, E],
    lengths: Iterable[int],
    rng: Rng,
    default_policy: DefaultPolicy[S, E],
    rollouts: int,
) -> Iterator[Tree[S]]:
    """The trees of `strides`: `uct` on tallies, which become records after each stride."""
    game, draw, turns = search.game, rng.random, range(search.game.max_turns)
    careful, select, has_limit, _, _, add = search.way
    shared = search.shared
    add_zeros = not hasattr(tree, "__len__") or len(tree) > 0
    counted = _counting(game, add_zeros, rollouts, default_policy, rng)
    last: object = object()
    changed: set[Tally[S, E]] = set()
    yield tree
    for k in lengths:
        few = len(search.tallies) < _FEW * at_least_one(k, "k")
        for _ in range(k):
            tally = root
            path = [root]
            for _ in turns:
                if not tally.visits:
                    # expand, and simulate
                    result = default_policy(game, tally.state, rng)
                    break
                # select
                ways = tally.ways or open_tally(search, tally)
                i = int(draw() * ways) if ways > 1 else 0
                options = tally.after[i]
                if options is None:
                    options = options_after(search, tally, i)
                if len(options) > 1:
                    if shared:
                        tally = careful(options, tally.player)
                    elif has_limit:
                        highest = -inf
                        for option in options:
                            if option.limit > highest:
                                highest = option.limit
                                tally = option
                    else:
                        tally = select(options, tally.player)
                elif options:
                    tally = options[0]
                else:
                    result = tally.result = tally.result or game.result(tally.state)
                    break
                path.append(tally)
            else:
                raise endless(game, tally.state)
            if result is not last or rollouts > 1:
                last = result
                total, player, points, others = counted(tally, result)
            # backpropagate
            if not few:
                changed.update(path)
            if total and not tally.visits:
                begin(search.way, path.pop(), rollouts, total)
            for other, more in others:
                add_points(path, other, more)
            add(path, rollouts, player, points)
        tree = with_tallies(tree, search.tallies.values() if few else changed)
        changed.clear()
        yield tree


_FEW = 8
"""With fewer tallies than this for each dive of a stride, all of them are looked at after it."""


_Counted: TypeAlias = tuple[Scores | None, int, float, Sequence[tuple[int, float]]]
"""A sum of results, if it is not the same when it is added to zeros; a player with the points to
add, and the other players with theirs."""


def _counting(
    game: Game[S, E],
    add_zeros: bool,
    rollouts: int,
    default_policy: DefaultPolicy[S, E],
    rng: Rng,
) -> Callable[[Tally[S, E], Scores], _Counted]:
    """The function from a leaf and its result to the sum over all rollouts from there.

    Points of 0 are left out until they make a difference. Counted results are remembered by their
    id, which nothing else has while they are kept.
    """
    known: dict[int, tuple[Scores, _Counted]] = {}

    def count(leaf: Tally[S, E], result: Scores) -> _Counted:
        nonlocal add_zeros
        if rollouts == 1 and id(result) in known:
            return known[id(result)][1]
        total = checked_result(game, leaf.state, result)
        for _ in range(rollouts - 1):
            more = game.result(leaf.state) if leaf.visits else default_policy(game, leaf.state, rng)
            total = add_scores(total, checked_result(game, leaf.state, more))
        if len(known) > _KNOWN or (not add_zeros and any(map(_is_odd, total))):
            known.clear()
        add_zeros = add_zeros or any(map(_is_odd, total))
        gains = [gain for gain in enumerate(total) if gain[1] or add_zeros] or [(0, 0)]
        counted = (total if add_zeros else None, *gains[0], gains[1:])
        known[id(result)] = result, counted
        return counted

    return count


_KNOWN = 100
"""The number of results that are remembered."""


def _is_odd(points: float) -> bool:
    """True if points of 0 change a sum: 0 + 0.0 is 0.0, -0.0 + 0 is 0.0, and True + 0 is 1."""
    return type(points) is not int and (not points or points is True)


def reader(tree: Tree[S]) -> Callable[[S], Record | None]:
    """The function from a position to its record in `tree`."""
    if isinstance(tree, PMap) and not len(tree):  # it is read slowly
        return dict[S, Record]().get
    return tree.get


def with_tallies(tree: Tree[S], tallies: Iterable[Tally[S, Any]]) -> Tree[S]:
    """`tree` with the records of those of `tallies` that have changed."""
    records = {}
    for tally in tallies:
        if tally.visits != tally.before:
            tally.before = tally.visits
            records[tally.state] = Record(tally.visits, tuple(tally.scores))
    return with_records(tree, records)
