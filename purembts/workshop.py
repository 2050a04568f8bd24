"""The functions of the workshop, in the order of its tasks.

James Vanderhyde, "Monte Carlo Tree Search with Clojure", 26 July 2017. Task 1 is the coin and the
darts. Tasks 2 to 13 are Shut the Box, whose rules are in `games.shut_the_box`. Most functions here
check their arguments and call a generic function of another module. The usual game, the full box
and the workshop's bound are the defaults.
"""

from __future__ import annotations

import builtins
import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial, reduce
from math import inf
from typing import Any, Literal, TypeAlias

from pyrsistent import PMap, pmap

from purembts import exact, mcts, records, simulation
from purembts.bounds import Bound, ucb_wald, wald_with
from purembts.chance import Executor, Rng, pick, repeatedly
from purembts.checks import an_rng, at_least_one, brief, not_negative
from purembts.fast import engine
from purembts.game import Game, playout
from purembts.games.shut_the_box import (
    USUAL,
    Box,
    Levers,
    Roll,
    Rules,
    best_move,
    box_or_full,
    box_to_str,
    boxes,
    canonical,
    checked_box,
    checked_roll,
    combinations,
    full_box,
    roll_counts,
    rolls,
    shut_the_box,
    simple_game,
    simple_start,
    throws,
)
from purembts.records import Record, Scores, checked_record

Tree: TypeAlias = records.Tree[Box] | dict[Box, Record]
"""The records of a search: a map from box to record."""
FullTree: TypeAlias = PMap[tuple[Box, Roll], Fraction]
"""The complete game tree of task 12: a map from box and roll to the probability to win."""

USUAL_Z: float = 2.0


# Task 1: the coin and the darts

Flip: TypeAlias = Literal["heads", "tails"]

HEADS: Flip = "heads"
TAILS: Flip = "tails"

Dart: TypeAlias = tuple[float, float]
"""The point where a dart hit: x and y, each from -1 to 1."""


def flip_coin(rng: Rng = random) -> Flip:
    """Heads or tails, each with probability 1/2.

    >>> flip_coin(random.Random(7))
    'heads'
    """
    return pick((HEADS, TAILS), an_rng(rng))


def is_heads(flip: Flip) -> bool:
    """True if `flip` is heads, which wins."""
    return flip == HEADS


def throw_dart(rng: Rng = random) -> Dart:
    """A uniformly random point of the square from -1 to 1 in both directions."""
    an_rng(rng)
    return rng.random() * 2 - 1, rng.random() * 2 - 1


def in_circle(dart: Dart) -> bool:
    """True if `dart` is inside the circle of radius 1, which wins.

    >>> in_circle((0.6, 0.7)), in_circle((0.8, 0.7))
    (True, False)
    """
    x, y = dart
    return x * x + y * y < 1


def estimate_pi(n: int, rng: Rng = random) -> float:
    """Four times the share of `n` darts that are inside the circle, an estimate of pi.

    >>> estimate_pi(10_000, random.Random(7))
    3.1404
    """
    darts = repeatedly(at_least_one(n, "n"), lambda: throw_dart(rng))
    return 4 * sum(map(in_circle, darts)) / n


# Tasks 2 and 3: the box and the dice

start_box: Box = full_box()
"""The box with all nine levers up."""
sample_box: Box = canonical(start_box - {1, 3, 6})
"""The box with levers 1, 3 and 6 down."""
easy_box: Box = canonical(frozenset({7}))
"""The box with only lever 7 up, which wins one game in six."""
all_boxes: tuple[Box, ...] = boxes()
"""All 512 boxes, the shut one first."""


def dice_roll(rng: Rng = random, *, box: Box | None = None, rules: Rules = USUAL) -> int:
    """The total of a random throw of the dice: 2 to 12 with two dice.

    The 36 throws of two dice are equally likely, so the totals are not. `box` is needed only if
    `rules.one_die_end` is True.

    >>> dice_roll(random.Random(7))
    8
    """
    return pick(throws(box_or_full(box, rules), rules=rules), an_rng(rng))


# Tasks 4 to 7: the simplified game


def play_simple_game(box: Box, rng: Rng = random) -> Scores:
    """The result of a simplified game from `box`, `WIN` or `LOSS`."""
    return playout(simple_game, checked_box(box, USUAL), an_rng(rng))


