"""A search with classes for Shut the Box, which grows its tree in place. It is right.

It is written as such searches often are: nodes with parents, a random new child first, and UCB1.
"""

from math import log, sqrt

from purembts.games.shut_the_box import shut_the_box

box_game = shut_the_box()


class Node:
    def __init__(self, box, parent=None):
        self.box, self.parent, self.children = box, parent, {}
        self.visits = self.wins = 0

    def bound(self, total):
        return self.wins / self.visits + sqrt(2 * log(total) / self.visits)

    def child(self, moves, rng):
        if new := [move for move in moves if move not in self.children]:
            move = rng.choice(new)
            self.children[move] = Node(move, self)
            return self.children[move]
        known = [self.children[move] for move in moves]
        total = sum(node.visits for node in known)
        return max(known, key=lambda node: node.bound(total))


def roll(box, rng):
    return rng.choice(box_game.chances(box))


def random_game(box, rng):
    while moves := box_game.moves(box, roll(box, rng)):
        box = rng.choice(moves)
    return box_game.result(box)


def dive(root, box, rng):
    root = node = root or Node(box)
    while node.visits and (moves := box_game.moves(node.box, roll(node.box, rng))):
        node = node.child(moves, rng)
    result = box_game.result(node.box) if node.visits else random_game(node.box, rng)
    while node:
        node.visits += 1
        node.wins += result[0]
        node = node.parent
    return root, result


def read(root):
    """The nodes of each box, added up."""
    records, nodes = {}, [root] if root else []
    for node in nodes:
        nodes += node.children.values()
        visits, (wins, losses) = records.get(node.box, (0, (0, 0)))
        new_losses = node.visits - node.wins
        records[node.box] = visits + node.visits, (wins + node.wins, losses + new_losses)
    return records
