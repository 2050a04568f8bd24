"""Games between strategies, and the standings after many of them.

A strategy is a function from a turn and a generator to one of the moves of the turn. `uct_player`
and others bind the game and the number of dives to it. A strategy keeps nothing between turns;
`think` hands a tree on from one turn to the next.
"""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import permutations
from math import inf, sqrt
from statistics import stdev
from typing import NamedTuple, TypeAlias

from toolz import concat, nth, partition, partition_all

from purembts.bounds import AnyBound, ucb1
from purembts.chance import Executor, Rng, mapped, pick
from purembts.checks import a_seed, an_rng, at_least_one, brief
from purembts.exact import best, solver
from purembts.fast.engine import strides
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    S,
    Turn,
    Values,
    check_game,
    draw_turn,
    endless,
    first_position,
    playout,
    result_of,
    start_of,
)
from purembts.mcts import learnt
from purembts.proving.certainty import rule_of
from purembts.proving.proofs import settle_search
from purembts.proving.settling import robust
from purembts.records import Record, Scores, Tree, interval, mean, tally, visits
from purembts.simulation import flat

Strategy: TypeAlias = Callable[[Turn[S, E], Rng], S]
"""A function from a turn and a generator to one of the moves of the turn."""

Final: TypeAlias = Callable[[Record, int], float]
"""A function from a record and a player to a number: the move with the highest number is played.

`records.visits` and `records.mean` are such functions."""


# Turns


def move_called(game: Game[S, E], turn: Turn[S, E], text: str) -> S:
    """The move of `turn` with the label `text`; a ValueError lists the labels if there is none.

    If the labels differ in their last word alone, this word is enough: `2` for `take 2`.
    """
    if not isinstance(text, str):
        raise ValueError(f"`text` must be a text; got {brief(text)}.")
    labels = [game.display.label(turn.state, move) for move in turn.moves]
    named = [label.lower().split() for label in labels]
    words = game.display.typed_move(turn.state, text).lower().split()
    alike = all(own[:-1] == named[0][:-1] for own in named)
    for own, move in zip(named, turn.moves, strict=True):
        if words and (words == own or (alike and words == own[-1:])):
            return move
    more = f" and {len(labels) - 12} more" if len(labels) > 12 else ""
    choices = f"{', '.join(labels[:12]) or 'none'}{more}"
    raise ValueError(f"The move must be one of these: {choices}; got {brief(text)}.")


# Strategies


def random_player(turn: Turn[S, E], rng: Rng = random) -> S:
    """A random move; all moves are equally likely."""
    return pick(turn_moves(turn), rng)


def first_legal_player(turn: Turn[S, E], rng: Rng = random) -> S:  # noqa: ARG001
    """The first of the moves."""
    return turn_moves(turn)[0]


def perfect_player(game: Game[S, E]) -> Strategy[S, E]:
    """The strategy that plays the first of the best moves, in a game that the solver can solve.

    The values that it has computed stay with it.
    """
    return partial(_perfect_move, solver(game))


def flat_player(
    game: Game[S, E], games: int, *, default_policy: DefaultPolicy[S, E] = playout
) -> Strategy[S, E]:
    """The strategy of flat Monte Carlo: the best mean after `games` random games in each turn.

    The games are spread over the moves.
    """
    at_least_one(games, "games")
    return partial(_flat_move, game, games, default_policy)


def uct_player(
    game: Game[S, E],
    dives: int,
    *,
    final: Final = visits,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    rollouts: int = 1,
) -> Strategy[S, E]:
    """The strategy of a new search in each turn, with `dives` dives. It plays the best by `final`.

    The other options are those of `engine.search`.
    """
    at_least_one(dives, "dives")
    how = partial(think, final=final, bound=bound, default_policy=default_policy, rollouts=rollouts)
    return partial(_uct_move, partial(how, game, {}, dives=dives))


def settle_player(
    game: Game[S, E],
    dives: int,
    *,
    remember: int | None = 1,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
) -> Strategy[S, E]:
    """The strategy of `dives` dives of `settling.settle` in each turn. It plays by `robust`.

    The dives begin at the position, and end early if its worth is certain. `remember` is that of
    `settle`: with None a dive remembers its whole game, which takes long on a large board.

    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> settle_player(last_coin(), 100)(turn_at(last_coin(), Pile(20), None), random.Random(7))
    Pile(coins=18, player=1)
    """
    at_least_one(dives, "dives")
    rule_of(game)
    how = partial(settle_search, remember=remember, bound=bound, default_policy=default_policy)
    return partial(_settle_move, game, partial(how, game, {}, dives=dives))


def think(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    turn: Turn[S, E],
    dives: int,
    rng: Rng = random,
    *,
    final: Final = visits,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    rollouts: int = 1,
) -> tuple[Tree[S], S]:
    """`tree` after `dives` more dives from `turn`, and its best move by `final`.

    The records in `tree` of later positions are used, so hand the tree on to keep it between moves;
    `mcts.subtree` drops the positions that cannot come any more. All dives begin with the event of
    `turn`, which is not drawn again. The other options are those of `engine.search`.
    """
    turn_moves(turn)
    check_game(game, turn.state)
    at_least_one(dives, "dives")
    how = partial(strides, bound=bound, default_policy=default_policy, rollouts=rollouts)
    grown = nth(1, how(game, tree, turn.state, dives, rng, turn=turn))
    return grown, pick(learnt(grown, final=final)(turn), rng)


