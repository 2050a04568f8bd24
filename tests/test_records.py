"""Records add up, and their means and intervals say what they should."""

from fractions import Fraction
from functools import reduce
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from purembts.records import (
    NOTHING,
    Record,
    add_result,
    interval,
    mean,
    merge,
    score,
    tally,
    unit_score,
    visits,
)
from strategies import halves, records

results = st.tuples(halves, halves)


@given(records, records, records)
def test_merge_is_associative(a, b, c):
    assert merge(merge(a, b), c) == merge(a, merge(b, c))


@given(records, records)
def test_merge_is_commutative(a, b):
    assert merge(a, b) == merge(b, a)


def test_no_visits_are_nothing_whatever_the_scores():
    empty = Record(0, (0, 0))
    assert merge(empty, NOTHING) == merge(NOTHING, empty) == merge(empty, empty) == NOTHING


@given(records)
def test_nothing_is_the_unit(a):
    assert merge(a, NOTHING) == merge(NOTHING, a) == a


@given(records, records)
def test_merge_adds_visits_and_scores(a, b):
    both = merge(a, b)
    assert visits(both) == visits(a) + visits(b)
    assert [score(both, p) for p in (0, 1)] == [score(a, p) + score(b, p) for p in (0, 1)]


@given(records, results)
def test_add_result_merges_a_single_result(record, end):
    assert add_result(record, end) == merge(record, Record(1, end))


@given(st.lists(results))
def test_tally_is_the_merge_of_single_results(ends):
    assert tally(ends) == reduce(merge, (Record(1, end) for end in ends), NOTHING)


@given(st.lists(results, min_size=1))
def test_the_mean_is_the_mean(ends):
    for player in (0, 1):
        exact = Fraction(sum(Fraction(end[player]) for end in ends), len(ends))
        assert mean(tally(ends), player) == float(exact)


def test_no_visits_have_no_mean():
    with pytest.raises(ValueError, match="no visits, so it has no mean"):
        mean(NOTHING)


@given(st.integers(1, 10**6), st.data())
def test_the_interval_is_wilsons(n, data):
    wins = data.draw(st.integers(0, n))
    theirs = binomtest(wins, n).proportion_ci(0.95, method="wilson")
    ours = interval(Record(n, (wins, n - wins)), z=1.959963984540054)
    assert isclose(ours[0], theirs.low, rel_tol=1e-9, abs_tol=1e-12)
    assert isclose(ours[1], theirs.high, rel_tol=1e-9, abs_tol=1e-12)


@given(st.lists(results, min_size=1), st.floats(0, 10))
def test_the_interval_lies_in_the_range_and_holds_the_mean(ends, z):
    record = tally(ends)
    low, high = interval(record, 1, z, (-10, 10))
    assert -10 <= low <= high <= 10
    assert low <= mean(record, 1) + 1e-9
    assert mean(record, 1) - 1e-9 <= high


def test_no_visits_leave_the_whole_range():
    assert interval(NOTHING, 0, score_range=(-39, 117)) == (-39, 117)


@given(st.lists(results))
def test_unit_scores_are_scores_on_another_scale(ends):
    record = tally(ends)
    assert 0 <= unit_score(record, 0, (-10, 10)) <= len(ends)
    assert unit_score(record, 0) == score(record, 0)


def test_the_interval_of_nothing_won_begins_at_nothing_won():
    """Also where rounding would put its begin beside it."""
    for n in range(1, 2000):
        assert interval(Record(n, (0, n)), 0)[0] == 0
        assert interval(Record(n, (0, n)), 1)[1] == 1


@pytest.mark.parametrize("z", [-1, float("nan"), float("inf"), "2"])
def test_an_interval_has_a_width(z):
    with pytest.raises(ValueError, match=r"`z` must be a finite number of at least 0"):
        interval(Record(1, (1, 0)), z=z)


@pytest.mark.parametrize("pair", [(NOTHING, (1, 0)), ((1, 0), NOTHING), (Record(1, (1, 0)), None)])
def test_records_alone_are_merged(pair):
    with pytest.raises(ValueError, match=r"is not a record, .* of one result it is Record\(1, re"):
        merge(*pair)
