"""Rules and positions that a person types are read as they were written."""

import json
import re
from itertools import pairwise
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from purembts import loading
from purembts.app.positions import begin, position_called
from purembts.app.printed import with_marks
from purembts.app.sessions import Setting, after_move, first_turn, line_of
from purembts.display import Display
from purembts.game import Game
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import gomoku, mnk, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box, simple_game
from purembts.loading import as_typed, fields_of, variant
from purembts.verify.strategies import random_walk

GAMES = {
    "shut the box": shut_the_box(),
    "coins": last_coin(),
    "mnk": mnk(4, 3, 3),
    "reversi": reversi(),
    "simple": simple_game,
}


@pytest.mark.parametrize("make", loading.GAMES.values(), ids=loading.GAMES)
def test_the_usual_value_of_each_field_is_read_from_its_text(make):
    fields = fields_of(make())
    rules = [f"{key}={as_typed(usual)}" for key, usual in fields.items()]
    assert variant(make, rules).rules == make().rules


@given(st.lists(st.integers(1, 9), min_size=1, unique=True), st.booleans())
def test_typed_rules_are_the_rules(takes, misere):
    rules = [f"takes={','.join(map(str, takes))}", f"misere={str(misere).lower()}"]
    assert variant(last_coin, rules) == last_coin(takes, misere=misere)
    rules = ["most_levers=2", "levers=8", "one_die_end=shut"]
    assert variant(shut_the_box, rules).rules == (8, 2, "shut", 2)


@pytest.mark.parametrize(
    ("make", "rule", "message"),
    [
        (reversi, "size", "must be KEY=VALUE with one of the keys size; got 'size'"),
        (reversi, "seize=6", "with one of the keys size; got 'seize=6'"),
        (reversi, "size=six", "`size` must be a value such as 8; got 'six'"),
        (reversi, "size=7", "`size` must be an even number; got 7"),
        (last_coin, "misere=1", "`misere` must be True or False; got '1'"),
        (last_coin, "misere=none", "`misere` must be True or False; got 'none'"),
        (shut_the_box, "most_levers=x", "`most_levers` must be a value such as none; got 'x'"),
        (big_two, "penalties=[1", "`penalties` must be a value such as"),
        (lambda: simple_game, "levers=3", "must be left out; got 'levers=3'"),
        (lambda: reversi(), "size=6", "must be left out, as it is a single game"),
        (lambda n=8: reversi(n), "size=6", "must be left out, as it is a single game, or its"),
    ],
)
def test_a_wrong_rule_is_a_sentence(make, rule, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        variant(make, [rule])


def random_game(game, seed, length):
    """The positions of a random game, and the labels of its moves."""
    states = random_walk(game, game.start, Random(seed)).positions[: length + 1]
    return states, [game.display.label(before, after) for before, after in pairwise(states)]


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 10**6), length=st.integers(0, 9))
def test_a_line_of_moves_is_read_from_its_labels(name, seed, length):
    """Any event that allows the move is taken, so another roll can lead to another box."""
    game = GAMES[name]
    states, labels = random_game(game, seed, length)
    first, last = states[0], states[-1]
    if labels:
        assert position_called(game, " ".join(labels).split()) == last
    for state, moves in ((last, []), (first, labels)):
        assert position_called(game, [json.dumps(game.json.encode(state)), *moves]) == last


BOARDS = [
    reversi(4),
    reversi(6),
    reversi(),
    reversi(26),
    tic_tac_toe,
    mnk(26, 3, 3),
]
BETWEEN = ["", " ", ",", ", ", ";", "_", "-", "\n"]
PASSES = ["pass", "p", "PA", "ps", "--", ""]


@pytest.mark.parametrize("game", BOARDS, ids=lambda game: f"{game.name} {game.rules}")
@given(st.data(), st.integers(0, 10**6), st.sampled_from(BETWEEN), st.sampled_from(PASSES))
def test_a_line_of_squares_is_read_as_people_write_it(game, data, seed, between, spelled):
    """With and without separators, numbers and capitals; a pass may be left out."""
    length = data.draw(st.integers(1, 90))
    (*_, last), labels = random_game(game, seed, length)
    form = data.draw(st.sampled_from(["{move}", "{n}.{move}", "{n}... {move}", "{n}) {move}"]))
    case = data.draw(st.sampled_from([str, str.upper]))
    is_plain = form == "{move}"
    assume(between + spelled != "---")  # nobody can tell how many passes `----` is
    words = [spelled if label == "pass" else case(label) for label in labels]
    if words[-1] == "":
        last = position_called(game, labels[:-1])
    texts = [form.format(n=n, move=word) for n, word in enumerate(words, 1) if word]
    assert position_called(game, [(between if is_plain else between or " ").join(texts)]) == last


