"""The positions that can follow from one: the DAG of a game, walked without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from purembts.checks import brief
from purembts.game import E, Game, S, all_events, check_game, checked_moves, endless


def children(game: Game[S, E], state: S) -> Iterator[S]:
    """The positions one move from `state`, after any event, each of them once."""
    events = dict.fromkeys(all_events(game, state))
    return iter(
        dict.fromkeys(move for event in events for move in checked_moves(game, state, event))
    )


def positions(
    game: Game[S, E],
    state: S,
    *,
    skip: Callable[[S], bool] = lambda _: False,
    after: Callable[[Game[S, E], S], Iterator[S]] = children,
) -> Iterator[S]:
    """`state` and every position that can follow it, each once and after all of its children.

    A position for which `skip` is true is left out, and so are its children, unless they follow
    from another one. `after` lists the children. The walk is a loop, so the length of a game is
    limited by memory alone. A position that comes back within a game is a ValueError.
    """
    check_game(game, state)
    is_done: dict[S, bool] = {state: False}
    walk = [] if skip(state) else [(state, after(game, state))]
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
                walk.append((child, after(game, child)))
                break
        else:
            walk.pop()
            is_done[position] = True
            yield position
