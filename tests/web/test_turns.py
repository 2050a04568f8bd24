"""A turn of the page, in short steps: all that the page shows, and nothing that must be hidden."""

import json
import re
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from random import Random

import pytest

import facade
from facade.links import Link, game_in, link_of, players_in, setting_in, turns_in
from facade.searching import strategy_trees
from facade.turns import move_in_text
from purembts.app import clock
from purembts.app.players import parts, player_called
from purembts.app.positions import labels_of
from purembts.app.sessions import Session, Setting, after_move
from purembts.app.steps import returned
from purembts.app.turns import one_turn
from purembts.loading import GAMES

ROOT = Path(__file__).parents[2]
CARD = re.compile("(?:10|[2-9JQKA])[♣♦♥♠]")
OWN = """
from purembts.games.last_coin import last_coin
mine = last_coin()._replace(name="Mine")
"""


def line_of(game, n, seed=7, **more):
    """The link of a game after `n` random moves, or fewer if it ends."""
    rng, link = Random(f"{game}/{seed}"), Link(game, seed=seed, rules=tuple(more.get("rules", ())))
    setting, turns, moves = setting_in(link), turns_in(link), []
    while len(moves) < n and turns[-1].moves:
        labels = labels_of(setting.game, turns[-1])
        i = int(rng.random() * len(labels))
        turns, moves = after_move(setting, turns, turns[-1].moves[i]), [*moves, labels[i]]
    return {"game": game, "seed": seed, "moves": moves, **more}


def scene(link):
    """The turn of a link, after a way through JSON."""
    return json.loads(next(facade.steps("turn", json.dumps({"link": link}))))


def thoughts(link):
    """The states of the tree of a strategy."""
    return [step for step in strategy_trees(link) if step["kind"] == "tree"]


def seats(game, player):
    """The same player in each seat of a game."""
    return [player] * len(players_in(Link(game)))


# The turn


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("n", [0, 1, 6, 400])
def test_a_turn_of_every_game_has_a_board_or_a_text(game, n):
    link = line_of(game, n, players=seats(game, "person"))
    facts = scene(link)
    assert facts["link"]["moves"] == [move["label"] for move in facts["history"]] == link["moves"]
    whole = game_in(link_of(link)).display.squares is not None
    assert (facts["position"]["rows"] is not None) == whole
    assert facts["position"]["text"]
    assert facts["is_over"] == (not facts["moves"]) == bool(facts["outcome"])


@pytest.mark.parametrize("game", ["shut-the-box", "tic-tac-toe", "reversi"])
def test_a_move_puts_its_sign_into_its_first_square(game):
    link = line_of(game, 1, players=seats(game, "person"))
    for move in scene(link)["moves"]:
        [i, j], *_ = move["squares"]
        after = scene({**link, "moves": [*link["moves"], move["label"]]})["position"]
        assert after["rows"][i][j] == move["sign"]
        assert after["marked"] == move["squares"]


def test_the_squares_of_moves_are_those_that_they_change():
    facts = scene({"game": "shut-the-box", "seed": 7})
    assert facts["event"] == "Roll 7."
    assert {move["label"]: move["squares"] for move in facts["moves"]} == {
        "shut 1+2+4": [[0, 0], [0, 1], [0, 3]],
        "shut 3+4": [[0, 2], [0, 3]],
        "shut 2+5": [[0, 1], [0, 4]],
        "shut 1+6": [[0, 0], [0, 5]],
        "shut 7": [[0, 6]],
    }


def test_a_turn_of_a_strategy_has_no_moves_for_a_person():
    facts = scene({"game": "reversi", "moves": ["d3"], "players": ["person", "uct:9"]})
    assert (facts["strategy"], facts["moves"], facts["is_over"]) == ("UCT with 9 dives", [], False)


def test_undo_goes_back_to_the_last_choice_of_a_person():
    link = {"game": "reversi", "players": ["person", "uct:9"]}
    ways = ([], ["d3"], ["d3", "c3"], ["d3", "c3", "c4"])
    assert [scene({**link, "moves": way})["undo_to"] for way in ways] == [None, 0, 0, 2]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("seat", range(4))
def test_a_turn_of_big_two_has_only_the_cards_of_the_person_and_those_played(seed, seat):
    players = ["random"] * 4
    players[seat] = "person"
    link = line_of("big-two", seed % 7, seed=seed, players=players)
    state = turns_in(Link("big-two", seed=seed, moves=tuple(link["moves"])))[-1].state
    played = {card for label in link["moves"] for card in CARD.findall(label)}
    facts = {key: fact for key, fact in scene(link).items() if key != "about"}
    cards = {*CARD.findall(json.dumps(facts, ensure_ascii=False))}
    assert cards == {*str(state.hands[seat]).split()} | played


