"""The law of players: their losses are exact."""

from random import Random

import pytest

from purembts.chance import pick
from purembts.games.last_coin import Pile, last_coin, pile
from purembts.games.shut_the_box import shut_the_box
from purembts.players import perfect_player, random_player
from purembts.verify.player_laws import check_player, losses

coins = last_coin()
PILES = [pile(n) for n in range(2, 20)]


def test_best_play_loses_nothing():
    assert check_player(perfect_player(coins), coins, PILES, most=0) == 0
    box = shut_the_box()
    boxes = [frozenset({1, 2, 3, 4}), frozenset({2, 5, 7, 9})]
    assert check_player(perfect_player(box), box, boxes, most=0) == 0


def test_a_player_who_takes_one_coin_loses_the_piles_where_two_are_right():
    """To leave a multiple of three is to win, so two coins are right where one more is over it."""
    found = list(losses(lambda turn, rng: turn.moves[0], coins, PILES))
    lost = {each.state.coins for each in found if each.loss}
    assert lost == {n for n in range(2, 20) if n % 3 == 2}
    assert {each.loss for each in found} == {0.0, 1.0}


def test_the_message_names_the_worst_move_and_the_best_one():
    with pytest.raises(
        AssertionError, match=r"The worst is take 1 at Pile\(coins=5, player=0\): take 2"
    ):
        check_player(lambda turn, rng: turn.moves[0], coins, [Pile(5)], most=0.5)


def test_the_same_seed_has_the_same_moves():
    def choose(turn, rng):
        return pick(turn.moves, rng)

    once, again, other = (
        [each.label for each in losses(choose, coins, PILES, **seed)]
        for seed in ({"seed": 0}, {}, {"seed": 2})
    )
    assert once == again != other


def test_a_position_where_the_game_has_ended_has_no_move():
    assert list(losses(random_player, coins, [pile(0)])) == []
    with pytest.raises(ValueError, match="`positions` must have one where the game goes on"):
        check_player(random_player, coins, [], most=1)


def test_what_is_no_move_is_refused():
    with pytest.raises(ValueError, match="must answer with a move of its turn"):
        check_player(lambda turn, rng: "d3", coins, PILES, most=1, seed=Random(7).random())
