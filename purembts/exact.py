"""Exact values, by a memoized recursion over the DAG of positions.

Values are whole numbers inside, over one denominator for each position, and Fractions outside.

The solver counts the events that a search draws. So scores / visits of a record estimate the value
that a solver returns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, partial
from math import gcd, lcm
from operator import mul
from typing import Any, TypeAlias

from purembts.checks import brief
from purembts.fast.links import (
    Links,
    Position,
    Weighted,
    ended,
    linked,
    links_of,
    shares,
    walk,
    weighted,
)
from purembts.game import E, Game, Policy, S, Turn, Values, checked_player, children, result_of
from purembts.records import Scores


def best(turn: Turn[S, E], values: Sequence[Values]) -> Sequence[S]:
    """Best play: the move of the highest value for the player to move, the first among equals."""
    own = [value[turn.player] for value in values]
    return (turn.moves[own.index(max(own))],)


def uniform(turn: Turn[S, E], values: Sequence[Values]) -> Sequence[S]:  # noqa: ARG001
    """Uniformly random play: every move, each of them equally likely."""
    return turn.moves


def against_best(player: int, policy: Policy[S, E]) -> Policy[S, E]:
    """The policy of `player`, where all others play best against it."""
    return partial(_against_best, player, policy)


def _against_best(
    player: int, policy: Policy[S, E], turn: Turn[S, E], values: Sequence[Values]
) -> Sequence[S]:
    return policy(turn, values) if turn.player == player else best(turn, values)


def winning_moves(
    game: Game[S, E], turn: Turn[S, E], value: Callable[[S], Values]
) -> tuple[S, ...]:
    """The moves of `turn` after which its player certainly gets the highest score.

    `value` is the function that `solver` returns.

    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> coins = last_coin()
    >>> winning_moves(coins, turn_at(coins, Pile(20), None), solver(coins))
    (Pile(coins=18, player=1),)
    """
    highest = game.score_range[1]
    return tuple([move for move in turn.moves if value(move)[turn.player] == highest])


def solver(game: Game[S, E], choose: Policy[S, E] = best) -> Callable[[S], Values]:
    """A function from a position to its exact value for each player if all play by `choose`.

    It keeps the values that it has computed. A policy is asked where there are two moves or more.
    It must answer with moves of the turn that it gets; anything else is a ValueError. Where it does
    not look at the values, only the positions that it plays to are visited.
    """
    _check(game, choose)
    links = links_of(game)
    values: dict[Position[S, E], Whole] = {}
    played: dict[Position[S, E], Weighted[S, E]] = {}

    def after(position: Position[S, E]) -> Weighted[S, E]:
        if choose is not best:
            with suppress(_LookedError):
                played[position] = _played(game, position, choose)
        return played.get(position) or weighted(game, position)

    def value(state: S) -> Values:
        first = linked(links, state)
        # Children come before their parents, so there is no recursion.
        todo = () if first in values else walk(links, first, after, skip=values.__contains__)
        for position in todo:
            ways = played.pop(position, None) or _played(game, position, choose, values)
            values[position] = _expected(links, position, ways, values)
        return as_fractions(values[first])

    return value


def solver_within(
    game: Game[S, E], state: S, most: int, choose: Policy[S, E] = best
) -> Callable[[S], Values] | None:
    """The `solver` of `game`; None if more than `most` positions can follow `state`.

    For best play it is the game's own `value` if it has one, even where more positions follow.
    Otherwise it counts the positions before it solves any, and stops counting at `most`.

    >>> from purembts.games.mnk import gomoku, tic_tac_toe
    >>> solver_within(gomoku, gomoku.start, 10_000) is None
    True
    >>> solver_within(tic_tac_toe, tic_tac_toe.start, 10_000)(tic_tac_toe.start)
    (Fraction(1, 2), Fraction(1, 2))
    """
    if game.value and choose is best:
        return game.value
    found, todo = {state}, [state]
    while todo:
        for child in children(game, todo.pop()):
            if child not in found:
                found.add(child)
                todo.append(child)
                if len(found) > most + 1:
                    return None
    return solver(game, choose)


def _check(game: Game[S, E], choose: Policy[S, E]) -> None:
    """Raise a ValueError if one of the arguments is wrong, before a position is asked for."""
    if not isinstance(game, Game):
        raise ValueError(f"`game` must be a Game, for example shut_the_box(); got {brief(game)}.")
    if not callable(choose):
        raise ValueError(f"`choose` must be a policy, for example exact.best; got {brief(choose)}.")


def turn_value(
    game: Game[S, E], turn: Turn[S, E], choose: Policy[S, E], value: Callable[[S], Values]
) -> Values:
    """The value of `turn` for each player, where `value` gives the values of its moves."""
    if not turn.moves:
        return tuple(map(Fraction, result_of(game, turn.state)))
    moves = _answer(turn, choose, [value(move) for move in turn.moves])
    return as_fractions(whole_mean([(1, as_whole(value(turn.moves[i]))) for i in moves]))


def _played(
    game: Game[S, E],
    position: Position[S, E],
    choose: Policy[S, E],
    values: dict[Position[S, E], Whole] | None = None,
) -> Weighted[S, E]:
    """The positions that `choose` plays to after each event.

    Without `values`, a policy that looks at them raises `_LookedError`.
    """
    player = checked_player(game, position.state) if any(position.after) else 0
    events = game.chances(position.state)
    times, ways = Counter(events), dict(zip(events, position.after, strict=True))
    for event, way in ways.items():
        if isinstance(way, tuple) and way:  # there is a choice
            turn = Turn(position.state, event, tuple([each.state for each in way]), player)
            known = _UNKNOWN if values is None else [as_fractions(values[each]) for each in way]
            ways[event] = tuple([way[i] for i in _answer(turn, choose, known)])
    return [(way, times[event]) for event, way in ways.items()]


def _answer(turn: Turn[S, E], choose: Policy[S, E], values: Sequence[Values]) -> list[int]:
    """The indices of the moves that a policy chooses; a ValueError if it chooses something else."""
    answer = choose(turn, values)
    try:
        chosen = [turn.moves.index(move) for move in answer]
    except (TypeError, ValueError):
        chosen = []
    if not chosen:
        raise ValueError(
            f"A policy must answer with moves of its turn; got {brief(answer)} at {brief(turn)}."
        )
    return chosen


class _LookedError(BaseException):
    """A policy has looked at values that are not known yet. No `except Exception` catches it."""


class _Unknown(Sequence[Values]):
    """The values that a policy gets first, as it perhaps does not look at them."""

    def __getitem__(self, i: Any) -> Any:  # noqa: ANN401
        raise _LookedError

    def __len__(self) -> int:
        raise _LookedError


_UNKNOWN = _Unknown()

Whole: TypeAlias = tuple[int, ...]
"""Values in whole numbers: a numerator for each player, and then their denominator."""


def _expected(
    links: Links[S, E],
    position: Position[S, E],
    ways: Weighted[S, E],
    values: dict[Position[S, E], Whole],
) -> Whole:
    """The value of `position`: the mean over the events and the moves that are played."""
    return whole_mean(
        [
            (weight, values[way] if isinstance(way, Position) else as_whole(ended(links, position)))
            for way, weight in shares(ways).items()
        ]
    )


def whole_mean(weighted: Sequence[tuple[int, Whole]]) -> Whole:
    """The mean of values with weights, in lowest terms."""
    if len(weighted) == 1:
        return weighted[0][1]
    common = lcm(*[value[-1] for _, value in weighted])
    factors = [weight * (common // value[-1]) for weight, value in weighted]
    *columns, _ = zip(*[value for _, value in weighted], strict=True)
    sums = [sum(map(mul, factors, column)) for column in columns]
    whole = common * sum([weight for weight, _ in weighted])
    divisor = gcd(whole, *sums)
    return (*[each // divisor for each in sums], whole // divisor)


@lru_cache(maxsize=1 << 12)
def as_whole(values: Scores | Values) -> Whole:
    """`values` as whole numbers."""
    exact = [Fraction(each) for each in values]
    common = lcm(*[each.denominator for each in exact])
    return (*[int(each * common) for each in exact], common)


@lru_cache(maxsize=1 << 12)
def as_fractions(value: Whole) -> Values:
    """`value` as a Fraction for each player."""
    return tuple([Fraction(each, value[-1]) for each in value[:-1]])
