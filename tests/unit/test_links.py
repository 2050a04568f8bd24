"""Linked positions: the same games from the same random numbers, made once, and not too many."""

import pickle
from collections import Counter
from copy import deepcopy
from functools import partial
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from toolz import nth

from purembts.exact import solver
from purembts.fast import links
from purembts.fast.engine import search
from purembts.fast.links import fast_policy, linked_playout, turns_of
from purembts.game import FastPlayout, plain_playout, playout
from purembts.games.last_coin import last_coin
from purembts.games.mnk import mnk
from purembts.games.shut_the_box import Rules, shut_the_box
from purembts.mcts import trees
from purembts.simulation import simulate, simulate_crowd
from purembts.verify.strategies import seeds
from toys import Pile, pile_game, small_games

small_pile = pile_game._replace(is_small=True)


@pytest.fixture(autouse=True)
def no_links(monkeypatch):
    """Begin without links."""
    monkeypatch.setattr(links, "_kept", [])


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


@given(small_games, seeds)
def test_the_turns_of_a_position_are_its_moves_after_each_event(game_and_state, seed):
    """At each position of a random game, for a game that says that it is small and another one."""
    game, state = game_and_state
    rng = Random(seed)
    while True:
        events = game.chances(state)
        right = [tuple(game.moves(state, event)) for event in events]
        for same in (game, game, game._replace(is_small=False)):
            moves, kinds = turns_of(same, state)
            assert [tuple(moves[kind]) for kind in kinds] == right
            assert len(moves) == len(set(events))
        after = right[int(rng.random() * len(events))]
        if not after:
            return
        state = after[int(rng.random() * len(after))]


def counted(game, calls):
    """`game`, whose `moves` notes its calls."""
    return game._replace(moves=lambda *at: calls.append(at) or game.moves(*at))


def test_moves_are_listed_once_by_all_who_use_the_game():
    calls = []
    rules = shut_the_box(Rules(levers=7))
    game, start = counted(rules, calls), rules.start
    simulate(game, start, 500, Random(1))
    search(game, {}, start, 500, Random(2))
    simulate_crowd(game, start, 500, Random(3))
    solver(game)(start)
    assert len(set(calls)) > 1000
    twice = [call for call, times in Counter(calls).items() if times > 1]
    assert {box for box, _ in twice} <= {start}, "but for the check of the game at the start"


def test_positions_are_forgotten_when_they_are_too_many(monkeypatch):
    monkeypatch.setattr(links, "MOST", 200)
    game, start = shut_the_box(), shut_the_box().start
    rng, same = Random(1), Random(1)
    sizes = []
    for _ in range(300):
        assert fast_playout(game, start, rng) == plain_playout(game, start, same)
        sizes.append(size_of(game))
    assert 190 < max(sizes) <= 200 + MOST_MOVES
    assert any(later < before for before, later in pairwise(sizes))
    check_right(game, start)
    assert size_of(game) <= 200 + MOST_MOVES


MOST_MOVES = 70
"""No box has more moves, after all rolls together."""


def size_of(game):
    """The number of linked positions of `game`."""
    [size] = [len(positions) for kept, positions in links._kept if kept is game]
    return size


def check_right(game, start):
    """What is computed on linked positions is what the rules say."""
    rules = game._replace(is_small=False)
    assert search(game, {}, start, 300, Random(7)) == nth(300, trees(rules, {}, start, Random(7)))
    assert simulate(game, start, 300, Random(7)) == simulate(rules, start, 300, Random(7))
    assert simulate_crowd(game, start, 300, Random(7)) == simulate_crowd(
        rules, start, 300, Random(7)
    )
    assert solver(game)(start) == solver(rules)(start)


def test_the_links_of_the_last_games_are_kept():
    many = [mnk(columns, 3, 3) for columns in (1, 2, 3)]
    many += [small_pile._replace(moves=partial(few, (1, i))) for i in range(7)]
    first = [links._links(game) for game in many]
    assert len(set(map(id, first))) == 10
    again = [links._links(game) for game in many[2:]]
    assert [a is b for a, b in zip(first[2:], again, strict=True)] == [True] * 8
    assert links._links(many[0]) is not first[0]
    assert len(links._kept) == links.GAMES == 8