def simulate_simple_game(n: int, box: Box | None = None, rng: Rng = random) -> Record:
    """The record of `n` simplified games from `box`, by default from `simple_start`."""
    start = simple_start if box is None else checked_box(box, USUAL)
    return simulation.simulate(simple_game, start, n, an_rng(rng))


# Task 8: the real game

lever_combinations: tuple[tuple[Levers, ...], ...] = combinations()
"""The sets of levers that add up to each roll; the roll is the index."""


def play_game(box: Box, rng: Rng = random, *, rules: Rules = USUAL) -> Scores:
    """The result of a random game from `box`, `WIN` or `LOSS`. All moves are equally likely."""
    return playout(shut_the_box(rules), checked_box(box, rules), an_rng(rng))


def simulate(n: int, box: Box | None = None, rng: Rng = random, *, rules: Rules = USUAL) -> Record:
    """The record of `n` random games from `box`, by default from the full box.

    >>> simulate(1000, easy_box, random.Random(7))
    Record(visits=1000, scores=(156, 844))
    """
    game, box = shut_the_box(rules), box_or_full(box, rules)
    return simulation.simulate(game, box, n, an_rng(rng))


def simulate_crowd(
    n: int, box: Box | None = None, rng: Rng = random, *, rules: Rules = USUAL
) -> Record:
    """The record of `n` random games, computed in a time that does not depend on `n`.

    It has the same distribution as the record of `simulate`.

    >>> crowd = simulate_crowd(10**15, rng=random.Random(7))
    >>> f"{crowd.scores[0] / crowd.visits:.7f}"  # exactly 0.0203935
    '0.0203935'
    """
    game, box = shut_the_box(rules), box_or_full(box, rules)
    return simulation.simulate_crowd(game, box, n, an_rng(rng))


def simulate_parallel(
    n: int,
    box: Box | None = None,
    *,
    seed: int | str,
    chunks: int,
    executor: Executor = builtins,
    rules: Rules = USUAL,
) -> Record:
    """The record of `n` random games, in `chunks` parts that `executor` can run in parallel.

    >>> simulate_parallel(1000, easy_box, seed=7, chunks=4)
    Record(visits=1000, scores=(164, 836))
    """
    game, box = shut_the_box(rules), box_or_full(box, rules)
    return simulation.simulate_parallel(game, box, n, seed=seed, chunks=chunks, executor=executor)


# Task 10: the look-up table


def look_up_table(n: int, rng: Rng = random, *, rules: Rules = USUAL) -> PMap[Box, Record]:
    """A map from every box to the record of `n` random games from it."""
    return simulation.look_up_table(shut_the_box(rules), boxes(rules=rules), n, an_rng(rng))


# Task 11: Monte Carlo tree search


def ucb(record: Record | None, *, z: float = USUAL_Z) -> float:
    """The workshop's upper confidence bound on the wins of `record`; infinite without visits.

    `bounds.ucb_wald` has the formula. It can be higher than 1.

    >>> round(ucb(Record(10, (1, 9))), 3), round(ucb(Record(100, (23, 77))), 3)
    (0.29, 0.314)
    """
    not_negative(z, "z")
    if record is None or not checked_record(record).visits:
        return inf
    wins, n = record.scores[0], record.visits
    if not 0 <= wins <= n:
        raise ValueError(f"The wins must be from 0 to the number of visits, {n}; got {wins}.")
    return wald_with(z)(wins, n)


def uct(
    tree: Tree, box: Box, rng: Rng = random, *, z: float = USUAL_Z, rules: Rules = USUAL
) -> tuple[records.Tree[Box], Scores]:
    """One dive into `tree` from `box`: the new tree, and the result. `tree` does not change.

    Begin with the empty tree `{}`. The dive goes to the move with the highest `ucb` for this `z`.

    >>> uct({}, easy_box, random.Random(7))
    (pmap({frozenset({7}): Record(visits=1, scores=(0, 1))}), (0, 1))
    """
    game, tree, box = shut_the_box(rules), _checked_tree(tree), checked_box(box, rules)
    return mcts.uct(game, tree, box, an_rng(rng), bound=_bound(z))


def trees(
    tree: Tree, box: Box, rng: Rng = random, *, z: float = USUAL_Z, rules: Rules = USUAL
) -> Iterator[records.Tree[Box]]:
    """The trees after 0, 1, 2, ... dives into `tree` from `box`, without end.

    >>> [len(tree) for tree, _ in zip(trees({}, easy_box, random.Random(7)), range(4))]
    [0, 1, 2, 2]
    """
    game, tree, box = shut_the_box(rules), _checked_tree(tree), checked_box(box, rules)
    return mcts.trees(game, tree, box, an_rng(rng), bound=_bound(z))


