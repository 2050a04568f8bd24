"""The words of a game in play: events, moves and results."""

from random import Random

import pytest

from purembts.app.sentences import event_line, move_meant, outcome
from purembts.game import Game, draw_turn, turn_at
from purembts.games.last_coin import Pile, last_coin
from purembts.games.shut_the_box import shut_the_box

COINS, STB = last_coin(), shut_the_box()


def ended(*scores, movers=None):
    return Game(
        moves=lambda state, event: (),
        result=lambda state: scores,
        to_move=lambda state: 0,
        players=len(scores),
        movers=movers,
        score_range=(-39, 117),
    )


@pytest.mark.parametrize(
    ("scores", "persons", "words"),
    [
        ((1, 0), (), "Player 1 wins."),
        ((0, 1), {1}, "You win."),
        ((0, 1), {0}, "You lose."),
        ((0.5, 0.5), {0}, "It is a draw."),
        ((0.5, 0.5), {0, 1}, "It is a draw."),
        ((0, 1), {0, 1}, "Player 2 wins."),
        ((0, 0, 1), {0}, "You lose. Player 3 wins."),
        ((0, 0.5, 0.5), {0}, "It is a draw."),
        ((5, -2, -3), {1}, "You lose. Player 1 wins. Points of players 1 to 3: +5, -2, -3."),
        ((7,), {0}, "Points of player 1: +7."),
    ],
)
def test_the_result_in_words(scores, persons, words):
    assert outcome(ended(*scores), None, persons) == words


def test_a_box_does_not_win():
    assert outcome(ended(0, 1, movers=(0,)), None) == "Player 1 loses."


def test_an_event_is_named_for_its_player_where_several_move():
    turn = draw_turn(STB, STB.start, Random(7))
    assert event_line(STB, turn) == f"Roll {turn.event}."
    two = STB._replace(movers=None)
    assert event_line(two, turn) == f"Player 1: roll {turn.event}."
    assert event_line(two, turn, {0}) == f"You: roll {turn.event}."


def test_the_event_at_an_end_is_told_where_another_one_would_have_gone_on():
    lost, shut = turn_at(STB, frozenset({9}), 2), turn_at(STB, frozenset(), 9)
    assert event_line(STB, lost) == "Roll 2. No move is possible."
    assert event_line(STB, shut) == ""
    assert event_line(STB, turn_at(STB, STB.start, 9)) == "Roll 9."
    assert event_line(COINS, turn_at(COINS, Pile(5), None)) == ""


@pytest.mark.parametrize("text", ["0", "3", "", "take", "take 3", "99999999999", "\u0661"])
def test_a_text_that_means_no_move(text):
    with pytest.raises(ValueError, match="must be one of these: take 1, take 2; got"):
        move_meant(COINS, turn_at(COINS, Pile(5), None), text)
