"""Tasks 6, 7, 8 and 10: random games, simulations and the look-up table."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache, partial
from math import lcm
from typing import TypeAlias

from purembts import exact
from purembts.games.shut_the_box import (
    Box,
    full_box,
    shut_the_box,
    simple_game,
    simple_start,
)
from purembts.verify.solution_calls import (
    KINDS,
    NAMES,
    Solution,
    Wrong,
    call,
    call_text,
    caller,
    parameters,
    reading,
    replaced,
    required,
)
from purembts.verify.solutions import (
    Value,
    box_of,
    boxes_of,
    items_of,
    levers_text,
    probability_of,
    record_of,
    result_of,
    shown,
)
from purembts.verify.task_chances import SECONDS, affordable, counted, fits, outcomes
from purembts.verify.task_checks_moves import SHUT, by_size, now

# Tasks 6 and 8: the random game

Values: TypeAlias = Callable[[Box], Fraction]


@cache
def values(of_simple_game: bool) -> Values:
    """The exact probability of winning a random game, as a function of the box."""
    game = simple_game if of_simple_game else shut_the_box()
    value = exact.solver(game, policy=exact.uniform)
    return lambda box: Fraction(value(box)[0])


def check_play(
    word: str,
    of_simple_game: bool,
    shares: Mapping[Box, float],
) -> Callable[[Solution], str]:
    """A check that `word` wins from each box of `shares` with the exact probability.

    A share is the number of games from that box as a part of the games of the solution.
    """

    def check(solution: Solution) -> str:
        value = values(of_simple_game)
        games = {box: max(20, round(share * solution.games)) for box, share in shares.items()}
        for box in games:
            _play(solution, word, box, 0 if value(box) == 0 else 10, value(box))
        return [_play(solution, word, box, n, value(box)) for box, n in games.items()][-1]

    return check


def _play(solution: Solution, word: str, box: Box, n: int, p: Fraction) -> str:
    """Check that `n` games from `box` are won with probability `p`."""
    given = solution.make_box(box)
    text, play = call_text(word, (given,)), caller(solution, word, box=given)

    def won() -> bool:
        result = reading(text, lambda value: result_of(value, solution.own), play())
        if (p == 1 and not result) or (p == 0 and result):
            raise Wrong(f"`{text}` gives a {'win' if result else 'loss'}, and {_certain(box)}.")
        return bool(result)

    wins = outcomes(solution, won, n, seconds=1 if n < solution.games else 2)
    if box_of(given) != box:
        raise Wrong(
            f"`{text}` changes the box that it gets: it is {levers_text(box_of(given))} "
            "afterwards. The next game from it would be another game."
        )
    if n < 20:
        return ""
    of, calls = "the probability of winning", f"games of `{word}({levers_text(box)})`"
    try:
        return fits(of, f"games from {_from(box)}", sum(wins), len(wins), p, calls=calls)
    except Wrong as wrong:
        same = SEEDED if sum(wins) in (0, len(wins)) and _is_seeded(play) else ""
        raise Wrong(f"{wrong}{same}") from None


SEEDED = " All games are the same: do not seed inside the function."


def _is_seeded(play: Callable[[], object]) -> bool:
    """True if the random numbers after a game do not depend on those before it."""
    after = []
    for seed in (1, 2):
        random.seed(seed)
        play()
        after.append(random.getstate())
    return after[0] == after[1]


CHOICE, THROWN = frozenset({2, 3, 5}), (5, 2, 3)
"""A box and rolls that win exactly if the first move shuts lever 5, and not levers 2 and 3."""


def check_play_game(solution: Solution) -> str:
    """Check `play_game`: the share of wins from seven boxes, and the choice of a move."""
    check_play("play_game", False, SMALL)(solution)
    _check_choice(solution)
    return check_play("play_game", False, LARGE)(solution)


def _check_choice(solution: Solution) -> None:
    """Raise a `Wrong` unless both moves of a turn are equally likely; the dice are ours.

    It needs a game that calls the learner's `dice_roll` by name. It sees a wrong choice with far
    fewer games than the share of wins with random dice.
    """
    rolls_left: list[int] = []
    play = caller(solution, "play_game", box=solution.make_box(CHOICE))

    def won() -> bool:
        rolls_left[:] = [*THROWN, *THROWN]
        return reading("play_game", lambda value: result_of(value, solution.own), play())

    with replaced(solution, "dice_roll", lambda _: lambda *_, **__: rolls_left.pop(0)):
        won()
        if len(rolls_left) == 2 * len(THROWN):
            return  # its dice are not our dice
        wins = outcomes(solution, won, solution.games // 20, seconds=1)
    cases = "games of `play_game({2, 3, 5})` with the rolls 5, 2 and 3"
    try:
        fits("the probability of winning", cases, sum(wins), len(wins), Fraction(1, 2))
    except Wrong as wrong:
        raise Wrong(f"{wrong} The boxes {{2, 3}} and {{5}} must be equally likely moves.") from None


def _certain(box: Box) -> str:
    """The reason why a game from `box` has a certain result."""
    return "from this box there is no way to win" if box else "the shut box is a win"


def _from(box: Box) -> str:
    return "the full box" if box == full_box() else f"the box {levers_text(box)}"


def a_box(*levers: int) -> Box:
    """The box with these levers up."""
    return frozenset(levers)


check_play_simple_game: Callable[[Solution], str] = check_play(
    "play_simple_game",
    True,
    {
        SHUT: 0.01,
        a_box(7): 0.5,
        a_box(1): 0.01,
        a_box(1, 2): 0.05,
        a_box(3, 4): 0.5,
        a_box(6, 7, 8): 1,
    },
)
SMALL: Mapping[Box, float] = {SHUT: 0.01, a_box(7): 0.5, a_box(1): 0.01, a_box(1, 2): 0.5}
LARGE: Mapping[Box, float] = {
    a_box(1, 3, 4): 0.5,
    # Of all boxes, the one where most wrong ways to choose a move show soonest.
    a_box(1, 2, 3, 4, 6, 7, 8): 4,
    full_box(): 1,
}

# Tasks 7, 8 and 10: the simulation


def takes_box(function: Value) -> bool:
    """True if a simulation can get the box to start from."""
    positional = [p for p in parameters(function) or () if p.kind is not KINDS.VAR_KEYWORD]
    names = {p.name for p in positional}
    return bool(names & NAMES["box"]) or len(required(function)) > 1


def check_simulate(
    word: str,
    start: Box,
    of_simple_game: bool,
) -> Callable[[Solution], str]:
    """A check of a simulation from `start`, and from the box {7} if it takes a box."""

    def check(solution: Solution) -> str:
        function = solution.words[word]
        _check_default(word, function, start)
        value = values(of_simple_game)
        sure = ""
        if takes_box(function):
            _check_simulation(solution, word, a_box(7), value, in_call=True)
            sure = _check_simulation(solution, word, start, value, in_call=True)
        if "box" not in required(function) and len(required(function)) < 2:
            sure = _check_simulation(solution, word, start, value, in_call=False)
        return sure

    return check


def _check_default(word: str, function: Value, start: Box) -> None:
    """Raise a `Wrong` if `function` has a default box that is not `start`.

    The chances of two boxes can be so close that no number of games shows the difference.
    """
    for p in parameters(function) or ():
        if p.name in NAMES["box"] and p.default is not p.empty:
            try:
                box = box_of(p.default)
            except ValueError:
                continue  # None, for example, with the box in the body
            if box != start:
                raise Wrong(
                    f"`{word}` without a box begins with {levers_text(box)}; it must begin with "
                    f"{levers_text(start)}."
                )


def _check_simulation(
    solution: Solution, word: str, box: Box, value: Values, *, in_call: bool
) -> str:
    """Check that the simulation plays n games and gives their share of wins."""
    given = {"box": solution.make_box(box)} if in_call else {}
    p, where = value(box), f"games from {_from(box)}"

    def wins_of(n: int) -> int:
        text = call_text(word, (n, *given.values()))
        return _wins(solution, text, n, call(solution, word, n=n, **given))

    for n in (1, 2, 3):
        outcomes(solution, partial(wins_of, n), 10, seconds=0.2, first=2)
    threes = outcomes(solution, lambda: wins_of(3), solution.games // 10, seconds=1, first=5)
    text = call_text(word, (3, *given.values()))
    fits(f"the mean of `{text}`", f"{where} (three in each call)", sum(threes), 3 * len(threes), p)
    n = _affordable(solution, lambda: wins_of(20), solution.games)
    return fits(
        f"the probability of `{call_text(word, (n, *given.values()))}`", where, wins_of(n), n, p
    )


def _affordable(solution: Solution, play_twenty: Callable[[], object], n: int) -> int:
    """`n`, or the number of games that take about half of `SECONDS`.

    It is lower if little time is left for the task.
    """
    begin = now(solution)
    play_twenty()
    taken, seconds = now(solution) - begin, affordable(solution, SECONDS / 2)
    return n if taken * n <= 20 * seconds else min(n, max(20, round(20 * seconds / taken)))


def _wins(solution: Solution, text: str, n: int, value: Value) -> int:
    """The wins in the result of `n` games, a probability or a record."""
    record = None if isinstance(value, float | int | Fraction) else _record(solution, value)
    if record and sum(record) != n:
        raise Wrong(
            f"`{text}` gives {shown(value)}, a record of {counted(sum(record), 'game')}; it must "
            f"be a record of {n}."
        )
    p = float(reading(text, lambda answer: probability_of(answer, solution.own), value))
    if not 0 <= p <= 1:
        raise Wrong(f"`{text}` gives {shown(value)}; a probability is from 0 to 1.")
    if abs(p * n - round(p * n)) > 0.01:
        shares = ", ".join(f"{wins / n:.4g}" for wins in range(min(n, 3) + 1))
        raise Wrong(
            f"`{text}` gives {shown(value)}; the share of wins in {counted(n, 'game')} is one of "
            f"{shares}{', ...' * (n > 3)}."
        )
    return round(p * n)


def _record(solution: Solution, value: Value) -> tuple[int, int] | None:
    try:
        return record_of(value, solution.own)
    except ValueError:
        return None


check_simulate_simple_game: Callable[[Solution], str] = check_simulate(
    "simulate_simple_game", simple_start, True
)
check_simulate_real: Callable[[Solution], str] = check_simulate("simulate", full_box(), False)

# Task 10: the table


def check_all_boxes(solution: Solution) -> str:
    """Check `all_boxes`: each of the 512 boxes once."""
    value = solution.words["all_boxes"]
    value = call(solution, "all_boxes") if callable(value) else value
    found = Counter(reading("all_boxes", boxes_of, value))
    for box in (SHUT, *by_size()):
        if found[box] != 1:
            times = f"has {found[box]} times" if found[box] else "leaves out"
            raise Wrong(f"`all_boxes` {times} {levers_text(box)}; there are 512 boxes.")
    return "all 512 boxes"


def check_look_up_table(solution: Solution) -> str:
    """Check `look_up_table`: for each box, the share of wins of random games."""
    value = solution.words["look_up_table"]
    if not callable(value):
        return _check_table(solution, "look_up_table", value, None)
    if not required(value) and not any(p.name in NAMES["n"] for p in parameters(value) or ()):
        return _check_table(solution, "look_up_table()", call(solution, "look_up_table"), None)
    begin = now(solution)
    ones = call(solution, "look_up_table", n=1)
    _check_certain(solution, "look_up_table(1)", ones, 1)
    taken = now(solution) - begin
    n = max(1, solution.games // 512)
    n = n if taken * n < 2 * SECONDS else int(2 * SECONDS / taken)
    if n < 2:
        return _check_table(solution, "look_up_table(1)", ones, 1)
    return _check_table(solution, f"look_up_table({n})", call(solution, "look_up_table", n=n), n)


def _check_table(solution: Solution, text: str, value: Value, n: int | None) -> str:
    """Check that a table has the shares of `n` random games from each box."""
    found = _check_certain(solution, text, value, n)
    if n is not None and n > 4 and set(found.values()) <= {0, 1}:
        raise Wrong(
            f"`{text}` has only the values 0 and 1. That looks like one game for each box; it must "
            f"be {n} games."
        )
    games = n or _common_games(found.values())
    return _groups(text, found, values(False), games) if games else "the boxes that are certain"


def _check_certain(solution: Solution, text: str, value: Value, n: int | None) -> dict[Box, float]:
    """The shares of wins in a table; a `Wrong` if a box is missing or certainly wrong."""
    found = {
        reading(text, box_of, key): _share(solution, f"{text}[{shown(key)}]", item, n)
        for key, item in reading(text, items_of, value)
    }
    exactly = values(False)
    for box in (SHUT, *by_size()):
        if box not in found:
            raise Wrong(
                f"`{text}` has no entry for the box {levers_text(box)}; there are 512 boxes."
            )
        if exactly(box) in (0, 1) and found[box] != exactly(box):
            raise Wrong(
                f"`{text}` has {found[box]:g} for the box {levers_text(box)}; "
                f"{_certain(box)}, so it must be {exactly(box)}."
            )
    return found


def _share(solution: Solution, text: str, value: Value, n: int | None) -> float:
    """The share of wins in an entry of a table, which comes from `n` games if that is known."""
    if n is not None:
        return _wins(solution, text, n, value) / n
    return float(reading(text, lambda entry: probability_of(entry, solution.own), value))


def _common_games(shares: Iterable[float]) -> int | None:
    """The number of games that all the shares can come from, or None if there is none."""
    n = lcm(*(Fraction(p).limit_denominator(100_000).denominator for p in shares))
    return n if n <= 10**6 else None


def _groups(text: str, found: Mapping[Box, float], exactly: Values, n: int) -> str:
    """Check that the boxes fit, in three groups by their exact probability."""
    uncertain = sorted((box for box in found if 0 < exactly(box) < 1), key=exactly)
    third, sure = len(uncertain) // 3 + 1, ""
    for start in range(0, len(uncertain), third):
        group = uncertain[start : start + third]
        low, high = float(exactly(group[0])), float(exactly(group[-1]))
        of = f"the mean of `{text}` over the boxes with probabilities from {low:.2g} to {high:.2g}"
        wins = round(sum(found[box] for box in group) * n)
        # Games from different boxes vary less than games that all have the mean probability.
        p = sum(map(exactly, group)) / len(group)
        sure = fits(of, "games", wins, n * len(group), p)
    return sure
