"""Shut the Box, in the order and the words of James Vanderhyde's workshop, tasks 2 to 13.

A box is the frozenset of the levers that are up. A move is the box that it leaves. The two sides
are the player and the box: `WIN` is (1, 0), `LOSS` is (0, 1), and a record's scores are the
workshop's wins and losses.

The functions for the prompt play the usual game unless they are given other `rules`, and say what
is wrong with a box, a roll or a number. The rules themselves, the functions of the `Game` that
`shut_the_box` returns, are total.
"""

from __future__ import annotations

import builtins
import random
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import cache, partial, reduce
from math import inf
from typing import Any, NamedTuple, TypeAlias, TypeVar

from pyrsistent import PMap, pmap
from toolz import frequencies, groupby

from purembts import exact, mcts, simulation
from purembts.bandits import Bound, ucb_wald
from purembts.chance import Executor, Rng, pick
from purembts.checks import an_rng, at_least_one, not_negative, shown
from purembts.game import Game, playout
from purembts.records import Record, Scores, checked_record

T = TypeVar("T")

Box: TypeAlias = frozenset[int]
"""The levers that are up."""
Roll: TypeAlias = int | None
"""The total of the dice; None where they are not rolled (yet)."""
Levers: TypeAlias = tuple[int, ...]
"""Levers to be shut in one move, in ascending order."""
Tree: TypeAlias = mcts.Tree[Box] | dict[Box, Record]
"""What a search has found: a map from box to record."""
FullTree: TypeAlias = PMap[tuple[Box, Roll], Fraction]
"""The complete game tree of task 12: a map from box and roll to the probability to win."""

WIN: Scores = (1, 0)
LOSS: Scores = (0, 1)


class Rules(NamedTuple):
    """A variant of Shut the Box, as a value: `Rules()` is the usual game."""

    levers: int = 9
    """There are levers 1 to this."""
    dice: int = 2
    """One die or two."""
    one_die_end: bool = False
    """Whether one die is used instead of two once the open levers sum to at most six."""
    most_levers: int | None = None
    """How many levers one move may shut; None for any number."""


USUAL = Rules()
USUAL_Z = 2.0


# What a person may get wrong


def checked_box(box: Box, rules: Rules) -> Box:
    """The one frozenset that stands for `box`, or a ValueError."""
    full = full_box(rules)
    if not isinstance(box, AbstractSet):
        hint = " A generator goes by its name, rng=..." if hasattr(box, "random") else ""
        raise ValueError(
            f"{shown(box)} is not a box; a box is a set of levers, as frozenset({{2, 7}}).{hint}"
        )
    if not box <= full:
        foreign = shown(sorted(box - full, key=str))
        raise ValueError(
            f"{shown(box)} has levers that are not in the game: {foreign}; "
            f"there are 1 to {max(full)}."
        )
    # Built from whole numbers, because 2.0 and True would pass as levers.
    return _canonical.get(frozenset(box)) or _same(frozenset(x for x in sorted(full) if x in box))


def box_or_full(box: Box | None, rules: Rules) -> Box:
    """As `checked_box`, and the full box for None."""
    return full_box(rules) if box is None else checked_box(box, rules)


def _checked_roll(roll: Roll, box: Box, rules: Rules) -> Roll:
    """`roll`, or a ValueError where the dice cannot show it."""
    throws = _throws(rules, box)
    if roll not in throws:
        dice = "one die shows" if throws is _ONE_DIE else "two dice show"
        raise ValueError(f"The roll is {shown(roll)}, but {dice} {min(throws)} to {max(throws)}.")
    return throws[throws.index(roll)]


