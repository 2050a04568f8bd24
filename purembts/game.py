"""A game as a value: the rules as functions of a position, and nothing about how to play well.

A move is the position it leads to. Chance is data: the rules list the events that are equally
likely, and whoever plays draws one, counts them all, or states one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from purembts.chance import Rng, pick
from purembts.checks import shown
from purembts.records import Scores

S = TypeVar("S", bound=Hashable)
"""A position (state) of the game: immutable, and equal to any other of the same value."""
E = TypeVar("E", bound=Hashable)
"""An event of chance: a roll of the dice, or None where there is no chance."""


def _after(before: S, after: S) -> str:  # noqa: ARG001
    return str(after)


class Game(NamedTuple, Generic[S, E]):
    """The rules of a game, whose positions form a DAG: none comes back within a game.

    Every function is total and depends on the value of the position alone, also for the order of
    what it returns.
    """

    moves: Callable[[S, E], Sequence[S]]
    """Where the player to move can go; empty exactly when the game has ended."""
    result: Callable[[S], Scores]
    """How a game that has ended in this position ended; asked only then."""
    chances: Callable[[S], Sequence[E]]
    """The equally likely events, at least one; (None,) where there is no chance."""
    to_move: Callable[[S], int]
    """Whose move it is: the player's index into the scores."""
    name: str
    players: int
    score_range: tuple[float, float] = (0, 1)
    """The lowest and the highest score that one game can give a player."""
    score_sum: float | None = 1
    """What the scores of a result add up to, whatever it is; None where that varies."""
    start: S | None = None
    """Where the usual game begins; None where there is no such position."""
    show: Callable[[S], str] = str
    """A position as a person reads it."""
    label: Callable[[S, S], str] = _after
    """What a move is called, from the position before and the one after."""
    playout: DefaultPolicy[S, E] | None = None
    """A faster way to play a random game, of the same law as `plain_playout`; None for that one,
    which is what a game with other rules needs that is made of this one by `_replace`."""
    rules: Any = None
    """The variant, a NamedTuple of plain values; None where there is only one."""
    view: Callable[[S, int], Any] | None = None
    """What a player may know of a position; None where everything is open."""
    worlds: Callable[[Any, Rng], Iterator[S]] | None = None
    """The positions that fit a player's view, drawn without end, each as likely as any other."""
    encode: Callable[[S], Any] | None = None
    """A position as JSON has it, another for each; for `jsonl` alone, which keeps trees."""
    decode: Callable[[Any], S] | None = None
    """The position that `encode` gave this for; a ValueError for what it gives for none."""


class Turn(NamedTuple, Generic[S, E]):
    """What a player knows who has to move: the event has been drawn, the moves are there."""

    state: S
    event: E
    moves: Sequence[S]
    player: int


Values: TypeAlias = tuple[Fraction, ...]
"""What a position is worth, exactly: the expected score of each player."""

DefaultPolicy: TypeAlias = Callable[[Game[S, E], S, Rng], Scores]
"""How a game from a position ends in which nobody looks at a tree."""

Policy: TypeAlias = Callable[[Turn[S, E], Sequence[Values]], Sequence[S]]
"""How to play: from a turn and the exact values of its moves to the moves that would be played,
each of them equally likely. Most policies look at the turn alone."""


def turn_at(game: Game[S, E], state: S, event: E) -> Turn[S, E]:
    """The turn at `state` once `event` has been drawn; it has no moves where the game has ended."""
    return Turn(state, event, game.moves(state, event), game.to_move(state))


def draw_turn(game: Game[S, E], state: S, rng: Rng = random) -> Turn[S, E]:
    """The turn at `state` for an event that is drawn."""
    return turn_at(game, state, pick(game.chances(state), rng))


def move_called(game: Game[S, E], turn: Turn[S, E], text: str) -> S:
    """The move of `turn` whose label is `text`, or a ValueError that says what there is.

    Where the labels differ in their last word alone, that will do: 2 for take 2.
    """
    labels = [game.label(turn.state, move) for move in turn.moves]
    named = [label.lower().split() for label in labels]
    words = text.lower().split()
    alike = all(own[:-1] == named[0][:-1] for own in named)
    for own, move in zip(named, turn.moves, strict=True):
        if words and (words == own or (alike and words == own[-1:])):
            return move
    more = f" and {len(labels) - 12} more" if len(labels) > 12 else ""
    there = f"{', '.join(labels[:12]) or 'none'}{more}"
    raise ValueError(f"{shown(text)} is not a move here; there are {there}.")


def playout(game: Game[S, E], state: S, rng: Rng = random) -> Scores:
    """How a game from `state` ends in which every choice is uniformly random.

    It is the default policy of a search. A game that brings its own way is played in that way.
    """
    return (game.playout or plain_playout)(game, state, rng)


def plain_playout(game: Game[S, E], state: S, rng: Rng = random) -> Scores:
    """What `playout` returns, by the moves of the game: what any other way is held to."""
    while moves := game.moves(state, pick(game.chances(state), rng)):
        state = pick(moves, rng)
    return game.result(state)


def children(game: Game[S, E], state: S) -> Iterator[S]:
    """The positions one move from `state`, whatever the event; each of them once."""
    events = dict.fromkeys(game.chances(state))
    return iter(dict.fromkeys(move for event in events for move in game.moves(state, event)))


def positions(
    game: Game[S, E], state: S, skip: Callable[[S], bool] = lambda _: False
) -> Iterator[S]:
    """`state` and every position that can follow it, each once and after all of its children.

    Positions to `skip` are left out, and not looked behind. The walk is a loop, so a game may be
    as long as memory allows.
    """
    seen = {state}
    walk = [] if skip(state) else [(state, children(game, state))]
    while walk:
        position, rest = walk[-1]
        for child in rest:
            if child not in seen and not skip(child):
                seen.add(child)
                walk.append((child, children(game, child)))
                break
        else:
            walk.pop()
            yield position
