"""The random games of Big Two that numba compiles. The playout of `games.big_two` specifies them.

The words of a position are the player to move, the size and order of the lead (0 without one), the
number of passes, and the four hands. The facts are what a loser pays with 0 to 13 cards left, and
the plays of the first hands of a search: where those of each hand begin, then the sizes and orders
of all plays, and then their cards.
"""

from __future__ import annotations

import numpy as np

from purembts.fast.boards import PLAYOUTS, bit_count
from purembts.fast.kernel import Array, Word, loop, twist
from purembts.fast.kernel import compile_loops as compile_loops
from purembts.fast.kernel import keep as keep

_DECK = (1 << 52) - 1
_ORDERS = (1 << 16) - 1
"""The bits of the order of a play; its size has those above."""


@loop()
def _remaining(orders: Array, plays: Array, n: Word, hand: Word) -> Word:
    """The number of those of the first `n` plays that `hand` has; the others are removed."""
    count = 0
    for j in range(n):
        orders[count], plays[count] = orders[j], plays[j]
        count += plays[j] & ~hand == 0
    return count


@loop()
def _random_hands(
    state: Array, hands: Array, firsts: Array, counts: Array, orders: Array, plays: Array,
    words: Array, block: Array, i: Word,
) -> Word:  # fmt: skip
    """Play a random game, at whose end `hands` are left: the next index in `block`."""
    player, lead, passes = np.int64(state[0]), np.int64(state[1]), np.int64(state[2])
    opens = hands.sum() == _DECK
    while hands.all():
        first, j = firsts[player], np.int64(0)
        end = first + counts[player]
        low, high = first, end
        if lead:
            low += np.searchsorted(orders[first:end], lead, side="right")
            high = low + np.searchsorted(orders[low:end], lead | _ORDERS, side="right")
        k = high - low + (lead > 0)  # with the pass
        if opens:  # the first play has the lowest card
            options = np.flatnonzero(plays[first:end] & 1)
            k = len(options)
        if k > 1:
            if i >= block.size:
                twist(words, block)
                i = 0
            j = np.int64(block[i] * k)
            i += 1
        if opens:
            j, opens = options[j], False
        j += low
        if lead and j == high:
            passes += 1
            if passes == 3:
                lead, passes = np.int64(0), np.int64(0)
        else:
            lead, passes = orders[j], np.int64(0)
            hands[player] ^= plays[j]
            n = end - first
            counts[player] = _remaining(orders[first:end], plays[first:end], n, hands[player])
        player = (player + 1) & 3
    return i


@loop(*PLAYOUTS)
def hand_playouts(
    state: Array, facts: Array, n: Word, sums: Array, words: Array, block: Array, i: Word
) -> Word:
    """Write the sums of the scores of `n` random games, doubled: the next index in `block`."""
    pays, firsts, codes, counts = facts[:14], facts[14:19], facts[19:], np.empty(4, np.int64)
    orders, plays = codes[: firsts[4]].copy(), codes[firsts[4] :].copy()
    hands = state[3:].astype(np.int64)
    for p in range(4):
        first = firsts[p]
        counts[p] = _remaining(orders[first:], plays[first:], firsts[p + 1] - first, hands[p])
    sums[:] = 0
    for _ in range(n):
        left, copies = hands.copy(), (counts.copy(), orders.copy(), plays.copy())
        i = _random_hands(state, left, firsts, *copies, words, block, i)
        winner = left.argmin()  # without cards
        for p in range(4):
            lost = 2 * pays[bit_count(np.uint64(left[p]))]
            sums[p] -= lost
            sums[winner] += lost
    return i
