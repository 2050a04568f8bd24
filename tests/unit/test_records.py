"""Records add up, and their means and intervals are right."""

import gc
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import isclose, nan
from operator import add
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from purembts.records import (
    NOTHING,
    Record,
    add_result,
    checked_record,
    interval,
    mean,
    merge,
    rounding,
    tally,
    visits,
    without_collector,
)
from purembts.verify.strategies import halves, records

results = st.tuples(halves, halves)


@given(records(), records(), records())
def test_records_are_a_commutative_monoid(a, b, c):
    assert merge(merge(a, b), c) == merge(a, merge(b, c))
    assert merge(a, b) == merge(b, a)
    assert merge(a, NOTHING) == merge(NOTHING, a) == a


def test_a_record_without_visits_is_nothing_also_with_scores_of_0():
    empty = Record(0, (0, 0))
    assert merge(empty, NOTHING) == merge(NOTHING, empty) == merge(empty, empty) == NOTHING
    assert merge(empty, Record(1, (1, 0))) == merge(Record(1, (1, 0)), empty) == Record(1, (1, 0))


@given(records(), records())
def test_merge_adds_visits_and_scores(a, b):
    both = merge(a, b)
    assert visits(both) == visits(a) + visits(b)
    own, other = (each.scores if each.visits else (0, 0) for each in (a, b))
    assert (both.scores if both.visits else (0, 0)) == tuple(map(add, own, other))


@given(st.lists(records()))
def test_plus_and_sum_are_merge(some):
    for a, b in pairwise(some):
        assert a + b == merge(a, b)
        assert type(a + b) is Record
    added = sum(some)
    assert added == reduce(merge, some, NOTHING) if some else added == 0
    assert type(added) is Record or not some
    assert sum(some, NOTHING) == reduce(merge, some, NOTHING)


@pytest.mark.parametrize("other", [1, None, "x", [1]])
def test_only_records_are_added_to_a_record(other):
    record = Record(1, (1, 0))
    for add_them in (lambda: record + other, lambda: other + record, lambda: sum([record, other])):
        with pytest.raises(TypeError, match=r"unsupported operand|can only concatenate"):
            add_them()


@pytest.mark.parametrize("add_them", [merge, Record.__add__, lambda a, b: tally([a[1], b[1]])])
def test_records_with_different_numbers_of_players_are_not_added(add_them):
    """A player's scores were dropped in silence."""
    one, two = Record(1, (1,)), Record(1, (1, 0))
    for a, b in ((one, two), (two, one)):
        with pytest.raises(ValueError, match="same number of players") as error:
            add_them(a, b)
        assert str(a) in str(error.value)
        assert str(b) in str(error.value)


@given(st.lists(results))
def test_a_tally_adds_one_result_after_the_other(ends):
    merged = reduce(merge, (Record(1, end) for end in ends), NOTHING)
    assert tally(ends) == reduce(add_result, ends, NOTHING) == merged


@given(st.lists(results, min_size=1))
def test_the_mean_is_the_mean(ends):
    for player in (0, 1):
        exact = Fraction(sum(Fraction(end[player]) for end in ends), len(ends))
        assert mean(tally(ends), player) == float(exact)


def test_no_visits_have_no_mean():
    with pytest.raises(ValueError, match="must have visits to have a mean; got Record"):
        mean(NOTHING)


@given(st.integers(1, 10**6), st.data())
def test_the_interval_is_wilsons(n, data):
    wins = data.draw(st.integers(0, n))
    theirs = binomtest(wins, n).proportion_ci(2 * NormalDist().cdf(1.96) - 1, method="wilson")
    ours = interval(Record(n, (wins, n - wins)))
    assert isclose(ours[0], theirs.low, rel_tol=1e-9, abs_tol=1e-12)
    assert isclose(ours[1], theirs.high, rel_tol=1e-9, abs_tol=1e-12)


@given(st.lists(results, min_size=1))
def test_the_interval_lies_in_the_range_and_holds_the_mean(ends):
    record = tally(ends)
    low, high = interval(record, 1, score_range=(-10, 10))
    assert -10 <= low <= high <= 10
    assert low <= mean(record, 1) + 1e-9
    assert mean(record, 1) - 1e-9 <= high
    assert interval(NOTHING, score_range=(-10, 10)) == (-10, 10)


