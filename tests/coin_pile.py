"""A pile of coins that keeps all laws of games. Small edits of its text break them."""

from purembts.display import Codec, Display, Squares
from purembts.game import Game, with_playout

__all__ = ["Squares", "game"]  # an edit may use squares


def moves(coins, event):
    return tuple(coins - k for k in (1, 2) if k <= coins)


def result(coins):
    return (1, 0)


def to_move(coins):
    return coins % 2


def chances(coins):
    return (None,)


def show(coins):
    return str(coins)


def label(before, after):
    return f"take {before - after}"


def play(pile, coins, rng):
    return (1, 0)


rules = Game(moves, result, to_move, chances=chances, name="Pile", start=6, max_turns=1000)
texts = Display(show=show, label=label)
game = with_playout(rules._replace(display=texts, json=Codec(int, int)), play)
