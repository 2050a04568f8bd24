"""Linked positions: the same games from the same random numbers, made once, and not too many."""

import pickle
from functools import partial
from random import Random

import pytest
from hypothesis import given

from purembts.fast import links
from purembts.fast.engine import search, simulate
from purembts.fast.links import fast_policy, linked_playout
from purembts.game import plain_playout, playout
from purembts.games.big_two import big_two
from purembts.games.mnk import mnk
from purembts.games.shut_the_box import shut_the_box
from purembts.verify.strategies import seeds
from toys import Pile, pile_game, small_games

small_pile = pile_game._replace(is_small=True)


@pytest.fixture(autouse=True)
def no_links(monkeypatch):
    """Begin without links."""
    monkeypatch.setattr(links, "_memory", [])


def fast_playout(game, state, rng):
    """A random game on linked positions."""
    policy = fast_policy(game, playout)
    assert policy.func is linked_playout
    return policy(game, state, rng)


@given(small_games, seeds)
def test_a_linked_playout_is_the_plain_one(game_and_state, seed):
    game, state = game_and_state
    one, two = Random(seed), Random(seed)
    for _ in range(3):  # the first one links the positions
        assert fast_playout(game, state, one) == plain_playout(game, state, two)
    assert one.random() == two.random()


def counted(game, calls):
    """`game`, whose `moves` notes its calls."""
    return game._replace(moves=lambda *at: calls.append(at) or game.moves(*at))


def test_moves_are_listed_once_by_all_who_use_the_game():
    calls = []
    rules = shut_the_box(levers=7)
    game, start = counted(rules, calls), rules.start
    simulate(game, start, 500, Random(1))
    search(game, {}, start, 500, Random(2))
    assert len(set(calls)) > 1000
    again = len(calls) - len(set(calls))
    assert again < 20, "but for the look at the game before each"


def test_the_links_of_the_last_games_are_kept():
    many = [mnk(columns, 3, 3) for columns in (1, 2, 3)]
    many += [small_pile._replace(moves=partial(few, (1, i))) for i in range(7)]
    first = [links._links(game) for game in many]
    assert len(set(map(id, first))) == 10
    again = [links._links(game) for game in many[2:]]
    assert [a is b for a, b in zip(first[2:], again, strict=True)] == [True] * 8
    assert links._links(many[0]) is not first[0]
    assert len(links._memory) == links.MOST_GAMES == 8


def test_few_positions_are_linked_at_one_time(monkeypatch):
    monkeypatch.setattr(links, "MOST_LINKED", 200)
    game = shut_the_box()
    simulate(game, game.start, 3_000, Random(1))
    assert max(len(kept) for _, kept in links._memory) < 300


def few(takes, pile, event):
    return tuple(Pile(pile.coins - k, 1 - pile.player) for k in takes if 0 < k <= pile.coins)


def takes(*own, **more):
    return {"moves": partial(few, *own, **more)}


ALIKE = {
    "equal arguments": (takes((1, 2)), takes((1, 2)), True),
    "another name": ({}, {"name": "x"}, True),
    "another order": (takes((1, 2)), takes((2, 1)), False),
    "another type": (takes((1,)), takes((1.0,)), False),
    "True for 1": (takes((1,)), takes((True,)), False),
    "fewer arguments": (takes(()), takes((1,)), False),
    "an argument by name": (takes((1,)), takes(takes=(1,)), False),
    "a list": (takes([1, 2]), takes([1, 2]), False),
    "a dict": (takes({1: 2}), takes({1: 2}), False),
    "a list in a tuple": (takes((1, [2])), takes((1, [2])), False),
    "players": ({}, {"players": 3}, False),
    "a range of scores": ({}, {"score_range": (0, 2)}, False),
}
"""Changes to a game, and whether the two share their links. Data that can change are not alike."""


@pytest.mark.parametrize("name", ALIKE)
def test_games_with_the_same_functions_and_facts_share_their_links(name):
    one, two, is_shared = ALIKE[name]
    first, second = small_pile._replace(**one), small_pile._replace(**two)
    assert links._links(first) is links._links(first)
    assert (links._links(first) is links._links(second)) == is_shared


def test_a_game_of_another_process_shares_the_links():
    game = shut_the_box(levers=7)
    assert links._links(pickle.loads(pickle.dumps(game))) is links._links(game)
    assert links._links(shut_the_box(levers=6)) is not links._links(game)


def test_only_a_uniformly_random_game_has_a_faster_form():
    """And only that of the game itself."""
    cards = big_two()
    assert fast_policy(cards, playout) is cards.playout.play
    assert fast_policy(cards, plain_playout) is plain_playout
    assert fast_policy(small_pile, plain_playout).func is linked_playout
    assert fast_policy(small_pile._replace(playout=few), playout) is few


def test_a_game_that_does_not_say_that_it_is_small_is_not_kept():
    simulate(pile_game, Pile(9), 300, Random(7))
    assert links._memory == []
    assert fast_policy(pile_game, playout) is plain_playout
