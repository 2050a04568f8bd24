"""The workshop in Python, plainly written: its thirteen tasks, in their order.

James Vanderhyde, "Monte Carlo Tree Search with Clojure", 26 July 2017, with `_` for `-`, `is_` for
the question mark, and `pick` for `rand-nth`. Words for bulk call the library, and equal plain ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, reduce
from math import inf, sqrt

from pyrsistent import PMap, pmap

from purembts import bounds, exact, mcts, records
from purembts.chance import Rng, pick, random, repeatedly
from purembts.fast import engine
from purembts.games.shut_the_box import Box, Hints, shut_the_box
from purembts.records import NOTHING, Record, Scores, as_record, as_tree

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
    return 2 * rng.random() - 1, 2 * rng.random() - 1


def in_circle(dart: tuple[float, float]) -> bool:
    """True if `dart` is inside the circle of radius 1, which wins."""
    x, y = dart
    return x * x + y * y < 1


def estimate_pi(n: int, rng: Rng = random) -> float:
    """Four times the share of `n` darts that are inside the circle."""
    return 4 * sum(map(in_circle, repeatedly(n, lambda: throw_dart(rng)))) / n


# Tasks 2 and 3: the box, which is the set of the levers that are up, and the dice
WIN, LOSS = (1, 0), (0, 1)
start_box: Box = frozenset({1, 2, 3, 4, 5, 6, 7, 8, 9})
sample_box: Box = start_box - {1, 3, 6}
easy_box: Box = frozenset({7})

# the totals of the 36 equally likely throws, and the number of throws with each: 3 of them are a 4
THROWS: tuple[int, ...] = tuple(a + b for a in range(1, 7) for b in range(1, 7))
ROLLS: Mapping[int, int] = {total: THROWS.count(total) for total in range(2, 13)}


def dice_roll(rng: Rng = random) -> int:
    """The total of a random throw of two dice."""
    return pick(THROWS, rng)


def is_win(box: Box) -> bool:
    """True if all levers of `box` are down."""
    return not box


# Tasks 4 to 7: the simplified game
simple_start: Box = start_box - {1}  # two dice never show 1


def simple_moves(box: Box, roll: int) -> tuple[Box, ...]:
    """The box without the lever `roll`, in a tuple; an empty tuple if that lever is down."""
    return (box - {roll},) if roll in box else ()


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
    return records.tally(repeatedly(n, lambda: play_simple_game(box, rng)))


# Task 8: the game with a choice
def power(items: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """All the subsets of `items`; for [1, 2] they are ((), (1,), (2,), (1, 2))."""
    subsets: tuple[tuple[int, ...], ...] = ((),)
    for item in items:
        subsets += tuple((*subset, item) for subset in subsets)
    return subsets


def levers_for_roll(roll: int) -> tuple[tuple[int, ...], ...]:
    """The sets of levers that add up to `roll`: (1, 3) and (4,) for 4."""
    return tuple(levers for levers in power(range(1, min(roll, 9) + 1)) if sum(levers) == roll)


lever_combinations: tuple[tuple[tuple[int, ...], ...], ...] = tuple(map(levers_for_roll, range(13)))
all_boxes: tuple[Box, ...] = tuple(map(frozenset, power(range(1, 10))))  # 512, the shut one first


@cache
def possible_moves(box: Box, roll: int) -> tuple[Box, ...]:
    """The boxes that `box` can become with `roll`; an empty tuple if `roll` loses.

    >>> [box_to_str(box) for box in possible_moves(frozenset({2, 4, 5, 7, 8, 9}), 9)]
    [' 2    789', '   45  89', ' 2 45 78 ']
    """
    choices = lever_combinations[roll]
    return tuple(box.difference(shut) for shut in choices if box.issuperset(shut))


def play_game(box: Box, rng: Rng = random) -> Scores:
    """The result of a game from `box` with random moves, `WIN` or `LOSS`."""
    while not is_win(box):
        moves = possible_moves(box, dice_roll(rng))
        if not moves:
            return LOSS
        box = pick(moves, rng)
    return WIN


def simulate(n: int, box: Box = start_box, rng: Rng = random) -> Record:
    """The record of `n` random games, as of `tally(repeatedly(n, lambda: play_game(box, rng)))`."""
    return engine.simulate(_usual_game, box, n, rng)


# Task 9: the choices of a person, with the hints of tasks 10 and 12
def box_to_str(box: Box | None) -> str:
    """The levers of `box` as text such as " 2 45 789", with blanks for those down; x for None."""
    if box is None:
        return "x"
    return "".join(str(lever) if lever in box else " " for lever in range(1, 10))


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


Read = Callable[[str], str]  # `input`
Write = Callable[[str], object]  # `print`


def play_game_user(
    box: Box = start_box,
    rng: Rng = random,
    *,
    hints: Hints | None = None,
    read: Read = input,
    write: Write = print,
) -> Scores | None:
    """The result of a game in which a person chooses, by `hints`; None if the person leaves it."""
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
    choices = {str(number): move for number, move in enumerate(moves, 1)}
    for number, line in zip(choices, lines, strict=True):
        write(f"  {number}: {line}")
    while (answer := str(read(f"Your choice, 1 to {len(choices)}: ")).strip()) not in choices:
        write(f"{answer!r} is not one of the choices.")
    return choices[answer]


# Task 10: the look-up table
def look_up_table(n: int, rng: Rng = random) -> PMap[Box, Record]:
    """A map from every box to the record of `n` random games from it."""
    return pmap({box: simulate(n, box, rng) for box in all_boxes})


# Task 11: Monte Carlo tree search
Tree = records.Tree[Box]  # a map from box to record; the first may be an empty dict
AnyTree = Tree | dict[Box, Record]


def ucb(record: Record | tuple[int, int] | None, *, z: float = 2) -> float:
    """The upper confidence bound of `record`: infinite without visits, 3 / n without a win.

    >>> round(ucb(Record(10, (1, 9))), 3), round(ucb((23, 77)), 3)
    (0.29, 0.314)
    """
    if record is None or not (record := as_record(record)).visits:
        return inf
    n, (wins, losses) = record
    return (wins + z * sqrt(wins * losses / n)) / n if wins else 3 / n


def find_best_child(tree: Tree, children: Sequence[Box], *, z: float = 2) -> Box:
    """The box of `children` with the highest bound of its record, the first among equals."""
    return max(children, key=lambda box: ucb(tree.get(box), z=z))


def add_result(tree: Tree, box: Box, result: Scores) -> tuple[Tree, Scores]:
    """`tree` with `result` added to the record of `box`, and the result."""
    return tree.set(box, records.add_result(tree.get(box) or NOTHING, result)), result


def uct(tree: AnyTree, box: Box, rng: Rng = random, *, z: float = 2) -> tuple[Tree, Scores]:
    """One dive into `tree` from `box`: the new tree, and the result of the game.

    >>> from random import Random
    >>> uct({}, easy_box, Random(7))
    (pmap({frozenset({7}): Record(visits=1, scores=(0, 1))}), (0, 1))
    """
    tree = as_tree(tree)
    if box not in tree or is_win(box):
        return add_result(tree, box, play_game(box, rng))
    moves = possible_moves(box, dice_roll(rng))
    if not moves:
        return add_result(tree, box, LOSS)
    tree, result = uct(tree, find_best_child(tree, moves, z=z), rng, z=z)
    return add_result(tree, box, result)


def search(tree: AnyTree, box: Box, dives: int, rng: Rng = random, *, z: float = 2) -> Tree:
    """The tree after `dives` times `tree, result = uct(tree, box, rng)`, made faster."""
    return engine.search(_usual_game, tree, box, dives, rng, bound=bounds.wald_with(z))


def learnt_probability(tree: AnyTree, box: Box = start_box) -> Fraction:
    """The exact probability to win from `box` with the moves of the best means in `tree`."""
    return exact.solver(_usual_game, policy=mcts.learnt(tree))(box)[0]


# Task 12: the complete tree
Node = tuple[Box, int | None]  # a box and a roll, None before a roll
Values = PMap[Node, Fraction]


def build_tree(tree: Values | dict[Node, Fraction], node: Node) -> Values:
    """`tree` with the probability to win of `node` and of all nodes below it."""
    tree = tree if isinstance(tree, PMap) else pmap(tree)
    box, roll = node
    if node in tree:
        return tree
    if is_win(box):
        return tree.set(node, Fraction(1))
    if roll is None:
        rolls = [(box, total) for total in ROLLS]
        tree = reduce(build_tree, rolls, tree)
        return tree.set(node, exact.weighted_mean(ROLLS.values(), [tree[child] for child in rolls]))
    moves = [(move, None) for move in possible_moves(box, roll)]
    tree = reduce(build_tree, moves, tree)
    return tree.set(node, max([tree[child] for child in moves], default=Fraction(0)))


@cache
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