def _checked_rules(rules: Rules) -> Rules:
    """`rules`, or a ValueError where no such game can be played."""
    if not isinstance(rules, Rules):
        raise ValueError(f"{shown(rules)} is no value of Rules; one is Rules(levers=12).")
    at_least_one(rules.levers, "The number of levers")
    if rules.dice not in (1, 2):
        raise ValueError(f"The number of dice is {shown(rules.dice)}; it has to be 1 or 2.")
    if not isinstance(rules.one_die_end, bool):
        raise ValueError(f"one_die_end is {shown(rules.one_die_end)}; it has to be True or False.")
    if rules.most_levers is not None:
        at_least_one(rules.most_levers, "The number of levers that one move may shut")
    return rules


def _checked_tree(tree: Tree) -> mcts.Tree[Box]:
    """`tree` as a persistent map, or a ValueError where its first item is no box with a record."""
    grown = mcts.as_tree(tree)
    for box, record in grown.items():
        if not isinstance(box, frozenset) or not isinstance(record, Record):
            raise ValueError(
                f"{shown(tree)} is not a tree of a search: {shown(box)} and {shown(record)} "
                "are not a box and its record."
            )
        break
    return grown


def _bound(z: float) -> Bound:
    """The workshop's bound with `z`, or a ValueError where z is no width of an interval."""
    return ucb_wald if z == USUAL_Z else partial(ucb_wald, z=not_negative(z, "z"))


# Tasks 2 and 3: the box and the dice

_canonical: dict[Box, Box] = {}


def _same(box: Box) -> Box:
    """The one frozenset that stands for all that equal `box`: dicts find the same object faster."""
    return _canonical.setdefault(box, box)


def full_box(rules: Rules = USUAL) -> Box:
    """The box with all levers up."""
    return _full_box(_checked_rules(rules).levers)


@cache
def _full_box(levers: int) -> Box:
    return _same(frozenset(range(1, levers + 1)))


def power(items: Iterable[T]) -> tuple[tuple[T, ...], ...]:
    """All the ways to choose from `items`: 2 ** n tuples.

    >>> power([1, 2, 3])
    ((), (1,), (2,), (1, 2), (3,), (1, 3), (2, 3), (1, 2, 3))
    """
    chosen: tuple[tuple[T, ...], ...] = ((),)
    for item in items:
        chosen += tuple((*others, item) for others in chosen)
    return chosen


def boxes(rules: Rules = USUAL) -> tuple[Box, ...]:
    """All the boxes there are, from the shut one to the full one."""
    return tuple(_same(frozenset(levers)) for levers in power(sorted(full_box(rules))))


_ONE_DIE = tuple(range(1, 7))
_TWO_DICE = tuple(a + b for a in range(1, 7) for b in range(1, 7))


def _throws(rules: Rules, box: Box) -> tuple[int, ...]:
    """The equally likely throws when it is `box` that is rolled for."""
    one_die = rules.dice == 1 or (rules.one_die_end and sum(box) <= max(_ONE_DIE))
    return _ONE_DIE if one_die else _TWO_DICE


