"""Nim, against the nim-sum of Bouton's theory."""

from functools import reduce
from math import prod
from operator import xor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import exact
from purembts.games.nim import Heaps, nim, show
from purembts.positions import positions

heaps_of_any_size = st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple)


@given(heaps_of_any_size, st.booleans(), st.sampled_from([0, 1]))
def test_the_solver_agrees_with_the_nim_sum(sizes, misere, player):
    """With `misere`, the sum is turned round once no heap is over 1."""
    wins = (reduce(xor, sizes) != 0) != (misere and max(sizes) <= 1)
    value = exact.solver(nim(sizes, misere=misere))(Heaps(sizes, player))
    assert value[player] == wins


def test_the_positions_are_counted():
    """All sizes with both players, but for one of them where each heap has lost at most one."""
    assert sum(1 for _ in positions(nim(), nim().start)) == 2 * prod([4, 5, 6]) - 2**3


WRONG = {
    "`heaps` must be sizes of heaps, such as": (nim, [(), 5]),
    "`heaps` must be a whole number of at least 0; got": (nim, [(-1,), (1.0, 2), "12"]),
    "Heaps must be a list of sizes and": (nim().json.decode, ["21", [1, 0], [[1], 0, 0], None]),
    "`player` must be a whole number from 0 to 1; got True": (nim().json.decode, [[[1], True]]),
    "Heaps must be their sizes, such as 3,4,5; got": (nim().display.typed_position, ["x", "1,"]),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_wrong_argument_is_refused(message):
    call, values = WRONG[message]
    for value in values:
        with pytest.raises(ValueError, match=message):
            call(value)


def test_the_text_has_the_heaps_that_are_left_and_says_when_none_is():
    assert show(Heaps((0, 0), 1)) == "heaps of 0, 0; the game has ended"
    assert nim().display.typed_position(nim().display.short(Heaps((1, 0, 12)))).sizes == (1, 0, 12)
    assert "loses" in nim(misere=True).display.about
