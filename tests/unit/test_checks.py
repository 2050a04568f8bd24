"""The checks of arguments accept what they promise. `test_arguments` has what they refuse."""

from fractions import Fraction
from functools import partial
from math import inf, nan

from purembts.checks import above_zero, are_finite, at_least_one, brief, finite

ALLOWED = [
    (finite, (-1, 2.5, 10**300)),
    (partial(finite, least=0, most=1), (0, 1)),
    (partial(finite, least=0), (0, 10**300)),
    (above_zero, (1e-300, 10**300)),
    (at_least_one, (1, 10**18)),
]


def test_numbers_at_the_ends_are_allowed_and_come_back():
    for check, numbers in ALLOWED:
        assert [check(n, "x") for n in numbers] == [*numbers]


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
