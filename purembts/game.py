"""A game as a value: its rules as four functions of a position, and a few facts.

A move is the position that it leads to. Chance is data: the rules list equally likely events. A
search draws one of them, a solver counts them all, and a person or a test states one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice
from math import inf
from operator import is_
from random import Random
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from purembts.chance import Rng, pick, random
from purembts.checks import an_rng, are_finite, brief, whole_number
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


Strategy: TypeAlias = Callable[[Turn[S, E], Rng], S]
"""A function from a turn and a generator to one of the moves of the turn."""


# Turns


def turn_at(game: Game[S, E], state: S, event: E) -> Turn[S, E]:
    """The turn at `state` after `event`. It has no moves if the game has ended."""
    moves = checked_moves(game, state, event)
    return Turn(state, event, moves, checked_player(game, state) if moves else game.to_move(state))


def draw_turn(game: Game[S, E], state: S, rng: Rng = random) -> Turn[S, E]:
    """The turn at `state` after an event that is drawn."""
    return turn_at(game, state, pick(events_of(game, state), rng))


def a_turn(turn: Turn[S, E]) -> Turn[S, E]:
    """`turn`, or a ValueError if it is not a Turn: a position is the usual mistake."""
    if not isinstance(turn, Turn):
        right = "a Turn, for example turn_at(game, state, event)"
        raise ValueError(f"`turn` must be {right}; got {brief(turn)}.")
    return turn


def checked_move(turn: Turn[S, E], move: S) -> S:
    """`move`, or a ValueError if it is not one of the moves of `turn`."""
    if move not in turn.moves:
        raise ValueError(
            f"The strategy of player {turn.player + 1} must answer with a move of its turn; "
            f"got {brief(move)} at {brief(turn.state)}."
        )
    return move


def start_of(game: Game[S, E], start: S | None = None) -> S:
    """`start`, or by default the start of `game`; a ValueError if it has no start of its own."""
    first = a_game(game).start if start is None else start
    if first is None:
        raise ValueError(f"`start` must be a position, as {game.name} has no start of its own.")
    return first


def first_position(game: Game[S, E], rng: Rng = random, start: S | None = None) -> S:
    """`start`, or by default a position that `game` deals, or else its start."""
    deal = a_game(game).deal
    if start is None and deal is not None:
        return deal(rng)
    return start_of(game, start)


# Random games


def functions_of(game: Game[S, E]) -> tuple[Any, ...]:
    """The functions and the facts that decide how `game` is played, and what its ends are worth."""
    functions = (game.moves, game.result, game.to_move, game.chances)
    return (*functions, game.rules, game.players, game.score_range)


def with_playout(
    game: Game[S, E], play: DefaultPolicy[S, E], *, is_uniform: bool = True
) -> Game[S, E]:
    """`game` with `play` as its policy for random games, for its own functions alone.

    It is a faster form of random play, or without `is_uniform` one that knows more.
    """
    return game._replace(playout=GamePlayout(play, functions_of(game), is_uniform))


def random_play(game: Game[S, E]) -> DefaultPolicy[S, E]:
    """The function that plays a random game of `game`: its `playout`, or `plain_playout`."""
    policy = game.playout
    if isinstance(policy, GamePlayout):
        return policy.play if all(map(is_, policy.made_for, functions_of(game))) else plain_playout
    return plain_playout if policy is None else policy


def a_policy(game: Game[S, E], chosen: DefaultPolicy[S, E]) -> DefaultPolicy[S, E]:
    """`chosen`, with a ValueError in the place of the errors of a policy that somebody chose.

    The usual `playout` becomes the function that it calls.
    """
    policy = random_play(a_game(game))
    if chosen is plain_playout:
        return plain_playout
    if chosen is not playout:
        return partial(_result_by, "`default_policy`", chosen)
    is_chosen = policy is game.playout
    return partial(_result_by, f"`playout` of {game.name}", policy) if is_chosen else policy


def _result_by(
    name: str, policy: DefaultPolicy[S, E], game: Game[S, E], state: S, rng: Rng
) -> Scores:
    """The result of a game by `policy`; a ValueError with its `name` if it fails."""
    try:
        return policy(game, state, rng)
    except ValueError:
        raise
    except Exception as error:
        right = "a function of a game, a position and a generator, with the result of a game"
        got = f"{type(error).__name__}: {error}, from {brief(state)}"
        raise ValueError(f"{name} must be {right}; got {got}.") from error


def playout(game: Game[S, E], state: S, rng: Rng = random) -> Scores:
    """The result of a random game from `state`, by `random_play`: the usual default policy."""
    policy: DefaultPolicy[S, E] = a_policy(game, playout)
    return policy(game, state, an_rng(rng))


def plain_playout(game: Game[S, E], state: S, rng: Rng = random) -> Scores:
    """The result of a uniformly random game from `state`: the specification of fast playouts."""
    try:
        for _ in range(game.max_turns):
            moves = game.moves(state, pick(game.chances(state), rng))
            if not moves:
                return game.result(state)
            state = pick(moves, rng)
    except MISTAKES:
        check_game(game, state)
        raise
    raise endless(game, state)


# Mistakes in a game that a user wrote, each with an error in a full sentence

MISTAKES = (TypeError, AttributeError, LookupError, ValueError, OverflowError)
"""The errors of a function that gets other arguments, or other values, than it was written for."""


def check_game(game: Game[S, E], state: S) -> None:
    """Raise a ValueError if a fact of `game` is wrong, or if its functions fail at `state`.

    It is called once, at a first position. `purembts.verify` searches thoroughly for mistakes.
    """
    check_facts(game)
    try:
        _check_position(game, state)
    except ValueError as error:
        first = game.deal(Random(0)) if game.deal else game.start
        if first is None or type(state) is type(first):
            raise
        raise ValueError(
            f"`state` must be a position of {game.name}, for example {brief(first)}; "
            f"got {brief(state)}. {error}"
        ) from error


def _check_position(game: Game[S, E], state: S) -> None:
    """Raise a ValueError if a function of `game` fails at `state`, or if positions are no keys."""
    _check_hashes(game, [state])
    for event in islice(events_of(game, state), _SOME_EVENTS):
        if moves := checked_moves(game, state, event):
            break
    else:
        result_of(game, state)
        return
    checked_player(game, state)
    _check_hashes(game, moves)
    again = checked_moves(game, state, event)
    if moves is not again and {*moves} != {*again}:
        raise ValueError(
            f"`moves` of {game.name} must have the same value again; got {brief(moves)} and "
            f"{brief(again)} at {brief(state)}. Positions need `__eq__` and `__hash__`, "
            "as a NamedTuple has them."
        )


_SOME_EVENTS = 100
"""The most events at a first position after which moves are looked for."""


def _check_hashes(game: Game[S, E], states: Sequence[S]) -> None:
    """Raise a ValueError if one of `states` has no hash."""
    try:
        for state in states:
            hash(state)
    except TypeError as error:
        right = "must be hashable, for example a tuple"
        raise ValueError(f"A position of {game.name} {right}; got {brief(state)}.") from error


def a_game(game: Game[S, E]) -> Game[S, E]:
    """`game`, or a ValueError if it is not a Game, as where this first argument is forgotten."""
    if isinstance(game, Game):
        return game
    name = getattr(game, "__name__", "")
    advice = f" If `{name}` makes a game, call it: {name}()." if name else ""
    right = "a Game, for example shut_the_box(), and the first argument"
    raise ValueError(f"`game` must be {right}; got {brief(game)}.{advice}")


def check_facts(game: Game[S, E]) -> None:
    """Raise a ValueError if `game` is not a Game, or if a number among its facts is wrong."""
    whole_number(a_game(game).players, f"players of {game.name}", 1)
    whole_number(game.max_turns, f"max_turns of {game.name}", 1)
    scores = game.score_range
    is_pair = isinstance(scores, tuple) and len(scores) == 2 and are_finite(scores)
    if not is_pair or not 0 < scores[1] - scores[0] < inf:
        raise ValueError(
            f"`score_range` of {game.name} must be two finite numbers, the lower one first, with a "
            f"finite difference; got {brief(scores)}."
        )
    policy = game.playout
    if (
        isinstance(policy, GamePlayout)
        and not policy.is_uniform
        and random_play(game) is not policy.play
    ):
        raise ValueError(
            f"{game.name} has knowledge that was made for other functions. Change the functions of "
            "a game first, and add knowledge to it then."
        )


def checked_player(game: Game[S, E], state: S) -> int:
    """The player to move at `state`; a ValueError if it is no index into the scores, an int."""
    player: int = _answer(game, "to_move", state)
    if isinstance(player, int) and 0 <= player < game.players and type(player) is not bool:
        return player
    raise ValueError(
        f"`to_move` of {game.name} must be an int from 0 to {game.players - 1}; "
        f"got {brief(player)} at {brief(state)}."
    )


def checked_moves(game: Game[S, E], state: S, event: E) -> Sequence[S]:
    """The moves at `state` after `event`; a ValueError if they are not a sequence."""
    moves: Sequence[S] = _answer(game, "moves", state, event)
    if type(moves) is not tuple and not isinstance(moves, Sequence):
        raise _no_sequence(game, "moves", state, moves)
    return moves


def events_of(game: Game[S, E], state: S) -> Sequence[E]:
    """The events at `state`; a ValueError if they are not a sequence, or if there are none."""
    events: Sequence[E] = _answer(game, "chances", state)
    if not isinstance(events, Sequence) or not events:
        raise _no_sequence(game, "chances", state, events, "with at least one event, ")
    try:
        len(events)
    except OverflowError as error:
        raise _no_sequence(
            game, "chances", state, events, "of fewer than 2**63 events, "
        ) from error
    return events


MOST_EVENTS = 50_000
"""The most events at a position that are listed, as exact values need it. A draw needs no list."""


def all_events(game: Game[S, E], state: S) -> Sequence[E]:
    """The events at `state`, to be listed; a ValueError if they are too many for that."""
    events = events_of(game, state)
    if len(events) > MOST_EVENTS:
        raise ValueError(
            f"`chances` of {game.name} must have at most {MOST_EVENTS:,} events where all are "
            f"counted; got {len(events):,} at {brief(state)}. A search or a simulation draws them."
        )
    return events


def result_of(game: Game[S, E], state: S) -> Scores:
    """The result at `state`, where the game has ended; a ValueError if it is not one."""
    return checked_result(game, state, _answer(game, "result", state))


def checked_result(game: Game[S, E], state: S, result: Scores) -> Scores:
    """`result`, or a ValueError if it is not a result of `game`, played from `state`."""
    low, high = game.score_range
    if not isinstance(result, tuple) or len(result) != game.players:
        right = f"a tuple of {game.players} score{'s' * (game.players > 1)}"
    elif not are_finite(result) or not low <= min(result) <= max(result) <= high:
        right = f"scores from {low} to {high}, `score_range`"
    else:
        return result
    raise ValueError(
        f"A result of {game.name} must be {right}; got {brief(result)} from {brief(state)}."
    )


def endless(game: Game[S, E], state: S) -> ValueError:
    """The error for a game that is still going on after `max_turns` turns, at `state`."""
    n = game.max_turns
    return ValueError(
        f"{game.name} must end within {n:,} turn{'s' * (n > 1)}, its `max_turns`; "
        f"got to {brief(state)} without an end. Perhaps a position comes back."
    )


def _answer(game: Game[S, E], name: str, *arguments: Any) -> Any:  # noqa: ANN401
    """The answer of the function `name` of `game`; a ValueError if the call fails."""
    try:
        return getattr(game, name)(*arguments)
    except MISTAKES as error:
        a_game(game)
        raise ValueError(
            f"`{name}` of {game.name} must have a value for {brief(arguments)}; "
            f"got {type(error).__name__}: {error}."
        ) from error


def _no_sequence(
    game: Game[S, E], name: str, state: S, answer: object, more: str = ""
) -> ValueError:
    """The error for an `answer` of the function `name` of `game` that is not a sequence."""
    return ValueError(
        f"`{name}` of {game.name} must return a sequence, {more}for example a tuple; "
        f"got {brief(answer)} at {brief(state)}."
    )
