"""Games that are watched: lines and JSON for a pipe, and keys in a terminal."""

import builtins
import json
import os
import sys
from types import SimpleNamespace

import pytest

from purembts.app import live as watch
from purembts.app import terminal
from purembts.app.requests import Place, Watch
from purembts.app.starts import begin
from purembts.app.thinking import Thought
from purembts.bounds import ucb1
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin
from purembts.games.shut_the_box import shut_the_box


def printed(capsys, game, players=("uct:40", "random"), **options):
    place = Place(game, game.name)
    assert terminal.watch(Watch(place, 7, players, bound=ucb1, **options)) == 0
    return capsys.readouterr().out


def test_the_json_of_a_turn(capsys):
    """Its fields are in docs/play.md."""
    first, second, *_ = map(json.loads, printed(capsys, last_coin(), json=True).splitlines())
    assert [change["dives"] for change in first["changes"]] == [5, 10, 20, 40]
    assert first["changes"][-1]["interval"] == first["report"]["moves"][0]["interval"]
    assert (second["report"], second["changes"]) == (None, [])


def test_each_player_sees_what_it_may_know(capsys):
    game = big_two()
    start = begin(game, None, 7)
    first, *_, end = printed(capsys, game, players=["uct:5"]).split("\n\nThe others: ")
    hands = [str(hand) for hand in start.hands]
    assert [hand in first for hand in hands].count(True) == 1
    assert "wins. Points of players 1 to " in end


def test_a_game_of_one_player(capsys):
    text = printed(capsys, shut_the_box(), players=["uct:20"])
    assert "Turn 1: player 1, uct:20\nRoll " in text
    assert text.rstrip().splitlines()[-1].endswith(("Player 1 loses.", "Player 1 wins."))


# Live


class Terminal:
    """A terminal with keys, and the frames that it showed."""

    def __init__(self, keys):
        self.keys, self.frames, self.waits = iter(keys), [], []

    def pressed(self, seconds):
        self.waits.append(seconds)
        return next(self.keys, "q")

    def text(self, n, before, thought, **_):
        self.frames.append((n, before, thought.move))
        return [f"{n}"]


COINS = last_coin()


def thoughts_of(turns):
    """Two thoughts for each turn of a pile, and the end."""
    for coins in range(turns, 0, -1):
        turn = SimpleNamespace(state=Pile(coins), moves=[1])
        yield Thought(turn, ())
        yield Thought(turn, (), move=Pile(coins - 1))
    yield Thought(SimpleNamespace(state=Pile(0), moves=[]), ())


def live(keys, *, turns=3, delay=None):
    terminal = Terminal(keys)
    lines = watch.live(terminal.text, thoughts_of(turns), terminal.pressed, delay)
    return terminal, lines


def test_keys_go_forward_and_back_through_the_game(capsys):
    terminal, lines = live([None, "f", None, "b", "b", "f", "f", None, "f", "f", "f"])
    done = [n for n, _, move in terminal.frames if move is not None or n == 3]
    assert done == [0, 1, 0, 0, 1, 2, 3, 3, 3]
    assert lines == ["3"]
    assert terminal.frames[3] == (1, Pile(3), Pile(1))
    assert set(terminal.waits) == {0, None}
    assert watch.HELP in capsys.readouterr().out


def test_the_thoughts_of_a_turn_are_shown_while_they_come():
    terminal, _ = live(["q"])
    assert terminal.frames == [(0, None, None)], "q leaves while the player thinks"
    terminal, _ = live([None, "q"])
    assert terminal.frames == [(0, None, None), (0, None, Pile(2))]


def test_keys_work_while_a_player_thinks():
    terminal, _ = live([None, "f", "f", None, "q"])
    shown = [(n, move is not None) for n, _, move in terminal.frames]
    assert shown == [(0, False), (0, True), (1, False), (1, True), (2, False)], "f waits"
    assert live(["f", None, "q"])[0].waits == [0, 0, 0], "f was typed before"
    terminal, _ = live([None, "f", "b", "f", "q"])
    shown = [(n, move is not None) for n, _, move in terminal.frames]
    assert shown == [(0, False), (0, True), (1, False), (0, True), (1, True)]


def test_a_delay_goes_on_by_itself_and_p_pauses(capsys):
    keys = [None, None, None, "p", "p", None, None, None, "q"]
    terminal, _ = live(keys, delay=0.5)
    assert terminal.waits == [0, 0.5, 0, 0.5, None, 0.5, 0, 0.5, None]
    assert terminal.frames[-1][0] == 3
    printed = capsys.readouterr().out
    assert printed.index("p: pause") < printed.index("p: go on")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="it needs a terminal")
def test_keys_are_read_one_by_one(monkeypatch):
    ours, theirs = os.openpty()
    with os.fdopen(theirs) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with watch.keys() as pressed:
            assert pressed(0.01) is None
            for typed, letter in [
                ("x", "x"),
                (" ", "f"),
                ("\n", "f"),
                ("\x1b[D", "b"),
                ("Q", "q"),
                ("\x04", "q"),
            ]:
                os.write(ours, typed.encode())
                assert pressed(5) == letter
    os.close(ours)


def test_keys_are_lines_where_there_is_no_termios(monkeypatch):
    answers = iter(["", "b"])
    monkeypatch.setitem(sys.modules, "termios", None)
    monkeypatch.setattr(builtins, "input", lambda: next(answers))
    with watch.keys() as pressed:
        assert [pressed(0), pressed(None), pressed(1)] == [None, "f", "b"]
