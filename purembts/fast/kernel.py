"""The loops that numba compiles: random games and dives on positions that are numbers.

`game.plain_playout` and `mcts.uct` specify them. `compiled` alone imports this room, once it pays.
The random numbers are those of Python: the Mersenne Twister of Matsumoto and Nishimura (1998).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from math import inf, log, sqrt
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
from numba import njit, typeof
from numpy import int64, uint32

from purembts.fast import curves

Array: TypeAlias = np.ndarray[Any, Any]
Word: TypeAlias = Any  # 64 bits, with or without a sign
F = TypeVar("F", bound=Callable[..., Any])


class Tables(NamedTuple):
    """The positions, events and moves of a game, numbered in the order of the positions."""

    first_event: Array  # of each position, and of one more
    first_move: Array  # of each event, like the number of its moves
    moves_after: Array
    moves: Array  # the position of each move
    player: Array  # of each position, like what is added up if the game ends there
    gains: Array


INDICES: Array = np.zeros(0, uint32)
NUMBERS: Array = np.zeros(0, int64)
FLOATS: Array = np.zeros(0)
TABLE: Array = np.zeros((0, 0))
DRAWS = INDICES, FLOATS, 0
"""Examples of arrays; and of a generator: its words, its next numbers, and an index in these."""

_loops: list[tuple[Any, tuple[Any, ...]]] = []


def loop(*examples: object) -> Callable[[F], F]:
    """A decorator that compiles a function, which runs beside other threads.

    It is compiled for arguments of the types of `examples`, or with none for those of other loops.
    """

    def made(function: F) -> F:
        _loops.append((njit(nogil=True)(function), examples))
        return cast("F", _loops[-1][0])

    return made


def keep(room: str) -> bool:
    """Keep the compiled loops of a room on the disk. True if they are there already."""
    loops = [one for one, _ in _loops if one.py_func.__module__ in {room, curves.__name__}]
    for one in loops:
        one.enable_caching()
    kept = f"{room.rpartition('.')[2]}.{loops[-1].py_func.__name__}-*.nbi"
    return any(Path(loops[-1].stats.cache_path).glob(kept))


def compile_loops() -> None:
    """Compile all loops that have examples."""
    for one, examples in _loops:
        if examples and not one.signatures:
            one.compile(tuple(map(typeof, examples)))


_COUNTS, _SUMS = array("q"), array("d")
_ROWS = _COUNTS, _COUNTS, _COUNTS, _SUMS, _COUNTS, _COUNTS, _COUNTS, _COUNTS
_FILLS = (curves.fill_values, 2), (curves.fill_means, 4)
COMPILED: dict[Any, Any] = {fill: loop(*_ROWS, *[_SUMS] * n)(fill) for fill, n in _FILLS}
"""The compiled forms of loops of other rooms."""


@loop()
def _tempered(y: int) -> int:
    """32 random bits, from a word of the twister."""
    y ^= y >> 11
    y ^= (y << 7) & 0x9D2C5680
    y ^= (y << 15) & 0xEFC60000
    return y ^ (y >> 18)


@loop(INDICES, FLOATS)
def temper(words: Array, block: Array) -> None:
    """Fill `block` with the 312 random numbers of 624 words."""
    for i in range(block.size):
        a, b = _tempered(words[2 * i]) >> 5, _tempered(words[2 * i + 1]) >> 6
        block[i] = (a * 67108864.0 + b) * (1.0 / 9007199254740992.0)


@loop(INDICES, FLOATS)
def twist(words: Array, block: Array) -> None:
    """Make the next words, and fill `block` with their random numbers."""
    for k in range(624):
        y = (words[k] & 0x80000000) | (words[k + 1 if k < 623 else 0] & 0x7FFFFFFF)
        far = words[k - 227]  # also before the first word, from the end
        words[k] = far ^ (y >> 1) ^ (0x9908B0DF if y & 1 else 0)
    temper(words, block)


# Each loop has the index of the next random number in a local variable. A function that keeps it
# takes twice as long for a game.


@loop()
def _end(
    first_event: Array, first_move: Array, moves_after: Array, moves: Array, p: int,
    words: Array, block: Array, i: int,
) -> tuple[int, int]:  # fmt: skip
    """The position where a random game from `p` ends, and the next index in `block`."""
    while True:
        e = first_event[p]
        n = first_event[p + 1] - e
        if n > 1:
            if i >= block.size:
                twist(words, block)
                i = 0
            e += uint32(block[i] * n)
            i += 1
        m, n = first_move[e], moves_after[e]
        if n == 0:
            return p, i
        if n > 1:
            if i >= block.size:
                twist(words, block)
                i = 0
            m += uint32(block[i] * n)
            i += 1
        p = moves[m]


_TABLES = Tables(INDICES, INDICES, INDICES, INDICES, INDICES, TABLE)


@loop(0, _TABLES, 0, NUMBERS, INDICES, 0, *DRAWS)
def play_games(
    n: int, tables: Tables, p: int, counts: Array, ends: Array, n_ends: int,
    words: Array, block: Array, i: int,
) -> tuple[int, int]:  # fmt: skip
    """Play `n` random games from `p`, and count those that end in each position.

    It returns the number of `ends`, positions in the order in which they were found, and the next
    index in `block`.
    """
    first_event, first_move, moves_after, moves, _, _ = tables
    for _ in range(n):
        end, i = _end(first_event, first_move, moves_after, moves, p, words, block, i)
        if counts[end] == 0:
            ends[n_ends] = end
            n_ends += 1
        counts[end] += 1
    return n_ends, i


@loop()
def best_move(
    moves: Array, bounding: tuple[bool, float, float, float], visits: Array, scores: Array,
    player: Word, m: Word, n: Word,
) -> Word:  # fmt: skip
    """Of the `n` moves from `m` on, the first without visits, or else the first of the best.

    The bound is the workshop's with z, or UCB1 with c, operation by operation as in `bounds`.
    """
    is_wald, constant, low, span = bounding
    best, most, total, scale = m, -inf, 0, 0.0
    for j in range(m, m + n):
        if visits[moves[j]] == 0:
            return j
        total += visits[moves[j]]
    if not is_wald:
        scale = constant * sqrt(log(total))
    for j in range(m, m + n):
        visited = visits[moves[j]]
        score = scores[moves[j], player]
        if span != 1.0 or low != 0.0:
            score = (score - visited * low) / span
        spread = score * (visited - score)
        if not is_wald:
            bound = score / visited + scale * sqrt(1 / visited)
        elif score <= 0:
            bound = 3 / visited
        elif spread > 0:
            bound = (score + constant * sqrt(spread / visited)) / visited
        else:
            bound = score / visited
        if bound > most:
            best, most = j, bound
    return best


@loop(0, 0, _TABLES, 0, (True, 0.0, 0.0, 0.0), NUMBERS, TABLE, INDICES, FLOATS, *DRAWS)
def dives(
    n: int, rollouts: int, tables: Tables, first: int, bounding: tuple[bool, float, float, float],
    visits: Array, scores: Array, path: Array, result: Array, words: Array, block: Array, i: int,
) -> tuple[int, int]:  # fmt: skip
    """Make `n` dives from `first`. It returns `n`, and the next index in `block`."""
    first_event, first_move, moves_after, moves, player, gains = tables
    for _ in range(n):
        p, depth = first, 0
        while True:  # select
            path[depth] = p
            depth += 1
            if visits[p] == 0:
                break
            e = first_event[p]
            k = first_event[p + 1] - e
            if k > 1:
                if i >= block.size:
                    twist(words, block)
                    i = 0
                e += uint32(block[i] * k)
                i += 1
            m, k = first_move[e], moves_after[e]
            if k == 0:
                break
            if k > 1:
                m = best_move(moves, bounding, visits, scores, player[p], m, k)
            p = moves[m]
        result[:] = 0
        is_new = visits[p] == 0  # expand
        for _ in range(rollouts):  # simulate
            end = p
            if is_new:
                end, i = _end(first_event, first_move, moves_after, moves, p, words, block, i)
            for c in range(result.size):
                result[c] += gains[end, c]
        for d in range(depth):  # backpropagate
            visits[path[d]] += rollouts
            for c in range(result.size):
                scores[path[d], c] += result[c]
    return n, i
