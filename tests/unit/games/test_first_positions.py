"""The position where a game begins: the one that is given, a deal, or the start."""

from random import Random

import pytest

from purembts.game import first_position, start_of
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import Board, tic_tac_toe
from purembts.games.shut_the_box import full_box, shut_the_box

cards, coins = big_two(), last_coin()


@pytest.mark.parametrize(
    ("game", "start"), [(shut_the_box(), full_box()), (coins, Pile(21)), (tic_tac_toe, Board())]
)
def test_a_game_with_a_start_begins_there(game, start):
    assert first_position(game, None) == start_of(game) == start


def test_a_deal_comes_before_a_start_and_a_position_that_is_given_before_both():
    both = cards._replace(start=deal(Random(1)))
    assert first_position(both, Random(2)) == deal(Random(2)) != deal(Random(3))
    assert first_position(both, Random(2), deal(Random(8))) == deal(Random(8))
    assert first_position(shut_the_box(), Random(7), frozenset()) == frozenset()


@pytest.mark.parametrize("game", [coins._replace(start=None), cards._replace(deal=None)])
def test_a_game_without_both_needs_a_position(game):
    with pytest.raises(ValueError, match=f"`start` must be a position, as {game.name} has no"):
        first_position(game, Random(7))
