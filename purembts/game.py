"""A game as a value: its rules as four functions of a position, and a few facts.

A move is the position that it leads to. Chance is data: the rules list events that are equally
likely. A search draws one of them, a solver counts them all, and a person or a test states one.
The rules say nothing about playing well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from math import inf
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from purembts.chance import Rng, pick
from purembts.checks import are_finite, brief, whole_number
from purembts.records import Scores
from purembts.tables import one_line

S = TypeVar("S", bound=Hashable)
"""A position (state) of the game: immutable, and equal to any other position of the same value."""
E = TypeVar("E", bound=Hashable)
"""An event of chance: a roll of the dice, or None where there is no chance."""


# A game


def no_chance(state: Any) -> tuple[Any]:  # noqa: ANN401, ARG001
    """The events of a game without chance: (None,)."""
    return (None,)


def _text_after(before: S, after: S) -> str:  # noqa: ARG001
    return one_line(str(after))


def _draw(event: Any) -> str:  # noqa: ANN401
    return f"draw {event}"


def _as_typed(state: S, text: str) -> str:  # noqa: ARG001
    return text


class Squares(NamedTuple):
    """A board, for terminals and pictures."""

    rows: tuple[tuple[str, ...], ...]
    """The rows from the top. Each square is a short text, `x` and `o` for discs, "" if empty."""
    columns: tuple[str, ...] = ()
    """The names of the columns; () if they have none."""
    names: tuple[str, ...] = ()
    """The names of the rows; () if they have none."""


class Display(NamedTuple, Generic[S]):
    """The texts that a person reads and types.

    Every surface is made of them: the terminal, the notebook and the pictures. If the game has
    hidden information, `show`, `label` and `typed_move` get views as well as positions.
    """

    show: Callable[[S], str] = str
    """The text of a position."""
    label: Callable[[S, S], str] = _text_after
    """The name of a move, from the position before it and the position after it."""
    short: Callable[[S], str] | None = None
    """A position in a few characters, for tables and trees; None if it takes more than a line."""
    event: Callable[[Any], str] = _draw
    """The words for an event of chance, for example `roll 9`."""
    squares: Callable[[S], Squares] | None = None
    """The squares of a board; None if a position has no board."""
    typed_move: Callable[[S, str], str] = _as_typed
    """The label that a person means by a text; a ValueError says why there is no such move."""
    typed_position: Callable[[str], S] | None = None
    """The position that a person means by a text; a ValueError if there is none."""
    dice: Callable[[S, int], tuple[int, ...]] | None = None
    """The faces of the dice in the event with an index of `chances`; None without dice."""
    about: str = ""
    """The rules in some sentences, for a person who does not know the game."""


class Codec(NamedTuple, Generic[S]):
    """The functions from a position to a JSON value and back. Trees in files need them."""

    encode: Callable[[S], Any]
    """The JSON value of a position; different positions have different values."""
    decode: Callable[[Any], S]
    """The position with this JSON value; a ValueError if no position has it."""


class Hidden(NamedTuple, Generic[S]):
    """The information that a game hides from its players."""

    view: Callable[[S, int], Any]
    """The part of a position that a player may know."""
    worlds: Callable[[Any, Rng], Iterator[S]]
    """Positions that fit a player's view, drawn without end, each of them equally likely."""
    json: Codec[Any] | None = None
    """The functions from a view to a JSON value and back. Trees of views in files need them."""


class Game(NamedTuple, Generic[S, E]):
    """The rules of a game. Its positions form a DAG: no position comes back within a game.

    `moves`, `to_move` and `chances` have a value at every position, `result` where the game has
    ended. Equal arguments have equal values, with the moves and the events in the same order.
    """

    moves: Callable[[S, E], Sequence[S]]
    """The positions that the player to move can go to; empty exactly if the game has ended."""
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
    movers: tuple[int, ...] | None = None
    """The players who ever move; None if all do."""
    max_turns: int = 100_000
    """The number of turns after which a game counts as endless, which is an error."""
    rules: Any = None
    """The variant, a NamedTuple of plain values; None if the game has no variants."""
    display: Display[S] = Display()
    json: Codec[S] | None = None
    hidden: Hidden[S] | None = None
    """None if the players see everything."""
    symmetries: tuple[Callable[[S], S], ...] = ()
    """Functions from a position to an equivalent one, for example to its mirror image.

    The image has the same player to move, the images of the moves, and the same result.
    """
    playout: DefaultPolicy[S, E] | None = None
    """A faster form of `plain_playout`, with the same distribution of results.

    A game that is made from this one by `_replace`, with other moves, needs `playout=None`.
    """
    value: Callable[[S], Values] | None = None
    """The exact value of a position with best play, if the game knows it without a search.

    A game that is made from this one by `_replace`, with other moves, needs `value=None`.
    """


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

