"""What Hypothesis draws from: seeds, records, trees, boxes and rules."""

from random import Random

from hypothesis import strategies as st
from immutables import Map
from pyrsistent import pmap

from purembts.games.shut_the_box import Rules, boxes
from purembts.records import NOTHING, Record
from purembts.workshop import all_boxes

seeds = st.integers(0, 2**64)
rngs = st.builds(Random, seeds)
persistent_maps = st.sampled_from([pmap, Map])

some_boxes = st.sampled_from(all_boxes)
few_levers = st.integers(1, 6)
small_rules = st.builds(
    Rules,
    levers=few_levers,
    dice=st.sampled_from([1, 2]),
    one_die_end=st.booleans(),
    most_levers=st.none() | st.integers(1, 3),
)
rules_and_boxes = small_rules.flatmap(
    lambda rules: st.tuples(st.just(rules), st.sampled_from(boxes(rules=rules)))
)

halves = st.integers(-20, 20).map(lambda points: points / 2)
"""Scores: wins, losses, draws, points; sums of them are exact."""


def records_of(players):
    full = st.builds(Record, st.integers(1, 1000), st.tuples(*[halves] * players))
    return st.just(NOTHING) | full


records = records_of(2)
record_maps = st.dictionaries(st.integers(0, 8), records_of(2), max_size=6)
