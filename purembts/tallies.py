"""Tallies: records that change in place, linked to the tallies of their moves.

`engine.strides` dives on them. They belong to one search, and nothing outside it sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf, log, sqrt
from typing import Any, Generic, NamedTuple, TypeAlias

from purembts.bounds import Bound, exploration_constant, wald_constant
from purembts.game import E, Game, S, check_game
from purembts.links import Links, moves_by_event, moves_of
from purembts.records import NOTHING, Record, Scores


class Tally(Generic[S, E]):
    """A record that changes in place, linked to the tallies of its moves."""

    __slots__ = (
        "after",
        "before",
        "begun",
        "chooser",
        "events",
        "limit",
        "limit_for",
        "narrowing",
        "player",
        "result",
        "scores",
        "state",
        "visits",
        "ways",
    )
    before: int
    """The visits in the last tree."""
    ways: int
    """The number of events; 0 until the tally is open."""
    events: Sequence[E]
    player: int
    """The player to move."""
    after: list[list[Tally[S, E]] | None]
    """For each event, the tallies of all moves, once all of them are listed."""
    begun: dict[E, Begun[S, E]]
    result: Scores | None
    """The result if the game has ended here, once it is known."""
    chooser: int
    """The player who can move here, or `NO_PLAYER`."""
    limit: float
    """The part of the bound that depends on the record alone, for `chooser` or `limit_for`."""
    limit_for: int
    """The player for whom `limit` and `narrowing` are up to date, or `NO_PLAYER`."""
    narrowing: float

    def __init__(self, state: S, visits: int, scores: Scores) -> None:
        self.state = state
        self.before = self.visits = visits
        self.scores = list(scores)
        self.ways = 0
        self.result = None
        self.limit = inf
        self.chooser = self.limit_for = NO_PLAYER


NO_PLAYER = -1


class Begun(NamedTuple, Generic[S, E]):
    """The moves after an event: those that have tallies, and those that have none yet."""

    tried: list[Tally[S, E]]
    left: Iterator[S]


class Search(NamedTuple, Generic[S, E]):
    """A search: its game, its tallies, and the functions that read, select and change them."""

    game: Game[S, E]
    tallies: dict[S, Tally[S, E]]
    read: Callable[[S], Record | None]
    way: WayToSelect
    links: Links[S, E] | None
    """The linked positions of the game, if they are few."""
    shared: list[Tally[S, E]]
    """The tallies that several players can choose."""


def tally_of(search: Search[S, E], state: S) -> Tally[S, E]:
    """The one tally of `state`, which starts as its record in the tree."""
    tally = search.tallies.get(state)
    if tally is None:
        tally = search.tallies[state] = Tally(state, *(search.read(state) or NOTHING))
    return tally


def open_tally(search: Search[S, E], tally: Tally[S, E], events: Sequence[E] = ()) -> int:
    """The number of events at `tally`: those of the game, or `events` if there are any."""
    game, state = search.game, tally.state
    tally.events = events or game.chances(state)
    tally.player = game.to_move(state)
    if tally.player not in range(game.players):
        check_game(game, state)
    tally.begun = {}
    if search.links is None or events:
        tally.after = [None] * len(tally.events)
    else:
        tally.after = _all_options(search, tally, moves_by_event(search.links, state))
    tally.ways = len(tally.events)
    return tally.ways


def _all_options(
    search: Search[S, E], tally: Tally[S, E], moves_by_event: Sequence[Sequence[S]]
) -> list[list[Tally[S, E]] | None]:
    """The tallies of the moves after each event, where the positions are few."""
    options = {
        moves: [_option(search, tally, move) for move in moves]
        for moves in dict.fromkeys(moves_by_event)
    }
    return [options[moves] for moves in moves_by_event]


def _option(search: Search[S, E], tally: Tally[S, E], move: S) -> Tally[S, E]:
    """The tally of `move`, to which the player at `tally` can move."""
    option = search.tallies.get(move) or tally_of(search, move)
    if option.chooser != tally.player:
        _choose(search, option, tally.player)
    return option


def options_after(search: Search[S, E], tally: Tally[S, E], i: int) -> list[Tally[S, E]]:
    """The tallies of the moves after event i, or of the first without visits if it is chosen."""
    event = tally.events[i]
    begun = tally.begun.get(event)
    if begun is None:
        begun = tally.begun[event] = Begun([], iter(moves_of(search.game, tally.state, event)))
    for move in begun.left:
        option = _option(search, tally, move)
        begun.tried.append(option)
        if search.way.one_by_one and not option.visits:
            return [option]
    tally.after[i] = begun.tried
    return begun.tried


def _choose(search: Search[S, E], option: Tally[S, E], player: int) -> None:
    """Note that `player` can move to `option`."""
    if option.chooser != NO_PLAYER:
        search.shared.append(option)
    option.chooser = player
    if search.way.limit_of and option.visits:
        option.limit = search.way.limit_of(option)


def begin(search: Search[S, E], leaf: Tally[S, E], games: int, result: Scores) -> None:
    """Give `leaf`, which has no visits, its first games, whose scores add up to `result`."""
    leaf.visits, leaf.scores = games, list(result)
    if search.way.limit_of:
        leaf.limit = search.way.limit_of(leaf)


def add_points(path: list[Tally[S, E]], player: int, points: float) -> None:
    """Add `points` of `player` to the tallies of `path`."""
    for tally in path:
        tally.scores[player] += points


# Selection


_Select: TypeAlias = Callable[[list[Tally[Any, Any]], int], Tally[Any, Any]]
_Add: TypeAlias = Callable[[list[Tally[Any, Any]], int, int, float], None]


class WayToSelect(NamedTuple):
    """The way to find the move of the highest bound, the first among equals."""

    select: _Select
    """The function from the tallies of the moves and the player to move to that move."""
    add: _Add
    """The function that adds games, and points of one player, to the tallies of a path."""
    limit_of: Callable[[Tally[Any, Any]], float] | None = None
    """The bound of a tally for its chooser, if it depends on the record alone; `add` keeps it."""
    one_by_one: bool = True
    """True if moves without visits certainly have a higher bound than all others."""


def way_to_select(bound: Bound, score_range: tuple[float, float]) -> WayToSelect:
    """The fastest way to select by `bound`."""
    c, z = exploration_constant(bound), wald_constant(bound)
    if c is not None:
        return WayToSelect(_highest_ucb1(c, *score_range), _add)
    select = _highest(bound, *score_range)
    if z is not None:
        limit_of = partial(_limit_of, bound, *score_range)
        return WayToSelect(select, _add_and_bound(z, *score_range), limit_of)
    return WayToSelect(select, _add, one_by_one=False)


def _highest(bound: Bound, low: float, high: float) -> _Select:
    """`mcts.best_child`, on tallies."""

    def select(options: list[Tally[S, E]], player: int) -> Tally[S, E]:
        total = sum([option.visits for option in options])
        limits = [
            bound((option.scores[player] - n * low) / (high - low) if n else 0, n, total)
            for option in options
            for n in (option.visits,)
        ]
        return options[limits.index(max(limits))]

    return select


def _highest_ucb1(c: float, low: float, high: float) -> _Select:
    """The same for `ucb1`, written out. The parts that depend on the record are remembered."""

    def select(options: list[Tally[S, E]], player: int) -> Tally[S, E]:
        total = 0
        for option in options:
            n = option.visits
            if not n:
                return option
            total += n
            if option.limit_for != player:
                option.limit_for = player
                option.limit = (option.scores[player] - n * low) / (high - low) / n
                option.narrowing = sqrt(1 / n)
        width = c * sqrt(log(total))
        highest, chosen = -inf, options[0]
        for option in options:
            limit = option.limit + width * option.narrowing
            if limit > highest:
                highest, chosen = limit, option
        return chosen

    return select


def _add(path: list[Tally[S, E]], games: int, player: int, points: float) -> None:
    """Add `games`, and `points` of `player`, to the tallies of `path`."""
    for tally in path:
        tally.visits += games
        tally.scores[player] += points
        tally.limit_for = NO_PLAYER


def _limit_of(bound: Bound, low: float, high: float, tally: Tally[S, E]) -> float:
    """The bound of `tally` for its chooser, for a bound that depends on the record alone."""
    n = tally.visits
    return bound((tally.scores[tally.chooser] - n * low) / (high - low), n, 0)


_EXACT = 2**26
"""The number of visits up to which the bound in whole numbers equals the one in floats."""


def _add_and_bound(z: float, low: float, high: float) -> _Add:
    """The function like `_add` that also keeps the bound of each tally: `ucb_wald`, written out."""
    span, scaled = high - low, (low, high) != (0, 1)

    def add(path: list[Tally[S, E]], games: int, player: int, points: float) -> None:
        for tally in path:
            n = tally.visits = tally.visits + games
            scores = tally.scores
            scores[player] += points
            score = scores[tally.chooser]
            if scaled or n > _EXACT:
                score = (score - n * low) / span
            if score > 0:
                spread = score * (n - score)
                tally.limit = (score + z * sqrt(spread / n if spread > 0 else 0)) / n
            else:
                tally.limit = 3 / n

    return add
