"""The laws of the four functions of a game, and of its positions as values.

A check raises an AssertionError if the law is broken. It may also raise any error of the game's own
functions.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from enum import Enum
from itertools import islice, pairwise
from math import isclose
from random import Random
from typing import Any, NamedTuple, TypeAlias

from purembts.chance import pick
from purembts.checks import brief
from purembts.fast.links import FEW_EVENTS
from purembts.game import AnyGame, endless, movers_of
from purembts.guards import (
    check_game,
    checked_events,
    checked_moves,
    checked_player,
    checked_result,
)
from purembts.records import Scores
from purembts.verify.strategies import Walk

State: TypeAlias = Any
"""A position of any game."""
Answers: TypeAlias = list[tuple[str, Any]]
"""The calls of the functions of a game at a position, and their values."""
Check: TypeAlias = Callable[[AnyGame, Walk, State, Random], None]
"""A check of a law on a walk and its last position: an AssertionError, or any other
error, if it is broken."""


class Law(NamedTuple):
    """A law of games, with what to do about a game that breaks it."""

    name: str
    check: Check
    advice: str
    concerns: Callable[[AnyGame], bool] = lambda _: True
    """True for the games that have the part that the law is about."""
    most: int | None = None
    """The most lines to try, for a law that takes long; None for no limit of its own."""


def law(
    advice: str, concerns: Callable[[AnyGame], bool] = lambda _: True, most: int | None = None
) -> Callable[[Check], Law]:
    """The law of a function, which checks it and has its name."""
    return lambda check: Law(check.__name__.replace("_", " "), check, advice, concerns, most)


_NEIGHBOURS = 100
"""The positions after a walk that are compared with equal ones."""


def require(holds: bool, message: str) -> None:
    """Raise an AssertionError with `message` unless the law holds."""
    if not holds:
        raise AssertionError(message)


class UntriedError(Exception):
    """The signal of a law that it finds nothing to try on a line of moves, and why."""


# The four functions


@law("Return a value of the right kind for every position that can be reached.")
def functions_have_values(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """The facts of the game are right, and its functions have values at the position."""
    try:
        hash(state)
    except TypeError as error:
        raise AssertionError(f"A position must be hashable; got {brief(state)}: {error}.") from None
    check_game(game, state)
    for _, moves in events_and_moves(game, state):
        if not moves:
            checked_result(game, state)
        elif (player := checked_player(game, state)) not in (movers := movers_of(game)):
            right = f"`to_move` must be one of `movers`, {brief(movers)}"
            raise AssertionError(f"{right}; got {player}{at(state)}.")


@law("Return a tuple of different positions, and an empty one exactly where the game has ended.")
def moves_are_a_sequence(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """Events and moves are sequences. The moves are different, and each changes the position."""
    for event, moves in events_and_moves(game, state):
        for move, times in Counter(moves).items():
            require(times == 1, f"{brief(move)} is listed {times} times{at(state, event)}.")
        require(state not in moves, f"A move changes nothing{at(state, event)}.")


@law("Add to the position what makes it new, for example the number of turns so far.")
def no_position_comes_back(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """No position comes back within a game."""
    earlier: set[Any] = set()
    for before, after in pairwise(walk.positions):
        earlier.add(before)
        require(after not in earlier, f"{brief(after)} comes back after {brief(before)}.")
    for _, moves in events_and_moves(game, state):
        for move in moves:
            require(move not in earlier, f"{brief(move)} comes back after {brief(state)}.")


@law(
    "Return a score for each player, and correct `players`, `score_range` or `score_sum`. If games "
    "do not end, count the turns in the position, with an end after the last one.",
)
def games_end_with_a_result(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """A random game ends within `max_turns` turns. Its result has the right length and sum."""
    for _ in range(game.max_turns):
        moves = checked_moves(game, state, pick(game.chances(state), rng))
        if not moves:
            check_sum(game, state, checked_result(game, state))
            return
        state = pick(moves, rng)
    raise endless(game, state)


def check_sum(game: AnyGame, state: State, result: Scores) -> None:
    """Raise an AssertionError if the scores do not add up to `score_sum`."""
    holds = game.score_sum is None or isclose(sum(result), game.score_sum, abs_tol=1e-9)
    require(
        holds,
        f"The scores must add up to {game.score_sum}, `score_sum`; "
        f"got {brief(result)} from {brief(state)}.",
    )


@law(
    "Let the functions depend on their arguments alone: no random numbers, no clock, and "
    "nothing that is kept from call to call.",
)
def same_again(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """A function that is called again has the same value, and a call changes no position."""
    before, numbers, answers = deepcopy(state), random.getstate(), []
    require(
        state == before,
        f"A position must be equal to its copy; got {brief(state)}. Define `__eq__`.",
    )
    try:
        for _ in range(2):
            random.seed(rng.random())  # Hypothesis seeds it again for each line
            answers.append(answers_at(game, state))
    finally:
        random.setstate(numbers)
    require(state == before, f"The functions changed the position {brief(before)}.")
    _check_alike(answers[0], answers[1], f"when it is called again{at(state)}")


def _check_alike(first: Answers, second: Answers, when: str) -> None:
    """Raise an AssertionError unless the answers are the same; `when` names the difference."""
    for (call, one), (again, other) in zip(first, second, strict=False):
        require(
            call == again and one == other,
            f"`{call}` has another value {when}: {brief(one)}, then {brief(other)}.",
        )


@law(
    "Use a NamedTuple, a tuple, a frozenset or a frozen dataclass as the position, and sort "
    "the items of a set before they decide the order of moves.",
)
def positions_are_values(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """Positions are hashable and immutable. Equal positions have equal moves in the same order."""
    hash(state)
    changeable = _changeable(state)
    require(not changeable, f"A position must be immutable; got {changeable} in {brief(state)}.")
    answers = answers_at(game, state)
    for twin in _twins(state):
        require(
            twin == state and hash(twin) == hash(state),
            f"A copy of a position must be equal to it, with the same hash; got {brief(state)}.",
        )
        when = f"for an equal position, built in another way{at(state)}"
        _check_alike(answers, answers_at(game, twin), when)


@law("Let `__eq__` and `__hash__` compare everything that the rules look at.")
def transpositions_agree(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """Equal positions that are reached in different ways have the same answers."""
    first: dict[Any, Any] = {}
    queue = [state]
    for position in queue:
        if len(first) >= _NEIGHBOURS:
            return
        for _, moves in events_and_moves(game, position):
            for move in moves:
                if move not in first:
                    first[move] = move
                    queue.append(move)
                elif (twin := first[move]) is not move:
                    when = f"for an equal position, reached in another way, at {brief(twin)}"
                    _check_alike(answers_at(game, twin), answers_at(game, move), when)


BASIS = (functions_have_values, moves_are_a_sequence, same_again, no_position_comes_back)
"""The laws without which the other laws cannot be tried."""
LAWS_OF_POSITIONS = (*BASIS, games_end_with_a_result, positions_are_values, transpositions_agree)
"""The laws of the four functions, and of positions as values."""


# Parts of the checks


def events_and_moves(game: AnyGame, state: State) -> Iterator[tuple[Any, Sequence[Any]]]:
    """The different events at `state`, each with its moves. A ValueError unless they are sequences.

    Events after the first `FEW_EVENTS` are left out.
    """
    for event in dict.fromkeys(islice(checked_events(game, state), FEW_EVENTS)):
        yield event, checked_moves(game, state, event)


def at(state: State, event: object = None) -> str:
    """The words for the place where a law is broken."""
    return f" at {brief(state)}" + ("" if event is None else f" after {brief(event)}")


def answers_at(game: AnyGame, state: State) -> Answers:
    """The calls of the game's functions at `state`, and their values."""
    turns = list(events_and_moves(game, state))
    answers: Answers = [("chances", [event for event, _ in turns])]
    for event, moves in turns:
        answers.append((f"moves with {brief(event)}", list(moves)))
        last = ("to_move", game.to_move(state)) if moves else ("result", game.result(state))
        answers.append(last)
    return answers