@cache
def _frequencies(throws: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Each total that can be thrown, and in how many of the throws."""
    return tuple(frequencies(throws).items())


def dice_roll(rng: Rng = random, *, box: Box | None = None, rules: Rules = USUAL) -> int:
    """The total of a throw of the dice: with two dice 2 to 12, of 36 equally likely throws.

    `box` matters only where the rules change to one die at the end.

    >>> dice_roll(random.Random(7))
    8
    """
    return pick(_throws(rules, box_or_full(box, rules)), an_rng(rng))


def rolls(box: Box | None = None, *, rules: Rules = USUAL) -> tuple[int, ...]:
    """What the dice can show, in ascending order: 2 to 12 in the usual game, whatever the box.

    >>> rolls(), rolls(easy_box, rules=Rules(levers=7, dice=1))
    ((2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), (1, 2, 3, 4, 5, 6))
    """
    return tuple(sorted(set(_throws(rules, box_or_full(box, rules)))))


def number_of_states(*, rules: Rules = USUAL) -> int:
    """How many pairs of a box and a roll there are.

    >>> number_of_states()
    5632
    """
    return sum(len(rolls(box, rules=rules)) for box in boxes(rules))


def is_win(box: Box, *, rules: Rules = USUAL) -> bool:
    """Whether `box` is shut."""
    return not checked_box(box, rules)


start_box = full_box()
"""All nine levers up."""
sample_box = checked_box(start_box - {1, 3, 6}, USUAL)
"""Levers 1, 3 and 6 down."""
easy_box = checked_box(frozenset({7}), USUAL)
"""Only lever 7 up: a win once in six games."""
all_boxes = boxes()
"""All 512 boxes, the shut one first."""


@cache
def _chances(rules: Rules, box: Box) -> tuple[Roll, ...]:
    return _throws(rules, box) if box else (None,)


def _result(box: Box) -> Scores:
    return LOSS if box else WIN


def _to_move(box: Box) -> int:  # noqa: ARG001
    return 0


def _decode(rules: Rules, levers: Any) -> Box:  # noqa: ANN401
    """The box whose levers in ascending order are `levers`, or a ValueError."""
    if not isinstance(levers, list) or not all(isinstance(lever, int) for lever in levers):
        raise ValueError(f"{shown(levers)} is not a list of levers.")
    return checked_box(frozenset(levers), rules)


def _show(rules: Rules, box: Box) -> str:
    """`box` with its levers, up or down.

    >>> print(_show(Rules(levers=4), frozenset({1, 4})))
    +---+---+---+---+
    | 1 |   |   | 4 |  up
    |   | 2 | 3 |   |  down
    +---+---+---+---+
    """
    levers = sorted(full_box(rules))
    width = len(str(levers[-1]))
    edge = "+" + f"{'-' * (width + 2)}+" * len(levers)
    up = "".join(f"| {lever if lever in box else '':>{width}} " for lever in levers)
    down = "".join(f"| {'' if lever in box else lever:>{width}} " for lever in levers)
    return f"{edge}\n{up}|  up\n{down}|  down\n{edge}"


def _label(before: Box, after: Box) -> str:
    """Which levers a move shuts.

    >>> _label(frozenset({2, 5, 7}), frozenset({5}))
    'shut 2+7'
    """
    return f"shut {'+'.join(map(str, sorted(before - after)))}"


# Tasks 4 to 7: the simplified game

simple_start = checked_box(start_box - {1}, USUAL)
"""Where the simplified game starts: lever 1 down, because two dice never show 1."""


def simple_moves(box: Box, roll: int) -> tuple[Box, ...]:
    """The one box that `box` becomes with `roll` in the simplified game, or none.

    >>> [box_to_str(box) for box in simple_moves(sample_box, 4)], simple_moves(sample_box, 3)
    ([' 2  5 789'], ())
    """
    box = checked_box(box, USUAL)
    return _simple_moves(box, _checked_roll(roll, box, USUAL))


def _simple_moves(box: Box, roll: Roll) -> tuple[Box, ...]:
    return (_same(box - {roll}),) if roll in box else ()


simple_game: Game[Box, Roll] = Game(
    moves=_simple_moves,
    result=_result,
    chances=partial(_chances, USUAL),
    to_move=_to_move,
    name="Simplified Shut the Box",
    players=2,
    start=simple_start,
    show=partial(_show, USUAL),
    label=_label,
    encode=sorted,
    decode=partial(_decode, USUAL),
)
"""The lever that the dice show is shut, and there is nothing to choose."""


def play_simple_game(box: Box, rng: Rng = random) -> Scores:
    """How a simplified game from `box` ends, `WIN` or `LOSS`."""
    return playout(simple_game, checked_box(box, USUAL), an_rng(rng))


def simulate_simple_game(n: int, box: Box | None = None, rng: Rng = random) -> Record:
    """The record of n simplified games, from `simple_start` unless `box` is given."""
    start = simple_start if box is None else checked_box(box, USUAL)
    return simulation.simulate(simple_game, start, n, an_rng(rng))


# Task 8: the real game


def levers_for_roll(roll: int, *, rules: Rules = USUAL) -> tuple[Levers, ...]:
    """The sets of levers that add up to `roll`.

    >>> levers_for_roll(6)
    ((1, 2, 3), (2, 4), (1, 5), (6,))
    """
    if not isinstance(roll, int):
        raise ValueError(f"The roll is {shown(roll)}; it has to be a whole number.")
    choices = power(range(1, min(_checked_rules(rules).levers, roll) + 1))
    return tuple(levers for levers in _few(choices, rules) if sum(levers) == roll)


def _few(choices: Iterable[Levers], rules: Rules) -> Iterator[Levers]:
    """Those of `choices` that one move may shut."""
    most = rules.levers if rules.most_levers is None else rules.most_levers
    return (levers for levers in choices if len(levers) <= most)


@cache
def combinations(rules: Rules = USUAL) -> tuple[tuple[Levers, ...], ...]:
    """`levers_for_roll` for every roll, to be looked up by the roll."""
    highest = max(_TWO_DICE)
    choices = power(range(1, min(rules.levers, highest) + 1))
    by_roll = groupby(sum, _few(choices, rules))
    return tuple(tuple(by_roll.get(roll, ())) for roll in range(highest + 1))


lever_combinations = combinations()
"""The sets of levers for each roll, to be looked up by the roll."""


@cache
def _shuts(rules: Rules) -> tuple[tuple[Box, ...], ...]:
    """`combinations` as sets."""
    return tuple(tuple(map(frozenset, choices)) for choices in combinations(rules))


@cache
def _moves(rules: Rules, box: Box, roll: Roll) -> tuple[Box, ...]:
    if roll not in _throws(rules, box):
        return ()
    return tuple(map(_same, _leave(box, _shuts(rules)[roll])))


def _leave(box: Box, shuts: Iterable[Box]) -> list[Box]:
    """What is left of `box` when any of `shuts` is shut that can be: the rule of the game."""
    return [box - shut for shut in shuts if shut <= box]


@cache
def shut_the_box(rules: Rules = USUAL) -> Game[Box, Roll]:
    """The game with `rules`."""
    _checked_rules(rules)
    return Game(
        moves=partial(_moves, rules),
        result=_result,
        chances=partial(_chances, rules),
        to_move=_to_move,
        name="Shut the Box",
        players=2,
        start=full_box(rules),
        show=partial(_show, rules),
        label=_label,
        playout=_playout,
        rules=rules,
        encode=sorted,
        decode=partial(_decode, rules),
    )


@cache
def _moves_by_throw(rules: Rules, box: Box) -> tuple[tuple[Box, ...], ...]:
    return tuple(_moves(rules, box, throw) for throw in _throws(rules, box))


def _playout(game: Game[Box, Roll], box: Box, rng: Rng) -> Scores:
    """What `plain_playout` returns, with the same draws, from moves that are looked up by throw."""
    rules, draw = game.rules, rng.random
    while box:
        by_throw = _moves_by_throw(rules, box)
        moves = by_throw[int(draw() * len(by_throw))]
        if not moves:
            break
        box = moves[int(draw() * len(moves))] if len(moves) > 1 else moves[0]
    return _result(box)


def possible_moves(box: Box, roll: int, *, rules: Rules = USUAL) -> tuple[Box, ...]:
    """The boxes that `box` can become with `roll`; none where the roll loses.

    They come in the order of `lever_combinations`, whatever the way in which `box` was built.

    >>> [box_to_str(box) for box in possible_moves(sample_box, 9)]
    [' 2    789', '   45  89', ' 2 45 78 ']
    """
    box = checked_box(box, rules)
    return _moves(rules, box, _checked_roll(roll, box, rules))


def play_game(box: Box, rng: Rng = random, *, rules: Rules = USUAL) -> Scores:
    """How a random game from `box` ends, `WIN` or `LOSS`: every possible move is equally likely."""
    return playout(shut_the_box(rules), checked_box(box, rules), an_rng(rng))


def simulate(n: int, box: Box | None = None, rng: Rng = random, *, rules: Rules = USUAL) -> Record:
    """The record of n random games, from the full box unless `box` is given.

    >>> simulate(1000, easy_box, random.Random(7))
    Record(visits=1000, scores=(156, 844))
    """
    game, box = shut_the_box(rules), box_or_full(box, rules)
    return simulation.simulate(game, box, n, an_rng(rng))


def simulate_crowd(
    n: int, box: Box | None = None, rng: Rng = random, *, rules: Rules = USUAL
) -> Record:
    """The record of n random games, as `simulate` gives it, in a time that does not depend on n.

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
    """The record of n random games, in chunks that `executor` may simulate side by side.

    >>> simulate_parallel(1000, easy_box, seed=7, chunks=4)
    Record(visits=1000, scores=(164, 836))
    """
    game, box = shut_the_box(rules), box_or_full(box, rules)
    return simulation.simulate_parallel(game, box, n, seed=seed, chunks=chunks, executor=executor)


# Task 10: the look-up table


def look_up_table(n: int, rng: Rng = random, *, rules: Rules = USUAL) -> PMap[Box, Record]:
    """A map from every box to the record of n random games from there."""
    return simulation.look_up_table(shut_the_box(rules), boxes(rules), n, an_rng(rng))


# Task 11: Monte Carlo tree search


def ucb(record: Record | None, *, z: float = USUAL_Z) -> float:
    """The workshop's upper confidence bound on a record's wins; infinite without visits.

    See `bandits.ucb_wald` for the formula. It can pass 1.

    >>> round(ucb(Record(10, (1, 9))), 3), round(ucb(Record(100, (23, 77))), 3)
    (0.29, 0.314)
    """
    not_negative(z, "z")
    if record is None or not checked_record(record).visits:
        return inf
    return ucb_wald(record.scores[0], record.visits, z=z)


def uct(
    tree: Tree, box: Box, rng: Rng = random, *, z: float = USUAL_Z, rules: Rules = USUAL
) -> tuple[mcts.Tree[Box], Scores]:
    """One dive into `tree` from `box`: the new tree and how the game ended; `tree` stays as it is.

    The first tree is `{}`. The child of the highest `ucb` is selected, with `z` as there.

    >>> uct({}, easy_box, random.Random(7))
    (pmap({frozenset({7}): Record(visits=1, scores=(0, 1))}), (0, 1))
    """
    game, tree, box = shut_the_box(rules), _checked_tree(tree), checked_box(box, rules)
    return mcts.uct(game, tree, box, an_rng(rng), bound=_bound(z))


def trees(
    tree: Tree, box: Box, rng: Rng = random, *, z: float = USUAL_Z, rules: Rules = USUAL
) -> Iterator[mcts.Tree[Box]]:
    """The trees after 0, 1, 2, ... dives into `tree` from `box`, without end.

    >>> [len(tree) for tree, _ in zip(trees({}, easy_box, random.Random(7)), range(4))]
    [0, 1, 2, 2]
    """
    game, tree, box = shut_the_box(rules), _checked_tree(tree), checked_box(box, rules)
    return mcts.trees(game, tree, box, an_rng(rng), bound=_bound(z))


def search(
    tree: Tree, box: Box, dives: int, rng: Rng = random, *, z: float = USUAL_Z, rules: Rules = USUAL
) -> mcts.Tree[Box]:
    """The tree after `dives` more dives from `box`: as `uct` again and again, only faster.

    >>> search({}, start_box, 1000, random.Random(7))[start_box]
    Record(visits=1000, scores=(25, 975))
    """
    game, tree, box = shut_the_box(rules), _checked_tree(tree), checked_box(box, rules)
    return mcts.search(game, tree, box, dives, an_rng(rng), bound=_bound(z))


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
) -> mcts.Tree[Box]:
    """`tree` and what `chunks` searches from it have added, side by side; not the same as `search`.

    >>> search_parallel({}, start_box, 1000, seed=7, chunks=4)[start_box].visits
    1000
    """
    game, tree, box = shut_the_box(rules), _checked_tree(tree), checked_box(box, rules)
    return mcts.search_parallel(
        game, tree, box, dives, seed=seed, chunks=chunks, executor=executor, bound=_bound(z)
    )


