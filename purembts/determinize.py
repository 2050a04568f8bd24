"""Hidden information: search positions that fit a player's view, and add up the records.

A game with hidden information has a `view` of a position for each player, and `worlds`, the
positions that fit a view. A strategy for such a game is a function of views, so it cannot use more
than its player may know. `lifted` turns it into a strategy for `play_game` and `match`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, reduce
from itertools import accumulate, chain, islice
from typing import Any, Generic, NamedTuple, Self, TypeAlias

from toolz import nth

from purembts.bounds import AnyBound, ucb1
from purembts.chance import Rng, random
from purembts.checks import MISTAKES, brief
from purembts.display import Hidden
from purembts.game import E, Game, S, Strategy, Turn
from purembts.guards import explained
from purembts.mcts import merge_trees, trees, uct
from purembts.positions import children
from purembts.records import Record, Tree, as_tree

PlayerView: TypeAlias = Any
"""The part of a position that a player may know: hashable, and equal to any other of its value."""

ViewStrategy: TypeAlias = Callable[[Turn[PlayerView, Any], Rng], PlayerView]
"""A strategy that uses views alone: the state of the turn and its moves are views."""


# Views


def view_turn(game: Game[S, E], turn: Turn[S, E]) -> Turn[PlayerView, E]:
    """`turn` for the player to move: the view of the position, and the views after each move."""
    see = _view_of(game, turn.player)
    return Turn(see(turn.state), turn.event, tuple(map(see, turn.moves)), turn.player)


@explained
def lifted(game: Game[S, E], strategy: ViewStrategy) -> Strategy[S, E]:
    """The strategy for `play_game` and `match` that plays the moves of `strategy`.

    `strategy` gets views and nothing else. It draws from the generator of the game, so the deal
    should come from another generator.
    """
    return partial(_lifted_move, game, strategy)


def _lifted_move(game: Game[S, E], strategy: ViewStrategy, turn: Turn[S, E], rng: Rng) -> S:
    """The move of `turn` after which the player to move has the view that `strategy` answers."""
    view_of_turn = view_turn(game, turn)
    return turn.moves[view_of_turn.moves.index(strategy(view_of_turn, rng))]


def _view_of(game: Game[S, E], player: int) -> Callable[[S], PlayerView]:
    """The function from a position to the view of `player`."""
    view = _hidden_of(game).view
    return lambda state: view(state, player)


def _hidden_of(game: Game[S, E]) -> Hidden[S]:
    """The hidden information of `game`. ValueError if it hides nothing."""
    hidden = game.hidden
    if hidden is None:
        raise ValueError(
            f"`hidden` of {game.name} must be Hidden(view, worlds), so that it has views; got None."
        )
    return hidden


def _worlds(game: Game[S, E], view: PlayerView, rng: Rng) -> Iterator[S]:
    """The worlds of `view`. ValueError if there is none, as for a position in its place."""
    hidden = _hidden_of(game)
    try:
        worlds = iter(hidden.worlds(view, rng))
        first = next(worlds)
    except (*MISTAKES, StopIteration) as error:
        got = f"{brief(view)}, with {type(error).__name__}: {error}"
        hint = "lifted(game, strategy) plays positions by a strategy of views"
        raise ValueError(f"`view` must be a view of {game.name}; got {got}. {hint}.") from error
    yield from chain([first], worlds)


# Searches


@explained
def perfect_information(
    game: Game[S, E],
    view: PlayerView,
    rng: Rng = random,
    *,
    budget: int = 30,
    rollouts: int = 10,
    worlds: int = 1,
    bound: AnyBound = ucb1,
) -> Tree[PlayerView]:
    """The records of the moves at `view`, added up over the searches of `worlds` positions.

    Each world is searched with `budget` dives, as if all players saw it: perfect information Monte
    Carlo. So a move has the value that it would have if all hidden cards were shown right after it
    (strategy fusion; Frank and Basin 1998, "Search in games with incomplete information").
    """
    trees_from = partial(trees, game, {}, rng=rng, bound=bound, rollouts=rollouts)
    records = (
        _records(game, world, nth(budget, trees_from(world)))
        for world in islice(_worlds(game, view, rng), worlds)
    )
    return reduce(merge_trees, records, as_tree({}))


@explained
def information_set(
    game: Game[S, E],
    view: PlayerView,
    rng: Rng = random,
    *,
    budget: int = 30,
    rollouts: int = 1,
    bound: AnyBound = ucb1,
) -> Tree[PlayerView]:
    """The tree of views after `budget` dives, each into a new world: information set MCTS.

    Positions that look the same to the player to move share a record, so hidden cards cannot decide
    between moves. The other players are modelled with the same information (Cowling, Powley and
    Whitehouse 2012, "Information set Monte Carlo tree search", the single-observer algorithm). The
    bound's total is the visits of the moves available in this world. The paper counts, for each
    move, the visits at which it was available.
    """
    trees = information_sets(game, view, rng, bound=bound, rollouts=rollouts)
    return next(islice(trees, budget, None))


@explained
def information_sets(
    game: Game[S, E],
    view: PlayerView,
    rng: Rng = random,
    *,
    tree: Tree[PlayerView] | dict[PlayerView, Record] | None = None,
    rollouts: int = 1,
    bound: AnyBound = ucb1,
) -> Iterator[Tree[PlayerView]]:
    """The trees of views after 0, 1, 2, ... dives of `information_set`, without end.

    The first is `tree`, by default an empty one.
    """

    def dive(tree: Tree[PlayerView], world: S) -> Tree[PlayerView]:
        views: Any = ViewTree(tree, _view_of(game, game.to_move(world)))
        views, _ = uct(game, views, world, rng, bound=bound, rollouts=rollouts)
        return views.tree  # type: ignore[no-any-return]

    return accumulate(_worlds(game, view, rng), dive, initial=as_tree({} if tree is None else tree))


class ViewTree(NamedTuple, Generic[S]):
    """A tree of views, used as a tree of positions: positions of the same view share a record."""

    tree: Tree[PlayerView]
    view_of: Callable[[S], PlayerView]

    def get(self, state: S) -> Record | None:
        """Return the record of the view of `state`."""
        return self.tree.get(self.view_of(state))

    def set(self, state: S, record: Record) -> Self:
        """Return the tree in which the view of `state` has `record`."""
        return type(self)(self.tree.set(self.view_of(state), record), self.view_of)


def _records(game: Game[S, E], world: S, tree: Tree[S]) -> dict[PlayerView, Record]:
    """The records in `tree` of the moves at `world`, for the views that they lead to."""
    see = _view_of(game, game.to_move(world))
    return {see(move): tree[move] for move in children(game, world) if move in tree}
