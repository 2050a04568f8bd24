"""The bounds are the formulas, held to high precision, and behave as bounds."""

from decimal import Decimal, localcontext
from functools import partial
from math import inf, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.bounds import ucb1, ucb_wald

counts = st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def wald_in_decimals(w, n, z):
    """The workshop's formula to 50 places."""
    with localcontext(prec=50):
        w, l, n, z = Decimal(w), Decimal(n - w), Decimal(n), Decimal(z)  # noqa: E741
        return (w + z * (w * l / n).sqrt()) / n


def check_wald(bound):
    """`bound` is the bound of task 11 with z = 2; apart, so that a fault can fail it."""
    assert bound(0, 0, 0) == inf
    for n in (1, 2, 5, 50, 1000):
        assert bound(0, n, n) == 3 / n, "the rule of 3"
        for w in range(1, n + 1):
            assert isclose(bound(w, n, n), wald_in_decimals(w, n, 2), rel_tol=1e-14)


def test_the_workshops_bound_is_its_formula():
    check_wald(ucb_wald)


@given(counts, st.floats(0, 100))
def test_the_workshops_bound_for_any_z(w_and_n, z):
    w, n = w_and_n
    expected = wald_in_decimals(w, n, z) if w else Decimal(3) / n
    assert isclose(ucb_wald(w, n, z=z), expected, rel_tol=1e-12)


@pytest.mark.parametrize(
    ("w", "n", "bound"),
    # The examples in the workshop's text, and those that show what it does at the ends.
    [(23, 100, 0.314), (1, 10, 0.290), (0, 5, 0.6), (0, 1, 3), (1, 1, 1), (9, 10, 1.090)],
)
def test_the_workshops_bound_by_example(w, n, bound):
    assert round(ucb_wald(w, n), 3) == bound


@given(counts, st.integers(0, 10**6))
def test_ucb1_is_its_formula(w_and_n, others):
    w, n = w_and_n
    with localcontext(prec=50):
        expected = Decimal(w) / n + (2 * Decimal(n + others).ln() / n).sqrt()
    assert isclose(ucb1(w, n, n + others), expected, rel_tol=1e-12)


@pytest.mark.parametrize("bound", [ucb_wald, ucb1, partial(ucb1, c=0.0)])
def test_what_was_never_tried_comes_first(bound):
    assert bound(0, 0, 0) == bound(0, 0, 100) == inf


@given(counts)
def test_bounds_lie_above_the_mean(w_and_n):
    w, n = w_and_n
    assert ucb_wald(w, n) >= w / n
    assert ucb1(w, n, n) >= w / n
