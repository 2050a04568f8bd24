"""A search as a moving picture: the frames are those of one search, and one is seen at a time."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import pictures
from purembts.bounds import ucb1
from purembts.fast.engine import search
from purembts.games.shut_the_box import shut_the_box
from purembts.pictures import films
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds

BOX = frozenset({1, 2, 3})
stb = shut_the_box()


def frames(game, state, slow=(1, 2, 24), marks=(23, 100), seed=26):
    return list(films._frames(game, state, set(slow), set(marks), Random(seed), ucb1))


@given(seeds, st.sets(st.integers(1, 40)), st.sets(st.integers(1, 60), min_size=1))
def test_the_trees_are_those_of_one_search(seed, slow, marks):
    game = random_game(seed, 2)
    trees = [frame.tree for frame in frames(game, 0, slow, marks, seed) if frame.tree]
    seen = {tree[0].visits: tree for tree in trees}
    for n, tree in seen.items():
        assert tree == search(game, {}, 0, n, Random(seed))
    assert marks <= seen.keys()


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


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"marks": ()}, r"`marks` must have at least one number of dives; got \(\)"),
        ({"marks": (0,)}, "`marks` must be a whole number of at least 1; got 0"),
        ({"slow": (1.5,)}, "`slow` must be a whole number of at least 1; got 1.5"),
    ],
)
def test_wrong_numbers_of_dives_are_refused(more, message):
    with pytest.raises(ValueError, match=message):
        pictures.film(stb, BOX, **more)
