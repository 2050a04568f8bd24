"""An argument has the same default in each function that takes it."""

import builtins
import importlib
import inspect
import pkgutil

import pytest

import purembts
from purembts.bounds import ucb1
from purembts.chance import random
from purembts.game import playout
from purembts.games import big_two_cards

DEFAULTS = {
    "rng": random,
    "executor": builtins,
    "bound": ucb1,
    "default_policy": playout,
    "rules": big_two_cards.USUAL,
}


def functions():
    """The functions of the package, by their names."""
    for room in pkgutil.walk_packages(purembts.__path__, "purembts."):
        if room.name.split(".")[1] not in {"verify", "__main__"}:
            module = importlib.import_module(room.name)
            for name, value in vars(module).items():
                if inspect.isfunction(value) and value.__module__ == room.name:
                    yield f"{room.name}.{name}", value


@pytest.mark.parametrize("name", DEFAULTS)
def test_an_argument_has_one_default(name):
    found = dict(defaults_of(name))
    assert len(found) > 2
    assert {path for path, default in found.items() if default is not DEFAULTS[name]} == set()


def defaults_of(name):
    """The defaults of the argument `name`, with the functions that have them."""
    for path, function in functions():
        argument = inspect.signature(function).parameters.get(name)
        if argument and argument.default is not argument.empty:
            yield path, argument.default
