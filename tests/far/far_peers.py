"""The searches of three packages from PyPI, run through the laws of a search and of a player.

The packages are monte-carlo-tree-search 2.1.0, mcts 1.0.4 and mcts-simple 1.1.0. Most laws hold.
Where one does not, a test asserts the difference, so that it fails when a new version has it no
more. docs/verify.md tells what was found.

They need the dependency group `far`: python -m pytest tests/far/far_peers.py
"""

import random
from importlib.metadata import version
from itertools import islice

import mcts_simple
import pytest
from mcts.searcher.mcts import MCTS, TreeNode, random_policy

import peers
from peers import Changing, State, old_mcts
from purembts.game import Game
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import Board, mnk, tic_tac_toe
from purembts.players import random_player, uct_player
from purembts.positions import positions
from purembts.records import add_scores
from purembts.verify.algorithm_laws import check_playout
from purembts.verify.laws import read_tree
from purembts.verify.player_laws import check_player
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
    searcher = MCTS(iteration_limit=1, rollout_policy=noting(random_policy, rewards))
    searcher.root = tree or TreeNode(State(game, state), None)
    for _ in range(dives):
        searcher.execute_round()
    return searcher.root, scores_of(rewards[-1])


def searched_1(game, tree, state, dives):
    """mcts 1.0.4, from which the other one was made."""
    rewards = []
    policy = noting(old_mcts.randomPolicy, rewards)
    searcher = old_mcts.mcts(iterationLimit=1, rolloutPolicy=policy)
    searcher.root = tree or old_mcts.treeNode(State(game, state), None)
    for _ in range(dives):
        searcher.executeRound()
    return searcher.root, scores_of(rewards[-1])


def noting(policy, rewards):
    """The rollout policy, which also puts its rewards into the list."""

    def note(state):
        rewards.append(policy(state))
        return rewards[-1]

    return note


def scores_of(reward):
    """The scores for a reward of 1 if the first player wins, -1 if the second, and 0 for a draw."""
    return ((1 + reward) / 2, (1 - reward) / 2)


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
    """The sums over the nodes of each position, which have visits and a sum of rewards."""
    total, waiting = {}, [root]
    while waiting:
        node = waiting.pop()
        waiting += node.children.values()
        visits, before = total.get(node.state.position, (0, (0, 0)))
        n, rewards = node.numVisits, node.totalReward
        scores = add_scores(before, ((n + rewards) / 2, (n - rewards) / 2))
        total[node.state.position] = (visits + n, scores)
    return total


def read_simple(tree):
    """Nodes in a table, with the wins of the player who moved to the position.

    The root's wins are not counted, so its scores are those that our subclass has added up.
    """
    root = tree.game.position
    places = {str(position): position for position in positions(tree.game.game, root)}
    records = {}
    for (player, text), node in tree.transposition_table.items():
        mover_last = (node.w, node.n - node.w)
        records[places[text]] = (node.n, mover_last if player else mover_last[::-1])
    records[root] = (tree.root.n, tree.total)
    return records


PEERS = {
    "monte-carlo-tree-search": ("2.1.0", searched_2, read_rewards),
    "mcts": ("1.0.4", searched_1, read_rewards),
    "mcts-simple": ("1.1.0", searched_simple, read_simple),
}
by_peer = pytest.mark.parametrize("name", PEERS)


# The forms that the laws take


def in_place(name, game, tree, state, dives=1):
    _, searched, _ = PEERS[name]
    return searched(game, tree, state, dives)


def seeded(name, game, tree, state, dives, rng):
    """The same, with the generator of the module seeded from `rng`."""
    random.seed(rng.random())
    return in_place(name, game, tree, state, dives)


def uct_of(name, game):
    return lambda tree, state, rng: seeded(name, game, tree, state, 1, rng)


def search_of(name, game):
    return lambda tree, state, dives, rng: seeded(name, game, tree, state, dives, rng)[0]


def how(name):
    """How to make an empty tree and to read any."""
    _, _, read = PEERS[name]
    return {"empty": lambda: None, "read": lambda tree: {} if tree is None else read(tree)}


# What holds


@by_peer
def test_the_version_is_the_one_that_was_looked_at(name):
    assert version(name) == PEERS[name][0]


@by_peer
@pytest.mark.parametrize("start", STARTS)
def test_one_dive_and_a_search_keep_the_laws(name, start):
    game, state = STARTS[start]
    check_uct(uct_of(name, game), game, state, dives=200, learns=None, **how(name))
    check_search(search_of(name, game), game, state, dives=300, learns=None, **how(name))


@pytest.mark.parametrize("name", [name for name in PEERS if name != "mcts"])
def test_a_search_learns_a_game_of_two_players(name):
    _check_learning(search_of(name, coins), coins, Pile(7), 300, **how(name))


@pytest.mark.parametrize("policy", [random_policy, old_mcts.randomPolicy], ids=["2.1.0", "1.0.4"])
def test_a_rollout_is_uniformly_random_play(policy):
    def playout(state, rng):
        random.seed(rng.random())
        return scores_of(policy(State(coins, state)))

    check_playout(playout, coins, Pile(7))


def loss_of(strategy, most):
    """The mean loss on 60 positions of tic-tac-toe with five moves or more, at most `most`."""
    boards = positions(tic_tac_toe, tic_tac_toe.start)
    early = filter(lambda board: len(tic_tac_toe.moves(board, None)) >= 5, boards)
    return check_player(strategy, tic_tac_toe, list(islice(early, 0, 60 * 18, 18)), most=most)


def player(search):
    """The strategy of a search of 300 iterations, which draws from the module `random`."""

    def strategy(turn, rng):
        random.seed(rng.random())
        return search(tic_tac_toe, turn.state, 300)

    return strategy


def test_the_moves_of_players_lose_little_but_those_of_mcts():
    """The figures are in docs/verify.md."""
    assert loss_of(uct_player(tic_tac_toe, 300), 0.05) < loss_of(random_player, 1)
    assert loss_of(player(peers.monte_carlo_tree_search), 0.05) < 0.05
    assert loss_of(player(peers.mcts), 0.5) > 0.1


# What differs


@pytest.mark.parametrize("name", [name for name in PEERS if name != "mcts-simple"])
def test_random_numbers_come_from_a_module(name):
    """They come from `random`, which a caller has to seed."""

    def uct(tree, state, rng):
        return in_place(name, coins, tree, state)

    random.seed(7)
    with pytest.raises(AssertionError, match="The same seed must give the same tree"):
        check_uct(uct, coins, Pile(7), learns=None, **how(name))


def test_mcts_maximises_one_reward_for_both_players():
    """Its description does not name players. A game of one player is learnt."""
    search = search_of("mcts", coins)
    with pytest.raises(AssertionError, match=r"300 dives from Pile.*, \d+ of \d+ searches had"):
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


def test_mcts_simple_puts_whole_games_into_the_tree():
    """The description has one new node for a dive. The laws allow both."""
    random.seed(7)
    tree, _ = in_place("mcts-simple", coins, None, Pile(30))
    others, _ = in_place("monte-carlo-tree-search", coins, None, Pile(30))
    assert len(read_tree(tree, read_simple)) == 19
    assert len(read_tree(others, read_rewards)) == 2
