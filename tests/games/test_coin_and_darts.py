"""Task 1: the coin and the darts."""

from collections import Counter
from math import pi
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.chance import repeatedly
from purembts.workshop import HEADS, TAILS, estimate_pi, flip_coin, in_circle, is_heads, throw_dart
from stats import assert_probability
from strategies import rngs


@given(rngs)
def test_heads_come_half_the_time(rng):
    flips = Counter(repeatedly(2000, lambda: flip_coin(rng)))
    assert set(flips) <= {HEADS, TAILS}
    assert_probability(flips[HEADS], 2000, 0.5, effect=0.12)


@pytest.mark.parametrize("call", [flip_coin, throw_dart, lambda rng: estimate_pi(10, rng)])
def test_a_seed_is_not_a_generator(call):
    with pytest.raises(ValueError, match="`rng` must be a generator"):
        call(7)


def test_heads_you_win():
    assert is_heads(HEADS)
    assert not is_heads(TAILS)


@given(rngs)
def test_darts_hit_the_square_anywhere(rng):
    darts = tuple(repeatedly(2000, lambda: throw_dart(rng)))
    assert all(-1 <= x < 1 and -1 <= y < 1 for x, y in darts)
    assert_probability(sum(map(in_circle, darts)), 2000, pi / 4, effect=0.12)
    for quarter in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        hits = sum(x * quarter[0] > 0 and y * quarter[1] > 0 for x, y in darts)
        assert_probability(hits, 2000, 0.25, effect=0.12)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_the_board_is_round(x, y):
    assert in_circle((x, y)) == (abs(complex(x, y)) < 1) or abs(abs(complex(x, y)) - 1) < 1e-9
    assert in_circle((x, y)) == in_circle((-y, x))


def test_pi_is_four_times_the_share_inside():
    rng = Random(7)
    n = 100_000
    assert_probability(round(estimate_pi(n, rng) * n / 4), n, pi / 4, effect=0.02)
    with pytest.raises(ValueError, match="`n` must be a whole number of at least 1"):
        estimate_pi(0)
