"""Chance in a solution: what comes is counted, and compared with exact probabilities.

A check returns a phrase that says how sure it is, or raises `Wrong`. How often a word is called
does not depend on its speed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import ceil, floor, log10
from numbers import Real

from purembts import exact
from purembts.games.shut_the_box import Box, shut_the_box, simple_game
from purembts.verify.tasks.calls import Mine, ask
from purembts.verify.tasks.forms import Form, Value, Words, Wrong, counted, number_of, record_of
from purembts.workshop import THROWS

GAMES = 20_000
"""The random games, flips, darts or rolls that a word is asked for."""
ALARM = "chance explains such a difference less often than once in 10^9"
ROLLS: Mapping[int, Fraction] = {r: Fraction(THROWS.count(r), 36) for r in range(2, 13)}
"""The probability of each roll."""


@cache
def random_play(of_simple_game: bool = False) -> Callable[[Box], Fraction]:
    """The exact probability of winning a random game, as a function of the box."""
    value = exact.solver(simple_game if of_simple_game else shut_the_box(), policy=exact.uniform)
    return lambda box: Fraction(value(box)[0])


def no_hint() -> str:
    """No hint about a wrong probability."""
    return ""


def fits(
    of: str, cases: str, hits: int, n: int, p: Fraction | float, hint: Callable[[], str] = no_hint
) -> str:
    """The phrase that `hits` of `n` cases fit the probability `p`; a `Wrong` if they do not.

    `of` names the probability, "the probability of winning", and `cases` the cases.
    """
    must_fit(of, cases, hits, n, p, hint)
    return sureness(cases, n, p)


def must_fit(
    of: str, cases: str, hits: int, n: int, p: Fraction | float, hint: Callable[[], str]
) -> None:
    """Raise a `Wrong` unless `hits` of `n` cases fit the probability `p`."""
    from purembts.verify import statistics

    low, high = statistics.acceptance(n, p)
    if not low <= hits <= high:
        found = f"After {n:,} {cases} {of} is {hits / n:.3g}"
        raise Wrong(f"{found}; exactly it is {float(p):.3g}, and {ALARM}.{hint()}")


def sureness(cases: str, n: int, p: Fraction | float) -> str:
    """The phrase that says which error in a probability `n` cases would have shown."""
    from purembts.verify import statistics

    if p in (0, 1):
        return f"{n:,} {cases}"
    effect = rounded_up(statistics.smallest_effect(n, p))
    seen = f"an error of {effect:g} in the probability would be seen in 999 of 1,000 runs"
    return f"{n:,} {cases}; {seen}"


def rounded_up(effect: float) -> float:
    """`effect` with two significant digits, rounded up.

    >>> rounded_up(0.01021), rounded_up(0.5)
    (0.011, 0.5)
    """
    digit = 10.0 ** (floor(log10(effect)) - 1)
    return round(ceil(effect / digit - 1e-9) * digit, 12)


def fits_distribution(
    cases: str,
    counts: Mapping[Value, int],
    probabilities: Mapping[Value, Fraction],
    hint: Callable[[], str] = no_hint,
) -> str:
    """The phrase that the share of each outcome fits its probability; about the likeliest one."""
    n = sum(counts.values())
    for each, p in probabilities.items():
        must_fit(f"the share of {each}", cases, counts.get(each, 0), n, p, hint)
    return sureness(cases, n, max(probabilities.values()))


# Shares


def share_of(words: Words, n: int) -> Form[int]:
    """The reader of shares of wins in n games: the number of wins. A record has its own."""

    def wins_of(value: Value) -> int:
        if isinstance(value, Real) and not isinstance(value, bool):
            return whole_share("The share of wins", value, n, "game")
        wins, losses = record_of(words)(value)
        if wins + losses != n:
            games = counted(wins + losses, "game")
            raise Wrong(f"That is a record of {games}; it must be a record of {n:,}.")
        return wins

    return wins_of


def whole_share(of: str, value: Value, n: int, case: str, times: int = 1) -> int:
    """The number of hits in n cases, of which `value` is the share, `times` over."""
    hits: float = number_of(value) * n / times
    begin = f"{of} in {counted(n, case)} is"
    if not 0 <= value <= times:
        raise Wrong(f"{begin} from 0 to {times}.")
    if abs(hits - round(hits)) > 1e-6:  # the rounding of floats, and no more
        some = ", ".join(f"{times * k / n:.4g}" for k in range(min(n, 3) + 1))
        raise Wrong(f"{begin} one of {some}{', ...' * (n > 3)}.")
    return round(hits)


def share_fits(
    mine: Mine, word: str, form: Callable[[int], Form[int]], p: Fraction | float, *box: Box
) -> str:
    """The phrase that a word tries n cases, for few and for many, and gives their share of hits.

    `form(n)` reads the number of hits in n cases.
    """

    def hits(n: int) -> int:
        return ask(mine, word, form(n), n, *box)

    for n in (1, 2, 5):
        for _ in range(10):
            hits(n)
    calls = GAMES // 10
    threes = sum(hits(3) for _ in range(calls))
    fits(f"the share in `{mine.text(word, 3, *box)}`", "tries, three a call,", threes, 3 * calls, p)
    return fits(f"the share in `{mine.text(word, GAMES, *box)}`", "tries", hits(GAMES), GAMES, p)
