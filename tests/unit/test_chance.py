"""Drawing: the numbers of draws, and the distributions of the results."""

import random
from collections import Counter
from fractions import Fraction
from functools import partial
from inspect import signature
from itertools import islice, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.chance import pick, repeatedly, shuffled
from purembts.verify.statistics import assert_probability
from purembts.verify.strategies import rngs, seeds
from toys import HIGHEST, Counting, always

NO_N, NONE = (-1, 2.5, "3", True, None), ((), [], "")


@given(seeds, st.lists(st.integers(), min_size=1))
def test_pick_gives_an_item_and_draws_once_unless_there_is_one_item(seed, items):
    rng = Counting(seed)
    assert pick(items, rng) in items
    assert rng.draws == (len(items) > 1)


@given(st.integers(2, 10**6))
def test_pick_never_goes_past_the_last_item(k):
    assert pick(range(k), always(HIGHEST)) == k - 1


@given(seeds, st.integers(2, 7))
def test_pick_gives_each_item_equally_often(seed, k):
    rng, n = Random(seed), 4000
    counts = Counter(pick(range(k), rng) for _ in range(n))
    for item in range(k):
        assert_probability(counts[item], n, Fraction(1, k), effect=0.08)


def test_shuffled_gives_each_order_equally_often():
    rng, n = Random(1), 20_000
    counts = Counter(shuffled("abc", rng) for _ in range(n))
    for order in permutations("abc"):
        assert_probability(counts[order], n, Fraction(1, 6), effect=0.03)


@given(rngs, st.lists(st.integers()))
def test_shuffled_keeps_every_item_and_leaves_the_list_alone(rng, items):
    before = list(items)
    assert sorted(shuffled(items, rng)) == sorted(items)
    assert items == before


def test_repeatedly_calls_again_for_every_result():
    numbers = iter(range(100))
    assert tuple(repeatedly(3, lambda: next(numbers))) == (0, 1, 2)
    assert tuple(islice(repeatedly(lambda: next(numbers)), 4)) == (3, 4, 5, 6)
    assert tuple(repeatedly(0, lambda: next(numbers))) == ()
    assert next(numbers) == 7


def test_a_signature_names_the_generator_and_its_seed_is_that_of_the_module():
    assert str(signature(pick)) == "(items: 'Sequence[T]', rng: 'Rng' = random) -> 'T'"
    random.seed(7)
    rng = Random(7)
    assert [pick(range(100)) for _ in range(5)] == [pick(range(100), rng) for _ in range(5)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *((partial(repeatedly, n, int), "`n` must be a whole number of at least 0") for n in NO_N),
        (partial(repeatedly, 3), "`f` must be a function; got 3"),
        (partial(repeatedly, int, 3), "`f` must be a function; got 3"),
        (partial(repeatedly, 3, "tails"), "`f` must be a function; got 'tails'"),
        *((partial(pick, items), "`items` must have at least one item; got ") for items in NONE),
    ],
)
def test_a_wrong_argument_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
