"""The limit in Python: the fastest form known of games and dives, for Shut the Box alone.

A box is a bit mask: bit k - 1 is 1 if lever k is up. Nothing here is general, checked or kept: it
measures how far the library is from what the language allows.
"""

from math import inf, sqrt

from pyrsistent import pmap

from purembts.records import Record

FULL = 511
ROLLS = range(2, 13)
THROWS = [a + b for a in range(1, 7) for b in range(1, 7)]


def masks_by_roll():
    """The masks of the levers to shut, by roll; their order is that of the library."""
    subsets = [(0, 0)]
    for lever in range(1, 10):
        subsets += [(m | 1 << (lever - 1), s + lever) for m, s in subsets if s + lever <= 12]
    by_roll = [[] for _ in range(13)]
    for mask, total in subsets:
        by_roll[total].append(mask)
    return by_roll


SHUTS = masks_by_roll()


def frozensets():
    """The box as a set of levers, by mask."""
    boxes = [frozenset()]
    for lever in range(1, 10):
        boxes += [box | {lever} for box in boxes]
    return boxes


# Random games


def linked_by_throw():
    """For each mask, the moves of each of the 36 throws; a move is the same list for its mask."""
    nodes = [[] for _ in range(512)]
    for mask in range(1, 512):
        by_roll = {r: [nodes[mask ^ c] for c in SHUTS[r] if c & mask == c] for r in ROLLS}
        nodes[mask].extend([by_roll[throw] for throw in THROWS])
    return nodes


NODES = linked_by_throw()


def simulate(n, rng):
    """The record of `n` random games from the full box."""
    draw, full, won = rng.random, NODES[FULL], 0
    for _ in range(n):
        node = full
        while node:
            moves = node[int(draw() * 36)]
            if not moves:
                break
            k = len(moves)
            node = moves[int(draw() * k)] if k > 1 else moves[0]
        else:
            won += 1
    return Record(n, (won, n - won))


# A search


class Tally:
    """The visits, the wins and the bound of a box, and its moves for each throw."""

    __slots__ = ("bound", "moves", "node", "visits", "wins")

    def __init__(self, node):
        self.visits = self.wins = 0
        self.bound = inf
        self.node = node
        self.moves = []


def linked_tallies():
    """A tally for each mask. The moves of one throw are tallies too."""
    tallies = [Tally(node) for node in NODES]
    for mask in range(1, 512):
        by_roll = {r: [tallies[mask ^ c] for c in SHUTS[r] if c & mask == c] for r in ROLLS}
        tallies[mask].moves = [by_roll[throw] for throw in THROWS]
    return tallies


def search(dives, rng):
    """The tree after `dives` dives from the full box into an empty tree."""
    tallies = linked_tallies()
    draw, root = rng.random, tallies[FULL]
    for _ in range(dives):
        tally, path = root, [root]
        while tally.visits:
            if not tally.moves:
                won = 1
                break
            moves = tally.moves[int(draw() * 36)]
            if not moves:
                won = 0
                break
            tally = moves[0]
            if len(moves) > 1:
                highest = tally.bound
                for move in moves:
                    if move.bound > highest:
                        highest, tally = move.bound, move
            path.append(tally)
        else:
            node = tally.node
            while node:
                moves = node[int(draw() * 36)]
                if not moves:
                    won = 0
                    break
                k = len(moves)
                node = moves[int(draw() * k)] if k > 1 else moves[0]
            else:
                won = 1
        for tally in path:
            n = tally.visits = tally.visits + 1
            w = tally.wins = tally.wins + won
            tally.bound = (w + 2.0 * sqrt(w * (n - w) / n)) / n if w else 3 / n
    return pmap(
        {
            box: Record(tally.visits, (tally.wins, tally.visits - tally.wins))
            for box, tally in zip(frozensets(), tallies, strict=True)
            if tally.visits
        }
    )
