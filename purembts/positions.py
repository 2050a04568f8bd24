"""The positions that can follow from one: the DAG of a game, walked without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from purembts.checks import brief
from purembts.game import E, Game, S, endless

MOST_EVENTS = 50_000
"""The most events at a position that are listed, as exact values need it. A draw needs no list."""


def all_events(game: Game[S, E], state: S) -> Sequence[E]:
    """The events at `state`, to be listed. ValueError if there are more than `MOST_EVENTS`."""
    events = game.chances(state)
    if len(events) > MOST_EVENTS:
        raise ValueError(
            f"`chances` of {game.name} must have at most {MOST_EVENTS:,} events where all are "
            f"counted; got {len(events):,} at {brief(state)}. A search or a simulation draws them."
        )
    return events


def children(game: Game[S, E], state: S) -> Iterable[S]:
    """The positions one move from `state`, after any event, each of them once."""
    events = dict.fromkeys(all_events(game, state))
    return dict.fromkeys(chain.from_iterable([game.moves(state, event) for event in events]))


def positions(
    game: Game[S, E],
    state: S,
    *,
    skip: Callable[[S], bool] = lambda _: False,
    after: Callable[[Game[S, E], S], Iterable[S]] = children,
) -> Iterator[S]:
    """`state` and every position that can follow it, each once and after all of its children.

    A position for which `skip` is true is left out, and so are its children, unless they follow
    from another one. `after` lists the children. The walk is a loop, so the length of a game is
    limited by memory alone. A position that comes back within a game is a ValueError.
    """
    is_done: dict[S, bool] = {state: False}
    walk = [] if skip(state) else [(state, iter(after(game, state)))]
    while walk:
        position, rest = walk[-1]
        if len(walk) > game.max_turns:
            raise endless(game, position)
        for child in rest:
            if not is_done.get(child, True):
                raise ValueError(
                    f"The positions of {game.name} must not come back within a game; "
                    f"got {brief(child)} again after {brief(position)}."
                )
            if child not in is_done and not skip(child):
                is_done[child] = False
                walk.append((child, iter(after(game, child))))
                break
        else:
            walk.pop()
            is_done[position] = True
            yield position
