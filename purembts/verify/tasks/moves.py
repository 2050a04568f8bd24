"""Tasks 4, 8 and 10: the moves of both games, and the sets of levers. All cases are tried."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial
from itertools import product
from typing import Any

from purembts import workshop
from purembts.games.shut_the_box import Box, boxes
from purembts.verify.tasks.chances import ROLLS
from purembts.verify.tasks.reading import (
    Mine,
    NotRead,
    Value,
    Wrong,
    are,
    ask,
    box_of,
    by_size,
    moves_of,
    same,
    same_sets,
    shown,
    tabled,
    truth,
    words_of,
)

SHUT: Box = frozenset()
BY_SIZE: tuple[Box, ...] = tuple(sorted(boxes(), key=by_size))
"""All boxes, the shut one first, and those with few levers before those with many."""
PLAYED: tuple[tuple[Box, int], ...] = tuple(product(BY_SIZE[1:], ROLLS))
"""All boxes but the shut one, where no game rolls, with all rolls."""


def simple_moves(mine: Mine) -> str:
    """The move is the box without the lever of the roll, if this lever is up."""
    return _moves(mine, "simple_moves", workshop.simple_moves)


def possible_moves(mine: Mine) -> str:
    """The moves are the boxes without levers that add up to the roll, each once."""
    return _moves(mine, "possible_moves", workshop.possible_moves)


def _moves(mine: Mine, word: str, right: Callable[[Box, int], Collection[Box]]) -> str:
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


def is_win(mine: Mine) -> str:
    """It is true for the shut box, and for no other."""
    cases = ((box,) for box in BY_SIZE)
    return f"all {same(mine, 'is_win', cases, truth, lambda box: not box, _still_up)} boxes"


def _still_up(box: Box, _found: bool) -> str:
    return f"{are(box)} still up" if box else "the box is shut"


# The sets of levers


def _sum_of(*case: Any) -> str:
    return f"; these levers add up to {sum(case[-1])}"


def sets_of(value: Value) -> list[Box]:
    """The sets of levers in an iterable; each is a set, or a tuple or a list without repeats."""
    if not isinstance(value, Iterable) or isinstance(value, str | dict):
        raise NotRead("the sets of levers as an iterable of sets or tuples")
    items = list(value)
    for item in items:
        if isinstance(item, tuple | list) and len({*item}) < len(item):
            raise Wrong(f"{shown(item)} has a lever twice; each lever can be shut once.")
    return [box_of(set(item) if isinstance(item, tuple | list) else item) for item in items]


def power(mine: Mine) -> str:
    """The power set has all subsets, each once; of a list, or else of a set."""
    cases = [[1], [1, 2], [1, 2, 3], [2, 5, 9], [*range(1, 10)]]
    check = partial(same_sets, form=sets_of, right=workshop.power, about=lambda *_: "")
    try:
        check(mine, "power", [(items,) for items in cases])
    except Wrong as wrong:
        if "TypeError" not in str(wrong):
            raise
        check(mine, "power", [(frozenset(items),) for items in cases])
    return "the subsets of 1 to 9 levers"


def levers_for_roll(mine: Mine) -> str:
    """The sets of levers are those that add up to the roll, each once."""
    return _for_rolls(mine, "levers_for_roll")


def lever_combinations(mine: Mine) -> str:
    """The sets of levers for each roll, where the roll is the index."""
    word = "lever_combinations"
    return _for_rolls(tabled(mine, word, ask(mine, word, lambda value: value)), word)


def _for_rolls(mine: Mine, word: str) -> str:
    cases = ((roll,) for roll in ROLLS)
    return f"all {same_sets(mine, word, cases, sets_of, workshop.levers_for_roll, _sum_of)} rolls"


def all_boxes(mine: Mine) -> str:
    """There are 512 boxes, each once."""
    same_sets(mine, "all_boxes", [()], moves_of, boxes, lambda _: "; there are 512 boxes")
    return "all 512 boxes"
