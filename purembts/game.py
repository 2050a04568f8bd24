"""A game as a value: its rules as four functions of a position, and a few facts.

A move is the position that it leads to. Chance is data: the rules list equally likely events. A
search draws one of them, a solver counts them all, and a person or a test states one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from purembts.chance import Rng, pick, random
from purembts.checks import brief
from purembts.display import Codec, Display, Hidden
from purembts.records import Scores

S = TypeVar("S", bound=Hashable)
"""A position (state) of the game: immutable, and equal to any other position of the same value."""
E = TypeVar("E", bound=Hashable)
"""An event of chance: a roll of the dice, or None where there is no chance."""


# A game


def no_chance(state: Any) -> tuple[Any]:  # noqa: ANN401, ARG001
    """The events of a game without chance: (None,)."""
    return (None,)


class Game(NamedTuple, Generic[S, E]):
    """The rules of a game. Its positions form a DAG: no position comes back within a game.

    `moves`, `to_move` and `chances` have a value at every position, `result` where the game has
    ended. Equal arguments have equal values, with the moves and the events in the same order.
    `moves` answers for any event, so a game with other `chances`, made by `_replace`, is right.
    """

    moves: Callable[[S, E], Sequence[S]]
    """The positions to go to after this event; empty if it ends the game there, and only then."""
    result: Callable[[S], Scores]
    """The score of each player in a game that has ended in this position."""
    to_move: Callable[[S], int]
    """The player to move: an index into the scores."""
    chances: Callable[[S], Sequence[E]] = no_chance
    """The equally likely events, at least one; (None,) in a game without chance."""
    name: str = "A game"
    players: int = 2
    score_range: tuple[float, float] = (0, 1)
    """The lowest and the highest score that a player can get in one game."""
    score_sum: float | None = 1
    """The sum of the scores of any result; None where it varies."""
    start: S | None = None
    """The position where the usual game begins; None if there is no such position."""
    deal: Callable[[Rng], S] | None = None
    """Draws a position where a game begins; None if games begin at `start`."""
    movers: Sequence[int] | None = None
    """The players who ever move; None if all do."""
    max_turns: int = 100_000
    """The number of turns after which a game counts as endless, which is an error."""
    rules: Any = None
    """The variant, a NamedTuple of plain values; None if the game has no variants."""
    display: Display[S] = Display()
    json: Codec[S] | None = None
    hidden: Hidden[S] | None = None
    """None if the players see everything."""
    playout: DefaultPolicy[S, E] | GamePlayout[S, E] | None = None
    """A policy for random games that somebody chose, or one for these functions alone; None for
    `plain_playout`."""
    is_small: bool = False
    """True if the positions are so few that fast forms may keep them, linked, between calls."""

    def __repr__(self) -> str:
        return f"Game({self.name!r})"


AnyGame: TypeAlias = Game[Any, Any]
"""A game whose positions and events can be of any type."""


class GamePlayout(NamedTuple, Generic[S, E]):
    """A policy for random games of a game alone. The game with other functions does not use it."""

    play: DefaultPolicy[S, E]
    made_for: tuple[Any, ...]
    """The functions and the facts of the game for which it is right, as in `functions_of`."""
    is_uniform: bool = True
    """True for a faster form of `plain_playout`, with its distribution of results."""


class Turn(NamedTuple, Generic[S, E]):
    """A position where a player has to move: the event is drawn, and the moves are listed."""

    state: S
    event: E
    moves: Sequence[S]
    player: int


Values: TypeAlias = tuple[Fraction, ...]
"""The exact value of a position: the expected score of each player."""

DefaultPolicy: TypeAlias = Callable[[Game[S, E], S, Rng], Scores]
"""The result of a game from a position, played without a tree."""

Policy: TypeAlias = Callable[[Turn[S, E]], Sequence[S]]
"""A function from a turn to the moves that are played, all equally likely."""

Choice: TypeAlias = Callable[[Turn[S, E], Sequence[Values]], Sequence[S]]
"""A function from a turn and the exact values of its moves to the moves that are played, all
equally likely."""


Strategy: TypeAlias = Callable[[Turn[S, E], Any], S]
"""A function from a turn and a generator to one of the moves of the turn.

