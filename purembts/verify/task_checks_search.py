"""Task 11: Monte Carlo tree search, dive by dive.

A dive is checked exactly. The difference of the trees before and after it is its path, and each
step of the path tells its roll: the sum of the levers that it shuts. So the check knows the moves
that the dive chose from, and that the highest bound among them is chosen.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from purembts.bounds import ucb_wald
from purembts.games.shut_the_box import Box, full_box
from purembts.verify.solution_calls import (
    NAMES,
    Solution,
    Wrong,
    call,
    call_text,
    empty_maps,
    guarded,
    reading,
    replaced,
    required,
)
from purembts.verify.solutions import (
    Value,
    WinsAndLosses,
    levers_text,
    probability_of,
    record_of,
    result_of,
    shown,
    tree_of,
)
from purembts.verify.task_chances import SECONDS, counted, fits, fits_distribution
from purembts.verify.task_checks_games import a_box, values
from purembts.verify.task_checks_moves import SHUT, late, now
from purembts.verify.task_checks_start import ROLLS
from purembts.workshop import possible_moves

# One dive


def bound_of(wins: int, losses: int) -> float:
    """The workshop's bound."""
    return ucb_wald(wins, wins + losses)


Records: TypeAlias = dict[Box, WinsAndLosses]


class Dive(NamedTuple):
    """A dive of the learner's `uct`: the records before and after it, and its result."""

    root: Box
    before: Records
    after: Records
    won: bool


def dive(solution: Solution, tree: Value, root: Box) -> tuple[Value, Value]:
    """The tree and the result that the learner's `uct` gives, in this order.

    They come in any order. If there is only a tree, the result is None.
    """
    box = solution.make_box(root)
    text = _dive_text(solution, tree, root)
    answer = guarded(solution, "uct", text, {"tree": tree, "box": box})()
    if hasattr(answer, "items"):
        return answer, None
    if isinstance(answer, tuple | list) and len(answer) == 2:
        for grown, result in (answer, answer[::-1]):
            if hasattr(grown, "items"):
                return grown, result
    raise Wrong(
        f"`{text}` gives {shown(answer)}; it must be a pair of the new tree and the result."
    )


def _dive_text(solution: Solution, tree: Value, root: Box) -> str:
    text = call_text("uct", (tree, solution.make_box(root)))
    return (
        text
        if len(text) < 90
        else call_text("uct", (solution.make_box(root),)).replace("uct(", "uct(tree, ")
    )


def checked_dive(solution: Solution, tree: Value, before: Records, root: Box) -> tuple[Value, Dive]:
    """The tree after a dive, and the dive; a `Wrong` if the given tree changes."""
    text = _dive_text(solution, copy.copy(tree), root)
    grown, result = dive(solution, tree, root)

    def read(value: Value) -> Records:
        records = tree_of(value, solution.own).items()
        return {box: record for box, record in records if any(record)}  # those with visits

    if reading(text, read, tree) != before:
        raise Wrong(
            f"`uct` changed the tree that it was given: `{text}` must return a new tree and leave "
            "the old one alone. Copy a dict first: {**tree, box: record}."
        )
    after = reading(text, read, grown)
    won = _won(solution, text, before, after, root, result)
    return grown, Dive(root, before, after, won)


def _won(
    solution: Solution,
    text: str,
    before: Records,
    after: Records,
    root: Box,
    result: Value,
) -> bool:
    """The result of a dive; from the records of the root if `uct` does not return it."""
    if result is not None:
        return bool(reading(text, lambda v: result_of(v, solution.own), result))
    if not root and root not in after:
        return True
    return after.get(root, (0, 0))[0] > before.get(root, (0, 0))[0]


def tree_maker(solution: Solution) -> Callable[[], Value]:
    """The maker of an empty tree that the learner's `uct` takes: of a dict, if it does."""
    makers = empty_maps(solution.words)
    for make in makers:
        try:
            dive(solution, make(), a_box(7))
        except Wrong:
            continue
        return make
    return makers[0]


