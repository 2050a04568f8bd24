"""A search as a moving picture: its stages are those of one search, and its texts come in turn."""

import re
from random import Random

import pytest

from purembts import pictures
from purembts.fast.engine import search
from purembts.games.mnk import tic_tac_toe
from purembts.games.shut_the_box import shut_the_box
from purembts.pictures import films
from purembts.records import mean

GAMES = [(tic_tac_toe, tic_tac_toe.start), (shut_the_box(), frozenset({1, 2, 3}))]


@pytest.mark.parametrize(("game", "state"), GAMES)
def test_the_texts_are_those_of_one_search(game, state):
    *_, before, last = pictures.film(game, state, seed=26).text.splitlines()
    for n, text in ((3_000, before), (10_000, last)):
        tree = search(game, {}, state, n, Random(26))
        best = max((move for move in tree if move != state), key=lambda move: tree[move].visits)
        label, visits = game.display.label(state, best), tree[best].visits
        share = float(mean(tree[best]))
        assert text == f"{n:,} dives. Most visits: {label}, {visits:,}, mean score {share:.2f}."


@pytest.mark.parametrize(("game", "state"), GAMES)
def test_each_of_the_most_visited_positions_has_one_edge(game, state):
    tree = search(game, {}, state, 10_000, Random(26))
    svg = pictures.film(game, state, seed=26).svg
    assert svg.count("M0 0C") == sum(move in tree for move in films.children(game, state))
    edges = re.findall(r"M[-\d ]+C", svg)
    assert len(edges) == min(films._MOST, len(tree)) - 1


def test_blue_is_0_grey_one_half_and_orange_1():
    assert [films._colour(share) for share in (0, 0.5, 1)] == ["#2e7cd6", "#888d96", "#e07610"]


def texts_at(svg, percent):
    """The numbers of the texts that are visible at a time."""
    seen = []
    for i, rules in re.findall(r"@keyframes f[0-9a-f]{8}-t(\d+)\{((?:[\d.,%]+\{[^}]*\})+)\}", svg):
        steps = re.findall(r"([\d.]+)%(?:,100%)?\{visibility:(\w+)\}", rules)
        before = [value for at, value in steps if float(at) <= percent]
        seen += [int(i)] if before[-1] == "visible" else []
    return seen


def test_one_text_is_seen_at_a_time_each_in_its_turn():
    svg = pictures.film(*GAMES[1]).svg
    times = [texts_at(svg, k / 10) for k in range(1000)]
    assert [len(seen) for seen in times] == [1] * 1000
    assert list(dict.fromkeys(seen[0] for seen in times)) == list(range(9))
