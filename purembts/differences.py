"""The difference of two trees, and the dive at which two searches part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import repeat
from operator import sub
from typing import Any, Generic, NamedTuple, TypeAlias

from pyrsistent import pmap

from purembts.records import NOTHING, K, Record, Tree


class Change(NamedTuple):
    """The record of a position in two trees; `NOTHING` in a tree that does not have it."""

    before: Record
    after: Record


Difference: TypeAlias = dict[K, Change]
"""The positions whose records differ between two trees, each with both records."""


def difference(
    before: Tree[K] | dict[K, Record], after: Tree[K] | dict[K, Record]
) -> Difference[K]:
    """The positions that are new, changed or gone between two trees, each with both records.

    >>> one, two = {"a": Record(1, (1, 0))}, {"a": Record(1, (1, 0)), "b": Record(1, (0, 1))}
    >>> difference(one, two)
    {'b': Change(before=Record(visits=0, scores=()), after=Record(visits=1, scores=(0, 1)))}
    """
    old, new = dict(before.items()), dict(after.items())
    both = ((state, old.get(state) or NOTHING, new.get(state) or NOTHING) for state in old | new)
    return {state: Change(a, b) for state, a, b in both if a != b}


def added(changes: Mapping[K, Change]) -> dict[K, Record]:
    """The records that, merged with the first tree, give the second one, which grew from it.

    >>> added({"a": Change(Record(1, (1, 0)), Record(3, (2, 1)))})
    {'a': Record(visits=2, scores=(1, 1))}
    """
    return {
        state: Record(n - old.visits, tuple(map(sub, scores, old.scores or repeat(0))))
        for state, (old, (n, scores)) in changes.items()
        if n > old.visits
    }


class Parting(NamedTuple, Generic[K]):
    """The first dive after which the trees of two searches differ."""

    dive: int
    """The number of the dive, from 1; 0 if the first trees differ."""
    before: Tree[K] | dict[K, Record]
    """The tree of both searches before this dive."""
    a: Difference[K]
    """The changes that this dive made in the first search."""
    b: Difference[K]
    """The changes that it made in the second search."""


def first_difference(trees_a: Iterable[Tree[K]], trees_b: Iterable[Tree[K]]) -> Parting[K] | None:
    """The first dive at which two searches part, with the changes that it made in each of them.

    The trees are those after 0, 1, 2, ... dives, as `mcts.trees` gives them. It is None if they
    are the same until one of the searches ends.
    """
    before: Any = pmap()
    for dive, (a, b) in enumerate(zip(trees_a, trees_b, strict=False)):
        if difference(a, b):
            return Parting(dive, before, difference(before, a), difference(before, b))
        before = a
    return None
