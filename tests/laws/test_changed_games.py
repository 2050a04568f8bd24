"""A game that was changed, defined again, or made of functions that look alike is right at once.

Nothing that was computed for one game answers for another. Each case has two games with different
answers, both of few positions, so that the positions are linked. The answers are those of plain
functions that nobody has seen before, to the last bit.
"""

import pickle
from functools import partial
from random import Random
from typing import NamedTuple

import pytest

from purembts.exact import solver, uniform
from purembts.fast.engine import search, simulate
from purembts.game import Game, plain_playout, playout, random_play, with_playout
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import gomoku
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import full_box, shut_the_box
from toys import One, Two

USES = {
    "search": lambda game, start: dict(search(game, {}, start, 120, Random(7))),
    "simulate": lambda game, start: simulate(game, start, 300, Random(7)),
    "solver": lambda game, start: solver(game)(start),
    "random play, solved": lambda game, start: solver(game, policy=uniform)(start),
}


@pytest.fixture(params=USES.values(), ids=USES)
def use(request):
    return request.param


def never_seen(game):
    """The same rules as functions of their own, which are not small and have no playout."""
    return Game(
        moves=lambda *at: game.moves(*at),
        result=lambda *at: game.result(*at),
        to_move=lambda *at: game.to_move(*at),
        chances=lambda *at: game.chances(*at),
        players=game.players,
        score_range=game.score_range,
        rules=game.rules,
    )


def check_both(use, one, other, start):
    """Each game has its own answer, before and after the other one was asked."""
    answers = [use(game, start) for game in (one, other, one, other)]
    first = never_seen(one)
    if one.playout:
        first = with_playout(first, one.playout.play)
    right = [use(first, start), use(never_seen(other), start)]
    assert right[0] != right[1], "the test could not fail"
    assert answers == right * 2


def take(most, pile, event):
    """Up to `most` coins."""
    return tuple(Pile(pile.coins - k, 1 - pile.player) for k in range(1, most + 1) if k <= pile[0])


def last_wins(pile):
    return (1, 0) if pile.player else (0, 1)


def first_wins(pile):
    return (0, 1) if pile.player else (1, 0)


def mover(pile):
    return pile.player


def pile_of(moves, **facts):
    return Game(moves, last_wins, mover, name="Pile", is_small=True, **facts)


coins = pile_of(partial(take, 2))


# Games that are changed


def named(most):
    def moves(pile, event):
        return take(most, pile, event)

    return moves


CHANGES = {
    "moves": (coins, {"moves": partial(take, 3)}, Pile(9)),
    "moves of the same name": (pile_of(named(2)), {"moves": named(3)}, Pile(9)),
    "result": (coins, {"result": first_wins}, Pile(9)),
    "chances": (
        shut_the_box(),
        {"chances": lambda box: (3, 4, 5, 12) if box else (None,)},
        full_box(),
    ),
}


@pytest.mark.parametrize(("game", "change", "start"), CHANGES.values(), ids=CHANGES)
def test_a_game_that_is_changed_has_other_answers(use, game, change, start):
    check_both(use, game, game._replace(**change), start)


@pytest.mark.parametrize("name", ["search", "solver"])
@pytest.mark.parametrize("game", [coins, last_coin()])
def test_a_game_whose_turns_are_changed_has_other_answers(name, game):
    """Random games do not ask who has to move."""
    check_both(USES[name], game, game._replace(to_move=lambda pile: 0), Pile(9))


FAST = {
    "gomoku": (gomoku, gomoku.start),
    "Reversi": (reversi(), reversi().start),
    "Big Two": (big_two(), deal(Random(7))),
}


@pytest.mark.parametrize(("game", "start"), FAST.values(), ids=FAST)
def test_a_fast_playout_belongs_to_the_functions_that_it_was_made_for(game, start):
    """Also in a copy from another process, and in a game with another name."""
    fast = game.playout.play
    for same in (game, game._replace(name="Mine"), pickle.loads(pickle.dumps(game))):
        assert random_play(same) is fast
    for change in ("moves", "result", "to_move", "chances"):
        other = game._replace(**{change: partial(getattr(game, change))})
        assert random_play(other) is plain_playout
        assert playout(other, start, Random(7)) == plain_playout(game, start, Random(7))
    assert random_play(game._replace(rules="other")) is plain_playout
    assert random_play(game._replace(playout=None)) is plain_playout
    assert random_play(with_playout(game._replace(moves=take), fast)) is fast


def first_player(game, state, rng):
    return (1, 0)


class Chosen(NamedTuple):
    """A policy without fields, which is an empty tuple."""

    def __call__(self, game, state, rng):
        return (1, 0)


@pytest.mark.parametrize("chosen", [first_player, Chosen()])
@pytest.mark.parametrize("game", [coins, last_coin()])
def test_a_policy_that_somebody_chose_is_kept_by_a_game_that_is_changed(chosen, game):
    own = game._replace(playout=chosen)
    for same in (own, own._replace(moves=partial(take, 3)), own._replace(is_small=False)):
        assert random_play(same) is chosen
        assert playout(same, Pile(9), Random(1)) == (1, 0)
        assert simulate(same, Pile(9), 50, Random(1)).scores == (50, 0)
        assert search(same, {}, Pile(9), 1, Random(1))[Pile(9)].scores == (1, 0)


# Functions that are equal, and do something else


def test_callable_tuples_that_are_equal(use):
    assert One(7) == Two(7)
    assert hash(One(7)) == hash(Two(7))
    check_both(use, pile_of(One(7)), pile_of(Two(7)), Pile(10))


def test_a_fast_playout_is_not_that_of_functions_that_are_equal(use):
    one = with_playout(pile_of(One(7)), lambda game, state, rng: (1, 0))
    check_both(use, one, one._replace(moves=Two(7)), Pile(10))


@pytest.mark.parametrize("is_small", [True, False])
def test_facts_that_cannot_be_hashed(use, is_small):
    facts = {"movers": [0, 1], "rules": {"a": [1]}}
    game = coins._replace(is_small=is_small, **facts)
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)
    assert use(game, Pile(9)) == use(never_seen(coins), Pile(9))
    own = with_playout(game, plain_playout)
    assert use(own, Pile(9)) == use(never_seen(coins), Pile(9))
