"""The thoughts of a player: the records of a turn as they grow, and the move that they lead to.

A `Mind` is a strategy that can be watched. With the same generator it makes the same moves as the
strategy: `play.uct_player`, `play.flat_player` and the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import accumulate, islice, pairwise
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

from purembts.bounds import AnyBound, ucb1, ucb1_with
from purembts.chance import Rng, pick
from purembts.checks import at_least_one
from purembts.determinize import (
    View,
    information_sets,
    lifted,
    perfect_information,
    view_turn,
)
from purembts.exact import MOST_POSITIONS, best, solver
from purembts.fast.engine import strides
from purembts.game import (
    E,
    Game,
    S,
    Strategy,
    Turn,
    Values,
    check_game,
    checked_move,
    draw_turn,
    endless,
    no_chance,
)
from purembts.mcts import Final, learnt
from purembts.play import random_player, turn_moves
from purembts.positions import children
from purembts.proving import backed_up, robust, settle_strides, settled
from purembts.proving.certain import rule_of
from purembts.records import NOTHING, Tree, as_tree, mean, visits
from purembts.report import NOT_CERTAIN, Report, Value, report
from purembts.simulation import flat

Trees: TypeAlias = Callable[[Turn[Any, Any], Rng], Iterator[Tree[Any]]]
"""A function from a turn to the trees of its player, who thinks. The last tree leads to the move.