def monte_carlo_tree_search(
    box: Box, dives: int, rng: Rng = random, *, z: float = USUAL_Z, rules: Rules = USUAL
) -> Record:
    """The record of `box` after `dives` dives from nothing; its mean is the workshop's probability.

    It says what the search did, exploration included. What it learnt is in the tree, which
    `search` returns.

    >>> monte_carlo_tree_search(start_box, 1000, random.Random(7))
    Record(visits=1000, scores=(25, 975))
    """
    return search({}, box, dives, rng, z=z, rules=rules)[checked_box(box, rules)]


def move_table(
    tree: Tree, box: Box, roll: int, *, z: float = USUAL_Z, rules: Rules = USUAL
) -> tuple[mcts.Choice, ...]:
    """What `tree` knows of each possible move from `box` with `roll`."""
    game, tree, box = shut_the_box(rules), _checked_tree(tree), checked_box(box, rules)
    return mcts.move_table(game, tree, box, _checked_roll(roll, box, rules), bound=_bound(z))


def subtree(tree: Tree, box: Box, *, rules: Rules = USUAL) -> mcts.Tree[Box]:
    """The part of `tree` that can be reached from `box`, to search on from there."""
    return mcts.subtree(shut_the_box(rules), _checked_tree(tree), checked_box(box, rules))


