"""Many calls of `mcts.uct`, made fast: many dives in one call, and searches side by side.

`mcts.uct` is the specification: to understand the search, read it alone. The dives here are on
tallies, records that change in place. They belong to one search, and nothing outside sees them.
"""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import islice, repeat
from math import inf
from operator import sub
from typing import Any, Generic, NamedTuple, TypeAlias

from purembts.bounds import AnyBound, Bound, ucb1
from purembts.chance import Executor, Rng, map_chunks, pick
from purembts.checks import an_rng, at_least_one, brief
from purembts.fast.links import fast_policy, moves_after
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    S,
    Turn,
    checked_player,
    checked_result,
    endless,
    events_of,
    playout,
)
from purembts.mcts import best_record, first_record, merge_trees
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
    """The tree after `dives` more dives from `state`: equal to `nth(dives, trees(...))`."""
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

    They are trees of `mcts.trees`. If `k` is an iterable, it has the number of dives of each
    stride. With a `turn` at `state`, all dives begin with its event, which is not drawn.

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
    read = tree.get if tree else dict[S, Record]().get  # an empty pmap is read slowly
    search = Search(game, {}, read, bound, {})
    root = tally_of(search, state)
    if turn is not None:
        if not isinstance(turn, Turn) or not turn.moves or turn.state != state:
            raise ValueError(f"`turn` must be at {brief(state)}, with moves; got {brief(turn)}.")
        if len(game.chances(state)) > 1:  # a single event is never drawn
            root.player, root.events = checked_player(game, state), [turn.event]
            root.begun[turn.event] = turn.moves, []
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

    A chunk does not use the results of the others. The executor makes no difference.
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


class Tally(Generic[S, E]):
    """A record that changes in place, linked to the tallies of its moves."""

    __slots__ = (
        "after", "before", "begun", "chooser", "events", "own", "player", "result", "scores",
        "state", "visits", "width",
    )  # fmt: skip
    state: S
    visits: int
    before: int  # the visits in the last tree
    scores: list[float]
    player: int  # the player to move
    events: Sequence[E]  # () until the tally is open
    begun: dict[E, tuple[Sequence[S], list[Tally[S, E]]]]
    """The moves after each event that has come, and the tallies of the first of them."""
    after: dict[E, list[Tally[S, E]]]
    """The tallies of all moves after an event, once all of them have visits."""
    result: Scores | None
    """The result if the game has ended here, once it is known."""
    chooser: int | None
    """The player for whom `own` and `width` are up to date; None if they are not."""
    own: float
    width: float


Gains: TypeAlias = list[tuple[int, float]]
"""The players who have points, at least one, and these points."""


class Search(NamedTuple, Generic[S, E]):
    """A search: its game, its tallies, the records that it reads, and its bound."""

    game: Game[S, E]
    tallies: dict[S, Tally[S, E]]
    read: Callable[[S], Record | None]
    bound: AnyBound
    gains: dict[Scores, Gains]  # of the results that have come


def tally_of(search: Search[S, E], state: S) -> Tally[S, E]:
    """The one tally of `state`, which starts as its record in the tree."""
    tally = search.tallies.get(state)
    if tally is None:
        n, scores = search.read(state) or NOTHING
        tally = search.tallies[state] = Tally()
        tally.state, tally.visits, tally.before = state, n, n
        tally.scores = list(scores) if n else [0] * search.game.players
        tally.events, tally.begun, tally.after = (), {}, {}
        tally.result = tally.chooser = None
    return tally


def _opened(search: Search[S, E], tally: Tally[S, E]) -> Sequence[E]:
    """The events at `tally`, which is open now."""
    tally.player = checked_player(search.game, tally.state)
    tally.events = events_of(search.game, tally.state)
    return tally.events


