"""Task 11: the upper confidence bound of a record."""

from __future__ import annotations

from math import isclose, isinf

from purembts.verify.solution_calls import (
    Solution,
    Wrong,
    call,
    required,
)
from purembts.verify.solutions import (
    RecordForm,
    Value,
    WinsAndLosses,
    items_of,
    meaning_of,
    record_forms,
    record_of,
    shown,
)
from purembts.verify.task_checks_games import a_box
from purembts.verify.task_checks_search import bound_of, dive, tree_maker

SOME: list[WinsAndLosses] = [(w, n - w) for n in (*range(1, 11), 100, 1000) for w in range(n + 1)]
"""Records to compare the bound at, those of few games first."""
PROBE: WinsAndLosses = (1, 3)


def check_ucb(solution: Solution) -> str:
    """Check `ucb`: all records of up to 10 games, and of 100 and 1,000."""
    form = _record_form(solution)
    for wins, losses in SOME:
        found = _ucb(solution, form, wins, losses)
        if not _is_close(found, bound_of(wins, losses)):
            raise Wrong(_wrong_bound(wins, losses, found))
    _check_no_games(solution, form)
    return f"{len(SOME):,} records, checked exactly"


def _is_close(found: Value, right: float) -> bool:
    try:
        return isclose(float(found), right, rel_tol=1e-9, abs_tol=1e-12)
    except (TypeError, ValueError, OverflowError):
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
    text = shown(value)
    return f"{value:.6g}" if isinstance(value, float) and len(text) > 8 else text


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
            tree = dive(solution, tree_maker(solution)(), a_box(7))[0]
            return items_of(tree)[0][1]
        simulated = call(solution, "simulate", n=2)
        record_of(simulated, solution.own)
    except (Wrong, ValueError, KeyError, IndexError):
        return None
    return simulated


def _check_no_games(solution: Solution, form: RecordForm | None) -> None:
    """Raise a `Wrong` unless the bound of no games is infinite.

    If there is no record of no games in the form of the learner, it is the bound of None.
    """
    text = "0 wins in 0 games" if _can_be_empty(form) else "None"
    try:
        found = call(solution, "ucb", record=None) if text == "None" else _ucb(solution, form, 0, 0)
    except Wrong as error:
        why = str(error).rstrip(".")
        raise Wrong(f"{why}. Without games the bound must be infinite: math.inf.") from None
    if not (isinstance(found, float) and isinf(found) and found > 0):
        raise Wrong(f"`ucb` of {text} gives {_short(found)}; it must be infinite: math.inf.")


def _can_be_empty(form: RecordForm | None) -> bool:
    """True if a record of no games can be made, or if the numbers are given."""
    try:
        return form is None or form.make(0, 0) is not None
    except Exception:  # noqa: BLE001 - a class of the learner's own
        return False
