"""The laws of games, for every game there is and for games made up at random."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import laws
from purembts.game import positions
from purembts.games.shut_the_box import Rules, full_box, shut_the_box, simple_game, simple_start
from strategies import rngs, rules_and_boxes, seeds, some_boxes
from toys import Pile, pile_game, random_game

GAMES = {
    "Shut the Box": (shut_the_box(), full_box()),
    "ten levers, one die at the end": (
        shut_the_box(Rules(levers=10, one_die_end=True)),
        full_box(Rules(levers=10)),
    ),
    "one die": (shut_the_box(Rules(levers=6, dice=1)), full_box(Rules(levers=6))),
    "two levers at most": (shut_the_box(Rules(most_levers=2)), full_box()),
    "simplified": (simple_game, simple_start),
    "pile of coins": (pile_game, Pile(12)),
    "random": (random_game(1), 0),
    "random, three players": (random_game(2, players=3), 0),
}


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


def test_positions_lists_children_first(game_and_start):
    laws.check_positions(*game_and_start)


def test_games_pickle(game_and_start):
    laws.check_pickles(*game_and_start)


def test_positions_are_written_and_read(game_and_start):
    game, start = game_and_start
    if game.encode is None:
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


@given(some_boxes)
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