def turn_moves(turn: Turn[S, E]) -> Sequence[S]:
    """The moves of `turn`, or a ValueError if there are none."""
    if not isinstance(turn, Turn):
        raise ValueError(f"`turn` must be a Turn, for example draw_turn(...); got {brief(turn)}.")
    if not turn.moves:
        raise ValueError(f"`turn` must have moves; got the end of the game, {brief(turn)}.")
    return turn.moves


def checked_move(turn: Turn[S, E], move: S) -> S:
    """`move`, or a ValueError if it is not one of the moves of `turn`."""
    if move not in turn.moves:
        raise ValueError(
            f"The strategy of player {turn.player} must answer with a move of its turn; "
            f"got {brief(move)} at {brief(turn)}."
        )
    return move


def _uct_move(
    search: Callable[..., tuple[Tree[S], S]], turn: Turn[S, E], rng: Rng = random
) -> S:
    return turn.moves[0] if len(turn_moves(turn)) == 1 else search(turn=turn, rng=rng)[1]


def _settle_move(
    game: Game[S, E], search: Callable[..., Tree[S]], turn: Turn[S, E], rng: Rng = random
) -> S:
    if len(turn_moves(turn)) == 1:
        return turn.moves[0]
    tree = search(state=turn.state, rng=rng)
    return pick(robust(game, tree, turn.state)(turn), rng)


def _flat_move(
    game: Game[S, E], games: int, policy: DefaultPolicy[S, E], turn: Turn[S, E], rng: Rng = random
) -> S:
    if len(turn_moves(turn)) == 1:
        return turn.moves[0]
    records = flat(game, turn.state, games, rng, event=turn.event, default_policy=policy)
    return learnt(records)(turn)[0]


def _perfect_move(value: Callable[[S], Values], turn: Turn[S, E], rng: Rng = random) -> S:  # noqa: ARG001
    return best(turn, [value(move) for move in turn_moves(turn)])[0]


# Games


def turns(
    game: Game[S, E], state: S, strategies: Sequence[Strategy[S, E]], rng: Rng = random
) -> Iterator[Turn[S, E]]:
    """The turns of a game from `state` with a strategy for each player; the last has no moves."""
    check_game(game, state)
    an_rng(rng)
    _check_strategies(game, strategies)
    for _ in range(game.max_turns):
        turn = draw_turn(game, state, rng)
        yield turn
        if not turn.moves:
            return
        state = checked_move(turn, strategies[turn.player](turn, rng))
    raise endless(game, state)


def play_game(
    game: Game[S, E], state: S, strategies: Sequence[Strategy[S, E]], rng: Rng = random
) -> Scores:
    """The result of a game from `state` with a strategy for each player.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> coins = last_coin()
    >>> play_game(coins, Pile(21), (random_player, perfect_player(coins)), random.Random(7))
    (0, 1)
    """
    *_, last = turns(game, state, strategies, rng)
    return result_of(game, last.state)


# Many games


class Standing(NamedTuple):
    """The results of a strategy in a match."""

    games: int
    wins: int
    """The number of games in which it scored more than every other strategy."""
    draws: int
    """The number of games in which its score was the highest, and another had the same."""
    losses: int
    mean: float
    """Its mean score."""
    interval: tuple[float, float]
    """The 95 % interval of that mean, from `records.interval`."""


