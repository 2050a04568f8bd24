"""Each law of an algorithm catches a fault that is planted in a right one.

The right ones are those of foreign.py, and the dive of foreign_nodes.py. The faults are edits of
their texts in faults.toml.
"""

import re
import tomllib
from functools import partial
from pathlib import Path

import pytest

import foreign
import foreign_nodes
from foreign import coins
from marks import cases
from planted import edited, laws_of
from purembts.verify import algorithm_laws, laws, search_laws
from purembts.verify.algorithm_laws import (
    check_bound,
    check_playout,
    check_policy,
    check_simulate,
    check_solver,
)
from purembts.verify.search_laws import _check_learning, check_search, check_uct

START = (7, 0)
FAULTS = tomllib.loads(Path(__file__).with_name("faults.toml").read_text("utf-8"))


CHECKS = {
    "uct": partial(check_uct, game=coins, start=START, learns=None),
    "uct learns": partial(check_uct, game=coins, start=START),
    "dive": partial(
        check_uct,
        game=foreign_nodes.box_game,
        start=frozenset({1, 2, 3, 4}),
        learns=None,
        empty=lambda: None,
        read=foreign_nodes.read,
    ),
    "search": partial(check_search, game=coins, start=START, learns=None),
    "search learns": partial(_check_learning, game=coins, start=START, dives=300),
    "playout": partial(check_playout, game=coins, state=START),
    "simulate": partial(check_simulate, game=coins, state=START),
    "bound": check_bound,
    "policy": check_policy,
    "value": partial(check_solver, game=coins, start=START),
}
"""The check of a function, which is the first word."""
VARIANTS = {what for what in CHECKS if " " in what}
LEARNING = [fault for faults in FAULTS.values() for fault in faults if "learns" in fault["check"]]


@pytest.mark.parametrize("what", cases({what: (what,) for what in CHECKS}, slow=VARIANTS))
def test_what_has_no_fault_keeps_the_laws(what):
    CHECKS[what](getattr(module_of(what), what.split()[0]))


def module_of(what):
    return foreign_nodes if what == "dive" else foreign


@pytest.mark.parametrize(
    ("law", "fault"),
    [
        pytest.param(law, fault, marks=[pytest.mark.slow] if fault in LEARNING[1:] else [])
        for law, faults in FAULTS.items()
        for fault in faults
    ],
)
def test_a_planted_fault_is_caught(law, fault):
    module = edited(module_of(fault["check"]), fault["text"], fault["wrong"])
    wrong = getattr(module, fault["check"].split()[0])
    with pytest.raises(AssertionError, match=f"^{re.escape(law)}.*{fault.get('says', '')}"):
        CHECKS[fault["check"]](wrong)


def test_every_law_has_a_planted_fault():
    """But for the law that no policy is better than the best one: such a fault is in the game."""
    found = {*laws_of(laws, search_laws, algorithm_laws)}
    assert found ^ FAULTS.keys() == {"No policy may be worth more than best play."}
