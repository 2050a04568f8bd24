"""How fast board games are searched, against other packages with the same rules.

It needs the dependency group `bench`: python -m pytest tests/bench/bench_games.py
"""

from functools import partial
from random import Random

import pytest

import peers
from purembts.fast.engine import search
from purembts.games import mnk, reversi

GAMES = {
    "tic-tac-toe, 2,000": (mnk.tic_tac_toe, 2000, "tic_tac_toe"),
    "Reversi, 300": (reversi.reversi(), 300, "othello"),
    "gomoku, 100": (mnk.gomoku, 100, "gomoku"),
}
"""A game, the number of iterations, and the game's name in OpenSpiel."""

PEERS = {
    "monte-carlo-tree-search": (peers.monte_carlo_tree_search, (1.5, 3, 15)),
    "mcts, for speed only": (peers.mcts, (0, 0, 0)),
    "mcts-simple": (peers.simple, (1.5, 3, 15)),
    "OpenSpiel in Python": (peers.open_spiel_python, (2, 0, 0)),
    "OpenSpiel in C++": (peers.open_spiel_cpp, (1 / 9, 2, 1)),
}
"""A search, and how many times as long it has to take as ours for each of the games."""


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("peer", PEERS)
def bench_search(ratio, name, peer):
    game, iterations, open_spiel_name = GAMES[name]
    work, least = PEERS[peer]
    if work in {peers.open_spiel_python, peers.open_spiel_cpp}:
        theirs = partial(work, open_spiel_name, iterations)
    else:
        theirs = partial(work, game, game.start, iterations)
    ratio(
        theirs,
        lambda: search(game, {}, game.start, iterations, Random(7)),
        least[list(GAMES).index(name)],
        rounds=25 if work is peers.open_spiel_cpp else 9,
    )
