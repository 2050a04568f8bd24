"""Tasks 4, 6, 7, 8 and 10: the moves, the random game, the simulation and the look-up table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache, partial
from math import lcm
from typing import TypeAlias

from purembts import exact
from purembts.games.shut_the_box import (
    Box,
    boxes,
    full_box,
    levers_for_roll,
    possible_moves,
    power,
    rolls,
    shut_the_box,
    simple_game,
    simple_moves,
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
    required,
)
from purembts.verify.solutions import (
    Value,
    box_of,
    boxes_of,
    is_yes,
    items_of,
    levers_text,
    probability_of,
    record_of,
    result_of,
    shown,
)
from purembts.verify.task_chances import SECONDS, fits, outcomes

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
            if late(solution, begin, 2 * SECONDS) and 0 < len(box) < 9:
                continue
            for roll in rolls():
                _check_state(solution, word, box, roll, frozenset(right(box, roll)))
                states += 1
        return f"the moves of {states:,} of the 5,632 states"

    return check


def _check_state(solution: Solution, word: str, box: Box, roll: int, right: frozenset[Box]) -> None:
    given = solution.make_box(box)
    text = call_text(word, (given, roll))
    found = reading(text, boxes_of, call(solution, word, box=given, roll=roll))
    if box_of(given) != box:
        raise Wrong(
            f"`{text}` changes the box that it gets to {levers_text(box_of(given))}. "
            "Make a new box for each move."
        )
    if set(found) != right:
        raise Wrong(f"`{text}` {_difference(box, roll, set(found), right)}.")
    twice = [move for move, times in Counter(found).items() if times > 1]
    if twice:
        raise Wrong(
            f"`{text}` has the box {levers_text(twice[0])} {Counter(found)[twice[0]]} times; "
            "each move comes once, or a random choice takes it too often."
        )


def _difference(box: Box, roll: int, found: set[Box], right: frozenset[Box]) -> str:
    """The first difference between the moves that a learner found and the right ones."""
    if extra := sorted(found - right, key=lambda move: (len(box ^ move), sorted(move))):
        return f"has the box {levers_text(extra[0])}, {_fault(box, roll, extra[0], right)}"
    left_out = min(right - found, key=lambda move: (len(box - move), sorted(move)))
    shut = _levers(box - left_out)
    return f"leaves out shutting {shut}, which leaves the box {levers_text(left_out)}"


def _fault(box: Box, roll: int, move: Box, right: frozenset[Box]) -> str:
    """The reason why `move` is no move."""
    if not move <= box:
        return (
            f"where {_levers(move - box)} {_be(move - box)} up that {_be(move - box, 'was')} down"
        )
    if move == box:
        no_move = "" if right else "; there is no move, so the answer is an empty set"
        return f"which shuts no lever{no_move}"
    shut = box - move
    if sum(shut) != roll:
        return f"which shuts {_levers(shut)}: {_sum(shut)}, and the roll is {roll}"
    return f"which shuts {_levers(shut)}; this game shuts only the lever of the roll"


def _levers(levers: Box) -> str:
    """The levers in words.

    >>> _levers(frozenset({3})), _levers(frozenset({5, 1, 2}))
    ('lever 3', 'levers 1, 2 and 5')
    """
    numbers = [str(lever) for lever in sorted(levers)]
    if len(numbers) == 1:
        return f"lever {numbers[0]}"
    return f"levers {', '.join(numbers[:-1])} and {numbers[-1]}"


def _sum(levers: Box) -> str:
    return f"they add up to {sum(levers)}" if len(levers) > 1 else f"it counts {sum(levers)}"


def _be(levers: Box, verb: str = "is") -> str:
    return verb if len(levers) == 1 else {"is": "are", "was": "were"}[verb]


check_simple_moves = check_moves("simple_moves", simple_moves)
check_possible_moves = check_moves("possible_moves", possible_moves)


def check_is_win(solution: Solution) -> str:
    """Check `is_win`: true for the shut box alone."""
    for box in (SHUT, *by_size()):
        given = solution.make_box(box)
        answer = call(solution, "is_win", box=given)
        text = call_text("is_win", (given,))
        if answer is None or bool(reading(text, is_yes, answer)) != (not box):
            meaning = "the box is shut" if not box else f"{_levers(box)} {_be(box)} still up"
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
            why = f", which adds up to {sum(levers)}" if levers else ""
            raise Wrong(f"`{text}` has {levers_text(levers)}{why}.")
        if times > 1:
            raise Wrong(f"`{text}` has {levers_text(levers)} {times} times.")


def _lever_sets(value: Value) -> list[Box]:
    if isinstance(value, Mapping) or not isinstance(value, Iterable) or isinstance(value, str):
        raise ValueError("It must be a collection of sets of levers.")
    items = list(value)
    twice = [item for item in items if isinstance(item, tuple | list) and len({*item}) < len(item)]
    if twice:
        raise ValueError(f"{shown(twice[0])} has a lever twice; each lever can be shut once.")
    return [box_of(item) for item in items]


def check_levers_for_roll(solution: Solution) -> str:
    """Check `levers_for_roll`: the sets of levers that add up to each roll."""
    for roll in rolls():
        found = call(solution, "levers_for_roll", roll=roll)
        text = call_text("levers_for_roll", (roll,))
        _check_sets(text, found, map(frozenset, levers_for_roll(roll)))
    return "all 11 rolls"


def check_lever_combinations(solution: Solution) -> str:
    """Check `lever_combinations`: the sets of levers, where the roll is the index.

    The workshop has this name for the power set, too, and that is accepted.
    """
    value = solution.words["lever_combinations"]
    if hasattr(value, "__len__") and len(value) == 512:
        _check_sets("lever_combinations", value, boxes())
        return "all 512 sets of levers"
    for roll in rolls():
        text = f"lever_combinations[{roll}]"
        try:
            found = value(roll) if callable(value) else value[roll]
        except (LookupError, TypeError) as error:
            raise Wrong(f"`{text}` raises {type(error).__name__}: {error}.") from error
        _check_sets(text, found, map(frozenset, levers_for_roll(roll)))
    return "all 11 rolls"


# Tasks 6 and 8: the random game

Values: TypeAlias = Callable[[Box], Fraction]


@cache
def values(of_simple_game: bool) -> Values:
    """The exact probability of winning a random game, as a function of the box."""
    game = simple_game if of_simple_game else shut_the_box()
    value = exact.solver(game, exact.uniform)
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
            _play(solution, word, box, 10, value(box))
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

    wins = outcomes(solution, won, n)
    if box_of(given) != box:
        raise Wrong(
            f"`{text}` changes the box that it gets to {levers_text(box_of(given))}. "
            "The next game from it would be another game."
        )
    if n < 20:
        return ""
    return fits("the probability of winning", f"games from {_from(box)}", sum(wins), len(wins), p)


def _certain(box: Box) -> str:
    """The reason why a game from `box` has a certain result."""
    return "from this box there is no way to win" if box else "the shut box is a win"


def _from(box: Box) -> str:
    return "the full box" if box == full_box() else f"the box {levers_text(box)}"


def a_box(*levers: int) -> Box:
    """The box with these levers up."""
    return frozenset(levers)


check_play_simple_game = check_play(
    "play_simple_game",
    True,
    {
        SHUT: 0.01,
        a_box(1): 0.01,
        a_box(1, 2): 0.05,
        a_box(3, 4): 0.5,
        a_box(7): 0.5,
        a_box(6, 7, 8): 1,
    },
)
check_play_game = check_play(
    "play_game",
    False,
    {
        SHUT: 0.01,
        a_box(1): 0.01,
        a_box(7): 0.5,
        a_box(1, 2): 0.5,
        a_box(1, 3, 4): 0.5,
        # Of all boxes, the one where most wrong ways to choose a move show soonest.
        a_box(1, 2, 3, 4, 6, 7, 8): 4,
        full_box(): 1,
    },
)

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
        value = values(of_simple_game)
        sure = ""
        if takes_box(function):
            _check_simulation(solution, word, a_box(7), value, in_call=True)
            sure = _check_simulation(solution, word, start, value, in_call=True)
        if "box" not in required(function) and len(required(function)) < 2:
            sure = _check_simulation(solution, word, start, value, in_call=False)
        return sure

    return check


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
        outcomes(solution, partial(wins_of, n), 10)
    threes = outcomes(solution, lambda: wins_of(3), solution.games // 10)
    text = call_text(word, (3, *given.values()))
    fits(f"the mean of `{text}`", f"{where} (three in each call)", sum(threes), 3 * len(threes), p)
    n = _affordable(solution, lambda: wins_of(100), solution.games)
    return fits(
        f"the probability of `{call_text(word, (n, *given.values()))}`", where, wins_of(n), n, p
    )


def _affordable(solution: Solution, play_hundred: Callable[[], object], n: int) -> int:
    """`n`, or the number of games that take about `SECONDS`."""
    begin = now(solution)
    play_hundred()
    taken = now(solution) - begin
    return n if taken * n <= 100 * SECONDS else max(100, round(100 * SECONDS / taken))


def _wins(solution: Solution, text: str, n: int, value: Value) -> int:
    """The wins in the answer to a simulation of `n` games, a probability or a record."""
    p = float(reading(text, lambda answer: probability_of(answer, solution.own), value))
    if not 0 <= p <= 1:
        raise Wrong(f"`{text}` gives {shown(value)}; a probability is from 0 to 1.")
    if not isinstance(value, float | int | Fraction):
        played = sum(_record(solution, value) or (n,))
        if played != n:
            raise Wrong(f"`{text}` gives {shown(value)}, a record of {played} games, not of {n}.")
    if abs(p * n - round(p * n)) > 0.01:
        raise Wrong(
            f"`{text}` gives {shown(value)}; the share of wins in {n} games is a number of "
            f"{'halves' if n == 2 else f'parts of {n}'}."
        )
    return round(p * n)


def _record(solution: Solution, value: Value) -> tuple[int, int] | None:
    try:
        return record_of(value, solution.own)
    except ValueError:
        return None


check_simulate_simple_game = check_simulate("simulate_simple_game", simple_start, True)
check_simulate_real = check_simulate("simulate", full_box(), False)

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
    _check_table(solution, "look_up_table(1)", call(solution, "look_up_table", n=1), 1)
    taken = now(solution) - begin
    n = max(1, solution.games // 512)
    n = n if taken * n < 2 * SECONDS else max(2, round(2 * SECONDS / taken))
    return _check_table(solution, f"look_up_table({n})", call(solution, "look_up_table", n=n), n)


def _check_table(solution: Solution, text: str, value: Value, n: int | None) -> str:
    """Check that a table has the shares of `n` random games from each box."""
    pairs = reading(text, items_of, value)
    table = {reading(text, box_of, key): item for key, item in pairs}
    found = {
        box: float(reading(text, lambda v: probability_of(v, solution.own), item))
        for box, item in table.items()
    }
    for box in (SHUT, *by_size()):
        if box not in found:
            raise Wrong(f"`{text}` has no entry for the box {levers_text(box)}; there are 512.")
    exactly = values(False)
    for box in (SHUT, *by_size()):
        if exactly(box) in (0, 1) and found[box] != exactly(box):
            raise Wrong(
                f"`{text}` has {found[box]:g} for the box {levers_text(box)}; "
                f"{_certain(box)}, so it must be {exactly(box)}."
            )
    games = n or _common_games(found.values())
    return _groups(text, found, exactly, games) if games else "the boxes that are certain"


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
        of = f"the mean of `{text}` over the boxes from {low:.2g} to {high:.2g}"
        wins = round(sum(found[box] for box in group) * n)
        # Games from different boxes vary less than games that all have the mean probability.
        p = sum(map(exactly, group)) / len(group)
        sure = fits(of, "games", wins, n * len(group), p)
    return sure