def strides(
    tree: Tree,
    box: Box,
    k: int | Iterable[int],
    rng: Rng = random,
    *,
    z: float = USUAL_Z,
    rules: Rules = USUAL,
) -> Iterator[records.Tree[Box]]:
    """The trees after 0, k, 2 k, ... dives into `tree` from `box`, without end.

    They are every k-th of `trees`, and come faster. If `k` is an iterable, it has the number of
    dives of each stride.

    >>> [len(tree) for tree, _ in zip(strides({}, start_box, 100, random.Random(7)), range(4))]
    [0, 92, 164, 227]
    """
    game, tree, box = shut_the_box(rules), _checked_tree(tree), checked_box(box, rules)
    return engine.strides(game, tree, box, k, an_rng(rng), bound=_bound(z))


def search(
    tree: Tree, box: Box, dives: int, rng: Rng = random, *, z: float = USUAL_Z, rules: Rules = USUAL
) -> records.Tree[Box]:
    """The tree after `dives` more dives from `box`.

    Repeated calls of `uct` give the same tree, but more slowly.

    >>> search({}, start_box, 1000, random.Random(7))[start_box]
    Record(visits=1000, scores=(25, 975))
    """
    game, tree, box = shut_the_box(rules), _checked_tree(tree), checked_box(box, rules)
    return engine.search(game, tree, box, dives, an_rng(rng), bound=_bound(z))


def search_parallel(
    tree: Tree,
    box: Box,
    dives: int,
    *,
    seed: int | str,
    chunks: int,
    executor: Executor = builtins,
    z: float = USUAL_Z,
    rules: Rules = USUAL,
) -> records.Tree[Box]:
    """`tree` merged with the new records of `chunks` searches from it, with `dives` dives in all.

    `executor` can run the searches in parallel. The tree is not that of `search`, because a chunk
    does not use the results of the other chunks.

    >>> search_parallel({}, start_box, 1000, seed=7, chunks=4)[start_box].visits
    1000
    """
    game, tree, box = shut_the_box(rules), _checked_tree(tree), checked_box(box, rules)
    return engine.search_parallel(
        game, tree, box, dives, seed=seed, chunks=chunks, executor=executor, bound=_bound(z)
    )


def monte_carlo_tree_search(
    box: Box, dives: int, rng: Rng = random, *, z: float = USUAL_Z, rules: Rules = USUAL
) -> Record:
    """The record of `box` after `dives` dives into an empty tree.

    Its mean estimates the probability to win. The record counts every dive, including the
    dives that explored a bad move. `search` returns the whole tree.

    >>> monte_carlo_tree_search(start_box, 1000, random.Random(7))
    Record(visits=1000, scores=(25, 975))
    """
    return search({}, box, dives, rng, z=z, rules=rules)[checked_box(box, rules)]


def subtree(tree: Tree, box: Box, *, rules: Rules = USUAL) -> records.Tree[Box]:
    """The part of `tree` that can be reached from `box`. A search can continue from it."""
    return mcts.subtree(shut_the_box(rules), _checked_tree(tree), checked_box(box, rules))


def learnt_probability(tree: Tree, box: Box | None = None, *, rules: Rules = USUAL) -> Fraction:
    """The exact probability to win from `box` for a player who uses the means of `tree`.

    The player moves to the box whose record has the highest mean. If no possible box has visits,
    the player moves at random. The probability is never higher than `win_probability(box)`. A
    `look_up_table` can be used as the tree.

    >>> learnt_probability({}) == exact.solver(shut_the_box(), policy=exact.uniform)(start_box)[0]
    True
    """
    game, tree, box = shut_the_box(rules), _checked_tree(tree), box_or_full(box, rules)
    return exact.solver(game, policy=mcts.learnt(tree))(box)[0]


def _checked_tree(tree: Tree) -> records.Tree[Box]:
    """`tree` as a persistent map; a ValueError if its first item is not a box with a record."""
    if isinstance(tree, Game):
        raise ValueError(
            f"`tree` must be a tree of boxes; got the game {tree.name}. The functions in mcts, "
            "engine and simulation take any game: engine.search(game, tree, state, dives)."
        )
    grown = records.as_tree(tree)
    for box, record in grown.items():
        if not isinstance(box, frozenset) or not isinstance(record, Record):
            raise ValueError(
                "`tree` must be a map from boxes to records; "
                f"got {brief(tree)} with {brief(box)} and {brief(record)}."
            )
        break
    return grown


