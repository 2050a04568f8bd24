"""The recorded search is that of the library, draw for draw, and shows games of all results."""

from itertools import islice
from random import Random

import pytest

import recorded
from purembts.games.mnk import tic_tac_toe
from purembts.mcts import uct


def test_the_dives_are_those_of_uct():
    tree, rng, again = {}, Random(7), Random(7)
    for dive in islice(recorded.dives(again), 300):
        before = tree
        tree, result = uct(tic_tac_toe, tree, tic_tac_toe.start, rng)
        assert dive.result == result
        changed = {state for state, record in tree.items() if before.get(state) != record}
        assert changed == {*dive.path}
        assert again.getstate() == rng.getstate()
        assert dive.game[0] == dive.path[-1]


@pytest.mark.slow
def test_games_that_are_shown_are_won_and_lost_and_drawn_and_more_dives_win_more():
    facts = recorded.search_facts()
    results = [each for each in facts["DIVES"] if not each.isdigit()]
    assert len(results) == recorded.DIVES
    assert {results[n - 1] for n in recorded.SLOW} == {"x", "o", "-"}
    assert [*facts["WON"].values()] == sorted(facts["WON"].values())
