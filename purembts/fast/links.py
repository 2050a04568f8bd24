"""Linked positions: the positions of a game, each with links to the positions of its moves.

A linked position is made once, and its moves are listed once. Random games, searches, crowds and
solvers of the same game share them. Equal positions are one, the first that somebody came to.

A game says that its positions are few by `playout=linked_playout`. Its linked positions are kept
until they have too many links. The positions of another game are linked for one solver or one crowd
alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import lcm
from typing import Any, Generic, TypeAlias, final

from purembts.chance import Rng, pick
from purembts.checks import brief
from purembts.game import (
    MISTAKES,
    E,
    Game,
    S,
    check_game,
    checked_moves,
    endless,
    events_of,
    parents_last,
    result_of,
    sequence_of,
)
from purembts.records import Scores

MOST = 3_000_000
"""The size of the linked positions of a game above which they are forgotten: about 60 MB.

A position counts as 20, and each of its events and moves as 1.
"""

GAMES = 8
"""The number of games whose positions are kept. A ninth game takes the place of the oldest."""


@final
class Position(Generic[S, E]):
    """A position of a game. It is open once its moves are linked."""

    __slots__ = ("after", "kind", "moves", "only", "result", "state", "ways")
    state: S
    ways: int
    """The number of equally likely events; 0 until the position is open."""
    after: tuple[Ways[S, E], ...]
    """For each event, the position after the only move, or else a tuple with one for each move."""
    moves: tuple[tuple[S, ...], ...]
    """For each event that differs from those before it, the moves: states of these positions."""
    kind: tuple[int, ...]
    """For each event, its index in `moves`."""
    result: Scores | None
    """The result if the game has ended here, once somebody has asked for it."""

    only: Ways[S, E] | None
    """The one item of `after` if there is only one event; None if there are several."""

    def __init__(self, state: S) -> None:
        self.state = state
        self.ways = 0
        self.after = ()
        self.only = self.result = None

    def __repr__(self) -> str:
        return repr(self.state)


Ways: TypeAlias = Position[S, E] | tuple[Position[S, E], ...]


class Links(Generic[S, E]):
    """The linked positions of a game."""

    __slots__ = ("game", "positions", "size")
    game: Game[S, E]
    positions: dict[S, Position[S, E]]
    size: int

    def __init__(self, game: Game[S, E]) -> None:
        self.game = game
        self.positions = {}
        self.size = 0


_kept: dict[Any, Links[Any, Any]] = {}
"""The linked positions of the last games that keep them, by the rules of the game."""
_by_id: dict[int, Links[Any, Any]] = {}
"""The same by the id of the game, which is found faster."""
_games: dict[int, Game[Any, Any]] = {}
"""The games in `_by_id`, which keep their ids as long as they are here."""


def links_of(game: Game[S, E]) -> Links[S, E]:
    """The linked positions of `game`: those that are kept, or new ones."""
    return _by_id.get(id(game)) or _found_links(game)


def _found_links(game: Game[S, E]) -> Links[S, E]:
    """The links of a game with the same rules, or new ones; kept if the positions are few."""
    if game.playout is not linked_playout:
        return Links(game)
    rules = _rules(game)
    links = _kept.pop(rules, None) or Links(game)
    _kept[rules] = _by_id[id(game)] = links
    _games[id(game)] = game
    for oldest in list(_kept)[:-GAMES]:
        _kept.pop(oldest, None)
    for old in list(_games)[:-GAMES]:
        _by_id.pop(old, None)
        _games.pop(old, None)
    return links


def _rules(game: Game[S, E]) -> Any:  # noqa: ANN401
    """A value that is equal for games of the same rules, such as a game and its unpickled copy."""
    functions = (game.moves, game.chances, game.result)
    rules = (*map(_parts, functions), game.players, game.score_range, game.max_turns)
    try:
        hash(rules)
    except TypeError:
        return id(game)
    return rules


def _parts(function: Any) -> Any:  # noqa: ANN401
    """`function`, as a value that equals that of an equal partial function."""
    if not isinstance(function, partial):
        return function
    return function.func, function.args, tuple(function.keywords.items())


def _forget(links: Links[S, E]) -> None:
    """Keep `links` no longer."""
    for kept in (_kept, _by_id):
        for key in [key for key, own in list(kept.items()) if own is links]:
            kept.pop(key, None)


def are_few(links: Links[S, E]) -> bool:
    """True if the positions of `links` are not too many to keep."""
    return links.size <= MOST


def linked(links: Links[S, E], state: S) -> Position[S, E]:
    """The one linked position of `state`."""
    position = links.positions.get(state)
    if position is None:
        position = links.positions.setdefault(state, Position(state))
    return position


def opened(links: Links[S, E], position: Position[S, E]) -> int:
    """The number of events at `position`, whose moves are linked now."""
    game, state = links.game, position.state
    events = events_of(game, state)
    try:
        kinds = {event: i for i, event in enumerate(dict.fromkeys(events))}
        moves = [checked_moves(game, state, event) for event in kinds]
        options = [tuple([linked(links, move) for move in own]) for own in moves]
    except TypeError as error:
        raise ValueError(
            f"Positions and events of {game.name} must be hashable; got {error} at {brief(state)}."
        ) from error
    ways = [own[0] if len(own) == 1 else own for own in options]
    position.moves = tuple([tuple([each.state for each in own]) for own in options])
    position.kind = tuple([kinds[event] for event in events])
    position.after = tuple([ways[kind] for kind in position.kind])
    if len(events) == 1:
        position.only = position.after[0]
    links.size += 20 + len(events) + sum(map(len, moves))
    if not are_few(links):
        _forget(links)
    position.ways = len(events)
    return position.ways


def drawn_moves(game: Game[S, E], state: S, rng: Rng) -> Sequence[S]:
    """The moves at `state` after a drawn event; a ValueError if they are not a sequence."""
    if game.playout is not linked_playout:
        return moves_of(game, state, pick(game.chances(state), rng))
    links = _by_id.get(id(game)) or links_of(game)
    position = links.positions.get(state) or linked(links, state)
    ways = position.ways or opened(links, position)
    return position.moves[position.kind[int(rng.random() * ways)] if ways > 1 else 0]


def moves_of(game: Game[S, E], state: S, event: E) -> Sequence[S]:
    """The moves at `state` after `event`; a ValueError if they are not a sequence."""
    moves = game.moves(state, event)
    return moves if type(moves) is tuple else sequence_of(game, state, moves)


def turns_of(
    game: Game[S, E], links: Links[S, E] | None, state: S
) -> tuple[Sequence[Sequence[S]], Sequence[int]]:
    """The moves at `state` after each different event, and for each event its index among them.

    The `links` are those of a game whose positions are few, or None.
    """
    if links and are_few(links):
        position = open_position(links, state)
        return position.moves, position.kind
    events = events_of(game, state)
    if len(events) == 1:
        return (checked_moves(game, state, events[0]),), (0,)
    kinds = {event: i for i, event in enumerate(dict.fromkeys(events))}
    return [checked_moves(game, state, event) for event in kinds], [kinds[each] for each in events]


def few_links_of(game: Game[S, E]) -> Links[S, E] | None:
    """The linked positions of a game that says that its positions are few; None for another."""
    return links_of(game) if game.playout is linked_playout else None


def open_position(links: Links[S, E], state: S) -> Position[S, E]:
    """The linked position of `state`, which is open."""
    position = linked(links, state)
    if not position.ways:
        opened(links, position)
    return position


def ended(links: Links[S, E], position: Position[S, E]) -> Scores:
    """The result at `position`, where the game has ended."""
    if position.result is None:
        position.result = result_of(links.game, position.state)
    return position.result


# Random games


def linked_playout(game: Game[S, E], state: S, rng: Rng = random) -> Scores:
    """The result of a uniformly random game from `state`, played on linked positions.

    `game.plain_playout` specifies it: this gives the same results from the same random numbers.
    """
    try:
        links, draw = _by_id.get(id(game)) or links_of(game), rng.random
        position = links.positions.get(state) or linked(links, state)
        for _ in range(game.max_turns):
            way = position.only
            if way is None:
                ways = position.ways or opened(links, position)
                way = position.after[int(draw() * ways) if ways > 1 else 0]
            if type(way) is Position:
                position = way
            elif way:
                position = way[int(draw() * len(way))]
            else:
                return position.result or ended(links, position)
    except MISTAKES:
        check_game(game, state)
        raise
    raise endless(game, position.state)


def linked_results(game: Game[S, E], state: S, rng: Rng) -> Iterator[Scores]:
    """The results of random games from `state`, without end."""
    draw, turns = rng.random, range(game.max_turns)
    while True:
        links = links_of(game)
        first = linked(links, state)
        for _ in range(1000):  # and then the links are perhaps forgotten
            position = first
            for _ in turns:
                way = position.only
                if way is None:
                    ways = position.ways or opened(links, position)
                    way = position.after[int(draw() * ways) if ways > 1 else 0]
                if type(way) is Position:
                    position = way
                elif way:
                    position = way[int(draw() * len(way))]
                else:
                    break
            else:
                raise endless(game, position.state)
            yield position.result or ended(links, position)


# Positions after one


Weighted: TypeAlias = list[tuple[Ways[S, E], int]]
"""The position, or the positions, after each event, with the number of times that it is listed."""


def weighted(game: Game[S, E], position: Position[S, E]) -> Weighted[S, E]:
    """The positions after each event at the open `position`, for uniformly random play."""
    if position.ways == 1:
        return [(position.after[0], 1)]
    events = game.chances(position.state)
    times, ways = Counter(events), dict(zip(events, position.after, strict=True))
    return [(way, times[event]) for event, way in ways.items()]


def shares(ways: Weighted[S, E]) -> dict[Ways[S, E], int]:
    """The weight of each position after one of `ways`; that of () is for the end of the game.

    The positions after one event have equal weights. The weights are proportional to probabilities.
    """
    common = lcm(*[len(way) for way, _ in ways if isinstance(way, tuple) and way])
    weights: dict[Ways[S, E], int] = {}
    for way, times in ways:
        if isinstance(way, tuple) and way:
            for position in way:
                weights[position] = weights.get(position, 0) + times * common // len(way)
        else:
            weights[way] = weights.get(way, 0) + times * common
    return weights


def walk(
    links: Links[S, E],
    first: Position[S, E],
    after: Callable[[Position[S, E]], Weighted[S, E]],
    *,
    skip: Callable[[Position[S, E]], bool] = lambda _: False,
) -> Iterator[Position[S, E]]:
    """`first` and every position that `after` leads to, each once and after its children.

    It is `game.positions` on linked positions, with the same checks.
    """
    check_game(links.game, first.state)
    return parents_last(links.game, first, partial(_children, links, after), skip=skip)


def _children(
    links: Links[S, E],
    after: Callable[[Position[S, E]], Weighted[S, E]],
    position: Position[S, E],
) -> Iterator[Position[S, E]]:
    """The positions that `after` leads to from `position`, which is open now."""
    if not position.ways:
        opened(links, position)
    for way, _ in after(position):
        if isinstance(way, tuple):
            yield from way
        else:
            yield way
