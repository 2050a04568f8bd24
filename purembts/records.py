"""Records of how games ended: how many there were, and what each player scored in all of them.

Records add up, and adding them is a commutative monoid: `merge` is associative and commutative,
and `NOTHING` is its unit. They keep raw sums of whole and half points, which floats add exactly
in any order, so these laws hold to the last bit.

A tree is a persistent map from position to record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import ItemsView, Iterable
from functools import reduce
from math import sqrt
from operator import add
from typing import NamedTuple, Protocol, Self, TypeAlias, TypeVar

from pyrsistent import pmap

from purembts.checks import brief, not_negative

Scores: TypeAlias = tuple[float, ...]
"""How a game ended: one number for each player."""


class Record(NamedTuple):
    """What is known of a position: the literature's N and Q.

    >>> Record(visits=100, scores=(3, 97))  # the workshop's {:win 3, :loss 97}
    Record(visits=100, scores=(3, 97))
    """

    visits: int
    scores: Scores


NOTHING = Record(0, ())


def checked_record(record: Record) -> Record:
    """`record`, or a ValueError where it is none."""
    scored = isinstance(record, Record) and isinstance(record.scores, tuple)
    if not scored or (record.visits and not record.scores):
        raise ValueError(
            f"{brief(record)} is not a record, as Record(visits=100, scores=(3, 97)); "
            "of one result it is Record(1, result)."
        )
    return record


def merge(a: Record, b: Record) -> Record:
    """The record of all the games of `a` and all the games of `b`.

    >>> merge(Record(1, (1, 0)), Record(2, (0, 2)))
    Record(visits=3, scores=(1, 2))
    >>> merge(NOTHING, Record(2, (0, 2)))
    Record(visits=2, scores=(0, 2))
    """
    if not checked_record(a).visits:
        return b if checked_record(b).visits else NOTHING
    if not checked_record(b).visits:
        return a
    return Record(a.visits + b.visits, add_scores(a.scores, b.scores))


def add_scores(a: Scores, b: Scores) -> Scores:
    """What each player scored in both together."""
    return tuple(map(add, a, b))


def add_result(record: Record, result: Scores, games: int = 1) -> Record:
    """`record` and as many `games` more: `merge(record, Record(games, result))`.

    >>> add_result(Record(2, (0, 2)), (1, 0))
    Record(visits=3, scores=(1, 2))
    """
    n, scores = record
    return Record(n + games, tuple(map(add, scores, result)) if n else result)


def tally(results: Iterable[Scores]) -> Record:
    """The record of `results`.

    >>> tally([(1, 0), (0, 1), (0, 1)])
    Record(visits=3, scores=(1, 2))
    """
    counted = Counter(results).items()
    return reduce(
        merge, (Record(k, tuple(k * s for s in scores)) for scores, k in counted), NOTHING
    )


def score(record: Record, player: int = 0) -> float:
    """What `player` scored in all the games of `record`; 0 if there were none."""
    return record.scores[player] if record.visits else 0


def visits(record: Record, player: int = 0) -> int:  # noqa: ARG001 - called in the place of mean
    """How many games `record` has, whoever the player is."""
    return record.visits


def mean(record: Record, player: int = 0) -> float:
    """What `player` scored per game: where a win is 1 and a loss 0, the estimated win probability.

    >>> mean(Record(100, (3, 97)))
    0.03
    """
    if not checked_record(record).visits:
        raise ValueError(f"{record} has no visits, so it has no mean; simulate or search first.")
    return record.scores[player] / record.visits


def unit_score(record: Record, player: int = 0, score_range: tuple[float, float] = (0, 1)) -> float:
    """What `player` scored in all, on a scale where the worst game is 0 and the best is 1.

    >>> unit_score(Record(2, (-3, 3)), 0, (-3, 3))
    0.5
    """
    low, high = score_range
    return (score(record, player) - record.visits * low) / (high - low)


def interval(
    record: Record, player: int = 0, z: float = 1.96, score_range: tuple[float, float] = (0, 1)
) -> tuple[float, float]:
    """A confidence interval for `player`'s mean: (low, high), 95 % with z = 1.96.

    It is Wilson's score interval (1927, "Probable inference", JASA 22), which treats scores scaled
    to 0..1 as if they were wins: right for wins and losses, wider than it need be for other scores.
    No visits leave the whole range of scores.

    >>> low, high = interval(Record(100, (3, 97)))
    >>> f"{low:.4f} {high:.4f}"
    '0.0103 0.0845'
    """
    not_negative(z, "z")
    low, high = score_range
    n = checked_record(record).visits
    if not n:
        return low, high
    p = min(max(unit_score(record, player, score_range) / n, 0.0), 1.0)
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # At p = 0 and p = 1 rounding would put the end an ulp outside the range, or beside the mean.
    bottom, top = min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half))
    return low + (high - low) * bottom, low + (high - low) * top


# Trees

K = TypeVar("K")


class Tree(Protocol[K]):
    """A persistent map from position to record. A dive calls `get` and `set` alone."""

    def get(self, state: K, /) -> Record | None: ...
    def set(self, state: K, record: Record, /) -> Self: ...
    def items(self) -> ItemsView[K, Record]: ...
    def __getitem__(self, state: K, /) -> Record: ...
    def __contains__(self, state: object, /) -> bool: ...
    def __len__(self) -> int: ...


def as_tree(tree: Tree[K] | dict[K, Record]) -> Tree[K]:
    """`tree` itself, or the persistent map of a plain dict; a ValueError for anything but a map."""
    if not hasattr(tree, "get"):
        raise ValueError(
            "`tree` must be a map from positions to records ({} is the first one, and uct returns "
            f"a pair: tree, result = uct(...)); got {brief(tree)}."
        )
    return pmap(tree) if isinstance(tree, dict) else tree
