"""Darts on a board: the estimate of pi with its interval."""

from __future__ import annotations

from random import Random

from purembts.display import counted, number, span
from purembts.records import Record, interval
from purembts.report import Facts
from purembts.workshop import in_circle, throw_dart

MOST_DARTS = 1_000_000
"""The most darts."""
_MOST_DOTS = 1_000
"""The most darts of a block that a page draws."""


def throws(seed: int, darts: int, hits: int, more: int) -> Facts:
    """The estimate of pi after `more` darts, and the points where the last of them landed.

    Of the `darts` before them, `hits` are inside the circle.
    """
    rng = Random(f"{seed}/{darts}")
    block = [throw_dart(rng) for _ in range(min(more, MOST_DARTS - darts))]
    n, inside = darts + len(block), hits + sum(map(in_circle, block))
    low, high = [4 * end for end in interval(Record(n, (inside,)))]
    about = f"pi is about {number(4 * inside / n, 3)}, from {span((low, high), 3)}"
    return {
        "darts": n,
        "hits": inside,
        "interval": [low, high],
        "dots": [[*dart, in_circle(dart)] for dart in block[-_MOST_DOTS:]],
        "said": f"{counted(n, 'dart')}: {about}.",
        "is_last": n == MOST_DARTS,
    }
