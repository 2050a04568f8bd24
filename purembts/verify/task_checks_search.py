"""Task 11: the upper confidence bound, and Monte Carlo tree search dive by dive.

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
from math import isclose, isinf
from typing import NamedTuple, TypeAlias

from purembts.bounds import ucb_wald
from purembts.games.shut_the_box import Box, full_box, possible_moves, rolls
from purembts.verify.solution_calls import (
    NAMES,
    Solution,
    Wrong,
    call,
    call_text,
    guarded,
    parameters,
    reading,
    required,
)
from purembts.verify.solutions import (
    RecordForm,
    Value,
    WinsAndLosses,
    items_of,
    levers_text,
    meaning_of,
    probability_of,
    record_forms,
    record_of,
    result_of,
    shown,
    tree_of,
)
from purembts.verify.task_chances import SECONDS, fits, fits_distribution
from purembts.verify.task_checks_games import SHUT, a_box, late, now, values
from purembts.verify.task_checks_start import ROLLS

# The bound

SOME: list[WinsAndLosses] = [(w, n - w) for n in (*range(1, 11), 100, 1000) for w in range(n + 1)]
"""Records to compare the bound at, those of few games first."""
PROBE: WinsAndLosses = (1, 3)


def bound_of(wins: int, losses: int) -> float:
    """The workshop's bound."""
    return ucb_wald(wins, wins + losses)


def check_ucb(solution: Solution) -> str:
    """Check `ucb`: all records of up to 10 games, and of 100 and 1,000."""
    form = _record_form(solution)
    for wins, losses in SOME:
        found = _ucb(solution, form, wins, losses)
        if not _is_close(found, bound_of(wins, losses)):
            raise Wrong(_wrong_bound(wins, losses, found))
    _check_no_games(solution, form)
    return f"{len(SOME):,} records, exactly"


def _is_close(found: Value, right: float) -> bool:
    try:
        return isclose(float(found), right, rel_tol=1e-9, abs_tol=1e-12)
    except (TypeError, ValueError):
        return False


def _wrong_bound(wins: int, losses: int, found: Value) -> str:
    n, right = wins + losses, bound_of(wins, losses)
    rule = (
        f"the rule of 3 gives {right:.6g}"
        if not wins
        else f"the formula (w + 2 sqrt(w l / n)) / n gives {right:.6g}"
    )
    games = f"{wins} win{'s' * (wins != 1)} in {n} game{'s' * (n != 1)}"
    return f"`ucb` of {games} gives {_short(found)}; {rule}."


def _short(value: Value) -> str:
    return f"{value:.6g}" if isinstance(value, float) else shown(value)


def _ucb(solution: Solution, form: RecordForm | None, wins: int, losses: int) -> Value:
    """The learner's bound of a record. With two or three arguments they are the numbers."""
    names = required(solution.words["ucb"])
    if len(names) < 2 or (form is not None and form.name == ""):
        record = (form or record_forms(solution.words)[0]).make(wins, losses)
        return call(solution, "ucb", record=record)
    numbers = {"wins": wins, "losses": losses, "visits": wins + losses}
    meant = [meaning_of(name) or ("wins", "losses", "visits")[i] for i, name in enumerate(names)]
    return call(solution, "ucb", **{name: numbers[m] for name, m in zip(names, meant, strict=True)})


def _record_form(solution: Solution) -> RecordForm | None:
    """The form of records that `ucb` takes: that of the trees, or the first that works."""
    if len(required(solution.words["ucb"])) > 1:
        return None
    example = _example_record(solution)
    if example is not None:
        return record_forms(solution.words, example)[0]
    working: RecordForm | None = None
    for form in record_forms(solution.words):
        try:
            found = _ucb(solution, form, *PROBE)
        except Wrong:
            continue
        if _is_close(found, bound_of(*PROBE)):
            return form
        working = working or form
    return working


def _example_record(solution: Solution) -> Value:
    """A record of the learner: from a dive of `uct`, or from `simulate`; None without one."""
    try:
        if callable(solution.words.get("uct")):
            tree = dive(solution, {}, a_box(7))[0]
            return items_of(tree)[0][1]
        simulated = call(solution, "simulate", n=2)
        record_of(simulated, solution.own)
    except (Wrong, ValueError, KeyError, IndexError):
        return None
    return simulated


def _check_no_games(solution: Solution, form: RecordForm | None) -> None:
    """Raise a `Wrong` unless the bound is infinite for a record of no games, or for None."""
    wrong = None
    asks: dict[str, Callable[[], Value]] = {
        "0 wins in 0 games": lambda: _ucb(solution, form, 0, 0),
        "None": lambda: call(solution, "ucb", record=None),
    }
    for text, ask in asks.items():
        try:
            found = ask()
        except Wrong as error:
            wrong = wrong or str(error).rstrip(".")
            continue
        if isinstance(found, float) and isinf(found) and found > 0:
            return
        raise Wrong(f"`ucb` of {text} gives {_short(found)}; it must be infinite: math.inf.")
    raise Wrong(f"{wrong}. Without games the bound must be infinite: math.inf.")


