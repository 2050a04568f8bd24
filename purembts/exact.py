"""Exact values, memoized over the DAG of positions.

The solver counts the events that a search draws. So scores / visits of a record estimate the value
that a solver returns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain
from math import lcm
from operator import mul
from typing import Any, NamedTuple

from purembts.checks import brief
from purembts.fast.links import ways_of
from purembts.game import (
    MOST_EVENTS,
    Choice,
    E,
    Game,
    Policy,
    S,
    Turn,
    Values,
    a_game,
    checked_player,
    events_of,
    result_of,
)
from purembts.positions import children, positions

MOST_POSITIONS = 20_000
"""The number of positions up to which a game counts as small enough to be solved.

They are solved in about a second. `solver` itself has no limit.
"""


def best(turn: Turn[S, E], values: Sequence[Values]) -> Sequence[S]:
    """Best play: the move of the highest value for the player to move, the first among equals."""
    scores = [value[turn.player] for value in values]
    return (turn.moves[scores.index(max(scores))],)


def uniform(turn: Turn[S, E]) -> Sequence[S]:
    """Uniformly random play: every move, each of them equally likely."""
    return turn.moves


def against_best(player: int, policy: Policy[S, E]) -> Choice[S, E]:
    """The policy of `player`, where all others play best against it."""
    return lambda turn, values: policy(turn) if turn.player == player else best(turn, values)


def solver(
    game: Game[S, E], choose: Choice[S, E] = best, *, policy: Policy[S, E] | None = None
) -> Callable[[S], Values]:
    """A function from a position to its exact value for each player.

    All play by `choose`, which gets the values of the moves, or by `policy`, which gets the turn
    alone: then only the positions that it plays to are visited. Both are asked where there are two
    moves or more, and must answer with moves of the turn. The function keeps the values that it
    has computed.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> solver(last_coin(), policy=uniform)(Pile(2))
    (Fraction(1, 2), Fraction(1, 2))
    """
    for name, function in (("choose", choose), ("policy", uniform if policy is None else policy)):
        if not callable(function):
            raise ValueError(f"`{name}` must be a function of a turn; got {brief(function)}.")
    return partial(_value, _Memo(a_game(game), choose, policy, {}, {}))


def is_solvable(game: Game[S, E], state: S) -> bool:
    """True if nothing is hidden, and at most `MOST_POSITIONS` positions can follow `state`.

    At each of them, there are at most `MOST_EVENTS` events.

    >>> from purembts.games.mnk import gomoku, tic_tac_toe
    >>> is_solvable(tic_tac_toe, tic_tac_toe.start), is_solvable(gomoku, gomoku.start)
    (True, False)
    """
    states, todo = {state}, [] if a_game(game).hidden else [state]
    while todo and len(states) <= MOST_POSITIONS + 1:
        position = todo.pop()
        if len(events_of(game, position)) > MOST_EVENTS:
            return False
        new = set(children(game, position)) - states
        todo += new
        states |= new
    return not game.hidden and len(states) <= MOST_POSITIONS + 1


def check_solvable(game: Game[S, E], state: S) -> None:
    """Raise a ValueError if `game` is not solvable from `state` on."""
    if not is_solvable(game, state):
        raise not_solvable(game)


def not_solvable(game: Game[S, E]) -> ValueError:
    """The error for a game that hides information, or in which too many positions can follow."""
    if game.hidden:
        return ValueError(f"{game.name} hides information, so it has no exact values.")
    return ValueError(
        f"{game.name} is too large for exact values: more than {MOST_POSITIONS:,} positions can "
        f"follow, or one has more than {MOST_EVENTS:,} events. Begin nearer to the end."
    )


class _Memo(NamedTuple):
    """A game, the policies of its players, and the values that are computed."""

    game: Game[Any, Any]
    choose: Choice[Any, Any]
    policy: Policy[Any, Any] | None
    values: dict[Any, Values]
    turns: dict[Any, list[tuple[int, Turn[Any, Any]]]]
    """For each position on the way, its turns, and the number of events that lead to each."""


def _value(memo: _Memo, state: S) -> Values:
    """The value of `state`, which is computed once, with those of all positions that follow."""
    try:
        return memo.values[state]
    except (KeyError, TypeError):  # `positions` refuses a state that cannot be a key
        skip, after = memo.values.__contains__, partial(_played_moves, memo)
    for position in positions(memo.game, state, skip=skip, after=after):
        memo.values[position] = _value_at(memo, position)
    return memo.values[state]


def _played_moves(memo: _Memo, game: Game[S, E], state: S) -> Iterator[S]:
    """The moves that are played at `state`. `memo` gets the turns there."""
    ways = ways_of(game, state)
    player = checked_player(game, state) if any(moves for _, moves in ways) else 0
    events = dict.fromkeys(game.chances(state))
    turns = memo.turns[state] = []
    for event, (times, moves) in zip(events, ways, strict=True):
        turn = Turn(state, event, moves, player)
        if memo.policy is not None and len(moves) > 1:
            turn = turn._replace(moves=_checked_answer(turn, memo.policy(turn)))
        turns.append((times, turn))
    return chain.from_iterable([turn.moves for _, turn in turns])


def _value_at(memo: _Memo, state: S) -> Values:
    """The value of `state`: the mean over its events and the moves that are played."""
    values, ways = memo.values, []
    for times, turn in memo.turns.pop(state):
        moves = turn.moves
        if memo.policy is None and len(moves) > 1:
            moves = _checked_answer(turn, memo.choose(turn, [values[move] for move in moves]))
        ways.append((times, [values[move] for move in moves] or [end_value(memo.game, state)]))
    common = lcm(*[len(after) for _, after in ways])
    return mean_of([(n * common // len(after), value) for n, after in ways for value in after])


def end_value(game: Game[S, E], state: S) -> Values:
    """The value of `state` after an event that ends the game."""
    return tuple(map(Fraction, result_of(game, state)))


def _checked_answer(turn: Turn[S, E], answer: Sequence[S]) -> Sequence[S]:
    """The moves that a policy answers with; a ValueError if they are no moves of `turn`."""
    moves = tuple(answer or ())
    if not moves or not all(move in turn.moves for move in moves):
        raise ValueError(
            f"A policy must answer with moves of its turn; got {brief(answer)} at {brief(turn)}."
        )
    return moves


def mean_of(weighted: Sequence[tuple[int, Values]]) -> Values:
    """The mean of values with weights.

    >>> mean_of([(1, (Fraction(1, 2),)), (3, (Fraction(1),))])
    (Fraction(7, 8),)
    """
    if len(weighted) == 1:
        return weighted[0][1]
    weights, values = zip(*weighted, strict=True)
    return tuple([weighted_mean(weights, column) for column in zip(*values, strict=True)])


def weighted_mean(weights: Collection[int], numbers: Iterable[Fraction | int]) -> Fraction:
    """The mean of `numbers` with `weights`, exactly."""
    # One common denominator is faster than a sum of Fractions.
    above, below = zip(*[number.as_integer_ratio() for number in numbers], strict=True)
    common = lcm(*below)
    parts = [n * (common // d) for n, d in zip(above, below, strict=True)]
    return Fraction(sum(map(mul, weights, parts)), common * sum(weights))