@pytest.mark.parametrize("game", [*BOARDS, *GAMES.values()], ids=lambda game: game.name)
@given(seed=st.integers(0, 10**6), length=st.integers(0, 150))
def test_a_position_is_read_as_it_is_printed(game, seed, length):
    """With the last move in brackets and lines side by side too. An end does not tell the mover."""
    states, labels = random_game(game, seed, length)
    before, state = states[-2:] if labels else (None, states[-1])
    text = with_marks(game.display, before, state)
    for shown in (text, " ".join(text.split())):
        again = position_called(game, [shown])
        assert again == state or not game.moves(state, None)
        assert game.display.show(again) == game.display.show(state)


WIPED_OUT = "1. e6 f4 2. e3 f6 3. g5 d6 4. e7 f5 5. c5"
FOUR_PASSES = (
    "e6d6c3d3e3f7e7f3f5f4g8f2g3h4f1g2h3g6h5f8g5c2e8d7b1g7c8d8f6h6h7d2c1b3c7e1c4b5e2c6c5b8a4a3b4b2"
    "a8d1a2g1h1h8g4h2a5a6a1b6a7b7"
)
ENDGAME = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"
"""The board of the first of the endgames of the FFO test suite."""


@pytest.mark.parametrize(
    ("game", "text", "end"),
    [
        (reversi(), WIPED_OUT, "x 13, o 0"),
        (reversi(), FOUR_PASSES, "x 25, o 39"),
        (reversi(), f"{ENDGAME} X", "x 12, o 32; x to move"),
        (reversi(), f"{ENDGAME.replace('X', '*')} o; A7:+0", "x 12, o 32; o to move"),
        (reversi(4), "-----WB--BW----- B", "x 2, o 2; x to move"),
        (tic_tac_toe, "xo./.x./... o", " 3 x o .\n 2 . x .\n 1 . . .\n   a b c"),
        (tic_tac_toe, "xo.\n.x.\n...\n", " 3 x o .\n 2 . x .\n 1 . . .\n   a b c"),
        (tic_tac_toe, "xo..x....", " 3 x o .\n 2 . x .\n 1 . . .\n   a b c"),
        (mnk(2, 2, 2), "x. o.", " 2 x .\n 1 o .\n   a b"),
    ],
)
def test_a_game_or_a_board_of_others_is_read(game, text, end):
    assert game.display.show(position_called(game, [text])).endswith(end)


