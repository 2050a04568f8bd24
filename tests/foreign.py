"""Algorithms for the pile of coins that use nothing of the library, not even its rules.

A position is a tuple (coins, player to move). A tree is a dict from positions to a pair (visits,
[score, score]). Each function here is right. `coins` is the same game for the laws.
"""

from math import inf, log, sqrt

from purembts.game import Game


def moves(pile):
    left, player = pile
    return [(left - taken, 1 - player) for taken in (1, 2) if taken <= left]


def result(pile):
    """The player who took the last coin wins."""
    return (1, 0) if pile[1] else (0, 1)


coins = Game(lambda pile, event: moves(pile), result, lambda pile: pile[1], name="coins")


def playout(pile, rng):
    while options := moves(pile):
        pile = options[int(rng.random() * len(options))]
    return result(pile)


def simulate(pile, n, rng):
    results = [playout(pile, rng) for _ in range(n)]
    return n, [sum(column) for column in zip(*results, strict=True)]


def bound(score, visits, total):
    return score / visits + sqrt(2 * log(total) / visits) if visits else inf


def best_move(tree, pile):
    options = [(tree.get(move, (0, [0, 0])), move) for move in moves(pile)]
    total = sum(n for (n, _), _ in options)
    return max(options, key=lambda option: bound(option[0][1][pile[1]], option[0][0], total))[1]


def line(tree, pile):
    """The positions from `pile` to the first that is not in the tree, or to the end."""
    positions = [pile]
    while pile in tree and moves(pile):
        pile = best_move(tree, pile)
        positions.append(pile)
    return positions


def added(tree, positions, scores):
    """A copy of the tree, with one more game in the records of `positions`."""
    grown = dict(tree)
    for position in positions:
        n, sums = grown.get(position, (0, [0, 0]))
        grown[position] = (n + 1, [a + b for a, b in zip(sums, scores, strict=True)])
    return grown


def uct(tree, pile, rng):
    positions = line(tree, pile)
    scores = playout(positions[-1], rng)
    return added(tree, positions, scores), scores


def search(tree, pile, dives, rng):
    for _ in range(dives):
        tree, _ = uct(tree, pile, rng)
    return tree


def policy(history, rng):
    """Epsilon-greedy."""
    if rng.random() < 0.1:
        return int(rng.random() * len(history))
    means = [paid / n if n else inf for n, paid, _ in history]
    return means.index(max(means))


def value(pile):
    """The value for both players: best play loses exactly the multiples of three."""
    left, player = pile
    won = (1, 0) if player == 0 else (0, 1)
    return won if left % 3 else won[::-1]
