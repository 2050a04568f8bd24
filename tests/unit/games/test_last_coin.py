"""The coin game, against what is known of piles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import exact
from purembts.games.last_coin import Pile, last_coin, show

takes_of_any_kind = st.sets(st.integers(1, 5), min_size=1)


@given(takes_of_any_kind, st.integers(0, 25), st.booleans())
def test_the_solver_agrees_with_counting_backwards(takes, coins, misere):
    wins = []
    for n in range(coins + 1):
        rest = [n - k for k in takes if k <= n]
        wins.append(any(not wins[left] for left in rest) if rest else misere)
    value = exact.solver(last_coin(takes, misere=misere))
    assert value(Pile(coins)) == ((1, 0) if wins[coins] else (0, 1))
    assert value(Pile(coins, 1)) == value(Pile(coins))[::-1]


WRONG = {
    "`takes` must be a whole number of at least 1; got": (
        last_coin,
        [(0, 1), (1, -2), (1.0, 2), (True, 2), "12"],
    ),
    "A pile must be a list of two whole numbers, its coins and": (
        last_coin().json.decode,
        ["21", [1, 0, 0], None, [1, True]],
    ),
    "`coins` must be a whole number of at least 0; got -1": (last_coin().json.decode, [[-1, 0]]),
    "`player` must be a whole number from 0 to 1; got 2": (last_coin().json.decode, [[1, 2]]),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_wrong_argument_is_refused(message):
    call, values = WRONG[message]
    for value in values:
        with pytest.raises(ValueError, match=message):
            call(value)


def test_takes_may_come_in_any_order():
    assert last_coin([2, 1, 2]) is last_coin()
    assert last_coin((1, 2)).rules.takes == (1, 2)


def test_a_text_without_the_rules_is_that_of_the_usual_ones():
    assert show(Pile(0)) == "0 coins; the game has ended"
    assert show(Pile(1, 1), takes=(2, 3)) == "o\n1 coin; the game has ended"
