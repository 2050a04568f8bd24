"""The position where a game begins: the one that is given, a deal, or the start."""

from random import Random

import pytest

from purembts.game import first_position
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import last_coin
from purembts.games.shut_the_box import shut_the_box

cards, coins = big_two(), last_coin()


def test_a_deal_comes_before_a_start_and_a_position_that_is_given_before_both():
    both = cards._replace(start=deal(Random(1)))
    assert first_position(both, Random(2)) == deal(Random(2)) != deal(Random(3))
    assert first_position(both, Random(2), deal(Random(8))) == deal(Random(8))
    assert first_position(shut_the_box(), Random(7), frozenset()) == frozenset()


@pytest.mark.parametrize("game", [coins._replace(start=None), cards._replace(deal=None)])
def test_a_game_without_both_needs_a_position(game):
    with pytest.raises(ValueError, match=f"`start` must be a position, as {game.name} has no"):
        first_position(game, Random(7))
