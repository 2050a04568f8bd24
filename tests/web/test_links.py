"""A link is a whole game: its facts are checked, and its turns are those of the terminal."""

import json
import re
import time

import pytest

import facade
from facade.links import (
    LARGEST_NUMBER,
    Link,
    game_in,
    link_of,
    players_in,
    setting_in,
    start_position,
    turns_in,
)
from facade.turns import turn
from purembts.app.positions import begin, labels_of, position_called
from purembts.app.sessions import Session, Setting, first_turn, line_of, moves_so_far
from purembts.app.steps import returned
from purembts.app.turns import watched
from purembts.game import movers_of
from purembts.loading import GAMES
from purembts.players import random_player
from purembts.positions import children
from watching import NIM as BARE

# Facts


def test_a_link_keeps_lists_as_tuples_and_fills_in_the_rest():
    assert link_of({"game": "reversi", "moves": ["d3"]}) == Link("reversi", moves=("d3",))


def test_a_link_with_an_unknown_part_is_refused():
    with pytest.raises(ValueError, match=r"The parts of a link must be game, .*; got 'colour'\."):
        link_of({"game": "reversi", "colour": "red"})


@pytest.mark.parametrize("seed", [0, 2**53 - 1])
def test_a_seed_is_kept_as_it_is_and_may_be_a_text_as_in_an_address(seed):
    assert link_of({"game": "reversi", "seed": seed}).seed == seed
    assert link_of({"game": "reversi", "seed": f"{seed}"}).seed == seed


@pytest.mark.parametrize(
    "seed", [-5, 2**53, 1.5, 1e26, "abc", "1e3", "٣", "9" * 17, "", True, None]
)
def test_a_seed_that_would_change_is_refused(seed):
    with pytest.raises(
        ValueError, match=r"The seed must be a whole number from 0 to 9007199254740991"
    ):
        link_of({"game": "reversi", "seed": seed})


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (Link("chess"), "The game must be one of shut-the-box, .*, own; got 'chess'"),
        (Link("reversi", ("size=x",)), "`size` must be"),
        (Link("reversi", ("width=6",)), "The rules of Reversi must be"),
        (Link("own"), "The code must make a Game"),
        (Link("own", ("a=1",), source=BARE), "The rules of Nim must be left out"),
    ],
)
def test_a_link_without_a_game_says_why(link, sentence):
    with pytest.raises(ValueError, match=sentence):
        game_in(link)


@pytest.mark.parametrize(
    ("link", "text"),
    [
        (Link("shut-the-box", (f"levers={LARGEST_NUMBER + 1}",)), "levers=1001"),
        (Link("shut-the-box", ("levers=1_000_000",)), "levers=1_000_000"),
        (Link("coins", ("takes=1,2,1000000",)), "takes=1,2,1000000"),
        (Link("coins", start="1000000"), "1000000"),
        (Link("coins", start="[1000000, 0]"), r"\[1000000, 0\]"),
        (Link("coins", start="9" * 5000), "9+"),
    ],
)
def test_a_game_that_is_too_large_for_a_page_is_refused_before_it_is_made(link, text):
    right = r"^The numbers in rules and in a first position must be at most 1,000; got '"
    with pytest.raises(ValueError, match=right + text):
        start_position(link)


@pytest.mark.parametrize(
    "link",
    [
        Link("shut-the-box", (f"levers={LARGEST_NUMBER}",)),
        Link("coins", start=f"{LARGEST_NUMBER}"),
        Link("gomoku", start="[562949953421312, 0]"),
    ],
)
def test_the_largest_game_of_a_page_is_shown_quickly(link):
    began = time.process_time()
    assert len(str(turn(link._asdict()))) < 1_000_000
    assert time.process_time() - began < 10


# Turns


SAME = """
from purembts.game import Game
from purembts.display import Display

display = Display(label=lambda before, after: "go")
same = Game(lambda n, _: (n + 1, n + 2) if n < 3 else (), lambda n: (0, 1), lambda n: n % 2,
            start=0, display=display)
"""


def test_a_move_that_is_none_shows_no_move_of_a_game_that_hides_some():
    link = Link("big-two", seed=7, moves=("zz",))
    with pytest.raises(ValueError, match=r"^Move 1 must be a move of its player; got 'zz'\.$"):
        turns_in(link)


def test_names_of_moves_that_look_like_numbered_ones_stay_and_all_differ():
    names = '("a", "a", "a (2)", "")'
    source = SAME.replace('"go"', f"{names}[after - 1]").replace(
        "(n + 1, n + 2) if n < 3", "(1, 2, 3, 4) if n < 1"
    )
    link = Link("own", source=source)
    assert labels_of(game_in(link), turns_in(link)[-1]) == ["a", "a (3)", "a (2)", "(no name)"]
    made = [turns_in(link._replace(moves=(label,)))[-1].state for label in ("a (2)", "(no name)")]
    assert made == [3, 4]


