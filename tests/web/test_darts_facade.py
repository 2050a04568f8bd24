"""The darts of the first task: they fall where the workshop throws them, and are added up."""

from random import Random

import pytest

from facade.darts import MOST_DARTS, throws
from purembts.records import Record, interval
from purembts.workshop import in_circle, throw_dart


def test_blocks_of_darts_are_added_up():
    first = throws(7, 0, 0, 50)
    rng = Random("7/50")
    darts = [throw_dart(rng) for _ in range(1000)]
    second = throws(7, first["darts"], first["hits"], 1000)
    hits = first["hits"] + sum(map(in_circle, darts))
    assert (second["darts"], second["hits"]) == (1050, hits)
    assert second["dots"] == [[x, y, in_circle((x, y))] for x, y in darts]
    low, high = [4 * end for end in interval(Record(1050, (hits,)))]
    assert second["interval"] == [low, high]
    about = f"pi is about {4 * hits / 1050:.3f}, from {low:.3f} to {high:.3f}."
    assert second["said"] == f"1,050 darts: {about}"


@pytest.mark.parametrize("more", [5, 20])
def test_there_are_a_million_darts_at_most(more):
    last = throws(7, MOST_DARTS - 5, 785_400, more)
    assert (last["darts"], last["is_last"]) == (MOST_DARTS, True)
    assert not throws(7, MOST_DARTS - 30, 785_400, more)["is_last"]
