"""Dives, searches and merges in any order, against a plain model of dicts, and by the laws.

The model is written from the workshop's text alone, with loops and changes in place, and shares no
code with the package but the numbers that both draw.
"""

from copy import deepcopy
from functools import partial
from itertools import combinations
from math import inf, sqrt
from operator import attrgetter
from typing import NamedTuple

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from pyrsistent import pmap

import foreign
from planted import laws_of
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.mcts import merge_trees
from purembts.verify import tree_machine as rooms
from purembts.verify.laws import read_tree
from purembts.verify.tree_machine import tree_machine
from purembts.workshop import sample_box, search, uct
from toys import Map


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
    """True if a random game from `box` is a win."""
    while box:
        moves = model_moves(box, model_roll(rng))
        if not moves:
            return False
        box = moves[int(rng.random() * len(moves))] if len(moves) > 1 else moves[0]
    return True


def model_dive(tree, box, rng):
    """Dive into `tree`, a dict from box to (visits, (wins, losses)), and change it; the result."""
    path = [box]
    while box and box in tree:
        moves = model_moves(box, model_roll(rng))
        if not moves:
            won = False
            break
        bounds = [model_bound(tree.get(move, (0, (0, 0)))[1]) for move in moves]
        box = moves[bounds.index(max(bounds))]
        path.append(box)
    else:
        won = model_random_game(box, rng)
    for visited in path:
        n, (wins, losses) = tree.get(visited, (0, (0, 0)))
        tree[visited] = (n + 1, (wins + 1, losses) if won else (wins, losses + 1))
    return (1, 0) if won else (0, 1)


def like_the_model(uct):
    """One dive by `uct`, which must have the result and the tree of the model."""

    def dive(tree, box, rng):
        pairs, twin = {place: tuple(record) for place, record in tree.items()}, deepcopy(rng)
        grown, result = uct(tree, box, rng)
        assert result == model_dive(pairs, box, twin), "the result is not the model's"
        assert read_tree(grown) == read_tree(pairs), "the tree is not the model's"
        assert type(grown) is type(tree)
        return grown, result

    return dive


machine_settings = settings(max_examples=30, stateful_step_count=20)
box_game = shut_the_box()
against_the_model = partial(
    tree_machine,
    box_game,
    [full_box(), sample_box],
    like_the_model(uct),
    search=search,
    merge=merge_trees,
)

TestTreesOverPmap = against_the_model(empty=pmap).TestCase
TestTreesOverPmap.settings = machine_settings
TestTreesOverImmutables = against_the_model(empty=Map).TestCase
TestTreesOverImmutables.settings = machine_settings


# Without a model


def merged(one, other):
    """A dict of the records of both, in the style of foreign.py."""
    grown = dict(one)
    for place, (n, sums) in other.items():
        visits, before = grown.get(place, (0, [0, 0]))
        grown[place] = (visits + n, [a + b for a, b in zip(before, sums, strict=True)])
    return grown


PILES = [(7, 0), (4, 1), (0, 0)]
by_the_laws = partial(tree_machine, foreign.coins, PILES)


class Wrapped(NamedTuple):
    """A tree of another form."""

    records: dict


def wrapped_uct(tree, pile, rng):
    grown, scores = foreign.uct(tree.records, pile, rng)
    return Wrapped(grown), scores


TestWrappedTrees = by_the_laws(
    wrapped_uct,
    search=lambda tree, *how: Wrapped(foreign.search(tree.records, *how)),
    merge=lambda one, other: Wrapped(merged(one.records, other.records)),
    empty=lambda: Wrapped({}),
    read=attrgetter("records"),
).TestCase
TestWrappedTrees.settings = machine_settings


def shared(tree, pile, rng):
    """Copies the dict, but not the lists in it."""
    positions = foreign.line(tree, pile)
    scores = foreign.playout(positions[-1], rng)
    grown = dict(tree)
    for position in positions:
        n, sums = grown.get(position, (0, [0, 0]))
        for player, score in enumerate(scores):
            sums[player] += score
        grown[position] = (n + 1, sums)
    return grown, scores


def careless(one, other):
    one.update(merged(one, other))
    return one


def forgetting(tree, pile, dives, rng):
    return foreign.search({}, pile, dives, rng)


FAULTS = {
    "The old tree must stay as it was. A dive from": by_the_laws(shared),
    "Every tree must stay as it was. The ": by_the_laws(foreign.uct, merge=careless),
    r"A merge must add up the records of both trees. The merge gave": by_the_laws(
        foreign.uct, merge=lambda one, other: {**one, **other}
    ),
    "A position must get no more visits than lead to it|must be a sum of": by_the_laws(
        foreign.uct, search=forgetting
    ),
}
"""Messages, and machines whose functions have a fault."""


@pytest.mark.parametrize(("message", "machine"), FAULTS.items())
def test_catches_a_fault(message, machine):
    quick = settings(
        max_examples=200,
        stateful_step_count=20,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        report_multiple_bugs=False,
    )
    with pytest.raises(AssertionError, match=message):
        run_state_machine_as_test(machine, settings=quick)


def test_every_law_has_a_fault():
    assert all(any(each in message for message in FAULTS) for each in laws_of(rooms))