def learnt_probability(tree: Tree, box: Box | None = None, *, rules: Rules = USUAL) -> Fraction:
    """The exact probability to win from `box` for a player who goes by the means of `tree`.

    The player goes to the box whose record has the highest mean, and never does better than
    `win_probability(box)`. Where the tree knows no possible move the player
    moves at random. A `look_up_table` will do for a tree.

    >>> learnt_probability({}) == exact.solver(shut_the_box(), exact.uniform)(start_box)[0]
    True
    """
    game, tree, box = shut_the_box(rules), _checked_tree(tree), box_or_full(box, rules)
    return exact.solver(game, mcts.learnt(tree))(box)[0]


# Task 12: the complete game tree


def build_tree(
    tree: FullTree | dict[tuple[Box, Roll], Fraction],
    node: tuple[Box, Roll],
    *,
    rules: Rules = USUAL,
) -> FullTree:
    """`tree` with the exact win probability of `node`, a box and a roll, and of all that follows.

    A roll of None is a box that was not rolled for yet.

    >>> tree = build_tree({}, (easy_box, None))
    >>> tree[easy_box, 7], tree[easy_box, None]
    (Fraction(1, 1), Fraction(1, 6))
    """
    if not isinstance(node, tuple) or len(node) != 2:
        raise ValueError(f"{shown(node)} is not a node; write (box, roll), or (box, None).")
    box = checked_box(node[0], rules)
    roll = None if node[1] is None else _checked_roll(node[1], box, rules)
    if not hasattr(tree, "get") or not isinstance(next(iter(tree), ()), tuple):
        raise ValueError(f"{shown(tree)} is not a complete tree; {{}} is the first one.")
    return _grow(rules, pmap(tree) if isinstance(tree, dict) else tree, (box, roll))


