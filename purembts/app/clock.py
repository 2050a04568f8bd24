"""The clock: the pace of long work, and time limits. No other room looks at it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from time import monotonic

FEW = 20
"""The least number of dives between two looks at the clock."""


def paced(parts: Iterable[int], usual: float = 0.05) -> Iterator[int]:
    """`parts`, numbers of dives or games, split into strides that a person can interrupt.

    A stride takes from `usual` to twice as many seconds. It has at least `FEW` dives, and a
    twentieth of the dives so far, or else the rest of its part: on a busy machine, short strides
    would cost more than the search.
    """
    k, total = FEW, 0
    for part in parts:
        rest = part
        while rest:
            now, n = monotonic(), min(max(k, total // 20), rest)
            yield n
            total += n
            rest, took = rest - n, monotonic() - now
            if took > 2 * usual:
                k = max(k // 2, FEW)
            elif took < usual and n == k:
                k *= 2


def lasting(seconds: float) -> Iterator[int]:
    """Numbers of dives until `seconds` have passed; the first is one dive."""
    end = monotonic() + seconds
    yield 1
    for k in paced([sys.maxsize], min(seconds / 40, 0.05)):
        if monotonic() >= end:
            return
        yield k


def dives_in(seconds: float) -> int:
    """About the number of dives that a search makes in `seconds`."""
    return max(1, int(10_000 * seconds))


def occasions(least: float = 60, share: float = 0.05) -> Iterator[bool]:
    """True each time that some work is due, which is done before the next value is asked for.

    It is due once in `least` seconds, or so seldom that it takes about a `share` of the time.
    """
    end = monotonic() + least
    while True:
        now = monotonic()
        yield (is_due := now >= end)
        if is_due:
            end = monotonic() + max(least, (monotonic() - now) / share)
