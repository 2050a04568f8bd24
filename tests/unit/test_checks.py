"""The checks of arguments accept what they promise, and refuse everything else in a sentence."""

from fractions import Fraction
from functools import partial
from math import inf, nan

import pytest

from purembts.checks import (
    above_zero,
    are_finite,
    at_least_one,
    brief,
    finite,
    not_negative,
    whole_number,
)

NO_NUMBERS = [nan, inf, -inf, True, False, "1", "", b"1", None, (), [1], 1j]


@pytest.mark.parametrize(
    ("check", "good", "bad", "message"),
    [
        (finite, [-1, 0, 2.5, 10**400], [], "a finite number"),
        (not_negative, [0, 2.5, 10**400], [-1, -1e-300], "a finite number of at least 0"),
        (above_zero, [1e-300, 1, 10**400], [-1, 0, -0.0], "a finite number above 0"),
        (
            partial(finite, least=0, most=1),
            [0, 0.5, 1],
            [-1, -1e-300, 1.0000001, 2],
            "a number from 0 to 1",
        ),
        (at_least_one, [1, 10**400], [0, -1, 1.0, 2.5], "a whole number of at least 1"),
    ],
)
def test_checks_of_numbers(check, good, bad, message):
    for x in good:
        assert check(x, "x") is x
    for x in (*bad, *NO_NUMBERS):
        with pytest.raises(ValueError, match="must be") as error:
            check(x, "x")
        assert str(error.value) == f"`x` must be {message}; got {x!r}."


def test_a_whole_number_of_another_type_becomes_an_int():
    class Seven:
        def __index__(self):
            return 7

    assert at_least_one(Seven(), "x") == 7
    assert type(at_least_one(Seven(), "x")) is int
    with pytest.raises(ValueError, match="`players` of Nim must be a whole number of at least 8; "):
        whole_number(Seven(), "players of Nim", 8)


def test_finite_numbers_are_of_any_type_and_size():
    assert are_finite(())
    assert are_finite((1, 0.5, Fraction(1, 3), True, 10**400))
    assert are_finite((1.7e308, 1.7e308))
    for x in (nan, inf, -inf, "1", None, (), 1j):
        assert not are_finite((0, x))
        assert not are_finite((x,))
    assert not are_finite((inf, -inf))


def test_a_long_value_is_cut():
    assert brief("x" * 118) == repr("x" * 118)
    assert brief("x" * 119) == f"'{'x' * 116}..."
    assert len(brief(range)) <= 120
    assert len(brief([1] * 1000)) == 120


def test_a_value_without_a_repr_is_named_by_its_type():
    nested = []
    for _ in range(100_000):
        nested = [nested]
    assert brief(nested) == "a value of type list"
    assert brief(10**5000) == "a value of type int"
