"""Tasks 4 and 8: the moves of both games, and the sets of levers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TypeAlias

from purembts.games.shut_the_box import Box, boxes, full_box
from purembts.verify.solution_calls import (
    Solution,
    Wrong,
    call,
    call_text,
    reading,
)
from purembts.verify.solutions import (
    Value,
    be,
    box_of,
    boxes_of,
    is_yes,
    levers_text,
    levers_words,
    shown,
)
from purembts.verify.task_chances import SECONDS
from purembts.workshop import ROLLS, levers_for_roll, possible_moves, power, simple_moves

SHUT: Box = frozenset()


@cache
def by_size() -> tuple[Box, ...]:
    """All boxes, those with few levers first; the shut box comes last, as no game asks for it."""
    ordered = sorted(boxes(), key=lambda box: (len(box), sorted(box)))
    return (*ordered[1:], SHUT)


def late(solution: Solution, begin: float, seconds: float) -> bool:
    """True if there is a clock, and `seconds` have gone since `begin`."""
    return solution.clock is not None and solution.clock() - begin > seconds


def now(solution: Solution) -> float:
    """The time on the clock, or 0 without one."""
    return solution.clock() if solution.clock else 0.0


# Tasks 4 and 8: the moves

Moves: TypeAlias = Callable[[Box, int], Iterable[Box]]


def check_moves(word: str, right: Moves) -> Callable[[Solution], str]:
    """A check that the function `word` has the moves of `right` at each box and roll."""

    def check(solution: Solution) -> str:
        begin, states = now(solution), 0
        for box in [*by_size()[:-2], full_box(), SHUT]:
            if late(solution, begin, SECONDS) and 0 < len(box) < 9:
                continue
            for roll in ROLLS:
                _check_state(solution, word, box, roll, frozenset(right(box, roll)))
                states += 1
        return f"{'all ' * (states == 5632)}{states:,} pairs of a box and a roll"

    return check


def _check_state(solution: Solution, word: str, box: Box, roll: int, right: frozenset[Box]) -> None:
    given = solution.make_box(box)
    text = call_text(word, (given, roll))
    answer = call(solution, word, box=given, roll=roll)
    if box_of(given) != box:
        raise Wrong(
            f"`{text}` changes the box that it gets: it is {levers_text(box_of(given))} "
            "afterwards. A move must be a new box."
        )
    if _is_one_box(answer) and box_of(answer) in right - {SHUT}:
        raise Wrong(
            f"`{text}` gives {shown(answer)}, the box alone. The answer is a set of boxes, here a "
            "set with one box in it."
        )
    found = reading(text, boxes_of, answer)
    if set(found) != right:
        alone = f" If {shown(answer)} is the shut box, put it into a set." * (right == {SHUT})
        alone = "" if found else alone
        raise Wrong(f"`{text}` {_difference(box, roll, set(found), right)}.{alone}")
    twice = [move for move, times in Counter(found).items() if times > 1]
    if twice:
        raise Wrong(
            f"`{text}` has the box {levers_text(twice[0])} {Counter(found)[twice[0]]} times. "
            "Each move must come once, or a random choice takes it too often."
        )


def _is_one_box(answer: Value) -> bool:
    """True if an answer is a box, and not a collection of boxes. An empty one can be both."""
    try:
        return bool(box_of(answer))
    except ValueError:
        return False


def _difference(box: Box, roll: int, found: set[Box], right: frozenset[Box]) -> str:
    """The first difference between the moves that a learner found and the right ones."""
    if extra := sorted(found - right, key=lambda move: (len(box ^ move), sorted(move))):
        return f"has the box {levers_text(extra[0])}, {_fault(box, roll, extra[0], right)}"
    left_out = min(right - found, key=lambda move: (len(box - move), sorted(move)))
    shut = levers_words(box - left_out)
    return f"leaves out shutting {shut}, which leaves the box {levers_text(left_out)}"


def _fault(box: Box, roll: int, move: Box, right: frozenset[Box]) -> str:
    """The reason why `move` is no move."""
    if down := move - box:
        return f"where {levers_words(down)} {be(down)} up, and {be(down, 'was')} down before"
    if move == box:
        no_move = "" if right else "; there is no move, so the answer is an empty set"
        return f"which shuts no lever{no_move}"
    shut = box - move
    if sum(shut) != roll:
        return f"which shuts {levers_words(shut)}; the sum is {sum(shut)}, and the roll is {roll}"
    return f"which shuts {levers_words(shut)}; this game shuts only the lever of the roll"


check_simple_moves: Callable[[Solution], str] = check_moves("simple_moves", simple_moves)
check_possible_moves: Callable[[Solution], str] = check_moves("possible_moves", possible_moves)


def check_is_win(solution: Solution) -> str:
    """Check `is_win`: true for the shut box alone."""
    for box in (SHUT, *by_size()):
        given = solution.make_box(box)
        answer = call(solution, "is_win", box=given)
        text = call_text("is_win", (given,))
        if answer is None or bool(reading(text, is_yes, answer)) != (not box):
            meaning = "the box is shut" if not box else f"{levers_words(box)} {be(box)} still up"
            raise Wrong(f"`{text}` gives {shown(answer)}, and {meaning}.")
    return "all 512 boxes"


# Task 8: the sets of levers


def check_power(solution: Solution) -> str:
    """Check `power`: all subsets of some levers, each once."""
    for items in ([1], [1, 2], [1, 2, 3], [2, 5, 9], list(range(1, 10))):
        text = call_text("power", (items,))
        found = call(solution, "power", items=list(items))
        _check_sets(text, found, [frozenset(subset) for subset in power(items)])
    return "the subsets of 1 to 9 levers"


def _check_sets(text: str, found: Value, right: Iterable[Box]) -> None:
    """Raise a `Wrong` unless `found` has the sets of levers `right`, each once."""
    sets = reading(text, _lever_sets, found)
    counts, expected = Counter(sets), set(right)
    in_order = sorted(expected, key=lambda levers: (len(levers), sorted(levers)))
    for levers in in_order:
        if not counts[levers]:
            raise Wrong(f"`{text}` leaves out {levers_text(levers)}.")
    for levers, times in counts.items():
        if levers not in expected:
            why = f", and these levers add up to {sum(levers)}"
            raise Wrong(f"`{text}` has {levers_text(levers)}{why}.")
        if times > 1:
            raise Wrong(f"`{text}` has {levers_text(levers)} {times} times.")


def _lever_sets(value: Value) -> list[Box]:
    if isinstance(value, Mapping) or not isinstance(value, Iterable) or isinstance(value, str):
        raise ValueError(f"{shown(value)} is no collection of sets of levers.")
    items = list(value)
    twice = [item for item in items if isinstance(item, tuple | list) and len({*item}) < len(item)]
    if twice:
        raise ValueError(f"{shown(twice[0])} has a lever twice; each lever can be shut once.")
    return [box_of(item) for item in items]


def check_levers_for_roll(solution: Solution) -> str:
    """Check `levers_for_roll`: the sets of levers that add up to each roll."""
    for roll in ROLLS:
        found = call(solution, "levers_for_roll", roll=roll)
        text = call_text("levers_for_roll", (roll,))
        _check_sets(text, found, map(frozenset, levers_for_roll(roll)))
    return "all 11 rolls"


def check_lever_combinations(solution: Solution) -> str:
    """Check `lever_combinations`: the sets of levers, where the roll is the index.

    The workshop has this name for the power set, too, and that is accepted.
    """
    name = "lever_combinations"
    value = solution.words[name]
    if hasattr(value, "__len__") and len(value) == 512:
        _check_sets("lever_combinations", value, boxes())
        return "all 512 sets of levers"
    for roll in ROLLS:
        text = f"lever_combinations[{roll}]"
        try:
            found = call(solution, name, roll=roll) if callable(value) else value[roll]
        except (LookupError, TypeError) as error:
            raise Wrong(f"`{text}` raises {type(error).__name__}: {error}.") from error
        _check_sets(text, found, map(frozenset, levers_for_roll(roll)))
    return "all 11 rolls"
