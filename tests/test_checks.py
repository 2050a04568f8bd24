"""Errors show a value shortly, and never fail while they do."""

from purembts.checks import brief


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
