"""How fast Big Two is played and searched.

It needs the dependency group `bench`: python -m pytest tests/bench/bench_big_two.py
"""

from random import Random
from statistics import median

import pytest

import plain_big_two
from measured import seconds
from purembts.chance import repeatedly
from purembts.determinize import lifted, perfect_information
from purembts.game import playout
from purembts.games import big_two_cards as cards_room
from purembts.games.big_two import big_two, deal, view
from purembts.games.big_two_cards import USUAL, numbers
from purembts.play import play_game
from purembts.players import uct_player
from purembts.simulation import simulate

game = big_two()
sizes = pytest.mark.parametrize("size", [13, 4], ids=["52", "16"])


def forget():
    """An empty memory of what hands can play, as at the start of a program."""
    cards_room.memory_of(USUAL).clear()


def games(start, n):
    forget()
    return simulate(game, start, n, Random(7))


@pytest.mark.parametrize(("size", "at_least"), [(13, 7_000), (4, 40_000)], ids=["52", "16"])
def bench_random_games_from_a_deal(rate, size, at_least):
    start = deal(Random(7), hand_size=size)
    rate("random games", 3000, lambda: games(start, 3000), at_least=at_least)


@sizes
def bench_random_games_with_a_new_deal_for_each(rate, size):
    def work():
        forget()
        rng = Random(7)
        for _ in range(500):
            playout(game, deal(rng, hand_size=size), rng)

    rate("deals and random games", 500, work)


@sizes
def bench_random_games_against_the_plain_way(ratio, size):
    start = deal(Random(7), hand_size=size)
    hands = [[divmod(n, 4) for n in numbers(hand)] for hand in start.hands]

    def plainly():
        rng = Random(7)
        list(repeatedly(300, lambda: plain_big_two.playout(hands, start.player, rng)))

    ratio(plainly, lambda: games(start, 300), 4)


def first_move(start):
    """A search with the article's numbers, from a position that nothing is known of."""
    forget()
    perfect_information(game, view(start, start.player), Random(7), budget=30, rollouts=10)


@pytest.mark.parametrize(("size", "at_most"), [(13, 0.1), (4, 0.03)], ids=["52", "16"])
def bench_first_move(note, size, at_most):
    deals = [deal(Random(i), hand_size=size) for i in range(50)]
    middle = median(seconds(lambda start=start: first_move(start)) for start in deals)
    note(f"median of 50 deals: {middle * 1e3:.1f} ms")
    assert middle <= at_most


def bench_whole_game_of_four_searchers(note):
    """With {10, 30} and no limit on cards, from five deals."""
    seats = [lifted(game, uct_player(game, 30, rollouts=10))] * 4
    forget()
    times = [
        seconds(lambda i=i: play_game(game, deal(Random(i)), seats, Random(i))) for i in range(5)
    ]
    note(f"{min(times):.2f} to {max(times):.2f} s")
    assert max(times) <= 3
