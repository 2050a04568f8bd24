"""Many dives and many random games in one call, and side by side: the words for bulk.

`mcts.uct` and `simulation.simulate` are the specification: to understand the search, read them
alone. The words here have the same results from the same random numbers. The dives are on tallies,
records that change in place. They belong to one search, and nothing outside sees them.
"""

from __future__ import annotations

import builtins
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial, reduce
from itertools import islice, repeat, starmap
from operator import sub
from types import NoneType
from typing import Any, Generic, NamedTuple, TypeAlias

from purembts.bounds import AnyBound, Bound, ucb1
from purembts.chance import Rng, pick, random
from purembts.checks import at_least_one, brief
from purembts.executors import Executor, map_chunks
from purembts.fast.bitboards import (
    BoardForm,
    board_form,
    board_games,
    board_record,
    board_speed,
    dives_on_boards,
)
from purembts.fast.compiled import (
    Dives,
    compiled_dives,
    compiled_results,
    numbers_of,
    speed_of,
    timed,
)
from purembts.fast.links import FEW_EVENTS, fast_policy, moves_after
from purembts.fast.tallies import Choose, SearchPlan, Tally, choosing, with_tallies
from purembts.game import DefaultPolicy, E, Game, S, Turn, endless, playout
from purembts.guards import explained
from purembts.mcts import merge_trees
from purembts.records import (
    NOTHING,
    Record,
    Scores,
    Tree,
    add_scores,
    as_tree,
    merge,
    tally,
)

# Random games


@explained
def simulate(
    game: Game[S, E],
    state: S,
    n: int,
    rng: Rng = random,
    *,
    default_policy: DefaultPolicy[S, E] = playout,
    total: int = 0,
) -> Record:
    """The record of `n` random games from `state`: that of `simulation.simulate`, but faster.

    The `total` of the games that are wanted, if other calls follow, makes no difference but speed.
    """
    policy = fast_policy(game, default_policy)

    def play(k: int) -> dict[Scores, int]:
        """The results of k random games in Python, each with its number."""
        return Counter(starmap(policy, repeat((game, state, rng), k)))

    results, rest = Counter[Scores](), n
    speed = speed_of(policy, rng) or board_speed(policy, rng)
    while rest:
        boards = board_form(game, policy, state, max(rest, total), speed)
        if record := board_record(boards, game, state, rest, rng):
            return merge(tally(results), record)
        more, k = compiled_results(game, state, rest, total, speed, rng), rest
        if more is None:
            speed, k, more = timed(speed, rest, play)
        results.update(more)
        rest -= k
    return tally(results)


@explained
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
    chunk = partial(simulate, game, state)
    return reduce(merge, map_chunks(executor, chunk, n, seed=seed, chunks=chunks))


# Dives


@explained
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
    """The tree after `dives` more dives from `state`: `nth(dives, trees(...))`, but faster.

    `tree` does not change. It may be {}, or a tree that an earlier search gave. `bound` rates the
    moves, and `default_policy(game, leaf, rng)` is the result of a game from a leaf; there are
    `rollouts` games from each, as in `mcts.uct`.

    >>> from random import Random
    >>> from purembts.games.last_coin import last_coin, pile
    >>> tree = search(last_coin(), {}, pile(5), 200, Random(7))
    >>> [(move.coins, tree[move].visits) for move in last_coin().moves(pile(5), None)]
    [(4, 10), (3, 189)]
    """
    how: dict[str, Any] = {"bound": bound, "default_policy": default_policy, "rollouts": rollouts}
    return next(islice(strides(game, tree, state, dives, rng, **how), 1, None))


@explained
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
    total: int = 0,
) -> Iterator[Tree[S]]:
    """The trees after 0, k, 2 k, ... dives into `tree` from `state`, without end.

    They are trees of `mcts.trees`. If `k` is an iterable, it has the number of dives of each
    stride. With a `turn` at `state`, all dives begin with its event, which is not drawn.
    The `total` of the dives that are wanted, also in other calls, makes no difference but speed.

    >>> from random import Random
    >>> from itertools import islice
    >>> from purembts.games.last_coin import last_coin, pile
    >>> trees = strides(last_coin(), {}, pile(5), 100, Random(7))
    >>> [len(tree) for tree in islice(trees, 4)]
    [0, 10, 10, 10]
    """
    lengths = k if isinstance(k, Iterable) else repeat(at_least_one(k, "k"))
    tree = as_tree(tree)
    if turn is not None:
        if not isinstance(turn, Turn) or not turn.moves or turn.state != state:
            raise ValueError(f"`turn` must be at {brief(state)}, with moves; got {brief(turn)}.")
        if len(game.chances(state)) == 1:
            turn = None  # a single event is never drawn
    policy = fast_policy(game, default_policy)
    plan = SearchPlan(game, state, turn, bound, policy, rng, rollouts)
    return _strides(plan, tree, lengths, total)