def test_the_good_part_of_a_link_is_its_moves_before_the_first_that_is_none():
    moves = ("d3", "c3", "h8", "c4")
    sentence = r"Move 3 must be one of b3, .*; got 'h8'\."
    shown = turn({"game": "reversi", "moves": list(moves)})
    assert re.fullmatch(sentence, shown["trouble"])
    good = turn({"game": "reversi", "moves": list(moves[:2])})
    assert {**shown, "trouble": ""} == good
    with pytest.raises(ValueError, match="The game must be one of"):
        next(turn({"game": "chess", "moves": list(moves)}))
    with pytest.raises(ValueError, match="A player must be"):
        next(turn({"game": "reversi", "moves": list(moves), "players": ["foo", "bar"]}))


def test_a_game_that_is_over_takes_no_move():
    moves = ("a1", "a2", "b1", "b2", "c1")
    assert not turns_in(Link("tic-tac-toe", moves=moves))[-1].moves
    with pytest.raises(ValueError, match=r"Move 6 must be one of none; got 'c2'\."):
        turns_in(Link("tic-tac-toe", moves=(*moves, "c2")))


def test_a_link_begins_where_it_says():
    assert turns_in(Link("coins", start="5"))[0].state.coins == 5
    after = turns_in(Link("tic-tac-toe", moves=("b2",)))[-1].state
    assert start_position(Link("tic-tac-toe", start="b2")) == after
    with pytest.raises(ValueError, match="many"):
        start_position(Link("coins", start="many"))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("is_usual", [True, False])
def test_the_link_the_line_and_the_terminal_agree(name, is_usual):
    """On a random game, which begins as usual or one move later, with the JSON of a position."""
    game = game_in(Link(name))
    start = begin(game, None, 7)
    others = (state for state in children(game, start) if [*children(game, state)])
    first = start if is_usual else next(others)
    players = dict.fromkeys(movers_of(game), random_player)
    setting = Setting(game, 7, frozenset(), players=players)
    turns = returned(watched(setting, Session(first_turn(setting, first))))
    line, end = line_of(setting, turns), turns[-1].state
    place = "" if is_usual else json.dumps(game.json.encode(first))
    link = Link(name, seed=7, start=place, moves=tuple(moves_so_far(game, turns)))
    assert turns_in(link)[-1].state == position_called(game, [line], 7) == end
    assert start_position(Link(name, seed=7, start=line)) == end


def test_a_long_game_is_read_quickly_and_without_deep_calls():
    link = Link("coins", start="1000", moves=("take 1",) * 900)
    began = time.process_time()
    assert turns_in(link)[-1].state.coins == 100
    assert time.process_time() - began < 30


# Players


def test_the_first_player_is_a_person_by_default():
    assert players_in(Link("reversi")) == {0: "person", 1: "medium"}
    assert players_in(Link("shut-the-box")) == {0: "person"}
    assert setting_in(Link("big-two")).persons == {0}


def test_players_are_those_of_the_link_and_there_must_be_all():
    assert players_in(Link("reversi", players=("random", "person"))) == {0: "random", 1: "person"}
    with pytest.raises(ValueError, match=r"There must be 2 players; got 1\."):
        players_in(Link("reversi", players=("person",)))


@pytest.mark.parametrize("player", ["foo", "uct", "uct:1e308", "uct:inf", "time:1", "uct:x"])
def test_a_player_that_there_is_not_is_refused_at_once(player):
    with pytest.raises(ValueError, match=f"A player must be .*; got '{player}'"):
        players_in(Link("reversi", players=("person", player)))


def test_a_player_who_cannot_play_a_game_is_refused_at_once():
    with pytest.raises(ValueError, match="Big Two hides information"):
        players_in(Link("big-two", players=("perfect",) * 4))


# A person's own code


def test_the_last_game_in_the_code_is_played():
    source = BARE + "\nother = nim._replace(name='Other')\n"
    assert game_in(Link("own", source=source)).name == "Other"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("x = 1\nx +\n", "because of line 2: SyntaxError: invalid syntax\\.\n    x \\+\n +\\^"),
        ("x = 1\n\nno_name\n", "Line 3 of your code: NameError: name 'no_name' is not defined"),
        (BARE.replace("pile - n", "pile - m"), "Line 5 of your code: NameError: name 'm'"),
    ],
)
def test_an_error_names_the_line_of_the_code(source, sentence):
    with pytest.raises(ValueError, match=sentence):
        next(facade.steps("turn", json.dumps({"link": {"game": "own", "source": source}})))
