"""Games between strategies, and the standings after many of them.

A strategy is a function from a turn and a generator to one of the moves of the turn, for example a
`players.Player`, who searches.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import permutations
from math import inf, perm, sqrt
from random import Random
from statistics import stdev
from typing import NamedTuple, TypeAlias

from toolz import concat, partition, partition_all

from purembts.chance import Rng, random
from purembts.checks import brief
from purembts.executors import Executor, mapped
from purembts.game import (
    AnyGame,
    E,
    Game,
    S,
    Strategy,
    Turn,
    draw_turn,
    endless,
    first_position,
    is_alone,
    movers_of,
)
from purembts.guards import explained
from purembts.records import Record, Scores, interval, mean, tally


@explained
def move_called(game: Game[S, E], turn: Turn[S, E], text: str) -> S:
    """The move of `turn` with the label `text`; a ValueError says why there is none.

    If the labels differ in their last word alone, this word is enough: `2` for `take 2`.
    """
    labels = move_labels(game, turn)
    names = [label.lower().split() for label in labels]
    words = game.display.typed_move(turn.state, str(text)).lower().split()
    are_alike = all(name[:-1] == names[0][:-1] for name in names)
    for name, move in zip(names, turn.moves, strict=True):
        if words and (words == name or (are_alike and words == name[-1:])):
            return move
    if why := game.display.why_not(turn.state, turn.event, str(text)):
        raise ValueError(why)
    raise ValueError(f"The move must be one of these: {listed(labels)}; got {brief(text)}.")


def move_labels(game: Game[S, E], turn: Turn[S, E]) -> list[str]:
    """The names of the moves of `turn`, in their order."""
    return [game.display.label(turn.state, move) for move in turn.moves]


def listed(labels: Sequence[str]) -> str:
    """The first 12 of `labels`, and the number of the others; `none` if there are none."""
    more = f" and {len(labels) - 12} more" if len(labels) > 12 else ""
    return f"{', '.join(labels[:12]) or 'none'}{more}"


@explained
def turns(
    game: Game[S, E], state: S, strategies: Sequence[Strategy[S, E]], rng: Rng = random
) -> Iterator[Turn[S, E]]:
    """The turns of a game from `state` with a strategy for each player; the last has no moves."""
    is_one = callable(strategies) or not isinstance(strategies, Sequence)
    if is_one or len(strategies) != game.players:
        raise ValueError(
            f"`strategies` must be a sequence of {game.players}, one for each player of "
            f"{game.name}; got {brief(strategies)}."
        )
    for _ in range(game.max_turns):
        turn = draw_turn(game, state, rng)
        yield turn
        if not turn.moves:
            return
        state = move_of(turn, strategies[turn.player](turn, rng))
    raise endless(game, state)


def move_of(turn: Turn[S, E], answer: S) -> S:
    """`answer`, the move that a strategy plays. ValueError if it is not a move of `turn`."""
    if answer not in turn.moves:
        raise ValueError(
            f"The strategy of player {turn.player + 1} must answer with a move of its turn; "
            f"got {brief(answer)} at {brief(turn.state)}."
        )
    return answer


@explained
def play_game(
    game: Game[S, E], state: S, strategies: Sequence[Strategy[S, E]], rng: Rng = random
) -> Scores:
    """The result of a game from `state` with a strategy for each player.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> from purembts.players import perfect_player, random_player
    >>> coins = last_coin()
    >>> play_game(coins, Pile(21), (random_player, perfect_player(coins)), Random(7))
    (0, 1)
    """
    *_, last = turns(game, state, strategies, rng)
    return game.result(last.state)


_Pairing: TypeAlias = tuple[int, str, tuple[int, ...]]
"""A game of a match: the number of its deal, the end of its seed, and the strategy of each player;
() if each strategy plays alone."""

_Result: TypeAlias = dict[int, float]
"""The scores of the strategies that took part in a game."""


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
    """The 95 % interval of that mean."""


@explained
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

    - If only one player of the game moves, each strategy plays all games alone.
    - If there is one strategy for each player, they move up a seat after each game.
    - If games are dealt, or if there are more strategies than players, each of at least two deals
      is played in all seatings: every choice of strategies, in every order. So all play the same
      deals equally often, and luck cancels. The interval is the mean over the deals plus or minus
      1.96 standard errors, as the games of a deal depend on each other.

    Game i draws from `Random(f"{seed}/{i}")`; in all seatings, this generator deals, and seating k
    draws from `Random(f"{seed}/{i}/{k}")`. So the standings do not depend on the executor.

    >>> from purembts.games.last_coin import last_coin
    >>> from purembts.players import perfect_player, random_player
    >>> coins = last_coin()
    >>> perfect, by_chance = match(coins, (perfect_player(coins), random_player), 100, seed=7)
    >>> perfect.wins, by_chance.losses
    (99, 99)
    """
    games = games_of_match(game, strategies, n, seed=seed, start=start)
    return standings(games, concat(mapped(executor, games.play, games.parts)))


