"""Monte Carlo tree search: UCT on a tree that is a persistent map from position to record.

There are no nodes: a position that is reached in two ways has one record. The default tree is a
`pyrsistent.pmap`, and an empty dict becomes one. Any other persistent map with `get` and `set` can
be used, for example `immutables.Map`.

`uct` is one dive into the tree. `fast.engine.search` makes many dives faster, and gives the same
tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial, reduce
from itertools import accumulate, repeat
from typing import Any, TypeAlias

from pyrsistent import PMap

from purembts.bounds import AnyBound, ucb1
from purembts.chance import Rng, pick, random
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    Policy,
    S,
    Turn,
    endless,
    no_chance,
    playout,
)
from purembts.guards import explained
from purembts.positions import positions
from purembts.records import (
    NOTHING,
    Record,
    Scores,
    Tree,
    add_result,
    add_scores,
    as_tree,
    mean,
    merge,
    visits,
    with_records,
    without_collector,
)

# One dive


@explained
def uct(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    rng: Rng = random,
    *,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    rollouts: int = 1,
) -> tuple[Tree[S], Scores]:
    """One dive into `tree` from `state`: the new tree, and the sum of the results of its games.

    `bound` rates the moves. `rollouts` games are played from the leaf, and the result of each is
    `default_policy(game, leaf, rng)`. Kocsis and Szepesvári (2006), "Bandit based Monte-Carlo
    planning", in the form of the workshop's task 11.

    >>> from purembts.games.last_coin import last_coin, pile
    >>> uct(last_coin(), {}, pile(1))  # the only game from 1 coin
    (pmap({Pile(coins=1, player=0): Record(visits=1, scores=(1, 0))}), (1, 0))
    """
    tree = as_tree(tree)
    path = select(game, tree, state, bound, rng)
    leaf, record = path[-1]
    # expand the leaf and simulate games from it, unless the game has ended there
    play = partial(game.result, leaf) if record.visits else partial(default_policy, game, leaf, rng)
    result = reduce(add_scores, [play() for _ in range(rollouts)])
    return backpropagate(tree, path, result, rollouts), result


Path: TypeAlias = list[tuple[S, Record]]
"""The positions of a dive from the first to the leaf, each with its record before the dive."""


def select(game: Game[S, E], tree: Tree[S], state: S, bound: AnyBound, rng: Rng) -> Path[S]:
    """The path from `state` to a position without visits, or to the end of the game."""
    record = tree.get(state) or NOTHING
    path = [(state, record)]
    while record.visits and (moves := game.moves(state, pick(game.chances(state), rng))):
        state, record = best_child(game, tree, moves, game.to_move(state), bound)
        path.append((state, record))
        if len(path) > game.max_turns:
            raise endless(game, state)
    return path


def best_child(
    game: Game[S, E], tree: Tree[S], moves: Sequence[S], player: int, bound: AnyBound
) -> tuple[S, Record]:
    """The move whose record has the highest bound for `player`, the first among equals; its record.

    The bound's total is the visits of the moves available now. At another visit, chance may offer
    other moves. A shared position may have more visits than this parent.
    """
    records = [tree.get(move) or NOTHING for move in moves]
    bounds = bounds_of(game, records, player, bound)
    best = bounds.index(max(bounds))
    return moves[best], records[best]


def bounds_of(
    game: Game[S, E], records: Sequence[Record], player: int, bound: AnyBound
) -> list[float]:
    """The bounds for `player` of moves with these `records`, where a game is worth from 0 to 1."""
    total = sum([record.visits for record in records])
    return [bound(unit_score(game, record, player), record.visits, total) for record in records]


def unit_score(game: Game[S, E], record: Record, player: int) -> float:
    """The sum of the scores of `player`, as if each game were worth from 0 to 1."""
    (low, high), (n, scores) = game.score_range, record
    return (scores[player] - n * low) / (high - low) if n else 0


def backpropagate(tree: Tree[S], path: Path[S], result: Scores, games: int = 1) -> Tree[S]:
    """`tree` with `games` more games, whose scores add up to `result`, in each record of `path`."""
    return with_records(tree, {state: add_result(record, result, games) for state, record in path})


# Many dives


def trees(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    rng: Rng = random,
    *,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    rollouts: int = 1,
) -> Iterator[Tree[S]]:
    """The trees after 0, 1, 2, ... dives into `tree` from `state`, without end.

    Each dive plays `rollouts` games from its leaf.
    """
    dive = partial(uct, bound=bound, default_policy=default_policy, rollouts=rollouts)

    def grown(tree: Tree[S], _: None) -> Tree[S]:
        """The tree after one more dive."""
        return dive(game, tree, state, rng)[0]

    return accumulate(repeat(None), grown, initial=as_tree(tree))


@explained
@without_collector()
def merge_trees(a: Tree[S] | dict[S, Record], b: Tree[S] | dict[S, Record]) -> Tree[S]:
    """The tree of all the dives of `a` and all the dives of `b`: their records, added up.

    It is associative and commutative, and the empty tree is its unit. This is exact for whole and
    half points, which floats add exactly. Two searches of n dives, merged, differ from one search
    of 2 n dives, because each search used its own results alone.
    """
    a, b = as_tree(a), as_tree(b)
    if len(a) > 3 * len(b):
        new = {state: merge(a.get(state) or NOTHING, record) for state, record in b.items()}
        return with_records(a, new)
    both = dict(a.items())
    for state, record in b.items():
        both[state] = merge(both.get(state, NOTHING), record)
    return with_records(_empty(a), both)


@explained
@without_collector()
def subtree(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> Tree[S]:
    """The part of `tree` that is reached from `state` through positions of `tree`.

    A search that continues from `state` uses no other part. It is empty if `state` has no record.
    """
    tree = as_tree(tree)
    reached = positions(game, state, skip=lambda position: position not in tree)
    return with_records(
        _empty(tree), {position: merge(NOTHING, tree[position]) for position in reached}
    )


def _empty(tree: Tree[S]) -> Tree[S]:
    """The empty tree of the type of `tree`."""
    return as_tree({}) if isinstance(tree, PMap) else type(tree)()


# Results of a search

Final: TypeAlias = Callable[[Record, int], float]
"""The rank of a record for a player, such as `records.visits` or `records.mean`."""


def learnt(tree: Tree[S] | dict[S, Record], *, final: Final = mean) -> Policy[S, Any]:
    """The policy that `tree` has learnt: of the moves with visits, the best by `final`.

    `final` is `records.mean`, or `records.visits` for the most visited move. Among equals the best
    mean is played, and then the first. If no move has visits, the policy is uniformly random.
    """
    records = as_tree(tree)

    @lru_cache(maxsize=1 << 12)
    def rank(move: S, player: int) -> tuple[float, ...]:
        record = records.get(move) or NOTHING
        return (final(record, player), mean(record, player)) if record.visits else ()

    def policy(turn: Turn[S, Any]) -> Sequence[S]:
        ranks = [rank(move, turn.player) for move in turn.moves]
        best = max(ranks, default=())
        return (turn.moves[ranks.index(best)],) if best else turn.moves

    return policy


def final_of(game: Game[S, E]) -> Final:
    """The number by which the records of `game` rank moves: the mean, or the visits.

    The most visited move is the usual choice. It is a bad one in a game with chance, where the
    visits of a position come from many others, and behind a view, where most moves have few.
    """
    return visits if game.chances is no_chance and not game.hidden else mean
