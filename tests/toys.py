"""Small games to try the search and the solver on, and the kinds of maps that trees can be."""

from functools import cache
from typing import NamedTuple

from hypothesis import strategies as st
from immutables import Map
from pyrsistent import pmap

from purembts.display import Codec, Hidden
from purembts.fast.links import linked_playout
from purembts.game import Game

persistent_maps = st.sampled_from([pmap, Map])


class Pile(NamedTuple):
    """Coins on the table, and who takes next; whoever takes the last coin wins."""

    coins: int
    player: int = 0


def _take(pile, event):
    return tuple(Pile(pile.coins - k, 1 - pile.player) for k in (1, 2) if k <= pile.coins)


def _winner(pile):
    return (1, 0) if pile.player == 1 else (0, 1)


def _mover(pile):
    return pile.player


def _read(value):
    return Pile(*value)


def quick_game(game):
    """The same game, which remembers its rules."""
    rules = {name: cache(getattr(game, name)) for name in ("moves", "result", "to_move", "chances")}
    return game._replace(**rules, playout=linked_playout)


pile_game = Game(_take, _winner, _mover, name="pile of coins", json=Codec(list, _read))


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
    players=1,
    score_sum=None,
    start=Guess(heads=True),
    hidden=Hidden(seen_guess, _coins),
)
"""Whoever sees the coin guesses right; whoever does not should rather be safe."""