class Games(NamedTuple):
    """The games of a match: a function that plays some of them, and the parts of the work."""

    game: AnyGame
    strategies: int
    deal: int
    """The games of a strategy in each deal; 1 if they do not depend on each other."""
    play: Callable[[Sequence[_Pairing]], list[_Result]]
    parts: Sequence[Sequence[_Pairing]]


@explained
def games_of_match(
    game: Game[S, E],
    strategies: Sequence[Strategy[S, E]],
    n: int,
    *,
    seed: int | str,
    start: S | None = None,
) -> Games:
    """The games of a `match`, which an executor can play."""
    least = 1 if is_alone(game) else game.players
    is_one = callable(strategies) or not isinstance(strategies, Sequence)
    if is_one or len(strategies) < least:
        right = f"a sequence of at least {least} for {game.name}"
        raise ValueError(f"`strategies` must be {right}; got {brief(strategies)}.")
    is_dealt = start is None and game.deal is not None
    games = _pairings(game, len(strategies), n, is_dealt=is_dealt)
    play = partial(_results, game, strategies, seed, start)
    # A process that gets a part makes the strategies again, and solves a game for them.
    parts = list(partition_all(-(-len(games) // 1000), games))
    seatings = perm(len(strategies) - 1, game.players - 1) * game.players
    deal = seatings if is_dealt and not is_alone(game) else 1
    return Games(game, len(strategies), deal, play, parts)


def standings(games: Games, results: Iterable[_Result]) -> tuple[Standing, ...]:
    """The standings after `results`, which can be those of the first of the games alone."""
    so_far = list(results)
    return tuple(_standing(games.game, so_far, i, games.deal) for i in range(games.strategies))


def player_name(player: int, persons: Collection[int] = ()) -> str:
    """The name of a player: you for the only person, otherwise a number from 1.

    >>> player_name(1), player_name(1, {1})
    ('player 2', 'you')
    """
    return "you" if set(persons) == {player} else f"player {player + 1}"


def whose(game: Game[S, E], player: int, words: str) -> str:
    """`words` and the name of `player`; "" if only one player of `game` ever moves."""
    return "" if is_alone(game) else f"{words} {player_name(player)}"


def _pairings(game: Game[S, E], k: int, n: int, *, is_dealt: bool) -> list[_Pairing]:
    """The games of a match of `k` strategies, which are `n` or a few more."""
    if is_alone(game):
        return [(i, str(i), ()) for i in range(n)]
    if k == game.players and not is_dealt:
        return [(i, str(i), tuple((j - i) % k for j in range(k))) for i in range(n)]
    seatings = list(enumerate(permutations(range(k), game.players)))
    deals = max(2 if is_dealt else 1, -(-n // len(seatings)))
    return [(i, f"{i}/{j}", seats) for i in range(deals) for j, seats in seatings]


def _results(
    game: Game[S, E],
    strategies: Sequence[Strategy[S, E]],
    seed: int | str,
    start: S | None,
    games: Iterable[_Pairing],
) -> list[_Result]:
    """The result of each of `games`."""
    mover, results = movers_of(game)[0], []
    for deal, name, seats in games:
        first = first_position(game, Random(f"{seed}/{deal}"), start)
        groups = [seats] if seats else [[i] * game.players for i in range(len(strategies))]
        scores: _Result = {}
        for group in groups:
            players = [strategies[i] for i in group]
            result = play_game(game, first, players, Random(f"{seed}/{name}"))
            scores |= zip(group, result, strict=True) if seats else {group[0]: result[mover]}
        results.append(scores)
    return results


def _standing(game: Game[S, E], results: Iterable[_Result], i: int, deal: int) -> Standing:
    """The standing of strategy `i`, which has `deal` games in each deal."""
    results = [result for result in results if i in result]
    scores = [result[i] for result in results]
    leads = [
        result[i] - max((score for j, score in result.items() if j != i), default=inf)
        for result in results
    ]
    record = tally(zip(scores, strict=True))
    ends = interval(record, score_range=game.score_range)
    return Standing(
        games=len(leads),
        wins=sum(lead > 0 for lead in leads),
        draws=leads.count(0),
        losses=sum(lead < 0 for lead in leads),
        mean=mean(record),
        interval=ends if deal == 1 else _over_deals(game, record, scores, deal),
    )


def _over_deals(
    game: Game[S, E], record: Record, scores: Sequence[float], deal: int
) -> tuple[float, float]:
    """The interval of the mean over the deals, each of `deal` games; the last may be incomplete.

    With fewer than two complete deals, it is the whole range of the scores.
    """
    low, high = game.score_range
    means = [mean(tally(zip(part, strict=True))) for part in partition(deal, scores)]
    if len(means) < 2:
        return low, high
    half = 1.96 * stdev(means) / sqrt(len(means))
    return max(low, mean(record) - half), min(high, mean(record) + half)
