"""Time limits: the only place that looks at the clock."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def within(
    seconds: float, items: Iterable[T], clock: Callable[[], float] = time.monotonic
) -> Iterator[T]:
    """The first of `items`, and those after it, until so many seconds have passed.

    >>> from collections import deque
    >>> from purembts import start_box, trees
    >>> [tree] = deque(within(0.01, trees({}, start_box)), maxlen=1)
    >>> tree[start_box].visits > 0
    True
    """
    end = clock() + seconds
    for item in items:
        yield item
        if clock() >= end:
            return