In a game with hidden information, the turn and the trees are of views."""


class Mind(NamedTuple):
    """A strategy whose thoughts can be watched."""

    trees: Trees
    choose: Callable[[Turn[Any, Any], Tree[Any], Rng], Any]
    """The move of a turn, from the last of the trees."""
    final: Final = mean
    """The rank of a record, by which its reports say which move would be played."""
    value: Value | None = None
    """The exact value of a position, for a player who knows it."""
    known: Callable[..., Report] = report
    """The report of a turn and a tree. The arguments are those of `report.report`."""


class Thought(NamedTuple):
    """A turn while its player thinks. The last thought of a turn has the move."""

    turn: Turn[Any, Any]
    reports: tuple[Report, ...]
    """The reports so far, the newest last; () for a player with a single move or no records."""
    move: Any = None


# Minds


def no_trees(turn: Turn[S, E], rng: Rng) -> Iterator[Tree[S]]:  # noqa: ARG001
    """The trees of a player who keeps no records."""
    return iter([as_tree({})])


def random_mind() -> Mind:
    """The mind of `play.random_player`."""
    return Mind(no_trees, _at_random)


def perfect_mind(game: Game[S, E]) -> Mind:
    """The mind of `play.perfect_player`. The values that it has computed stay with it."""
    return exact_mind(solver(game))


def exact_mind(value: Value) -> Mind:
    """The mind of a player who knows the exact value of each position."""
    return Mind(no_trees, partial(_best_value, value), value=value)


def flat_mind(game: Game[S, E], games: int) -> Mind:
    """The mind of `play.flat_player`; behind a view, of one that plays in different worlds."""
    return Mind(partial(_flat_trees, game, at_least_one(games, "games")), best_by(mean))


def uct_mind(game: Game[S, E], dives: int, *, bound: AnyBound = ucb1) -> Mind:
    """The mind of `play.uct_player`; behind a view, of a search by information sets."""
    return search_mind(game, partial(parts_of, at_least_one(dives, "dives")), bound=bound)


def search_mind(
    game: Game[S, E],
    parts: Callable[[], Iterable[int]],
    *,
    final: Final = visits,
    bound: AnyBound = ucb1,
) -> Mind:
    """The mind of a new search in each turn, whose thoughts come after each of `parts()` dives."""
    return Mind(partial(_search_trees, game, parts, bound), best_by(final), final)


def settle_mind(
    game: Game[S, E],
    dives: int,
    split: Callable[[Iterable[int]], Iterable[int]] = iter,
    *,
    bound: AnyBound = ucb1,
) -> Mind:
    """The mind of `play.settle_player`, with thoughts after each of the strides of `split`.

    It has a new report after 1/8, 1/4, 1/2 and all of the dives. `split` takes these parts of the
    dives, and may split them.
    """
    rule_of(game)
    trees = partial(_settle_trees, game, at_least_one(dives, "dives"), split, bound)
    return Mind(trees, partial(_robust_move, game), known=robust_report)


def _settle_trees(
    game: Game[S, E],
    dives: int,
    split: Callable[[Iterable[int]], Iterable[int]],
    bound: AnyBound,
    turn: Turn[S, E],
    rng: Rng,
) -> Iterator[Tree[S]]:
    """The tree after the last part of the dives, after each stride; the last tree at the end."""
    ends = sorted({min(FEW_DIVES, dives), *accumulate(parts_of(dives))})
    parts = [end - begin for begin, end in pairwise([0, *ends])]
    shown: Tree[S] = as_tree({})
    grown = shown
    trees = settle_strides(game, {}, turn.state, split(parts), rng, bound=bound, remember=1)
    for grown in islice(trees, 1, None):
        shown = grown if grown[turn.state].visits in ends else shown
        yield shown
    yield grown


def _robust_move(game: Game[S, E], turn: Turn[S, E], tree: Tree[S], rng: Rng) -> S:
    return pick(robust(game, tree, turn.state)(turn), rng)


def robust_report(game: Game[S, E], turn: Turn[S, E], tree: Tree[S], **options: Any) -> Report:
    """The report of a tree of `settle`: its means are backed up, and `robust` is played."""
    means = backed_up(game, tree, turn.state)
    known = report(game, turn, means, is_backed_up=True, **options)
    played = robust(game, tree, turn.state)(turn)
    rows = (row._replace(learnt=row.visits > 0 and row.move in played) for row in known.rows)
    return known._replace(rows=tuple(rows))


def hint_report(game: Game[S, E], turn: Turn[Any, E], tree: Tree[Any], **options: Any) -> Report:
    """The report of a tree of a search for hints: its means are backed up in a game with chance.

    A mean of a search counts the results of moves that were only tried. Backed up, it is nearly
    exact where chance is averaged. Without chance, the best of many moves with few visits is often
    a lucky one, so there the means stay as they are.
    """
    if game.hidden or game.chances is no_chance:
        return report(game, turn, tree, **options)
    means = backed_up(game, tree, turn.state)
    return report(game, turn, means, is_backed_up=True, **options)


def _search_trees(
    game: Game[S, E],
    parts: Callable[[], Iterable[int]],
    bound: AnyBound,
    turn: Turn[Any, E],
    rng: Rng,
) -> Iterator[Tree[Any]]:
    return growing(game, parts(), turn, rng, bound=bound)


def best_by(final: Final) -> Callable[[Turn[S, E], Tree[S], Rng], S]:
    """The function from a turn, a tree and a generator to the best move by `final`."""
    return partial(_best_record, final)


def _at_random(turn: Turn[S, E], tree: Tree[S], rng: Rng) -> S:  # noqa: ARG001
    return random_player(turn, rng)


def _best_value(value: Value, turn: Turn[S, E], tree: Tree[S], rng: Rng) -> S:  # noqa: ARG001
    return best(turn, [value(move) for move in turn.moves])[0]


def _best_record(final: Final, turn: Turn[S, E], tree: Tree[S], rng: Rng) -> S:
    return pick(learnt(tree, final=final)(turn), rng)


def _flat_trees(game: Game[S, E], games: int, turn: Turn[Any, E], rng: Rng) -> Iterator[Tree[Any]]:
    yield flat_records(game, turn, games, rng)


def strategy_of(game: Game[S, E], mind: Mind) -> Strategy[S, E]:
    """The strategy with this mind."""
    return lifted(game, partial(_seen_move, mind)) if game.hidden else partial(_seen_move, mind)


def _seen_move(mind: Mind, turn: Turn[View, E], rng: Rng) -> View:
    if len(turn_moves(turn)) == 1:
        return turn.moves[0]
    [tree] = deque(mind.trees(turn, rng), maxlen=1)
    return mind.choose(turn, tree, rng)


# Records


def parts_of(dives: int) -> list[int]:
    """The dives in four parts. After them, 1/8, 1/4, 1/2 and all of the dives are made.

    >>> parts_of(1000), parts_of(3)
    ([125, 125, 250, 500], [1, 2])
    """
    ends = [0, dives // 8, dives // 4, dives // 2, dives]
    parts = [end - begin for begin, end in pairwise(ends)]
    return [part for part in parts if part]


FEW_DIVES = 20
"""The least number of dives between two looks at a clock."""


def split_by_time(
    parts: Iterable[int], clock: Callable[[], float], usual: float = 0.1
) -> Iterator[int]:
    """`parts`, split into strides that take from `usual` to twice as many seconds.

    A stride has `FEW_DIVES` dives at least, or the rest of its part.
    """
    k = FEW_DIVES
    for part in parts:
        rest = part
        while rest:
            now, n = clock(), min(k, rest)
            yield n
            rest, took = rest - n, clock() - now
            k = (
                2 * k
                if took < usual and n == k
                else max(k // 2, FEW_DIVES)
                if took > 2 * usual
                else k
            )


def growing(
    game: Game[S, E],
    parts: Iterable[int],
    turn: Turn[Any, E],
    rng: Rng,
    *,
    bound: AnyBound = ucb1,
) -> Iterator[Tree[Any]]:
    """The trees of a search from `turn`, one after each of `parts`, which are numbers of dives.

    A turn of views is searched by information sets.
    """
    if not game.hidden:
        yield from islice(
            strides(game, {}, turn.state, parts, rng, turn=turn, bound=bound), 1, None
        )
        return
    trees = information_sets(game, turn.state, rng, bound=bound)
    next(trees)
    for part in parts:
        yield from deque(islice(trees, part), maxlen=1)


def flat_records(game: Game[S, E], turn: Turn[Any, E], games: int, rng: Rng) -> Tree[Any]:
    """The records of about `games` random games, spread over the moves of `turn`.

    Behind a view, each move is tried once in each of the worlds.
    """
    if not game.hidden:
        return flat(game, turn.state, games, rng, event=turn.event)
    moves = len(turn.moves)
    # A search visits the position itself first, so a world has one dive more than there are moves.
    return perfect_information(
        game, turn.state, rng, budget=moves + 1, rollouts=1, worlds=max(1, games // moves)
    )


def usual_bound(game: Game[S, E]) -> AnyBound:
    """The bound of a search: UCB1 with the `usual_c`."""
    return ucb1_with(usual_c(game))


def usual_c(game: Game[S, E]) -> float:
    """The c of UCB1: sqrt(2), and smaller where scores are points.

    Most choices differ by little on a wide scale of points. With the usual c, a search of some
    hundred dives would spread over the moves as evenly as flat Monte Carlo.
    """
    low, high = game.score_range
    return sqrt(2) if high - low <= 1 else 0.2


def usual_dives(moves: int) -> int:
    """The dives of a search that takes about a second at most, for a turn with `moves` moves."""
    return max(2_000, 40 * moves)


def usual_player(game: Game[S, E], start: S) -> str:
    """The name of the usual player, who answers within about a second in most games.

    A game whose functions answer wrongly at `start` is a ValueError.
    """
    check_game(game, start)
    return f"uct:{usual_dives(len(game.moves(start, game.chances(start)[0])))}"


# Exact values


def too_large(game: Game[S, E]) -> str:
    """The sentence for a game that is not small."""
    if game.hidden:
        return f"{game.name} has no exact values and no perfect play, as it hides information."
    return (
        f"{game.name} is too large for exact values and for perfect play: "
        f"more than {MOST_POSITIONS:,} positions can follow."
    )


MOST_CERTAIN = 100_000
"""The most moves in a tree whose certain worths are worked out while a person waits.

