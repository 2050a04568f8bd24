"""The bounds equal their formulas to high precision, and are above the mean."""

import pickle
from decimal import Decimal, localcontext
from math import isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.bounds import CONSTANTS, name_of, ucb1, ucb1_with, ucb_wald, wald_with, wilson_with

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


@given(counts, st.floats(0, 100))
def test_wilsons_bound_is_the_mean_from_which_the_score_is_z_errors_away(w_and_n, z):
    w, n = w_and_n
    m = wilson_with(z)(w, n)
    assert w / n <= m * (1 + 1e-12) <= 1 + 2e-12
    assert isclose(n * m - w, z * sqrt(n * m * max(0, 1 - m)), rel_tol=1e-6, abs_tol=1e-6 * n)


def test_wilsons_bound_is_higher_after_a_win_than_after_a_loss():
    assert (wilson_with(2)(1, 1), wilson_with(2)(0, 1)) == (1, 0.8)
    assert wilson_with(1e308)(0, 1) == 1


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
    with pytest.raises(ValueError, match=r"`z` must be .* at least 0; got -1"):
        wald_with(-1)
    assert ucb1_with(-1)(3, 4, 4) < 3 / 4, "a lower bound, for those who look for the worst"
