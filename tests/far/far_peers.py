"""The searches of four packages from PyPI, run through the laws of a search.

The packages are monte-carlo-tree-search 2.1.0, mcts 1.0.4, mctspy 0.1.1 and mcts-simple 1.1.0. Most
laws hold. Where one does not, a test asserts the difference, so that it fails when a new version
has it no more. docs/verify.md tells what was found.

They need the dependency group `far`: python -m pytest tests/far/far_peers.py
"""

import random
from copy import deepcopy
from functools import partial
from importlib.metadata import version

import mcts_simple
import numpy as np
import pytest
from mcts.searcher.mcts import MCTS, TreeNode, random_policy
from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode as SpyNode
from mctspy.tree.search import MonteCarloTreeSearch

from peers import Changing, State, old_mcts
from purembts.game import Game
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import Board, mnk
from purembts.positions import positions
from purembts.records import add_scores
from purembts.verify.algorithm_laws import check_playout
from purembts.verify.laws import read_tree
from purembts.verify.search_laws import _check_learning, check_search, check_uct

coins = last_coin()
row = mnk(5, 1, 2)
"""Two in a row on five squares, which has draws."""
STARTS = {"coins": (coins, Pile(7)), "row": (row, Board())}


# Each package as a function of a game, a tree or None, a position, and a number of dives. It
# changes the tree in place, as the package does, and returns it with the result of the last dive.


def searched_2(game, tree, state, dives):
    """monte-carlo-tree-search 2.1.0."""
    rewards = []
    searcher = MCTS(iteration_limit=1, rollout_policy=noted(random_policy, rewards))
    searcher.root = tree or TreeNode(State(game, state), None)
    for _ in range(dives):
        searcher.execute_round()
    return searcher.root, scores_of(rewards[-1])


def searched_1(game, tree, state, dives):
    """mcts 1.0.4, from which the other one was made."""
    rewards = []
    policy = noted(old_mcts.randomPolicy, rewards)
    searcher = old_mcts.mcts(iterationLimit=1, rolloutPolicy=policy)
    searcher.root = tree or old_mcts.treeNode(State(game, state), None)
    for _ in range(dives):
        searcher.executeRound()
    return searcher.root, scores_of(rewards[-1])


def noted(policy, rewards):
    """The rollout policy, which also puts its rewards into the list."""

    def note(state):
        rewards.append(policy(state))
        return rewards[-1]

    return note


def scores_of(reward):
    """The scores for a reward of 1 if the first player wins, -1 if the second, and 0 for a draw."""
    return ((1 + reward) / 2, (1 - reward) / 2)


def searched_spy(game, tree, state, dives):
    """mctspy 0.1.1. A dive adds 1 to one of the counts of results at the root."""
    root = tree or SpyNode(State(game, state))
    for _ in range(dives):
        before = dict(root._results)
        MonteCarloTreeSearch(root).best_action(1)
        [reward] = [r for r, count in root._results.items() if count > before.get(r, 0)]
    return root, scores_of(reward)


class Simple(mcts_simple.UCT):
    """The search of mcts-simple, which also keeps the sum of all results, and the last one."""

    total = (0.0, 0.0)

    def backpropagation(self, path):
        super().backpropagation(path)
        winners = self.copied_game.winner()
        self.result = tuple((player in winners) / len(winners) for player in range(2))
        self.total = add_scores(self.total, self.result)


def searched_simple(game, tree, state, dives):
    """mcts-simple 1.1.0, whose generator belongs to the tree."""
    tree = tree or Simple(Changing(game, state))
    tree.set_seed(random.random())
    for _ in range(dives):
        tree.step()
    return tree, tree.result


# The records of their trees


def read_rewards(root):
    """Nodes with the number of visits and the sum of rewards."""
    return summed(
        (node.state.position, node.numVisits, sums(node.numVisits, node.totalReward))
        for node in walk(root, lambda node: node.children.values())
    )


def sums(visits, rewards):
    return ((visits + rewards) / 2, (visits - rewards) / 2)


def read_spy(root):
    """Nodes with the number of each result, from which the package computes its property `q`."""
    return summed(
        (node.state.position, node.n, sums(node.n, node._results[1] - node._results[-1]))
        for node in walk(root, lambda node: node.children)
    )


def read_simple(tree, root_scores=lambda tree: tree.total):
    """Nodes in a table, with the wins of the player who moved to the position.

    The root's wins are not counted, so its scores are those that our subclass has added up.
    """
    root = tree.game.position
    place = {str(position): position for position in positions(tree.game.game, root)}
    found = {}
    for (player, text), node in tree.transposition_table.items():
        mover_last = (node.w, node.n - node.w)
        found[place[text]] = (node.n, mover_last if player else mover_last[::-1])
    found[root] = (tree.root.n, root_scores(tree))
    return found


def walk(root, children):
    """All nodes of a tree."""
    waiting = [root]
    while waiting:
        waiting += children(node := waiting.pop())
        yield node


def summed(records):
    """The records of nodes, added up. Several nodes can have the same position."""
    total = {}
    for position, n, scores in records:
        visits, before = total.get(position, (0, (0, 0)))
        total[position] = (visits + n, add_scores(before, scores))
    return total


PEERS = {
    "monte-carlo-tree-search": ("2.1.0", searched_2, read_rewards),
    "mcts": ("1.0.4", searched_1, read_rewards),
    "mctspy": ("0.1.1", searched_spy, read_spy),
    "mcts-simple": ("1.1.0", searched_simple, read_simple),
}
peers = pytest.mark.parametrize("name", PEERS)