def check_dive(text: str, made: Dive) -> None:
    """Raise a `Wrong` unless the difference of the trees can be one dive of the workshop."""
    changed = {
        box: record for box, record in made.after.items() if record != made.before.get(box, (0, 0))
    }
    if gone := set(made.before) - set(made.after):
        raise Wrong(f"{text}: the box {levers_text(min(gone, key=sorted))} is lost from the tree.")
    _check_root(text, made, changed)
    _check_growth(text, made, changed)
    path = sorted(changed, key=lambda box: (-len(box), sorted(box))) or [made.root]
    for above, below in pairwise(path):
        if above not in made.before:
            raise Wrong(
                f"{text}: {levers_text(above)} is a new box, so the dive ends there with a random "
                f"game; but the record of {levers_text(below)} grows, too."
            )
        _check_step(text, made, above, below)
    _check_end(text, made, path[-1])


def _check_root(text: str, made: Dive, changed: Records) -> None:
    """Raise a `Wrong` unless the root gets a result, and all boxes that change are below it."""
    root, result = made.root, "win" if made.won else "loss"
    if not made.before and set(changed) - {root}:
        found = ", ".join(levers_text(box) for box in sorted(changed, key=sorted))
        raise Wrong(
            f"{text}: into the empty tree the dive gives one record, that of {levers_text(root)}; "
            f"the tree has records of {found}."
        )
    if root and root not in changed:
        raise Wrong(
            f"{text}: the dive begins at {levers_text(root)} and is a {result}, and the record of "
            f"this box stays at {_record(made.before.get(root, (0, 0)))}. Each box on the way gets "
            "the result."
        )
    if strange := [box for box in changed if not box <= root]:
        raise Wrong(
            f"{text}: the record of {levers_text(strange[0])} grows, and no move leads there."
        )


def _check_growth(text: str, made: Dive, changed: Records) -> None:
    """Raise a `Wrong` unless each record that changed has one result more, that of the dive."""
    for box, (wins, losses) in sorted(changed.items(), key=lambda item: -len(item[0])):
        old = made.before.get(box, (0, 0))
        if (wins - old[0], losses - old[1]) != (int(made.won), int(not made.won)):
            result = "win" if made.won else "loss"
            raise Wrong(
                f"{text}: the dive is a {result}, and the record of {levers_text(box)} goes from "
                f"{_record(old)} to {_record((wins, losses))}; each record on the path gets one "
                f"{result} more."
            )


def _record(record: WinsAndLosses) -> str:
    wins, losses = record
    return f"{wins} win{'s' * (wins != 1)} and {losses} loss{'es' * (losses != 1)}"


def _check_step(text: str, made: Dive, above: Box, below: Box) -> None:
    """Raise a `Wrong` unless some roll leads from `above` to `below`, the highest bound there."""
    roll = sum(above) - sum(below)
    moves = possible_moves(above, roll) if roll in ROLLS else ()
    if below not in moves:
        raise Wrong(
            f"{text}: the records of {levers_text(above)} and {levers_text(below)} grow, and no "
            "roll leads from the first to the second."
        )
    bounds = {move: bound_of(*made.before.get(move, (0, 0))) for move in moves}
    best = max(bounds, key=lambda move: bounds[move])
    if bounds[below] < bounds[best] - 1e-9:
        raise Wrong(
            f"{text}: at {levers_text(above)} with a roll of {roll} it goes to "
            f"{_rated(made, below)}, and {_rated(made, best)} has the higher `ucb`."
        )


def _rated(made: Dive, box: Box) -> str:
    record = made.before.get(box)
    known = f"{_record(record)}" if record else "no record"
    return f"{levers_text(box)} ({known}: {bound_of(*(record or (0, 0))):.4g})"