def _strides(
    plan: SearchPlan[S, E], tree: Tree[S], lengths: Iterable[int], total: int
) -> Iterator[Tree[S]]:
    """The trees of `strides`. It dives on tallies, and in compiled loops once they pay."""
    tallies: _Tallies[S, E] | None = None
    compiled: Dives[S] | None = None
    boards: BoardForm[S] | None = None
    game, state, _, bound, policy, rng, _ = plan
    speed = speed_of(policy, rng, bound) or board_speed(policy, rng)
    yield tree
    for k in lengths:
        rest = at_least_one(k, "k")
        while rest:
            if not (compiled or boards):
                wanted = max(rest, total)
                numbers = numbers_of(game, state, wanted, speed)
                boards = board_form(game, policy, state, wanted, speed)
                tree = _tree_of(tallies, tree) if numbers or boards else tree
                compiled = compiled_dives(plan, numbers, tree) if numbers else None
                compiled = dives_on_boards(plan, boards, tree) if boards else compiled
            new_tree, n = compiled(tree, rest) if compiled else None, rest
            if new_tree is None:
                compiled, tallies = None, tallies or _tallies_from(plan, tree)
                speed, n, _ = timed(speed, rest, partial(_dive_on, boards, tallies))
            else:
                tree, tallies = new_tree, None
            rest -= n
        tree = _tree_of(tallies, tree)
        yield tree


def _tree_of(tallies: _Tallies[S, E] | None, tree: Tree[S]) -> Tree[S]:
    """`tree`, the last one of the search, with the records of `tallies` that have changed."""
    return with_tallies(tree, tallies.of.values()) if tallies else tree


def _tallies_from(plan: SearchPlan[S, E], tree: Tree[S]) -> _Tallies[S, E]:
    """A search from `tree` in tallies."""
    game, _, turn, bound, policy, _, rollouts = plan
    read = tree.get if tree else dict[S, Record]().get  # an empty pmap is read slowly
    if turn:
        policy = partial(_play_after, turn, policy)
    if rollouts > 1:
        policy = partial(_sum_of_games, policy, rollouts)
    return _Tallies(plan, {}, read, isinstance(bound, Bound), choosing(game, bound), policy, {})


def _play_after(
    turn: Turn[S, E], policy: DefaultPolicy[S, E], game: Game[S, E], state: S, rng: Rng
) -> Scores:
    """The result of `policy`; at the position of `turn`, after a random move of it."""
    return policy(game, pick(turn.moves, rng) if state == turn.state else state, rng)


@explained
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
) -> Tree[S]:
    """`tree` merged with the new records of `chunks` searches from it, with `dives` dives in all.

    A chunk does not use the results of the others. The executor makes no difference.
    """
    tree = as_tree(tree)
    chunk = partial(_new_records, game, dict(tree.items()), state, bound)
    return reduce(merge_trees, map_chunks(executor, chunk, dives, seed=seed, chunks=chunks), tree)


def _new_records(
    game: Game[S, E], tree: dict[S, Record], state: S, bound: AnyBound, dives: int, rng: Rng
) -> dict[S, Record]:
    """The records that a search adds. Merged with those of `tree`, they are its last tree."""
    new = {}
    for position, (n, scores) in search(game, tree, state, dives, rng, bound=bound).items():
        visits, before = tree.get(position, NOTHING)
        if n > visits:
            new[position] = Record(n - visits, tuple(map(sub, scores, before or repeat(0))))
    return new


