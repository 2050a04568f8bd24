"""Better estimates from a tree: means backed up from the children, and the robust policy.

They use the results of a tree, the known chances of the game, and the worths that are certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import itemgetter

from purembts.game import E, Game, Policy, S, Turn, result_of
from purembts.proving.certain import Known, known_of
from purembts.records import NOTHING, Record, Scores, Tree, as_tree, with_records


def backed_up(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> Tree[S]:
    """`tree` with the records from `state` on replaced: as many visits, and means backed up.

    The mean of a position is that of its children: after each event, the best mean for the player
    to move, averaged over the chances of those events that the tree knows. A position without
    visited children keeps its own record, and a settled position gets its worth. So the results of
    moves that are not the best do not count.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> tree = {Pile(2): Record(3, (1, 2)), Pile(1, 1): Record(1, (0, 1)),
    ...     Pile(0, 1): Record(1, (1, 0))}
    >>> backed_up(last_coin(), tree, Pile(2))[Pile(2)]
    Record(visits=3, scores=(3.0, 0.0))
    """
    tree = as_tree(tree)
    records = {}
    for position, means in _means(tree, known_of(game, tree, state)).items():
        n, scores = tree[position]
        # A record with these means stays as it is: multiplying again would round its scores.
        if n and means != tuple([score / n for score in scores]):
            records[position] = Record(n, tuple([n * mean for mean in means]))
    return with_records(tree, records)


def _means(tree: Tree[S], known: Known[S, E]) -> dict[S, Scores]:
    """The means of each position that is certain, has visits, or has a child with means."""
    means: dict[S, Scores] = {}
    for position in known.turns:
        worth = known.worths.get(position)
        if worth is not None:
            means[position] = tuple(map(float, worth))
            continue
        n, scores = tree[position]
        own = _from_children(known, position, means) or tuple([score / n for score in scores if n])
        if own:
            means[position] = own
    return means


def _from_children(known: Known[S, E], position: S, means: dict[S, Scores]) -> Scores:
    """The means of `position` from those of its children; () if it has no child with means."""
    game, (player, turns) = known.rule.game, known.turns[position]
    sums, total, is_leaf = [0.0] * game.players, 0, True
    for n, moves in turns:
        own = [means[move] for move in moves if move in means]
        if moves and not own:
            continue
        is_leaf = is_leaf and not own
        best = max(own, key=itemgetter(player)) if own else result_of(game, position)
        total += n
        sums = [points + n * mean for points, mean in zip(sums, best, strict=True)]
    return () if is_leaf else tuple([points / total for points in sums])


def robust(game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S) -> Policy[S, E]:
    """The policy of the most visited open move, or of a certain move that is as good, from `state`.

    The best certain move is played if its worth is at least the value of the most visited open one
    by `backed_up`. A move that is not in `tree` counts like one that was always lost, and is better
    than a certain loss. If no move of a turn is in `tree`, the policy is uniformly random. From a
    settled `state` on it is best play. It is the robust child of Chaslot et al. (2008),
    "Progressive strategies for Monte-Carlo tree search", beside moves that are certain.

    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> tree = {Pile(9): Record(9, (5, 4)), Pile(8, 1): Record(3, (3, 0)),
    ...     Pile(7, 1): Record(5, (2, 3))}
    >>> robust(last_coin(), tree, Pile(9))(turn_at(last_coin(), Pile(9), None))
    (Pile(coins=7, player=1),)
    """
    tree = as_tree(tree)
    known = known_of(game, tree, state)
    certain = known.worths
    values: dict[S, Sequence[float | Fraction]] = {**_means(tree, known), **certain}
    lowest, highest = game.score_range

    def rank(move: S, player: int) -> tuple[float | Fraction, bool]:
        # A mean may be above the highest score by rounding.
        value = min(values[move][player], highest) if move in values else lowest
        # Of equals, a certain move comes first; but of losses, one that is not certain.
        return value, (move in certain) != (value == lowest)

    def policy(turn: Turn[S, E]) -> Sequence[S]:
        if not any(move in values for move in turn.moves):
            return turn.moves
        others = [move for move in turn.moves if move in values and move not in certain]
        most = max(others, key=lambda move: (tree.get(move) or NOTHING).visits, default=None)
        left = [move for move in turn.moves if move == most or move not in others]
        return (max(left, key=lambda move: rank(move, turn.player)),)

    return policy
