"""Tasks 6, 7, 8 and 10: random games and their simulation, against exact probabilities."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

from purembts.games.shut_the_box import Box, full_box
from purembts.verify.tasks.calls import Mine, ask, must_be, parameter, replaced, tabled
from purembts.verify.tasks.chances import GAMES, fits, random_play, share_fits, share_of
from purembts.verify.tasks.forms import Wrong, box_of, levers, result_of, shown, table_of
from purembts.verify.tasks.moves import BY_SIZE, SHUT


def a_box(*levers_up: int) -> Box:
    """The box with these levers up."""
    return frozenset(levers_up)


TELLING: Box = a_box(1, 2, 3, 4, 5, 6, 8)
"""The box where most wrong ways to choose a move change the probability of winning most.

A random player wins with 0.063; who takes the first, the last, the largest, the smallest or the
best move with 0.038 or 0.107, and who chooses between two moves alone with 0.049.
"""


def play_simple_game(mine: Mine, word: str) -> str:
    """A random game of the simplified game is won with its exact probability."""
    boxes = {SHUT: 20, a_box(7): 5000, a_box(3, 4): GAMES, a_box(1): 200, a_box(6, 7, 8): GAMES}
    return _plays(mine, word, boxes, random_play(True))


def play_game(mine: Mine, word: str) -> str:
    """A random game is won with its exact probability, and both moves of a turn are as likely."""
    few = {SHUT: 20, a_box(7): 5000, a_box(1, 2): 5000, a_box(1): 200}
    _plays(mine, word, few, random_play())
    _choice(mine, word)
    many = {a_box(1, 3, 4): 10_000, TELLING: 40_000, full_box(): GAMES}
    return _plays(mine, word, many, random_play())


def _plays(
    mine: Mine, word: str, boxes: Mapping[Box, int], value: Callable[[Box], Fraction]
) -> str:
    """The phrase about the last of `boxes`, from each of which some games are played."""
    return [_rate(mine, word, box, n, value(box)) for box, n in boxes.items()][-1]


def _rate(mine: Mine, word: str, box: Box, n: int, p: Fraction) -> str:
    """The phrase that `n` games from `box` are won with probability `p`."""
    text, won, wins = mine.text(word, box), result_of(mine.words), 0
    for _ in range(n):
        result = ask(mine, word, won, box)
        if p == (not result):
            raise Wrong(f"`{text}` gives a {'win' if result else 'loss'}, and {certainly(box)}.")
        wins += result

    def hint() -> str:
        is_seeded = wins in (0, n) and len({*_states_after(mine, word, box)}) == 1
        return " All games are the same: do not seed inside the function." * is_seeded

    return fits("the probability of winning", f"games of `{text}`", wins, n, p, hint)


def certainly(box: Box) -> str:
    """The reason why a game from `box` has a certain result."""
    return "from this box there is no way to win" if box else "the shut box is a win"


def _states_after(mine: Mine, word: str, box: Box) -> list[object]:
    """The states of the module random after two games; equal if a game seeds it."""
    states = list[object]()
    for seed in (1, 2):
        random.seed(seed)
        ask(mine, word, result_of(mine.words), box)
        states.append(random.getstate())
    return states


def _choice(mine: Mine, word: str) -> None:
    """Raise a `Wrong` unless both moves from {2, 3, 5} with roll 5 are as likely, with our dice.

    The rolls 5, 2 and 3 win exactly if the first move shuts lever 5. A game that does not call
    `dice_roll` by name is not looked at here.
    """
    rolls, left, wins, n = (5, 2, 3, 5, 2, 3), list[int](), 0, 1000
    with replaced(mine, word, "dice_roll", lambda *_, **__: left.pop(0)):
        for _ in range(n):
            left[:] = rolls
            wins += ask(mine, word, result_of(mine.words), a_box(2, 3, 5))
            if len(left) == len(rolls):
                return
    cases = "games of `play_game({2, 3, 5})` with the rolls 5, 2 and 3"
    equally = " The boxes {2, 3} and {5} must be equally likely moves."
    fits("the probability of winning", cases, wins, n, Fraction(1, 2), lambda: equally)


# Tasks 7 and 8: the simulation


def simulation(mine: Mine, word: str, *, start: Box, simple: bool = False) -> str:
    """N random games from `start` have the share of wins of their exact probability.

    Where the word has an argument `box`, games from another box are simulated, too.
    """
    value, box = random_play(simple), parameter(mine, word, "box")
    if box and isinstance(box.default, set | frozenset) and box.default != start:
        begins = f"`{word}` without a box begins with {levers(box.default)}"
        raise Wrong(f"{begins}; it must begin with {levers(start)}.")
    given: list[tuple[Box, ...]] = [(a_box(7),), (start,)] if box else []
    given += [()] * (not box or box.default is not box.empty)
    wins = partial(share_of, mine.words)
    return [share_fits(mine, word, wins, value(*up or (start,)), *up) for up in given][-1]


# Task 10: the table

SHARES = 40
"""The games for each box of a table."""


def look_up_table(mine: Mine, word: str) -> str:
    """The table has for each box the share of wins of n random games."""
    _table(mine, word, 1)
    found = _table(mine, word, SHARES)
    text, value = mine.text(word, SHARES), random_play()
    if set(found.values()) <= {0, SHARES}:
        one = "That looks like one game for each box"
        raise Wrong(f"`{text}` has only the values 0 and 1. {one}; it must be {SHARES} games.")
    uncertain = sorted((box for box in found if 0 < value(box) < 1), key=value)
    third, sure = len(uncertain) // 3 + 1, ""
    for group in (uncertain[start : start + third] for start in range(0, len(uncertain), third)):
        low, high = float(value(group[0])), float(value(group[-1]))
        of = f"the mean of `{text}` over the boxes with probabilities from {low:.2g} to {high:.2g}"
        # Games from different boxes vary less than games that all have the mean probability.
        p = sum(map(value, group)) / len(group)
        sure = fits(of, "games", sum(found[box] for box in group), SHARES * len(group), p)
    return sure


def _table(mine: Mine, word: str, n: int) -> dict[Box, int]:
    """The wins of each box in a table of n games; a `Wrong` if a box is certainly wrong."""
    text, wins_of = mine.text(word, n), share_of(mine.words, n)
    table = ask(mine, word, table_of(box_of, "boxes to probabilities"), n)
    found = {box: ask(tabled(mine, text, table), text, wins_of, box) for box in BY_SIZE}
    for box, wins in found.items():
        if (p := random_play()(box)) in (0, 1):
            must_be(f"{text}[{shown(box)}]", wins / n, float(p), partial(certainly, box))
    return found
