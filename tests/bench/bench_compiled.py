"""How fast the compiled loops are: against pure Python, OpenSpiel, and two threads.

It needs the dependency group `bench`: python -m pytest tests/bench/bench_compiled.py
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random

import pytest

import peers
from purembts.bounds import ucb_wald
from purembts.fast import compiled, engine
from purembts.games.mnk import tic_tac_toe
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.simulation import simulate

stb, box = shut_the_box(), full_box()
SEARCHES = {
    "Shut the Box": partial(engine.search, stb, {}, box, bound=ucb_wald),
    "tic-tac-toe": partial(engine.search, tic_tac_toe, {}, tic_tac_toe.start),
}


@pytest.fixture(autouse=True)
def warm(in_python):
    """Compiled loops, which are compiled, and the positions as numbers."""
    compiled.use_compiled(True)
    for search in SEARCHES.values():
        search(100, Random(1))
    simulate(stb, box, 100, Random(1))


def slowly(work):
    """`work` in pure Python."""

    def plainly():
        compiled.use_compiled(False)
        try:
            work()
        finally:
            compiled.use_compiled(True)

    return plainly


def dives(name, n):
    return lambda: SEARCHES[name](n, Random(7))


def games():
    return simulate(stb, box, 10**6, Random(7))


DIVES = (
    ("Shut the Box", 1_000, 0, 15),
    ("Shut the Box", 10_000, 7, 15),
    ("Shut the Box", 100_000, 9, 5),
    ("tic-tac-toe", 2_000, 0, 15),
    ("tic-tac-toe", 10_000, 7, 15),
    ("tic-tac-toe", 100_000, 12, 5),
)
SPEEDS = {
    "a million games, Python": (slowly(games), games, 7, 5),
    **{
        f"{n} dives, Python, {name}": (slowly(dives(name, n)), dives(name, n), at_least, rounds)
        for name, n, at_least, rounds in DIVES
    },
    "100000 dives, OpenSpiel in C++": (
        partial(peers.open_spiel_cpp, "tic_tac_toe", 100_000),
        dives("tic-tac-toe", 100_000),
        1.3,
        9,
    ),
}
"""Another way and ours, the number of times that it takes as long at least, and the rounds."""


@pytest.mark.parametrize("name", SPEEDS)
def bench_ratio(ratio, name):
    slow, fast, at_least, rounds = SPEEDS[name]
    ratio(slow, fast, at_least, rounds=rounds)


def bench_ten_million_dives_of_shut_the_box(rate):
    rate("dives", 10**7, dives("Shut the Box", 10**7), at_least=2_500_000, rounds=3)


def bench_two_threads_against_one(ratio):
    """4,000,000 dives in two chunks."""
    how = {"seed": 7, "chunks": 2, "bound": ucb_wald}
    search = partial(engine.search_parallel, stb, {}, box, 4_000_000, **how)
    with ThreadPoolExecutor(2) as executor:
        ratio(search, lambda: search(executor=executor), at_least=1.5, rounds=3)
