"""A game at the terminal: what is printed and typed, and the exit code, for every game."""

import os
import re
import subprocess
import sys
from contextlib import suppress
from random import Random

import pytest

from purembts import start_box
from purembts.app import hints, sitting, terminal
from purembts.app.files import load_tree, save_tree
from purembts.app.requests import Place, Play
from purembts.bounds import ucb1
from purembts.display import Display
from purembts.fast.engine import search
from purembts.game import Game
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import mnk, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box, simple_game

USUAL = {"seed": 5, "against": ["uct:20"], "dives": 40, "bound": ucb1}


@pytest.fixture
def play(monkeypatch, capsys):
    """The exit code, and what a person saw who typed `answers`; input ends after them."""

    def played(game, answers, **options):
        rest = iter(answers)

        def read(question=""):
            answer = next(rest, EOFError)
            if isinstance(answer, type):
                raise answer
            return answer

        monkeypatch.setattr("builtins.input", read)
        against = {"against": None} if game.movers is not None and len(game.movers) == 1 else {}
        try:
            place = Place(game, game.name, start=options.pop("start", None))
            code = terminal.play(Play(place, **{**USUAL, **against, **options}))
        except KeyboardInterrupt:
            code = 130
        out, err = capsys.readouterr()
        return code, err + out

    return played


STB = shut_the_box()


def test_a_game_that_is_won(play):
    code, seen = play(STB, [], start=frozenset({1, 2, 3, 4}))
    assert code == 0
    assert "Roll 10.\nThe only move: shut 1+2+3+4.\n" in seen
    assert "You win.\n" in seen
    assert "cost" not in seen, "there was no choice"
    assert "type u" not in seen


def test_a_game_that_is_lost_and_one_choice_of_it_taken_back(play):
    _, seen = play(STB, ["1", "x", "u", "9"])
    assert seen.count("You lose.\n") == 1
    assert "The answer must be u, q or Enter; got 'x'.\n" in seen
    assert seen.count("Roll 10.\n") == 2, "the dice were rolled again"


@pytest.mark.parametrize("typed", ["9", "1+9", "shut 1+9", "SHUT 9+1", " 1 9 "])
def test_a_move_is_made_by_its_number_or_its_name(play, typed):
    _, seen = play(STB, [typed])
    assert "| 1 |   |   |   |   |   |   |   | 9 |  down\n" in seen


@pytest.mark.parametrize(
    "wrong", ["", "0", "10", "1.0", "1+2", "hh", "²", "[bold]", "9" * 5000, "l 3", "q q"]
)
def test_a_wrong_answer_is_asked_again(play, wrong):
    _, seen = play(STB, [wrong, "9"])
    assert "| 1 |   |   |   |   |   |   |   | 9 |  down\n" in seen
    assert "Type ? for help." in " ".join(seen.split())
    asked, *_ = seen.split("The cost of each choice")
    assert max(map(len, asked.splitlines())) <= 80 or len(wrong) > 80


def test_hints_once_and_at_every_turn(play):
    answers = ["h", "h random", "9", "h none", "h  tree", "h fly", "?", "u"]
    _, seen = play(STB, answers)
    asked = seen.split("Your move: ")
    assert "exact" not in asked[0]
    assert "9:  shut 1+9       2345678   0.0694\n" in asked[1]
    assert asked[1].startswith("h\nexact: the expected score with best play\n")
    assert asked[2].startswith("h random\nrandom: random games after each move\n")
    assert "random: " in asked[3]
    assert asked[4] == "h none\n"
    assert "tree: a search from this turn\n" in asked[5]
    assert "The kind of hints must be none, random, tree or exact; got 'fly'." in asked[6]
    assert "KIND is none, random, tree or exact\n" in asked[7]
    assert "Roll 10.\n" in asked[8]


@pytest.mark.parametrize(("end", "code"), [("q", 0), (EOFError, 0), (KeyboardInterrupt, 130)])
def test_the_ways_to_leave_a_game(play, end, code):
    left, seen = play(STB, ["9", end])
    assert left == code
    assert ("The cost of each choice" in seen) == (end == "q")


def test_the_end_of_the_input_after_the_end_of_a_game_is_enter(play):
    _, seen = play(last_coin(), ["1"], start=Pile(2))
    assert "The cost of each choice" in seen


def test_a_game_without_a_choice_says_so(play):
    _, seen = play(simple_game, [])
    assert seen.endswith(
        "You lose.\nThere was nothing to choose: each of your turns had one move at most.\n\n"
    )
    assert "nothing to choose" not in play(STB, ["q"])[1]


