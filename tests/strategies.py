"""What Hypothesis draws from."""

from random import Random

from hypothesis import strategies as st

seeds = st.integers(0, 2**64)
rngs = st.builds(Random, seeds)