def match(
    game: Game[S, E],
    strategies: Sequence[Strategy[S, E]],
    n: int,
    *,
    seed: int | str,
    executor: Executor = builtins,
    start: S | None = None,
) -> tuple[Standing, ...]:
    """The standings of `strategies`, in their order, after `n` games or a few more.

    The games begin at `start`, by default at a position that the game deals, or else at its start.

    - If only one player of the game moves, each strategy plays all n games alone.
    - If there is one strategy for each player, they move up a seat after each game.
    - If the game is dealt, or if there are more strategies than players, each deal is played in all
      seatings: every choice of strategies for the players, in every order. So all strategies play
      the same deals equally often against the same others, and luck cancels.

    The games of a deal depend on each other. So their intervals are the mean over the deals, of
    which there are at least two, plus or minus 1.96 standard errors: 95 % for some dozens of deals.
    The standings depend on `seed` alone, not on the executor. Game i draws from
    `Random(f"{seed}/{i}")`. If there are more seatings than that of game i, `Random(f"{seed}/{i}")`
    deals, and seating k draws from `Random(f"{seed}/{i}/{k}")`.

    >>> from purembts.games.last_coin import last_coin
    >>> coins = last_coin()
    >>> perfect, by_chance = match(coins, (perfect_player(coins), random_player), 100, seed=7)
    >>> perfect.wins, by_chance.losses
    (99, 99)
    """
    _check_strategies(game, strategies, more=True)
    is_dealt = start is None and game.deal is not None
    first = None if is_dealt else start_of(game, start)
    planned = _planned(game, len(strategies), at_least_one(n, "n"), is_dealt=is_dealt)
    play = partial(_played, game, strategies, a_seed(seed), first)
    parts = partition_all(-(-len(planned) // _PARTS), planned)
    results = list(concat(mapped(executor, play, parts)))
    each = sum(game.deal == planned[0].deal for game in planned) if is_dealt else 1
    return tuple(_standing(game, results, own, each) for own in range(len(strategies)))


_PARTS = 100
"""The most parts of a match, each the work of one call of an executor."""


class _Planned(NamedTuple):
    """A game of a match before it is played."""

    deal: int
    """The number of its deal, from 0."""
    name: str
    """The end of its seed."""
    seats: tuple[int, ...]
    """The strategy of each player; () if each strategy plays alone."""


_Result: TypeAlias = tuple[float | None, ...]
"""The score of each strategy in a game; None if it had no seat."""


def is_alone(game: Game[S, E]) -> bool:
    """True if only one player of `game` ever moves."""
    return game.players == 1 or (game.movers is not None and len(game.movers) == 1)


def _check_strategies(
    game: Game[S, E], strategies: Sequence[Strategy[S, E]], *, more: bool = False
) -> None:
    if not isinstance(game, Game):
        raise ValueError(f"`game` must be a Game, for example shut_the_box(); got {brief(game)}.")
    least = 1 if more and is_alone(game) else game.players
    right = f"at least {least}" if more else f"{least}, one for each player of {game.name}"
    wrong = not isinstance(strategies, Sequence) or len(strategies) < least
    if wrong or (not more and len(strategies) > least):
        raise ValueError(f"`strategies` must be a sequence of {right}; got {brief(strategies)}.")


def _planned(game: Game[S, E], k: int, n: int, *, is_dealt: bool) -> list[_Planned]:
    """The games of a match of `k` strategies, which are `n` or a few more."""
    if is_alone(game) or (k == game.players and not is_dealt):
        seats = () if is_alone(game) else tuple(range(k))
        ups = [seats[len(seats) - i :] + seats[: len(seats) - i] for i in range(len(seats) or 1)]
        return [_Planned(i, str(i), ups[i % len(ups)]) for i in range(n)]
    seatings = list(enumerate(permutations(range(k), game.players)))
    deals = max(2 if is_dealt else 1, -(-n // len(seatings)))
    return [_Planned(i, f"{i}/{j}", seats) for i in range(deals) for j, seats in seatings]


def _played(
    game: Game[S, E],
    strategies: Sequence[Strategy[S, E]],
    seed: int | str,
    start: S | None,
    planned: Iterable[_Planned],
) -> list[_Result]:
    """The result of each game of `planned`; it begins at a deal if there is no `start`."""
    return [_result(game, strategies, seed, start, each) for each in planned]


def _result(
    game: Game[S, E],
    strategies: Sequence[Strategy[S, E]],
    seed: int | str,
    start: S | None,
    planned: _Planned,
) -> _Result:
    first = first_position(game, random.Random(f"{seed}/{planned.deal}"), start)

    def scores(seated: Sequence[Strategy[S, E]]) -> Scores:
        return play_game(game, first, seated, random.Random(f"{seed}/{planned.name}"))

    if not planned.seats:
        mover = (game.movers or (0,))[0]
        return tuple([scores([strategy] * game.players)[mover] for strategy in strategies])
    own = dict(zip(planned.seats, scores([strategies[i] for i in planned.seats]), strict=True))
    return tuple(map(own.get, range(len(strategies))))


def _standing(game: Game[S, E], results: Sequence[_Result], own: int, each: int) -> Standing:
    """The standing of strategy `own` in games of which `each` follow from one deal."""
    leads = []
    for result in results:
        if (score := result[own]) is not None:
            others = [s for i, s in enumerate(result) if i != own and s is not None]
            leads.append(score - max(others, default=inf))
    record = _record(results, own)
    return Standing(
        games=len(leads),
        wins=sum(lead > 0 for lead in leads),
        draws=leads.count(0),
        losses=sum(lead < 0 for lead in leads),
        mean=mean(record),
        interval=interval(record, score_range=game.score_range)
        if each == 1
        else _interval_over_deals(game, results, own, each),
    )


def _record(results: Iterable[_Result], own: int) -> Record:
    """The record of the games in which strategy `own` had a seat; its score is the only one."""
    return tally((score,) for result in results if (score := result[own]) is not None)


def _interval_over_deals(
    game: Game[S, E], results: Sequence[_Result], own: int, each: int
) -> tuple[float, float]:
    """The interval over the deals that were played to the end, which an executor may not do.

    It is within the range of the scores, and all of that range without two such deals.
    """
    low, high = game.score_range
    means = [mean(_record(deal, own)) for deal in partition(each, results)]
    if len(means) < 2:
        return low, high
    middle, half = mean(_record(results, own)), 1.96 * stdev(means) / sqrt(len(means))
    return max(low, middle - half), min(high, middle + half)
