"""Monte Carlo tree search: UCT on a tree that is a persistent map from position to record.

There are no nodes: a position that is reached in two ways has one record. The default tree is a
`pyrsistent.pmap`, which an empty dict becomes; any other persistent map with `get` and `set` will
do, `immutables.Map` for one.
"""

import random
from collections.abc import Callable, ItemsView, Iterator, Sequence
from functools import reduce
from operator import add
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from pyrsistent import PMap, pmap
from toolz import iterate, pluck

from purembts.bandits import Bound, ucb1
from purembts.chance import Rng, pick
from purembts.checks import at_least_one
from purembts.game import E, Game, Policy, S, Turn, Values, playout, positions, turn_at
from purembts.records import NOTHING, Record, Scores, interval, mean, merge, unit_score

K = TypeVar("K")

DefaultPolicy: TypeAlias = Callable[[Game[S, E], S, Rng], Scores]
"""How a game from a position ends that is not in the tree yet."""


class Tree(Protocol[K]):
    """A persistent map from position to record. The dives call `get` and `set` and no more."""

    def get(self, state: K, /) -> Record | None: ...
    def set(self, state: K, record: Record, /) -> Self: ...
    def items(self) -> ItemsView[K, Record]: ...
    def __getitem__(self, state: K, /) -> Record: ...
    def __contains__(self, state: object, /) -> bool: ...
    def __len__(self) -> int: ...


def as_tree(tree: Tree[S] | dict[S, Record]) -> Tree[S]:
    """`tree` itself, or the persistent map of what a plain dict holds."""
    return pmap(tree) if isinstance(tree, dict) else tree


def uct(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    rng: Rng = random,
    *,
    bound: Bound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
) -> tuple[Tree[S], Scores]:
    """One dive into `tree` from `state`: the new tree, and how the game ended.

    Kocsis and Szepesvári (2006), "Bandit based Monte-Carlo planning", in the form of the
    workshop's task 11.
    """
    tree = as_tree(tree)
    record = _record(tree, state)
    if not record.visits:
        # expand, and simulate
        result = default_policy(game, state, rng)
    elif moves := game.moves(state, pick(game.chances(state), rng)):
        # select
        child = best_child(game, tree, moves, game.to_move(state), bound)
        tree, result = uct(game, tree, child, rng, bound=bound, default_policy=default_policy)
    else:
        result = game.result(state)
    # backpropagate
    return tree.set(state, merge(record, Record(1, result))), result


def best_child(game: Game[S, E], tree: Tree[S], moves: Sequence[S], player: int, bound: Bound) -> S:
    """The move whose record has the highest bound for `player`, the first among equals.

    The bound's total is the visits of the moves available now: chance offers other moves another
    time, and a shared position may have more visits than this parent.
    """
    records = [_record(tree, move) for move in moves]
    total = sum(record.visits for record in records)
    bounds = [
        bound(unit_score(record, player, game.score_range), record.visits, total)
        for record in records
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
) -> Iterator[Tree[S]]:
    """The trees after 0, 1, 2, ... dives into `tree` from `state`, without end."""

    def dive(tree_and_result: tuple[Tree[S], Any]) -> tuple[Tree[S], Any]:
        tree, _ = tree_and_result
        return uct(game, tree, state, rng, bound=bound, default_policy=default_policy)

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
) -> Tree[S]:
    """The tree after `dives` more dives: `nth(dives, trees(...))`, equal to the last bit.

    `uct` is the specification, this the fast form of it. The dives run on tallies that change in
    place and are linked to their children; nobody else sees them, and at the end one new tree is
    made of them.
    """
    tree = as_tree(tree)
    tallies: dict[S, _Tally[S, E]] = {}
    root = _tally(tallies, tree, state)
    for _ in range(at_least_one(dives, "dives")):
        tally = root
        path = [root]
        while tally.visits:
            if tally.events is None:
                tally.events = game.chances(tally.state)
                tally.options = [None] * len(tally.events)
                tally.player = game.to_move(tally.state)
            i = int(rng.random() * len(tally.events)) if len(tally.events) > 1 else 0
            options = tally.options[i]
            if options is None:
                moves = game.moves(tally.state, tally.events[i])
                options = tally.options[i] = [_tally(tallies, tree, move) for move in moves]
            if not options:
                result = game.result(tally.state)
                break
            # select
            tally = _best_option(options, tally.player, game.score_range, bound)
            path.append(tally)
        else:
            # expand, and simulate
            result = default_policy(game, tally.state, rng)
        # backpropagate
        for tally in path:
            tally.visits += 1
            tally.scores = tuple(map(add, tally.scores, result)) if tally.scores else result
    return reduce(_put, tallies.values(), tree)


class _Tally(Generic[S, E]):
    """A record in the making, with the tallies of the moves for each event of chance."""

    __slots__ = ("events", "options", "player", "scores", "state", "visits")
    options: list[list["_Tally[S, E]"] | None]
    player: int

    def __init__(self, state: S, record: Record) -> None:
        self.state = state
        self.visits, self.scores = record
        self.events: Sequence[E] | None = None


def _tally(tallies: dict[S, _Tally[S, E]], tree: Tree[S], state: S) -> _Tally[S, E]:
    """The one tally of `state`, which starts as its record in `tree`."""
    tally = tallies.get(state)
    if tally is None:
        tally = tallies[state] = _Tally(state, _record(tree, state))
    return tally


def _best_option(
    options: list[_Tally[S, E]], player: int, score_range: tuple[float, float], bound: Bound
) -> _Tally[S, E]:
    """What `best_child` selects; of a single option there is nothing to ask."""
    if len(options) == 1:
        return options[0]
    low, high = score_range
    total = 0
    for option in options:
        total += option.visits
    bounds = [
        bound((option.scores[player] - option.visits * low) / (high - low), option.visits, total)
        if option.visits
        else bound(0, 0, total)
        for option in options
    ]
    return options[bounds.index(max(bounds))]


def _put(tree: Tree[S], tally: _Tally[S, E]) -> Tree[S]:
    """`tree` with the record of `tally`, if it has changed."""
    if tally.visits == _record(tree, tally.state).visits:
        return tree
    return tree.set(tally.state, Record(tally.visits, tally.scores))


def merge_trees(a: Tree[S] | dict[S, Record], b: Tree[S] | dict[S, Record]) -> Tree[S]:
    """The tree of all the dives of `a` and all the dives of `b`: their records, added up.

    It is associative and commutative, with the empty tree as unit, exactly. Two searches of n
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
    turn = turn_at(game, state, event)
    records = [_record(as_tree(tree), move) for move in turn.moves]
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
