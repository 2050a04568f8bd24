"""The workshop in Python, plainly written: its thirteen tasks, in their order.

James Vanderhyde, "Monte Carlo Tree Search with Clojure", 26 July 2017. The names are those of the
Clojure, with `_` for `-` and `is_` for the question mark; `pick` is `rand-nth`. The words for many
games and many dives call the library. With the same `rng` it gives the results of the plain words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, wraps
from math import inf, sqrt
from typing import Any, TypeAlias, TypeVar, cast

from pyrsistent import PMap, pmap

from purembts import exact, mcts, records, simulation
from purembts.bounds import wald_with
from purembts.chance import Rng, pick, random, repeatedly
from purembts.checks import a_constant, an_rng, at_least_one, brief, whole_number
from purembts.fast import engine
from purembts.games.shut_the_box import Box, canonical, checked_box, shut_the_box
from purembts.records import NOTHING, Record, Scores, as_record, as_tree

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

_usual_game = shut_the_box()


# Task 1: the coin and the darts
def flip_coin(rng: Rng = random) -> str:
    """Heads or tails, equally likely."""
    return pick(("heads", "tails"), rng)


def is_heads(flip: str) -> bool:
    """True if `flip` is heads, which wins."""
    return flip == "heads"


def throw_dart(rng: Rng = random) -> tuple[float, float]:
    """A random point (x, y) of the square from -1 to 1 in both directions."""
    try:
        return 2 * rng.random() - 1, 2 * rng.random() - 1
    except (AttributeError, TypeError):
        an_rng(rng)
        raise


def in_circle(dart: tuple[float, float]) -> bool:
    """True if `dart` is inside the circle of radius 1, which wins."""
    x, y = dart
    return x * x + y * y < 1


def estimate_pi(n: int, rng: Rng = random) -> float:
    """Four times the share of `n` darts that are inside the circle."""
    darts = repeatedly(at_least_one(n, "n"), lambda: throw_dart(rng))
    return 4 * sum(map(in_circle, darts)) / n


# Tasks 2 and 3: the box, which is the set of the levers that are up, and the dice

WIN, LOSS = (1, 0), (0, 1)

start_box: Box = frozenset({1, 2, 3, 4, 5, 6, 7, 8, 9})
sample_box: Box = start_box - {1, 3, 6}
easy_box: Box = frozenset({7})
_shut_box: Box = frozenset()

THROWS: tuple[int, ...] = tuple(a + b for a in range(1, 7) for b in range(1, 7))
"""The totals of the 36 equally likely throws of two dice."""
ROLLS: Mapping[int, int] = Counter(THROWS)  # of each total, 2 to 12: 3 of the 36 throws are a 4


def dice_roll(rng: Rng = random) -> int:
    """The total of a random throw of two dice."""
    return pick(THROWS, rng)


def is_win(box: Box) -> bool:
    """True if all levers of `box` are down."""
    return box == _shut_box


# Tasks 4 to 7: the simplified game

simple_start: Box = start_box - {1}  # two dice never show 1


def simple_moves(box: Box, roll: int) -> tuple[Box, ...]:
    """The box without the lever `roll`, in a tuple; an empty tuple if that lever is down."""
    is_up = whole_number(roll, "roll", 2, 12) in as_box(box)
    return (as_box(box - {roll}),) if is_up else ()


def play_simple_game(box: Box, rng: Rng = random) -> Scores:
    """The result of a simplified game from `box`, `WIN` or `LOSS`."""
    while not is_win(box):
        moves = simple_moves(box, dice_roll(rng))
        if not moves:
            return LOSS
        [box] = moves
    return WIN


def simulate_simple_game(n: int, box: Box = simple_start, rng: Rng = random) -> Record:
    """The record of `n` simplified games from `box`."""
    return records.tally(repeatedly(at_least_one(n, "n"), lambda: play_simple_game(box, rng)))


# Task 8: the game with a choice
def power(items: Iterable[T]) -> tuple[tuple[T, ...], ...]:
    """All the subsets of `items`.

    >>> power([1, 2, 3])
    ((), (1,), (2,), (1, 2), (3,), (1, 3), (2, 3), (1, 2, 3))
    """
    subsets: tuple[tuple[T, ...], ...] = ((),)
    for item in items:
        subsets += tuple((*subset, item) for subset in subsets)
    return subsets


def levers_for_roll(roll: int) -> tuple[tuple[int, ...], ...]:
    """The sets of levers that add up to `roll`: (1, 3) and (4,) for 4."""
    return tuple(levers for levers in power(range(1, min(roll, 9) + 1)) if sum(levers) == roll)


lever_combinations: tuple[tuple[tuple[int, ...], ...], ...] = tuple(map(levers_for_roll, range(13)))
"""The sets of levers for each roll; the roll is the index."""

all_boxes: tuple[Box, ...] = tuple(canonical(frozenset(levers)) for levers in power(range(1, 10)))
"""All 512 boxes, the shut one first."""

_boxes: Mapping[Box, Box] = {box: box for box in all_boxes}


def as_box(box: Box) -> Box:
    """The frozenset of `all_boxes` that is equal to `box`; a ValueError if there is none."""
    try:
        return _boxes[box]
    except (KeyError, TypeError):  # it is no box, or it is a plain set
        return checked_box(box)


def _box_cache(function: F) -> F:
    """`function` with a cache. Its box may be a plain set."""
    cached = cache(function)

    @wraps(cached)
    def with_check(box: Box, *rest: Any, **options: Any) -> Any:  # noqa: ANN401
        try:
            return cached(box, *rest, **options)
        except TypeError:  # a plain set is no key
            return cached(as_box(box), *rest, **options)

    return cast("F", with_check)


@_box_cache
def possible_moves(box: Box, roll: int) -> tuple[Box, ...]:
    """The boxes that `box` can become with `roll`; an empty tuple if `roll` loses.

    >>> [box_to_str(box) for box in possible_moves(frozenset({2, 4, 5, 7, 8, 9}), 9)]
    [' 2    789', '   45  89', ' 2 45 78 ']
    """
    box, choices = as_box(box), lever_combinations[whole_number(roll, "roll", 2, 12)]
    return tuple(as_box(box.difference(levers)) for levers in choices if box.issuperset(levers))


def play_game(box: Box, rng: Rng = random) -> Scores:
    """The result of a game from `box` with random moves, `WIN` or `LOSS`."""
    while not is_win(box):
        moves = possible_moves(box, dice_roll(rng))
        if not moves:
            return LOSS
        box = pick(moves, rng)
    return WIN


def simulate(n: int, box: Box = start_box, rng: Rng = random) -> Record:
    """The record of `n` random games from `box`."""
    return simulation.simulate(_usual_game, as_box(box), n, rng)


# Task 9: the choices of a person, with the hints of tasks 10 and 12

Hints: TypeAlias = Mapping[Any, Record | Fraction | float]
"""A record or a probability for each box: a look-up table, a tree, or the tree of task 12."""


def box_to_str(box: Box | None) -> str:
    """The levers of `box` as text, with a blank for each lever that is down; x for None.

    >>> box_to_str(frozenset({2, 4, 5, 7, 8, 9})), box_to_str(None)
    (' 2 45 789', 'x')
    """
    if box is None:
        return "x"
    return "".join(str(lever) if lever in as_box(box) else " " for lever in range(1, 10))


def choice_line(box: Box, move: Box, hints: Hints | None = None) -> str:
    """A move from `box` in words: the levers that stay up, the levers to shut, and the hint."""
    line = f"[{box_to_str(move)}] shut {'+'.join(map(str, sorted(box - move)))}"
    if hints is None:
        return line
    return f"{line}  {hint_to_str(hints.get(move, hints.get((move, None), NOTHING)))}"


def hint_to_str(hint: Record | Fraction | float) -> str:
    """A probability, or the mean of a record with its interval."""
    if not isinstance(hint, Record):
        return f"{float(hint):.4f}"
    if not hint.visits:
        return "not known"
    low, high = records.interval(hint)
    return f"{records.mean(hint):.4f} (95 %: {low:.4f} to {high:.4f})"


Read: TypeAlias = Callable[[str], str]  # `input`
Write: TypeAlias = Callable[[str], object]  # `print`


def play_game_user(
    box: Box = start_box,
    rng: Rng = random,
    *,
    hints: Hints | None = None,
    read: Read = input,
    write: Write = print,
) -> Scores | None:
    """The result of a game from `box` in which a person chooses; None if the person leaves it.

    The choices are numbered, each with its hint if there are `hints`. After an answer that is not
    one of the numbers, the person is asked again. End of input and Ctrl-C leave the game.
    """
    if hints is not None and not hasattr(hints, "get"):
        raise ValueError(f"`hints` must be a map from boxes; got {brief(hints)}.")
    box = as_box(box)
    while not is_win(box):
        moves = possible_moves(box, roll := dice_roll(rng))
        write(f"Box [{box_to_str(box)}]  roll {roll}")
        if not moves:
            write("No levers add up to that: you lose.")
            return LOSS
        try:
            box = _choose(box, moves, hints, read, write)
        except (EOFError, KeyboardInterrupt):
            write("\nYou leave the game.")
            return None
    write("The box is shut: you win.")
    return WIN


def _choose(box: Box, moves: Sequence[Box], hints: Hints | None, read: Read, write: Write) -> Box:
    """The move that the person chooses; the only move, if there is one alone, without asking."""
    lines = [choice_line(box, move, hints) for move in moves]
    if len(lines) == 1:
        write(f"  only {lines[0]}")
        return moves[0]
    for number, line in enumerate(lines, 1):
        write(f"  {number}: {line}")
    choices = {str(number): move for number, move in enumerate(moves, 1)}
    while (answer := str(read(f"Your choice, 1 to {len(choices)}: ")).strip()) not in choices:
        write(f"{brief(answer)} is not one of the choices.")
    return choices[answer]


# Task 10: the look-up table
def look_up_table(n: int, rng: Rng = random) -> PMap[Box, Record]:
    """A map from every box to the record of `n` random games from it."""
    return pmap({box: simulate(n, box, rng) for box in all_boxes})


# Task 11: Monte Carlo tree search

Tree: TypeAlias = records.Tree[Box]  # a map from box to record; the first may be an empty dict
AnyTree: TypeAlias = Tree | dict[Box, Record]


def ucb(record: Record | tuple[int, int] | None, *, z: float = 2) -> float:
    """The upper confidence bound of `record`: infinite without visits, 3 / n without a win.

    >>> round(ucb(Record(10, (1, 9))), 3), round(ucb((23, 77)), 3)
    (0.29, 0.314)
    """
    if z != 2:
        a_constant(z, "z")
    if record is None or not (record := as_record(record)).visits:
        return inf
    n, (wins, losses) = record
    if not 0 <= wins <= n == wins + losses:
        right = "wins and losses that add up to its visits"
        raise ValueError(f"`record` must have {right}; got {record}.")
    return (wins + z * sqrt(wins * losses / n)) / n if wins else 3 / n


def add_result(tree: Tree, box: Box, result: Scores) -> tuple[Tree, Scores]:
    """`tree` with `result` added to the record of `box`, and the result."""
    n, scores = tree.get(box) or NOTHING
    wins, losses = scores or (0, 0)
    return tree.set(box, Record(n + 1, (wins + result[0], losses + result[1]))), result


def uct(tree: AnyTree, box: Box, rng: Rng = random, *, z: float = 2) -> tuple[Tree, Scores]:
    """One dive into `tree` from `box`: the new tree, and the result of the game.

    >>> from random import Random
    >>> uct({}, easy_box, Random(7))
    (pmap({frozenset({7}): Record(visits=1, scores=(0, 1))}), (0, 1))
    """
    tree, box, z = as_tree(tree), as_box(box), a_constant(z, "z")
    if box not in tree or is_win(box):
        return add_result(tree, box, play_game(box, rng))
    moves = possible_moves(box, dice_roll(rng))
    if not moves:
        return add_result(tree, box, LOSS)
    best = max(moves, key=lambda move: ucb(tree.get(move), z=z))
    tree, result = uct(tree, best, rng, z=z)
    return add_result(tree, box, result)


def search(tree: AnyTree, box: Box, dives: int, rng: Rng = random, *, z: float = 2) -> Tree:
    """The tree after `dives` calls of `uct`, made faster."""
    return engine.search(_usual_game, tree, as_box(box), dives, rng, bound=wald_with(z))


def learnt_probability(tree: AnyTree, box: Box = start_box) -> Fraction:
    """The exact probability to win from `box` with the moves of the best means in `tree`."""
    return exact.solver(_usual_game, policy=mcts.learnt(tree))(as_box(box))[0]


# Task 12: the complete tree

Node: TypeAlias = tuple[Box, int | None]  # a box and a roll, None before a roll


def build_tree(tree: Mapping[Node, Fraction], node: Node) -> PMap[Node, Fraction]:
    """`tree` with the probability to win of `node` and of all nodes below it."""
    values = dict(tree.items())
    _node_value(values, (as_box(node[0]), node[1]))
    return tree if isinstance(tree, PMap) and len(tree) == len(values) else pmap(values)


def _node_value(values: dict[Node, Fraction], node: Node) -> Fraction:
    """The probability to win of `node`. `values` gets it, and those of all nodes below it."""
    if node in values:
        return values[node]
    box, roll = node
    if is_win(box):
        value = Fraction(1)
    elif roll is None:
        children = [_node_value(values, (box, total)) for total in ROLLS]
        value = exact.weighted_mean(ROLLS.values(), children)
    else:
        moves = possible_moves(box, roll)
        value = max([_node_value(values, (move, None)) for move in moves], default=Fraction(0))
    values[node] = value
    return value


@_box_cache
def win_probability(box: Box, roll: int | None = None) -> Fraction:
    """The exact probability to win from `box`, or from `box` and a `roll`, with best play."""
    if is_win(box):
        return Fraction(1)
    if roll is not None:
        return max(map(win_probability, possible_moves(box, roll)), default=Fraction(0))
    best = [max(map(win_probability, possible_moves(box, total)), default=0) for total in ROLLS]
    return exact.weighted_mean(ROLLS.values(), best)


# Task 13: the table of best moves
def best_move(box: Box, roll: int) -> Box | None:
    """The box after the best move, the first if several are equally good; None without a move."""
    return max(possible_moves(box, roll), key=win_probability, default=None)


def best_move_table() -> PMap[tuple[Box, int], Box | None]:
    """A map from every box and roll to the best move."""
    return pmap({(box, roll): best_move(box, roll) for box in all_boxes for roll in ROLLS})


def best_move_table_string() -> str:
    """A line for each box: the box and its best move for each roll, 2 to 12, with tabs between."""
    table = ((box, *(best_move(box, roll) for roll in ROLLS)) for box in all_boxes)
    return "".join("\t".join(map(box_to_str, line)) + "\n" for line in table)
