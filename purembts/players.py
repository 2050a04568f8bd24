"""Players who think in trees. A `Player` is a strategy, and its trees can be watched.

A player keeps nothing between turns; `think` hands a tree on from one turn to the next.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, pairwise
from typing import Any, NamedTuple, TypeAlias

from toolz import nth

from purembts.bounds import AnyBound, ucb1
from purembts.chance import Rng, pick, random
from purembts.checks import at_least_one, brief
from purembts.determinize import PlayerView, information_sets, perfect_information
from purembts.exact import best, solver
from purembts.fast.engine import simulate, strides
from purembts.game import E, Game, S, Strategy, Turn, turn_at
from purembts.guards import explained
from purembts.mcts import Final, learnt, merge_trees
from purembts.proving import backed_up
from purembts.records import NOTHING, Record, Tree, as_tree, marks_of, mean, merge, visits
from purembts.report import Report, Value, report

Pace: TypeAlias = Callable[[Iterable[int]], Iterable[int]]
"""A function that splits numbers of dives, or joins them."""


def _between_marks(n: int) -> list[int]:
    """The dives or games between the `records.marks_of` n.

    >>> _between_marks(120)
    [1, 1, 3, 5, 10, 30, 50, 20]
    """
    return [end - begin for begin, end in pairwise([0, *marks_of(n)])]


def turn_moves(turn: Turn[S, E]) -> Sequence[S]:
    """The moves of `turn`. ValueError if there are none."""
    if not turn.moves:
        raise ValueError(f"`turn` must have moves; got the end of the game, {brief(turn)}.")
    return turn.moves


class Player(NamedTuple):
    """A player who thinks in trees. It is also a strategy: the choice from the last tree.

    Where hands are hidden, the turn, the trees and the move may be of views.
    """

    trees: Callable[..., Iterator[Tree[Any]]]
    """The trees of a turn with several moves, one after each number of dives: `trees(turn, rng,
    pace=iter)`. `pace` may split the numbers, or join them; this does not change the last tree."""
    choose: Callable[[Turn[Any, Any], Tree[Any], Rng], Any]
    """The move of a turn, from the last of the trees."""
    final: Final = mean
    """The rank of a record, by which its reports say which move would be played."""
    report: Callable[..., Report] | None = None
    """The report of a turn and a tree; None for a player who keeps no records."""

    def __call__(self, turn: Turn[Any, Any], rng: Rng = random) -> Any:  # noqa: ANN401
        """Return the move of `turn`."""
        if len(turn_moves(turn)) == 1:
            return turn.moves[0]
        [tree] = deque(self.trees(turn, rng, lambda dives: [sum(dives)]), maxlen=1)
        return self.choose(turn, tree, rng)


def _no_trees(turn: Turn[S, E], rng: Rng, pace: Pace = iter) -> Iterator[Tree[S]]:  # noqa: ARG001
    """The one tree of a player who keeps no records: an empty one."""
    return iter([as_tree({})])


def strategy_player(strategy: Strategy[Any, Any]) -> Player:
    """The player of a strategy, who keeps no records."""
    return Player(_no_trees, partial(_strategy_move, strategy))


def _strategy_move(strategy: Strategy[S, E], turn: Turn[S, E], tree: Tree[S], rng: Rng) -> S:  # noqa: ARG001
    return strategy(turn, rng)


def _best_record(final: Final, turn: Turn[S, E], tree: Tree[S], rng: Rng) -> S:
    return pick(learnt(tree, final=final)(turn), rng)


def _random_move(turn: Turn[S, E], rng: Rng) -> S:
    return pick(turn.moves, rng)


def _exact_move(value: Value, turn: Turn[S, E], rng: Rng) -> S:  # noqa: ARG001
    return best(turn, [value(move) for move in turn.moves])[0]


random_player: Player = strategy_player(_random_move)
"""The player of random moves, all equally likely."""


def perfect_player(game: Game[S, E]) -> Player:
    """The player who plays the first of the best moves, and keeps the values it has computed."""
    return exact_player(game, solver(game))


def exact_player(game: Game[S, E], value: Value) -> Player:
    """The player of the first of the best moves, by the exact value of each position."""
    player = strategy_player(partial(_exact_move, value))
    return player._replace(report=partial(report, game, value=value))


@explained
def flat_player(game: Game[S, E], games: int, *, bound: AnyBound = ucb1) -> Player:
    """The player of flat Monte Carlo: the best mean after `games` random games in each turn.

    The games are spread evenly over the moves. Behind a view, each world that is drawn has one game
    after each move. The bound does not change the moves; reports show it.
    """
    trees = _flat_views if game.hidden else _flat_trees
    return Player(
        partial(trees, game, games),
        partial(_best_record, mean),
        report=partial(report, game, bound=bound),
    )


def _flat_trees(
    game: Game[S, E], games: int, turn: Turn[S, E], rng: Rng, pace: Pace = iter
) -> Iterator[Tree[S]]:
    """The records of the moves, whose numbers of games differ by one at most."""
    least, more = divmod(games, len(turn.moves))
    order = (i for i in range(len(turn.moves)) for _ in range(least + (i < more)))
    records = [NOTHING] * len(turn.moves)
    for part in pace(_between_marks(games)):
        for i, n in Counter(islice(order, part)).items():
            records[i] = merge(records[i], simulate(game, turn.moves[i], n, rng))
        yield as_tree(dict(zip(turn.moves, records, strict=True)))


def _flat_views(
    game: Game[S, E], total: int, turn: Turn[PlayerView, E], rng: Rng, pace: Pace = iter
) -> Iterator[Tree[PlayerView]]:
    """The records of the views after the moves: of each world, a random game after each move."""
    moves = len(turn.moves)
    # A search visits the position itself first, so a world has one dive more than there are moves.
    how: dict[str, Any] = {"budget": moves + 1, "rollouts": 1}
    tree: Tree[PlayerView] = as_tree({})
    games = worlds = 0
    for part in pace(_between_marks(total)):
        games += part
        if more := max(1, games // moves) - worlds:
            records = perfect_information(game, turn.state, rng, worlds=more, **how)
            tree, worlds = merge_trees(tree, records), worlds + more
        yield tree


@explained
def uct_player(
    game: Game[S, E],
    dives: int,
    *,
    final: Final = visits,
    bound: AnyBound = ucb1,
    rollouts: int = 1,
) -> Player:
    """The player of a new search in each turn, with `dives` dives. It plays the best by `final`.

    `bound` and `rollouts` are those of `engine.search`. A game with hidden information is searched
    by information sets, from views. Without its `hidden`, the search sees all.
    """
    how = {"bound": bound, "rollouts": rollouts}
    return Player(
        partial(_uct_trees, game, dives, how),
        partial(_best_record, final),
        final,
        partial(report, game, bound=bound, final=final),
    )


def _uct_trees(
    game: Game[S, E],
    dives: int,
    how: dict[str, Any],
    turn: Turn[S, E],
    rng: Rng,
    pace: Pace = iter,
) -> Iterator[Tree[S]]:
    """The trees of a new search from `turn`."""
    if not game.hidden:  # a narrowed game has some of the moves of a match
        turn = turn_at(game, turn.state, turn.event)
    parts = pace(_between_marks(dives))
    return growing(game, {}, turn.state, parts, rng, turn=turn, total=dives, **how)


@explained
def growing(
    game: Game[S, E],
    tree: Tree[Any] | dict[Any, Record],
    root: Any,  # noqa: ANN401
    parts: Iterable[int],
    rng: Rng,
    *,
    turn: Turn[Any, E] | None = None,
    total: int = 0,
    **how: Any,
) -> Iterator[Tree[Any]]:
    """The trees of a search on from `tree`, one after each of `parts`, which are numbers of dives.

    In a game with hidden information, `root` is a view, and the trees have records of views. Each
    dive goes into a new world that fits the view. With a `turn` at `root`, its event is not drawn.
    `how` has the options of `engine.search`, and `total` is that of `engine.strides`.
    """
    if not game.hidden:
        how |= {"turn": turn, "total": total}
        yield from islice(strides(game, tree, root, parts, rng, **how), 1, None)
        return
    trees = information_sets(game, root, rng, tree=tree, **how)
    next(trees)
    for part in parts:
        yield from deque(islice(trees, at_least_one(part, "parts")), maxlen=1)


def backed_up_report(game: Game[S, E], turn: Turn[S, E], tree: Tree[S], **options: Any) -> Report:
    """The report of a tree whose means are backed up.

    A mean of a search counts the results of moves that were only tried. Backed up, it is nearly
    exact where chance is averaged. Without chance, the best of many moves with few visits is often
    a lucky one.
    """
    return report(game, turn, backed_up(game, tree, turn.state), is_backed_up=True, **options)


@explained
def think(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    turn: Turn[S, E],
    dives: int,
    rng: Rng = random,
) -> tuple[Tree[S], S]:
    """`tree` after `dives` more dives from `turn`, and its most visited move.

    The search goes on from the records in `tree`, so hand the tree on from move to move.
    `mcts.subtree` drops the positions that cannot come any more. All dives begin with the event of
    `turn`, which is not drawn again.
    """
    turn_moves(turn)
    newest = nth(1, strides(game, tree, turn.state, dives, rng, turn=turn))
    return newest, _best_record(visits, turn, newest, rng)
