"""Games between strategies, and what becomes of many of them.

A strategy is a function from a turn and a generator to one of the moves of the turn. Whoever makes
one binds what it needs: a game, a number of dives. It remembers nothing between turns; `think`
hands a tree on from one to the next.
"""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import permutations
from math import sqrt
from statistics import stdev
from typing import Any, NamedTuple, TypeAlias

from toolz import concat, partition_all

from purembts.chance import Executor, Rng, mapped, pick
from purembts.checks import a_seed, at_least_one, shown
from purembts.exact import best, solver
from purembts.game import E, Game, S, Turn, draw_turn
from purembts.mcts import Tree, learnt, search
from purembts.records import Record, Scores, interval, mean, tally, visits
from purembts.simulation import flat

Strategy: TypeAlias = Callable[[Turn[S, E], Rng], S]
"""How a player plays: one of the moves of a turn."""

Final: TypeAlias = Callable[[Record, int], float]
"""What the move that is played has most of: `records.visits` or `records.mean`."""


# Strategies


def random_player(turn: Turn[S, E], rng: Rng = random) -> S:
    """A move that is drawn, each as likely as any other."""
    return pick(turn.moves, rng)


def first_legal_player(turn: Turn[S, E], rng: Rng = random) -> S:  # noqa: ARG001
    """The first of the moves."""
    return turn.moves[0]


def perfect_player(game: Game[S, E]) -> Strategy[S, E]:
    """The strategy of best play, the first among equals, for a game that the solver can solve."""
    return partial(_perfect_move, game)


def flat_player(game: Game[S, E], playouts: int, **how: Any) -> Strategy[S, E]:
    """The strategy of flat Monte Carlo: the best mean of so many random games a turn, in all.

    `how` is a `default_policy`, as for `simulation.flat`.
    """
    return partial(_flat_move, game, at_least_one(playouts, "playouts"), how)


def uct_player(
    game: Game[S, E], dives: int, *, final: Final = visits, **how: Any
) -> Strategy[S, E]:
    """The strategy that searches each turn anew with so many dives and plays the best by `final`.

    `how` is a `bound`, a `default_policy`, a number of `rollouts`, as for `mcts.uct`.
    """
    return partial(_uct_move, game, at_least_one(dives, "dives"), final, how)


def think(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    turn: Turn[S, E],
    dives: int,
    rng: Rng = random,
    *,
    final: Final = visits,
    **how: Any,
) -> tuple[Tree[S], S]:
    """`tree` after so many more dives from `turn`, and its best move by `final`.

    Whatever the tree knows of what follows is made use of: to keep a tree between moves, hand it
    on. `mcts.subtree` forgets what cannot come any more. Where chance has drawn, all dives begin
    with what it drew.
    """
    grown = search(_as_drawn(game, turn), tree, turn.state, dives, rng, **how)
    return grown, pick(learnt(grown, final)(turn, ()), rng)


def _as_drawn(game: Game[S, E], turn: Turn[S, E]) -> Game[S, E]:
    """`game` with the one event of `turn` at its position, which does not come back in a game."""
    if len(game.chances(turn.state)) == 1:
        return game

    def chances(state: S) -> Sequence[E]:
        return (turn.event,) if state == turn.state else game.chances(state)

    return game._replace(chances=chances)


def _uct_move(
    game: Game[S, E], dives: int, final: Final, how: dict[str, Any], turn: Turn[S, E], rng: Rng
) -> S:
    if len(turn.moves) == 1:
        return turn.moves[0]
    return think(game, {}, turn, dives, rng, final=final, **how)[1]


def _flat_move(
    game: Game[S, E], playouts: int, how: dict[str, Any], turn: Turn[S, E], rng: Rng
) -> S:
    if len(turn.moves) == 1:
        return turn.moves[0]
    records = flat(game, turn.state, playouts, rng, event=turn.event, **how)
    return learnt(records)(turn, ())[0]


def _perfect_move(game: Game[S, E], turn: Turn[S, E], rng: Rng) -> S:  # noqa: ARG001
    value = _solver(game)
    return best(turn, [value(move) for move in turn.moves])[0]


_solver = lru_cache(maxsize=4)(solver)


# Games


def turns(
    game: Game[S, E], state: S, strategies: Sequence[Strategy[S, E]], rng: Rng = random
) -> Iterator[Turn[S, E]]:
    """The turns of a game from `state` with a strategy for each player; the last has no moves."""
    if len(strategies) != game.players:
        raise ValueError(
            f"There are {len(strategies)} strategies; {game.name} has {game.players} players."
        )
    turn = draw_turn(game, state, rng)
    yield turn
    while turn.moves:
        move = strategies[turn.player](turn, rng)
        if move not in turn.moves:
            raise ValueError(
                f"The strategy of player {turn.player} answered {shown(move)} to {shown(turn)}; "
                "it has to be one of the moves."
            )
        turn = draw_turn(game, move, rng)
        yield turn


def play_game(
    game: Game[S, E], state: S, strategies: Sequence[Strategy[S, E]], rng: Rng = random
) -> Scores:
    """How a game from `state` ends with a strategy for each player.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> coins = last_coin()
    >>> play_game(coins, Pile(21), (random_player, perfect_player(coins)), random.Random(7))
    (0, 1)
    """
    *_, last = turns(game, state, strategies, rng)
    return game.result(last.state)