The generator may be annotated as an `Rng` or as a `random.Random`."""


# Turns


def turn_at(game: Game[S, E], state: S, event: E) -> Turn[S, E]:
    """The turn at `state` after `event`. It has no moves if the game has ended."""
    return Turn(state, event, game.moves(state, event), game.to_move(state))


def draw_turn(game: Game[S, E], state: S, rng: Rng = random) -> Turn[S, E]:
    """The turn at `state` after an event that is drawn."""
    return turn_at(game, state, pick(game.chances(state), rng))


def start_of(game: Game[S, E], start: S | None = None) -> S:
    """`start`, or by default the start of `game`. ValueError if it has no start of its own."""
    first = game.start if start is None else start
    if first is None:
        raise ValueError(f"`start` must be a position, as {game.name} has no start of its own.")
    return first


def first_position(game: Game[S, E], rng: Rng = random, start: S | None = None) -> S:
    """`start`, or by default a position that `game` deals, or else its start."""
    if start is None and game.deal is not None:
        return game.deal(rng)
    return start_of(game, start)


def movers_of(game: Game[S, E]) -> tuple[int, ...]:
    """The players of `game` who ever move."""
    return tuple(range(game.players) if game.movers is None else game.movers)


def is_alone(game: Game[S, E]) -> bool:
    """True if only one player of `game` ever moves."""
    return len(movers_of(game)) == 1


# Random games


def plain_playout(game: Game[S, E], state: S, rng: Rng = random) -> Scores:
    """The result of a uniformly random game from `state`: the specification of fast playouts."""
    for _ in range(game.max_turns):
        moves = game.moves(state, pick(game.chances(state), rng))
        if not moves:
            return game.result(state)
        state = pick(moves, rng)
    raise endless(game, state)


def playout(game: Game[S, E], state: S, rng: Rng = random) -> Scores:
    """The result of a random game from `state`, by `random_play`: the usual default policy."""
    return random_play(game)(game, state, rng)


def random_play(game: Game[S, E]) -> DefaultPolicy[S, E]:
    """The function that plays a random game of `game`: its `playout`, or `plain_playout`."""
    policy = game.playout
    if isinstance(policy, GamePlayout):
        return policy.play if is_made_for(policy, game) else plain_playout
    return plain_playout if policy is None else policy


def is_made_for(policy: GamePlayout[S, E], game: Game[S, E]) -> bool:
    """True if `game` has the very functions and facts that `policy` was made for."""
    pairs = zip(policy.made_for, functions_of(game), strict=True)
    return all(made_for is function for made_for, function in pairs)


def with_playout(
    game: Game[S, E], play: DefaultPolicy[S, E], *, is_uniform: bool = True
) -> Game[S, E]:
    """`game` with `play` as its policy for random games, for its own functions alone.

    It is a faster form of random play, or without `is_uniform` one that knows more.
    """
    return game._replace(playout=GamePlayout(play, functions_of(game), is_uniform))


def functions_of(game: Game[S, E]) -> tuple[Any, ...]:
    """The functions and the facts that decide how `game` is played, and what its ends are worth."""
    functions = (game.moves, game.result, game.to_move, game.chances)
    return (*functions, game.rules, game.players, game.score_range)


def endless(game: Game[S, E], state: S) -> ValueError:
    """The error for a game that is still going on after `max_turns` turns, at `state`."""
    turns = f"{game.max_turns:,} turns" if game.max_turns > 1 else "1 turn"
    return ValueError(
        f"{game.name} must end within {turns}, its `max_turns`; "
        f"got to {brief(state)} without an end. Perhaps a position comes back."
    )
