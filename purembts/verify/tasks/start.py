"""Tasks 1 to 3 and 5: the coin and the darts, the game on paper, the box and the dice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import product
from math import pi
from numbers import Integral

from purembts.games.shut_the_box import Box, full_box
from purembts.verify.tasks import forms
from purembts.verify.tasks.calls import Mine, ask, same
from purembts.verify.tasks.chances import GAMES, ROLLS, fits, fits_distribution, share_fits
from purembts.verify.tasks.chances import whole_share as share
from purembts.verify.tasks.forms import NotRead, Value, Wrong, are, box_of, counted, levers, shown
from purembts.workshop import possible_moves

# Task 1: the coin and the darts


def flip_coin(mine: Mine, word: str) -> str:
    """A coin has two sides, each with probability 1/2."""
    counts = Counter(ask(mine, word, shown) for _ in range(GAMES))
    if len(counts) != 2:
        sides = ", ".join(sorted(counts)[:3])
        raise Wrong(
            f"`flip_coin()` gives only {sides}. A coin has two sides: flip it in each call."
        )
    side = min(counts)
    return fits(f"the share of {side}", "flips of `flip_coin`", counts[side], GAMES, Fraction(1, 2))


def is_heads(mine: Mine, word: str) -> str:
    """It is true for one side of the coin, and for no other."""
    sides = {"'heads'": "heads", "'tails'": "tails"}
    if "flip_coin" in mine.words:
        flips = [ask(mine, "flip_coin", forms.anything) for _ in range(200)]
        sides = {shown(side): side for side in flips}
    heads = [text for text, side in sides.items() if ask(mine, word, forms.truth, side)]
    if len(heads) != 1 or (any("head" in text.lower() for text in sides) > ("head" in heads[0])):
        told = f"`is_heads` is true for {' and '.join(heads) or 'none'} of {', '.join(sides)}"
        raise Wrong(f"{told}; it must be true for heads, and for no other side.")
    return "both sides of the coin"


def dart_of(value: Value) -> tuple[float, float]:
    """The coordinates of a dart."""
    try:
        x, y = map(float, value)
    except (TypeError, ValueError):
        raise NotRead("a dart as a pair of numbers (x, y)") from None
    if not (-1 <= x <= 1 and -1 <= y <= 1):
        raise Wrong("Both numbers must be from -1 to 1.")
    return x, y


def throw_dart(mine: Mine, word: str) -> str:
    """Darts are uniform over the square from -1 to 1: each of 16 fields has its share."""
    darts = [ask(mine, word, dart_of) for _ in range(GAMES)]
    parts = ("from -1 to -0.5", "from -0.5 to 0", "from 0 to 0.5", "from 0.5 to 1")
    fields = [f"x {across} and y {up}" for across, up in product(parts, parts)]
    counts = Counter(fields[4 * min(int(2 * x + 2), 3) + min(int(2 * y + 2), 3)] for x, y in darts)

    def hint() -> str:
        if all(x == y for x, y in darts):
            return " x is equal to y each time: draw a random number for each."
        (low, _), (high, _) = min(darts), max(darts)
        return f" x is from {low:.2f} to {high:.2f}; 2 * random() - 1 is from -1 to 1."

    right = dict.fromkeys(fields, Fraction(1, 16))
    return fits_distribution("darts of `throw_dart`", counts, right, hint)


def in_circle(mine: Mine, word: str) -> str:
    """A dart is in the circle if x squared plus y squared is below 1."""
    numbers = (0.0, 0.5, 0.6, 0.7, 0.9, -0.5, -0.8, -0.9)
    points = [((x, y),) for x, y in product(numbers, numbers) if abs(_square((x, y)) - 1) > 0.01]
    n = same(
        *(mine, word, points, forms.truth, lambda dart: _square(dart) < 1),
        why=lambda dart, _: f"x squared plus y squared is {_square(dart):.4g}",
    )
    return f"{n} points"


def _square(dart: tuple[float, float]) -> float:
    x, y = dart
    return x * x + y * y


def estimate_pi(mine: Mine, word: str) -> str:
    """The estimate is four times the share of n darts in the circle."""
    of = "Four times the share of hits"
    return share_fits(mine, word, lambda n: lambda found: share(of, found, n, "dart", 4), pi / 4)


# Task 2: the game on paper


def turns_of(value: Value) -> list[tuple[int, Box]]:
    """The turns of a game: each a roll and the set of the levers that it shuts, or None."""
    try:
        return [(int(roll), box_of(set(shut or ()))) for roll, shut in value]
    except (TypeError, ValueError):
        raise NotRead(
            "a game as a list of turns like (12, {3, 9}), the last one (6, None)"
        ) from None


def game_on_paper(mine: Mine, word: str, *, won: bool) -> str:
    """Each turn is possible. The last one shuts the box of a won game; else a roll has no move."""
    turns, box = ask(mine, word, turns_of), full_box()
    for number, (roll, shut) in enumerate(turns, 1):
        fault = _fault(box, roll, shut)
        if not fault and not shut and number < len(turns):
            fault = f"has no move in the box {levers(box)}: the game is lost"
        if fault:
            raise Wrong(f"Turn {number} of `{word}`, roll {roll}, {fault}.")
        box -= shut
    ends = f"`{word}` ends after {counted(len(turns), 'turn')}"
    if box and won:
        raise Wrong(f"{ends}, and {are(box)} still up.")
    if not box and not won:
        raise Wrong(f"`{word}` shuts the box, and that is a win.")
    if not won and all(possible_moves(box, roll) for roll in ROLLS):
        over = "Every roll has a move there, so the game is not lost yet."
        raise Wrong(f"{ends} with the box {levers(box)}. {over}")
    return counted(len(turns), "turn")


def _fault(box: Box, roll: int, shut: Box) -> str:
    """The reason why no player can shut these levers; empty without a reason."""
    if roll not in ROLLS:
        return "is impossible: two dice show 2 to 12"
    if down := shut - box:
        return f"is impossible: {are(down)} down already"
    if shut and sum(shut) != roll:
        return f"shuts {forms.words_of(shut)}, and the sum is {sum(shut)}"
    moves = () if shut else possible_moves(box, roll)
    can = [f"shuts nothing, but the player can shut {forms.words_of(box - move)}" for move in moves]
    return "".join(can[:1])


# Tasks 3 and 5: the boxes, the dice, the states


def is_box(mine: Mine, word: str, *, right: Box, meaning: str) -> str:
    """It is the box with the right levers up."""

    def why(found: Box) -> str:
        down = "These are the levers that are down. A box is the set of the levers that are up"
        return f"{meaning}. {down}" if found == full_box() - right else meaning

    same(mine, word, [()], box_of, lambda: right, why)
    return levers(right)


STATES = {
    512: ". That is the number of boxes; a state is a box and a roll",
    6144: ". That counts 12 rolls; two dice have 11 totals, from 2 to 12",
    18432: ". That counts 36 throws; a state has their total, from 2 to 12",
}


def number_of_states(mine: Mine, word: str) -> str:
    """There are 2^9 boxes with 11 rolls each."""
    why = "2^9 boxes with 11 rolls each"
    same(mine, word, [()], forms.number_of, lambda: 5632, lambda n: f"{why}{STATES.get(n, '')}")
    return "512 boxes with 11 rolls each"


def total_of(value: Value) -> int:
    """The total of two dice."""
    if not isinstance(value, Integral) or value not in range(2, 13):
        raise Wrong("It must be the total of two dice, a whole number from 2 to 12.")
    return int(value)


def dice_roll(mine: Mine, word: str) -> str:
    """Each total comes with its share of the 36 throws of two dice."""
    counts = Counter(ask(mine, word, total_of) for _ in range(GAMES))
    return fits_distribution("rolls of `dice_roll`", counts, ROLLS, partial(_dice_hint, counts))


def _dice_hint(counts: Counter[int]) -> str:
    """The reason of a wrong distribution of totals, as far as it can be seen."""
    if len(counts) == 1:
        return " It is the same each time: throw the dice inside the function."
    if all(roll % 2 == 0 for roll in counts):
        return " Only even totals came: throw two dice, and not one die twice."
    if missing := sorted(set(ROLLS) - set(counts)):
        return f" The total {missing[0]} never came."
    if max(counts.values()) < 1.3 * GAMES / 11:
        return " The totals are not equally likely: add two dice, each from 1 to 6."
    return " Add two dice, each from 1 to 6 and independent of the other."
