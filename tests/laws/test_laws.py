"""The laws of games, for every game there is and for games made up at random."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toys
from marks import cases
from purembts import loading
from purembts.game import first_position
from purembts.games import mnk, reversi
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile, last_coin
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.positions import children, positions
from purembts.verify import strategies as some
from purembts.verify.checking import check
from purembts.verify.game_laws import check_position
from purembts.verify.random_games import random_game
from toys import pile_game

LISTED = {
    name: (game, first_position(game, Random(7)))
    for name, game in ((name, make()) for name, make in loading.GAMES.items())
}
"""The games of the library by their names at the command line; a new one is here by itself."""

GAMES = {
    **{name: (game, start) for name, (game, start) in LISTED.items() if game.is_small},
    "ten levers, one die at the end": (
        shut_the_box(levers=10, one_die_end=True),
        full_box(10),
    ),
    "one die": (shut_the_box(levers=6, dice=1), full_box(6)),
    "two levers at most": (shut_the_box(most_levers=2), full_box()),
    "coins, misère": (last_coin((1, 3, 4), misere=True), Pile(17)),
    "three columns, two rows, exactly two in a row": (mnk.mnk(3, 2, 2, exactly=True), mnk.Board()),
    "Big Two, two cards each": (big_two(), deal(Random(7), hand_size=2)),
    "Big Two, a pass bars": (big_two(after_pass=False), deal(Random(8), hand_size=2)),
    "pile of coins": (pile_game, toys.Pile(12)),
    "random": (random_game(1), 0),
    "random, three players": (random_game(2, players=3), 0),
    "random, over at the start": (random_game(3, size=1), 0),
}


LARGE_GAMES = {
    **{name: listed for name, listed in LISTED.items() if name not in GAMES},
    "Reversi, 4 by 4": (reversi.reversi(4), reversi.reversi(4).start),
    "gomoku": (mnk.mnk(9, 8, 5), mnk.Board()),  # 15 by 15 takes a quarter of a minute
}
"""Games with more positions than can be gone through."""


SLOW = {"tic-tac-toe", "ten levers, one die at the end", "two levers at most"}
SLOW |= {"Big Two, two cards each"}
QUICK = ("shut-the-box", "coins", "tic-tac-toe", "Big Two, two cards each")
QUICK += ("random, three players", "Reversi, 4 by 4")


@pytest.fixture(params=cases({name: (game,) for name, game in GAMES.items()}, slow=SLOW))
def game_and_start(request):
    return request.param


def test_every_position_keeps_the_laws(game_and_start):
    game, start = game_and_start
    for position in positions(game, start):
        check_position(game, position)


LINED = {**{name: GAMES[name] for name in QUICK[:-1]}, **LARGE_GAMES}
"""A game of each kind, and those with more positions than can be gone through."""


@pytest.mark.parametrize(("game", "start"), cases(LINED, slow=LINED.keys() - QUICK))
def test_games_keep_the_laws_on_lines_of_moves(game, start):
    check(game, start, examples=10)


@given(some.small_games.flatmap(lambda game: st.tuples(st.just(game), some.positions_of(game))))
def test_variants_keep_the_laws(game_and_position):
    check_position(*game_and_position)


@given(some.random_games(size=15))
def test_games_made_up_at_random_keep_the_laws(game):
    for position in positions(game, 0):
        check_position(game, position)
    check_positions(game, 0)


def test_positions_lists_children_first(game_and_start):
    check_positions(*game_and_start)


def check_positions(game, state):
    """Every position is listed once, after its children, and nothing else is."""
    listed = list(positions(game, state))
    place = {position: i for i, position in enumerate(listed)}
    assert len(place) == len(listed)
    assert listed[-1] == state
    for position in listed:
        assert all(place[child] < place[position] for child in children(game, position))
    known_parents = {child for position in listed for child in children(game, position)}
    assert set(listed) == known_parents | {state}
