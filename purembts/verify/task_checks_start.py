"""Tasks 1, 2, 3 and 5: the coin and the darts, the game on paper, the box and the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import pi
from numbers import Integral
from typing import Any

from purembts.games.shut_the_box import Box, full_box
from purembts.verify.solution_calls import Solution, Wrong, call, caller, reading, required
from purembts.verify.solutions import (
    Value,
    be,
    box_of,
    brief,
    is_yes,
    levers_text,
    levers_words,
    probability_of,
    roll_of,
    shown,
)
from purembts.verify.task_chances import counted, fits, fits_distribution, outcomes
from purembts.workshop import THROWS, possible_moves

# Task 1: the coin


def check_flip_coin(solution: Solution) -> str:
    """Check `flip_coin`: two sides, each with probability 1/2."""
    flip = caller(solution, "flip_coin")
    flips = outcomes(solution, flip, 200) + outcomes(solution, flip, solution.games)
    counts = Counter(map(brief, flips))
    if len(counts) == 1:
        raise Wrong(f"`flip_coin()` gives {min(counts)} each time. Flip inside the function.")
    if len(counts) > 2:
        raise Wrong(f"`flip_coin()` gives {_listed(counts)}; a coin has two sides.")
    side = min(counts)
    return fits(
        f"the share of {side}", "flips of `flip_coin()`", counts[side], len(flips), Fraction(1, 2)
    )


def _listed(found: Iterable[Value]) -> str:
    names = sorted(map(str, found))
    return ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")


def check_is_heads(solution: Solution) -> str:
    """Check `is_heads`: true for one side of the coin, and for no other."""
    words = solution.words
    sides = [words[name] for name in ("HEADS", "TAILS") if name in words]
    if "flip_coin" in words:
        sides = list(
            {brief(f): f for f in outcomes(solution, caller(solution, "flip_coin"), 200)}.values()
        )
    elif len(sides) < 2:
        sides = ["heads", "tails"]
    answers = {brief(side): _yes(solution, "is_heads", flip=side) for side in sides}
    if sorted(answers.values()) != [False, True]:
        told = " and ".join(f"{answer} for {side}" for side, answer in answers.items())
        raise Wrong(f"`is_heads` gives {told}; it must be True for one side of the coin.")
    if "HEADS" in words and not _yes(solution, "is_heads", flip=words["HEADS"]):
        raise Wrong(f"`is_heads({shown(words['HEADS'])})` gives False, and that is HEADS.")
    return "both sides of the coin"


def _yes(solution: Solution, word: str, **values: Any) -> bool:
    answer = call(solution, word, **values)
    text = f"{word}({', '.join(map(shown, values.values()))})"
    return bool(reading(text, is_yes, answer))


# Task 1: the darts


def dart_of(value: Value) -> tuple[float, float]:
    """The coordinates of a dart; a ValueError if there are not two."""
    if isinstance(value, complex):
        return value.real, value.imag
    try:
        x, y = value
        return float(x), float(y)
    except (TypeError, ValueError):
        raise ValueError(f"{brief(value)} is no dart, a pair of numbers (x, y).") from None


def check_throw_dart(solution: Solution) -> str:
    """Check `throw_dart`: uniform over the square from -1 to 1."""
    throw = caller(solution, "throw_dart")
    thrown = [reading("throw_dart()", dart_of, throw()) for _ in range(400)]
    for x, y in thrown:
        if not (-1 <= x <= 1 and -1 <= y <= 1):
            raise Wrong(f"`throw_dart()` gives {(x, y)}; x and y must be from -1 to 1.")
    for name, numbers in (("x", [x for x, _ in thrown]), ("y", [y for _, y in thrown])):
        if min(numbers) > -0.5 or max(numbers) < 0.5:
            raise Wrong(
                f"After 400 darts, {name} is from {min(numbers):.2f} to {max(numbers):.2f}; it "
                "must be from -1 to 1: 2 * random() - 1."
            )
    if all(x == y for x, y in thrown):
        raise Wrong("`throw_dart()` gives x equal to y each time; draw a random number for each.")
    more = outcomes(solution, throw, solution.games)
    return _uniform(thrown + [reading("throw_dart()", dart_of, dart) for dart in more])


def _uniform(darts: list[tuple[float, float]]) -> str:
    """Check that the darts are uniform, by the 16 fields of the square."""
    names = ("from -1 to -0.5", "from -0.5 to 0", "from 0 to 0.5", "from 0.5 to 1")
    fields = Counter(
        f"x {names[min(int(2 * x + 2), 3)]} and y {names[min(int(2 * y + 2), 3)]}" for x, y in darts
    )
    every = {f"x {across} and y {up}": Fraction(1, 16) for across in names for up in names}
    return fits_distribution("darts of `throw_dart()`", fields, every)


POINTS = [
    *[(0.0, 0.0), (0.5, 0.0), (0.0, -0.9), (0.6, 0.7), (-0.6, -0.7), (0.5, 0.6), (-0.9, 0.3)],
    *[(0.8, 0.7), (-0.8, 0.7), (0.8, -0.7), (-0.8, -0.7), (0.9, 0.9), (-0.1, 0.999), (0.2, -0.99)],
]


def check_in_circle(solution: Solution) -> str:
    """Check `in_circle`: on 14 points."""
    make = _dart_maker(solution)
    for x, y in POINTS:
        values = {"dart": make(x, y)}
        if len(required(solution.words["in_circle"])) == 2:
            values = {"x": x, "y": y}
        answer, right = _yes(solution, "in_circle", **values), x * x + y * y < 1
        if answer != right:
            sign = "below" if right else "not below"
            raise Wrong(
                f"`in_circle({', '.join(map(shown, values.values()))})` gives {answer}; "
                f"x squared plus y squared is {x * x + y * y:.4g}, {sign} 1."
            )
    return f"{len(POINTS)} points"


def _dart_maker(solution: Solution) -> Value:
    """A function from x and y to a dart in the form of the learner's darts."""
    words = solution.words
    example = call(solution, "throw_dart") if callable(words.get("throw_dart")) else (0.0, 0.0)
    if isinstance(example, complex):
        return complex
    if hasattr(example, "_fields"):
        return type(example)
    return lambda x, y: [x, y] if isinstance(example, list) else (x, y)