def few(takes, pile, event):
    return tuple(Pile(pile.coins - k, 1 - pile.player) for k in takes if 0 < k <= pile.coins)


def test_copies_of_a_game_share_their_links():
    game = shut_the_box(Rules(levers=7))
    copies = [pickle.loads(pickle.dumps(game)) for _ in range(30)]
    assert all(links._links(copy) is links._links(game) for copy in copies)
    assert links._links(shut_the_box(Rules(levers=6))) is not links._links(game)
    assert len(links._kept) == 2


@pytest.mark.parametrize("bound", [{"takes": [1, 2]}, {"takes": {1: 2}}, {"takes": (1, [2])}])
def test_data_that_can_change_are_no_reason_to_share(bound):
    one, two = (small_pile._replace(moves=partial(few, **deepcopy(bound))) for _ in range(2))
    assert links._links(one) is links._links(one)
    assert links._links(one) is not links._links(two)


@pytest.mark.parametrize(
    ("a", "b"), [((1,), (True,)), ((1,), (1.0,)), ((1, 2), (2, 1)), (("1",), ("2",)), ((), (1,))]
)
def test_other_arguments_or_types_are_no_reason_to_share(a, b):
    one, again, two = (small_pile._replace(moves=partial(few, own)) for own in (a, (*a,), b))
    assert links._links(one) is links._links(again)
    assert links._links(one) is not links._links(two)
    by_name = small_pile._replace(moves=partial(few, takes=a))
    assert links._links(by_name) is not links._links(one)


@pytest.mark.parametrize("fact", [{"players": 3}, {"score_range": (0, 2)}])
def test_facts_that_results_are_checked_by_are_no_reason_to_share(fact):
    assert links._links(small_pile._replace(**fact)) is not links._links(small_pile)
    assert links._links(small_pile._replace(name="x")) is links._links(small_pile)


def test_a_game_that_does_not_say_that_it_is_small_is_not_kept():
    check_right(pile_game, Pile(9))
    assert links._kept == []
    assert fast_policy(pile_game, playout) is plain_playout


def test_the_fast_form_of_a_policy_has_its_results():
    """Only a uniformly random game has a faster form, and only that of the game itself."""
    coins = last_coin()
    assert isinstance(coins.playout, FastPlayout)
    assert fast_policy(coins, playout) is coins.playout.play
    assert fast_policy(coins, plain_playout) is plain_playout
    assert fast_policy(small_pile, plain_playout).func is linked_playout
    assert fast_policy(small_pile, few) is few
    assert fast_policy(small_pile._replace(playout=few), playout) is few


@pytest.mark.parametrize("play", [fast_playout, plain_playout])
def test_a_game_without_end_is_refused(play):
    endless = small_pile._replace(moves=lambda pile, event: (pile,), max_turns=7)
    with pytest.raises(ValueError, match="must end within 7 turns"):
        play(endless, Pile(3), Random(1))
    enough = small_pile._replace(moves=lambda pile, event: pile_game.moves(pile, event)[:1])
    assert play(enough._replace(max_turns=6), Pile(5), Random(1)) in {(1, 0), (0, 1)}
    with pytest.raises(ValueError, match="must end within 5 turns"):
        play(enough._replace(max_turns=5), Pile(5), Random(1))


def test_wrong_rules_are_named():
    wrong = small_pile._replace(moves=lambda pile, event: {pile})
    with pytest.raises(ValueError, match="`moves` of pile of coins must return a sequence"):
        fast_playout(wrong, Pile(3), Random(1))
    for unhashable in ({"moves": lambda pile, event: ([],)}, {"chances": lambda pile: ([], 1)}):
        with pytest.raises(ValueError, match="Positions and events of pile of coins must be hash"):
            fast_playout(small_pile._replace(**unhashable), Pile(3), Random(1))
    late = small_pile._replace(result=lambda pile: 3)
    with pytest.raises(ValueError, match="A result of pile of coins must be a tuple of 2 scores"):
        fast_playout(late, Pile(3), Random(1))
