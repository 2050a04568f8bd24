"""The searches of other packages, each given the same rules functions as ours.

They are in the dependency group `peers`. A search is a function of a game, a position and
a number of iterations.
"""

import importlib.util
from importlib.metadata import files

import mcts_simple
import numpy as np
import pyspiel
from mcts.searcher.mcts import MCTS
from open_spiel.python.algorithms import mcts as open_spiel_mcts


def _old_mcts():
    """The package mcts 1.0.4, a single file whose name another package has taken."""
    [path] = [path for path in files("mcts") if path.name == "mcts.py"]
    spec = importlib.util.spec_from_file_location("old_mcts", path.locate())
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


old_mcts = _old_mcts()


class State:
    """A position with the methods that the packages of one family ask for; moves are found once."""

    def __init__(self, game, position):
        self.game = game
        self.position = position
        self.moves = game.moves(position, None)

    def __deepcopy__(self, memo):
        return self  # it never changes

    def get_current_player(self):
        return 1 - 2 * self.game.to_move(self.position)

    def get_possible_actions(self):
        return self.moves

    def take_action(self, action):
        return State(self.game, action)

    def is_terminal(self):
        return not self.moves

    def get_reward(self):
        first, second = self.game.result(self.position)
        return first - second

    # The same for mcts 1.0.4.
    getCurrentPlayer = get_current_player
    getPossibleActions = get_possible_actions
    takeAction = take_action
    isTerminal = is_terminal
    getReward = get_reward


def monte_carlo_tree_search(game, position, iterations):
    """The move of monte-carlo-tree-search 2.1.0."""
    return MCTS(iteration_limit=iterations).search(State(game, position))


def mcts(game, position, iterations):
    """The move of mcts 1.0.4. Both sides maximise one reward, so its speed alone is compared."""
    return old_mcts.mcts(iterationLimit=iterations).search(State(game, position))


class Changing(mcts_simple.Game):
    """A game that mcts-simple plays in place; its actions are the numbers of the moves."""

    def __init__(self, game, position):
        self.game = game
        self.position = position
        self.moves = game.moves(position, None)

    def __deepcopy__(self, memo):
        return Changing(self.game, self.position)

    def get_state(self):
        return self.position

    def number_of_players(self):
        return self.game.players

    def current_player(self):
        return self.game.to_move(self.position)

    def possible_actions(self):
        return list(range(len(self.moves)))

    def take_action(self, action):
        self.position = self.moves[action]
        self.moves = self.game.moves(self.position, None)

    def has_outcome(self):
        return not self.moves

    def winner(self):
        scores = self.game.result(self.position)
        return [player for player, points in enumerate(scores) if points == max(scores)]


def simple(game, position, iterations):
    tree = mcts_simple.UCT(Changing(game, position), seed=7)
    for _ in range(iterations):
        tree.step()
    return tree


def open_spiel_python(name, iterations):
    """OpenSpiel's search in Python, on its own rules in C++."""
    game = pyspiel.load_game(name)
    state = np.random.RandomState(7)
    evaluator = open_spiel_mcts.RandomRolloutEvaluator(1, state)
    bot = open_spiel_mcts.MCTSBot(
        game, 2**0.5, iterations, evaluator, solve=False, random_state=state
    )
    return bot.mcts_search(game.new_initial_state())


def open_spiel_bot(game, iterations, seed=7, rollouts=1):
    """OpenSpiel's search in C++, with a new tree for each move."""
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    return pyspiel.MCTSBot(game, evaluator, 2**0.5, iterations, 1000, False, seed, False)


def open_spiel_cpp(name, iterations, rollouts=1):
    """OpenSpiel's search in C++; one iteration is a number of random games from the start."""
    game = pyspiel.load_game(name)
    return open_spiel_bot(game, iterations, rollouts=rollouts).mcts_search(game.new_initial_state())
