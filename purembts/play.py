"""Games between strategies, and the standings after many of them.

A strategy is a function from a turn and a generator to one of the moves of the turn. `uct_player`
and others bind the game and the number of dives to it. A strategy keeps nothing between turns;
`think` hands a tree on from one turn to the next.
"""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import permutations
from math import inf, perm, sqrt
from statistics import stdev
from typing import Any, NamedTuple, TypeAlias

from toolz import concat, nth, partition_all

from purembts.chance import Executor, Rng, mapped, pick
from purembts.checks import a_seed, an_rng, at_least_one, brief, only
from purembts.exact import best, solver
from purembts.fast.engine import strides
from purembts.game import (
    E,
    Game,
    S,
    Turn,
    check_game,
    draw_turn,
    endless,
    result_of,
    start_of,
)
from purembts.mcts import learnt
from purembts.proving import robust, settle_search
from purembts.proving.certain import rule_of
from purembts.records import Record, Scores, Tree, interval, mean, tally, visits
from purembts.simulation import flat

Strategy: TypeAlias = Callable[[Turn[S, E], Rng], S]
"""A function from a turn and a generator to one of the moves of the turn."""

Final: TypeAlias = Callable[[Record, int], float]
"""A function from a record and a player to a number: the move with the highest number is played.

`records.visits` and `records.mean` are such functions."""


