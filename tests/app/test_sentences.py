"""The words of a game in play: moves, results, lists, and the mark of the last move."""

from random import Random

import pytest
from hypothesis import example, given

from purembts.app.sentences import (
    event_line,
    hint_table,
    in_columns,
    is_event_told,
    marked,
    move_meant,
    outcome,
)
from purembts.display import Display
from purembts.game import Game, draw_turn, turn_at
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import gomoku, mnk, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box
from purembts.report import report
from purembts.verify.strategies import seeds

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


def test_the_moves_that_no_room_is_left_for_are_not_better():
    game = mnk(4, 3, 3)
    known = report(game, turn_at(game, game.start, None), {}, value=lambda board: (1, 0))
    assert hint_table(known, "x").columns[0].note == "and 2 more that are not better"


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
    assert is_event_told(STB, lost)
    assert not is_event_told(STB, shut)
    assert is_event_told(STB, turn_at(STB, STB.start, 9))
    assert not is_event_told(COINS, turn_at(COINS, Pile(5), None))


@pytest.mark.parametrize("text", ["0", "3", "", "take", "take 3", "99999999999", "\u0661"])
def test_a_text_that_means_no_move(text):
    with pytest.raises(ValueError, match="must be one of these: take 1, take 2; got"):
        move_meant(COINS, turn_at(COINS, Pile(5), None), text)


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
    rng, state = Random(seed), game.start
    for _ in range(12):
        moves = game.moves(state, None)
        if not moves:
            return
        after = moves[int(rng.random() * len(moves))]
        check_mark(game, state, after)
        state = after


def check_mark(game, before, after):
    text, plain = marked(game.display, before, after), game.display.show(after)
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
    rng, turn = Random(seed), draw_turn(STB, STB.start, Random(seed))
    while turn.moves:
        after = turn.moves[int(rng.random() * len(turn.moves))]
        assert marked(STB.display, turn.state, after) == STB.display.show(after)
        turn = draw_turn(STB, after, rng)


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
def test_a_sign_that_is_none_any_more_is_marked(before, after, text):
    assert marked(Display(show=lambda text: text), before, after) == text