def _grow(rules: Rules, tree: FullTree, node: tuple[Box, Roll]) -> FullTree:
    if node in tree:
        return tree
    box, roll = node
    if not box:
        return tree.set(node, Fraction(1))
    if roll is None:
        throws = _throws(rules, box)
        rolls = _frequencies(throws)
        tree = reduce(partial(_grow, rules), ((box, throw) for throw, _ in rolls), tree)
        won = sum((times * tree[box, throw] for throw, times in rolls), Fraction(0))
        return tree.set(node, won / len(throws))
    moves: list[tuple[Box, Roll]] = [(move, None) for move in _moves(rules, box, roll)]
    tree = reduce(partial(_grow, rules), moves, tree)
    return tree.set(node, max((tree[move] for move in moves), default=Fraction(0)))


@cache
def _worths(rules: Rules) -> dict[Box, int]:
    """What `_worth` has worked out: of the shut box, that it is won."""
    return {frozenset(): len(_TWO_DICE) ** rules.levers}


def _worth(rules: Rules, box: Box) -> int:
    """The probability to win from `box` with best play, times 36 ** levers.

    It is what `exact.solver` finds, in whole numbers: a game has no more turns than levers, and
    each turn divides by 36 throws, or by 6.
    """
    return _recall(rules, _worths(rules), box)