@pytest.mark.parametrize("typed", ["hint", "HINTS", "h", "hint random"])
def test_words_do_the_same_as_letters(play, typed):
    _, seen = play(STB, [typed, "list", "undo", "quit", "9"])
    assert seen.count("9:  shut 1+9 ") == 1
    assert seen.count("9: shut 1+9") == 2, "in the first list, and after `list`"
    assert "There is no choice to take back yet. Type ? for help." in seen
    assert "The move must be" not in seen


def test_a_long_list_of_squares_is_a_number(play):
    _, seen = play(mnk(5, 5, 4), ["l", "c3"])
    first, listed, *_ = seen.split("Your move: ")
    assert first.endswith("  25 moves, for example a1; type l for all of them\n")
    assert " 25: e5\n" in listed


def test_an_interrupt_while_a_strategy_thinks_leaves_the_game(play, monkeypatch):
    def slow(setting, turns):
        raise KeyboardInterrupt

    monkeypatch.setattr(sitting, "strategy_turn", slow)
    assert play(tic_tac_toe, ["b2"])[0] == 130


def test_an_interrupt_skips_the_costs_alone(play, monkeypatch):
    def slow(*arguments, **options):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(sitting, "costs", slow)
    code, seen = play(STB, ["9", "q"])
    assert code == 0
    assert "worth" not in seen


def test_the_cost_of_each_choice(play):
    _, seen = play(STB, ["2", "1", ""])
    [first, second] = [
        [cell.strip() for cell in line.split("│")[1:-1]]
        for line in seen.splitlines()
        if line.startswith("│")
    ]
    assert first == [
        *("1", "123456789", "roll 10", "shut 2+3+5"),
        *("0.0276", "shut 1+9", "0.0694", "0.0419"),
    ]
    assert second[-1] == "0.0332"
    assert "the expected score with best play after the move" in seen


def test_a_game_against_a_strategy(play):
    _, seen = play(tic_tac_toe, ["B2", "a1"], against=["perfect"])
    assert "Tic-tac-toe. You are player 1; player 2 is perfect.\n" in seen
    assert "Your move: B2\nPlayer 2 plays a1.\n\n 3 . . .\n 2 . x .\n 1(o). .\n" in seen
    assert "The move must be one of these: b1, c1, a2, c2, a3, b3, c3; got 'a1'." in seen


def test_the_last_move_is_marked_where_the_game_ends(play):
    answers = ["a1", "a2", "b1", "b2", "c1", ""]
    _, seen = play(tic_tac_toe, answers, seats=["all"], against=None)
    assert "The move of player 2: a2\n" in seen
    assert " 3 . . .\n 2 o o .\n 1 x x(x)\n   a b c\nPlayer 1 wins.\n" in seen


def test_a_person_may_have_another_seat(play):
    _, seen = play(tic_tac_toe, ["b2"], seats=[2], against=["perfect"])
    assert seen.startswith("Tic-tac-toe. You are player 2; player 1 is perfect.\n")
    assert "Player 1 plays a1.\n\n 3 . . .\n 2 . . .\n 1(x). .\n" in seen
    assert "Your move: b2\nPlayer 1 plays " in seen


def test_the_same_seed_is_the_same_game(play, monkeypatch):
    monkeypatch.setattr(sitting, "_costs", lambda *_: iter(()))
    one, other, third = (play(reversi(6), ["1"] * 4, seed=seed) for seed in (1, 1, 2))
    assert one == other
    assert one != third


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "game",
    [STB, last_coin(), tic_tac_toe, mnk(7, 7, 4), reversi(6), big_two()],
    ids=lambda game: game.name,
)
def test_every_game_is_played_to_its_end(play, game, seed, monkeypatch):
    monkeypatch.setattr(sitting, "_costs", lambda *_: iter(()))
    code, seen = play(
        game, ["1"] * 60 + [""], seed=seed, against=None if game is STB else ["random"]
    )
    assert code == 0
    assert "Enter ends the game; u takes " in seen
    assert "You win" in seen or "You lose" in seen or "It is a draw" in seen


def test_hidden_cards_stay_hidden(play, monkeypatch):
    monkeypatch.setattr(hints, "usual_dives", lambda moves: 50)
    game = big_two()
    start = game.deal(Random("5/deal"))
    _, seen = play(game, ["1", "1", "zz", "h tree", "q"], against=["random"])
    assert f"Player 1's hand: {start.hands[0]}" in seen
    for hand in start.hands[1:]:
        assert str(hand) not in seen
    assert "has 13 cards" in seen


