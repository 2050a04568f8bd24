"""Linked positions: the positions of a small game, each with links to the positions of its moves.

The moves of a linked position are listed once, for random games, searches and solvers. A game says
by `is_small` that its positions are few. They are kept between calls, until they have too many
links. They belong to the very functions of the game: a function defined again is another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Generic

from purembts.chance import Rng
from purembts.checks import brief
from purembts.game import (
    MISTAKES,
    DefaultPolicy,
    E,
    Game,
    S,
    check_game,
    checked_moves,
    endless,
    events_of,
    plain_playout,
    playout,
    random_play,
    result_of,
)
from purembts.records import Scores

MOST = 100_000
"""The number of linked positions of a game above which all are forgotten."""
GAMES = 8
"""The number of games whose positions are kept. A ninth game takes the place of the oldest."""


class Position(Generic[S, E]):
    """A position of a game. It is open once its moves are linked."""

    __slots__ = ("after", "kinds", "result", "state", "turns")

    def __init__(self, state: S) -> None:
        self.state: S = state
        self.turns: dict[E, Sequence[S]] = {}  # the moves after each event, which is listed once
        self.kinds: Sequence[int] = ()  # for each event, its index in `turns`
        self.after: Sequence[Sequence[Position[S, E]]] = ()  # for each event, its moves
        self.result: Scores | None = None  # if the game has ended here, and somebody has asked


class Links(dict[S, Position[S, E]], Generic[S, E]):
    """The linked positions of a game, and what `compiled` keeps with them."""

    work: float = 0
    numbered: Any = None


_kept: list[tuple[Game[Any, Any], Links[Any, Any]]] = []
"""The linked positions of the last small games, the newest last. It is replaced, never changed."""


def _links(game: Game[S, E]) -> Links[S, E]:
    """The linked positions of `game`: those that are kept, or new ones."""
    global _kept
    if _kept and (newest := _kept[-1])[0] is game:
        return newest[1]
    rules = attrgetter("moves", "chances", "result", "to_move", "players", "score_range")
    links = next((links for own, links in _kept if alike(rules(own), rules(game))), Links())
    _kept = [*[own for own in _kept if own[1] is not links], (game, links)][-GAMES:]
    return links


def alike(a: Any, b: Any) -> bool:  # noqa: ANN401
    """True if `a` and `b` are the same, or plain values that are equal and of the same types."""
    if a is b or type(a) is not type(b):
        return a is b
    if isinstance(a, partial):
        return alike((a.func, a.args, *a.keywords.items()), (b.func, b.args, *b.keywords.items()))
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    return isinstance(a, int | float | str | frozenset) and bool(a == b)


def _linked(links: Links[S, E], state: S) -> Position[S, E]:
    """The one linked position of `state`."""
    return links.get(state) or links.setdefault(state, Position(state))


def opened(game: Game[S, E], links: Links[S, E], position: Position[S, E]) -> Position[S, E]:
    """`position`, whose moves are linked now."""
    if not position.turns:
        moves, kinds = _turns(game, position.state)
        if len(links) > MOST:
            links.clear()
        ways = [tuple([_linked(links, move) for move in own]) for own in moves]
        states = [tuple([each.state for each in own]) for own in ways]
        position.kinds, position.after = kinds, tuple([ways[kind] for kind in kinds])
        position.turns = dict(zip(dict.fromkeys(game.chances(position.state)), states, strict=True))
    return position


def turns_of(game: Game[S, E], state: S) -> tuple[Sequence[Sequence[S]], Sequence[int]]:
    """The moves at `state` after each event, each listed once; and the index of every event in it.

    Those of a small game are listed only once.
    """
    if not game.is_small:
        return _turns(game, state)
    links = _links(game)
    position = opened(game, links, _linked(links, state))
    return list(position.turns.values()), position.kinds


def _turns(game: Game[S, E], state: S) -> tuple[Sequence[Sequence[S]], Sequence[int]]:
    events = events_of(game, state)
    try:
        numbers = {event: i for i, event in enumerate(dict.fromkeys(events))}
        moves = [checked_moves(game, state, event) for event in numbers]
        hash(tuple(map(tuple, moves)))
    except TypeError as error:
        raise ValueError(
            f"Positions and events of {game.name} must be hashable; got {error} at {brief(state)}."
        ) from error
    return moves, [numbers[event] for event in events]


def moves_after(game: Game[S, E], state: S, event: E) -> Sequence[S]:
    """The moves at `state` after `event`. Those of a small game are listed only once."""
    if not game.is_small:
        return checked_moves(game, state, event)
    links = _links(game)
    return opened(game, links, _linked(links, state)).turns[event]


def ways_of(game: Game[S, E], state: S) -> list[tuple[int, Sequence[S]]]:
    """The moves at `state` after each event, with the number of times that the event is listed."""
    moves, kinds = turns_of(game, state)
    return list(zip(Counter(kinds).values(), moves, strict=True))


def fast_policy(game: Game[S, E], chosen: DefaultPolicy[S, E]) -> DefaultPolicy[S, E]:
    """`chosen`, or the fastest form of it that gives the same results."""
    policy = random_play(game) if chosen is playout else chosen
    if policy is plain_playout and game.is_small:
        return partial(linked_playout, _links(game), range(game.max_turns))
    return policy


def linked_playout(
    links: Links[S, E], turns: range, game: Game[S, E], state: S, rng: Rng
) -> Scores:
    """The result of a random game from `state`, played on linked positions.

    `game.plain_playout` specifies it: the same result from the same random numbers.
    """
    draw = rng.random
    try:
        position = links.get(state) or _linked(links, state)
        for _ in turns:
            after = position.after or opened(game, links, position).after
            ways = after[int(draw() * len(after))] if len(after) > 1 else after[0]
            if not ways:
                if position.result is None:
                    position.result = result_of(game, position.state)
                return position.result
            position = ways[int(draw() * len(ways))] if len(ways) > 1 else ways[0]
    except MISTAKES:
        check_game(game, state)
        raise
    raise endless(game, position.state)
