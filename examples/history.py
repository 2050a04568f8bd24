"""A search as a list of trees.

The program looks back at earlier trees, compares them, takes a move back, and continues the search
from an earlier position.
"""

from itertools import islice
from random import Random

from immutables import Map

from purembts.fast.engine import search
from purembts.game import Turn, turn_at
from purembts.games.mnk import Board, tic_tac_toe
from purembts.mcts import subtree, trees
from purembts.play import move_called
from purembts.players import think
from purembts.records import Tree


def favourite(tree: Tree[Board], turn: Turn[Board, None]) -> str:
    """The name of the most visited move, and the number of its visits."""
    visits = {move: tree[move].visits for move in turn.moves if move in tree}
    move = max(visits, key=visits.__getitem__)
    return f"{tic_tac_toe.display.label(turn.state, move)} ({visits[move]})"


def main() -> None:
    """Print the favourite move during a search, and play a game in which a move is taken back."""
    turn = turn_at(tic_tac_toe, tic_tac_toe.start, None)

    # All trees of the first 1,000 dives are kept. A long history is faster on Map than on pmap.
    history = list(islice(trees(tic_tac_toe, Map(), turn.state, Random(7)), 1001))
    for dives in (10, 100, 1000):
        tree = history[dives]
        print(f"after {dives:4} dives {len(tree):4} positions, favourite {favourite(tree, turn)}")
    changed = [
        dives
        for dives in range(11, 1001)
        if favourite(history[dives], turn).split()[0]
        != favourite(history[dives - 1], turn).split()[0]
    ]
    print(f"the favourite changed {len(changed)} times, the last time after {changed[-1]} dives")

    # The game is a list of pairs: a turn, and the tree of the search at that turn.
    tree, move = think(tic_tac_toe, history[-1], turn, 500, Random(8))
    reply = turn_at(tic_tac_toe, move, None)
    answer = move_called(tic_tac_toe, reply, "b1")
    game = [(turn, tree), (turn_at(tic_tac_toe, answer, None), subtree(tic_tac_toe, tree, answer))]
    print(f"\nUCT plays {tic_tac_toe.display.label(turn.state, move)}, the answer is b1:")
    print(tic_tac_toe.display.show(answer))
    visits = game[-1][1][answer].visits
    print(f"the tree has {len(tree)} positions; {len(game[-1][1])} can be reached from here")
    print(f"this position has {visits} visits; the search continues")
    grown = search(tic_tac_toe, game[-1][1], answer, 500, Random(9))
    print(f"after {grown[answer].visits} visits, favourite {favourite(grown, game[-1][0])}")

    # To take the answer back, remove the last pair. The first pair has not changed.
    game.pop()
    assert game == [(turn, tree)]
    other = move_called(tic_tac_toe, reply, "a1")
    print("\nthe answer b1 is taken back; the new answer is a1:")
    after = turn_at(tic_tac_toe, other, None)
    tree, move = think(tic_tac_toe, game[-1][1], after, 500, Random(9))
    print(tic_tac_toe.display.show(other))
    print(f"favourite {favourite(tree, after)}")


if __name__ == "__main__":
    main()