It takes about half a second at most: 5 microseconds for each move of Reversi, 4 of Gomoku, 1 of
tic-tac-toe. The moves are estimated as the positions of the tree times the moves of the first one,
and at least 10 for each position.
"""


def certain_worths(game: Game[S, E], tree: Tree[Any], state: S) -> Mapping[S, Values]:
    """The worths that `tree` makes certain from `state` on, if this does not take long.

    A larger tree gives those that follow from `state` and its moves alone: at least the moves that
    end the game. A game with hidden information has none.
    """
    if game.hidden:
        return NOT_CERTAIN
    next_to = [state, *children(game, state)]
    if len(tree) * max(10, len(next_to)) <= MOST_CERTAIN:
        return settled(game, tree, state)
    if len(next_to) ** 2 > MOST_CERTAIN:
        return NOT_CERTAIN
    records = {each: record for each in next_to if (record := tree.get(each)) is not None}
    return settled(game, records, state)


# Games that are watched


def own_turn(game: Game[S, E], turn: Turn[S, E]) -> Turn[Any, E]:
    """`turn` as its player sees it: with views, if the game has hidden information."""
    return view_turn(game, turn) if game.hidden else turn


def thoughts(
    game: Game[S, E], turn: Turn[S, E], mind: Mind, rng: Rng, *, bound: AnyBound = ucb1
) -> Iterator[Thought]:
    """The thoughts of the player to move, one for each tree, and the last with the move.

    `bound` is the bound of the reports. The last report has the `certain_worths`.
    """
    own = own_turn(game, turn)
    thought = Thought(turn, ())
    tree: Tree[Any] = as_tree({})
    known = partial(mind.known, game, own, bound=bound, final=mind.final, value=mind.value)
    before = None
    for tree in mind.trees(own, rng) if len(turn_moves(own)) > 1 else ():
        is_told = mind.value or any((tree.get(move) or NOTHING).visits for move in own.moves)
        if is_told and tree is not before:
            thought = Thought(turn, (*thought.reports, known(tree)))
        if is_told:
            yield thought
        before = tree
    move = checked_move(own, mind.choose(own, tree, rng))
    reports = thought.reports
    if reports and (worths := certain_worths(game, tree, own.state)):
        reports = (*reports[:-1], known(tree, certain=worths))
    yield Thought(turn, reports, turn.moves[own.moves.index(move)])


def all_thoughts(
    game: Game[S, E], state: S, minds: Mapping[int, Mind], rng: Rng, *, bound: AnyBound = ucb1
) -> Iterator[Thought]:
    """The thoughts of all turns of a game from `state`; the last thought is the end of the game.

    The moves are those of `play.play_game` with the strategies of the `minds`.
    """
    check_game(game, state)
    for _ in range(game.max_turns):
        turn = draw_turn(game, state, rng)
        if not turn.moves:
            yield Thought(turn, ())
            return
        for thought in thoughts(game, turn, minds[turn.player], rng, bound=bound):
            yield thought
        state = thought.move
    raise endless(game, state)
