"""Rules and positions that a person types are read as they were written."""

import json
import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.app.positions import begin, position_called
from purembts.display import Display
from purembts.game import Game, draw_turn
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import mnk, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import Rules, shut_the_box, simple_game
from purembts.loading import _typed_value, as_typed, fields_of, variant

MAKERS = {
    "shut the box": shut_the_box,
    "coins": last_coin,
    "mnk": lambda columns=4, rows=3, in_a_row=3, exactly=False: mnk(
        columns, rows, in_a_row, exactly=exactly
    ),
    "reversi": reversi,
    "big two": big_two,
}
GAMES = {name: make() for name, make in MAKERS.items() if name != "big two"} | {
    "simple": simple_game
}


@pytest.mark.parametrize("name", MAKERS)
def test_the_usual_value_of_each_field_is_read_from_its_text(name):
    make = MAKERS[name]
    fields = fields_of(make())
    assert fields
    for key, usual in fields.items():
        assert _typed_value(key, as_typed(usual), usual) == usual
    rules = [f"{key}={as_typed(usual)}" for key, usual in fields.items()]
    assert variant(make, rules).rules == make().rules


@given(st.lists(st.integers(1, 9), min_size=1, unique=True), st.booleans())
def test_typed_rules_are_the_rules(takes, misere):
    rules = [f"takes={','.join(map(str, takes))}", f"misere={str(misere).lower()}"]
    assert variant(last_coin, rules) == last_coin(takes, misere=misere)
    rules = ["most_levers=2", "levers=8", "one_die_end=shut"]
    assert variant(shut_the_box, rules).rules == Rules(8, one_die_end="shut", most_levers=2)


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
    ],
)
def test_a_wrong_rule_is_a_sentence(make, rule, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        variant(make, [rule])


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 10**6), length=st.integers(0, 9))
def test_a_line_of_moves_is_read_from_its_labels(name, seed, length):
    """Any event that allows the move is taken, so another roll can lead to another box."""
    game, rng = GAMES[name], Random(seed)
    state, words = game.start, []
    for _ in range(length):
        turn = draw_turn(game, state, rng)
        if not turn.moves:
            break
        move = turn.moves[int(rng.random() * len(turn.moves))]
        words += game.display.label(state, move).split()
        state = move
    if words:
        assert position_called(game, words) == state
    assert position_called(game, [json.dumps(game.json.encode(state))]) == state


def test_a_position_that_is_none_says_why():
    for game, words, message in (
        (reversi(), ["d3", "d3"], "Word 2 of the line of moves: The move must be one of these"),
        (
            tic_tac_toe,
            ["a1", "b1", "a2", "b2", "a3", "c3"],
            "Word 6 of the line of moves: The game has ended before it; got 'c3'.",
        ),
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