def _bound(z: float) -> Bound:
    """The workshop's bound with `z`; a ValueError if `z` is not a finite number of at least 0."""
    return ucb_wald if z == USUAL_Z else wald_with(not_negative(z, "z"))


# Task 12: the complete game tree


def build_tree(
    tree: FullTree | dict[tuple[Box, Roll], Fraction],
    node: tuple[Box, Roll],
    *,
    rules: Rules = USUAL,
) -> FullTree:
    """`tree` with the exact probabilities to win of `node` and of all nodes that can follow it.

    A node is a pair of a box and a roll. A roll of None is the box before the roll.

    >>> tree = build_tree({}, (easy_box, None))
    >>> tree[easy_box, 7], tree[easy_box, None]
    (Fraction(1, 1), Fraction(1, 6))
    """
    if not isinstance(node, tuple) or len(node) != 2:
        raise ValueError(f"`node` must be (box, roll), or (box, None); got {brief(node)}.")
    box = checked_box(node[0], rules)
    roll = None if node[1] is None else checked_roll(node[1], box, rules)
    if not hasattr(tree, "get") or not isinstance(next(iter(tree), ()), tuple):
        raise ValueError(
            f"`tree` must be a complete game tree ({{}} is the first one); got {brief(tree)}."
        )
    return _with_node(rules, pmap(tree) if isinstance(tree, dict) else tree, (box, roll))


def _with_node(rules: Rules, tree: FullTree, node: tuple[Box, Roll]) -> FullTree:
    if node in tree:
        return tree
    box, roll = node
    if not box:
        return tree.set(node, Fraction(1))
    if roll is None:
        thrown = throws(box, rules=rules)
        counts = roll_counts(thrown)
        tree = reduce(partial(_with_node, rules), ((box, total) for total, _ in counts), tree)
        won = sum((times * tree[box, total] for total, times in counts), Fraction(0))
        return tree.set(node, won / len(thrown))
    moves: list[tuple[Box, Roll]] = [(m, None) for m in shut_the_box(rules).moves(box, roll)]
    tree = reduce(partial(_with_node, rules), moves, tree)
    return tree.set(node, max((tree[move] for move in moves), default=Fraction(0)))


# Task 13: the table of best moves


def best_move_table(*, rules: Rules = USUAL) -> PMap[tuple[Box, int], Box | None]:
    """A map from every box and roll to the box to move to, or to None if there is no move."""
    return pmap(
        {
            (box, roll): best_move(box, roll, rules=rules)
            for box in boxes(rules=rules)
            for roll in rolls(box, rules=rules)
        }
    )


def best_move_table_string(*, rules: Rules = USUAL) -> str:
    """The table of best moves as text, with a line for each box.

    A line has the box and then, for each roll, a tab and the box to move to, or `x` if there is no
    move. The rolls are in ascending order: 2 to 12 in the usual game.
    """
    # Its imports (csv, html, json) would take a tenth of the time that importing purembts takes.
    from purembts import best_moves

    return best_moves.as_text(rules)


# The hints of task 9

Hints: TypeAlias = Mapping[Any, Record | Fraction | float] | records.Tree[Any]
"""Records or probabilities of boxes: a `look_up_table`, a tree of a search, the `optimal_table`,
the complete game tree, or a dict of your own."""


def choice_line(box: Box, move: Box, hints: Hints | None, *, rules: Rules = USUAL) -> str:
    """A move from `box` in words: the levers that stay up, the levers to shut, and the hint."""
    left = box_to_str(move, rules=rules)
    return f"[{left}] {shut_the_box(rules).display.label(box, move)}{_hint(hints, move)}"


def _hint(hints: Hints | None, move: Box) -> str:
    """The probability to win from `move` by `hints`, with an interval if it is an estimate."""
    if hints is None:
        return ""
    hint = hints.get(move)
    if hint is None:
        hint = hints.get((move, None))
    if hint is None or hint == records.NOTHING:
        return "  not known"
    if isinstance(hint, Record):
        low, high = records.interval(hint)
        return f"  {records.mean(hint):.4f} (95 %: {low:.4f} to {high:.4f})"
    if isinstance(hint, Fraction | float | int):
        return f"  {float(hint):.4f}"
    raise ValueError(
        f"`hints` must map each box to a record or a probability; got {brief(hint)} "
        f"for the box {sorted(move)}."
    )