def _check_end(text: str, made: Dive, last: Box) -> None:
    """Raise a `Wrong` unless the dive can end at `last` with its result.

    A new box is the leaf. A known one is where the game is lost, or the box before the shut one, if
    the shut box has no record.
    """
    if not last:
        if not made.won:
            raise Wrong(
                f"{text}: the shut box gets a loss. A dive that shuts the box is a win, for each "
                "box on the way."
            )
    elif last not in made.before:
        if made.won and not values(False)(last):
            raise Wrong(
                f"{text}: it wins from {levers_text(last)}, from where there is no way to win."
            )
    elif made.won:
        if sum(last) not in ROLLS:
            raise Wrong(f"{text}: {_early_win(last)}")
        _check_hidden_win(text, made, last)
    elif all(possible_moves(last, roll) for roll in ROLLS):
        raise Wrong(
            f"{text}: the dive is lost, and the record of {levers_text(last)} is the last one that "
            "grows. Every roll has a move there, so the dive goes on, and a new box gets a record."
        )


def _check_hidden_win(text: str, made: Dive, last: Box) -> None:
    """Raise a `Wrong` if the shut box has a record and it did not get the win."""
    if SHUT in made.before:
        raise Wrong(f"{text}: {_early_win(last)}")


def _early_win(last: Box) -> str:
    """The fault of a win whose path ends at `last`: a stop without a move, or a lost record."""
    return (
        f"the dive wins, and the record of {levers_text(last)} is the last one that grows. A roll "
        "without a move loses there. After a move, the next box must get the win, too."
    )


# Many dives


