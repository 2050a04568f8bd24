"""Dives, searches, merges and undo in any order, against a plain model of dicts and lists.

The model is written from the workshop's text alone, with loops and changes in place, and shares no
code with the package but the numbers that both draw.
"""

from copy import deepcopy
from itertools import combinations
from math import inf, sqrt
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule
from immutables import Map
from pyrsistent import pmap

from purembts.games.shut_the_box import full_box
from purembts.mcts import merge_trees
from purembts.verify.strategies import seeds
from purembts.workshop import sample_box, search, uct

ENDS = {True: (1, 0), False: (0, 1)}


def model_moves(box, roll):
    """The boxes that `box` becomes, in the order of the workshop's power set."""
    chosen = [c for k in range(1, 10) for c in combinations(sorted(box), k) if sum(c) == roll]
    return [box - set(c) for c in sorted(chosen, key=lambda c: sum(2**lever for lever in c))]


def model_roll(rng):
    throw = int(rng.random() * 36)
    return throw // 6 + 1 + throw % 6 + 1


def model_bound(wins_losses):
    w, l = wins_losses  # noqa: E741
    n = w + l
    if n == 0:
        return inf
    return 3 / n if w == 0 else (w + 2 * sqrt(w * l / n)) / n


def model_random_game(box, rng):
    """Whether a random game from `box` is a win."""
    while box:
        moves = model_moves(box, model_roll(rng))
        if not moves:
            return False
        box = moves[int(rng.random() * len(moves))] if len(moves) > 1 else moves[0]
    return True


def model_dive(tree, box, rng):
    """Dive into `tree`, a dict from box to [wins, losses], and change it; whether it was a win."""
    path = [box]
    while box and box in tree:
        moves = model_moves(box, model_roll(rng))
        if not moves:
            won = False
            break
        bounds = [model_bound(tree.get(move, [0, 0])) for move in moves]
        box = moves[bounds.index(max(bounds))]
        path.append(box)
    else:
        won = model_random_game(box, rng)
    for visited in path:
        tree.setdefault(visited, [0, 0])[0 if won else 1] += 1
    return won


class Trees(RuleBasedStateMachine):
    """Every tree there ever was is kept beside its model, and has to stay as it was."""

    trees = Bundle("trees")
    empty = pmap

    def __init__(self):
        super().__init__()
        self.kept = []

    def keep(self, tree, model):
        self.kept.append((tree, deepcopy(model)))
        return len(self.kept) - 1

    @rule(target=trees)
    def plant(self):
        return self.keep(type(self).empty(), {})

    @rule(target=trees, i=trees, box=st.sampled_from([full_box(), sample_box]), seed=seeds)
    def dive(self, i, box, seed):
        tree, model = self.kept[i][0], deepcopy(self.kept[i][1])
        grown, result = uct(tree, box, Random(seed))
        assert result == ENDS[model_dive(model, box, Random(seed))]
        return self.keep(grown, model)

    @rule(target=trees, i=trees, seed=seeds, dives=st.integers(1, 30))
    def search(self, i, seed, dives):
        tree, model = self.kept[i][0], deepcopy(self.kept[i][1])
        rng = Random(seed)
        for _ in range(dives):
            model_dive(model, full_box(), rng)
        return self.keep(search(tree, full_box(), dives, Random(seed)), model)

    @rule(target=trees, i=trees, j=trees)
    def merge(self, i, j):
        model = deepcopy(self.kept[i][1])
        for box, (wins, losses) in self.kept[j][1].items():
            record = model.setdefault(box, [0, 0])
            record[0] += wins
            record[1] += losses
        return self.keep(merge_trees(self.kept[i][0], self.kept[j][0]), model)

    @rule(target=trees, i=trees)
    def undo(self, i):
        """Going back to an old tree is going on from it: it is a value."""
        return self.keep(*self.kept[i])

    @invariant()
    def every_tree_is_as_it_was(self):
        for tree, model in self.kept:
            assert type(tree) is type(type(self).empty())
            assert dict(tree) == {
                box: (wins + losses, (wins, losses)) for box, (wins, losses) in model.items()
            }


class TreesOfImmutables(Trees):
    empty = Map


machine_settings = settings(max_examples=30, stateful_step_count=20)
TestTreesOverPmap = Trees.TestCase
TestTreesOverPmap.settings = machine_settings
TestTreesOverImmutables = TreesOfImmutables.TestCase
TestTreesOverImmutables.settings = machine_settings
