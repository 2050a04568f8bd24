"""Faults that are nearly right: each has to be caught by the check that is there for it.

A wrong value is checked after the right one, or a name of a room is replaced by a wrong one. For
other faults, `.ci/mutants.py` shows whether the tests see them. The faults of the laws are edits of
right code, in faults.toml and game_faults.toml.
"""

from functools import partial
from random import Random

import pytest

from games.test_big_two import check_playout as check_hand
from games.test_big_two import check_worlds
from marks import cases
from purembts import game as play_of
from purembts.fast import links
from purembts.game import plain_playout, random_play, with_playout
from purembts.games.big_two import big_two, deal
from purembts.games.big_two_cards import Cards
from purembts.games.last_coin import Pile as CoinPile
from purembts.games.last_coin import last_coin
from purembts.games.shut_the_box import shut_the_box
from test_changed_games import USES, check_both, fast_coins, pile_of
from toys import One, Two

caught = partial(pytest.raises, AssertionError)
game = shut_the_box()
cards_game = big_two()
coins = last_coin()


# Wrong values


def leaning(view, rng):
    """Each world is complete and fits the view, but the next player has too many low cards."""
    for world in cards_game.hidden.worlds(view, rng):
        me, *others = world.hands
        low_first = sorted(others) if rng.random() < 0.2 else others
        fits = [hand.bit_count() for hand in low_first] == list(view.counts[1:])
        yield world._replace(hands=(me, *low_first)) if fits else world


def check_random_hand(rules):
    check_hand(rules, deal(Random(7)), 7)


def eager(game, table, rng):
    """A playout whose random players pass only when they have to."""
    return plain_playout(game._replace(moves=without_needless_pass), table, rng)


def without_needless_pass(table, event):
    moves = cards_game.moves(table, event)
    return moves[:-1] if table.lead and len(moves) > 1 else moves


def hasty(table, event):
    """A lead comes back after two passes, which bars the third player from an answer."""
    return tuple(
        move._replace(lead=Cards(0), passed=frozenset()) if len(move.passed) == 2 else move
        for move in cards_game.moves(table, event)
    )


cards_play = random_play(cards_game)
WRONG = {
    "worlds that sort the unseen cards": (check_worlds, cards_game.hidden.worlds, leaning),
    "a playout that answers if it can": (
        check_random_hand,
        cards_game,
        cards_game._replace(playout=eager),
    ),
    "a lead that comes back too soon": (
        check_random_hand,
        with_playout(cards_game, cards_play),
        with_playout(cards_game._replace(moves=hasty), cards_play),
    ),
}


@pytest.mark.parametrize(("check", "right", "wrong"), cases(WRONG, slow=()))
def test_catches_a_wrong_value(check, right, wrong):
    check(right)
    with caught():
        check(wrong)


# Replaced names


def check_shared():
    links._kept.clear()
    check_both(USES["solver"], pile_of(One(7)), pile_of(Two(7)), CoinPile(10))


CREDITED = fast_coins._replace(result=lambda pile: coins.result(pile)[::-1])
REPLACED = {
    "linked positions shared by functions that are equal": (
        check_shared,
        (links, "alike", lambda a, b: a == b),
    ),
    "a fast playout kept by a game with other functions": (
        partial(check_both, USES["simulate"], fast_coins, CREDITED, CoinPile(9)),
        (play_of, "_functions_of", lambda game, right=play_of._functions_of: right(fast_coins)),
    ),
}


@pytest.mark.parametrize(("check", "replaced"), cases(REPLACED, slow=()))
def test_catches_a_name_that_is_replaced(check, replaced, monkeypatch):
    monkeypatch.setattr(links, "_kept", [])
    check()
    monkeypatch.setattr(*replaced)
    with caught():
        check()
