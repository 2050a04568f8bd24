"""Linked positions: the positions of a small game, each with links to the positions of its moves.

The moves of a linked position are listed once, for random games and searches. A game says by
`is_small` that its positions are few. They are kept between calls, until they have too many
links. They belong to the very functions of the game: a function defined again is another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Generic

from purembts.chance import Rng
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    S,
    endless,
    functions_of,
    plain_playout,
    playout,
    random_play,
)
from purembts.records import Scores

MOST_LINKED = 100_000
"""The number of linked positions of a game above which all are forgotten."""
FEW_EVENTS = 1_000
"""The number of events at a position above which its moves are not linked."""
MOST_GAMES = 8
"""The number of games whose positions are kept. A ninth game takes the place of the oldest."""


class LinkedPosition(Generic[S, E]):
    """A position of a game. `with_moves` links it to the positions of its moves."""

    __slots__ = ("after", "kinds", "result", "state", "turns")

    def __init__(self, state: S) -> None:
        self.state: S = state
        self.turns: dict[E, Sequence[S]] = {}  # the moves after each event, which is listed once
        self.kinds: Sequence[int] = ()  # for each event, its index in `turns`
        self.after: Sequence[Sequence[LinkedPosition[S, E]]] = ()  # for each event, its moves
        self.result: Scores | None = None  # of a game that has ended here, after it was asked for


class Links(dict[S, LinkedPosition[S, E]], Generic[S, E]):
    """The linked positions of a game, and what `compiled` knows of them."""

    past: float = 0.0  # the seconds of random games and dives in Python
    numbers: Any = None  # the positions as numbers; False if they cannot be


def _linked(links: Links[S, E], state: S) -> LinkedPosition[S, E]:
    """The one linked position of `state`."""
    position = links.get(state)
    if position is None:
        position = links[state] = LinkedPosition(state)
    return position


_memory: list[tuple[Game[Any, Any], Links[Any, Any]]] = []
"""The linked positions of the last small games, the newest last. It is replaced, never changed."""


def _links(game: Game[S, E]) -> Links[S, E]:
    """The linked positions of `game`: those that are kept, or new ones."""
    global _memory
    if _memory and _memory[-1][0] is game:
        return _memory[-1][1]
    right = (links for other, links in _memory if alike(functions_of(other), functions_of(game)))
    links = next(right, Links())
    _memory = [*[pair for pair in _memory if pair[1] is not links], (game, links)][-MOST_GAMES:]
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


def with_moves(game: Game[S, E], state: S) -> LinkedPosition[S, E]:
    """The linked position of `state` in a small game, with links to those of its moves."""
    links = _links(game)
    return _with_moves(game, links, _linked(links, state))


def _with_moves(
    game: Game[S, E], links: Links[S, E], position: LinkedPosition[S, E]
) -> LinkedPosition[S, E]:
    """`position`, linked to the positions of its moves, unless it has too many events."""
    if not position.turns and len(events := game.chances(position.state)) <= FEW_EVENTS:
        numbers = {event: i for i, event in enumerate(dict.fromkeys(events))}
        lists = [game.moves(position.state, event) for event in numbers]
        if len(links) > MOST_LINKED:
            links.clear()
        ways = [tuple([_linked(links, move) for move in moves]) for moves in lists]
        states = [tuple([linked.state for linked in way]) for way in ways]
        position.kinds = [numbers[event] for event in events]
        position.after = tuple([ways[kind] for kind in position.kinds])
        position.turns = dict(zip(numbers, states, strict=True))
    return position


def moves_after(game: Game[S, E], state: S, event: E) -> Sequence[S]:
    """The moves at `state` after `event`. Those of a small game are listed only once."""
    turns = with_moves(game, state).turns if game.is_small else {}
    return turns[event] if turns else game.moves(state, event)


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
    draw, here = rng.random, links.get(state) or _linked(links, state)
    for _ in turns:
        after = here.after
        if not after:
            after = _with_moves(game, links, here).after
            if not after:
                return plain_playout(game, here.state, rng)
        ways = after[int(draw() * len(after))] if len(after) > 1 else after[0]
        if not ways:
            if here.result is None:
                here.result = game.result(here.state)
            return here.result
        here = ways[int(draw() * len(ways))] if len(ways) > 1 else ways[0]
    raise endless(game, here.state)
