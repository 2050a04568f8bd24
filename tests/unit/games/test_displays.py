"""The texts that a person reads and types, for every game there is, in random games."""

import re
from random import Random

import pytest

from purembts import play
from purembts.determinize import view_turn
from purembts.game import draw_turn, first_position, turn_at
from purembts.games import big_two, last_coin, mnk, reversi, shut_the_box
from purembts.games.big_two_cards import cards
from purembts.games.shut_the_box import boxes, full_box
from purembts.play import move_called
from purembts.players import random_player
from purembts.verify.random_games import random_game
from toys import guessing_game

GAMES = {
    "Shut the Box": shut_the_box.shut_the_box(),
    "12 levers": shut_the_box.shut_the_box(levers=12, one_die_end=True),
    "simplified": shut_the_box.simple_game,
    "coins": last_coin.last_coin((1, 2, 3)),
    "tic-tac-toe": mnk.tic_tac_toe,
    "11 columns": mnk.mnk(11, 12, 5),
    "Reversi": reversi.reversi(),
    "Reversi, 4 by 4": reversi.reversi(4),
    "Big Two": big_two.big_two(),
    "Big Two, other rules": big_two.big_two(
        straights=("34567", "QKA23"), flushes="rank", after_pass=False
    ),
    "random": random_game(3),
    "hidden": guessing_game,
}


def those(has):
    """The games of which `has` is true, as the cases of a test."""
    games = {name: game for name, game in GAMES.items() if has(game)}
    return pytest.mark.parametrize("game", games.values(), ids=games.keys())


def turns(game, games=3):
    """The turns of some random games, the ends included."""
    for rng in map(Random, range(games)):
        yield from play.turns(game, first_position(game, rng), [random_player] * game.players, rng)


@those(lambda game: game.display.squares)
def test_the_squares_are_those_of_the_text(game):
    for turn in turns(game):
        shown = game.display.show(turn.state)
        rows, columns, names, *_ = game.display.squares(turn.state)
        if names:
            lines = [line.split() for line in shown.splitlines()]
            drawn = [line for line in lines if line[0] in names]
            assert drawn == [
                [name, *(square or "." for square in row)]
                for name, row in zip(names, rows, strict=True)
            ]
            assert list(columns) in lines
        else:
            assert [[square for square in row if square] for row in rows] == [
                shown.splitlines()[1].replace("|", " ").split()[:-1]
            ]


@those(lambda game: hasattr(game.rules, "size") or hasattr(game.rules, "in_a_row"))
def test_a_board_says_whose_move_it_is(game):
    sides = ("x", "o") if game is mnk.tic_tac_toe else ("black", "white")
    for turn in turns(game):
        *_, said = game.display.squares(turn.state).note.rpartition("; ")
        is_told = said.endswith("to move")
        assert is_told == bool(turn.moves)
        assert not is_told or said == f"{sides[turn.player]} to move"


# Shut the Box


TYPED = {
    "1+8": ["1+8", "8+1", "18", "8 1", "1,8", "shut 1+8", "SHUT 8 1", " shut8,1 "],
    "12": ["12"],
    "1+2": ["1 2"],
    "1+11": ["1+11"],
}


def test_a_move_is_named_by_its_levers_and_a_number_that_is_one_is_that_lever():
    for label, texts in TYPED.items():
        game = GAMES["12 levers" if label != "1+8" else "Shut the Box"]
        for text in texts:
            assert game.display.typed_move(game.start, text) == f"shut {label}"


@pytest.mark.parametrize("text", ["hold", "", "shut", "one", "1-8", "9\u00b2"])
def test_a_move_that_is_none_is_refused_as_it_was_typed(text):
    game = GAMES["Shut the Box"]
    turn = turn_at(game, full_box(), 9)
    with pytest.raises(ValueError, match=r"must be one of these: shut .*; got") as error:
        move_called(game, turn, text)
    assert str(error.value).endswith(f"got {text!r}.")


@pytest.mark.parametrize("levers", [4, 9, 10])
def test_each_box_can_be_typed(levers):
    display = shut_the_box.shut_the_box(levers=levers).display
    for box in boxes(levers):
        texts = [between.join(map(str, sorted(box))) for between in (",", " ", ", ")]
        assert {*map(display.typed_position, (*texts, display.short(box)))} == {box}


NO_POSITIONS = {
    "A box must be the levers that are up, from 1 to 9": (
        "Shut the Box",
        ["x", "0", "22", "2,2", "2;7", "-1", "1.5", "2 10 10", "²"],
    ),
    "A pile must be a number of coins": ("coins", ["x", "1.5"]),
    "`coins` must be a whole number of at least 0; got -1": ("coins", ["-1"]),
}


