"""The bounds equal their formulas to high precision, and are above the mean."""

from decimal import Decimal, localcontext
from functools import partial
from math import inf, isclose, nan, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.bounds import exploration_constant, ucb1, ucb_wald, wald_constant
from purembts.records import NOTHING, Record
from purembts.verify.algorithm_laws import check_bound
from purembts.workshop import ucb

counts = st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def wald_in_decimals(w, n, z):
    """The workshop's formula to 50 places."""
    with localcontext(prec=50):
        w, l, n, z = Decimal(w), Decimal(n - w), Decimal(n), Decimal(z)  # noqa: E741
        return (w + z * (w * l / n).sqrt()) / n


def check_wald(bound):
    """`bound` is the bound of task 11 with z = 2. A function, so that a fault can fail it."""
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
    # The examples in the workshop's text, and some at the ends.
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


@pytest.mark.parametrize("bound", [ucb_wald, ucb1])
@pytest.mark.parametrize("width", [0.0, 0.5, 1, 5])
def test_bounds_keep_the_laws(bound, width):
    check_bound(bound)
    check_bound(partial(bound, **{"c" if bound is ucb1 else "z": width}))


@given(counts)
def test_the_bound_of_a_record_is_that_of_its_wins(w_and_n):
    w, n = w_and_n
    assert ucb(Record(n, (w, n - w))) == ucb_wald(w, n)
    assert ucb(NOTHING) == ucb(None) == inf


@pytest.mark.parametrize("scores", [(-1, 11), (11, -1), (10.5, 0), (-0.5, 10)])
def test_the_bound_of_a_record_with_impossible_wins_is_refused(scores):
    with pytest.raises(ValueError, match="The wins must be from 0 to the number of visits, 10; g"):
        ucb(Record(10, scores))


@pytest.mark.parametrize(
    ("bound", "c", "z"),
    [
        (ucb1, sqrt(2), None),
        (ucb_wald, None, 2.0),
        (partial(ucb1, c=1), 1, None),
        (partial(ucb_wald, z=1), None, 1),
        (partial(ucb1), None, None),
        (partial(ucb_wald), None, None),
        (partial(ucb1, 0, c=1), None, None),
        (partial(ucb_wald, 0, z=1), None, None),
        (partial(ucb_wald, total=5, z=1), None, None),
        (partial(ucb1, c=1e100), 1e100, None),
        (partial(ucb1, c=-1e100), -1e100, None),
        (partial(ucb1, c=1.1e100), None, None),
        (partial(ucb1, c=-1.1e100), None, None),
        (partial(ucb1, c=nan), None, None),
        (partial(max, c=1), None, None),
        (max, None, None),
    ],
)
def test_a_bound_is_known_only_if_it_certainly_is_ucb1_or_that_of_the_workshop(bound, c, z):
    assert exploration_constant(bound) == c
    assert wald_constant(bound) == z
