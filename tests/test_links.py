"""Linked positions: the same games from the same random numbers, made once, and not too many."""

import pickle
from functools import partial
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolz import nth

from purembts.chance import pick
from purembts.fast import links
from purembts.fast.engine import search
from purembts.fast.links import drawn_moves, linked_playout, linked_results, links_of
from purembts.game import plain_playout
from purembts.games.mnk import mnk, tic_tac_toe
from purembts.games.shut_the_box import Rules, shut_the_box
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
    for name in ("_kept", "_by_id", "_games"):
        monkeypatch.setattr(links, name, {})


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
    monkeypatch.setattr(links, "MOST", 9_000)
    game, start = shut_the_box(), shut_the_box().start
    rng, same = Random(1), Random(1)
    sizes = []
    for _ in range(300):
        assert linked_playout(game, start, rng) == plain_playout(game, start, same)
        sizes += [kept.size for kept in links._kept.values()] or [0]
    assert 5_000 < max(sizes) <= 9_000
    assert sizes.count(0) > 1, "they were forgotten, and linked again"
    assert links._by_id.keys() <= {id(game)}
    results = list(islice(linked_results(game, start, rng), 5000))
    assert results == [plain_playout(game, start, same) for _ in range(5000)]
    assert search(game, {}, start, 500, Random(7)) == nth(500, trees(game, {}, start, Random(7)))
    assert links_of(game).size <= 9_000, "a search goes on without links"


def test_the_size_counts_positions_events_and_moves():
    own = links_of(linked_pile)
    links.open_position(own, Pile(9))
    moves = len(pile_game.moves(Pile(9), None))
    assert own.size == 20 + 1 + moves


def test_the_links_of_the_last_games_are_kept():
    many = [mnk(columns, 3, 3) for columns in (1, 2, 3)]
    many += [pile_game._replace(max_turns=50 + i, playout=linked_playout) for i in range(7)]
    first = [links_of(game) for game in many]
    again = [links_of(game) for game in many[2:]]
    assert [a is b for a, b in zip(first[2:], again, strict=True)] == [True] * 8
    assert links_of(many[0]) is not first[0]
    assert len(links._kept) == len(links._by_id) == len(links._games) == links.GAMES


def test_copies_of_a_game_share_their_links():
    game = shut_the_box(Rules(levers=7))
    copies = [pickle.loads(pickle.dumps(game)) for _ in range(30)]
    assert {id(links_of(copy)) for copy in copies} == {id(links_of(game))}
    assert links_of(shut_the_box(Rules(levers=6))) is not links_of(game)
    assert len(links._games) <= links.GAMES


def test_rules_that_cannot_be_compared_are_no_reason_to_share():
    one, two = (linked_pile._replace(moves=partial(few, [1, 2])) for _ in range(2))
    assert links_of(one) is links_of(one)
    assert links_of(one) is not links_of(two)


def few(takes, pile, event):
    return tuple(Pile(pile.coins - k, 1 - pile.player) for k in takes if k <= pile.coins)


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
    for unhashable in ({"moves": lambda pile, event: ([],)}, {"chances": lambda pile: ([], 1)}):
        with pytest.raises(ValueError, match="Positions and events of pile of coins must be hash"):
            linked_playout(linked_pile._replace(**unhashable), Pile(3), Random(1))
    with pytest.raises(ValueError, match="`game` must be a Game"):
        linked_playout(7, Pile(3), Random(1))
    late = linked_pile._replace(result=lambda pile: 3)
    with pytest.raises(ValueError, match="A result of pile of coins must be a tuple of 2 scores"):
        linked_playout(late, Pile(3), Random(1))
