"""Exact values, by a memoized recursion over the DAG of positions, in Fractions.

The same rules that the search draws from are counted here: a record's scores / visits estimate
what a solver returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from toolz import frequencies

from purembts.checks import shown
from purembts.game import E, Game, Policy, S, Turn, Values, positions, turn_at


def best(turn: Turn[S, E], values: Sequence[Values]) -> Sequence[S]:
    """Best play: the move of the highest value for whoever moves, the first among equals."""
    own = [value[turn.player] for value in values]
    return (turn.moves[own.index(max(own))],)


def uniform(turn: Turn[S, E], values: Sequence[Values]) -> Sequence[S]:  # noqa: ARG001
    """Uniformly random play: every move, each as likely as any other."""
    return turn.moves


def winning_moves(
    game: Game[S, E], turn: Turn[S, E], value: Callable[[S], Values]
) -> tuple[S, ...]:
    """The moves of `turn` that make sure of the highest score, where `value` is a solver's.

    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> coins = last_coin()
    >>> winning_moves(coins, turn_at(coins, Pile(20), None), solver(coins))
    (Pile(coins=18, player=1),)
    """
    highest = game.score_range[1]
    return tuple([move for move in turn.moves if value(move)[turn.player] == highest])


def solver(game: Game[S, E], choose: Policy[S, E] = best) -> Callable[[S], Values]:
    """A function from a position to what it is worth to each player when all play by `choose`.

    It remembers what it has worked out. A policy that answers with anything but moves of the turn
    it was asked about is a ValueError.
    """
    if not isinstance(game, Game):
        raise ValueError(f"{shown(game)} is not a game, as shut_the_box() is one.")
    known: dict[S, Values] = {}

    def value(state: S) -> Values:
        # Children come before their parents, so the recursion is never deeper than one step.
        for position in () if state in known else positions(game, state, known.__contains__):
            known[position] = _expected(game, position, choose, value)
        return known[state]

    return value


def turn_value(
    game: Game[S, E], turn: Turn[S, E], choose: Policy[S, E], value: Callable[[S], Values]
) -> Values:
    """What `turn` is worth to each player, given what positions are worth."""
    if not turn.moves:
        return tuple(map(Fraction, game.result(turn.state)))
    chosen = choose(turn, [value(move) for move in turn.moves])
    if not chosen or any(move not in turn.moves for move in chosen):
        raise ValueError(
            f"The policy answered {shown(chosen)} to {shown(turn)}; "
            "it has to name moves of the turn."
        )
    return _mean((1, value(move)) for move in chosen)


def _expected(
    game: Game[S, E], state: S, choose: Policy[S, E], value: Callable[[S], Values]
) -> Values:
    """What `state` is worth to each player: the mean over the events of chance."""
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
