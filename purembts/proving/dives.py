"""Dives that leave out what is certain: `settle` is one dive, like that of `mcts.uct`.

It is the specification. `fast_dives` makes many such dives faster, and gives the same trees.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from purembts.bounds import AnyBound, ucb1
from purembts.chance import Rng, pick, repeatedly
from purembts.checks import an_rng, at_least_one
from purembts.exact import as_fractions
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    S,
    Turn,
    Values,
    checked_result,
    endless,
    events_of,
    playout,
    turn_at,
)
from purembts.mcts import Path, backpropagate, best_child, first_record
from purembts.proving.certain import Known, known_of, rule_of, worth_after
from purembts.records import NOTHING, Record, Scores, Tree, as_tree


def settle(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    rng: Rng = random,
    *,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    remember: int | None = None,
) -> tuple[Tree[S], Scores | Values]:
    """One dive like that of `mcts.uct`, without settled positions: the new tree, and the result.

    Events and moves that are certain are left out. A random move to a position that is not in the
    tree comes first; if there is none, the move with the highest bound. The first `remember` new
    positions of the game are added to the tree: with 1 the new leaf alone, as in `uct`; with None
    all of them. After the first of them, no bound is compared: the moves are random. After the last
    one, `default_policy` plays. If `state` is settled, nothing is drawn: the tree is the same, and
    the result is the worth.

    The records have raw results, so they can be merged. But their means count open events and open
    moves alone, so they do not estimate the worth: use `backed_up` or `robust` to judge the tree.
    To remember whole games of a large board takes much time and memory, because all moves of each
    of their positions are listed; 1 is right there.
    """
    tree = checked_start(game, tree, state, rng, remember)
    known = known_of(game, tree, state)
    if state in known.worths:
        return tree, as_fractions(known.worths[state])
    path = _select_open(known, tree, state, bound, remember, rng)
    leaf, _ = path[-1]
    # simulate a game from the leaf
    result = checked_result(game, leaf, default_policy(game, leaf, rng))
    return backpropagate(tree, path, result), result


def checked_start(
    game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S, rng: Rng, remember: int | None
) -> Tree[S]:
    """`tree` as a persistent map, or a ValueError if no dive can begin at `state`."""
    tree = as_tree(tree)
    rule_of(game)
    first_record(game, tree, state, an_rng(rng))
    if remember is not None:
        at_least_one(remember, "remember")
    return tree


def _select_open(
    known: Known[S, E],
    tree: Tree[S],
    state: S,
    bound: AnyBound,
    remember: int | None,
    rng: Rng,
) -> Path[S]:
    """The path of a dive from `state`, which is not certain, to its last new position."""
    game, new = known.rule.game, 0
    path: Path[S] = []
    while len(path) < game.max_turns:
        record = tree.get(state)
        path.append((state, record or NOTHING))
        new += record is None
        turns = [] if new == remember else _open_turns(known, state)
        if not turns:
            return path
        turn = pick(turns, rng)
        left = [move for move in turn.moves if move not in known.worths]
        if any(tree.get(move) is None for move in left):  # expand
            drawn = repeatedly(partial(pick, turn.moves, rng))
            state = next(move for move in drawn if tree.get(move) is None)
        elif new:
            state = pick(left, rng)
        else:  # select
            state, _ = best_child(game, tree, turn._replace(moves=left), bound)
    raise endless(game, state)


def _open_turns(known: Known[S, E], state: S) -> Sequence[Turn[S, E]]:
    """A turn for each event at `state` that is not certain."""
    rule, worths = known.rule, known.worths
    turns = [turn_at(rule.game, state, event) for event in events_of(rule.game, state)]
    return [t for t in turns if worth_after(rule, worths, state, t.player, t.moves) is None]


def settlings(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    rng: Rng = random,
    *,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    remember: int | None = None,
) -> Iterator[Tree[S]]:
    """The trees after 0, 1, 2, ... dives of `settle`, until `state` is settled.

    Each dive goes through the whole tree; `settle_strides` gives the same trees faster.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> [len(tree) for tree in settlings(last_coin(), {}, Pile(5), random.Random(7))]
    [0, 5, 8, 9]
    """
    how: Any = {"bound": bound, "default_policy": default_policy, "remember": remember}
    dive = partial(settle, game, state=state, rng=rng, **how)
    return _folded(dive, checked_start(game, tree, state, rng, remember))


def _folded(dive: Callable[..., tuple[Tree[S], Any]], tree: Tree[S]) -> Iterator[Tree[S]]:
    """`tree` and the trees after each `dive`, until it changes nothing."""
    before = None
    while tree is not before:
        yield tree
        before, (tree, _) = tree, dive(tree=tree)