def test_a_typed_text_means_a_move():
    assert move_in_text({"game": "shut-the-box", "seed": 7}, " 2+5 ") == "shut 2+5"
    assert move_in_text({"game": "reversi"}, "D3") == "d3"
    with pytest.raises(ValueError, match="z9"):
        move_in_text({"game": "reversi"}, "z9")


@pytest.mark.parametrize("text", ["3♦", "3♦ 3♠", "1", "A♠", "zz"])
def test_a_person_types_no_move_of_another_player(text):
    """Each answer but one and the same would say which cards the other holds."""
    sentence = r"^A typed move must be that of a person; got the turn of Player 3\.$"
    with pytest.raises(ValueError, match=sentence):
        move_in_text({"game": "big-two", "seed": 7}, text)


def test_the_history_says_who_made_each_move():
    facts = scene(line_of("big-two", 4, players=["person", *["random"] * 3]))
    assert [move["who"] for move in facts["history"]] == ["Player 3", "Player 4", "You", "Player 2"]


def test_one_game_hides_information():
    assert [game for game in GAMES if scene({"game": game})["is_hidden"]] == ["big-two"]


def test_the_usual_rules_are_shown():
    assert scene({"game": "reversi", "rules": ["size=6"]})["usual_rules"] == {"size": "8"}


def test_the_example_of_an_own_game_is_that_of_the_docs():
    """The page begins with the code of docs/own_game.md, which a reader may know."""
    code = (ROOT / "web/page/own_game.txt").read_text(encoding="utf-8")
    docs = (ROOT / "docs/own_game.md").read_text(encoding="utf-8")
    lines = {line[4:] for line in docs.splitlines() if line.startswith((">>> ", "... "))}
    functions = re.findall(r"^(?:def|class) .*?(?=\n\n\n)", code, re.MULTILINE | re.DOTALL)
    assert len(functions) == 8
    assert [line for text in functions for line in text.splitlines() if line not in lines] == []
    facts = scene({"game": "own", "source": code})
    assert (facts["title"], len(facts["moves"])) == ("Pig to 10", 2)


def test_the_dice_show_the_roll():
    for seed in range(50):
        facts = scene({"game": "shut-the-box", "seed": seed})
        dice = facts["position"]["dice"]
        assert (len(dice), facts["event"]) == (2, f"Roll {sum(dice)}.")
    assert scene({"game": "coins"})["position"]["dice"] == []


# A strategy


@pytest.mark.parametrize(
    ("game", "rules", "name"),
    [
        ("reversi", ("size=6",), "uct:300"),
        ("tic-tac-toe", (), "uct:500,c=0.3"),
        ("tic-tac-toe", (), "perfect"),
        ("coins", (), "flat:300"),
        ("coins", (), "random"),
        ("own", (), "uct:200"),
        ("shut-the-box", (), "uct:700"),
        ("big-two", (), "uct:60"),
    ],
)
def test_a_strategy_makes_the_move_that_it_makes_at_a_terminal(game, rules, name):
    link = {**line_of("coins" if game == "own" else game, 2, 0, rules=rules), "game": game}
    link |= {"source": OWN if game == "own" else ""}
    whole = link_of(link)
    play, turns = game_in(whole), turns_in(whole)
    player = player_called(play, name, bound=setting_in(whole).bound, start=turns[0].state)
    terminal = Setting(play, whole.seed, frozenset(), players={turns[-1].player: player})
    after = returned(one_turn(terminal, Session(turns))).turns[-1].state
    steps = thoughts({**link, "players": [name] * len(players_in(whole))})
    assert steps[-1]["move"] == labels_of(play, turns[-1])[turns[-1].moves.index(after)]
    dives = [step["dives"] for step in steps]
    assert all(before <= after for before, after in pairwise([0, *dives]))
    if name.startswith(("uct", "flat")):
        assert dives[-1] == int(parts(name)[1])


@pytest.mark.parametrize("game", ["reversi", "big-two"])
def test_steps_are_short_by_the_clock_and_do_not_change_the_thoughts(game, monkeypatch):
    link = line_of(game, 3, players=seats(game, "uct:300"))
    usual = thoughts(link)[-1]
    monkeypatch.setattr(clock, "monotonic", partial(next, count()))  # a second for a look
    steps = thoughts(link)
    dives = [after["dives"] - before["dives"] for before, after in pairwise(steps[:-1])]
    assert max(dives) <= 2 * clock.FEW
    assert steps[-1] == usual
