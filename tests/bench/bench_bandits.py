"""How fast bandits are pulled.

It needs the dependency group `bench`: python -m pytest tests/bench/bench_bandits.py
"""

from collections import deque
from itertools import islice
from random import Random

from purembts.bandits import bernoulli, by_bound, pulls

ARMS = (bernoulli(0.6), bernoulli(0.5))


def pull(n):
    deque(islice(pulls(ARMS, by_bound(), Random(7)), n), maxlen=0)


def bench_pulls_of_ucb1_on_two_arms(rate):
    rate("pulls", 50_000, lambda: pull(50_000), at_least=250_000)
