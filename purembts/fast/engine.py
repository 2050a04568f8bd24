"""Many calls of `mcts.uct`, made fast: many dives in one call, and searches side by side.

`mcts.uct` is the specification. To understand the search, read `mcts.uct` alone. The search dives
on tallies: records that change in place, linked to the tallies of their moves. They belong to one
search, and nothing outside it sees them.
"""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import islice, repeat
from operator import attrgetter, sub
from typing import Any, Generic, NamedTuple, TypeAlias

from pyrsistent import PMap

from purembts.bounds import AnyBound, Bound, ucb1
from purembts.chance import Executor, Rng, map_chunks, pick
from purembts.checks import an_rng, at_least_one, brief
from purembts.fast.links import fast_policy, turns_of
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    S,
    Turn,
    checked_moves,
    checked_player,
    checked_result,
    endless,
    events_of,
    playout,
)
from purembts.mcts import first_record, merge_trees
from purembts.records import (
    NOTHING,
    Record,
    Scores,
    Tree,
    add_scores,
    as_tree,
    with_records,
)


def search(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    dives: int,
    rng: Rng = random,
    *,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    rollouts: int = 1,
) -> Tree[S]:
    """The tree after `dives` more dives from `state`: equal to `nth(dives, trees(...))`.

    Each dive plays `rollouts` games from its leaf.
    """
    at_least_one(dives, "dives")
    how: dict[str, Any] = {"bound": bound, "default_policy": default_policy, "rollouts": rollouts}
    _, grown = islice(strides(game, tree, state, dives, rng, **how), 2)
    return grown