def check_estimate_pi(solution: Solution) -> str:
    """Check `estimate_pi`: four times the share of n darts in the circle."""
    for n in (1, 2, 5):
        for _ in range(30 // n):
            found = _estimate(solution, n)
            if not 0 <= found <= 4 or abs(found * n / 4 - round(found * n / 4)) > 1e-9:
                possible = ", ".join(f"{4 * hits / n:g}" for hits in range(n + 1))
                raise Wrong(
                    f"`estimate_pi({n})` gives {found:g}. Four times the share of {n} "
                    f"dart{'s' * (n > 1)} in the circle is one of {possible}."
                )
    twos = outcomes(solution, lambda: round(_estimate(solution, 2) / 2), solution.games // 2)
    fits("the share of hits", "darts of `estimate_pi(2)`", sum(twos), 2 * len(twos), pi / 4)
    n = solution.games
    hits = round(_estimate(solution, n) * n / 4)
    return fits("the share of darts in the circle", f"darts of `estimate_pi({n})`", hits, n, pi / 4)


def _estimate(solution: Solution, n: int) -> float:
    value = call(solution, "estimate_pi", n=n)
    return float(reading(f"estimate_pi({n})", probability_of, value))


# Task 2: the game on paper


def check_won_game(solution: Solution) -> str:
    """Check `won_game`: each turn is possible, and the last one shuts the box."""
    box, turns = _play_by_hand(solution, "won_game")
    if box:
        raise Wrong(
            f"`won_game` ends after {counted(turns, 'turn')}, and {levers_words(box)} {be(box)} "
            "still up."
        )
    return counted(turns, "turn")


def check_lost_game(solution: Solution) -> str:
    """Check `lost_game`: each turn is possible, and then a roll has no move."""
    box, turns = _play_by_hand(solution, "lost_game")
    if not box:
        raise Wrong("`lost_game` shuts the box, and that is a win.")
    if all(possible_moves(box, roll) for roll in range(2, 13)):
        raise Wrong(
            f"`lost_game` ends after {counted(turns, 'turn')} with the box {levers_text(box)}. "
            "Every roll has a move there, so the game is not lost yet."
        )
    return counted(turns, "turn")


def _play_by_hand(solution: Solution, word: str) -> tuple[Box, int]:
    """The box at the end of a game on paper and the number of turns; a `Wrong` for a wrong turn."""
    game = solution.words[word]
    turns = reading(word, _turns_of, call(solution, word) if callable(game) else game)
    box = full_box()
    for number, (roll, levers) in enumerate(turns, 1):
        turn = f"Turn {number} of `{word}`, roll {roll},"
        moves = possible_moves(box, roll)
        if not levers:
            if moves:
                shut = levers_words(box - moves[0])
                raise Wrong(f"{turn} shuts nothing, but the player can shut {shut}.")
            if word == "won_game" or number < len(turns):
                raise Wrong(f"{turn} has no move in the box {levers_text(box)}: the game is lost.")
            return box, number
        if not levers <= box:
            down = levers - box
            raise Wrong(f"{turn} shuts {levers_words(down)}, which {be(down)} down already.")
        if sum(levers) != roll:
            raise Wrong(f"{turn} shuts {levers_words(levers)}, and the sum is {sum(levers)}.")
        box -= levers
    return box, len(turns)


def _turns_of(value: Value) -> list[tuple[int, Box]]:
    """The turns of a game, each a roll and a set of levers; a ValueError if it cannot be read."""
    if (
        isinstance(value, str)
        or not isinstance(value, Sequence)
        or not all(isinstance(turn, Sequence) and len(turn) in (1, 2) for turn in value)
    ):
        raise ValueError(
            f"{brief(value)} is no game. A game is a list of turns like (12, {{3, 9}})."
        )
    return [(roll_of(turn[0]), _levers_of(*turn[1:])) for turn in value]


def _levers_of(value: Value = None) -> Box:
    if value is None:
        return frozenset()
    return box_of({value}) if isinstance(value, int) else box_of(value)


# Tasks 3 and 5: the boxes, the dice, the states


def check_box(word: str, right: Box, meaning: str, hint: str = "") -> Value:
    """A check that `word` is the box `right`."""

    def check(solution: Solution) -> str:
        value = solution.words[word]
        value = call(solution, word) if callable(value) else value
        box = reading(word, box_of, value)
        if box != right:
            down = (
                f" These are the levers that are down. {UP}" if box == full_box() - right else hint
            )
            raise Wrong(f"`{word}` is {levers_text(box)}; {meaning} is {levers_text(right)}.{down}")
        return levers_text(right)

    return check


UP = "A box is the set of the levers that are up."

check_start_box: Callable[[Solution], str] = check_box(
    "start_box",
    full_box(),
    "the box with all nine levers up",
    " The box of the simplified game, with lever 1 down, has the name `simple_start`.",
)
check_sample_box: Callable[[Solution], str] = check_box(
    "sample_box", full_box() - {1, 3, 6}, "the box with levers 1, 3 and 6 down"
)
check_easy_box: Callable[[Solution], str] = check_box(
    "easy_box", frozenset({7}), "the box with only lever 7 up"
)
check_simple_start: Callable[[Solution], str] = check_box(
    "simple_start", full_box() - {1}, "the box with lever 1 down and the others up"
)

ROLLS = {roll: Fraction(THROWS.count(roll), 36) for roll in range(2, 13)}


def check_dice_roll(solution: Solution) -> str:
    """Check `dice_roll`: the total of two dice."""
    roll = caller(solution, "dice_roll")
    found = outcomes(solution, roll, 200) + outcomes(solution, roll, solution.games)
    for value in found:
        if not isinstance(value, Integral) or value not in range(2, 13):
            raise Wrong(
                f"`dice_roll()` gives {shown(value)}; it must be the total of two dice, a whole "
                "number from 2 to 12."
            )
    counts = Counter(found)
    try:
        return fits_distribution("rolls of `dice_roll`", counts, ROLLS)
    except Wrong as wrong:
        raise Wrong(f"{wrong} {_dice_hint(counts)}") from None


def _dice_hint(counts: Counter[int]) -> str:
    """The reason of a wrong distribution of totals, as far as it can be seen."""
    n = sum(counts.values())
    if len(counts) == 1:
        return "It is the same each time: throw the dice inside the function."
    if all(roll % 2 == 0 for roll in counts):
        return "Only even totals came: throw two dice, and not one die twice."
    if missing := sorted(set(ROLLS) - set(counts)):
        return f"The total {missing[0]} never came."
    if max(counts.values()) < 1.3 * n / 11:
        return "The totals are not equally likely: add two dice, each from 1 to 6."
    return "Add two dice, each from 1 to 6 and independent of the other."


def check_number_of_states(solution: Solution) -> str:
    """Check `number_of_states`: 512 boxes times 11 rolls."""
    value = solution.words["number_of_states"]
    value = call(solution, "number_of_states") if callable(value) else value
    if value == 5632:
        return "512 boxes with 11 rolls each"
    hints = {
        512: " That is the number of boxes; a state is a box and a roll.",
        6144: " That counts 12 rolls; two dice have 11 totals, from 2 to 12.",
        18432: " That counts 36 throws; a state has their total, from 2 to 12.",
    }
    raise Wrong(
        f"`number_of_states` is {shown(value)}; there are 2^9 boxes and 11 rolls for each, 5632."
        f"{hints.get(value, '') if isinstance(value, int) else ''}"
    )
