"""Hidden information: search positions that fit what a player knows, and add up what was learnt.

A game whose players do not see everything has a `view` of a position for each player, and `worlds`,
the positions that fit a view. A strategy for it is a function of views, which cannot know more than
its player does; `lifted` makes of it one that `play_game` and `match` take.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial, reduce
from typing import Any, TypeAlias

from toolz import take

from purembts.chance import Rng
from purembts.checks import at_least_one, shown
from purembts.game import E, Game, S, Turn, children, draw_turn
from purembts.mcts import Tree, as_tree, learnt, merge_trees, search, uct
from purembts.play import Final, Strategy
from purembts.records import Record, mean

View: TypeAlias = Any
"""What a player may know of a position: hashable, and equal to any other of the same value."""

Seeing: TypeAlias = Callable[[Turn[View, Any], Rng], View]
"""A strategy that sees views alone: one of the moves of a turn, each the view that it leads to."""

Method: TypeAlias = Callable[..., Tree[View]]
"""How to search behind a view: `perfect_information` or `information_set`."""


def seen(game: Game[S, E], turn: Turn[S, E]) -> Turn[View, E]:
    """`turn` as the player to move sees it: the view, and the views that the moves lead to."""
    sees = _eyes(game, turn.player)
    return Turn(sees(turn.state), turn.event, tuple(map(sees, turn.moves)), turn.player)


def lifted(game: Game[S, E], strategy: Seeing) -> Strategy[S, E]:
    """The strategy for `play_game` and `match` that plays what `strategy` does.

    `strategy` is given views and nothing else: what a view does not have, it cannot look at. It
    draws from the generator of the game, so let the deal come from another one.
    """
    return partial(_lifted_move, game, strategy)


def perfect_information(
    game: Game[S, E],
    view: View,
    rng: Rng = random,
    *,
    budget: int = 30,
    rollouts: int = 10,
    worlds: int = 1,
    **how: Any,
) -> Tree[View]:
    """The records of the moves at `view`, added up over searches of so many worlds.

    Each world is searched with `budget` dives, as if everybody saw it: perfect information Monte
    Carlo. So a move is worth what it would be if all that is hidden came out right after it
    (strategy fusion; Frank and Basin 1998, "Search in games with incomplete information").
    """
    at_least_one(budget, "budget")
    records = (
        _records(game, world, search(game, {}, world, budget, rng, rollouts=rollouts, **how))
        for world in take(at_least_one(worlds, "worlds"), _worlds(game, view, rng))
    )
    return reduce(merge_trees, records, as_tree({}))


def information_set(
    game: Game[S, E],
    view: View,
    rng: Rng = random,
    *,
    budget: int = 30,
    **how: Any,
) -> Tree[View]:
    """The tree of views after `budget` dives, each into a new world: information set MCTS.

    Positions that look the same to the player to move share a record, so no move can be chosen by
    what is hidden; the others are as well informed as that player (Cowling, Powley and Whitehouse
    2012, "Information set Monte Carlo tree search", the single-observer algorithm). The bound's
    total is the visits of the moves available in this world; the paper counts, for each move, the
    visits at which it was available.
    """

    def dive(tree: Tree[View], world: S) -> Tree[View]:
        return uct(game, tree, world, rng, key=_eyes(game, game.to_move(world)), **how)[0]

    worlds = take(at_least_one(budget, "budget"), _worlds(game, view, rng))
    return reduce(dive, worlds, as_tree({}))


def choose(
    game: Game[S, E],
    view: View,
    rng: Rng = random,
    *,
    method: Method = perfect_information,
    budget: int = 30,
    rollouts: int = 10,
    final: Final = mean,
    **how: Any,
) -> View:
    """The best move by `final` for whoever is to move and sees `view`: the view it leads to.

    `records.mean` is right for few dives, which visit many moves once; `records.visits` for many.
    `budget` is the number of dives, `rollouts` how many random games each of them plays, as in the
    article on Big Two. `method` is `perfect_information`, which has that budget for each of its
    `worlds`, or `information_set`; `how` is what else it takes: a `bound`, a `default_policy`.
    """
    turn = seen(game, draw_turn(game, next(_worlds(game, view, rng)), rng))
    if turn.state != view or not turn.moves:
        raise ValueError(f"There is nothing to choose for whoever sees {shown(view)}.")
    if len(turn.moves) == 1:
        return turn.moves[0]
    records = method(game, view, rng, budget=budget, rollouts=rollouts, **how)
    return learnt(records, final)(turn, ())[0]


def searching(game: Game[S, E], **how: Any) -> Seeing:
    """The strategy that plays what `choose` does; `how` is what it takes by name."""
    for name in ("budget", "rollouts", "worlds"):
        at_least_one(how.get(name, 1), name)
    return partial(_chosen, game, how)


def _chosen(game: Game[S, E], how: dict[str, Any], turn: Turn[View, E], rng: Rng) -> View:
    return choose(game, turn.state, rng, **how)


def _lifted_move(game: Game[S, E], strategy: Seeing, turn: Turn[S, E], rng: Rng) -> S:
    as_seen = seen(game, turn)
    answer = strategy(as_seen, rng)
    if answer not in as_seen.moves:
        raise ValueError(
            f"The strategy of player {turn.player} answered {shown(answer)} to {shown(as_seen)}; "
            "it has to be one of the moves."
        )
    return turn.moves[as_seen.moves.index(answer)]


def _records(game: Game[S, E], world: S, tree: Tree[S]) -> dict[View, Record]:
    """What `tree` knows of the moves at `world`, for the views that they lead to."""
    sees = _eyes(game, game.to_move(world))
    moves = children(game, world)
    return {sees(move): tree[move] for move in moves if move in tree}


def _eyes(game: Game[S, E], player: int) -> Callable[[S], View]:
    """What `player` sees of a position."""
    return partial(_seen_by, game, player)


def _seen_by(game: Game[S, E], player: int, state: S) -> View:
    if game.view is None:
        raise ValueError(f"{game.name} hides nothing; its game has no view.")
    return game.view(state, player)


def _worlds(game: Game[S, E], view: View, rng: Rng) -> Iterator[S]:
    if game.worlds is None:
        raise ValueError(f"{game.name} hides nothing; its game has no worlds.")
    return game.worlds(view, rng)
