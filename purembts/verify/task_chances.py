"""Chance in a learner's solution: games are played, counted, and compared with exact probabilities.

A check returns a phrase that says how sure it is, or raises `Wrong`. scipy is imported when the
first probability is compared, because half of the tasks are marked without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor, log10, sqrt
from typing import TypeVar

from purembts.verify.solution_calls import Solution, Wrong
from purembts.verify.solutions import Value

T = TypeVar("T")

SECONDS = 3.0
"""The time for the games of one check, if there is a clock."""
FIRST = 20
"""The number of games between two looks at the clock."""
ALARM = "chance explains such a difference less often than once in 10^9"


def outcomes(
    solution: Solution,
    draw: Callable[[], T],
    n: int,
    *,
    seconds: float = SECONDS,
    first: int = FIRST,
) -> list[T]:
    """The results of calling `draw` `n` times, or less often if that takes more than `seconds`.

    It is called at least `2 * first` times. Between two looks at the clock there are `first` calls.
    """
    if solution.clock is None:
        return [draw() for _ in range(n)]
    begin, found = solution.clock(), list[T]()
    end = begin + affordable(solution, seconds)
    while len(found) < n and (len(found) < 2 * first or solution.clock() < end):
        found += [draw() for _ in range(min(first, n - len(found)))]
    return found


def affordable(solution: Solution, seconds: float) -> float:
    """`seconds`, or a fifth of the time that is left for the task, if that is less."""
    if solution.clock is None:
        return seconds
    return max(0.0, min(seconds, (solution.until - solution.clock()) / 5))


def fits(of: str, cases: str, wins: int, n: int, p: Fraction | float, *, calls: str = "") -> str:
    """Check that `wins` of `n` cases fit the probability `p`; a `Wrong` if they do not.

    `of` names the probability, "the probability of winning", and `cases` the cases, "games from
    {7}". `calls` is their name in the `Wrong`, "games of `play_game({7})`".
    """
    from purembts.verify import statistics  # scipy takes half a second to import

    low, high = statistics.acceptance(n, p)
    if not low <= wins <= high:
        raise Wrong(
            f"After {n:,} {calls or cases} {of} is {rounded(wins / n)}; exactly it is "
            f"{rounded(p)}, and {ALARM}."
        )
    if p in (0, 1):
        return f"{n:,} {cases}"
    try:
        effect = rounded_up(statistics.smallest_effect(n, p))
    except ValueError:
        return f"only {n:,} {cases}"
    return (
        f"{n:,} {cases}; an error of {effect:g} in the probability would be seen in 999 of 1,000 "
        "runs"
    )


def counted(n: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "turn"), counted(20_000, "game")
    ('1 turn', '20,000 games')
    """
    return f"{n:,} {thing}{'s' * (n != 1)}"


def rounded(p: Fraction | float) -> str:
    """`p` with three significant digits.

    >>> rounded(0.0203934), rounded(Fraction(1, 36))
    ('0.0204', '0.0278')
    """
    return f"{float(p):.3g}"


def rounded_up(effect: float) -> float:
    """`effect` with two significant digits, rounded up.

    >>> rounded_up(0.01021), rounded_up(0.5)
    (0.011, 0.5)
    """
    digit = 10.0 ** (floor(log10(effect)) - 1)
    return round(ceil(effect / digit - 1e-9) * digit, 12)


def fits_distribution(
    cases: str, counts: Mapping[Value, int], probabilities: Mapping[Value, Fraction | float]
) -> str:
    """Check that `counts` fit `probabilities`; a `Wrong` if they do not."""
    from purembts.verify import statistics  # scipy takes half a second to import

    n = sum(counts.values())
    for effect in (0.02, 0.03, 0.05, 0.1, 0.2, 0.5):
        try:
            statistics.assert_distribution(counts, probabilities, effect=effect)
        except AssertionError:
            raise Wrong(_worst(cases, counts, probabilities)) from None
        except ValueError:
            continue
        return (
            f"{n:,} {cases}; a shift of {effect * 100:g} % of the cases would be seen in 999 of "
            "1,000 runs"
        )
    return f"only {n:,} {cases}"


def _worst(
    cases: str, counts: Mapping[Value, int], probabilities: Mapping[Value, Fraction | float]
) -> str:
    n = sum(counts.values())

    def misfit(outcome: Value) -> float:
        p = float(probabilities[outcome])
        return abs(counts.get(outcome, 0) - n * p) / sqrt(n * p * (1 - p))

    worst = max(
        (outcome for outcome in probabilities if 0 < probabilities[outcome] < 1), key=misfit
    )
    return (
        f"Of {n:,} {cases}, {counts.get(worst, 0):,} gave {worst}; about "
        f"{round(n * float(probabilities[worst])):,} is right, because the probability of {worst} "
        f"is {rounded(probabilities[worst])}, and {ALARM}."
    )