SEARCH_OPTIONS = ("bound", "default_policy", "rollouts")
"""The options of `engine.search` and of the strategies that use it."""


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

    A game that knows its own values needs no solver.
    """
    return partial(_perfect_move, game)


def flat_player(game: Game[S, E], games: int, **options: Any) -> Strategy[S, E]:
    """The strategy of flat Monte Carlo: the best mean after `games` random games in each turn.

    The games are spread over the moves. `options` are those of `simulation.flat`: a
    `default_policy`.
    """
    only(options, "default_policy")
    return partial(_flat_move, game, at_least_one(games, "games"), options)


def uct_player(
    game: Game[S, E], dives: int, *, final: Final = visits, **options: Any
) -> Strategy[S, E]:
    """The strategy of a new search in each turn, with `dives` dives. It plays the best by `final`.

    `options` are those of `engine.search`: a `bound`, a `default_policy`, `rollouts`.
    """
    only(options, *SEARCH_OPTIONS)
    return partial(_uct_move, game, at_least_one(dives, "dives"), final, options)


def settle_player(
    game: Game[S, E], dives: int, *, remember: int | None = 1, **options: Any
) -> Strategy[S, E]:
    """The strategy of `dives` dives of `proving.settle` in each turn. It plays by `robust`.

    The dives begin at the position, and end early if its worth is certain. `remember` is that of
    `settle`: with None a dive remembers its whole game, which takes long on a large board.
    `options` are the others of `settle`: a `bound`, a `default_policy`.

    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> settle_player(last_coin(), 100)(turn_at(last_coin(), Pile(20), None), random.Random(7))
    Pile(coins=18, player=1)
    """
    only(options, "bound", "default_policy")
    rule_of(game)
    how = {"remember": remember, **options}
    return partial(_settle_move, game, at_least_one(dives, "dives"), how)


def think(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    turn: Turn[S, E],
    dives: int,
    rng: Rng = random,
    *,
    final: Final = visits,
    **options: Any,
) -> tuple[Tree[S], S]:
    """`tree` after `dives` more dives from `turn`, and its best move by `final`.

    The records in `tree` of later positions are used, so hand the tree on to keep it between moves;
    `mcts.subtree` drops the positions that cannot come any more. All dives begin with the event of
    `turn`, which is not drawn again. `options` are those of `engine.search`.
    """
    turn_moves(turn)
    check_game(game, turn.state)
    at_least_one(dives, "dives")
    grown = nth(1, strides(game, tree, turn.state, dives, rng, turn=turn, **options))
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
    game: Game[S, E],
    dives: int,
    final: Final,
    options: dict[str, Any],
    turn: Turn[S, E],
    rng: Rng = random,
) -> S:
    if len(turn_moves(turn)) == 1:
        return turn.moves[0]
    return think(game, {}, turn, dives, rng, final=final, **options)[1]


def _settle_move(
    game: Game[S, E], dives: int, options: dict[str, Any], turn: Turn[S, E], rng: Rng = random
) -> S:
    if len(turn_moves(turn)) == 1:
        return turn.moves[0]
    tree = settle_search(game, {}, turn.state, dives, rng, **options)
    return pick(robust(game, tree, turn.state)(turn), rng)


def _flat_move(
    game: Game[S, E], games: int, options: dict[str, Any], turn: Turn[S, E], rng: Rng = random
) -> S:
    if len(turn_moves(turn)) == 1:
        return turn.moves[0]
    records = flat(game, turn.state, games, rng, event=turn.event, **options)
    return learnt(records)(turn)[0]


def _perfect_move(game: Game[S, E], turn: Turn[S, E], rng: Rng = random) -> S:  # noqa: ARG001
    value = _solver(game)
    return best(turn, [value(move) for move in turn_moves(turn)])[0]


_solver = lru_cache(maxsize=4)(solver)


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
    """The standings of `strategies`, in their order, after n games from `start`.

    Without `start` the games begin at `game.start`. After each game every strategy moves up a seat:
    in k games for k players, each strategy has every seat once. If only one player of the game
    moves, each strategy plays alone, and any number of strategies can be compared. Game i draws
    from `Random(f"{seed}/{i}")`, so the standings depend on the seed alone, not on the executor.

    >>> from purembts.games.last_coin import last_coin
    >>> coins = last_coin()
    >>> perfect, by_chance = match(coins, (perfect_player(coins), random_player), 100, seed=7)
    >>> perfect.wins, by_chance.losses
    (99, 99)
    """
    at_least_one(n, "n")
    alone = is_alone(game)
    if not alone:
        _check_strategies(game, strategies)
    scores = _scores_alone if alone else _scores
    play = partial(scores, game, start_of(game, start), strategies, a_seed(seed))
    batches = partition_all(-(-n // _BATCHES), range(n))
    results = list(concat(mapped(executor, play, batches)))
    return tuple(_standing(game, results, own) for own in range(len(strategies)))


_BATCHES = 1000
"""The highest number of pieces of work that a match is cut into."""


def _check_strategies(game: Game[S, E], strategies: Sequence[Strategy[S, E]]) -> None:
    if not isinstance(strategies, Sequence) or len(strategies) != game.players:
        raise ValueError(
            f"`strategies` must be a sequence of {game.players}, one for each player of "
            f"{game.name}; got {brief(strategies)}."
        )


def _refuse_solitaire(game: Game[S, E]) -> None:
    if not isinstance(game, Game):
        raise ValueError(f"`game` must be a Game, for example shut_the_box(); got {brief(game)}.")
    if game.players < 2:
        raise ValueError(
            f"`game` must have at least 2 players to compare strategies; got {game.name}, which "
            f"has {game.players}. Use play_game, or simulation.simulate."
        )


def _scores(
    game: Game[S, E],
    start: S,
    strategies: Sequence[Strategy[S, E]],
    seed: int | str,
    games: Iterable[int],
) -> list[Scores]:
    """The scores of each strategy in each of `games`."""
    return [_seated(game, start, strategies, i, random.Random(f"{seed}/{i}")) for i in games]


def is_alone(game: Game[S, E]) -> bool:
    """True if only one player of `game` ever moves."""
    if not isinstance(game, Game):
        raise ValueError(f"`game` must be a Game, for example shut_the_box(); got {brief(game)}.")
    return game.players == 1 or (game.movers is not None and len(game.movers) == 1)


def _scores_alone(
    game: Game[S, E],
    start: S,
    strategies: Sequence[Strategy[S, E]],
    seed: int | str,
    games: Iterable[int],
) -> list[Scores]:
    """The score of each strategy in each of `games`, which it plays alone."""
    player = (game.movers or (0,))[0]
    return [
        tuple(
            play_game(game, start, [strategy] * game.players, random.Random(f"{seed}/{i}"))[player]
            for strategy in strategies
        )
        for i in games
    ]


def _seated(
    game: Game[S, E], start: S, strategies: Sequence[Strategy[S, E]], up: int, rng: Rng
) -> Scores:
    """The scores of each strategy in a game in which all have moved `up` seats."""
    k = up % len(strategies)
    result = play_game(game, start, (*strategies[-k:], *strategies[:-k]), rng)
    return (*result[k:], *result[:k])


def _standing(game: Game[S, E], results: Sequence[Scores], own: int) -> Standing:
    """The standing of the strategy whose score is number `own` of each result."""
    others = [result[:own] + result[own + 1 :] or (inf,) for result in results]
    best_of_others = [max(scores) for scores in others]
    leads = [result[own] - top for result, top in zip(results, best_of_others, strict=True)]
    record = tally(results)
    return Standing(
        games=len(results),
        wins=sum(lead > 0 for lead in leads),
        draws=leads.count(0),
        losses=sum(lead < 0 for lead in leads),
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
    all strategies play the same hands equally often against the same others, and luck cancels. The
    games of a deal depend on each other, so the interval is the mean over the deals plus or minus
    1.96 standard errors, within the range of the scores: 95 % for some dozens of deals. Deal i, and
    seating k of it, draw from `Random(f"{seed}/{i}")` and `Random(f"{seed}/{i}/{k}")`, with any
    executor.
    """
    _refuse_solitaire(game)
    if at_least_one(n, "n") < 2 or len(strategies) < game.players:
        raise ValueError(
            f"A tournament of {game.name} must have at least {game.players} strategies and 2 "
            f"deals; got {len(strategies)} and {n}."
        )
    deals = _deals(game, strategies, deal, n, seed=seed, executor=executor)
    return tuple(_standing_over_deals(game, deals, own) for own in range(len(strategies)))