# One dive

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
        return tree_of(value, solution.own)

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


def check_dive(text: str, made: Dive) -> None:
    """Raise a `Wrong` unless the difference of the trees can be one dive of the workshop."""
    changed = {
        box: record for box, record in made.after.items() if record != made.before.get(box, (0, 0))
    }
    if gone := set(made.before) - set(made.after):
        raise Wrong(f"{text}: the box {levers_text(min(gone, key=sorted))} is lost from the tree.")
    _check_growth(text, made, changed)
    path = sorted(changed, key=lambda box: (-len(box), sorted(box)))
    if (not path or path[0] != made.root) and made.root:
        raise Wrong(
            f"{text}: the record of the box {levers_text(made.root)}, where the dive begins, does "
            "not grow."
        )
    path = path or [made.root]
    if made.root not in made.before and len(path) > 1:
        raise Wrong(
            f"{text}: {levers_text(made.root)} is a new box, so only it gets a record; "
            f"{levers_text(path[1])} got one, too."
        )
    for above, below in pairwise(path):
        _check_step(text, made, above, below)
    _check_end(text, made, path[-1])


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
    moves = possible_moves(above, roll) if roll in rolls() else ()
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
            raise Wrong(f"{text}: the dive ends at the shut box, and its result must be a win.")
    elif last not in made.before:
        if made.won and not values(False)(last):
            raise Wrong(
                f"{text}: it wins from {levers_text(last)}, from where there is no way to win."
            )
    elif made.won:
        if sum(last) not in rolls():
            raise Wrong(
                f"{text}: the dive wins, and the record of {levers_text(last)} is the last one "
                "that grows; the boxes after it must get the win, too, and a new box a record."
            )
        _check_hidden_win(text, made)
    elif all(possible_moves(last, roll) for roll in rolls()):
        raise Wrong(
            f"{text}: the dive is lost, and the record of {levers_text(last)} is the last one that "
            "grows. Every roll has a move there, so the dive goes on, and a new box gets a record."
        )


def _check_hidden_win(text: str, made: Dive) -> None:
    """Raise a `Wrong` if the shut box has a record and it did not get the win."""
    if SHUT in made.before:
        raise Wrong(
            f"{text}: the dive shuts the box, and the record of the shut box does not grow."
        )


# Many dives


def check_uct(solution: Solution) -> str:
    """Check `uct`: each dive exactly, and the chance of rolls and of random games."""
    begin, made = now(solution), 0
    for root, dives in SERIES:
        for start in range(3):
            made += len(_series(solution, root, dives // 3, begin if start else None))
    sure = _check_chance(solution)
    return f"{made:,} dives, each of them exactly; {sure}"


SERIES: list[tuple[Box, int]] = [
    (SHUT, 6),
    (a_box(7), 60),
    (a_box(1, 2, 3), 150),
    (a_box(1, 2, 3, 4), 300),
    (a_box(1, 2, 3, 4, 5, 6), 600),
    (full_box(), 900),
]


def _series(solution: Solution, root: Box, dives: int, begin: float | None = None) -> list[Dive]:
    """`dives` dives from `root`, each into the tree of the one before; all are checked."""
    tree: Value = {}
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
    for box in (a_box(7), a_box(1, 2)):
        n = max(200, solution.games // 10)
        begin, wins, played = now(solution), 0, 0
        while played < n and not (played > 100 and late(solution, begin, SECONDS / 2)):
            wins += checked_dive(solution, {}, {}, box)[1].won
            played += 1
        cases = f"first dives from {levers_text(box)}, each a random game,"
        fits("the probability of winning", cases, wins, played, values(False)(box))
    steps = Counter(_first_step(made) for made in _series(solution, FORCED, solution.games // 10))
    del steps["new"]
    dice = {f"{roll}": ROLLS[roll] for roll in sorted(FORCED)}
    right = dice | {"a loss at once": 1 - sum(dice.values(), Fraction(0))}
    return fits_distribution("rolls in dives from {6, 7, 8}", steps, right)


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
            _searched(solution, word, root, dives)
        n = max(500, solution.games // 10)
        wins = _searched(solution, word, a_box(7), n)
        return fits(f"the share of wins of `{word}`", "dives from {7}", wins, n, Fraction(1, 6))

    return check


def _searched(solution: Solution, word: str, root: Box, dives: int) -> int:
    """The wins of a search, from the record of its root or from its share of wins."""
    given = _search_arguments(solution, word, root, dives)
    text = call_text(word, given.values())
    answer = call(solution, word, **given)
    record = _root_record(solution, text, answer, root)
    if record is None:
        p = float(reading(text, lambda v: probability_of(v, solution.own), answer))
        record = (round(p * dives), dives - round(p * dives))
        if abs(p * dives - record[0]) > 0.01 or not 0 <= p <= 1:
            raise Wrong(f"`{text}` gives {shown(answer)}, which is no share of {dives} dives.")
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
    named = any(p.name in NAMES["tree"] for p in parameters(function) or ())
    if named or len(required(function)) > 2:
        return {"tree": {}, "box": box, "n": dives}
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
