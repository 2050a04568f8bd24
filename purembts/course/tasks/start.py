"""Tasks 1 to 3 and 5: the coin and the darts, the game on paper, the box and the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from math import pi

from purembts import workshop
from purembts.course.tasks import calls, forms
from purembts.course.tasks.calls import Mine, Property, ask, each, fits, fits_all, same, shares
from purembts.course.tasks.forms import BOX, Form, Value, Wrong, levers
from purembts.games.shut_the_box import Box, full_box

# Task 1: the coin and the darts


def _flip(value: Value) -> str:
    if "heads" not in value and "tails" not in value:
        raise ValueError
    return str(value)


_FLIP = Form('"heads" or "tails"', _flip)


def flip_coin(mine: Mine, word: str) -> str:
    """Heads and tails are equally likely."""
    heads = sum("heads" in ask(mine, word, _FLIP) for _ in range(calls.GAMES))
    hint = " A coin has two sides: flip it in each call." * (heads in (0, calls.GAMES))
    return fits("the share of heads", "flips", heads, calls.GAMES, Fraction(1, 2), hint)


def is_heads(mine: Mine, word: str) -> str:
    """It is true for heads, and for no other side."""
    flips = [ask(mine, "flip_coin", _FLIP) for _ in range(100) if "flip_coin" in mine.words]
    sides = [(side,) for side in sorted({*flips}) or ("heads", "tails")]
    why = "it must be true for heads, and for no other side"
    each(mine, word, sides, forms.TRUTH, same(lambda side: "heads" in side, lambda *_: why))
    return "both sides of the coin"


def _dart(value: Value) -> tuple[float, float]:
    x, y = map(float, value)
    if not (-1 <= x <= 1 and -1 <= y <= 1):
        raise Wrong("Both numbers must be from -1 to 1.")
    return x, y


_DART = Form("a dart as a pair of numbers (x, y)", _dart)


def throw_dart(mine: Mine, word: str) -> str:
    """Darts are uniform over the square from -1 to 1: each of 16 fields has its share."""
    darts = [ask(mine, word, _DART) for _ in range(calls.GAMES)]
    parts = ("from -1 to -0.5", "from -0.5 to 0", "from 0 to 0.5", "from 0.5 to 1")
    fields = [f"x {across} and y {up}" for across, up in product(parts, parts)]
    counts = Counter(fields[4 * min(int(2 * x + 2), 3) + min(int(2 * y + 2), 3)] for x, y in darts)
    (low, _), (high, _) = min(darts), max(darts)
    is_part = bool(low > -0.9 or high < 0.9)
    hint = f" x is from {low:.2f} to {high:.2f}; 2 * random() - 1 is from -1 to 1." * is_part
    if all(x == y for x, y in darts):
        hint = " x is equal to y each time: draw a random number for each."
    right = dict.fromkeys(fields, Fraction(1, 16))
    return fits_all("darts of `throw_dart`", counts, right, hint)


def in_circle(mine: Mine, word: str) -> str:
    """A dart is in the circle if x squared plus y squared is below 1."""
    numbers = (0.0, 0.5, 0.6, 0.7, 0.9, -0.5, -0.8, -0.9)
    points = [((x, y),) for x, y in product(numbers, numbers) if abs(x * x + y * y - 1) > 0.01]

    def why(_found: bool, dart: tuple[float, float]) -> str:
        return f"x squared plus y squared is {dart[0] ** 2 + dart[1] ** 2:.4g}"

    return f"{each(mine, word, points, forms.TRUTH, same(workshop.in_circle, why))} points"


def estimate_pi(mine: Mine, word: str) -> str:
    """The estimate is four times the share of n darts in the circle."""
    return shares(mine, word, pi / 4, times=4)


# Task 2: the game on paper

TURNS = Form(
    "a game as a list of turns like (12, {3, 9}), the last one (6, None)",
    lambda value: [(_total(roll), BOX.read({*(shut or ())})) for roll, shut in value],
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
    can_lose = box and not all(workshop.possible_moves(box, roll) for roll in calls.ROLLS)
    if won is bool(box) or not (won or can_lose):
        must = "the shut box" if won else "a box where some roll has no move"
        raise Wrong(f"`{word}` ends with the box {levers(box)}; it must end with {must}.")
    return f"{len(turns)} turns"


won_game: Property = partial(_game_on_paper, won=True)
"""The turns are those of a game that is won."""
lost_game: Property = partial(_game_on_paper, won=False)
"""The turns are those of a game that is lost."""


# Tasks 3 and 5: the boxes, the dice, the states


def _is_box(mine: Mine, word: str, *, right: Box, meaning: str) -> str:
    """It is the box with the right levers up."""

    def why(found: Box) -> str:
        down = ". These are the levers that are down. A box is the set of the levers that are up"
        return f"the box with {meaning}{down * (found == full_box() - right)}"

    each(mine, word, [()], BOX, same(lambda: right, why))
    return levers(right)


_box: Callable[..., Property] = partial(partial, _is_box)
start_box: Property = _box(right=full_box(), meaning="all nine levers up")
"""The box has all nine levers up."""
sample_box: Property = _box(right=full_box() - {1, 3, 6}, meaning="levers 1, 3 and 6 down")
"""The box has levers 1, 3 and 6 down."""
easy_box: Property = _box(right=frozenset({7}), meaning="only lever 7 up")
"""The box has only lever 7 up."""
simple_start: Property = _box(right=full_box() - {1}, meaning="lever 1 down and the others up")
"""The box has lever 1 down and the others up."""

_STATES = {
    512: ". That is the number of boxes; a state is a box and a roll",
    6144: ". That counts 12 rolls; two dice have 11 totals, from 2 to 12",
    18432: ". That counts 36 throws; a state has their total, from 2 to 12",
}


def number_of_states(mine: Mine, word: str) -> str:
    """There are 2^9 boxes with 11 rolls each."""
    why = "2^9 boxes with 11 rolls each"
    right = same(lambda: 512 * 11, lambda found: f"{why}{_STATES.get(found, '')}")
    each(mine, word, [()], forms.NUMBER, right)
    return "512 boxes with 11 rolls each"


def _total(value: Value) -> int:
    if forms.NUMBER.read(value) not in calls.ROLLS:
        raise Wrong(f"{forms.told(value)} is no total of two dice, which show 2 to 12.")
    return int(value)


def dice_roll(mine: Mine, word: str) -> str:
    """Each total comes with its share of the 36 throws of two dice."""
    rolls = [ask(mine, word, Form("a number", _total)) for _ in range(calls.GAMES)]
    counts = Counter(rolls)
    never = ", ".join(str(roll) for roll in calls.ROLLS if not counts[roll])
    hint = f" These totals never came: {never}." if never else ""
    hint += " Add two dice in each call, each from 1 to 6, and one independent of the other."
    sure = fits_all("rolls of `dice_roll`", counts, calls.ROLLS, hint)
    pairs = list(zip(rolls[::2], rolls[1::2], strict=True))
    same_again, p = sum(a == b for a, b in pairs), sum(p * p for p in calls.ROLLS.values())
    fits("the share of equal ones", "pairs of rolls", same_again, len(pairs), p, hint)
    return sure
