"""Games that are watched: their turns as text and as JSON."""

import json
from math import sqrt
from random import Random

import pytest

from purembts.app import terminal
from purembts.app import thinking as minds
from purembts.app.positions import begin
from purembts.app.requests import Watch
from purembts.app.sentences import move_line, turn_text
from purembts.app.thinking import watched
from purembts.games.big_two import big_two
from purembts.games.last_coin import last_coin
from purembts.games.mnk import gomoku, tic_tac_toe
from purembts.games.shut_the_box import shut_the_box
from purembts.loading import GAMES
from purembts.players import flat_player, random_player, uct_player
from purembts.records import marks_of


def thoughts(game=tic_tac_toe, dives=80, seed=7):
    players = {0: uct_player(game, dives), 1: random_player}
    return list(watched(game, game.start, players, Random(seed)))


def test_the_thoughts_of_a_turn_come_one_by_one():
    turn = thoughts()[0].turn
    shown = list(minds.thoughts(tic_tac_toe, turn, uct_player(tic_tac_toe, 80), Random(7)))
    visits = [thought.report.record.visits for thought in shown if thought.report]
    assert visits == [*marks_of(80)[1:], 80]
    assert [thought.move is not None for thought in shown] == [False] * 7 + [True]


def test_flat_thoughts_are_told_too():
    players = dict.fromkeys((0, 1), flat_player(tic_tac_toe, 90))
    first = next(watched(tic_tac_toe, tic_tac_toe.start, players, Random(7)))
    assert sum(row.visits for row in first.report.rows) == 90


@pytest.mark.parametrize("width", [40, 60])
@pytest.mark.parametrize("game", [gomoku, big_two()], ids=lambda game: game.name)
def test_turns_fit_a_small_terminal(game, width):
    players = dict.fromkeys(range(4), uct_player(game, 30))
    start, before = game.start or game.deal(Random(7)), None
    for _, thought in zip(range(4), watched(game, start, players, Random(7)), strict=False):
        lines = turn_text(game, before, thought, width).split("\n")
        assert max(map(len, lines)) <= width
        assert lines[-1].strip() in move_line(game, thought.turn, thought.move)
        label = game.display.label(thought.turn.state, thought.move)
        if thought.report:
            assert any(f":  {label}  " in line for line in lines), "the move is in the table"
        before = thought.turn.state


def printed(capsys, game, players=("uct:40", "random"), **options):
    name = next(name for name, make in GAMES.items() if make().name == game.name)
    assert terminal.run(Watch(name, seed=7, players=tuple(players), c=sqrt(2), **options)) == 0
    return capsys.readouterr().out


def test_the_json_of_a_turn(capsys):
    """Its fields are in docs/play.md."""
    first, second, *_ = map(json.loads, printed(capsys, last_coin(), json=True).splitlines())
    assert first["report"]["visits"] == 40
    assert second["report"] is None


def test_each_player_sees_what_it_may_know(capsys):
    game = big_two()
    start = begin(game, None, 7)
    _, first, *_, end = printed(capsys, game, players=["uct:5"]).split("\n\nThe others: ")
    hands = [str(hand) for hand in start.hands]
    assert [hand in first for hand in hands].count(True) == 1
    assert "wins. Points of players 1 to " in end


def test_a_game_of_one_player(capsys):
    text = printed(capsys, shut_the_box(), players=["uct:20"])
    assert text.startswith("Shut the Box: player 1 is uct:20.\n\n+---")
    assert "\nRoll " in text
    assert "What player 1 believes\n" in text
    assert text.rstrip().splitlines()[-1].endswith(("Player 1 loses.", "Player 1 wins."))
