"""Reversi and m,n,k-games in compiled loops: the same games, trees and random numbers.

A position becomes words of 64 bits for the loops of `boards`. These have the rules of `games`
alone, so a game with other functions is played in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, NamedTuple, TypeAlias

from purembts.chance import Rng
from purembts.fast import compiled
from purembts.fast.compiled import Dives, Draws, Speed, can_compile, import_loops, is_worthwhile
from purembts.fast.links import Links
from purembts.fast.tallies import SearchPlan
from purembts.game import AnyGame, DefaultPolicy, E, Game, S
from purembts.records import NOTHING, Record, Scores, Tree, merge

_Array: TypeAlias = Any  # of numpy
_loops: Any = None
"""The room `boards`, once it is imported; None before, and False if it cannot be."""


class BoardForm(NamedTuple, Generic[S]):
    """The compiled form of a game, for searches from one position."""

    facts: list[int]
    read: Callable[[S], list[int]]
    """The words of a position."""
    write: Callable[[_Array], Iterable[S]]
    """The positions of rows of words."""


def _reversi(game: AnyGame, state: Any) -> BoardForm[Any] | None:  # noqa: ANN401
    """Reversi on at most 8 by 8 squares, in rows of eight bits."""
    size, new = game.rules.size, partial(tuple.__new__, type(state))
    row = (1 << size) - 1

    def narrow(side: int) -> int:
        return sum([(side >> (size + 1) * r & row) << 8 * r for r in range(size)])

    def wide(sides: _Array) -> list[int]:
        low = sum([(sides >> 8 * r & 255) << (size + 1) * r for r in range(7)])
        last = [rows << 7 * (size + 1) for rows in (sides >> 56).tolist()]
        return [*map(int.__or__, low.tolist(), last)]

    def read(board: Any) -> list[int]:  # noqa: ANN401
        return [board.player, narrow(board.black), narrow(board.white)]

    def write(rows: _Array) -> Iterator[Any]:
        sides = wide(rows[:, 1]), wide(rows[:, 2])
        return map(new, zip(*sides, rows[:, 0].tolist(), strict=True))

    return BoardForm([0, narrow(-1)], read, write) if size <= 8 else None


def _mnk(game: AnyGame, state: Any) -> BoardForm[Any] | None:  # noqa: ANN401
    """An m,n,k-game, with the bits of its boards."""
    if game.result(state)[game.to_move(state)] == 1:
        return None  # a typed board, with a row that came before the last move
    columns, rows, in_a_row, _ = game.rules
    n, new = -(-(columns + 1) * rows // 64), partial(tuple.__new__, type(state))

    def read(board: Any) -> list[int]:  # noqa: ANN401
        sides = [side >> 64 * w & (1 << 64) - 1 for side in board for w in range(n)]
        return [game.to_move(board), *sides]

    def write(rows: _Array) -> Iterator[Any]:
        text, size, step = rows.tobytes(), 8 * n, 8 + 16 * n
        first, second = [
            [int.from_bytes(text[i : i + size], "little") for i in range(at, len(text), step)]
            for at in (8, 8 + size)
        ]
        return map(new, zip(first, second, strict=True))

    return BoardForm([columns, rows, in_a_row, n], read, write)


_FORMS = {
    "purembts.games.reversi": (_reversi, Links[Any, Any]()),
    "purembts.games.mnk": (_mnk, Links[Any, Any]()),
}
"""The compiled forms of the games of a room with a playout of its own, and links without positions,
which have the time of its games in Python."""


def board_speed(policy: DefaultPolicy[S, E], rng: Rng) -> Speed | None:
    """The speed before the first game; None if games by `policy` are never compiled."""
    _, links = _FORMS.get(getattr(policy, "__module__", ""), (None, None))
    return Speed(links) if links is not None and can_compile(rng) else None


def _has_loops() -> bool:
    """True if the compiled loops of boards can be used."""
    global _loops
    _loops = import_loops("boards") if _loops is None else _loops
    return bool(_loops)


def board_form(
    game: Game[S, E], policy: DefaultPolicy[S, E], state: S, n: int, speed: Speed | None
) -> BoardForm[S] | None:
    """The compiled form of `game`, if it has one that is worthwhile for `n` games by `policy`."""
    form, _ = _FORMS.get(getattr(policy, "__module__", ""), (None, None))
    if form is None or speed is None or not is_worthwhile(n, speed, is_new=_loops is None):
        return None
    return form(game, state) if _has_loops() else None


# Random games


@contextmanager
def board_games(
    form: BoardForm[Any] | None, n: int, rng: Rng
) -> Iterator[tuple[DefaultPolicy[Any, Any], Rng] | None]:
    """A policy whose result is the sum of `n` random games, and its generator.

    None if they are not compiled. `rng` goes on after the numbers that were drawn.
    """
    source = compiled.python_generator(rng) if form else None
    if form is None or source is None:
        yield None
        return
    facts = _loops.np.array(form.facts, "uint64").view("int64")
    with compiled.draws_of(source) as draws:
        yield partial(_sum_on_boards, form, facts, n), draws


def _sum_on_boards(
    form: BoardForm[S], facts: _Array, n: int, game: Game[S, E], state: S, draws: Draws
) -> Scores:
    """The sum of the results of `n` random games from `state`."""
    np = _loops.np
    sums, row = np.empty(game.players, "int64"), np.array(form.read(state), "uint64")
    draws.i = _loops.board_playouts(row, facts, n, sums, draws.words, draws.block, draws.i)
    return tuple([x / 2 if x & 1 else x >> 1 for x in sums.tolist()])


def board_record(
    form: BoardForm[S] | None, game: Game[S, E], state: S, n: int, rng: Rng
) -> Record | None:
    """The record of `n` random games from `state`; None if they are not compiled."""
    record = NOTHING
    while record.visits < n:
        part = min(n - record.visits, compiled.BATCH // 10)
        with board_games(form, part, rng) as games:
            if games is None:
                return None
            record = merge(record, Record(part, games[0](game, state, games[1])))
    return record


# Dives


def dives_on_boards(plan: SearchPlan[S, E], form: BoardForm[S], tree: Tree[S]) -> Dives[S] | None:
    """A search from `tree` on boards; None if it cannot be the same.

    It goes on from the tree that it returned last.
    """
    try:
        bounding = compiled.bounding(plan.bound, *plan.game.score_range)
        return partial(_tree_on_boards, plan, form, bounding, [_nodes_of(form, plan.state, tree)])
    except (TypeError, ValueError, AttributeError, ArithmeticError):
        return None  # an unusual bound, record or position


def _nodes_of(form: BoardForm[S], state: S, tree: Tree[S]) -> _Array:
    """The nodes of `state`, which is the first, and of `tree`."""
    states = [*dict.fromkeys((state, *[position for position, _ in tree.items()]))]
    rows = _loops.np.array([form.read(position) for position in states], "uint64")
    nodes = _space(2 * len(states) + 500, 50_000, rows.shape[1])
    n = _loops.put(nodes, rows)
    nodes.visits[:n], nodes.scores[:n] = compiled.sums_of(tree, states, 2)
    return nodes


def _space(n: int, moves: int, width: int) -> _Array:
    """Nodes without positions, with space for `n` of them and for some moves."""
    np = _loops.np
    states, table = np.empty((n, width), "uint64"), np.full(1 << (2 * n).bit_length(), -1, "int32")
    visits, first_move, sizes, *others = [np.zeros(k, "int64") for k in (n, n, 2, n, n)]
    edges = np.empty(moves, "int16"), np.empty(moves, "uint32")
    nodes = states, table, visits, np.zeros((n, 2)), first_move - 1, *others, *edges, sizes
    return _loops.Nodes(*nodes)


def _twice(nodes: _Array) -> _Array:
    """`nodes` with twice the space."""
    n, m = nodes.sizes.tolist()
    larger = _space(2 * len(nodes.states), 2 * len(nodes.codes), nodes.states.shape[1])
    _loops.put(larger, nodes.states[:n])
    for old, new, k in zip(nodes[2:], larger[2:], [*[n] * 5, m, m, 2], strict=True):
        new[:k] = old[:k]
    return larger


def _tree_on_boards(
    plan: SearchPlan[S, E], form: BoardForm[S], bounding: tuple[float, ...], nodes: list[_Array],
    tree: Tree[S], n: int,
) -> Tree[S] | None:  # fmt: skip
    """`tree` after `n` dives. The nodes in the list change."""
    np, before = _loops.np, nodes[0].visits.copy()
    source = compiled.generator_of(plan, before, nodes[0].scores, n)
    if source is None:
        return None
    facts = np.array(form.facts, "uint64").view("int64")
    while n:
        how = min(n, compiled.BATCH // 10), plan.rollouts, facts, bounding, nodes[0]
        with compiled.draws_of(source) as draws:
            done = draws.by(_loops.board_dives, *how)
        if done < how[0]:
            nodes[0] = _twice(nodes[0])
        n -= done
    states, _, visits, scores, *_ = nodes[0]
    old = np.zeros_like(visits)
    old[: len(before)] = before
    at = np.flatnonzero(visits != old)
    return compiled.with_sums(tree, form.write(states[at]), visits[at], scores[at])
