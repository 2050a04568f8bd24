"""Checkpoints: a tree and its search, which goes on as if it had never ended.

The header of a file keeps what decides a search: its seed, its bound, the position where it begins,
and the state of its generator after the last dive.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from random import Random
from struct import Struct, error
from typing import NamedTuple

from purembts.app.positions import NO_TREE, AnyGame, AnyTree, Position
from purembts.app.requests import Search
from purembts.bounds import CONSTANTS, AnyBound, name_of
from purembts.checks import brief
from purembts.report import Facts

_WORDS = Struct("<625I")
"""The state of a generator: 624 words of the Mersenne Twister, and the place of the next one."""


class Checkpoint(NamedTuple):
    """A tree and its search."""

    tree: AnyTree = NO_TREE
    search: Facts = {}  # noqa: RUF012 - a NamedTuple
    """The `search` of the header of its file; empty if there is none."""


def search_facts(request: Search, game: AnyGame, first: Position, bound: AnyBound) -> Facts:
    """The facts that decide the search of `request` from `first`, without its random numbers."""
    given = [name for name in CONSTANTS if getattr(request, name) is not None]
    how = f"--{given[0]} {getattr(request, given[0])}" if given else name_of(bound)
    codec = game.hidden.json if game.hidden else game.json
    position = json.dumps(codec.encode(first)) if codec and (request.load or request.save) else None
    return {"seed": request.seed or 0, "bound": how, "from": position}


def with_state(tree: AnyTree, search: Facts, rng: Random) -> Checkpoint:
    """The checkpoint of `tree` and `search` after the last draw from `rng`."""
    state = b64encode(_WORDS.pack(*rng.getstate()[1]))
    return Checkpoint(tree, {**search, "state": state.decode()})


def differences(loaded: Checkpoint, search: Facts) -> list[str]:
    """The reasons why `search` cannot go on with the random numbers of `loaded`."""
    if "state" not in loaded.search:
        return ["the file does not have the state of its random numbers"]
    pairs = [(name, loaded.search.get(name), value) for name, value in search.items()]
    right = "`{}` of the file is {}, and here {}"
    return [right.format(name, brief(a), brief(b)) for name, a, b in pairs if a != b]


def generator(loaded: Checkpoint, search: Facts, visits: int) -> Random:
    """The generator of `search`, which goes on from `loaded` at a position with `visits`.

    It has the saved state; a ValueError if that is damaged. If the saved search is another one, it
    is a new generator: with visits, it does not draw the first games of the seed again.
    """
    if differences(loaded, search):
        return Random(f"{search['seed']}/{visits}" if visits else search["seed"])
    rng, state = Random(), loaded.search["state"]
    try:
        rng.setstate((3, _WORDS.unpack(b64decode(state, validate=True)), None))
    except (error, TypeError, ValueError):
        right = "the state of a generator in base64"
        raise ValueError(f"`state` in the file must be {right}; got {brief(state)}.") from None
    return rng
