"""The positions that can follow from one: the DAG of a game, walked without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import lcm
from typing import Any

from purembts.checks import brief
from purembts.game import E, Game, S, check_game, checked_moves, endless, events_of


def children(game: Game[S, E], state: S) -> Iterator[S]:
    """The positions one move from `state`, after any event, each of them once."""
    events = dict.fromkeys(events_of(game, state))
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


END: Any = ("the game ends",)
"""It stands for the end of the game among the ways that the game can go."""


def shares(ways: Iterable[tuple[int, Sequence[S]]]) -> dict[Any, int]:
    """The weight of each position, and of `END`, in games that go one of these ways.

    A way has the number of events that lead to it, and its equally likely moves; without moves the
    game ends. The weights are whole numbers, proportional to the probabilities.

    >>> shares([(1, "ab"), (2, "b"), (3, "")])
    {'a': 1, 'b': 5, ('the game ends',): 6}
    """
    kept = list(ways)
    common = lcm(*[len(moves) for _, moves in kept if moves])
    weights: dict[Any, int] = {}
    for times, moves in kept:
        for move in moves or (END,):
            weights[move] = weights.get(move, 0) + times * common // (len(moves) or 1)
    return weights
