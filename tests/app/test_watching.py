"""Games that are watched: their turns as text and as JSON."""

import json
from math import sqrt

from purembts.app import terminal
from purembts.app.positions import begin, position_called
from purembts.app.requests import Watch
from purembts.games.big_two import big_two
from purembts.games.last_coin import last_coin
from purembts.games.shut_the_box import shut_the_box
from purembts.loading import GAMES


def printed(capsys, game, players=("uct:40", "random"), **options):
    name = next(name for name, make in GAMES.items() if make().name == game.name)
    assert terminal.perform(Watch(name, seed=7, players=tuple(players), c=sqrt(2), **options)) == 0
    return capsys.readouterr().out


def test_the_json_of_a_turn(capsys):
    """Its fields are in docs/play.md."""
    first, second, *rest = map(json.loads, printed(capsys, last_coin(), json=True).splitlines())
    end = position_called(last_coin(), [rest[-1]["line"]])
    assert last_coin().json.encode(end) == rest[-1]["position"]
    assert first["report"]["visits"] == 40
    assert second["report"] is None


def test_each_player_sees_what_it_may_know(capsys):
    game = big_two()
    start = begin(game, None, 7)
    _, first, *_, end = printed(capsys, game, players=["uct:5"]).split("\n\nThe others: ")
    hands = [str(hand) for hand in start.hands]
    assert [hand in first for hand in hands].count(True) == 1
    assert "wins. Points of players 1 to " in end
    *_, lead, line = end.splitlines()
    assert lead == "The game in one line, for --from with --seed 7:"
    assert not all(position_called(game, [line], 7).hands)


def test_a_game_of_one_player(capsys):
    text = printed(capsys, shut_the_box(), players=["uct:20"])
    assert text.startswith("Shut the Box: player 1 is uct:20.\n\n+---")
    assert "\nRoll " in text
    assert "What player 1 believes\n" in text
    *_, end, _, _, line = text.splitlines()
    assert end.endswith(("Player 1 loses.", "Player 1 wins."))
    assert f"\n{shut_the_box().display.show(position_called(shut_the_box(), [line]))}\n" in text
