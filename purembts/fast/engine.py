"""Many calls of `mcts.uct`, made fast: many dives in one call, and searches side by side.

`mcts.uct` is the specification: to understand the search, read it alone. The dives here are on
tallies, records that change in place. They belong to one search, and nothing outside sees them.
"""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial, reduce
from itertools import islice, repeat
from operator import sub
from typing import Any, Generic, NamedTuple, TypeAlias

from purembts.bounds import AnyBound, Bound, ucb1
from purembts.chance import Executor, Rng, map_chunks, pick
from purembts.checks import an_rng, at_least_one, brief
from purembts.fast.links import fast_policy, moves_after
from purembts.fast.tallies import Choose, Tally, choosing, with_tallies
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
from purembts.mcts import first_record, merge_trees
from purembts.records import NOTHING, Record, Scores, Tree, add_scores, as_tree


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
    if turn is not None:
        if not isinstance(turn, Turn) or not turn.moves or turn.state != state:
            raise ValueError(f"`turn` must be at {brief(state)}, with moves; got {brief(turn)}.")
        if len(game.chances(state)) > 1:  # a single event is never drawn
            policy = partial(_play_after, turn, policy)
    read = tree.get if tree else dict[S, Record]().get  # an empty pmap is read slowly
    one_by_one, choose = isinstance(bound, Bound), choosing(game, bound)
    search = Search(game, {}, read, turn, one_by_one, choose, policy, rng, rollouts)
    return _strides(search, tree, tally_of(search, state), lengths)


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
    return {
        position: Record(n - old.visits, tuple(map(sub, scores, old.scores or repeat(0))))
        for position, (n, scores) in grown.items()
        if n > (old := tree.get(position) or NOTHING).visits
    }


class Search(NamedTuple, Generic[S, E]):
    """A search: its game, its tallies, the records that it reads, and what it does in a dive."""

    game: Game[S, E]
    tallies: dict[S, Tally[S, E]]
    read: Callable[[S], Record | None]
    turn: Turn[S, E] | None  # with which all dives begin
    one_by_one: bool  # True if the first move without visits is always chosen
    choose: Choose[S, E]
    policy: DefaultPolicy[S, E]
    rng: Rng
    rollouts: int


def tally_of(search: Search[S, E], state: S) -> Tally[S, E]:
    """The one tally of `state`, which starts as its record in the tree."""
    tally = search.tallies.get(state)
    if tally is None:
        record = search.read(state) or NOTHING
        tally = search.tallies[state] = Tally(state, record, search.game.players)
    return tally


def opened(search: Search[S, E], tally: Tally[S, E]) -> Tally[S, E]:
    """`tally`, whose events are known now."""
    turn = search.turn
    tally.player = checked_player(search.game, tally.state)
    tally.events = events_of(search.game, tally.state)
    if turn and turn.state == tally.state and len(tally.events) > 1:
        tally.events, tally.begun[turn.event] = [turn.event], (turn.moves, [])
    tally.after = [None] * len(tally.events)
    return tally


def options_after(search: Search[S, E], tally: Tally[S, E], i: int) -> list[Tally[S, E]]:
    """The tallies of the moves after event i, or of one move without visits, which is chosen then.

    A `Bound` is infinite without visits, so a position of 200 moves needs no 200 tallies.
    """
    event = tally.events[i]
    if event not in tally.begun:
        tally.begun[event] = moves_after(search.game, tally.state, event), []
    moves, tried = tally.begun[event]
    while len(tried) < len(moves):
        option = tally_of(search, moves[len(tried)])
        if search.one_by_one and not option.visits:
            return [option]
        tried.append(option)
    tally.after[i] = tried
    return tried


def _strides(
    search: Search[S, E], tree: Tree[S], root: Tally[S, E], lengths: Iterable[int]
) -> Iterator[Tree[S]]:
    """The trees of `strides`: `uct` on tallies, which become records after each stride."""
    game, _, _, _, _, choose, policy, rng, rollouts = search
    draw, turns = rng.random, range(game.max_turns)
    known: dict[Scores, _Gains] = {}
    yield tree
    for k in lengths:
        for _ in range(at_least_one(k, "k")):
            here, path = root, [root]
            for _ in turns:
                after = here.after
                if not after:
                    if not here.visits:
                        result = policy(game, here.state, rng)  # expand, and simulate
                        break
                    after = opened(search, here).after
                i = int(draw() * len(after)) if len(after) > 1 else 0  # select
                options = after[i]
                if options is None:
                    options = options_after(search, here, i)
                if len(options) > 1:
                    here = choose(options, here.player)
                elif options:
                    here = options[0]
                else:
                    result = here.result = here.result or game.result(here.state)
                    break
                path.append(here)
            else:
                raise endless(game, here.state)
            try:
                player, points, others = known[result]
            except (KeyError, TypeError):
                player, points, others = _counted(search, known, here, result)
            for tally in path:  # backpropagate
                tally.visits += rollouts
                tally.chooser = None
                tally.scores[player] += points
            for other, more in others:
                for tally in path:
                    tally.scores[other] += more
        tree = with_tallies(tree, search.tallies.values())
        yield tree


_Gains: TypeAlias = tuple[int, float, list[tuple[int, float]]]
"""A player with the points to add, and the other players who have points."""


def _counted(
    search: Search[S, E], known: dict[Scores, _Gains], leaf: Tally[S, E], one: Scores
) -> _Gains:
    """The points in all rollouts from `leaf`, of which the first has the result `one`."""
    game, *_, policy, rng, rollouts = search
    total = checked_result(game, leaf.state, one)
    for _ in range(rollouts - 1):
        more = game.result(leaf.state) if leaf.visits else policy(game, leaf.state, rng)
        total = add_scores(total, checked_result(game, leaf.state, more))
    (player, points), *others = [gain for gain in enumerate(total) if gain[1]] or [(0, 0)]
    gains = player, points, others
    if rollouts == 1 and len(known) < 1000:
        known[one] = gains
    return gains
