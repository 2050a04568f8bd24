"""The text of a step: lists, tables of beliefs, and the mark of the last move."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import example, given

from purembts.app.printed import belief_table, in_columns, printed, with_marks
from purembts.app.sentences import move_line
from purembts.app.sessions import Session, Setting, first_turn
from purembts.app.steps import Moved
from purembts.app.turns import watched
from purembts.display import Display, Hidden
from purembts.game import Game, turn_at
from purembts.games.big_two import big_two
from purembts.games.mnk import gomoku, mnk, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box
from purembts.players import uct_player
from purembts.report import report
from purembts.verify.strategies import random_walk, seeds

STB = shut_the_box()


def test_the_moves_that_no_room_is_left_for_are_not_better():
    game = mnk(4, 3, 3)
    beliefs = report(game, turn_at(game, game.start, None), {}, value=lambda board: (1, 0))
    assert belief_table(beliefs, "x").columns[0].note == "and 2 more that are not better"


@pytest.mark.parametrize("width", [40, 60])
@pytest.mark.parametrize("game", [gomoku, big_two()], ids=lambda game: game.name)
def test_turns_fit_a_small_terminal(game, width):
    players = dict.fromkeys(range(4), uct_player(game, 30))
    setting = Setting(game, persons=frozenset(), players=players, rng=Random(7))
    steps = watched(setting, Session(first_turn(setting, game.start or game.deal(Random(7)))))
    for _, step in zip(range(40), steps, strict=False):
        text = printed(step, width) or ""
        assert max(map(len, text.split("\n"))) <= width
        if isinstance(step, Moved):
            turn = step.turns[-1]
            lines = text.split("\n")
            assert lines[-1].strip() in move_line(game, turn, step.move)
            label = game.display.label(turn.state, step.move)
            if step.belief:
                assert any(f":  {label}  " in line for line in lines), "the move is in the table"


def test_a_hidden_move_of_another_player_has_the_name_of_its_view():
    """Of two persons, the line is for the other one. A name that fails on a view is the mover's."""
    hide = Game(
        lambda state, event: ("0L", "0R") if state == "0" else (),
        lambda state: (1, 0),
        lambda state: 0,
        start="0",
        display=Display(label=lambda before, after: f"hide {after[1]}"),
        hidden=Hidden(lambda state, i: state[:1] + "?" * (i * len(state[1:])), None),
    )
    turn = turn_at(hide, "0", None)
    assert move_line(hide, turn, "0L", {1}) == "Player 1: hide ?."
    assert move_line(hide, turn, "0L", {0, 1}) == "Player 1: hide ?."
    assert move_line(hide, turn, "0L", {0}) == "You: hide L."
    bare = hide._replace(hidden=Hidden(lambda state, i: "", None))
    assert move_line(bare, turn, "0L", {1}) == "Player 1: hide L."


def test_lists_fill_the_width():
    lines = list(in_columns([f"{n:>2}: a{n}" for n in range(1, 31)], 40))
    assert max(map(len, lines)) <= 40
    assert lines[0] == "   1: a1    2: a2    3: a3    4: a4"
    assert list(in_columns(["a" * 50], 40)) == ["  " + "a" * 50]


# The mark


@example(2551)  # in Reversi, the text of a line changes with the number of discs
@given(seeds)
@pytest.mark.parametrize(
    "game",
    [tic_tac_toe, mnk(7, 5, 4), gomoku, reversi(4), reversi(8)],
    ids=lambda game: f"{game.name} {game.rules}",
)
def test_the_mark_is_at_the_new_square_alone(game, seed):
    walk = random_walk(game, game.start, Random(seed)).positions[:13]
    for before, after in pairwise(walk):
        check_mark(game, before, after)


def check_mark(game, before, after):
    text, plain = with_marks(game.display, before, after), game.display.show(after)
    label = game.display.label(before, after)
    if label == "pass":
        assert text == plain
        return
    assert text.count("(") == text.count(")") == 1
    assert text.replace("(", " ").replace(")", " ").split() == plain.split()
    board = game.display.squares(after)
    row, column = board.names.index(label[1:]), board.columns.index(label[0])
    line = next(line for line in text.splitlines() if "(" in line)
    assert line.split("(")[0].split()[0] == label[1:]
    assert line[line.index("(") + 1] == board.rows[row][column]
    assert line.index("(") + 1 == 3 + 2 * column


@given(seeds)
def test_a_text_without_a_word_for_each_square_has_no_mark(seed):
    for before, after in pairwise(random_walk(STB, STB.start, Random(seed)).positions):
        assert with_marks(STB.display, before, after) == STB.display.show(after)


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("...\n.x.\nx moves", "..o\n.x.\nx moves", "..(o)\n.x.\nx moves"),
        (". . .\n. x .", ". o .\n. x .", ".(o).\n. x ."),
        ("1 | . | . | .", "1 | . | x | .", "1 | . |(x)| ."),
        ("n = 9\n.", "n = 10\nx", "n = 10\n(x)"),
        ("Pig(3, 4)", "Pig(5, 4)", "Pig(5, 4)"),
        (". .", "x .\n1 move", "x .\n1 move"),
        (None, "x .", "x ."),
    ],
)
def test_a_sign_that_is_none_any_more_is_with_marks(before, after, text):
    assert with_marks(Display(show=lambda text: text), before, after) == text
