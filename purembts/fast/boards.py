"""The loops that numba compiles for Reversi and m,n,k-games: positions as words of 64 bits.

`mcts.uct` specifies the dives, and the playouts of `games` the random games. The first word of a
position is the player to move, and the bits of both players follow. The first fact of a game is 0
for Reversi, and else the columns of an m,n,k-game.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import int64, uint64

from purembts.fast.kernel import DRAWS, INDICES, NUMBERS, TABLE, Array, Word, best_move, loop, twist
from purembts.fast.kernel import compile_loops as compile_loops
from purembts.fast.kernel import keep as keep

_WORDS, _ROWS = np.zeros(0, np.uint64), np.zeros((0, 0), np.uint64)


# Dives


class Nodes(NamedTuple):
    """The positions of a search and their moves, in arrays with space for more."""

    states: Array
    table: Array  # the number of each position, at a place that follows from its words; or -1
    visits: Array
    scores: Array
    first_move: Array  # of each position; -1 before its moves are listed
    width: Array  # the number of its moves, as the rules return it
    tried: Array  # the number of its moves that have had visits
    codes: Array  # of each move, and the number of its position once it is tried
    moves: Array
    sizes: Array  # the number of positions, and that of moves


_NO_NODES = Nodes(
    _ROWS, np.zeros(0, np.int32), NUMBERS, TABLE, NUMBERS, NUMBERS, NUMBERS,
    np.zeros(0, np.int16), INDICES, NUMBERS,
)  # fmt: skip


@loop()
def _number_of(nodes: Nodes, state: Array) -> Word:
    """The number of `state`, which gets the next one if it is new; -1 if there is no space."""
    mask, key = uint64(len(nodes.table) - 1), uint64(0x9E3779B97F4A7C15)
    for word in state:
        key = (key ^ word) * uint64(0xBF58476D1CE4E5B9)
        key ^= key >> uint64(31)
    place, n = key & mask, nodes.sizes[0]
    while nodes.table[place] >= 0:
        if (nodes.states[nodes.table[place]] == state).all():
            return int64(nodes.table[place])
        place = (place + uint64(1)) & mask
    if n == len(nodes.states):
        return -1
    nodes.table[place], nodes.states[n], nodes.sizes[0] = n, state, n + 1
    return int64(n)


@loop(_NO_NODES, _ROWS)
def put(nodes: Nodes, states: Array) -> Word:
    """Put `states` into the arrays, and return the number of positions in them."""
    for k in range(len(states)):
        _number_of(nodes, states[k])
    return int64(nodes.sizes[0])


# Reversi. The discs of a player are a word with eight bits for each row.

_ALL, _INNER = uint64(0xFFFFFFFFFFFFFFFF), uint64(0x7E7E7E7E7E7E7E7E)
_DIRECTIONS = ((uint64(1), _INNER), (uint64(7), _INNER), (uint64(8), _ALL), (uint64(9), _INNER))
"""The distance between neighbours in four directions, and the squares that a line goes through."""


@loop()
def _rows_beside(begin: Word, others: Word, step: Word, inner: Word) -> tuple[Word, Word]:
    """The rows of `others` beside `begin`, in one direction and in the opposite one."""
    others &= inner
    up, down = others & (begin << step), others & (begin >> step)
    for _ in range(5):
        up |= others & (up << step)
        down |= others & (down >> step)
    return up, down


@loop()
def _targets(discs: Word, others: Word, facts: Array) -> Word:
    """The squares where a disc beside `discs` turns over at least one of `others`."""
    ends = uint64(0)
    for step, inner in _DIRECTIONS:
        up, down = _rows_beside(discs, others, step, inner)
        ends |= (up << step) | (down >> step)
    return ends & uint64(facts[1]) & ~(discs | others)


@loop()
def _after_disc(discs: Word, others: Word, square: Word) -> tuple[Word, Word]:
    """The discs of both players after one of the first on a square."""
    bit = uint64(1) << uint64(square)
    flips = bit
    for step, inner in _DIRECTIONS:
        up, down = _rows_beside(bit, others, step, inner)
        if (up << step) & discs:
            flips |= up
        if (down >> step) & discs:
            flips |= down
    return discs | flips, others & ~flips


@loop()
def _list(squares: Word, out: Array) -> Word:
    """Write the numbers of `squares` to `out`, and return how many there are."""
    n = 0
    for square in range(64):
        out[n] = square
        n += (squares >> uint64(square)) & uint64(1) > uint64(0)
    return n


@loop()
def _bit_count(bits: Word) -> Word:
    """The number of bits that are set."""
    count = 0
    while bits:
        bits &= bits - uint64(1)
        count += 1
    return count


@loop()
def _doubled(first: Word, second: Word) -> Word:
    """The score of the player with the first number, doubled."""
    if first == second:
        return 1
    return 2 if first > second else 0


@loop()
def _reversi_moves(state: Array, facts: Array, codes: Array) -> Word:
    """Write the squares of the moves, or 64 for a pass. It returns what `_list_moves` does."""
    player = int64(state[0])
    discs, others = state[1 + player], state[2 - player]
    n = _list(_targets(discs, others, facts), codes)
    if n == 0 and _targets(others, discs, facts):
        codes[0], n = 64, 1
    return n or -_doubled(_bit_count(state[1]), _bit_count(state[2]))


@loop()
def _random_reversi(
    state: Array, facts: Array, words: Array, block: Array, i: Word
) -> tuple[Word, Word]:
    """The score of the first player, doubled, and the next index in `block`."""
    player, passes, free = int64(state[0]), 0, np.empty(65, np.int64)
    discs, others = state[1 + player], state[2 - player]
    count = _list(uint64(facts[1]) & ~(discs | others), free)
    while passes < 2:
        targets, untried, is_put = _targets(discs, others, facts), count, False
        passes += 1
        while untried and not is_put:
            if i >= len(block):
                twist(words, block)
                i = 0
            j = int64(block[i] * untried)
            i += 1
            square = free[j]
            untried -= 1
            if (targets >> uint64(square)) & uint64(1):
                discs, others = _after_disc(discs, others, square)
                count -= 1
                free[j], is_put, passes = free[count], True, 0
            else:
                free[j], free[untried] = free[untried], square
        discs, others, player = others, discs, 1 - player
    score = _doubled(_bit_count(discs), _bit_count(others))
    return (2 - score if player else score), i


# m,n,k-games. The facts are the columns, the rows, the stones in a row, and the words of a player.
# The code of a square has its row above eight bits with its column.


@loop()
def _put_stone(lines: Array, in_a_row: Word, square: Word) -> Word:
    """True if a stone on `square` completes a row. It is put into the lines of its player."""
    row, column = square >> 8, square & 255
    across, down = uint64(1) << uint64(column), uint64(1) << uint64(row)
    lines[row] |= across
    lines[40 + column] |= down
    lines[80 + row + column] |= down
    lines[160 + row - column] |= down
    a, b = lines[row], lines[40 + column]
    c, d, length = lines[80 + row + column], lines[160 + row - column], 1
    while length < in_a_row:  # as in `games.mnk._wins`
        more = min(length, in_a_row - length)
        length, shift = length + more, uint64(more)
        a, b, c, d = a & a >> shift, b & b >> shift, c & c >> shift, d & d >> shift
    return (a | b | c | d) != 0


@loop()
def _lay_out(state: Array, facts: Array, free: Array) -> tuple[Array, Word, Word]:
    """The lines of both players, the number of free squares, which it writes, and the winner."""
    columns, rows, in_a_row, n = facts
    lines, count, winner = np.zeros((2, 200), np.uint64), 0, -1
    for row in range(rows):
        for column in range(columns):
            square, place = row << 8 | column, row * (columns + 1) + column
            w, shift = 1 + (place >> 6), uint64(place & 63)
            free[count] = square
            if (state[w] >> shift) & uint64(1):
                winner = 0 if _put_stone(lines[0], in_a_row, square) else winner
            elif (state[w + n] >> shift) & uint64(1):
                winner = 1 if _put_stone(lines[1], in_a_row, square) else winner
            else:
                count += 1
    return lines, count, winner


@loop()
def _mnk_moves(state: Array, facts: Array, codes: Array) -> Word:
    """Write the squares of the moves. It returns what `_list_moves` does."""
    _, n, winner = _lay_out(state, facts, codes)
    return 2 * winner - 2 if winner >= 0 else n or -1


@loop()
def _random_mnk(
    state: Array, facts: Array, words: Array, block: Array, i: Word
) -> tuple[Word, Word]:
    """The score of the first player, doubled, and the next index in `block`."""
    player, free = int64(state[0]), np.empty(1000, np.int64)
    lines, count, winner = _lay_out(state, facts, free)
    while count and winner < 0:
        for left in range(count, max(0, count - 32), -1):  # a block is drawn to its end
            if i >= len(block):
                twist(words, block)
                i = 0
            j = int64(block[i] * left)
            i += 1
            square = free[j]
            free[j] = free[left - 1]
            if winner < 0:
                winner = player if _put_stone(lines[player], facts[2], square) else -1
                player = 1 - player
        count = max(0, count - 32)
    return (1 if winner < 0 else 2 - 2 * winner), i


# Both


@loop()
def _play(state: Array, facts: Array, code: Word, after: Array) -> None:
    """Write the position after the move of a code."""
    player = int64(state[0])
    after[:] = state
    after[0] = 1 - player
    if facts[0]:
        place = (code >> 8) * (facts[0] + 1) + (code & 255)
        after[1 + player * facts[3] + (place >> 6)] |= uint64(1) << uint64(place & 63)
    elif code < 64:
        sides = _after_disc(state[1 + player], state[2 - player], code)
        after[1 + player], after[2 - player] = sides


@loop()
def _list_moves(state: Array, facts: Array, codes: Array) -> Word:
    """Write the codes of the moves, and return how many there are.

    Where the game has ended, it returns 0 to -2: minus the score of the first player, doubled.
    """
    if facts[0]:
        return _mnk_moves(state, facts, codes)
    return _reversi_moves(state, facts, codes)


@loop(_WORDS, NUMBERS, 0, NUMBERS, *DRAWS)
def board_playouts(
    state: Array, facts: Array, n: Word, sums: Array, words: Array, block: Array, i: Word
) -> Word:
    """Write the sums of the scores of `n` random games, doubled. It returns the next index."""
    sums[0] = 0
    for _ in range(n):
        if facts[0]:
            score, i = _random_mnk(state, facts, words, block, i)
        else:
            score, i = _random_reversi(state, facts, words, block, i)
        sums[0] += score
    sums[1] = 2 * n - sums[0]
    return i


@loop(0, 0, NUMBERS, (True, 0.0, 0.0, 0.0), _NO_NODES, *DRAWS)
def board_dives(
    n: Word, rollouts: Word, facts: Array, bounding: tuple[bool, float, float, float], nodes: Nodes,
    words: Array, block: Array, i: Word,
) -> tuple[Word, Word]:  # fmt: skip
    """Make at most `n` dives from position 0. It returns their number, and the next index.

    They end where the arrays have no space. A dive draws nothing before it has its leaf, so the
    same dive can begin again.
    """
    states, _, visits, scores, first_move, width, tried, codes, moves, sizes = nodes
    path, out, sums = np.empty(1000, np.int64), np.empty(1000, np.int64), np.empty(2, np.int64)
    after = np.empty_like(states[0])
    for dive in range(n):
        p, depth = 0, 0
        while True:  # select
            path[depth] = p
            depth += 1
            if visits[p] == 0:
                break
            if first_move[p] < 0:
                width[p], m = _list_moves(states[p], facts, out), sizes[1]
                k = max(width[p], 0)
                if m + k > len(codes):
                    return dive, i
                first_move[p], codes[m : m + k], sizes[1] = m, out[:k], m + k
            m, k, is_new = first_move[p], width[p], False
            if k <= 0:
                break
            while tried[p] < k and not is_new:
                j = m + tried[p]
                _play(states[p], facts, int64(codes[j]), after)
                child = _number_of(nodes, after)
                if child < 0:
                    return dive, i
                moves[j], is_new = child, visits[child] == 0
                tried[p] += not is_new
            if not is_new:
                j = best_move(moves, bounding, visits, scores, int64(states[p, 0]), m, k)
            p = moves[j]
        if visits[p] == 0:  # expand, and simulate
            i = board_playouts(states[p], facts, rollouts, sums, words, block, i)
        else:
            sums[0] = -rollouts * width[p]
        for d in range(depth):  # backpropagate
            visits[path[d]] += rollouts
            scores[path[d], 0] += sums[0] / 2
            scores[path[d], 1] += rollouts - sums[0] / 2
    return n, i