def _changeable(value: State) -> str:
    """The part of `value` that can be changed in place, in words; empty if there is none."""
    if isinstance(value, (tuple, frozenset)):
        return next(filter(None, map(_changeable, value)), "")
    if isinstance(value, (list, dict, set, bytearray)):
        return f"a {type(value).__name__}"
    if isinstance(value, (Enum, type)) or callable(value):
        return ""
    slots = [name for name in getattr(type(value), "__slots__", ()) if name[:1] != "_"]
    for name in [*getattr(value, "__dict__", {}), *slots]:
        try:
            setattr(deepcopy(value), name, None)
        except Exception:  # noqa: BLE001 - frozen classes raise errors of many kinds
            continue
        return f"a {type(value).__name__} whose `{name}` can be assigned"
    return ""


def _twins(state: State) -> Iterator[Any]:
    """Values that are equal to `state` and were built in other ways."""
    yield deepcopy(state)
    yield _rebuilt(state, lambda items: items[::-1])
    yield _rebuilt(state, lambda items: items[len(items) // 2 :] + items)


def _rebuilt(value: State, ordered: Callable[[list[Any]], list[Any]]) -> State:
    """`value` with its frozensets built from their items in another order.

    Equal frozensets can iterate in different orders, and rules must not depend on that.
    """
    if type(value) is frozenset:
        return frozenset([_rebuilt(item, ordered) for item in ordered(list(value))])
    if isinstance(value, tuple):
        items = [_rebuilt(item, ordered) for item in value]
        if type(value) is tuple:
            return tuple(items)
        if hasattr(value, "_make"):
            return type(value)._make(items)
    return value
