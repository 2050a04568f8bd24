"""Linked positions: the same games from the same random numbers, made once, and not too many."""

import pickle
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolz import nth

from purembts import links
from purembts.chance import pick
from purembts.engine import search
from purembts.game import plain_playout
from purembts.games.mnk import mnk, tic_tac_toe
from purembts.games.shut_the_box import Rules, shut_the_box
from purembts.links import drawn_moves, linked_playout, linked_results, links_of
from purembts.mcts import trees
from purembts.simulation import simulate
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from toys import Pile, pile_game

linked_pile = pile_game._replace(playout=linked_playout)
GAMES = {
    "a pile": (linked_pile, Pile(9)),
    "tic-tac-toe": (tic_tac_toe, tic_tac_toe.start),
    "Shut the Box": (shut_the_box(), shut_the_box().start),
    "one die": (shut_the_box(Rules(one_die_end=True)), shut_the_box().start),
}
games = st.sampled_from(list(GAMES.values()))
random_games = st.tuples(st.integers(0, 50), st.integers(1, 3)).map(
    lambda drawn: (random_game(drawn[0], players=drawn[1])._replace(playout=linked_playout), 0)
)


@pytest.fixture(autouse=True)
def no_links(monkeypatch):
    """Begin without links."""
    monkeypatch.setattr(links, "_kept", {})


@given(games | random_games, seeds)
def test_a_linked_playout_is_the_plain_one(game_and_state, seed):
    game, state = game_and_state
    one, two = Random(seed), Random(seed)
    for _ in range(3):  # the first one links the positions
        assert linked_playout(game, state, one) == plain_playout(game, state, two)
    assert one.random() == two.random()


@given(games | random_games, seeds)
def test_results_without_end_are_those_of_linked_playouts(game_and_state, seed):
    game, state = game_and_state
    one, two = Random(seed), Random(seed)
    results = list(islice(linked_results(game, state, one), 5))
    assert results == [linked_playout(game, state, two) for _ in range(5)]
    assert one.random() == two.random()


@given(games | random_games, seeds)
def test_moves_are_drawn_as_from_the_rules(game_and_state, seed):
    game, state = game_and_state
    one, two = Random(seed), Random(seed)
    for _ in range(3):
        moves = drawn_moves(game, state, one)
        assert tuple(moves) == tuple(game.moves(state, pick(game.chances(state), two)))
    assert one.random() == two.random()


def counted(game, calls):
    """`game`, whose `moves` notes its calls."""
    return game._replace(moves=lambda *at: calls.append(at) or game.moves(*at))


def test_moves_are_listed_once_by_all_who_use_the_game():
    calls = []
    game, start = counted(shut_the_box(), calls), shut_the_box().start
    simulate(game, start, 500, Random(1))
    search(game, {}, start, 500, Random(2))
    for _ in range(300):
        linked_playout(game, start, Random(3))
        drawn_moves(game, start, Random(4))
    assert len(set(calls)) > 1000
    twice = {call for call in calls if calls.count(call) > 1}
    assert {box for box, _ in twice} <= {start}, "but for the check of the game at the start"


def test_positions_are_forgotten_when_they_are_too_many(monkeypatch):
    monkeypatch.setattr(links, "MOST", 300)
    game, start = shut_the_box(), shut_the_box().start
    rng, same = Random(1), Random(1)
    sizes = []
    for _ in range(100):
        assert linked_playout(game, start, rng) == plain_playout(game, start, same)
        sizes += [len(kept.positions) for kept in links._kept.values()] or [0]
    assert 100 < max(sizes) <= 300
    assert sizes.count(0) > 2, "they were forgotten, and linked again"
    results = list(islice(linked_results(game, start, rng), 5000))
    assert results == [plain_playout(game, start, same) for _ in range(5000)]
    assert search(game, {}, start, 500, Random(7)) == nth(500, trees(game, {}, start, Random(7)))


def test_the_links_of_the_last_games_are_kept():
    many = [mnk(columns, 3, 3) for columns in (1, 2, 3)]
    many += [pile_game._replace(name=f"{i}", playout=linked_playout) for i in range(7)]
    first = [links_of(game) for game in many]
    again = [links_of(game) for game in many[2:]]
    assert [a is b for a, b in zip(first[2:], again, strict=True)] == [True] * 8
    assert links_of(many[0]) is not first[0]
    assert len(links._kept) == links.GAMES


def test_a_game_that_does_not_say_that_it_is_small_is_not_kept():
    assert links_of(pile_game) is not links_of(pile_game)
    search(pile_game, {}, Pile(9), 50, Random(1))
    assert links._kept == {}


def test_a_game_with_other_rules_has_links_of_its_own():
    less = linked_pile._replace(moves=lambda pile, event: pile_game.moves(pile, event)[:1])
    assert len(drawn_moves(linked_pile, Pile(5), Random(1))) > 1
    assert len(drawn_moves(less, Pile(5), Random(1))) == 1


def test_the_playout_pickles_by_its_name():
    assert pickle.loads(pickle.dumps(linked_playout)) is linked_playout


@pytest.mark.parametrize(
    "play", [linked_playout, lambda *how: next(linked_results(*how)), plain_playout]
)
def test_a_game_without_end_is_refused(play):
    endless = linked_pile._replace(moves=lambda pile, event: (pile,), max_turns=7)
    with pytest.raises(ValueError, match="must end within 7 turns"):
        play(endless, Pile(3), Random(1))
    enough = linked_pile._replace(moves=lambda pile, event: pile_game.moves(pile, event)[:1])
    assert play(enough._replace(max_turns=6), Pile(5), Random(1)) in {(1, 0), (0, 1)}
    with pytest.raises(ValueError, match="must end within 5 turns"):
        play(enough._replace(max_turns=5), Pile(5), Random(1))


def test_wrong_rules_are_named():
    wrong = linked_pile._replace(moves=lambda pile, event: {pile})
    with pytest.raises(ValueError, match="`moves` of pile of coins must return a sequence"):
        linked_playout(wrong, Pile(3), Random(1))
    late = linked_pile._replace(result=lambda pile: 3)
    with pytest.raises(ValueError, match="A result of pile of coins must be a tuple of 2 scores"):
        linked_playout(late, Pile(3), Random(1))