class _Tallies(NamedTuple, Generic[S, E]):
    """A search in tallies: those of its positions, and all that its dives need."""

    plan: SearchPlan[S, E]
    of: dict[S, Tally[S, E]]
    read: Callable[[S], Record | None]
    one_by_one: bool  # True if the first move without visits is always chosen
    choose: Choose[S, E]
    policy: DefaultPolicy[S, E]
    gains: dict[Scores, _Gains]


def _tally_of(tallies: _Tallies[S, E], state: S) -> Tally[S, E]:
    """The one tally of `state`, which starts as its record in the tree."""
    tally = tallies.of.get(state)
    if tally is None:
        record = tallies.read(state) or NOTHING
        tally = tallies.of[state] = Tally(state, record, tallies.plan.game.players)
    return tally


def _with_events(tallies: _Tallies[S, E], tally: Tally[S, E]) -> Tally[S, E]:
    """`tally`, with its player to move and its events."""
    game, _, turn, *_ = tallies.plan
    tally.player, tally.events = game.to_move(tally.state), game.chances(tally.state)
    if turn and turn.state == tally.state:
        tally.events, tally.options[turn.event] = [turn.event], (turn.moves, [])
    n = tally.n_events = len(tally.events)
    tally.after = [None] * n if n <= FEW_EVENTS else defaultdict(NoneType)
    return tally


def _options_after(tallies: _Tallies[S, E], tally: Tally[S, E], i: int) -> list[Tally[S, E]]:
    """The tallies of the moves after event i, or of one move without visits, which is chosen then.

    A `Bound` is infinite without visits, so a position of 200 moves needs no 200 tallies.
    """
    event = tally.events[i]
    if event not in tally.options:
        tally.options[event] = moves_after(tallies.plan.game, tally.state, event), []
    moves, tried = tally.options[event]
    while len(tried) < len(moves):
        option = _tally_of(tallies, moves[len(tried)])
        if tallies.one_by_one and not option.visits:
            return [option]
        tried.append(option)
    tally.after[i] = tried
    return tried


def _dive_on(boards: BoardForm[S] | None, tallies: _Tallies[S, E], k: int) -> None:
    """Make k dives, with compiled random games if there are `boards`."""
    plan = tallies.plan
    with board_games(boards, plan.rollouts, plan.rng) as games:
        policy, rng = games or (tallies.policy, plan.rng)
        _dive(tallies._replace(policy=policy, plan=plan._replace(rng=rng)), k)


def _dive(tallies: _Tallies[S, E], k: int) -> None:
    """Make k dives: `uct` on tallies."""
    (game, state, _, _, _, rng, rollouts), _, _, _, choose, policy, gains = tallies
    draw, turns, root = rng.random, range(game.max_turns), _tally_of(tallies, state)
    for _ in range(k):
        here, path = root, [root]
        for _ in turns:
            n = here.n_events
            if not n:
                if not here.visits:
                    result = policy(game, here.state, rng)  # expand, and simulate
                    break
                n = _with_events(tallies, here).n_events
            i = int(draw() * n) if n > 1 else 0  # select
            options = here.after[i]
            if options is None:
                options = _options_after(tallies, here, i)
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
        player, points, others = gains.get(result) or _gains_of(tallies, here, result)
        for passed in path:  # backpropagate
            passed.visits += rollouts
            passed.chooser = None
            passed.scores[player] += points
        for other, more in others:
            for passed in path:
                passed.scores[other] += more


_Gains: TypeAlias = tuple[int, float, list[tuple[int, float]]]
"""A player with the points to add, and the other players who have points."""


def _gains_of(tallies: _Tallies[S, E], leaf: Tally[S, E], result: Scores) -> _Gains:
    """The points to add for `result`: of all rollouts, or of each where the game has ended."""
    rollouts = tallies.plan.rollouts
    if rollouts == 1 or leaf.visits:
        result = reduce(add_scores, repeat(result, rollouts))
    (player, points), *others = [gain for gain in enumerate(result) if gain[1]] or [(0, 0)]
    gains = player, points, others
    if rollouts == 1 and len(tallies.gains) < 1000:
        tallies.gains[result] = gains
    return gains


def _sum_of_games(
    policy: DefaultPolicy[S, E], rollouts: int, game: Game[S, E], state: S, rng: Rng
) -> Scores:
    """The sum of the results of `rollouts` games from `state`."""
    return reduce(add_scores, [policy(game, state, rng) for _ in range(rollouts)])