def options_after(search: Search[S, E], tally: Tally[S, E], event: E) -> list[Tally[S, E]]:
    """The tallies of the moves after `event`, or of one move without visits, which is chosen then.

    A `Bound` is infinite without visits, so a position of 200 moves needs no 200 tallies.
    """
    if event not in tally.begun:
        tally.begun[event] = moves_after(search.game, tally.state, event), []
    moves, tried = tally.begun[event]
    one_by_one = isinstance(search.bound, Bound)
    while len(tried) < len(moves):
        option = tally_of(search, moves[len(tried)])
        if one_by_one and not option.visits:
            return [option]
        tried.append(option)
    tally.after[event] = tried
    return tried


def highest(search: Search[S, E], options: Sequence[Tally[S, E]], player: int) -> Tally[S, E]:
    """`mcts.best_child` on tallies: the highest bound for `player`, the first among equals.

    `_strides` has it written out for a `Bound`, whose parts are computed only after a visit.
    """
    records = [Record(option.visits, tuple(option.scores)) for option in options]
    return options[best_record(search.game, records, player, search.bound)]


class _Kept(dict[int, float]):
    """The values of a function of whole numbers, kept for the first 65,536 of them."""

    def __init__(self, function: Callable[[int], float]) -> None:
        self.function = function

    def __missing__(self, n: int) -> float:
        value = self.function(n)
        if len(self) < 1 << 16:
            self[n] = value
        return value


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
    low, high = game.score_range
    span, scaled = high - low, (low, high) != (0, 1)
    own, scale, width = search.bound[1:] if isinstance(search.bound, Bound) else (None,) * 3
    scales, widths, factor = scale and _Kept(scale), width and _Kept(width), 0.0
    counted = partial(_counted, search, lambda leaf: policy(game, leaf, rng), rollouts)
    last: object = None
    yield tree
    for k in lengths:
        for _ in range(at_least_one(k, "k")):
            here = root
            path = [root]
            for _ in turns:
                if not here.visits:
                    result = policy(game, here.state, rng)  # expand, and simulate
                    break
                events = here.events or _opened(search, here)  # select
                event = events[int(draw() * len(events))] if len(events) > 1 else events[0]
                options = here.after.get(event)
                if options is None:
                    options = options_after(search, here, event)
                if len(options) > 1:
                    player = here.player
                    if own is None:
                        here = highest(search, options, player)
                    else:
                        if scales is not None:
                            total = 0
                            for option in options:
                                total += option.visits
                            factor = scales[total]
                        here, most = options[0], -inf
                        for option in options:
                            if option.chooser != player:
                                option.chooser = player
                                n, score = option.visits, option.scores[player]
                                option.own = own((score - n * low) / span if scaled else score, n)
                                if widths is not None:
                                    option.width = widths[n]
                            limit = option.own
                            if factor:
                                limit += factor * option.width
                            if limit > most:
                                most = limit
                                here = option
                elif options:
                    here = options[0]
                else:
                    result = here.result = here.result or game.result(here.state)
                    break
                path.append(here)
            else:
                raise endless(game, here.state)
            if result is not last or last is None or rollouts > 1:
                last = result
                (first, points), *others = counted(here, result)
            for tally in path:  # backpropagate
                tally.visits += rollouts
                tally.chooser = None
                tally.scores[first] += points
            for other, more in others:
                for tally in path:
                    tally.scores[other] += more
        tree = with_tallies(tree, search.tallies.values())
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
    gains = [gain for gain in enumerate(total) if gain[1]] or [(0, 0)]
    if rollouts == 1 and len(search.gains) < _KNOWN:
        search.gains[one] = gains
    return gains


_KNOWN = 1000
"""The number of results whose points are remembered."""


def with_tallies(tree: Tree[S], tallies: Iterable[Tally[S, Any]]) -> Tree[S]:
    """`tree` with the records of those of `tallies` that have changed."""
    records = {}
    for tally in tallies:
        if tally.visits != tally.before:
            tally.before = tally.visits
            records[tally.state] = Record(tally.visits, tuple(tally.scores))
    return with_records(tree, records)