@pytest.mark.slow
def test_hints_that_are_impossible_are_refused_once(play):
    _, seen = play(reversi(6), ["1", "1", "q"], hints="exact")
    assert seen.count("is too large for exact values") == 1
    assert "The hints end here.\n  1: " in seen


@pytest.mark.slow
def test_people_with_hidden_hands_take_turns_at_the_terminal(play):
    _, seen = play(big_two(), ["1", "", "1", "", "q"], seats=["all"], against=None)
    first, second, *_ = seen.split("press Enter for your turn: ")
    assert first.count("'s hand") == 1
    assert "\n" * 50 in first
    assert second.count("'s hand") == 1


def test_a_game_with_wrong_functions_is_an_error_in_words(play):
    for wrong in ({"chances": lambda: (None,)}, {"moves": lambda state: ()}):
        with pytest.raises(ValueError, match="of Tic-tac-toe must have a value for"):
            play(tic_tac_toe._replace(**wrong), [])


def test_a_tree_is_loaded_for_hints_and_saved(play, tmp_path):
    file = tmp_path / "tree.jsonl"
    save_tree(file, STB, search(STB, {}, start_box, 3_000, Random(7)))
    _, seen = play(STB, ["h tree"], load=file)
    visits = re.findall(r": +shut .* +([\d,]+) +0\.", seen)
    assert len(visits) == 9
    assert sum(map(int, visits)) < 1_000, "the visits of the tree after one of the rolls"
    other = tmp_path / "other.jsonl"
    play(STB, ["q"], load=file, save=other, dives=100)
    assert load_tree(other, STB)[start_box].visits == 3_100


def test_a_game_without_any_display(play):
    game = Game(
        moves=lambda state, _: ((*state, "a"), (*state, "b")) if len(state) < 3 else (),
        result=lambda state: (1, 0) if state.count("a") > 1 else (0, 1),
        to_move=lambda state: len(state) % 2,
        start=(),
        name="Letters",
    )
    code, seen = play(game, ["('a',)", "1"], against=["perfect"])
    assert code == 0
    assert "Letters. You are player 1; player 2 is perfect.\n" in seen
    assert "  1: ('a',)  2: ('b',)\nYour move: ('a',)\nPlayer 2 plays ('a', 'a').\n" in seen
    assert "You win.\n" in seen


def test_labels_that_are_numbers_or_commands_are_moves_first(play):
    game = Game(
        moves=lambda state, _: tuple(state + each for each in "2uh1") if len(state) < 3 else (),
        result=lambda state: (1, 0),
        to_move=lambda state: 0,
        start="-",
        movers=(0,),
        display=Display(label=lambda before, after: after[-1]),
    )
    _, seen = play(game, ["2", "u"])
    assert "\n-2\n" in seen
    assert "\n-2u\n" in seen
    assert "You win." in seen


SLOW = """
from time import sleep

def slow(turn, rng):
    sleep(1)
    return turn.moves[0]
"""


@pytest.mark.slow
def test_keys_that_are_typed_while_others_think_are_neither_moves_nor_seen(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    ours, theirs = os.openpty()
    words = ["play", "coins", "--from", "9", "--against", "slow.py:slow", "--seed", "7"]
    with subprocess.Popen(
        [sys.executable, "-m", "purembts", *words],
        **dict.fromkeys(("stdin", "stdout", "stderr"), theirs),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm"},
    ):
        os.close(theirs)
        seen = read_until(ours, "Your move: ")
        os.write(ours, b"1\n")
        seen += read_until(ours, "Player 2 thinks")
        os.write(ours, b"2\n")
        seen += read_until(ours, "Your move: ")
        os.write(ours, b"q\n")
        seen += read_until(ours, "")
    os.close(ours)
    assert seen.count("Your move: ") == 2
    assert seen.count("Player 2: take 1.") == 1
    assert "You: take 2." not in seen
    assert "2\r\n" not in seen.split("thinks")[1].split("Player 2:")[0]


def read_until(file, text):
    """The text that a terminal shows until `text`, or until its end."""
    parts = b""
    with suppress(OSError):  # Linux gives an error at the end
        while not text or text.encode() not in parts:
            parts += os.read(file, 4096)
    return parts.decode()


def test_lines_of_a_game_are_on_stderr_unless_stdout_is_a_terminal(monkeypatch, capsys):
    terminal.tell("one")
    assert capsys.readouterr() == ("", "one\n")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    terminal.tell("two")
    assert capsys.readouterr() == ("two\n", "")
