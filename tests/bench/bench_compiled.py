"""How fast the compiled loops are: against pure Python, the limit in C, OpenSpiel, and two threads.

It needs the dependency group `bench`, and a C compiler:
python -m pytest tests/bench/bench_compiled.py
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random

import pytest

import limit_in_c
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
def warm():
    """Compiled loops, which are compiled, and the positions as numbers."""
    before = compiled._patience
    compiled.use_compiled(True)
    for search in SEARCHES.values():
        search(100, Random(1))
    simulate(stb, box, 100, Random(1))
    yield
    compiled._patience = before


def in_python(work):
    def plainly():
        compiled.use_compiled(False)
        try:
            work()
        finally:
            compiled.use_compiled(True)

    return plainly


def bench_a_million_games_against_python(ratio):
    play = partial(simulate, stb, box, 10**6, Random(7))
    ratio(in_python(play), play, at_least=7, rounds=5)


def bench_a_million_games_against_c(ratio):
    play = partial(simulate, stb, box, 10**6)
    ratio(lambda: limit_in_c.simulate(10**6, Random(7)), lambda: play(Random(7)), 1 / 4, rounds=9)


@pytest.mark.parametrize(
    ("name", "dives", "at_least"),
    [
        ("Shut the Box", 1_000, 0),
        ("Shut the Box", 10_000, 7),
        ("Shut the Box", 100_000, 9),
        ("tic-tac-toe", 2_000, 0),
        ("tic-tac-toe", 10_000, 7),
        ("tic-tac-toe", 100_000, 12),
    ],
)
def bench_dives_against_python(ratio, name, dives, at_least):
    search = SEARCHES[name]
    ratio(
        in_python(lambda: search(dives, Random(7))),
        lambda: search(dives, Random(7)),
        at_least,
        rounds=5 if dives == 100_000 else 15,
    )


def bench_100_000_dives_of_shut_the_box_against_c(ratio):
    search = SEARCHES["Shut the Box"]
    ratio(
        lambda: limit_in_c.search(100_000, Random(7)),
        lambda: search(100_000, Random(7)),
        at_least=1 / 4,
        rounds=9,
    )


def bench_100_000_dives_of_tic_tac_toe_against_open_spiel_in_cpp(ratio):
    ratio(
        lambda: peers.open_spiel_cpp("tic_tac_toe", 100_000),
        lambda: SEARCHES["tic-tac-toe"](100_000, Random(7)),
        at_least=1.3,
        rounds=9,
    )


def bench_ten_million_dives_of_shut_the_box(rate):
    work = partial(SEARCHES["Shut the Box"], 10**7, Random(7))
    rate("dives", 10**7, work, at_least=2_500_000, rounds=3)


def bench_two_threads_against_one(ratio):
    """4,000,000 dives in two chunks."""
    how = {"seed": 7, "chunks": 2, "bound": ucb_wald}
    search = partial(engine.search_parallel, stb, {}, box, 4_000_000, **how)
    with ThreadPoolExecutor(2) as executor:
        ratio(search, lambda: search(executor=executor), at_least=1.5, rounds=3)


def bench_numbering_tic_tac_toe_against_10_000_dives_in_python(ratio):
    """How much the first call pays, with linked positions."""
    numbers = compiled._with_numbers
    search = in_python(lambda: SEARCHES["tic-tac-toe"](10_000, Random(7)))
    ratio(search, lambda: numbers(tic_tac_toe, tic_tac_toe.start), at_least=0, rounds=5)


def test_the_limit_in_c_is_right():
    """It finds the same as purembts, from the same random numbers."""
    assert limit_in_c.simulate(20_000, Random(1)) == simulate(stb, box, 20_000, Random(1))
    for dives in (1, 30, 5000):
        right = SEARCHES["Shut the Box"](dives, Random(dives))
        assert limit_in_c.search(dives, Random(dives)) == right
