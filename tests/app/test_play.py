"""A game at the terminal: what is printed and typed, and the exit code, for every game."""

import sys
from math import sqrt

import pytest

from purembts.app import positions, terminal, turns
from purembts.app.requests import Play, Watch
from purembts.display import Display
from purembts.game import Game
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import mnk, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box, simple_game

USUAL = {"seed": 5, "against": ("uct:20",), "dives": 40, "c": sqrt(2)}


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
        against = {"against": ()} if game.movers is not None and len(game.movers) == 1 else {}
        try:
            monkeypatch.setattr(positions, "game_of", lambda _: game)
            start = options.pop("start", None)
            monkeypatch.setattr(positions, "start_in", lambda *_: start)
            code = terminal.perform(Play(**{**USUAL, **against, **options}))
        except KeyboardInterrupt:
            code = 130
        out, err = capsys.readouterr()
        return code, err + out

    return played


STB = shut_the_box()


LETTERS = Game(
    moves=lambda state, _: ((*state, "a"), (*state, "b")) if len(state) < 3 else (),
    result=lambda state: (1, 0) if state.count("a") > 1 else (0, 1),
    to_move=lambda state: len(state) % 2,
    start=(),
    name="Letters",
)
"""A game without any display."""
LABELS = Game(
    moves=lambda state, _: tuple(state + each for each in "2uh1") if len(state) < 3 else (),
    result=lambda state: (1, 0),
    to_move=lambda state: 0,
    start="-",
    movers=(0,),
    display=Display(label=lambda before, after: after[-1]),
)
"""A game whose labels are numbers and commands, which are moves first."""
PERFECT = {"against": ("perfect",)}
SEEN = {
    "a game that is won": (
        *(STB, [], {"start": frozenset({1, 2, 3, 4})}),
        {"Roll 10.\nThe only move: shut 1+2+3+4.\n": 1, "You win.\n": 1, "cost": 0, "type u": 0},
    ),
    "a choice that is taken back after the end": (
        *(STB, ["1", "x", "u", "9"], {}),
        {"You lose.\n": 1, "The answer must be u, q or Enter; got 'x'.\n": 1, "Roll 10.\n": 2},
    ),
    "the end of the input after the end": (
        *(last_coin(), ["1"], {"start": Pile(2), "hints": "exact"}),
        {"The cost of each choice": 1, "exact: the expected score with best play\n": 1},
    ),
    "a game without a choice": (
        *(simple_game, [], {}),
        {"You lose.\nThere was nothing to choose: each of your turns had one move at most.\n\n": 1},
    ),
    "words for letters": (
        *(STB, ["hint", "HINTS", "hint random", "list", "undo", "9"], {}),
        {"9:  shut 1+9 ": 3, "9: shut 1+9": 2, "There is no choice to take back yet.": 1},
    ),
    "a long list of squares": (
        *(mnk(5, 5, 4), ["l"], {}),
        {"  25 moves, for example a1; type l for all of them\nYour move: ": 1, " 25: e5\n": 1},
    ),
    "a strategy": (
        *(tic_tac_toe, ["B2", "a1"], PERFECT),
        {
            "Tic-tac-toe. You are player 1; player 2 is perfect.\n": 1,
            "Your move: B2\nPlayer 2 plays a1.\n\n 3 . . .\n 2 . x .\n 1(o). .\n": 1,
            "The move must be one of these: b1, c1, a2, c2, a3, b3, c3; got 'a1'.": 1,
        },
    ),
    "another seat": (
        *(tic_tac_toe, ["b2"], {"seats": ("2",), **PERFECT}),
        {
            "Tic-tac-toe. You are player 2; player 1 is perfect.\n": 1,
            "Player 1 plays a1.\n\n 3 . . .\n 2 . . .\n 1(x). .\n": 1,
            "Your move: b2\nPlayer 1 plays ": 1,
        },
    ),
    "all seats": (
        *(tic_tac_toe, ["a1", "a2", "b1", "b2", "c1"], {"seats": ("all",), "against": ()}),
        {
            "The move of player 2: a2\n": 1,
            " 3 . . .\n 2 o o .\n 1 x x(x)\n   a b c\nPlayer 1 wins.\n": 1,
        },
    ),
    "no display": (
        *(LETTERS, ["('a',)", "1"], PERFECT),
        {
            "Letters. You are player 1; player 2 is perfect.\n": 1,
            "  1: ('a',)  2: ('b',)\nYour move: ('a',)\nPlayer 2 plays ('a', 'a').\n": 1,
            "You win.\n": 1,
        },
    ),
    "odd labels": (LABELS, ["2", "u"], {}, {"\n-2\n": 1, "\n-2u\n": 1, "You win.": 1}),
}
"""For each way to play, the game, the answers, the options, and texts with their numbers."""


