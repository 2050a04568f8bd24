"""What Hypothesis draws from."""

from random import Random

from hypothesis import strategies as st

from purembts.records import NOTHING, Record

seeds = st.integers(0, 2**64)
rngs = st.builds(Random, seeds)

halves = st.integers(-20, 20).map(lambda points: points / 2)
"""Scores: wins, losses, draws, points; sums of them are exact."""


def records_of(players):
    full = st.builds(Record, st.integers(1, 1000), st.tuples(*[halves] * players))
    return st.just(NOTHING) | full


records = records_of(2)
