"""How fast Big Two is played and searched.

It needs the dependency group `bench`: python -m pytest tests/bench/bench_big_two.py
"""

import statistics
import subprocess
import sys
from functools import partial
from random import Random

import pytest

import plain_big_two
from measured import seconds
from purembts.chance import repeatedly
from purembts.determinize import information_set, lifted, perfect_information
from purembts.game import playout
from purembts.games import big_two_cards as cards_room
from purembts.games.big_two import big_two, deal, view
from purembts.games.big_two_cards import USUAL, numbers
from purembts.play import play_game
from purembts.players import uct_player
from purembts.simulation import simulate

game = big_two()


def forget():
    """An empty memory of what hands can play, as at the start of a program."""
    cards_room.memory_of(USUAL).clear()


@pytest.mark.parametrize(("each", "at_least"), [(13, 7_000), (4, 40_000)], ids=["52", "16"])
def bench_random_games_from_a_deal(rate, each, at_least):
    start = deal(Random(7), hand_size=each)

    def work():
        forget()
        simulate(game, start, 3000, Random(7))

    rate("random games", 3000, work, at_least=at_least)


@pytest.mark.parametrize("each", [13, 4], ids=["52", "16"])
def bench_random_games_each_from_a_new_deal(rate, each):
    def work():
        forget()
        rng = Random(7)
        for _ in range(500):
            playout(game, deal(rng, hand_size=each), rng)

    rate("deals and random games", 500, work)


@pytest.mark.parametrize("each", [13, 4], ids=["52", "16"])
def bench_random_games_against_the_plain_way(ratio, each):
    start = deal(Random(7), hand_size=each)
    hands = [[divmod(n, 4) for n in numbers(hand)] for hand in start.hands]

    def plainly():
        rng = Random(7)
        list(repeatedly(300, lambda: plain_big_two.playout(hands, start.player, rng)))

    def ours():
        forget()
        simulate(game, start, 300, Random(7))

    ratio(plainly, ours, 4)


def first_moves(each):
    """The seconds that the first move of each of 50 deals takes, with nothing known before."""
    times = []
    for i in range(50):
        start = deal(Random(i), hand_size=each)
        known = view(start, start.player)
        forget()
        times.append(seconds(partial(search_one_world, known)))
    return times


def search_one_world(known):
    """A search with the article's numbers."""
    perfect_information(game, known, Random(7), budget=30, rollouts=10)


@pytest.mark.parametrize(("each", "at_most"), [(13, 0.1), (4, 0.03)], ids=["52", "16"])
def bench_first_move(benchmark, each, at_most):
    times = benchmark.pedantic(partial(first_moves, each), rounds=1)
    print(f"\nfirst move, median of 50: {statistics.median(times) * 1e3:.1f} ms")
    assert statistics.median(times) <= at_most


def bench_whole_game_of_four_searchers(benchmark):
    """With {10, 30} and no limit on cards, each of five deals."""
    strategy = lifted(game, uct_player(game, 30, rollouts=10))

    def games():
        forget()
        return [
            seconds(lambda i=i: play_game(game, deal(Random(i)), [strategy] * 4, Random(i)))
            for i in range(5)
        ]

    times = benchmark.pedantic(games, rounds=1)
    print(f"\nwhole game: {min(times):.2f} to {max(times):.2f} s")
    assert max(times) <= 3


@pytest.mark.parametrize("method", [perfect_information, information_set])
@pytest.mark.parametrize(("budget", "rollouts"), [(400, 10), (100, 40)])
def bench_a_search_is_linear(ratio, method, budget, rollouts):
    """Four times the budget, or the rollouts, cost four times as much as 100 dives of 10 games."""
    start = deal(Random(5))
    known = view(start, start.player)
    once = partial(method, game, known)
    once(Random(7), budget=400, rollouts=10)
    ratio(
        lambda: [once(Random(i), budget=100, rollouts=10) for i in range(4)],
        lambda: once(Random(7), budget=budget, rollouts=rollouts),
        0.7,
    )


PEAK = """
from pathlib import Path
from random import Random
from purembts import determinize
from purembts.games.big_two import big_two, deal, view

def most():
    return [line.split()[1] for line in Path("/proc/self/status").open() if "VmHWM" in line][0]

start = deal(Random(5))
known = view(start, start.player)
before = most()
determinize.{method}(big_two(), known, Random(7), budget=10_000, rollouts=10)
print(before, most())
"""


@pytest.mark.parametrize("method", ["perfect_information", "information_set"])
def bench_memory_of_a_budget_of_10_000(benchmark, method):
    """The most memory that a process of its own has had, as Linux tells it."""
    command = [sys.executable, "-c", PEAK.format(method=method)]
    run = partial(subprocess.run, command, capture_output=True, text=True, check=True)
    before, after = map(int, benchmark.pedantic(run, rounds=1).stdout.split())
    print(f"\n{method}, budget 10,000: {after / 1024:.0f} MiB, {before / 1024:.0f} before")
    assert before < after < 400 * 1024
