"""Monte Carlo tree search: UCT on a tree that is a persistent map from position to record.

There are no nodes: a position that is reached in two ways has one record. The default tree is a
`pyrsistent.pmap`, and an empty dict becomes one. Any other persistent map with `get` and `set` can
be used, for example `immutables.Map`.

`uct` is one dive into the tree. `engine.search` makes many dives faster, and gives the same tree.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial, reduce
from typing import Any, NamedTuple, TypeAlias

from pyrsistent import PMap
from toolz import iterate, pluck

from purembts.bounds import Bound, ucb1
from purembts.chance import Rng
from purembts.checks import an_rng, at_least_one, brief
from purembts.fast.links import drawn_moves
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    Policy,
    S,
    Turn,
    Values,
    check_game,
    checked_result,
    endless,
    playout,
    positions,
    turn_at,
)
from purembts.records import (
    NOTHING,
    Record,
    Scores,
    Tree,
    add_result,
    add_scores,
    as_tree,
    interval,
    mean,
    merge,
    unit_score,
    with_records,
)

# One dive


def uct(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    rng: Rng = random,
    *,
    bound: Bound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
) -> tuple[Tree[S], Scores]:
    """One dive into `tree` from `state`: the new tree, and the result of the game.

    Kocsis and Szepesvári (2006), "Bandit based Monte-Carlo planning", in the form of the
    workshop's task 11.
    """
    tree = as_tree(tree)
    path = select(game, tree, state, bound, rng)
    leaf, record = path[-1]
    # expand the leaf and simulate a game from it, unless the game has ended there
    result = game.result(leaf) if record.visits else default_policy(game, leaf, rng)
    return backpropagate(tree, path, checked_result(game, leaf, result)), result


Path: TypeAlias = list[tuple[S, Record]]
"""The positions of a dive from the first to the leaf, each with its record before the dive."""


def select(game: Game[S, E], tree: Tree[S], state: S, bound: Bound, rng: Rng) -> Path[S]:
    """The path from `state` to a position without visits, or to the end of the game."""
    record = first_record(game, tree, state, rng)
    path = [(state, record)]
    while record.visits and (moves := drawn_moves(game, state, rng)):
        state, record = best_child(game, tree, moves, game.to_move(state), bound)
        path.append((state, record))
        if len(path) > game.max_turns:
            raise endless(game, state)
    return path


def first_record(game: Game[S, E], tree: Tree[S], state: S, rng: Rng) -> Record:
    """The record of `state` in `tree`, or a ValueError if no dive can begin there."""
    record = tree.get(state) or NOTHING
    if not record.visits:
        check_game(game, state)
        an_rng(rng)
    elif len(record.scores) != game.players:
        raise ValueError(
            f"A record of {game.name} must have {game.players} scores; got {brief(record)}."
        )
    return record


def best_child(
    game: Game[S, E], tree: Tree[S], moves: Sequence[S], player: int, bound: Bound
) -> tuple[S, Record]:
    """The move whose record has the highest bound for `player`, the first among equals; its record.

    The bound's total is the visits of the moves available now. At another visit, chance may offer
    other moves. A shared position may have more visits than this parent.
    """
    if len(moves) == 1:
        return moves[0], tree.get(moves[0]) or NOTHING
    low, high = game.score_range
    width = high - low
    records, total = [], 0
    for move in moves:
        record = tree.get(move) or NOTHING
        records.append(record)
        total += record.visits
    bounds = []
    for n, scores in records:  # unit_score, written out: a dive spends most of its time here
        bounds.append(bound((scores[player] - n * low) / width if n else 0, n, total))
    best = bounds.index(max(bounds))
    return moves[best], records[best]


def backpropagate(tree: Tree[S], path: Path[S], result: Scores, games: int = 1) -> Tree[S]:
    """`tree` with `games` more games, whose scores add up to `result`, in each record of `path`."""
    return with_records(tree, {state: add_result(record, result, games) for state, record in path})


def uct_with_rollouts(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    rollouts: int,
    rng: Rng = random,
    *,
    bound: Bound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
) -> tuple[Tree[S], Scores]:
    """One dive like `uct`, but with `rollouts` games: the new tree, and the sum of their scores.

    The games start from the leaf, and the path's records get all of them. With one, it is `uct`.
    """
    at_least_one(rollouts, "rollouts")
    tree = as_tree(tree)
    path = select(game, tree, state, bound, rng)
    leaf, record = path[-1]
    results = [
        checked_result(
            game, leaf, game.result(leaf) if record.visits else default_policy(game, leaf, rng)
        )
        for _ in range(rollouts)
    ]
    result = reduce(add_scores, results)
    return backpropagate(tree, path, result, rollouts), result


# Many dives


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
    """The trees after 0, 1, 2, ... dives into `tree` from `state`, without end.

    Each dive plays `rollouts` games from its leaf.
    """
    at_least_one(rollouts, "rollouts")

    how: dict[str, Any] = {"bound": bound, "default_policy": default_policy}

    def dive(tree_and_result: tuple[Tree[S], Any]) -> tuple[Tree[S], Any]:
        before = tree_and_result[0]
        if rollouts == 1:
            return uct(game, before, state, rng, **how)
        return uct_with_rollouts(game, before, state, rollouts, rng, **how)

    grown: Iterator[Tree[S]] = pluck(0, iterate(dive, (as_tree(tree), None)))
    return grown


def merge_trees(a: Tree[S] | dict[S, Record], b: Tree[S] | dict[S, Record]) -> Tree[S]:
    """The tree of all the dives of `a` and all the dives of `b`: their records, added up.

    It is associative and commutative, and the empty tree is its unit. This is exact for whole and
    half points, which floats add exactly. Two searches of n dives, merged, differ from one search
    of 2 n dives, because each search used its own results alone.
    """
    a, b = as_tree(a), as_tree(b)
    return with_records(
        a, {state: merge(a.get(state) or NOTHING, record) for state, record in b.items()}
    )


def subtree(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> Tree[S]:
    """The part of `tree` that is reached from `state` through positions of `tree`.

    A search that continues from `state` uses no other part. It is empty if `state` has no record.
    """
    tree = as_tree(tree)
    empty: Tree[S] = as_tree({}) if isinstance(tree, PMap) else type(tree)()
    reached = positions(game, state, skip=lambda position: position not in tree)
    return with_records(empty, {position: merge(NOTHING, tree[position]) for position in reached})


# Results of a search


class MoveRow(NamedTuple):
    """The knowledge of a search about one move: a row of `move_table`."""

    move: Any
    visits: int
    mean: float | None
    """The mean score of the player to move; None without visits."""
    interval: tuple[float, float]
    """The 95 % interval of that mean; the whole range of scores without visits."""
    bound: float
    """The upper confidence bound, on a scale from the worst score, 0, to the best, 1."""
    exploit: float
    """The part of the bound that is the mean, on that scale; 0 without visits."""
    explore: float
    """The rest of the bound, which is large for a move with few visits."""


def move_table(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    event: E,
    *,
    bound: Bound = ucb1,
) -> tuple[MoveRow, ...]:
    """A row for each move from `state` after `event`, in the order of moves."""
    return move_rows(game, tree, turn_at(game, state, event), bound=bound)


def move_rows(
    game: Game[Any, E],
    tree: Tree[S] | dict[S, Record],
    turn: Turn[S, E],
    *,
    bound: Bound = ucb1,
) -> tuple[MoveRow, ...]:
    """A row for each move of `turn`, which may be a turn of views with a tree of views."""
    tree = as_tree(tree)
    records = [tree.get(move) or NOTHING for move in turn.moves]
    total = sum(record.visits for record in records)
    row = partial(_move_row, game, turn.player, bound, total)
    return tuple(map(row, turn.moves, records))


def _move_row(
    game: Game[S, E], player: int, bound: Bound, total: int, move: S, record: Record
) -> MoveRow:
    points = unit_score(record, player, score_range=game.score_range)
    limit = bound(points, record.visits, total)
    exploit = points / record.visits if record.visits else 0.0
    return MoveRow(
        move=move,
        visits=record.visits,
        mean=mean(record, player) if record.visits else None,
        interval=interval(record, player, score_range=game.score_range),
        bound=limit,
        exploit=exploit,
        explore=limit - exploit,
    )


def learnt(
    tree: Tree[S] | dict[S, Record], *, final: Callable[[Record, int], float] = mean
) -> Policy[S, Any]:
    """The policy that `tree` has learnt: of the moves with visits, the best by `final`.

    `final` is `records.mean`, or `records.visits` for the most visited move. Among equals the best
    mean is played, and then the first. If no move has visits, the policy is uniformly random.
    """
    grown = as_tree(tree)

    @lru_cache(maxsize=1 << 12)
    def rank(move: S, player: int) -> tuple[float, ...]:
        record = grown.get(move) or NOTHING
        return (final(record, player), mean(record, player)) if record.visits else ()

    return by_rank(rank)


def by_rank(rank: Callable[[S, int], tuple[Any, ...]]) -> Policy[S, Any]:
    """The policy of the move with the highest rank for the player to move, the first among equals.

    A move with the rank () is not known. If no move is known, the policy is uniformly random.
    """

    def policy(turn: Turn[S, Any], values: Sequence[Values] = ()) -> Sequence[S]:  # noqa: ARG001
        ranks = [rank(move, turn.player) for move in turn.moves]
        best = max(ranks, default=())
        return (turn.moves[ranks.index(best)],) if best else turn.moves

    return policy
