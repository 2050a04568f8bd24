"""Small games to try the search and the solver on, bounds, generators, and kinds of trees."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from math import sqrt
from operator import truediv
from random import Random
from types import MappingProxyType, SimpleNamespace
from typing import NamedTuple

from hypothesis import strategies as st
from pyrsistent import pmap
from rpds import HashTrieMap

from planted import balanced, coarse, ranked, won_by_one
from purembts.bounds import CONSTANTS, Bound, ucb1, ucb_wald
from purembts.chance import pick
from purembts.display import Codec, Display, Hidden
from purembts.game import Game
from purembts.games.last_coin import Pile, last_coin
from purembts.games.shut_the_box import full_box, shut_the_box, simple_game, simple_start
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds

HAS_IMMUTABLES = find_spec("immutables") is not None
"""False on Python 3.14, for which immutables has no wheel yet."""
Map = import_module("immutables").Map if HAS_IMMUTABLES else pmap


class GetAndSet:
    """A persistent map that can do no more than a dive asks for."""

    def __init__(self, held=()):
        self.held = dict(held)

    def get(self, key):
        return self.held.get(key)

    def set(self, key, value):
        return GetAndSet({**self.held, key: value})

    def __eq__(self, other):
        return self.held == other.held

    __hash__ = None


def proxy(held=()):
    return MappingProxyType(dict(held))


PERSISTENT = [pmap, Map, HashTrieMap]
"""The kinds of trees that stay what they are."""
MAPPINGS = [dict, proxy]
"""Kinds of mappings that become a pmap."""
persistent_maps = st.sampled_from([pmap, Map])
all_maps = st.sampled_from([*PERSISTENT, *MAPPINGS])
maps = all_maps | st.just(GetAndSet)
"""The kinds of maps that a dive and a search take."""


def kind_of(start):
    """The type of a tree that begins with `start()`."""
    return type(pmap() if start in MAPPINGS else start())


def plain(tree):
    """A dict with the items of a tree."""
    return tree.held if isinstance(tree, GetAndSet) else dict(tree.items())


bounds = st.sampled_from(
    [
        ucb1,
        ucb_wald,
        *(bound(0.3) for bound in CONSTANTS.values()),
        Bound("a square root", truediv, sqrt, lambda n: 1 / n),
        Bound("the mean", truediv),
        lambda q, n, total: -n,
        lambda q, n, total: (q + sqrt(total)) / n if n else 9,
    ]
)


class Counting:
    """A generator that counts its draws."""

    def __init__(self, seed):
        self.rng, self.draws = Random(seed), 0

    def random(self):
        self.draws += 1
        return self.rng.random()


def always(number):
    """A generator that gives one number again and again."""
    return SimpleNamespace(random=lambda: number)


HIGHEST = 1 - 2**-53
"""The highest number that a generator can give."""


def _read(value):
    return Pile(*value)


def quick_game(game):
    """The same game, which remembers its rules, and says that it is small."""
    rules = {name: cache(getattr(game, name)) for name in ("moves", "result", "to_move", "chances")}
    return game._replace(**rules, is_small=True)


coins = last_coin()
pile_game = Game(
    coins.moves, coins.result, coins.to_move, name="pile of coins", json=Codec(list, _read)
)
"""The coin game as a game of somebody, without a playout, texts or facts of its own."""
chain = pile_game._replace(moves=lambda pile, event: (Pile(pile.coins - 1),) if pile.coins else ())
"""The same where each turn takes one coin, and only the first player moves."""
stb = shut_the_box()

some_games = st.one_of(
    st.sampled_from([(stb, full_box()), (simple_game, simple_start), (pile_game, Pile(9))]),
    st.builds(lambda seed, players: (random_game(seed, players), 0), seeds, st.integers(1, 3)),
)
small_games = some_games.map(lambda pair: (pair[0]._replace(is_small=True), pair[1]))
"""Games with a position of each. The positions of `small_games` are linked."""
games = some_games | small_games


def any_games(most):
    """Random games of up to `most` positions for up to four players, with results of many kinds."""
    kinds = [lambda game: game, balanced, won_by_one, coarse, ranked]
    made = st.builds(random_game, seeds, st.integers(1, 4), st.integers(2, most))
    return st.builds(
        lambda game, kind, is_small: kind(game)._replace(is_small=is_small),
        *(made, st.sampled_from(kinds), st.booleans()),
    )


def after_moves(game, state, n, rng):
    """The position after `n` random moves of a game without chance, or its end before them."""
    for _ in range(n):
        if moves := game.moves(state, None):
            state = pick(moves, rng)
    return state


class Guess(NamedTuple):
    """A coin that lies as it lies, and how far the one player is with saying so."""

    heads: bool
    stage: str = "begin"


class SeenGuess(NamedTuple):
    """The same without the coin, until the guess is made."""

    stage: str


_STAGES = {"begin": ("safe", "guess"), "guess": ("said heads", "said tails")}


def _guess_moves(state, event):
    return tuple(state._replace(stage=stage) for stage in _STAGES.get(state.stage, ()))


def _guess_result(state):
    if state.stage == "safe":
        return (0.7,)
    return (1,) if state.stage == ("said heads" if state.heads else "said tails") else (0,)


def seen_guess(state, player):
    return SeenGuess(state.stage)


def _coins(seen, rng):
    while True:
        yield Guess(rng.random() < 0.5, seen.stage)


guessing_game = Game(
    moves=_guess_moves,
    result=_guess_result,
    to_move=lambda state: 0,
    name="safe or guess",
    display=Display(),
    players=1,
    score_sum=None,
    start=Guess(heads=True),
    hidden=Hidden(seen_guess, _coins),
)
"""Whoever sees the coin guesses right; whoever does not should rather be safe."""


# Two games that are equal as values, and have other moves


class One(NamedTuple):
    """Moves that take one coin."""

    most: int

    def __call__(self, pile, event):
        return (Pile(pile.coins - 1, 1 - pile.player),) if pile.coins else ()


class Two(NamedTuple):
    """Moves that take one coin or two."""

    most: int

    def __call__(self, pile, event):
        left = [k for k in (1, 2) if k <= pile.coins]
        return tuple(Pile(pile.coins - k, 1 - pile.player) for k in left)