def test_the_interval_without_a_win_begins_at_0():
    """Also if rounding would put its begin beside 0."""
    for n in range(1, 2000):
        assert interval(Record(n, (0, n)), 0)[0] == 0
        assert interval(Record(n, (0, n)), 1)[1] == 1


TENTHS = 0.1 + 0.1 + 0.1  # 0.30000000000000004


def test_a_mean_outside_the_range_by_rounding_alone_is_moved_to_its_end():
    record = Record(3, (TENTHS, -TENTHS))
    assert record.scores[0] / 3 > 0.1
    low, high = interval(record, 0, score_range=(0, 0.1))
    assert low <= high == 0.1
    low, high = interval(record, 1, score_range=(-0.1, 0))
    assert -0.1 == low <= high


@pytest.mark.parametrize(
    ("record", "score_range"),
    [
        (Record(1, (2, -1)), (0, 1)),
        (Record(1, (-1, 2)), (0, 1)),
        (Record(3, (0.31, 0)), (0, 0.1)),
        (Record(3, (-0.5, 0)), (0, 0.1)),
    ],
)
def test_a_mean_outside_the_range_has_no_interval(record, score_range):
    with pytest.raises(ValueError, match=r"The mean must be in `score_range`, from 0 to .* got R"):
        interval(record, score_range=score_range)


IMPOSSIBLE = [
    ((1, 0), r"A record must be a Record, .*, or Record\(1, result\)"),
    (Record(-1, (1, 0)), "`visits` must be a whole number of at least 0; got -1"),
    (Record(1.0, (1, 0)), "`visits` must be a whole number of at least 0; got 1.0"),
    (Record(1, (nan, 0)), r"`scores` must be a tuple of finite numbers; got \(nan, 0\)"),
    (Record(1, [1, 0]), r"`scores` must be a tuple of finite numbers; got \[1, 0\]"),
    (Record(1, 1), "`scores` must be a tuple of finite numbers; got 1"),
    (Record(1, ()), "`scores` must have a score for each player; got Record"),
    (Record(0, (1, 0)), "`scores` must be 0 if there are no visits; got Record"),
]


@pytest.mark.parametrize(("record", "message"), IMPOSSIBLE)
def test_records_that_no_games_add_up_to_are_refused(record, message):
    for call in (checked_record, mean, interval):
        with pytest.raises(ValueError, match=message):
            call(record)


@pytest.mark.parametrize(
    "record",
    [
        NOTHING,
        Record(0, (0, 0)),
        Record(2, (-3, 3)),
        Record(2, (Fraction(1, 3), 0.5)),
        Record(10**400, (10**399, 10**400)),
        Record(2, (1.7e308, 1.7e308)),
    ],
)
def test_records_of_any_finite_scores_are_possible(record):
    assert checked_record(record) is record


@pytest.mark.parametrize("score_range", [(0, 1), (-10, 10), (1, 3), (-3, -1), (0, 4)])
def test_the_interval_of_other_scores_is_that_of_wins_on_their_scale(score_range):
    low, high = score_range
    for wins in range(9):
        won = Record(8, (wins, 8 - wins))
        scaled = Record(8, tuple(8 * low + (high - low) * n for n in won.scores))
        for player in (0, 1):
            expected = [low + (high - low) * end for end in interval(won, player)]
            assert list(interval(scaled, player, score_range=score_range)) == pytest.approx(
                expected
            )


def test_the_rounding_of_a_sum_grows_with_the_square_of_its_length_up_to_the_sum_itself():
    assert rounding(2**20, (0, 1)) == 2.0**-13
    assert rounding(2**60, (-2, 1)) == 2.0**61


@without_collector()
def _is_collecting(error):
    with without_collector():
        if error:
            raise error
    return gc.isenabled()


@pytest.mark.parametrize("switch", [gc.enable, gc.disable])
def test_the_garbage_collector_is_off_inside_and_as_before_afterwards(switch):
    switch()
    try:
        before = gc.isenabled()
        assert not _is_collecting(None)
        assert gc.isenabled() == before
        with pytest.raises(KeyError):
            _is_collecting(KeyError())
        assert gc.isenabled() == before
    finally:
        gc.enable()