def strides(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    k: int | Iterable[int],
    rng: Rng = random,
    *,
    turn: Turn[S, E] | None = None,
    bound: AnyBound = ucb1,
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
    policy = fast_policy(game, default_policy)
    search = Search(game, {}, reader(tree), bound, {})
    root = tally_of(search, state)
    if turn is not None:
        if not isinstance(turn, Turn) or not turn.moves or turn.state != state:
            raise ValueError(f"`turn` must be at {brief(state)}, with moves; got {brief(turn)}.")
        if len(game.chances(state)) > 1:  # a single event is never drawn
            _begin(root, checked_player(game, state), [turn.event], [turn.moves], [0])
            policy = partial(_play_after, turn, policy)
    return _strides(search, tree, root, lengths, rng, policy, rollouts)


def _play_after(
    turn: Turn[S, E], policy: DefaultPolicy[S, E], game: Game[S, E], state: S, rng: Rng
) -> Scores:
    """The result of `policy`; at the position of `turn`, after a random move of it."""
    return policy(game, pick(turn.moves, rng) if state == turn.state else state, rng)


def search_parallel(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    dives: int,
    *,
    seed: int | str,
    chunks: int,
    executor: Executor = builtins,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    rollouts: int = 1,
) -> Tree[S]:
    """`tree` merged with the new records of `chunks` searches from it, with `dives` dives in all.

    It is the merge of its chunks, not `search`: a chunk does not use the results of the others. It
    depends on (tree, seed, dives, chunks) alone, not on the executor.
    """
    at_least_one(dives, "dives")
    tree = as_tree(tree)
    how: dict[str, Any] = {"bound": bound, "default_policy": default_policy, "rollouts": rollouts}
    chunk = partial(_new_records, game, dict(tree.items()), state, how)
    return reduce(merge_trees, map_chunks(executor, chunk, dives, seed=seed, chunks=chunks), tree)


def _new_records(
    game: Game[S, E], tree: dict[S, Record], state: S, how: dict[str, Any], dives: int, rng: Rng
) -> dict[S, Record]:
    """The records that, merged with `tree`, give the tree after the dives."""
    grown = search(game, tree, state, dives, rng, **how)
    before = {position: tree.get(position) or NOTHING for position, _ in grown.items()}
    return {
        position: Record(n - old.visits, tuple(map(sub, scores, old.scores or repeat(0))))
        for position, (n, scores) in grown.items()
        if n > (old := before[position]).visits
    }


# Tallies


class Tally(Generic[S, E]):
    """A record that changes in place, linked to the tallies of its moves."""

    __slots__ = (
        "chooser", "events", "kinds", "moves", "number", "options", "own", "player", "result",
        "scores", "state", "visits", "width",
    )  # fmt: skip
    state: S
    number: int
    """The number of tallies of the search before this one."""
    visits: int
    scores: list[float]
    player: int
    """The player to move."""
    events: Sequence[E]
    kinds: Sequence[int]
    """For each event, the index of its moves; () until the tally is open."""
    moves: list[Sequence[S] | None]
    """The moves after each event that differs from those before it; None until it comes."""
    options: list[list[Tally[S, E]]]
    """The tallies of the first of these moves: up to the first one without visits."""
    result: Scores | None
    """The result if the game has ended here, once it is known."""
    chooser: int | None
    """The player whose bound `own` and `width` are; None if they are not up to date."""
    own: float
    width: float


Gains: TypeAlias = list[tuple[int, float]]
"""The players who have points, and these points."""


class Search(NamedTuple, Generic[S, E]):
    """A search: its game, its tallies, the records that it reads, and its bound."""

    game: Game[S, E]
    tallies: dict[S, Tally[S, E]]
    read: Callable[[S], Record | None]
    bound: AnyBound
    gains: dict[Scores, Gains]
    """The points of the results that have come."""


def tally_of(search: Search[S, E], state: S) -> Tally[S, E]:
    """The one tally of `state`, which starts as its record in the tree."""
    tally = search.tallies.get(state)
    if tally is None:
        n, scores = search.read(state) or NOTHING
        tally = Tally()
        tally.state, tally.number, tally.visits = state, len(search.tallies), n
        tally.scores = list(scores) if n else [0] * search.game.players
        tally.kinds = ()
        tally.result = tally.chooser = None
        search.tallies[state] = tally
    return tally


def _opened(search: Search[S, E], tally: Tally[S, E]) -> Sequence[int]:
    """The `kinds` of `tally`, which is open now. The moves of a small game are all listed."""
    game, state = search.game, tally.state
    player = checked_player(game, state)
    if game.is_small:
        moves, kinds = turns_of(game, state)
        return _begin(tally, player, (), list(moves), kinds)
    events = events_of(game, state)
    if len(events) == 1:
        return _begin(tally, player, events, [None], (0,))
    numbers = {event: i for i, event in enumerate(dict.fromkeys(events))}
    return _begin(tally, player, [*numbers], [None] * len(numbers), [numbers[e] for e in events])


def _begin(
    tally: Tally[S, E],
    player: int,
    events: Sequence[E],
    moves: list[Sequence[S] | None],
    kinds: Sequence[int],
) -> Sequence[int]:
    """Open `tally`, for these events and their moves."""
    tally.player, tally.events, tally.moves, tally.kinds = player, events, moves, kinds
    tally.options = [[] for _ in moves]
    return kinds


def _listed(search: Search[S, E], tally: Tally[S, E], kind: int) -> Sequence[S]:
    """The moves of `tally` after the events of this kind, which are listed now."""
    moves = checked_moves(search.game, tally.state, tally.events[kind])
    tally.moves[kind] = moves
    return moves


def best_option(
    search: Search[S, E], moves: Sequence[S], options: list[Tally[S, E]], player: int
) -> Tally[S, E]:
    """The tally of the move of the highest bound for `player`, the first among equals.

    `options` has the tallies of the first of `moves`. A `Bound` is infinite without visits, so the
    others are listed only up to the first of those.
    """
    bound = search.bound
    is_parts = isinstance(bound, Bound)
    while len(options) < len(moves):
        option = tally_of(search, moves[len(options)])
        if is_parts and not option.visits:
            return option
        options.append(option)
    low, high = search.game.score_range
    span, total = high - low, sum([option.visits for option in options])
    if not isinstance(bound, Bound):
        unit = [(each.scores[player] - each.visits * low) / span for each in options]
        limits = [bound(q, each.visits, total) for q, each in zip(unit, options, strict=True)]
        return options[limits.index(max(limits))]
    _, own, scale, width = bound
    factor = scale(total) if scale else 0.0
    chosen, highest = None, 0.0
    for option in options:
        if option.chooser != player:
            n, option.chooser = option.visits, player
            option.own = own((option.scores[player] - n * low) / span, n)
            option.width = width(n) if width else 0.0
        limit = option.own + factor * option.width
        if chosen is None or limit > highest:
            chosen, highest = option, limit
    return chosen or options[0]


# Dives


def _strides(
    search: Search[S, E],
    tree: Tree[S],
    root: Tally[S, E],
    lengths: Iterable[int],
    rng: Rng,
    policy: DefaultPolicy[S, E],
    rollouts: int,
) -> Iterator[Tree[S]]:
    """The trees of `strides`: `uct` on tallies, which become records after each stride."""
    game, draw, turns = search.game, rng.random, range(search.game.max_turns)
    counted = partial(_counted, search, lambda leaf: policy(game, leaf, rng), rollouts)
    last: object = None
    gains: Gains = []
    changed: set[Tally[S, E]] = set()
    yield tree
    for k in lengths:
        for _ in range(at_least_one(k, "k")):
            here = root
            path = [root]
            for _ in turns:
                if not here.visits:
                    result = policy(game, here.state, rng)  # expand, and simulate
                    break
                kinds = here.kinds or _opened(search, here)  # select
                kind = kinds[int(draw() * len(kinds))] if len(kinds) > 1 else kinds[0]
                moves = here.moves[kind]
                if moves is None:
                    moves = _listed(search, here, kind)
                if not moves:
                    result = here.result = here.result or game.result(here.state)
                    break
                options = here.options[kind]
                if len(options) == 1 == len(moves):
                    here = options[0]
                else:
                    here = best_option(search, moves, options, here.player)
                path.append(here)
            else:
                raise endless(game, here.state)
            if result is not last or last is None or rollouts > 1:
                last, gains = result, counted(here, result)
            changed.update(path)
            for tally in path:  # backpropagate
                tally.visits += rollouts
                tally.chooser = None
                scores = tally.scores
                for player, points in gains:
                    scores[player] += points
        tree = with_tallies(tree, changed)
        changed.clear()
        yield tree


def _counted(
    search: Search[S, E], play: Callable[[S], Scores], rollouts: int, leaf: Tally[S, E], one: Scores
) -> Gains:
    """The points in all rollouts from `leaf`, of which the first has the result `one`."""
    if rollouts == 1 and type(one) is tuple and (known := search.gains.get(one)):
        return known
    total = checked_result(search.game, leaf.state, one)
    for _ in range(rollouts - 1):
        more = search.game.result(leaf.state) if leaf.visits else play(leaf.state)
        total = add_scores(total, checked_result(search.game, leaf.state, more))
    gains = [gain for gain in enumerate(total) if gain[1]]
    if rollouts == 1 and len(search.gains) < _KNOWN:
        search.gains[one] = gains
    return gains


_KNOWN = 1000
"""The number of results whose points are remembered."""


def reader(tree: Tree[S]) -> Callable[[S], Record | None]:
    """The function from a position to its record in `tree`."""
    if isinstance(tree, PMap) and not len(tree):  # it is read slowly
        return dict[S, Record]().get
    return tree.get


def with_tallies(tree: Tree[S], changed: Iterable[Tally[S, Any]]) -> Tree[S]:
    """`tree` with the records of the tallies that have changed, in the order in which they came."""
    tallies = sorted(changed, key=attrgetter("number"))
    return with_records(
        tree, {each.state: Record(each.visits, tuple(each.scores)) for each in tallies}
    )
