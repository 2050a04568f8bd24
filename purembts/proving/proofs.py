"""Many dives of `settling.settle`."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice, repeat
from typing import Any

from purembts.bounds import AnyBound, ucb1
from purembts.chance import Rng
from purembts.checks import at_least_one
from purembts.game import DefaultPolicy, E, Game, S, playout
from purembts.proving.settling import settlings
from purembts.records import Record, Tree


def settle_search(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    dives: int,
    rng: Rng = random,
    *,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    remember: int | None = None,
) -> Tree[S]:
    """The tree after `dives` dives of `settling.settle`, or fewer if `state` is settled before.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> tree = settle_search(last_coin(), {}, Pile(21), 1000, random.Random(7))
    >>> tree[Pile(21)].visits
    5
    """
    how: Any = {"bound": bound, "default_policy": default_policy, "remember": remember}
    k = [at_least_one(dives, "dives")]
    *_, grown = settle_strides(game, tree, state, k, rng, **how)
    return grown


def settle_strides(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    k: int | Iterable[int],
    rng: Rng = random,
    *,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    remember: int | None = None,
) -> Iterator[Tree[S]]:
    """The trees after 0, k, 2 k, ... dives of `settling.settle`, until `state` is settled.

    They are trees of `settling.settlings`, and the last one is the one that settles `state`. If `k`
    is an iterable, it has the number of dives of each stride.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> trees = settle_strides(last_coin(), {}, Pile(5), 2, random.Random(7))
    >>> [len(tree) for tree in trees]
    [0, 8, 9]
    """
    lengths = k if isinstance(k, Iterable) else repeat(at_least_one(k, "k"))
    how: Any = {"bound": bound, "default_policy": default_policy, "remember": remember}
    dives = settlings(game, tree, state, rng, **how)
    yield next(dives)
    for n in lengths:
        taken = list(islice(dives, n))
        if taken:
            yield taken[-1]
        if len(taken) < n:
            return