def _recall(rules: Rules, known: dict[Box, int], box: Box) -> int:
    worth = known.get(box)
    if worth is None:
        throws, shuts = _throws(rules, box), _shuts(rules)
        worth = 0
        for roll, times in _frequencies(throws):
            best = 0
            for after in _leave(box, shuts[roll]):
                best = max(best, _recall(rules, known, after))
            worth += times * best
        known[box] = worth = worth // len(throws)
    return worth


def win_probability(box: Box, roll: Roll = None, *, rules: Rules = USUAL) -> Fraction:
    """The exact probability to win from `box`, or from `box` and a `roll`, with best play.

    >>> float(win_probability(start_box))
    0.07143162230560597
    >>> win_probability(easy_box), win_probability(easy_box, 7)
    (Fraction(1, 6), Fraction(1, 1))
    """
    box = checked_box(box, rules)
    if roll is not None and _checked_roll(roll, box, rules) and box:
        move = best_move(box, roll, rules=rules)
        return Fraction(0) if move is None else win_probability(move, rules=rules)
    return Fraction(_worth(rules, box), _worth(rules, frozenset()))


def optimal_table(*, rules: Rules = USUAL) -> PMap[Box, Fraction]:
    """A map from every box to the exact probability to win from there with best play."""
    return pmap({box: win_probability(box, rules=rules) for box in boxes(rules)})


# Task 13: the table of best moves


def best_move(box: Box, roll: int, *, rules: Rules = USUAL) -> Box | None:
    """The box to move to, the first among equals; None where there is none.

    >>> best_move(start_box, 6) == start_box - {6}
    True
    """
    box = checked_box(box, rules)
    moves = _moves(rules, box, _checked_roll(roll, box, rules))
    return max(moves, key=partial(_worth, rules), default=None)


def best_move_table(*, rules: Rules = USUAL) -> PMap[tuple[Box, int], Box | None]:
    """A map from every box and roll to the box to move to, or to None where there is none."""
    return pmap(
        {
            (box, roll): best_move(box, roll, rules=rules)
            for box in boxes(rules)
            for roll in rolls(box, rules=rules)
        }
    )


def box_to_str(box: Box | None, *, rules: Rules = USUAL) -> str:
    """`box` as its levers, nine characters, with blanks for those that are down; None as x.

    >>> box_to_str(sample_box), box_to_str(None)
    (' 2 45 789', 'x')
    """
    if box is None:
        return "x"
    box = checked_box(box, rules)
    levers = map(str, sorted(full_box(rules)))
    return "".join(lever if int(lever) in box else " " * len(lever) for lever in levers)


def best_move_table_string(*, rules: Rules = USUAL) -> str:
    """The table of best moves as text: a line for each box, and for each roll a tab and a box.

    The rolls go from the lowest to the highest, 2 to 12 in the usual game; where there is no box to
    move to stands an x.
    """
    table = best_move_table(rules=rules)
    rolls = sorted({roll for _, roll in table})
    lines = (
        "\t".join(box_to_str(b, rules=rules) for b in (box, *(table.get((box, r)) for r in rolls)))
        for box in boxes(rules)
    )
    return "".join(line + "\n" for line in lines)
