"""A search as a moving picture: the frames are those of one search, and one is seen at a time."""

import re
from copy import copy
from operator import sub
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import pictures
from purembts.bounds import ucb1
from purembts.fast.engine import search
from purembts.games.last_coin import last_coin
from purembts.games.shut_the_box import shut_the_box
from purembts.mcts import select
from purembts.pictures import films, svg
from purembts.records import as_tree
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds

BOX = frozenset({1, 2, 3})
stb = shut_the_box()


def frames(game, state, slow=(1, 2, 24), marks=(23, 100), seed=26):
    return list(films._frames(game, state, set(slow), set(marks), Random(seed)))


@given(seeds, st.sets(st.integers(1, 40)), st.sets(st.integers(1, 60), min_size=1))
def test_the_trees_are_those_of_one_search(seed, slow, marks):
    game = random_game(seed, 2)
    trees = [frame.tree for frame in frames(game, 0, slow, marks, seed) if frame.tree]
    seen = {tree[0].visits: tree for tree in trees}
    for n, tree in seen.items():
        assert tree == search(game, {}, 0, n, Random(seed))
    assert marks <= seen.keys()


@given(seeds, st.integers(0, 60))
def test_the_path_of_a_dive_is_the_one_that_was_selected(seed, n):
    game, rng = random_game(seed, 2), Random(seed)
    tree = search(game, {}, 0, n, rng) if n else as_tree({})
    path = [state for state, _ in select(game, tree, 0, ucb1, copy(rng))]
    *_, last = films._phases(game, tree, search(game, tree, 0, 1, rng), 0)
    assert last.path == path


def test_a_dive_has_a_picture_for_each_phase_with_its_path_at_places_that_stay():
    rng = Random(7)
    before = search(stb, {}, stb.start, 60, rng)
    phases = films.dive(stb, before, search(stb, before, stb.start, 1, rng), stb.start, depth=1)
    assert [re.match(r"Dive 61\. (\w+):", phase.title)[1] for phase in phases] == [
        *("Select", "Expand", "Simulate", "Backpropagate"),
    ]
    places = [re.findall(r'transform="([^"]*)"[^>]* data-visits', phase.svg) for phase in phases]
    assert all(each == places[0] for each in places)
    assert all(f'stroke="{svg.MARK}"' in phase.svg for phase in phases)
    assert [phase.text == phases[-1].text for phase in phases] == [False, False, False, True]


def test_a_move_that_is_new_to_the_tree_is_said_to_be_one_of_those_not_tried_yet():
    shown = frames(last_coin(), last_coin().start, slow=(2, 3, 4), marks=[4], seed=7)
    text = "\n".join(frame.sentence for frame in shown)
    best, first = "take 1 has the highest bound of 2 moves", "take 1, one of 2 moves not tried yet"
    last = "take 2, the last move not tried yet"
    assert re.findall(r"Select: (.*)", text) == [f"{first}.", f"{last}.", f"{best}; {first}."]


@pytest.mark.parametrize(
    ("game", "state", "results"),
    [
        (stb, BOX, {(0, 1): "is lost", (1, 0): "is won"}),
        (last_coin(), last_coin().start, {(0, 1): "scores 0 and 1", (1, 0): "scores 1 and 0"}),
    ],
)
def test_a_result_is_won_or_lost_for_a_player_alone_and_otherwise_in_scores(game, state, results):
    told, tree = {}, as_tree({})
    for n in range(80):
        grown = search(game, tree, state, 1, Random(n))
        old = tree[state].scores if tree else (0, 0)
        scores = tuple(map(sub, grown[state].scores, old))
        [said] = [each.sentence for each in films._phases(game, tree, grown, state)][-2:-1]
        told.setdefault(scores, set()).add(re.search(r"(?: there| and) (.*)\.$", said)[1])
        tree = grown
    assert told == {scores: {words} for scores, words in results.items()}


def seen_at(svg, percent):
    """The numbers of the frames that are visible at a time."""
    seen = []
    for i, rules in re.findall(r"@keyframes f[0-9a-f]{8}-(\d+)\{((?:[\d.]+%\{[^}]*\})+)\}", svg):
        steps = re.findall(r"([\d.]+)%\{visibility:(\w+)\}", rules)
        before = [value for at, value in steps if float(at) <= percent]
        seen += [int(i)] if before[-1] == "visible" else []
    return seen


def test_one_frame_is_seen_at_a_time_each_in_its_turn():
    svg = pictures.film(stb, BOX, seed=26).svg
    times = [seen_at(svg, k / 10) for k in range(1000)]
    assert [len(seen) for seen in times] == [1] * 1000
    assert list(dict.fromkeys(seen[0] for seen in times)) == list(range(14))
