"""The marker `slow` on some of the cases of a test."""

import pytest


def cases(named, *, slow):
    """The cases of a test, from names to arguments; those whose name is in `slow` are marked."""
    assert set(slow) <= set(named), f"{set(slow) - set(named)} cannot be marked"
    return [
        pytest.param(*arguments, id=name, marks=[pytest.mark.slow] if name in slow else [])
        for name, arguments in named.items()
    ]
