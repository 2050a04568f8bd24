"""Tallies: records of one search that change in place, and the one way to select among them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import inf
from typing import Any, Generic, NamedTuple, TypeAlias

from purembts.bounds import AnyBound, Bound
from purembts.chance import Rng
from purembts.game import DefaultPolicy, E, Game, S, Turn
from purembts.mcts import bounds_of
from purembts.records import Record, Scores, Tree, with_records


class SearchPlan(NamedTuple, Generic[S, E]):
    """A search: its game, its first position or turn, and the policies and draws of a dive."""

    game: Game[S, E]
    state: S
    turn: Turn[S, E] | None  # with which all dives begin
    bound: AnyBound
    policy: DefaultPolicy[S, E]
    rng: Rng
    rollouts: int


class Tally(Generic[S, E]):
    """A record that changes in place, linked to the tallies of its moves."""

    __slots__ = (
        "after", "base", "before", "chooser", "events", "n_events", "options", "player", "result",
        "scores", "state", "visits", "width",
    )  # fmt: skip

    def __init__(self, state: S, record: Record, players: int) -> None:
        self.state: S = state
        self.visits: int = record.visits
        self.before: int = record.visits  # those of the last tree
        self.scores: list[float] = list(record.scores) if record.visits else [0] * players
        self.player: int = 0  # the player to move, once the events are known
        self.events: Sequence[E] = ()
        self.n_events: int = 0  # 0 until the events are known
        # for each event, the tallies of all moves, once they are tried
        self.after: list[list[Tally[S, E]] | None] | defaultdict[int, list[Tally[S, E]] | None] = []
        # the moves after each event that has come, and the tallies of those that are tried
        self.options: dict[E, tuple[Sequence[S], list[Tally[S, E]]]] = {}
        self.result: Scores | None = None  # of a game that has ended here, after the first dive
        self.base: float = 0.0  # and `width`: the parts of the bound for the `chooser`
        self.width: float = 0.0
        self.chooser: int | None = None  # None where they are not up to date


Choose: TypeAlias = Callable[[Sequence[Tally[S, E]], int], Tally[S, E]]
"""A function from the tallies of moves and the player to move to the highest bound."""


def best_of(
    game: Game[S, E], bound: AnyBound, options: Sequence[Tally[S, E]], player: int
) -> Tally[S, E]:
    """The first of `options` that has the highest bound."""
    records = [Record(option.visits, tuple(option.scores)) for option in options]
    bounds = bounds_of(game, records, player, bound)
    return options[bounds.index(max(bounds))]


def choosing(game: Game[S, E], bound: AnyBound) -> Choose[S, E]:
    """The function `mcts.best_child` on tallies, for this bound: it chooses the first of equals.

    It computes the parts of a `Bound` only after a visit, and needs visits of all options for that.
    The loops are hot, so they share no helper.
    """
    if not isinstance(bound, Bound):
        return partial(best_of, game, bound)
    base, (low, high) = bound.own, game.score_range
    span, is_unit = high - low, (low, high) == (0, 1)

    def by_base(options: Sequence[Tally[S, E]], player: int) -> Tally[S, E]:
        chosen, most = options[0], -inf
        for option in options:
            if option.chooser is not player:
                n, score = option.visits, option.scores[player]
                option.chooser = player
                limit = option.base = base(score if is_unit else (score - n * low) / span, n)
            else:
                limit = option.base
            if limit > most:
                chosen, most = option, limit
        return chosen

    if not (bound.scale and bound.width):
        return by_base
    scale, width = bound.scale, bound.width

    def by_both(options: Sequence[Tally[S, E]], player: int) -> Tally[S, E]:
        total = 0
        for option in options:
            total += option.visits
        factor = scale(total)
        chosen, most = options[0], -inf
        for option in options:
            if option.chooser is not player:
                n, score = option.visits, option.scores[player]
                option.chooser = player
                option.base = base(score if is_unit else (score - n * low) / span, n)
                option.width = width(n)
            limit = option.base + factor * option.width
            if limit > most:
                chosen, most = option, limit
        return chosen

    return by_both


def with_tallies(tree: Tree[S], tallies: Iterable[Tally[S, Any]]) -> Tree[S]:
    """`tree` with the records of those of `tallies` that have changed."""
    records = {}
    for tally in tallies:
        if tally.visits != tally.before:
            tally.before = tally.visits
            records[tally.state] = Record(tally.visits, tuple(tally.scores))
    return with_records(tree, records)
