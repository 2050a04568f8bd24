"""Long work in steps, with the same numbers in steps of any size, and where a search begins."""

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from purembts.app.positions import root
from purembts.app.sampled_results import darts
from purembts.app.steps import records_of
from purembts.games.big_two import big_two, deal
from purembts.games.shut_the_box import shut_the_box
from purembts.players import growing
from purembts.records import Record, marks_of
from purembts.workshop import start_box, throw_dart

STB = shut_the_box()


@given(st.integers(1, 3000))
def test_records_grow_to_their_end_through_marks(n):
    *_, (records, done) = records_of(lambda k: Record(k, (k,)), n)
    assert done == n
    counts = [record.visits for record in records]
    assert counts == marks_of(n)


def test_the_steps_of_an_estimate_add_up_to_its_size():
    rng = Random(7)
    told = list(records_of(lambda k: darts(throw_dart, rng, k), 20_001))
    sizes = [after - before for before, after in pairwise([0, *(done for _, done in told)])]
    assert (sum(sizes), min(sizes) > 0) == (20_001, True)
    assert all(records[-1].visits == done for records, done in told)  # an interrupt loses none
    again = Random(7)
    hits = sum(x * x + y * y < 1 for x, y in (throw_dart(again) for _ in range(20_001)))
    assert told[-1][0][-1] == Record(20_001, (hits,))


def test_a_search_behind_a_view_continues_from_its_tree():
    game, start = big_two(), deal(Random(7))
    view = root(game, start)
    *_, first = growing(game, {}, view, [20], Random(7))
    *_, longer = growing(game, first, view, [5, 5], Random(8))
    assert (first[view].visits, longer[view].visits) == (20, 30)
    assert root(STB, start_box) == start_box
