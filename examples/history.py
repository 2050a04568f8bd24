"""A search as a list of trees: look back, compare, take a move back, search on from anywhere."""

from itertools import islice
from random import Random

from immutables import Map

from purembts.engine import search
from purembts.game import Turn, move_called, turn_at
from purembts.games.mnk import Board, tic_tac_toe
from purembts.mcts import subtree, trees
from purembts.play import think
from purembts.records import Tree


def favourite(tree: Tree[Board], turn: Turn[Board, None]) -> str:
    """The name of the most visited move, and how often it was visited."""
    visits = {move: tree[move].visits for move in turn.moves if move in tree}
    move = max(visits, key=visits.__getitem__)
    return f"{tic_tac_toe.display.label(turn.state, move)} ({visits[move]})"


def main() -> None:
    """Print what a search believed as it went on, and what becomes of a game with an undo."""
    turn = turn_at(tic_tac_toe, tic_tac_toe.start, None)

    # Every tree of the first 1,000 dives is kept. A large history is kept on immutables.Map.
    history = list(islice(trees(tic_tac_toe, Map(), turn.state, Random(7)), 1001))
    for dives in (10, 100, 1000):
        tree = history[dives]
        print(f"after {dives:4} dives {len(tree):3} positions, favourite {favourite(tree, turn)}")
    changed = [
        dives
        for dives in range(11, 1001)
        if favourite(history[dives], turn).split()[0]
        != favourite(history[dives - 1], turn).split()[0]
    ]
    print(f"the favourite changed {len(changed)} times, last after {changed[-1]} dives")

    # A game is a list of pairs: a turn, and the tree that it was thought about with.
    tree, move = think(tic_tac_toe, history[-1], turn, 500, Random(8))
    reply = turn_at(tic_tac_toe, move, None)
    answer = move_called(tic_tac_toe, reply, "b1")
    game = [(turn, tree), (turn_at(tic_tac_toe, answer, None), subtree(tic_tac_toe, tree, answer))]
    print(f"\nUCT plays {tic_tac_toe.display.label(turn.state, move)}, the answer is b1:")
    print(tic_tac_toe.display.show(answer))
    known = game[-1][1][answer].visits
    print(f"the tree has {len(tree)} positions, {len(game[-1][1])} of them from here on")
    print(f"it knows this one from {known} dives and searches on")
    on = search(tic_tac_toe, game[-1][1], answer, 500, Random(9))
    print(f"{known + 500} dives now, favourite {favourite(on, game[-1][0])}")

    # The answer is taken back: nothing has changed what was there.
    game.pop()
    assert game == [(turn, tree)]
    other = move_called(tic_tac_toe, reply, "a1")
    print("\nthe answer is taken back, it is a1 now:")
    after = turn_at(tic_tac_toe, other, None)
    again, move = think(tic_tac_toe, game[-1][1], after, 500, Random(9))
    print(tic_tac_toe.display.show(other))
    print(f"favourite {favourite(again, after)}")


if __name__ == "__main__":
    main()