# The forms that the laws take


def in_place(name, game, tree, state, dives=1):
    _, searched, _ = PEERS[name]
    return searched(game, tree, state, dives)


def seeded(name, game, tree, state, dives, rng):
    """The same on a copy of the tree, with generators that are seeded from `rng`."""
    random.seed(rng.random())
    np.random.seed(int(rng.random() * 2**32))
    return in_place(name, game, deepcopy(tree), state, dives)


def uct_of(name, game):
    return lambda tree, state, rng: seeded(name, game, tree, state, 1, rng)


def search_of(name, game):
    return lambda tree, state, dives, rng: seeded(name, game, tree, state, dives, rng)[0]


def how(name):
    """How to make an empty tree and to read any."""
    _, _, read = PEERS[name]
    return {"empty": lambda: None, "read": lambda tree: {} if tree is None else read(tree)}


# What holds


@peers
def test_the_version_is_the_one_that_was_looked_at(name):
    assert version(name) == PEERS[name][0]


@peers
@pytest.mark.parametrize("start", STARTS)
def test_one_dive_keeps_the_laws(name, start):
    game, state = STARTS[start]
    check_uct(uct_of(name, game), game, state, dives=200, learns=None, **how(name))


@peers
@pytest.mark.parametrize("start", STARTS)
def test_a_search_keeps_the_laws(name, start):
    game, state = STARTS[start]
    check_search(search_of(name, game), game, state, dives=300, learns=None, **how(name))


@pytest.mark.parametrize("name", [name for name in PEERS if name != "mcts"])
def test_a_search_learns_a_game_of_two_players(name):
    _check_learning(search_of(name, coins), coins, Pile(7), 300, **how(name))


def playouts(play):
    def playout(state, rng):
        random.seed(rng.random())
        np.random.seed(int(rng.random() * 2**32))
        return scores_of(play(State(coins, state)))

    return playout


@pytest.mark.parametrize(
    "play",
    [random_policy, old_mcts.randomPolicy, lambda state: SpyNode(state).rollout()],
    ids=["monte-carlo-tree-search", "mcts", "mctspy"],
)
def test_a_rollout_is_uniformly_random_play(play):
    check_playout(playouts(play), coins, Pile(7))


# What differs


@peers
def test_a_tree_changes_in_place(name):
    """A tree is an object that the search changes. None of the packages says otherwise."""

    def uct(tree, state, rng):
        return in_place(name, coins, tree, state)

    with pytest.raises(AssertionError, match=r"The old tree must stay as it was. Dive 2 with seed"):
        check_uct(uct, coins, Pile(7), learns=None, **how(name))


@pytest.mark.parametrize("name", [name for name in PEERS if name != "mcts-simple"])
def test_random_numbers_come_from_a_module(name):
    """They come from `random`, or for mctspy from `numpy.random`, which a caller has to seed."""

    def uct(tree, state, rng):
        return in_place(name, coins, deepcopy(tree), state)

    random.seed(7)
    np.random.seed(7)
    with pytest.raises(AssertionError, match="The same seed must give the same tree"):
        check_uct(uct, coins, Pile(7), learns=None, **how(name))


def test_mcts_maximises_one_reward_for_both_players():
    """Its description does not name players. A game of one player is learnt."""
    search = search_of("mcts", coins)
    with pytest.raises(AssertionError, match=r"300 dives from Pile.*, \d+ of 100 searches had"):
        _check_learning(search, coins, Pile(7), 300, **how("mcts"))
    _check_learning(search_of("mcts", alone), alone, 0, 300, **how("mcts"))


alone = Game(
    moves=lambda n, event: (n + 1, n + 3) if n < 7 else (),
    result=lambda n: (1, 0) if n == 9 else (0, 1),
    to_move=lambda n: 0,
    name="one player who adds 1 or 3 up to 7 or more, and wins at 9",
)


def test_mcts_simple_does_not_count_the_wins_of_the_root():
    """Its description says that the score of the root is almost never evaluated."""
    random.seed(7)
    tree, _ = in_place("mcts-simple", coins, None, Pile(7), 1000)
    assert (tree.root.n, tree.root.w) == (1000, 0)
    assert tree.total == (972, 28)
    read = partial(read_simple, root_scores=lambda tree: (tree.root.n - tree.root.w, tree.root.w))
    with pytest.raises(
        AssertionError, match=r"must add one visit and its result .* the result \(0"
    ):
        check_uct(
            uct_of("mcts-simple", coins), coins, Pile(7), learns=None,
            empty=lambda: None, read=lambda tree: {} if tree is None else read(tree),
        )  # fmt: skip


def test_mcts_simple_puts_whole_games_into_the_tree():
    """The description has one new node for a dive. The laws allow both."""
    random.seed(7)
    tree, _ = in_place("mcts-simple", coins, None, Pile(30))
    others, _ = in_place("monte-carlo-tree-search", coins, None, Pile(30))
    assert len(read_tree(tree, read_simple)) == 19
    assert len(read_tree(others, read_rewards)) == 2


def test_mctspy_counts_visits_in_floats():
    root, _ = in_place("mctspy", coins, None, Pile(7), 10)
    assert (root.n, type(root.n)) == (10, float)


def test_mctspy_has_no_value_for_its_root():
    """The property `q` asks the parent who moved."""
    root, _ = in_place("mctspy", coins, None, Pile(7), 10)
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'state'"):
        _ = root.q
