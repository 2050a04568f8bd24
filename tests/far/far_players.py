"""The players of other packages, each with 300 iterations, by the exact losses of their moves.

The positions are 60 of tic-tac-toe with five moves or more. The packages get the rules that our
search gets, but for OpenSpiel, which has its own. docs/verify.md has the table. They need the
dependency group `far`: python -m pytest tests/far/far_players.py
"""

import random
from itertools import islice

import numpy as np
import pyspiel
import pytest
from mcts.searcher.mcts import MCTS
from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode as SpyNode
from mctspy.tree.search import MonteCarloTreeSearch
from open_spiel.python.algorithms import mcts as open_spiel_mcts

from peers import State, old_mcts
from purembts.games.mnk import _COLUMNS, tic_tac_toe
from purembts.players import random_player, uct_player
from purembts.positions import positions
from purembts.verify.player_laws import check_player, losses

ITERATIONS = 300
EVERY = positions(tic_tac_toe, tic_tac_toe.start)
EARLY = filter(lambda board: len(tic_tac_toe.moves(board, None)) >= 5, EVERY)
BOARDS = list(islice(EARLY, 0, 60 * 18, 18))
spiel = pyspiel.load_game("tic_tac_toe")


def new_mcts(turn):
    """The action of monte-carlo-tree-search 2.1.0."""
    return MCTS(iteration_limit=ITERATIONS).search(State(tic_tac_toe, turn.state))


def mcts_1(turn):
    """The action of mcts 1.0.4."""
    return old_mcts.mcts(iterationLimit=ITERATIONS).search(State(tic_tac_toe, turn.state))


def mctspy(turn):
    root = SpyNode(State(tic_tac_toe, turn.state))
    return MonteCarloTreeSearch(root).best_action(ITERATIONS).state.position


def spiel_state(board):
    """The state of OpenSpiel with the marks of a board, made in any order."""
    rows, columns, names, *_ = tic_tac_toe.display.squares(board)
    marks = {mark: [] for mark in "xo"}
    for row, name in zip(rows, names, strict=True):
        for column, mark in enumerate(row):
            if mark in marks:
                marks[mark].append(len(columns) * (int(name) - 1) + column)
    state = spiel.new_initial_state()
    while marks["x"] or marks["o"]:
        state.apply_action(marks["xo"[state.current_player()]].pop())
    return state


def spiel_move(turn, action):
    """The move of the turn that fills the square with the number of an action."""
    name = f"{_COLUMNS[action % 3]}{action // 3 + 1}"
    return next(m for m in turn.moves if tic_tac_toe.display.label(turn.state, m) == name)


def spiel_python(turn):
    numbers = np.random.RandomState(random.randrange(2**32))
    evaluator = open_spiel_mcts.RandomRolloutEvaluator(1, numbers)
    bot = open_spiel_mcts.MCTSBot(spiel, 2**0.5, ITERATIONS, evaluator, random_state=numbers)
    return spiel_move(turn, bot.step(spiel_state(turn.state)))


PEERS = {
    "monte-carlo-tree-search 2.1.0": (new_mcts, 0.05),
    "mctspy 0.1.1": (mctspy, 0.05),
    "OpenSpiel, in Python": (spiel_python, 0.05),
    "mcts 1.0.4": (mcts_1, 0.5),
}
"""The players, and a loss that none of them reaches."""


def player(choose):
    """The strategy of a function that draws from the modules random and numpy."""

    def strategy(turn, rng):
        random.seed(rng.random())
        np.random.seed(int(rng.random() * 2**32))
        return choose(turn)

    return strategy


@pytest.mark.parametrize("name", PEERS)
def test_the_loss_of_a_peer(name, record_property):
    choose, most = PEERS[name]
    loss = check_player(player(choose), tic_tac_toe, BOARDS, most=most)
    print(f"{name}: {loss:.3f}")
    record_property("loss", loss)


def test_mcts_1_loses_more_than_the_others():
    """Both of its players maximise one reward, as the tests of its trees show."""
    assert check_player(player(mcts_1), tic_tac_toe, BOARDS, most=0.5) > 0.1


def test_our_search_loses_less_than_random_play():
    ours = check_player(uct_player(tic_tac_toe, ITERATIONS), tic_tac_toe, BOARDS, most=0.05)
    found = [each.loss for each in losses(random_player, tic_tac_toe, BOARDS)]
    drawn = sum(found) / len(found)
    print(f"ours: {ours:.3f}, random: {drawn:.3f}")
    assert ours < drawn
