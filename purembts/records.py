"""Records: the number of games, and the sum of each player's scores in them.

`merge` adds two records. It is associative and commutative, and `NOTHING` is its unit. So records
are a commutative monoid. They keep raw sums of whole and half points. Floats add these exactly in
any order, so the laws hold to the last bit.

A tree is a persistent map from position to record.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import ItemsView, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from itertools import count, takewhile
from math import sqrt
from operator import add
from typing import Any, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from pyrsistent import PMap, pmap

from purembts.checks import are_finite, at_least_one, brief, whole_number

Scores: TypeAlias = tuple[float, ...]
"""The result of a game: the score of each player."""


class Record(NamedTuple):
    """The games from a position, added up: N and Q of the literature. `+` and `sum` add records.

    >>> Record(visits=100, scores=(3, 97))  # the workshop's {:win 3, :loss 97}
    Record(visits=100, scores=(3, 97))
    >>> sum([Record(1, (1, 0)), Record(2, (0, 2))])
    Record(visits=3, scores=(1, 2))
    """

    visits: int
    """The number of games."""
    scores: Scores
    """The sum of the scores of each player; () if there were no games."""

    def __add__(self, other: Any) -> Record:  # noqa: ANN401
        return merge(self, other) if isinstance(other, Record) else NotImplemented

    def __radd__(self, other: Any) -> Record:  # noqa: ANN401
        return self if other == 0 else NotImplemented  # `sum` begins with 0


NOTHING = Record(0, ())


def checked_record(record: object) -> Record:
    """`record`, or a ValueError if it is not a record of games."""
    if not isinstance(record, Record):
        raise ValueError(
            "A record must be a Record, for example Record(visits=100, scores=(3, 97)), "
            f"or Record(1, result) for one result; got {brief(record)}."
        )
    n, scores = record
    if type(n) is not int or n < 0:
        whole_number(n, "visits", 0)
    if not isinstance(scores, tuple) or not are_finite(scores):
        raise ValueError(f"`scores` must be a tuple of finite numbers; got {brief(scores)}.")
    if not scores if n else any(scores):
        right = "have a score for each player" if n else "be 0 if there are no visits"
        raise ValueError(f"`scores` must {right}; got {brief(record)}.")
    return record


def merge(a: Record, b: Record) -> Record:
    """The record of all the games of `a` and all the games of `b`.

    >>> merge(Record(1, (1, 0)), Record(2, (0, 2)))
    Record(visits=3, scores=(1, 2))
    """
    if not b.visits:
        return a if a.visits else NOTHING
    if not a.visits:
        return b
    if len(a.scores) != len(b.scores):
        raise ValueError(
            "Two records must have the same number of players to be added up; "
            f"got {brief(a)} and {brief(b)}."
        )
    return add_result(a, b.scores, b.visits)


def add_scores(a: Scores, b: Scores) -> Scores:
    """The sum of `a` and `b` for each player."""
    return tuple(map(add, a, b))


def add_result(record: Record, result: Scores, games: int = 1) -> Record:
    """`record` with `games` more games, whose scores add up to `result`.

    It equals `merge(record, Record(games, result))`.

    >>> add_result(Record(2, (0, 2)), (1, 0))
    Record(visits=3, scores=(1, 2))
    """
    n, scores = record
    sums = [old + new for old, new in zip(scores, result, strict=True)] if n else result
    return tuple.__new__(Record, (n + games, tuple(sums)))  # faster than Record(...)


def tally(results: Iterable[Scores] | Mapping[Scores, int]) -> Record:
    """The record of `results`, or of a map from results to their numbers of games.

    >>> tally([(1, 0), (0, 1), (0, 1)]) == tally({(1, 0): 1, (0, 1): 2})
    True
    """
    counts = Counter(results).items()
    return reduce(merge, (Record(n, tuple(n * s for s in result)) for result, n in counts), NOTHING)


def visits(record: Record, player: int = 0) -> int:  # noqa: ARG001 - called in the place of mean
    """The number of games of `record`. It is the same for each player."""
    return record.visits


def mean(record: Record, player: int = 0) -> float:
    """The mean score of `player`. It estimates the probability to win if a win is 1 and a loss 0.

    >>> mean(Record(100, (3, 97)))
    0.03
    """
    if not checked_record(record).visits:
        raise ValueError(
            f"A record must have visits to have a mean; got {record}. Simulate or search first."
        )
    return record.scores[whole_number(player, "player", 0, len(record.scores) - 1)] / record.visits


def interval(
    record: Record, player: int = 0, *, score_range: tuple[float, float] = (0, 1)
) -> tuple[float, float]:
    """The 95 % confidence interval (low, high) for the mean of `player`.

    It is Wilson's score interval (1927, "Probable inference", JASA 22), which treats scores scaled
    to 0..1 as if they were wins. It is right for wins and losses, and wider than necessary for
    other scores. Without visits it is the whole range of scores. It says nothing of a mean that
    `proving.backed_up` gives, which is not a mean of games.

    >>> low, high = interval(Record(100, (3, 97)))
    >>> f"{low:.4f} {high:.4f}"
    '0.0103 0.0845'
    """
    low, high, z = *score_range, 1.96
    n = checked_record(record).visits
    if not n:
        return low, high
    points = record.scores[whole_number(player, "player", 0, len(record.scores) - 1)]
    p = (points - n * low) / (high - low) / n
    if not -1e-9 < p < 1 + 1e-9:  # rounding is much smaller
        got = f"got {brief(record)} for player {player}"
        raise ValueError(f"The mean must be in `score_range`, from {low} to {high}; {got}.")
    p = min(max(p, 0.0), 1.0)
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # At p = 0 and p = 1, rounding could put an end outside the range, or between range and mean.
    bottom, top = min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half))
    return low + (high - low) * bottom, low + (high - low) * top


def rounding(n: int, score_range: tuple[float, float]) -> float:
    """The largest rounding error of a sum of n scores in `score_range`, added as floats.

    Adding n floats of size M takes n sums of size n M at most, and each sum is rounded by at most
    2**-53 of its size. Whole numbers add exactly.
    """
    return n * (min(n, 2**53) * 2.0**-53) * max(map(abs, score_range))


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
    """`tree` if it is a persistent map, or a pmap of its items if it is another mapping."""
    if hasattr(tree, "get") and (hasattr(tree, "set") or hasattr(tree, "insert")):
        return tree
    if not hasattr(tree, "items"):
        raise ValueError(
            "`tree` must be a map from positions to records ({} is the first one, and uct returns "
            f"a pair: tree, result = uct(...)); got {brief(tree)}. "
            "Other games: engine.search, mcts.uct, simulation.simulate."
        )
    return pmap({state: as_record(record) for state, record in tree.items()})


def as_record(record: object) -> Record:
    """`record`, or the Record of a pair of whole numbers, the wins and the losses.

    >>> as_record((3, 97))
    Record(visits=100, scores=(3, 97))
    """
    if isinstance(record, Record):
        return record
    if isinstance(record, tuple) and [*map(type, record)] == [int, int]:
        return checked_record(Record(sum(record), record))
    return checked_record(record)


@contextmanager
def without_collector() -> Iterator[None]:
    """Python's garbage collector off, and afterwards as it was.

    It would go through a large new map again and again while it is built, for most of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def with_records(tree: Tree[K], records: dict[K, Record]) -> Tree[K]:
    """`tree` with `records`, which replace its records of the same positions.

    A pmap and an `immutables.Map` change in one step.
    """
    new: Any = tree
    if isinstance(new, PMap):
        if len(new) < 3 * len(records):  # a new map is faster then
            with without_collector():
                return pmap(dict(new.items()) | records if new else records)
        evolver = new.evolver()
        for state, record in records.items():
            evolver.set(state, record)
        return evolver.persistent()
    if hasattr(new, "mutate") and hasattr(new, "update"):  # immutables.Map
        return new.update(records)  # type: ignore[no-any-return]
    for state, record in records.items():
        # `insert` is the name in rpds
        new = new.set(state, record) if hasattr(new, "set") else new.insert(state, record)
    return new  # type: ignore[no-any-return]


# The growth of a record


def marks() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50, ...: the numbers of visits at which growing records are looked at."""
    return (mark * 10**power for power in count() for mark in (1, 2, 5))


def marks_of(n: int) -> list[int]:
    """The `marks` from n / 10,000 to n, and then n itself.

    >>> marks_of(120), marks_of(100_000)[:5]
    ([1, 2, 5, 10, 20, 50, 100, 120], [10, 20, 50, 100, 200])
    """
    below = takewhile(at_least_one(n, "n").__gt__, marks())
    return [*(mark for mark in below if mark * 10_000 >= n), n]
