"""A scene has all that a page shows, and nothing that a person may not know."""

import json
import re
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest

import facade
from facade.links import Link, game_of, players_of, setting_of, turns_of
from facade.scenes import games, meant, scene
from purembts.app.encoded import _faces
from purembts.app.sessions import labels_of
from purembts.loading import GAMES

ROOT = Path(__file__).parents[2]
CARD = re.compile("(?:10|[2-9JQKA])[♣♦♥♠]")


def line_of(name, n, seed=7, **more):
    """A link after `n` random moves of a game, or fewer if it ends."""
    rng, link = Random(f"{name}/{seed}"), Link(name, seed=seed)
    for _ in range(n):
        labels = labels_of(game_of(link), turns_of(link)[-1])
        if labels:
            link = link._replace(moves=(*link.moves, labels[int(rng.random() * len(labels))]))
    return {"game": name, "seed": seed, "moves": list(link.moves), **more}


def asked(name, **arguments):
    """The answer of the facade, after a way through JSON."""
    return json.loads(next(facade.steps(name, json.dumps(arguments))))


def people(name):
    """A person for each player of a game."""
    return ["person"] * len(players_of(Link(name)))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("n", [0, 1, 6, 400])
def test_a_scene_of_every_game_is_json_with_a_picture_and_its_text(name, n):
    link = line_of(name, n, players=people(name))
    made = asked("scene", link=link)
    assert made["link"]["moves"] == [each["label"] for each in made["history"]] == link["moves"]
    root = ET.fromstring(made["picture"]["svg"])
    assert root[0].text == made["picture"]["title"]
    assert root[1].text == made["picture"]["text"]
    assert made["is_over"] == (not made["moves"]) == bool(made["outcome"])


@pytest.mark.parametrize("name", ["shut-the-box", "tic-tac-toe", "gomoku", "reversi"])
def test_each_square_of_a_move_is_in_the_picture_and_in_the_squares(name):
    made = scene(line_of(name, 1, players=people(name)))
    drawn = re.findall('data-square="([0-9]+,[0-9]+)"', made["picture"]["svg"])
    rows = made["squares"]["rows"]
    assert drawn == [f"{i},{j}" for i, row in enumerate(rows) for j in range(len(row))]
    named = {f"{i},{j}" for move in made["moves"] for i, j in move["squares"]}
    assert named
    assert named <= {*drawn}


def test_the_squares_of_moves_are_those_that_they_change():
    made = scene({"game": "shut-the-box", "seed": 7})
    assert made["event"] == "Roll 7."
    assert {each["label"]: each["squares"] for each in made["moves"]} == {
        "shut 1+2+4": [[0, 0], [0, 1], [0, 3]],
        "shut 3+4": [[0, 2], [0, 3]],
        "shut 2+5": [[0, 1], [0, 4]],
        "shut 1+6": [[0, 0], [0, 5]],
        "shut 7": [[0, 6]],
    }


def test_a_turn_of_a_strategy_has_no_moves_for_a_person():
    made = scene({"game": "reversi", "moves": ["d3"], "players": ["person", "uct:9"]})
    found = (made["strategy"], made["moves"], made["is_over"])
    assert found == ("UCT with 9 dives", [], False)


def test_undo_goes_back_to_the_last_choice_of_a_person():
    link = {"game": "reversi", "players": ["person", "uct:9"]}
    assert scene({**link, "moves": []})["undo_to"] is None
    assert scene({**link, "moves": ["d3"]})["undo_to"] == 0
    assert scene({**link, "moves": ["d3", "c3"]})["undo_to"] == 0
    assert scene({**link, "moves": ["d3", "c3", "c4"]})["undo_to"] == 2


def test_the_last_move_is_marked():
    svg = scene({"game": "reversi", "moves": ["d3"]})["picture"]["svg"]
    assert re.findall('data-marked="([^"]*)"', svg) == ["2,3"]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("seat", range(4))
def test_a_scene_of_big_two_has_only_the_cards_of_the_person_and_those_played(seed, seat):
    players = ["random"] * 4
    players[seat] = "person"
    link = line_of("big-two", seed % 7, seed=seed, players=players)
    state = turns_of(Link("big-two", seed=seed, moves=tuple(link["moves"])))[-1].state
    played = {card for label in link["moves"] for card in CARD.findall(label)}
    shown = {key: fact for key, fact in scene(link).items() if key != "about"}
    seen = {*CARD.findall(json.dumps(shown, ensure_ascii=False))}
    assert seen == {*str(state.hands[seat]).split()} | played


def test_a_typed_text_means_a_move():
    assert meant({"game": "shut-the-box", "seed": 7}, " 2+5 ") == "shut 2+5"
    assert meant({"game": "reversi"}, "D3") == "d3"
    with pytest.raises(ValueError, match="z9"):
        meant({"game": "reversi"}, "z9")


@pytest.mark.parametrize("text", ["3♦", "3♦ 3♠", "1", "A♠", "zz"])
def test_a_person_types_no_move_of_another_player(text):
    """Each answer but one and the same would say which cards the other holds."""
    sentence = r"^A typed move must be that of a person; got the turn of Player 3\.$"
    with pytest.raises(ValueError, match=sentence):
        meant({"game": "big-two", "seed": 7}, text)
    with pytest.raises(ValueError, match="got the turn of Player 2"):
        meant({"game": "reversi", "moves": ["d3"]}, "c3")


def test_the_history_says_who_made_each_move():
    link = line_of("big-two", 4, players=["person", *["random"] * 3])
    made = scene(link)
    assert [each["who"] for each in made["history"]] == ["Player 3", "Player 4", "You", "Player 2"]
    assert made["players"] == ["a person", *["random moves"] * 3]


def test_the_games_are_listed_with_their_rules():
    facts = {each["game"]: each for each in games()}
    assert [*facts] == [*GAMES]
    assert scene({"game": "reversi", "rules": ["size=6"]})["usual_rules"] == {"size": "8"}
    assert facts["big-two"]["title"] == "Big Two"
    assert [each for each in GAMES if scene({"game": each})["is_hidden"]] == ["big-two"]


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_that_are_listed_can_be_given(name):
    rules = [f"{key}={value}" for key, value in scene({"game": name})["usual_rules"].items()]
    if name == "simple-shut-the-box":
        assert rules == []
    assert game_of(Link(name, tuple(rules))).rules == game_of(Link(name)).rules


def test_the_example_of_an_own_game_is_that_of_the_docs():
    """The page begins with the code of docs/own_game.md, which a reader may know."""
    code = (ROOT / "web/page/own_game.txt").read_text(encoding="utf-8")
    docs = (ROOT / "docs/own_game.md").read_text(encoding="utf-8")
    typed = {line[4:] for line in docs.splitlines() if line.startswith((">>> ", "... "))}
    functions = re.findall(r"^(?:def|class) .*?(?=\n\n\n)", code, re.MULTILINE | re.DOTALL)
    assert len(functions) == 8
    missing = [line for each in functions for line in each.splitlines() if line not in typed]
    assert missing == []
    game = game_of(Link("own", source=code))
    assert (game.name, len(scene({"game": "own", "source": code})["moves"])) == ("Pig to 10", 2)


def test_the_faces_show_the_roll():
    for seed in range(50):
        link = Link("shut-the-box", seed=seed)
        dice = _faces(setting_of(link), turns_of(link))
        assert len(dice) == 2
        assert scene({"game": "shut-the-box", "seed": seed})["event"] == f"Roll {sum(dice)}."
    coins = Link("coins")
    assert _faces(setting_of(coins), turns_of(coins)) == ()
