"""The values of the library have forms for a prompt and a notebook, and no other value has."""

import re
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyrsistent import pmap

from maps import Map
from purembts import bandits, pictures
from purembts.app.value_forms import game_of, games_used, shown
from purembts.determinize import perfect_information
from purembts.display import Codec, Display
from purembts.fast.engine import search
from purembts.game import Game, turn_at
from purembts.games.big_two import big_two, deal, view
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import Board, gomoku, mnk, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import boxes, full_box, shut_the_box
from purembts.pictures.charts import Chart, Line
from purembts.proving import settled
from purembts.records import NOTHING, Record
from purembts.report import report, reports
from purembts.report import table as report_table
from purembts.tables import as_html, rows_table
from purembts.workshop import look_up_table
from toys import guessing_game

GAMES = [shut_the_box(), last_coin(), tic_tac_toe, gomoku, reversi(), big_two()]
COINS = last_coin()
FULL = Board(0b0101_0010_0101, 0b0010_0101_0010)


def coins_tree(dives=100, coins=5):
    return search(COINS, {}, Pile(coins), dives, Random(7))


def test_worths_of_positions_are_a_table_of_some():
    tree = search(COINS, {}, COINS.start, 300, Random(7))
    lines = shown(settled(COINS, tree, COINS.start), GAMES).text.splitlines()
    assert lines[0] == "Last coin: 42 positions, each with its certain worth"
    assert lines[1] == "position  to move  worth for player 1  worth for player 2"
    assert [line.split() for line in lines[3:6]] == [
        ["0", "1", "0.0000", "1.0000"],
        ["0", "2", "1.0000", "0.0000"],
        ["1", "1", "1.0000", "0.0000"],
    ]
    assert (len(lines), lines[-1]) == (14, "and 32 more")
    board = shown(settled(tic_tac_toe, {FULL: Record(1, (1, 0))}, FULL), GAMES).text
    assert board.splitlines()[-1].split() == ["xox", "oxo", "xox", "2", "1.0000", "0.0000"]
    assert "Board(" in shown(settled(tic_tac_toe, {FULL: Record(1, (1, 0))}, FULL), []).text
    assert shown(pmap(), GAMES) is None
    assert shown(pmap({Pile(1): (1, 0)}), GAMES) is None, "no worths"