class Standing(NamedTuple):
    """How a strategy did in a match."""

    games: int
    wins: int
    """Games in which it scored more than every other strategy."""
    draws: int
    """Games in which none scored more than it, and some as much."""
    losses: int
    mean: float
    """What it scored per game."""
    interval: tuple[float, float]
    """The 95 % interval of that mean, as `records.interval` has it."""


def match(
    game: Game[S, E],
    strategies: Sequence[Strategy[S, E]],
    n: int,
    *,
    seed: int | str,
    executor: Executor = builtins,
    start: S | None = None,
) -> tuple[Standing, ...]:
    """The standings of `strategies`, in their order, after n games from `start`.

    In each game everybody moves up a seat, so that in as many games as there are players each
    strategy has every seat once. The games start from `game.start` unless told otherwise. Game i
    draws from `Random(f"{seed}/{i}")`: the standings depend on the seed alone, whatever the
    executor.

    >>> from purembts.games.last_coin import last_coin
    >>> coins = last_coin()
    >>> perfect, by_chance = match(coins, (perfect_player(coins), random_player), 100, seed=7)
    >>> perfect.wins, by_chance.losses
    (99, 99)
    """
    at_least_one(n, "n")
    first = game.start if start is None else start
    if first is None:
        raise ValueError(f"{game.name} has no start of its own; write start=...")
    play = partial(_scores, game, first, strategies, a_seed(seed))
    batches = partition_all(-(-n // _BATCHES), range(n))
    results = list(concat(mapped(executor, play, batches)))
    return tuple(_standing(game, results, own) for own in range(game.players))


_BATCHES = 64
"""How many pieces of work a match is cut into at most."""


def _scores(
    game: Game[S, E],
    start: S,
    strategies: Sequence[Strategy[S, E]],
    seed: int | str,
    games: Iterable[int],
) -> list[Scores]:
    """What each strategy scored in each of `games`."""
    return [_seated(game, start, strategies, i, random.Random(f"{seed}/{i}")) for i in games]


def _seated(
    game: Game[S, E], start: S, strategies: Sequence[Strategy[S, E]], up: int, rng: Rng
) -> Scores:
    """What each strategy scores in a game in which it sits so many seats further up."""
    k = up % len(strategies)
    result = play_game(game, start, (*strategies[-k:], *strategies[:-k]), rng)
    return (*result[k:], *result[:k])


def _standing(game: Game[S, E], results: Sequence[Scores], own: int) -> Standing:
    """The standing of the strategy whose scores are number `own` of `results`."""
    best_of_others = [max(result[:own] + result[own + 1 :]) for result in results]
    ahead = [result[own] - top for result, top in zip(results, best_of_others, strict=True)]
    record = tally(results)
    return Standing(
        games=len(results),
        wins=sum(lead > 0 for lead in ahead),
        draws=ahead.count(0),
        losses=sum(lead < 0 for lead in ahead),
        mean=mean(record, own),
        interval=interval(record, own, score_range=game.score_range),
    )


def tournament(
    game: Game[S, E],
    strategies: Sequence[Strategy[S, E]],
    deal: Callable[[Rng], S],
    n: int,
    *,
    seed: int | str,
    executor: Executor = builtins,
) -> tuple[Standing, ...]:
    """The standings of `strategies`, in their order, after games from each of n deals.

    A deal is played in all seatings: every choice of strategies for the players, in every order. So
    each strategy plays every hand of it as often as any other, against the same others, and luck
    cancels. The games of a deal go together, so the interval is 1.96 standard errors of the mean
    over the deals to either side: 95 % for some dozens of deals. Deal i, and seating k of it, draw
    from `Random(f"{seed}/{i}")` and `Random(f"{seed}/{i}/{k}")`, whatever the executor.
    """
    if at_least_one(n, "n") < 2 or len(strategies) < game.players:
        raise ValueError(
            f"There are {len(strategies)} strategies and {n} deals; a tournament of {game.name} "
            f"has at least {game.players} strategies and 2 deals."
        )
    play = partial(_all_seatings, game, strategies, deal, a_seed(seed))
    results = list(mapped(executor, play, range(n)))
    everybody = range(len(strategies))
    return tuple(_standing_over(game, [_own_first(d, own) for d in results]) for own in everybody)


_Seated: TypeAlias = list[tuple[tuple[int, ...], Scores]]
"""Who sat where, and what they scored, for each game of a deal."""


def _all_seatings(
    game: Game[S, E],
    strategies: Sequence[Strategy[S, E]],
    deal: Callable[[Rng], S],
    seed: int | str,
    i: int,
) -> _Seated:
    """The games of deal i."""
    start = deal(random.Random(f"{seed}/{i}"))
    seatings = permutations(range(len(strategies)), game.players)
    return [
        (
            seats,
            play_game(
                game, start, [strategies[j] for j in seats], random.Random(f"{seed}/{i}/{k}")
            ),
        )
        for k, seats in enumerate(seatings)
    ]


def _own_first(seated: _Seated, own: int) -> list[Scores]:
    """The scores of the games in which `own` sat, its own score first."""
    return [
        (scores[seats.index(own)], *(s for j, s in zip(seats, scores, strict=True) if j != own))
        for seats, scores in seated
        if own in seats
    ]


def _standing_over(game: Game[S, E], deals: Sequence[list[Scores]]) -> Standing:
    """The standing of whoever scored the first of the scores, with an interval over the deals."""
    standing = _standing(game, list(concat(deals)), 0)
    half = 1.96 * stdev([mean(tally(deal)) for deal in deals]) / sqrt(len(deals))
    return standing._replace(interval=(standing.mean - half, standing.mean + half))
