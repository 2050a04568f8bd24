"""Each law of an algorithm catches a fault that is planted in a right one.

The right ones are those of foreign.py, and our rooms of `proving`. The faults are edits of their
texts in faults.toml.
"""

import re
import tomllib
from functools import partial
from pathlib import Path

import pytest

import certainty
import foreign
import planted
from foreign import coins
from marks import cases
from planted import edited, laws_of
from purembts.proving import certain, dives, values
from purembts.verify import algorithm_laws, laws, search_laws
from purembts.verify.algorithm_laws import (
    check_bound,
    check_playout,
    check_policy,
    check_simulate,
    check_solver,
)
from purembts.verify.random_games import random_game
from purembts.verify.search_laws import check_learning, check_search, check_uct
from toys import Pile, pile_game, quick_game

START = (7, 0)
FAULTS = tomllib.loads(Path(__file__).with_name("faults.toml").read_text("utf-8"))


def random_games(n, players, kind=lambda game: game):
    """Small games with their starts."""
    return [(quick_game(kind(random_game(seed, players, 12))), 0) for seed in range(n)]


COINS, WON = (coins, START), random_games(3, 2, planted.won_by_one)
GAMES = [
    *random_games(4, 2)[3:],
    COINS,
    (pile_game, Pile(7)),
    *WON,
    *random_games(4, 3),
    *random_games(3, 3, planted.coarse),
    *random_games(2, 2, planted.balanced),
]


def in_games(check, games=GAMES, **how):
    """The check of a function that takes the game first, in each of `games`."""

    def check_all(function):
        for game, start in games:
            check(partial(function, game, **how), game, start, **how)

    return check_all


CHECKS = {
    "uct": (foreign, partial(check_uct, game=coins, start=START, learns=None)),
    "uct learns": (foreign, partial(check_uct, game=coins, start=START)),
    "search": (foreign, partial(check_search, game=coins, start=START, learns=None)),
    "search learns": (foreign, partial(check_learning, game=coins, start=START, dives=300)),
    "playout": (foreign, partial(check_playout, game=coins, state=START)),
    "simulate": (foreign, partial(check_simulate, game=coins, state=START)),
    "bound": (foreign, check_bound),
    "policy": (foreign, check_policy),
    "value": (foreign, partial(check_solver, game=coins, start=START)),
    "settled": (certain, in_games(certainty.check_settled)),
    "certain_range": (certain, in_games(certainty.check_certain_range)),
    "backed_up": (values, in_games(certainty.check_backed_up)),
    "robust": (values, in_games(certainty.check_policy)),
    "settle": (dives, in_games(certainty.check_settle, [COINS])),
    "settle one": (dives, in_games(certainty.check_settle, [COINS, *WON], remember=1)),
    "settle two": (dives, in_games(certainty.check_settle, [COINS], remember=2)),
}
"""The room and the check of a function, which is the first word."""


VARIANTS = {what for what in CHECKS if " " in what}
LEARNING = [fault for faults in FAULTS.values() for fault in faults if "learns" in fault["check"]]


@pytest.mark.parametrize("what", cases({what: (what,) for what in CHECKS}, slow=VARIANTS))
def test_what_has_no_fault_keeps_the_laws(what):
    room, check = CHECKS[what]
    check(getattr(room, what.split()[0]))


@pytest.mark.parametrize(
    ("law", "fault"),
    [
        pytest.param(law, fault, marks=[pytest.mark.slow] if fault in LEARNING[1:] else [])
        for law, faults in FAULTS.items()
        for fault in faults
    ],
)
def test_a_planted_fault_is_caught(law, fault):
    room, check = CHECKS[fault["check"]]
    wrong = getattr(edited(room, fault["text"], fault["wrong"]), fault["check"].split()[0])
    with pytest.raises(AssertionError, match=f"^{re.escape(law)}.*{fault.get('says', '')}"):
        check(wrong)


def test_every_law_has_a_planted_fault():
    """But for the law that no policy is better than the best one: such a fault is in the game."""
    found = {*laws_of(laws, search_laws, algorithm_laws), *certainty.LAWS}
    assert found ^ FAULTS.keys() == {"No policy may be worth more than best play."}
