"""Tallies: records that change in place, linked to the tallies of their moves.

`engine.strides` dives on them. They belong to one search, and nothing outside it sees them.

The tallies of the moves after an event are listed when the event first comes. If moves without
visits are certainly chosen first, the next one is listed when all before it have been tried, so a
position of 200 moves needs no 200 tallies. If the positions of the game are few, all are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf, log, sqrt
from typing import Any, Generic, NamedTuple, TypeAlias

from purembts.bounds import Bound, exploration_constant, wald_constant
from purembts.fast.links import Links, Position, are_few, moves_of, open_position
from purembts.game import E, Game, S, Turn, checked_player
from purembts.records import Record, Scores


class Tally(Generic[S, E]):
    """A record that changes in place, linked to the tallies of its moves."""

    __slots__ = (
        "after",
        "before",
        "begun",
        "chooser",
        "events",
        "limit",
        "narrowing",
        "player",
        "result",
        "scores",
        "state",
        "visits",
        "ways",
    )
    state: S
    visits: int
    scores: list[float]
    before: int
    """The visits in the last tree."""
    ways: int
    """The number of events; 0 until the tally is open."""
    events: Sequence[E]
    player: int
    """The player to move."""
    after: list[list[Tally[S, E]] | None]
    """For each event, the tallies of all moves, once all of them are listed."""
    begun: list[tuple[list[Tally[S, E]], Iterator[S]] | None]
    """For each event that differs from those before it, the moves tried and the moves left."""
    result: Scores | None
    """The result if the game has ended here, once it is known."""
    chooser: int
    """The player who can move here, or `NO_PLAYER`."""
    limit: float
    """The part of the bound for `chooser` that depends on the record alone; infinite at first."""
    narrowing: float
    """The factor of the other part, in UCB1."""

    def __init__(self, state: S, players: int) -> None:
        self.state = state
        self.scores = [0] * players
        self.before = self.visits = self.ways = 0
        self.result = None
        self.limit, self.narrowing = inf, 0.0
        self.chooser = NO_PLAYER


NO_PLAYER = -1


class Search(NamedTuple, Generic[S, E]):
    """A search: its game, its tallies, and the functions that read, select and change them."""

    game: Game[S, E]
    tallies: dict[S, Tally[S, E]]
    read: Callable[[S], Record | None]
    way: WayToSelect
    links: Links[S, E] | None
    """The linked positions of the game, if they are few."""
    shared: list[Tally[S, E]]
    """The first tally that several players can choose, if there is one."""


def tally_of(search: Search[S, E], state: S) -> Tally[S, E]:
    """The one tally of `state`, which starts as its record in the tree."""
    tally = search.tallies.get(state)
    if tally is None:
        tally = search.tallies[state] = Tally(state, search.game.players)
        record = search.read(state)
        if record is not None:
            tally.before = tally.visits = record.visits
            tally.scores = list(record.scores)
    return tally


def open_tally(search: Search[S, E], tally: Tally[S, E]) -> int:
    """The number of events at `tally`, which is opened."""
    return _opened(search, tally, search.game.chances(tally.state))


def open_after(search: Search[S, E], tally: Tally[S, E], turn: Turn[S, E]) -> None:
    """Open `tally` for dives that all begin with `turn`."""
    _opened(search, tally, (turn.event,))
    tally.begun = [([], iter(turn.moves))]


def _opened(search: Search[S, E], tally: Tally[S, E], events: Sequence[E]) -> int:
    """The number of `events` at `tally`, which is opened for them."""
    game, state = search.game, tally.state
    tally.events = events
    player = game.to_move(state)
    if type(player) is not int or not 0 <= player < game.players:
        player = checked_player(game, state)
    tally.player = player
    tally.begun = []
    tally.after = [None] * len(events)
    tally.ways = len(events)
    return tally.ways


def _option(search: Search[S, E], tally: Tally[S, E], move: S) -> Tally[S, E]:
    """The tally of `move`, to which the player at `tally` can move."""
    option = search.tallies.get(move) or tally_of(search, move)
    claim(search.way, search.shared, option, tally.player)
    return option


def claim(way: WayToSelect, shared: list[Tally[S, E]], option: Tally[S, E], player: int) -> None:
    """Make `player` the chooser of `option`; if it was another player, it is now in `shared`."""
    if option.chooser != player:
        if option.chooser != NO_PLAYER and not shared:
            shared.append(option)
        option.chooser = player
        if option.visits:
            way.renew(option)


def options_after(search: Search[S, E], tally: Tally[S, E], i: int) -> list[Tally[S, E]]:
    """The tallies of the moves after event i, or of the first without visits if it is chosen."""
    if tally.ways > 1 and search.links and are_few(search.links):
        return _linked_options(search, tally, open_position(search.links, tally.state), i)
    event = tally.events[i]
    first = tally.events.index(event)
    tally.begun = tally.begun or [None] * tally.ways
    begun = tally.begun[first]
    if begun is None:
        begun = tally.begun[first] = [], iter(_moves(search, tally, event))
    tried, left = begun
    for move in left:
        option = _option(search, tally, move)
        tried.append(option)
        if search.way.one_by_one and not option.visits:
            return [option]
    tally.after[i] = tried
    return tried


def _linked_options(
    search: Search[S, E], tally: Tally[S, E], position: Position[S, E], i: int
) -> list[Tally[S, E]]:
    """The tallies of the moves after event i. The second call also lists those of all events."""
    is_first = tally.after.count(None) == tally.ways
    player, known = tally.player, search.tallies.get
    options: dict[int, list[Tally[S, E]]] = {}
    for kind in (position.kind[i],) if is_first else range(len(position.moves)):
        options[kind] = [
            option
            if (option := known(move)) and option.chooser == player
            else _option(search, tally, move)
            for move in position.moves[kind]
        ]
    if not is_first:
        tally.after = [options[kind] for kind in position.kind]
    tally.after[i] = options[position.kind[i]]
    return options[position.kind[i]]


def _moves(search: Search[S, E], tally: Tally[S, E], event: E) -> Sequence[S]:
    """The moves from `tally` after `event`."""
    if tally.ways == 1 and search.links and are_few(search.links):
        return open_position(search.links, tally.state).moves[0]
    return moves_of(search.game, tally.state, event)


def begin(way: WayToSelect, leaf: Tally[S, E], games: int, result: Scores) -> None:
    """Give `leaf`, which has no visits, its first games, whose scores add up to `result`."""
    leaf.visits, leaf.scores = games, list(result)
    way.renew(leaf)


def add_points(path: Sequence[Tally[S, E]], player: int, points: float) -> None:
    """Add `points` of `player` to the tallies of `path`."""
    for tally in path:
        tally.scores[player] += points


# Selection


_Select: TypeAlias = Callable[[Sequence[Tally[Any, Any]], int], Tally[Any, Any]]
"""A function from the tallies of the moves and the player to move to the move of the highest bound,
the first among equals."""


class WayToSelect(NamedTuple):
    """The way to find the move of the highest bound."""

    careful: _Select
    """The function for any tallies."""
    select: _Select
    """A faster one, for tallies that have only one chooser each."""
    has_limit: bool
    """True if the bound is the `limit` of a tally."""
    one_by_one: bool
    """True if moves without visits certainly have a higher bound than all others."""
    renew: Callable[[Tally[Any, Any]], None]
    """The function that computes the parts of the bound of a tally that `select` uses."""
    add: Callable[[Sequence[Tally[Any, Any]], int, int, float], None]
    """The function that adds games, and points of one player, to the tallies of a path, and keeps
    those parts."""


def way_to_select(bound: Bound, score_range: tuple[float, float]) -> WayToSelect:
    """The fastest way to select by `bound`."""
    careful = partial(_highest, bound, *score_range)
    c, z = exploration_constant(bound), wald_constant(bound)
    if c is not None:
        renew, add = partial(_renew_ucb1, *score_range), _adding_ucb1(*score_range)
        return WayToSelect(careful, _highest_ucb1(c), False, True, renew, add)
    if z is not None:
        renew, add = partial(_renew_wald, bound, *score_range), _adding_wald(z, *score_range)
        return WayToSelect(careful, careful, True, True, renew, add)
    return WayToSelect(careful, careful, False, False, lambda _: None, _add)


def _highest(
    bound: Bound, low: float, high: float, options: Sequence[Tally[S, E]], player: int
) -> Tally[S, E]:
    """`mcts.best_child`, on tallies."""
    total = sum([option.visits for option in options])
    limits = [
        bound((option.scores[player] - n * low) / (high - low) if n else 0, n, total)
        for option in options
        for n in (option.visits,)
    ]
    return options[limits.index(max(limits))]


def _highest_ucb1(c: float) -> _Select:
    """The same for `ucb1`, from the parts that are kept."""

    def select(options: Sequence[Tally[S, E]], player: int) -> Tally[S, E]:  # noqa: ARG001
        total = 0
        for option in options:
            total += option.visits
        width = c * sqrt(log(total)) if total else 0.0
        highest, chosen = -inf, options[0]
        for option in options:
            limit = option.limit + width * option.narrowing
            if limit > highest:
                highest, chosen = limit, option
        return chosen

    return select


def _renew_ucb1(low: float, high: float, tally: Tally[S, E]) -> None:
    """Compute the two parts of `ucb1`."""
    n = tally.visits
    tally.limit = (tally.scores[tally.chooser] - n * low) / (high - low) / n
    tally.narrowing = sqrt(1 / n)


def _renew_wald(bound: Bound, low: float, high: float, tally: Tally[S, E]) -> None:
    """Compute `ucb_wald`."""
    n = tally.visits
    tally.limit = bound((tally.scores[tally.chooser] - n * low) / (high - low), n, 0)


def _add(path: Sequence[Tally[S, E]], games: int, player: int, points: float) -> None:
    """Add `games`, and `points` of `player`, to the tallies of `path`."""
    for tally in path:
        tally.visits += games
        tally.scores[player] += points


_EXACT = 2**26
"""The number of visits up to which a bound in whole numbers equals the one in floats."""


def _adding_ucb1(low: float, high: float) -> Callable[..., None]:
    """The function like `_add` that also does `_renew_ucb1`, written out."""
    span, scaled = high - low, (low, high) != (0, 1)

    def add(path: Sequence[Tally[S, E]], games: int, player: int, points: float) -> None:
        for tally in path:
            n = tally.visits = tally.visits + games
            scores = tally.scores
            scores[player] += points
            score = scores[tally.chooser]
            if scaled or n > _EXACT:
                score = (score - n * low) / span
            tally.limit = score / n
            tally.narrowing = sqrt(1 / n)

    return add


def _adding_wald(z: float, low: float, high: float) -> Callable[..., None]:
    """The function like `_add` that also does `_renew_wald`, written out."""
    span, scaled = high - low, (low, high) != (0, 1)

    def add(path: Sequence[Tally[S, E]], games: int, player: int, points: float) -> None:
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