def test_a_position_that_is_none_says_why():
    move, line = "The move must be one of these", "of the line, at character"
    eight, three = (f"of a board with {n} columns, at character" for n in (8, 3))
    square = "must be x, o or .; got"
    for game, words, message in (
        (reversi(), ["d3", "d3"], f"Move 2 {line} 4: {move}: c3, e3, c5; got 'd3'."),
        (reversi(), ["d9"], f"Move 1 {line} 1: {move}: d3, c4, f5, e6; got 'd9'."),
        (reversi(), ["f5--d6"], f"Move 2 {line} 3: {move}: f4, d6, f6; got '--"),
        (reversi(), [FOUR_PASSES[:-2], "a7"], f"Move 60 {line} 120: {move}: b7; got 'a7'."),
        (tic_tac_toe, ["a1b1a2b2a3", "c3"], f"Move 6 {line} 12: The game has ended before it; got"),
        (gomoku, ["a11 a11"], f"Move 2 {line} 5: {move}: a1, b1, "),
        (shut_the_box(), ["27,99 9"], "A box must be the levers"),
        (shut_the_box(), ["shut 2", "44"], f"Move 2 {line} 8: {move}: shut "),
        (reversi(), [ENDGAME], "The side to move must stand after the board, x for black or o"),
        (reversi(), [ENDGAME[1:], "X"], f"Square h8 {eight} 64, {square}"),
        (
            reversi(),
            [ENDGAME, "-X"],
            "A board may have a blank and the side to move after its last square",
        ),
        (reversi(), [ENDGAME.replace("X", "z")], f"Square h1 {eight} 8, {square} 'z'."),
        (tic_tac_toe, ["x" * 8], f"Square c1 {three} 9, {square} ''."),
        (tic_tac_toe, ["xo../.x./..."], f"Square b2 {three} 5, {square}"),
        (tic_tac_toe, ["1 xo.\n2 .x.\n3 ..."], f"Square a3 {three} 1,"),
        (tic_tac_toe, ["xx./.x./..."], "x must have as many stones as o, or one more; got x 3"),
        (tic_tac_toe, ["xo./.x./...", "x"], "The side to move must be o after x 2, o 1; got x."),
        (reversi(), ["[1"], "The position must be JSON; got '[1'"),
        (big_two(), ["KD"], "must be JSON, or moves with --seed, which draws the deal; got 'KD'"),
        (big_two()._replace(deal=None), ["KD"], "must be JSON; got"),
        (last_coin(), ["many"], "A pile must be a number of coins"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            position_called(game, words)


@pytest.mark.parametrize(
    ("game", "words", "position"),
    [
        (shut_the_box(), ["72"], {2, 7}),
        (shut_the_box(), [""], set()),
        (shut_the_box(), ["1+8", "shut", "2+7"], {3, 4, 5, 6, 9}),
        (last_coin(), ["12"], Pile(12)),
        (last_coin(), ["take 2", "1"], Pile(18)),
    ],
)
def test_a_position_is_read_as_its_game_writes_it(game, words, position):
    assert position_called(game, words) == position


def test_a_name_of_several_moves_makes_no_line_but_their_numbers_do():
    """A line is given only where it leads back to its last position."""
    pairs = Display(label=lambda before, after: "go")
    game = Game(
        moves=lambda n, event: (n + event, n + 2 * event) if n < 3 else (),
        result=lambda n: (1, 0),
        to_move=lambda n: n % 2,
        start=0,
        display=pairs,
    )
    for chances, line in ((lambda n: (1,), "go (2) go"), (lambda n: (1, 2), "")):
        setting = Setting(game._replace(chances=chances), 7, rng=Random(3))
        turns = first_turn(setting, 0)
        while moves := turns[-1].moves:
            turns = after_move(setting, turns, moves[-1 if len(turns) % 2 else 0])
        assert line_of(setting, turns) == line


def test_a_line_of_moves_follows_the_deal_of_the_seed():
    game = big_two()
    first = begin(game, None, 0)
    words = game.display.label(first, game.moves(first, None)[0]).split()
    assert position_called(game, words, 0) == game.moves(first, None)[0]
    assert position_called(game, ["3♦"], 0) != position_called(game, ["3♦"], 7)


def test_a_game_begins_at_its_start_or_with_a_deal_of_the_seed():
    assert begin(reversi(), None, 7) == reversi().start
    assert begin(last_coin(), Pile(5), 7) == Pile(5)
    assert begin(big_two(), None, 7) == begin(big_two(), None, 7) != begin(big_two(), None, 8)
    with pytest.raises(ValueError, match="has no start of its own; give a position with --from"):
        begin(reversi()._replace(start=None), None, 7)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"start": [7, 0]}, r"A position of Nim must be hashable, .*; got \[7, 0\]"),
        ({"moves": lambda n: ()}, "`moves` of Nim must have a value for"),
        ({"display": Display(show=lambda n: n)}, "`show` of Nim must return a text; got 5"),
        (
            {"display": Display(label=lambda n, m: n - m)},
            "`label` of Nim must return a text; got 1",
        ),
    ],
)
def test_a_game_of_a_user_is_looked_at_where_it_begins(wrong, message):
    nim = Game(
        moves=lambda n, event: tuple(range(max(0, n - 2), n))[::-1],
        result=lambda n: (1, 0),
        to_move=lambda n: n % 2,
        name="Nim",
        start=5,
    )
    assert begin(nim, None, 7) == 5
    with pytest.raises(ValueError, match=message):
        begin(nim._replace(**wrong), None, 7)