def check_uct(solution: Solution) -> str:
    """Check `uct`: each dive exactly, and the chance of rolls and of random games."""
    begin, made = now(solution), 0
    for root, dives in SERIES:
        for start in range(3):
            made += len(_series(solution, root, dives // 3, begin if start else None))
    sure = _check_chance(solution)
    return f"{made:,} dives, each checked exactly; {sure}"


SERIES: list[tuple[Box, int]] = [
    (SHUT, 6),
    (a_box(7), 60),
    (a_box(1, 2, 3), 150),
    (a_box(1, 2, 3, 4), 150),
    (a_box(1, 2, 3, 4, 5, 6), 300),
    (full_box(), 600),
]


def _series(solution: Solution, root: Box, dives: int, begin: float | None = None) -> list[Dive]:
    """`dives` dives from `root`, each into the tree of the one before; all are checked."""
    tree: Value = tree_maker(solution)()
    before: Records = {}
    made: list[Dive] = []
    for number in range(1, dives + 1):
        if begin is not None and late(solution, begin, 2 * SECONDS):
            break
        tree, last = checked_dive(solution, tree, before, root)
        check_dive(f"Dive {number} of `uct` from {levers_text(root)}", last)
        made.append(last)
        before = last.after
    return made


FORCED = a_box(6, 7, 8)
"""Every roll has at most one move here, so the first steps of dives have the chances of rolls."""


def _check_chance(solution: Solution) -> str:
    """Check that first results are those of random games, and first steps of the dice."""
    empty = tree_maker(solution)
    for box in (a_box(7), a_box(1, 2)):
        n = max(200, solution.games // 20)
        begin, wins, played = now(solution), 0, 0
        while played < n and not (played > 100 and late(solution, begin, SECONDS / 2)):
            wins += checked_dive(solution, empty(), {}, box)[1].won
            played += 1
        cases = f"first dives of `uct` from {levers_text(box)}, each a random game,"
        fits("the probability of winning", cases, wins, played, values(False)(box))
    dives = _series(solution, FORCED, solution.games // 10, now(solution))
    steps = Counter(map(_first_step, dives))
    del steps["new"]
    dice = {f"{roll}": ROLLS[roll] for roll in sorted(FORCED)}
    right = dice | {"a loss at once": 1 - sum(dice.values(), Fraction(0))}
    return fits_distribution("rolls in dives of `uct` from {6, 7, 8}", steps, right)


def _first_step(made: Dive) -> str:
    """The first roll of a dive from `FORCED`, as far as the records tell it."""
    if made.root not in made.before:
        return "new"
    grown = [box for box in made.after if made.after[box] != made.before.get(box, (0, 0))]
    below = [box for box in grown if len(box) == len(made.root) - 1]
    return f"{sum(made.root) - sum(below[0])}" if below else "a loss at once"


# The search in one call


def check_search(word: str) -> Callable[[Solution], str]:
    """A check that a search makes the dives that it is asked for; it returns any form of answer."""

    def check(solution: Solution) -> str:
        for root, dives in ((a_box(7), 1), (a_box(7), 7), (a_box(1, 2, 3), 20), (full_box(), 30)):
            given = _search_arguments(solution, word, root, dives)
            with replaced(solution, "uct", _spy(solution, word, root)):
                _searched(solution, word, root, given)
        n = max(500, solution.games // 10)
        wins = _searched(solution, word, a_box(7), _search_arguments(solution, word, a_box(7), n))
        return fits(f"the share of wins of `{word}`", "dives from {7}", wins, n, Fraction(1, 6))

    return check


def _spy(
    solution: Solution, word: str, root: Box
) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """A replacement of `uct` that looks at the tree of each dive that a search makes.

    The tree of dive number k must have k - 1 visits of the root.
    """
    calls, depth = [0], [0]

    def make(real: Callable[..., Value]) -> Callable[..., Value]:
        def spy(*args: Any, **named: Any) -> Value:
            if not depth[0]:
                _check_visits(solution, word, root, [*args, *named.values()], calls[0])
            depth[0] += 1
            try:
                made = real(*args, **named)
            finally:
                depth[0] -= 1
            calls[0] += not depth[0]
            return made

        return spy

    return make


def _check_visits(
    solution: Solution, word: str, root: Box, values: list[Value], dives: int
) -> None:
    given = next((value for value in values if hasattr(value, "items")), None)
    if given is None:
        return
    visits = sum(tree_of(given, solution.own).get(root, (0, 0)))
    if visits != dives:
        raise Wrong(
            f"`{word}`: dive {dives + 1} from {levers_text(root)} gets a tree with "
            f"{counted(visits, 'visit')} of this box. It must get the tree of the dive before it, "
            f"with {counted(dives, 'visit')}."
        )


def _searched(solution: Solution, word: str, root: Box, given: dict[str, Value]) -> int:
    """The wins of a search, from the record of its root or from its share of wins."""
    text, dives = call_text(word, given.values()), given["n"]
    answer = call(solution, word, **given)
    record = _root_record(solution, text, answer, root)
    if record is None:
        p = float(reading(text, lambda v: probability_of(v, solution.own), answer))
        if not 0 <= p <= 1 or abs(p * dives - round(p * dives)) > 0.01:
            raise Wrong(f"`{text}` gives {shown(answer)}, which is no share of {dives} dives.")
        record = (round(p * dives), dives - round(p * dives))
    if sum(record) != dives:
        raise Wrong(
            f"`{text}` gives a record of {_record(record)} for {levers_text(root)}; the dives are "
            f"{dives}."
        )
    return record[0]


def _search_arguments(solution: Solution, word: str, root: Box, dives: int) -> dict[str, Value]:
    """The arguments of a search: a tree if it takes one, the box, and the number of dives."""
    function = solution.words[word]
    box = solution.make_box(root)
    if len(required(function)) > 2 or set(required(function)) & NAMES["tree"]:
        return {"tree": tree_maker(solution)(), "box": box, "n": dives}
    return {"box": box, "n": dives}


def _root_record(
    solution: Solution,
    text: str,
    answer: Value,
    root: Box,
) -> WinsAndLosses | None:
    """The record of `root` in the answer of a search; None if the answer is a probability."""
    parts = [answer, *answer] if isinstance(answer, tuple) else [answer]
    for part in parts:
        try:
            return record_of(part, solution.own)
        except (ValueError, TypeError):
            pass
        if hasattr(part, "items"):
            tree = reading(text, lambda v: tree_of(v, solution.own), part)
            if root not in tree:
                raise Wrong(f"`{text}` has no record of the box {levers_text(root)}.")
            return tree[root]
    return None