def compared(
    game: Game[S, E],
    strategies: Sequence[Strategy[S, E]],
    n: int,
    *,
    seed: int | str,
    executor: Executor = builtins,
    start: S | None = None,
) -> tuple[Standing, ...]:
    """The standings of `strategies` after about n games, by a `match` or by a `tournament`.

    It is a tournament if the game has a deal and no `start` is given; it has 2 deals at least. If
    there are more strategies than seats, and no deals, all seatings are played equally often, and
    the interval is that of independent games.
    """
    is_dealt = game.deal is not None and start is None
    if not is_dealt and (is_alone(game) or len(strategies) <= game.players):
        return match(game, strategies, n, seed=seed, executor=executor, start=start)
    rounds = -(-at_least_one(n, "n") // max(1, perm(len(strategies), game.players)))
    if is_dealt and game.deal:
        deals = max(2, rounds)
        return tournament(game, strategies, game.deal, deals, seed=seed, executor=executor)
    same = partial(_same, start_of(game, start))
    played = _deals(game, strategies, same, rounds, seed=seed, executor=executor)
    return tuple(
        _standing(game, list(concat(_own_first(each, own) for each in played)), 0)
        for own in range(len(strategies))
    )


def _same(start: S, rng: Rng) -> S:  # noqa: ARG001
    return start


_Seated: TypeAlias = list[tuple[tuple[int, ...], Scores]]
"""The strategies by their seats, and the result, for each game of a deal."""


def _deals(
    game: Game[S, E],
    strategies: Sequence[Strategy[S, E]],
    deal: Callable[[Rng], S],
    n: int,
    *,
    seed: int | str,
    executor: Executor,
) -> list[_Seated]:
    """The games of n deals in all seatings; an executor may leave out the last of them."""
    seatings = list(enumerate(permutations(range(len(strategies)), game.players)))
    tasks = [(i, k, seats) for i in range(n) for k, seats in seatings]
    play = partial(_seatings, game, strategies, deal, a_seed(seed))
    batches = partition_all(-(-len(tasks) // _BATCHES), tasks)
    games = zip(tasks, concat(mapped(executor, play, batches)), strict=False)
    played: dict[int, _Seated] = {}
    for (i, _, seats), scores in games:
        played.setdefault(i, []).append((seats, scores))
    return list(played.values())


def _seatings(
    game: Game[S, E],
    strategies: Sequence[Strategy[S, E]],
    deal: Callable[[Rng], S],
    seed: int | str,
    tasks: Iterable[tuple[int, int, tuple[int, ...]]],
) -> list[Scores]:
    """The result of deal i in seating k, for each (i, k, seats)."""
    results = []
    for i, k, seats in tasks:
        start, seated = deal(random.Random(f"{seed}/{i}")), [strategies[j] for j in seats]
        results.append(play_game(game, start, seated, random.Random(f"{seed}/{i}/{k}")))
    return results


def _own_first(seated: _Seated, own: int) -> list[Scores]:
    """The results of the games in which strategy `own` had a seat, its own score first."""
    return [
        (scores[seats.index(own)], *(s for j, s in zip(seats, scores, strict=True) if j != own))
        for seats, scores in seated
        if own in seats
    ]


def _standing_over_deals(game: Game[S, E], deals: Sequence[_Seated], own: int) -> Standing:
    """The standing of strategy `own`, with an interval over the deals that were played to the end.

    It is within the range of the scores, and all of that range without two such deals.
    """
    results = [_own_first(deal, own) for deal in deals]
    standing = _standing(game, list(concat(results)), 0)
    means = [mean(tally(each)) for each in results if len(each) == len(results[0])]
    low, high = game.score_range
    if len(means) < 2:
        return standing._replace(interval=(low, high))
    half = 1.96 * stdev(means) / sqrt(len(means))
    return standing._replace(
        interval=(max(low, standing.mean - half), min(high, standing.mean + half))
    )