Policy: TypeAlias = Callable[[Turn[S, E], Sequence[Values]], Sequence[S]]
"""A function from a turn and the exact values of its moves to the moves that are played, all
equally likely. Most policies use the turn alone."""


# Turns


def turn_at(game: Game[S, E], state: S, event: E) -> Turn[S, E]:
    """The turn at `state` after `event`. It has no moves if the game has ended."""
    moves = checked_moves(game, state, event)
    return Turn(state, event, moves, checked_player(game, state) if moves else game.to_move(state))


def draw_turn(game: Game[S, E], state: S, rng: Rng = random) -> Turn[S, E]:
    """The turn at `state` after an event that is drawn."""
    try:
        event = pick(game.chances(state), rng)
    except MISTAKES:
        check_game(game, state)
        raise
    return turn_at(game, state, event)


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


# Positions where games begin


def start_of(game: Game[S, E], start: S | None = None) -> S:
    """`start`, or by default the start of `game`; a ValueError if it has no start of its own."""
    first = game.start if start is None else start
    if first is None:
        raise ValueError(f"`start` must be a position, as {game.name} has no start of its own.")
    return first


def first_position(game: Game[S, E], rng: Rng = random, start: S | None = None) -> S:
    """`start`, or by default a position that `game` deals, or else its start.

    If the game has no deal and no start, it is a ValueError.
    """
    if start is None and game.deal is not None:
        return game.deal(rng)
    return start_of(game, start)


# Random games


def playout(game: Game[S, E], state: S, rng: Rng = random) -> Scores:
    """The result of a uniformly random game from `state`, by the game's own playout if it has one.

    It is the default policy of a search.
    """
    return (game.playout or plain_playout)(game, state, rng)


def plain_playout(game: Game[S, E], state: S, rng: Rng = random) -> Scores:
    """The result of a uniformly random game from `state`, played move by move.

    It is the specification of a game's own playout.
    """
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


# Checks of a game that a user wrote

MISTAKES = (TypeError, AttributeError, LookupError, ValueError)
"""The errors of a function that gets other arguments, or other values, than it was written for."""


def check_game(game: Game[S, E], state: S) -> None:
    """Raise a ValueError if the functions of `game` answer wrongly at `state`.

    A search, a simulation and a solver call it once, at their first position.
    """
    check_facts(game)
    event = events_of(game, state)[0]
    if checked_moves(game, state, event):
        checked_player(game, state)
    else:
        result_of(game, state)


def check_facts(game: Game[S, E]) -> None:
    """Raise a ValueError if `game` is not a Game, or if one of its facts is wrong.

    These are the number of players, the number of turns and the range of scores.
    """
    if not isinstance(game, Game):
        raise ValueError(f"`game` must be a Game, for example shut_the_box(); got {brief(game)}.")
    whole_number(game.players, f"players of {game.name}", 1)
    whole_number(game.max_turns, f"max_turns of {game.name}", 1)
    scores = game.score_range
    is_pair = isinstance(scores, tuple) and len(scores) == 2 and are_finite(scores)
    if not is_pair or not 0 < scores[1] - scores[0] < inf:
        raise ValueError(
            f"`score_range` of {game.name} must be two finite numbers, the lower one first, with a "
            f"finite difference; got {brief(scores)}."
        )


def checked_player(game: Game[S, E], state: S) -> int:
    """The player to move at `state`; a ValueError if it is not an index into the scores."""
    player: int = _answer(game, "to_move", state)
    if type(player) is int and 0 <= player < game.players:
        return player
    if not hasattr(player, "__index__") or player not in range(game.players):
        raise ValueError(
            f"`to_move` of {game.name} must be from 0 to {game.players - 1}; "
            f"got {brief(player)} at {brief(state)}."
        )
    return player


def checked_moves(game: Game[S, E], state: S, event: E) -> Sequence[S]:
    """The moves at `state` after `event`; a ValueError if they are not a sequence."""
    try:
        moves = game.moves(state, event)
    except MISTAKES as error:
        raise _wrong_call(game, "moves", (state, event), error) from error
    return sequence_of(game, state, moves)


def sequence_of(game: Game[S, E], state: S, moves: Sequence[S]) -> Sequence[S]:
    """`moves`, or a ValueError if they are not a sequence."""
    if type(moves) is not tuple and not isinstance(moves, Sequence):
        raise _no_sequence(game, "moves", state, moves)
    return moves


