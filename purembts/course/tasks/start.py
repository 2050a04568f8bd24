"""Tasks 1 to 3 and 5: the coin and the darts, the game on paper, the box and the dice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import product
from math import pi

from purembts import workshop
from purembts.course import task_texts
from purembts.course.tasks import calls, forms
from purembts.course.tasks.calls import ROLLS, SAMPLE, Mine, Property, ask, exact, same
from purembts.course.tasks.forms import BOX, NUMBER, TRUTH, AnyValue, Form, Wrong, levers
from purembts.games.shut_the_box import Box, full_box

# Task 1: the coin and the darts


def _flip(value: AnyValue) -> str:
    if "heads" not in value and "tails" not in value:
        raise ValueError
    return str(value)


FLIP = Form('"heads" or "tails"', _flip)


def flip_coin(mine: Mine, word: str) -> str:
    """Heads and tails are equally likely."""
    heads = sum("heads" in ask(mine, word, FLIP) for _ in range(SAMPLE))
    hint = " A coin has two sides: flip it in each call." if heads in (0, SAMPLE) else ""
    return calls.check_chance("the share of heads", "flips", heads, SAMPLE, Fraction(1, 2), hint)


def is_heads(mine: Mine, word: str) -> str:
    """It is true for heads, and for no other side."""
    flips = [ask(mine, "flip_coin", FLIP) for _ in range(100) if "flip_coin" in mine.words]
    sides = [(side,) for side in sorted({*flips}) or ("heads", "tails")]
    why = "it must be true for heads, and for no other side"
    calls.check_cases(mine, word, sides, TRUTH, same(lambda side: "heads" in side, lambda *_: why))
    return "both sides of the coin"


def _dart(value: AnyValue) -> tuple[float, float]:
    """A pair of numbers as a dart; a `Wrong` if it is outside the square."""
    x, y = map(float, value)
    if not (-1 <= x <= 1 and -1 <= y <= 1):
        raise Wrong("Both numbers must be from -1 to 1.")
    return x, y


DART = Form("a dart as a pair of numbers (x, y)", _dart)


def throw_dart(mine: Mine, word: str) -> str:
    """Darts are uniform over the square from -1 to 1: each of 16 fields has its share."""
    darts = [ask(mine, word, DART) for _ in range(SAMPLE)]
    parts = ("from -1 to -0.5", "from -0.5 to 0", "from 0 to 0.5", "from 0.5 to 1")
    fields = [f"x {across} and y {up}" for across, up in product(parts, parts)]
    counts = Counter(fields[4 * min(int(2 * x + 2), 3) + min(int(2 * y + 2), 3)] for x, y in darts)
    (low, _), (high, _) = min(darts), max(darts)
    hint = ""
    if low > -0.9 or high < 0.9:
        hint = f" x is from {low:.2f} to {high:.2f}; 2 * random() - 1 is from -1 to 1."
    if all(x == y for x, y in darts):
        hint = " x is equal to y each time: draw a random number for each."
    right = dict.fromkeys(fields, Fraction(1, 16))
    return calls.check_chances("darts of `throw_dart`", counts, right, hint)


_COORDINATES = (0.0, 0.5, 0.6, 0.7, 0.9, -0.5, -0.8, -0.9)
_DARTS = [((x, y),) for x, y in product(_COORDINATES, repeat=2) if abs(x * x + y * y - 1) > 0.01]


_IS_IN = same(
    workshop.in_circle,
    lambda _, dart: f"x squared plus y squared is {dart[0] ** 2 + dart[1] ** 2:.4g}",
)
in_circle: Property = exact(_DARTS, TRUTH, _IS_IN, "{n} points")
"""A dart is in the circle if x squared plus y squared is below 1."""


def estimate_pi(mine: Mine, word: str) -> str:
    """The estimate is four times the share of n darts in the circle."""
    return calls.check_share(mine, word, pi / 4, times=4)


# Task 2: the game on paper

TURNS = Form(
    "a game as a list of turns like (12, {3, 9}), the last one (6, None)",
    lambda value: [(_roll(roll), BOX.read({*(shut or ())})) for roll, shut in value],
)


def _game_on_paper(mine: Mine, word: str, *, won: bool) -> str:
    """Each turn is possible. The last one shuts the box of a won game; else a roll has no move."""
    turns, box = ask(mine, word, TURNS), full_box()
    for number, (roll, shut) in enumerate(turns, 1):
        moves = workshop.possible_moves(box, roll)
        is_lost = box and not moves and not shut and number == len(turns)
        if not (is_lost or (shut <= box and box - shut in moves)):
            can = " or ".join(levers(box - move) for move in moves) or "nothing"
            turn = f"Turn {number} of `{word}`, roll {roll}, shuts {levers(shut)}"
            raise Wrong(f"{turn}. In the box {levers(box)} a player can shut {can}.")
        box -= shut
    can_lose = box and not all(workshop.possible_moves(box, roll) for roll in ROLLS)
    if won is bool(box) or not (won or can_lose):
        must = "the shut box" if won else "a box where some roll has no move"
        raise Wrong(f"`{word}` ends with the box {levers(box)}; it must end with {must}.")
    return f"{len(turns)} turns"


won_game: Property = partial(_game_on_paper, won=True)
"""The turns are those of a game that is won."""
lost_game: Property = partial(_game_on_paper, won=False)
"""The turns are those of a game that is lost."""


# Tasks 3 and 5: the boxes, the dice, the states


def _the_box(right: Box, meaning: str) -> Property:
    """The property that a word is the box with the right levers up."""

    def why(box: Box) -> str:
        down = ". These are the levers that are down. A box is the set of the levers that are up"
        return f"the box with {meaning}{down if box == full_box() - right else ''}"

    return exact([()], BOX, same(lambda: right, why), levers(right))


start_box: Property = _the_box(full_box(), "all nine levers up")
sample_box: Property = _the_box(full_box() - {1, 3, 6}, "levers 1, 3 and 6 down")
easy_box: Property = _the_box(frozenset({7}), "only lever 7 up")
simple_start: Property = _the_box(full_box() - {1}, "lever 1 down and the others up")


def _why_states(number: AnyValue) -> str:
    advice = task_texts()["states"].get(str(number))
    return "2^9 boxes with 11 rolls each" + (f". {advice}" if advice else "")


_STATES = same(lambda: 512 * 11, _why_states)
number_of_states: Property = exact([()], NUMBER, _STATES, "512 boxes with 11 rolls each")


def _roll(value: AnyValue) -> int:
    """A number as a roll; a `Wrong` if two dice do not show it."""
    if NUMBER.read(value) not in ROLLS:
        raise Wrong(f"{forms.in_words(value)} is no total of two dice, which show 2 to 12.")
    return int(value)


def dice_roll(mine: Mine, word: str) -> str:
    """Each total comes with its share of the 36 throws of two dice."""
    rolls = [ask(mine, word, Form("a number", _roll)) for _ in range(SAMPLE)]
    counts = Counter(rolls)
    never = ", ".join(str(roll) for roll in ROLLS if not counts[roll])
    hint = f" These totals never came: {never}." if never else ""
    hint += " Add two dice in each call, each from 1 to 6, and one independent of the other."
    sure = calls.check_chances("rolls of `dice_roll`", counts, ROLLS, hint)
    pairs = list(zip(rolls[::2], rolls[1::2], strict=True))
    equal, p = sum(a == b for a, b in pairs), sum(p * p for p in ROLLS.values())
    calls.check_chance("the share of equal ones", "pairs of rolls", equal, len(pairs), p, hint)
    return sure
