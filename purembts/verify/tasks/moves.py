"""Tasks 4, 8 and 10: the moves of both games, and the sets of levers. All cases are tried."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import product

from purembts import workshop
from purembts.games.shut_the_box import Box, boxes
from purembts.verify.tasks import forms
from purembts.verify.tasks.calls import Mine, ask, by_size, same, same_sets, tabled
from purembts.verify.tasks.chances import ROLLS
from purembts.verify.tasks.forms import NotRead, Value, Wrong, anything, are, moves_of, words_of

SHUT: Box = frozenset()
BY_SIZE: tuple[Box, ...] = tuple(sorted(boxes(), key=by_size))
"""All boxes, the shut one first, and those with few levers before those with many."""
PLAYED: tuple[tuple[Box, int], ...] = tuple(product(BY_SIZE[1:], ROLLS))
"""All boxes but the shut one, where no game rolls, with all rolls."""


def moves(mine: Mine, word: str, *, right: Callable[[Box, int], Collection[Box]]) -> str:
    """The moves of each box and roll are the right ones, each once: the boxes that they leave."""

    def told(box: Box, roll: int, move: Box) -> str:
        moves = right(box, roll)
        set_of_it = ". If that is the shut box, put it into a set" * (move == SHUT in moves)
        return f", which {about(box, roll, move, moves)}{set_of_it}"

    states = [*PLAYED, *product([SHUT], ROLLS)]
    return f"all {same_sets(mine, word, states, moves_of, right, told):,} states"


def about(box: Box, roll: int, move: Box, moves: Collection[Box]) -> str:
    """The levers that a move from `box` shuts, and the reason if it is none of `moves`."""
    shut, up = box - move, move - box
    said = f"shuts {words_of(shut)}" if shut else "shuts no lever"
    if move in moves:
        return said
    if not shut and not moves:
        said += "; there is no move, so the answer is an empty set"
    if up:
        said = f"puts {words_of(up)} up again"
    elif shut and sum(shut) != roll:
        said += f"; the sum is {sum(shut)}, and the roll is {roll}"
    elif shut:
        said += "; this game shuts only the lever of the roll"
    if shut in moves:
        said += ". These are the levers to shut; a move is the box that is left"
    return said


def is_win(mine: Mine, word: str) -> str:
    """It is true for the shut box, and for no other."""

    def why(box: Box, _found: bool) -> str:
        return f"{are(box)} still up" if box else "the box is shut"

    cases = ((box,) for box in BY_SIZE)
    return f"all {same(mine, word, cases, forms.truth, lambda box: not box, why)} boxes"


def all_boxes(mine: Mine, word: str) -> str:
    """There are 512 boxes, each once."""
    same_sets(mine, word, [()], moves_of, boxes, lambda _: "; there are 512 boxes")
    return "all 512 boxes"


# The sets of levers


def sets_of(value: Value) -> list[Box]:
    """The sets of levers in an iterable; each is a set, or a tuple or a list without repeats."""
    if not isinstance(value, Iterable) or isinstance(value, str | dict):
        raise NotRead("the sets of levers as an iterable of sets or tuples")
    items = list(value)
    for item in items:
        if isinstance(item, tuple | list) and len({*item}) < len(item):
            raise Wrong(f"{forms.shown(item)} has a lever twice; each lever can be shut once.")
    return [forms.box_of(set(item) if isinstance(item, tuple | list) else item) for item in items]


def power(mine: Mine, word: str) -> str:
    """The power set has all subsets, each once; of a list, or else of a set."""
    cases = [[1], [1, 2], [1, 2, 3], [2, 5, 9], [*range(1, 10)]]
    try:
        same_sets(mine, word, [(items,) for items in cases], sets_of, workshop.power)
    except Wrong as wrong:
        if "TypeError" not in str(wrong):
            raise
        same_sets(mine, word, [(frozenset(each),) for each in cases], sets_of, workshop.power)
    return "the subsets of 1 to 9 levers"


def levers_for_roll(mine: Mine, word: str) -> str:
    """The sets of levers of each roll are those that add up to it, each once."""

    def about(_roll: int, levers: Box) -> str:
        return f"; these levers add up to {sum(levers)}"

    cases = ((roll,) for roll in ROLLS)
    return f"all {same_sets(mine, word, cases, sets_of, workshop.levers_for_roll, about)} rolls"


def lever_combinations(mine: Mine, word: str) -> str:
    """The sets of levers for each roll, where the roll is the index."""
    return levers_for_roll(tabled(mine, word, ask(mine, word, anything)), word)
