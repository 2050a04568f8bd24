"""The laws of games, for every game there is and for games made up at random."""

import json
import pickle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import laws
import toys
from purembts.chance import pick
from purembts.game import positions
from purembts.games import mnk, reversi
from purembts.games.big_two import Rules as BigTwoRules
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile, last_coin
from purembts.games.shut_the_box import Rules, full_box, shut_the_box, simple_game, simple_start
from purembts.verify.random_games import random_game
from purembts.verify.strategies import boxes as some_boxes
from purembts.verify.strategies import rngs, rules_and_boxes, seeds
from toys import pile_game

GAMES = {
    "Shut the Box": (shut_the_box(), full_box()),
    "ten levers, one die at the end": (
        shut_the_box(Rules(levers=10, one_die_end=True)),
        full_box(rules=Rules(levers=10)),
    ),
    "one die": (shut_the_box(Rules(levers=6, dice=1)), full_box(rules=Rules(levers=6))),
    "two levers at most": (shut_the_box(Rules(most_levers=2)), full_box()),
    "simplified": (simple_game, simple_start),
    "last coin": (last_coin(), Pile(21)),
    "last coin, misère": (last_coin((1, 3, 4), misere=True), Pile(17)),
    "tic-tac-toe": (mnk.tic_tac_toe, mnk.Board()),
    "three columns, two rows, exactly two in a row": (mnk.mnk(3, 2, 2, exactly=True), mnk.Board()),
    "Big Two, two cards each": (big_two(), deal(Random(7), each=2)),
    "Big Two, a pass bars": (big_two(BigTwoRules(after_pass=False)), deal(Random(8), each=2)),
    "pile of coins": (pile_game, toys.Pile(12)),
    "random": (random_game(1), 0),
    "random, three players": (random_game(2, players=3), 0),
}


LARGE_GAMES = {
    "Reversi": (reversi.reversi(), reversi.start()),
    "Reversi, 4 by 4": (reversi.reversi(4), reversi.start(4)),
    "gomoku": (mnk.gomoku, mnk.Board()),
    "Big Two": (big_two(), deal(Random(7))),
    "Big Two, flushes by rank, a pass bars": (
        big_two(BigTwoRules(flushes="rank", after_pass=False)),
        deal(Random(8)),
    ),
    "exactly four in a row": (mnk.mnk(5, 7, 4, exactly=True), mnk.Board()),
}
"""Games with more positions than can be gone through."""


@pytest.fixture(params=GAMES.values(), ids=GAMES.keys())
def game_and_start(request):
    return request.param


def test_every_position_keeps_the_laws(game_and_start):
    game, start = game_and_start
    for position in positions(game, start):
        laws.check_position(game, position)


@given(rng=rngs)
def test_random_games_end(rng):
    for game, start in GAMES.values():
        laws.check_random_game(game, start, rng)


@pytest.mark.parametrize(("game", "start"), LARGE_GAMES.values(), ids=LARGE_GAMES.keys())
@given(rng=rngs)
@settings(max_examples=10)
def test_the_positions_of_random_games_keep_the_laws(game, start, rng):
    game_of_it = [start]
    while moves := game.moves(game_of_it[-1], None):
        game_of_it.append(pick(moves, rng))
    for position in game_of_it:
        laws.check_position(game, position)
        again = game.json.decode(json.loads(json.dumps(game.json.encode(position))))
        laws.check_equal_positions(game, position, again)
        assert again == position
    laws.check_random_game(pickle.loads(pickle.dumps(game)), start, rng)
    assert len({json.dumps(game.json.encode(position)) for position in game_of_it}) == len(
        game_of_it
    )


def test_positions_lists_children_first(game_and_start):
    laws.check_positions(*game_and_start)


def test_games_pickle(game_and_start):
    laws.check_pickles(*game_and_start)


def test_positions_are_written_and_read(game_and_start):
    game, start = game_and_start
    if game.json is None:
        pytest.skip(f"{game.name} keeps no trees")
    laws.check_encoding(game, start)


@given(seeds, st.integers(1, 4))
def test_games_made_up_at_random_keep_the_laws(seed, players):
    game = random_game(seed, players, size=15)
    for position in positions(game, 0):
        laws.check_position(game, position)
    laws.check_positions(game, 0)


def other_builds(box):
    """Frozensets that equal `box` but were built otherwise, so that they may iterate otherwise."""
    levers = sorted(box)
    yield frozenset(levers[::-1])
    yield frozenset([*levers, 100]) - {100}
    yield frozenset(levers) | frozenset(range(0))
    yield frozenset(dict.fromkeys(levers[len(levers) // 2 :] + levers))


@given(some_boxes())
def test_equal_boxes_have_equal_moves_in_the_same_order(box):
    for twin in other_builds(box):
        laws.check_equal_positions(shut_the_box(), box, twin)
        laws.check_equal_positions(simple_game, box, twin)


def test_two_equal_boxes_can_iterate_differently():
    """Why the law above needs care: this is what a rule must not depend on."""
    assert list(frozenset([1, 9])) != list(frozenset([9, 1]))


@given(rules_and_boxes)
def test_variants_keep_the_laws(rules_and_box):
    rules, box = rules_and_box
    laws.check_position(shut_the_box(rules), box)
    laws.check_positions(shut_the_box(rules), box)
