"""Exact values, by a memoized recursion over the DAG of positions, in Fractions.

The solver counts the events that a search draws. So scores / visits of a record estimate the value
that a solver returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from toolz import frequencies

from purembts.checks import brief
from purembts.game import E, Game, Policy, S, Turn, Values, positions, result_of, turn_at


def best(turn: Turn[S, E], values: Sequence[Values]) -> Sequence[S]:
    """Best play: the move of the highest value for the player to move, the first among equals."""
    own = [value[turn.player] for value in values]
    return (turn.moves[own.index(max(own))],)


def uniform(turn: Turn[S, E], values: Sequence[Values]) -> Sequence[S]:  # noqa: ARG001
    """Uniformly random play: every move, each of them equally likely."""
    return turn.moves


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

    It keeps the values that it has computed. A policy must answer with moves of the turn that it
    gets; anything else is a ValueError.
    """
    if not isinstance(game, Game):  # before a position is asked for
        raise ValueError(f"`game` must be a Game, for example shut_the_box(); got {brief(game)}.")
    if not callable(choose):
        raise ValueError(f"`choose` must be a policy, for example exact.best; got {brief(choose)}.")
    values: dict[S, Values] = {}

    def value(state: S) -> Values:
        # Children come before their parents, so the recursion is never deeper than one step.
        for position in () if state in values else positions(game, state, skip=values.__contains__):
            values[position] = _expected(game, position, choose, value)
        return values[state]

    return value


def turn_value(
    game: Game[S, E], turn: Turn[S, E], choose: Policy[S, E], value: Callable[[S], Values]
) -> Values:
    """The value of `turn` for each player, where `value` gives the values of its moves."""
    if not turn.moves:
        return tuple(map(Fraction, result_of(game, turn.state)))
    answer = choose(turn, [value(move) for move in turn.moves])
    chosen = tuple(answer) if isinstance(answer, Iterable) else ()
    if not chosen or any(move not in turn.moves for move in chosen):
        raise ValueError(
            f"A policy must answer with moves of its turn; got {brief(answer)} at {brief(turn)}."
        )
    return _mean((1, value(move)) for move in chosen)


def _expected(
    game: Game[S, E], state: S, choose: Policy[S, E], value: Callable[[S], Values]
) -> Values:
    """The value of `state` for each player: the mean over the events of chance."""
    events = frequencies(game.chances(state)).items()
    return _mean(
        (times, turn_value(game, turn_at(game, state, event), choose, value))
        for event, times in events
    )


def _mean(weighted: Iterable[tuple[int, Values]]) -> Values:
    pairs = list(weighted)
    total = sum(times for times, _ in pairs)
    columns = zip(*([times * x for x in value] for times, value in pairs), strict=True)
    return tuple(sum(column, Fraction(0)) / total for column in columns)