def result_of(game: Game[S, E], state: S) -> Scores:
    """The result at `state`, where the game has ended; a ValueError if it is not one."""
    return checked_result(game, state, _answer(game, "result", state))


def checked_result(game: Game[S, E], state: S, result: Scores) -> Scores:
    """`result`, or a ValueError if it is not a result of `game`, played from `state`."""
    if not isinstance(result, tuple) or len(result) != game.players:
        raise _no_result(game, state, result, f"a tuple of {game.players} scores")
    low, high = game.score_range
    if not _are_within(result, low, high):
        raise _no_result(game, state, result, f"scores from {low} to {high}, `score_range`")
    return result


def _are_within(scores: Scores, low: float, high: float) -> bool:
    """True if all of `scores` are numbers from `low` to `high`."""
    try:
        for score in scores:
            if not low <= score <= high:
                return False
    except TypeError:
        return False
    return True


def endless(game: Game[S, E], state: S) -> ValueError:
    """The error for a game that is still going on after `max_turns` turns, at `state`."""
    return ValueError(
        f"{game.name} must end within {game.max_turns:,} turns, its `max_turns`; "
        f"got to {brief(state)} without an end. Perhaps a position comes back."
    )


def events_of(game: Game[S, E], state: S) -> Sequence[E]:
    """The events at `state`; a ValueError if they are not a sequence, or if there are none."""
    events: Sequence[E] = _answer(game, "chances", state)
    if not isinstance(events, Sequence) or not events:
        raise _no_sequence(game, "chances", state, events, "with at least one event, ")
    return events


def _answer(game: Game[S, E], name: str, state: S) -> Any:  # noqa: ANN401
    """The answer of the function `name` of `game` at `state`; a ValueError if the call fails."""
    try:
        return getattr(game, name)(state)
    except MISTAKES as error:
        raise _wrong_call(game, name, (state,), error) from error


def _wrong_call(
    game: Game[S, E], name: str, arguments: tuple[Any, ...], error: Exception
) -> ValueError:
    return ValueError(
        f"`{name}` of {game.name} must have a value for {brief(arguments)}; "
        f"got {type(error).__name__}: {error}."
    )


def _no_sequence(
    game: Game[S, E],
    name: str,
    state: S,
    answer: Any,  # noqa: ANN401
    more: str = "",
) -> ValueError:
    return ValueError(
        f"`{name}` of {game.name} must return a sequence, {more}for example a tuple; "
        f"got {brief(answer)} at {brief(state)}."
    )


def _no_result(game: Game[S, E], state: S, result: Any, right: str) -> ValueError:  # noqa: ANN401
    return ValueError(
        f"A result of {game.name} must be {right}; got {brief(result)} from {brief(state)}."
    )


# Positions


def children(game: Game[S, E], state: S) -> Iterator[S]:
    """The positions one move from `state`, after any event, each of them once."""
    events = dict.fromkeys(events_of(game, state))
    return iter(
        dict.fromkeys(move for event in events for move in checked_moves(game, state, event))
    )


def positions(
    game: Game[S, E], state: S, *, skip: Callable[[S], bool] = lambda _: False
) -> Iterator[S]:
    """`state` and every position that can follow it, each once and after all of its children.

    A position for which `skip` is true is left out, and its children are not visited from it. The
    walk is a loop, so the length of a game is limited by memory alone. A position that comes back
    within a game is a ValueError.
    """
    check_game(game, state)
    return parents_last(game, state, lambda position: children(game, position), skip=skip)


N = TypeVar("N", bound=Hashable)


def parents_last(
    game: Game[Any, Any],
    first: N,
    children: Callable[[N], Iterator[N]],
    *,
    skip: Callable[[N], bool],
) -> Iterator[N]:
    """`first` and all that `children` leads to, each once and after all of its children."""
    is_done: dict[N, bool] = {first: False}
    walk = [] if skip(first) else [(first, children(first))]
    while walk:
        position, rest = walk[-1]
        if len(walk) > game.max_turns:
            raise endless(game, position)
        for child in rest:
            if not is_done.get(child, True):
                raise ValueError(
                    f"The positions of {game.name} must not come back within a game; "
                    f"got {brief(child)} again after {brief(position)}."
                )
            if child not in is_done and not skip(child):
                is_done[child] = False
                walk.append((child, children(child)))
                break
        else:
            walk.pop()
            is_done[position] = True
            yield position
