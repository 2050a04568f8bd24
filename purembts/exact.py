"""Exact values, memoized over the DAG of positions.

The solver counts the events that a search draws. So scores / visits of a record estimate the value
that a solver returns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain
from math import lcm
from operator import mul

from purembts.game import Choice, E, Game, Policy, S, Turn, Values
from purembts.guards import explained
from purembts.positions import MOST_EVENTS, all_events, children, positions

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


@explained
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
    values: dict[S, Values] = {}
    if policy is None:
        return partial(_value, partial(_solve, game, uniform, choose, values), values)
    return partial(_value, partial(_solve, game, policy, None, values), values)


@explained
def is_solvable(game: Game[S, E], state: S) -> bool:
    """True if nothing is hidden, and at most `MOST_POSITIONS` positions can follow `state`.

    At each of them, there are at most `MOST_EVENTS` events.

    >>> from purembts.games.mnk import gomoku, tic_tac_toe
    >>> is_solvable(tic_tac_toe, tic_tac_toe.start), is_solvable(gomoku, gomoku.start)
    (True, False)
    """
    states, todo = {state}, [] if game.hidden else [state]
    while todo and len(states) <= MOST_POSITIONS + 1:
        position = todo.pop()
        if len(game.chances(position)) > MOST_EVENTS:
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


def turns_of(game: Game[S, E], state: S) -> list[tuple[int, Turn[S, E]]]:
    """The turn at `state` after each different event, and how often the event is listed."""
    player, events = game.to_move(state), Counter(all_events(game, state))
    return [
        (n, Turn(state, event, game.moves(state, event), player)) for event, n in events.items()
    ]


def _value(solve: Callable[[S], None], values: dict[S, Values], state: S) -> Values:
    """The value of `state`, which `solve` adds to `values` once."""
    if state not in values:
        solve(state)
    return values[state]


@explained
def _solve(
    game: Game[S, E],
    policy: Policy[S, E],
    choose: Choice[S, E] | None,
    values: dict[S, Values],
    state: S,
) -> None:
    """Add the values of `state` and of the positions that follow by `policy` to `values`."""
    ways: dict[S, list[tuple[int, Turn[S, E], Sequence[S]]]] = {}

    def moves_of(game: Game[S, E], position: S) -> Iterable[S]:
        """The moves that `policy` plays at `position`; `ways` gets its turns."""
        ways[position] = [(n, turn, _plays(turn, policy)) for n, turn in turns_of(game, position)]
        return chain.from_iterable([moves for _, _, moves in ways[position]])

    for position in positions(game, state, skip=values.__contains__, after=moves_of):
        played = ways.pop(position)
        after = [
            (n, _values_after(game, turn, choose, [values[move] for move in moves]))
            for n, turn, moves in played
        ]
        common = lcm(*[len(row) for _, row in after])
        values[position] = mean_of([(n * common // len(row), x) for n, row in after for x in row])


def _plays(turn: Turn[S, E], policy: Policy[S, E]) -> Sequence[S]:
    """The moves that `policy` plays in `turn`. It is not asked about a single move."""
    moves = turn.moves
    return moves if len(moves) < 2 else [moves[moves.index(move)] for move in policy(turn)]


def _values_after(
    game: Game[S, E],
    turn: Turn[S, E],
    choose: Choice[S, E] | None,
    values: Sequence[Values],
) -> Sequence[Values]:
    """The values of the moves that are played in `turn`, all equally likely.

    `values` has one for each move. All moves are played if there is no `choose`. Where the game has
    ended, the value is the result.
    """
    if not turn.moves:
        return [end_value(game, turn.state)]
    if choose is None or len(values) < 2:
        return values
    return [values[turn.moves.index(move)] for move in choose(turn, values)]


def end_value(game: Game[S, E], state: S) -> Values:
    """The value of `state` after an event that ends the game."""
    return tuple(map(Fraction, game.result(state)))


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
