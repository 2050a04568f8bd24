"""The laws of players: moves of their game, also of a derived one, and losses that are exact."""

from functools import partial
from random import Random

import pytest

from purembts.app.players import LEVELS, player_called, strategy_called
from purembts.chance import pick
from purembts.game import first_position
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin, pile
from purembts.games.mnk import gomoku, mnk
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box
from purembts.knowledge.narrowing import guess, informed
from purembts.players import perfect_player, random_player, uct_player
from purembts.verify.player_laws import check_moves, check_player, losses
from purembts.verify.strategies import random_walk

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


def test_a_message_about_a_board_ends_with_the_board():
    """The numbers of `Board(first=1041, second=38)` say nothing to a person."""
    board = mnk(3, 1, 2).start
    with pytest.raises(AssertionError, match=r"must be at most -1\. The worst .*\n 1 \. \. \.\n"):
        check_player(random_player, mnk(3, 1, 2), [board], most=-1)


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
        check_player(lambda turn, rng: "d3", coins, PILES, most=1, seed="7")


# Derived games

GAMES = {
    "coins": last_coin(),
    "four in a row": mnk(5, 5, 4),
    "exactly": mnk(4, 4, 3, exactly=True),
    "reversi": reversi(6),
    "big two": big_two(),
    "shut the box": shut_the_box(),
}


def some_positions(game, level):
    """Two positions of a random game, or near its end one for a level that thinks for long."""
    walk = random_walk(game, first_position(game, Random(7)), Random(7)).positions
    return walk[1 :: len(walk) // 2] if level in ("easy", "random") else walk[-5:-4]


@pytest.mark.parametrize("level", [*LEVELS, "random"])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_level_plays_the_moves_of_any_derived_game(game, level):
    make = strategy_called if game.hidden else player_called
    check_moves(partial(make, text=level), game, some_positions(game, level))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda game: lambda turn, rng: gomoku.moves(turn.state, None)[1], "some moves must play"),
        (
            lambda game: uct_player(informed(game, share), 20),
            "The player of .*, misère gave .* The scores are at least",
        ),
    ],
)
def test_a_player_of_the_game_that_it_was_derived_from_breaks_the_law(make, message):
    with pytest.raises(AssertionError, match=message):
        check_moves(make, gomoku, [gomoku.start])


def share(game, board, rng):
    return guess(0.6, game.to_move(board), rng)