@pytest.mark.parametrize("name", SEEN)
def test_a_person_sees(play, name):
    game, answers, options, texts = SEEN[name]
    code, seen = play(game, answers, **options)
    assert code == 0
    assert {text: seen.count(text) for text in texts} == texts


def test_interrupts(play, monkeypatch):
    """One leaves the game while a strategy thinks, and skips the costs alone after the game."""

    def slow(*arguments, **options):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(turns, "costs", slow)
    code, seen = play(STB, ["9", "q"])
    assert (code, "worth" in seen) == (0, False)
    monkeypatch.setattr(turns, "_thinking", slow)
    assert play(tic_tac_toe, ["b2"])[0] == 130


@pytest.mark.parametrize(
    "wrong", ["", "0", "10", "1.0", "1+2", "hh", "²", "[bold]", "9" * 5000, "l 3", "q q"]
)
def test_a_wrong_answer_is_asked_again(play, wrong):
    _, seen = play(STB, [wrong, "9"])
    assert "| 1 |   |   |   |   |   |   |   | 9 |  down\n" in seen
    assert "Type ? for help." in " ".join(seen.split())
    asked, *_ = seen.split("The cost of each choice")
    assert max(map(len, asked.splitlines())) <= 80 or len(wrong) > 80


@pytest.mark.parametrize(("end", "code"), [("q", 0), (EOFError, 0), (KeyboardInterrupt, 130)])
def test_the_ways_to_leave_a_game(play, end, code):
    left, seen = play(STB, ["9", end])
    assert left == code
    assert "\nThe game in one line, for --from:\n" in seen
    assert seen.endswith("\nshut 1+9\n")
    assert ("The cost of each choice" in seen) == (end == "q")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "game",
    [STB, last_coin(), tic_tac_toe, mnk(7, 7, 4), reversi(6), big_two()],
    ids=lambda game: game.name,
)
def test_every_game_is_played_to_its_end(play, game, seed, monkeypatch):
    monkeypatch.setattr(turns, "_all_costs", lambda *_: iter(()))
    code, seen = play(
        game, ["1"] * 60 + [""], seed=seed, against=() if game is STB else ("random",)
    )
    assert code == 0
    assert "Enter ends the game; u takes " in seen
    assert "You win" in seen or "You lose" in seen or "It is a draw" in seen


def test_each_player_of_a_watched_game_sees_what_it_may_know(capsys):
    game, start = big_two(), positions.begin(big_two(), None, 7)
    assert terminal.perform(Watch("big-two", seed=7, players=("uct:5",))) == 0
    _, first, *_, end = capsys.readouterr().out.split("\n\nThe others: ")
    assert [str(hand) in first for hand in start.hands].count(True) == 1
    assert "wins. Points of players 1 to " in end
    *_, lead, line = end.splitlines()
    assert lead == "The game in one line, for --from with --seed 7:"
    assert not all(positions.position_called(game, [line], 7).hands)


def test_lines_of_a_game_are_on_stderr_unless_stdout_is_a_terminal(monkeypatch, capsys):
    """The game in one line is the last of stdout."""
    for is_terminal in (False, True):
        monkeypatch.setattr(sys.stdout, "isatty", lambda is_terminal=is_terminal: is_terminal)
        answers = iter(["b2", "q"])
        monkeypatch.setattr("builtins.input", lambda question="", answers=answers: next(answers))
        terminal.perform(Play("tic-tac-toe", seed=7, against=("perfect",)))
        out, err = capsys.readouterr()
        assert out.splitlines()[-1] == "b2 a1"
        assert ("Type a move" in out, "Type a move" in err) == (is_terminal, not is_terminal)