@pytest.mark.parametrize(
    "value",
    [
        frozenset(),
        frozenset({"a"}),
        (),
        (1, 2),
        (Record(1, (1, 0)), 2),
        {},
        pmap(),
        pmap({1: Record(1, (1, 0)), 2: 3}),
        pmap({box: Fraction(1, 2) for box in boxes()}),
        [Record(1, (1, 0))],
        7,
        Pile(-1),
        Board(1, 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_values_have_no_form(value):
    assert shown(value, GAMES) is None


@given(st.frozensets(st.integers() | st.text() | st.tuples(st.integers()), max_size=4))
def test_a_frozenset_has_a_form_if_it_is_a_box_with_levers_up(value):
    is_box = len(value) > 0 and all(isinstance(each, int) and 1 <= each <= 9 for each in value)
    assert (shown(value, GAMES) is not None) == is_box


def test_positions_are_shown_by_their_game():
    for game in GAMES[:-1]:
        seen = shown(game.start, [game, *GAMES])
        assert seen.text == game.display.show(game.start)
        assert seen.svg == pictures.position(game, game.start).svg
        assert seen.svg.startswith("<svg")
    for box in boxes()[1:]:
        assert shown(box, GAMES).text == GAMES[0].display.show(box)


def test_a_table_and_a_view_are_shown_by_their_game():
    table = deal(Random(3))
    game = GAMES[-1]
    assert shown(table, GAMES).text == game.display.show(table)
    assert shown(view(table, 1), GAMES).text == game.display.show(view(table, 1))
    assert shown(table, GAMES[:-1]) is None


def test_a_board_is_shown_by_the_first_game_that_it_fits():
    small, large = Board(1, 0), Board(1 << 40, 0)
    assert game_of(small, GAMES) is tic_tac_toe
    assert game_of(small, [gomoku, *GAMES]) is gomoku
    assert game_of(large, GAMES) is gomoku
    assert game_of(large, [mnk(4, 4, 3)]) is None


def test_the_games_that_were_named_last_come_first():
    names = {"reversi": GAMES[4], "gomoku": gomoku, "x": 1, "small": tic_tac_toe}
    inputs = ["reversi.start", "x", "f(gomoku, small)", "nothing"]
    assert list(games_used(names, inputs)) == [tic_tac_toe, gomoku, GAMES[4]]
    assert list(games_used(names, [])) == []


class Own(NamedTuple):
    left: int


@dataclass(frozen=True)
class Frozen:
    left: int


@pytest.mark.parametrize("start", [Own(2), Frozen(2)])
def test_a_game_of_ones_own_shows_its_positions(start):
    game = Game(
        moves=lambda own, event: (type(own)(own.left - 1),) if own.left else (),
        result=lambda own: (1, 0),
        to_move=lambda own: 0,
        start=start,
        name="Own",
        display=Display(show=lambda own: f"left: {own.left}"),
    )
    assert shown(start, [*GAMES, game]).text == "left: 2"
    assert shown(start, GAMES) is None
    tree = search(game, {}, start, 5, Random(7))
    assert shown(tree, [game]).text.startswith(
        "Own, player 1 to move: tree of 3 positions with up to 5 visits\n"
    )


def test_a_position_that_the_json_of_a_game_changes_is_not_its_position():
    lossy = COINS._replace(json=Codec(list, lambda value: Pile(0)))
    assert shown(Pile(3), [lossy]) is None
    assert shown(Pile(0), [lossy])


@pytest.mark.parametrize("start", [21, (1, 2), "abc", None, frozenset({1})])
def test_a_game_whose_positions_are_plain_values_does_not_claim_them(start):
    game = Game(lambda s, e: (), lambda s: (1, 0), lambda s: 0, start=start)
    assert shown(start, [game]) is None


def test_a_position_that_its_game_cannot_show_is_left_alone():
    broken = COINS._replace(display=Display(show=lambda pile: {}[pile]))
    assert shown(Pile(3), [broken]) is None


POINTS = Record(2, (-6, 5, 1, 0))
CHART = Chart("Learning", "dives", "value", (Line("uct", (1, 2), (0.1, 0.2)),))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            Record(100, (3, 97)),
            "Record(visits=100, scores=(3, 97)): mean 0.0300, 95 % interval 0.0103 to 0.0845",
        ),
        (NOTHING, "Record(visits=0, scores=()): no visits"),
        (POINTS, f"{POINTS}: means -3.0000, 2.5000, 0.5000, 0.0000"),
        (GAMES[4], "Game: Reversi (size=8)"),
        (guessing_game, "Game: safe or guess"),
        (
            pictures.position(COINS, Pile(3)),
            'Picture: Last coin. To see it: Path("picture.svg").write_text(_.svg)',
        ),
        (
            CHART,
            'Chart: Learning. To see it: Path("chart.svg").write_text(pictures.chart(_).svg)',
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_records_games_pictures_and_charts_are_a_line(value, text):
    assert shown(value, [], 100) == (text, "", "")


@pytest.mark.parametrize("kind", [pmap, Map])
def test_a_tree_shows_its_size_and_its_best_lines(kind):
    tree = search(COINS, kind(), Pile(5), 100, Random(7))
    seen = shown(tree, GAMES)
    lines = seen.text.splitlines()
    assert (
        lines[0]
        == f"Last coin, player 1 to move: tree of {len(tree)} positions with up to 100 visits"
    )
    assert lines[1].split()[:4] == ["move", "after", "visits", "mean"]
    assert lines[1].endswith("then")
    known = report(COINS, turn_at(COINS, Pile(5), None), tree)
    best = next(row for row in known.rows if row.learnt)
    assert lines[3].startswith(best.label)
    assert f"{best.mean:.4f}" in lines[3]
    assert "take 1, take 2" in seen.text or "take 2, take 1" in seen.text
    assert seen.html.startswith("<svg")
    assert "<table " in seen.html


def test_of_many_moves_a_tree_shows_those_with_the_most_visits():
    tree = search(tic_tac_toe, {}, tic_tac_toe.start, 300, Random(7))
    rows = sorted(reports(tic_tac_toe, tic_tac_toe.start, tree)[0].rows, key=lambda row: row.visits)
    seen = [line.split()[0] for line in shown(tree, GAMES).text.splitlines()[3:]]
    assert set(seen) == {row.label for row in rows[-5:]}


def test_a_tree_with_chance_shows_the_best_move_of_each_event():
    game = shut_the_box()
    tree = search(game, {}, full_box(), 500, Random(7))
    seen = shown(tree, GAMES).text.splitlines()
    assert seen[0] == f"Shut the Box: tree of {len(tree)} positions with up to 500 visits"
    assert [line.split()[1] for line in seen[3:]] == [str(roll) for roll in range(2, 13)]
    for line, each in zip(seen[3:], reports(game, full_box(), tree), strict=True):
        best = [row.label for row in each.rows if row.learnt]
        assert all(label in line for label in best)


def test_the_table_of_random_games_begins_at_the_start():
    """All of its records have the same number of games."""
    seen = shown(look_up_table(10, Random(7)), GAMES).text
    assert seen.startswith("Shut the Box: tree of 512 positions with up to 10 visits\n")
    assert re.search("roll 2 +shut 2 +1 3456789 ", seen)


def test_a_tree_of_an_unknown_game_or_of_views_shows_its_size():
    assert shown(coins_tree(), []).text == "A tree of 10 positions with up to 100 visits"
    single = shown(pmap({Pile(5): Record(1, (1, 0))}), GAMES).text
    assert single.startswith("Last coin, player 1 to move: tree of 1 position with up to 1 visit\n")
    table = deal(Random(3))
    seen = shown(perfect_information(GAMES[-1], view(table, table.player), Random(1)), GAMES)
    assert seen.text.startswith("Big Two: tree of ")
    assert "\n" not in seen.text
    seen = perfect_information(guessing_game, guessing_game.hidden.view(guessing_game.start, 0))
    assert shown(seen, [guessing_game]).text


def test_a_tree_and_a_result_stand_together():
    tree = coins_tree()
    seen = shown((tree, (1, 0)), GAMES)
    assert seen.text == f"{shown(tree, GAMES).text}\nand (1, 0)"
    assert seen.html.endswith("<p>and (1, 0)</p>")


def test_reports_and_tables_are_tables():
    known = reports(COINS, Pile(5), coins_tree())
    assert shown(known, []).text == shown(known[0], []).text == str(report_table(known))
    assert "<table " in shown(known, []).html
    table = rows_table("T", ["a"], [["1"]])
    assert shown(table, []) == (str(table), as_html(table), "")
    assert shown((bandits.Pulls(4, 2, 2),), []).text.startswith("Bandit: the arms\n")


def test_a_text_is_no_wider_than_the_terminal():
    long = Record(100_000, (51_750.5, 48_249.5))
    for width in (60, 80):
        first, *rest = shown(long, [], width).text.split("\n")
        assert first == f"{long}:"
        assert rest == ["  mean 0.5175, 95 % interval 0.5144 to 0.5206"]
    assert "\n" not in shown(long, [], 100).text


def test_the_names_of_the_pictures_are_not_hidden_among_imports():
    assert dir(pictures) == sorted(pictures.__all__)
