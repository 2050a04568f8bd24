"""The bounds equal their formulas to high precision, and are above the mean."""

import pickle
from collections import deque
from decimal import Decimal, localcontext
from itertools import islice
from math import isclose, nan
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.bandits import bernoulli, by_bound, pulls
from purembts.bounds import CONSTANTS, name_of, ucb1, ucb1_with, ucb_wald, wald_with
from purembts.fast.engine import search
from purembts.games.last_coin import Pile, last_coin
from purembts.mcts import trees
from purembts.verify.algorithm_laws import check_bound

counts = st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def wald_in_decimals(w, n, z):
    """The workshop's formula to 50 places."""
    with localcontext(prec=50):
        w, l, n, z = Decimal(w), Decimal(n - w), Decimal(n), Decimal(z)  # noqa: E741
        return (w + z * (w * l / n).sqrt()) / n


@given(counts, st.floats(0, 100))
def test_the_workshops_bound_for_any_z(w_and_n, z):
    w, n = w_and_n
    expected = wald_in_decimals(w, n, z) if w else Decimal(3) / n
    assert isclose(wald_with(z)(w, n), expected, rel_tol=1e-12)


@given(counts, st.integers(0, 10**6))
def test_ucb1_is_its_formula(w_and_n, others):
    w, n = w_and_n
    with localcontext(prec=50):
        expected = Decimal(w) / n + (2 * Decimal(n + others).ln() / n).sqrt()
    assert isclose(ucb1(w, n, n + others), expected, rel_tol=1e-12)


# A bound as data


def test_a_bound_is_data():
    """It can be taken apart, compared, made again, and sent to another process."""
    assert ucb1._replace(name="mine").own is ucb1.own
    assert ucb1 == ucb1
    assert ucb1 != ucb_wald
    for bound in (ucb1, ucb_wald, *(bound(0.3) for bound in CONSTANTS.values())):
        again = pickle.loads(pickle.dumps(bound))
        assert again(3, 7, 20) == bound(3, 7, 20)
        assert name_of(again) == bound.name


def test_the_workshops_bound_is_never_below_the_mean():
    with pytest.raises(ValueError, match=r"`z` must be a number from 0 to 1000000; got -1"):
        wald_with(-1)
    assert ucb1_with(-1)(3, 4, 4) < 3 / 4, "a lower bound, for those who look for the worst"
    with pytest.raises(ValueError, match=r"^`c` must be a number from -1000000 to 1000000; got 1e"):
        ucb1_with(1e308)  # the bounds of tried moves were infinite, like those of moves not tried


# Wrong bounds

WRONG = {
    "NaN": lambda score, visits, total: nan,
    "a text": lambda score, visits, total: "high",
    "an error": lambda score, visits, total: score / visits,
    "None later": lambda score, visits, total: None if visits > 3 else ucb1(score, visits, total),
    "a Bound that is NaN": ucb1._replace(width=lambda visits: nan),
    "a Bound that is None later": ucb_wald._replace(own=lambda score, n: None if n > 3 else 1),
    "a Bound of other arguments": ucb1._replace(own=lambda score: score),
}


@pytest.mark.parametrize("bound", WRONG.values(), ids=WRONG)
def test_a_bound_that_is_no_number_is_refused_where_it_is_met(bound):
    """Also if it is met late, and by a single dive, a search, a bandit and the laws of bounds."""
    sentence = r"^`bound` must be a function of .*; got .* for score=\d+, visits=\d+, total=\d+\.$"
    with pytest.raises(ValueError, match=sentence):
        search(last_coin(), {}, Pile(5), 100, Random(7), bound=bound)
    with pytest.raises(ValueError, match=sentence):
        deque(islice(trees(last_coin(), {}, Pile(5), Random(7), bound=bound), 100))
    with pytest.raises(ValueError, match=sentence):
        deque(islice(pulls((bernoulli(0.5),) * 2, by_bound(bound), Random(7)), 100))
    with pytest.raises(AssertionError, match=sentence):
        check_bound(bound)