@pytest.mark.parametrize("message", NO_POSITIONS)
def test_a_text_that_is_no_position_is_refused(message):
    name, texts = NO_POSITIONS[message]
    for text in texts:
        with pytest.raises(ValueError, match=message):
            GAMES[name].display.typed_position(text)


# Big Two


HANDS = ["3♦ 4♦ 4♠ 9♣ 10♠", "5♥ 6♥", "3♠ 6♠ 7♦", "8♦ J♠"]


def dealt(lead="", **options):
    """The first player's turn with `HANDS`, for all to see, and behind the view."""
    game = GAMES["Big Two"]
    hands = [cards(hand) for hand in HANDS]
    turn = turn_at(game, big_two.card_table(hands, lead=cards(lead), player=0, **options), None)
    return turn, view_turn(game, turn)


@pytest.mark.parametrize(
    ("text", "lead", "message"),
    [
        ("", "4♥", "A move must be cards, such as 4D 4S, or p to pass; got ''."),
        ("x", "4♥", "suit, such as 10♠ or TS; got 'x'."),
        ("4D 4D", "4♥", "Each card must be named once; got '4D 4D', with 4♦ twice."),
        ("2S", "4♥", "2♠ is not in your hand."),
        ("2S 4S AS", "4♥", "A♠ 2♠ are not in your hand."),
        ("3D 9C", "4♥", "four of a kind or straight flush; got 3♦ 9♣."),
        ("4D", "4♥", "4♦, a single, does not beat 4♥, a single."),
        ("4D 4S", "4♥", "4♦ 4♠, a pair, does not beat 4♥, a single."),
        ("10s", "3♣ 4♥ 5♦ 6♣ 7♠", "10♠, a single, does not beat 3♣ 4♥ 5♦ 6♣ 7♠, a straight."),
        ("pass", "", "You have the lead, so you cannot pass."),
    ],
)
def test_an_error_says_why_cards_are_no_move(text, lead, message):
    game = GAMES["Big Two"]
    for turn in dealt(lead):
        with pytest.raises(ValueError, match=f"{re.escape(message)}$"):
            move_called(game, turn, text)


def test_a_typed_move_may_be_cards_or_a_letter_and_the_first_one_has_the_lowest_card():
    game = GAMES["Big Two"]
    for turn in dealt("4♥"):
        assert move_called(game, turn, " P") == move_called(game, turn, "pass") == turn.moves[-1]
        assert game.display.label(turn.state, move_called(game, turn, " tS,")) == "10♠"
    turn = draw_turn(game, first_position(game, Random(7)))
    highest = str(turn.state.hands[turn.player]).split()[-1]
    for each in (turn, view_turn(game, turn)):
        with pytest.raises(ValueError, match=f"The first play must have the 3♦; got {highest}"):
            move_called(game, each, highest)


def test_a_view_shows_what_a_player_needs():
    game = GAMES["Big Two"]
    turn, seen = dealt("4♥", passed=[3])
    assert game.display.show(seen.state).splitlines() == [
        "The others: player 2 has 2 cards, player 3 has 3 cards, player 4 has 2 cards",
        "Player 1's hand: 3♦ 4♦ 4♠ 9♣ 10♠",
        "To beat: 4♥, a single of player 3",
    ]
    assert "To move: player 1" in game.display.show(big_two.view(turn.state, 2)).splitlines()
    assert "To beat" not in game.display.show(dealt()[1].state)


def test_the_player_of_the_lead_is_the_one_who_played_it():
    """In every view of random games, from what was played."""
    game = GAMES["Big Two"]
    leader, before = None, None
    for turn in turns(game):
        if before and before.moves and big_two.play_between(before.state, turn.state):
            leader = before.player
        shown = game.display.show(big_two.view(turn.state, 0))
        if turn.state.lead and turn.moves:
            assert f" of player {leader + 1}\n" in f"{shown}\n"
        before = turn


def test_the_rules_in_words_are_there_and_follow_the_variant():
    assert [name for name, game in GAMES.items() if not game.display.about] == ["random", "hidden"]
    assert "loses" in last_coin.last_coin(misere=True).display.about
    assert "1, 2 or 3 coins" in last_coin.last_coin(takes=(1, 2, 3)).display.about
    assert "More than 5" in mnk.mnk(15, 15, 5, exactly=True).display.about
