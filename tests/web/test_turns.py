"""A turn of the page, in short steps: all that the page shows, and nothing that must be hidden."""

import json
import re
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest

import facade
from facade.links import Link, game_in, link_of, players_in, setting_in, turns_in
from facade.turns import choice_costs, games, kinds, move_in_text, turn
from purembts import exact, win_probability
from purembts.app import clock
from purembts.app.players import parts, player_called
from purembts.app.positions import labels_of
from purembts.app.sessions import Session, Setting
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
    for _ in range(n):
        labels = labels_of(game_in(link), turns_in(link)[-1])
        if labels:
            link = link._replace(moves=(*link.moves, labels[int(rng.random() * len(labels))]))
    return {"game": game, "seed": seed, "moves": list(link.moves), **more}


def scene(link):
    """The turn of a link, after a way through JSON."""
    return json.loads(next(facade.steps("turn", json.dumps({"link": link}))))


def thoughts(link, **more):
    """The steps of a strategy, or of hints, after the turn."""
    return list(turn(link, **more))[1:]


def seats(game, player):
    """The same player in each seat of a game."""
    return [player] * len(players_in(Link(game)))


# The turn


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("n", [0, 1, 6, 400])
def test_a_turn_of_every_game_has_a_picture_with_its_text(game, n):
    link = line_of(game, n, players=seats(game, "person"))
    facts = scene(link)
    assert facts["link"]["moves"] == [move["label"] for move in facts["history"]] == link["moves"]
    root = ET.fromstring(facts["picture"]["svg"])
    assert root[0].text == facts["picture"]["title"]
    assert root[1].text == facts["picture"]["text"]
    assert facts["is_over"] == (not facts["moves"]) == bool(facts["outcome"])


@pytest.mark.parametrize("game", ["shut-the-box", "tic-tac-toe", "gomoku", "reversi"])
def test_each_square_of_a_move_is_in_the_picture_and_in_the_squares(game):
    facts = scene(line_of(game, 1, players=seats(game, "person")))
    squares = re.findall('data-square="([0-9]+,[0-9]+)"', facts["picture"]["svg"])
    rows = facts["squares"]["rows"]
    assert squares == [f"{i},{j}" for i, row in enumerate(rows) for j in range(len(row))]
    names = {f"{i},{j}" for move in facts["moves"] for i, j in move["squares"]}
    assert names
    assert names <= {*squares}


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


def test_the_last_move_is_marked():
    svg = scene({"game": "reversi", "moves": ["d3"]})["picture"]["svg"]
    assert re.findall('data-marked="([^"]*)"', svg) == ["2,3"]


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
    assert facts["players"] == ["a person", *["random moves"] * 3]


def test_the_games_are_listed_with_their_titles():
    titles = {facts["game"]: facts["title"] for facts in games()}
    assert [*titles] == [*GAMES]
    assert titles["big-two"] == "Big Two"
    assert [game for game in GAMES if scene({"game": game})["is_hidden"]] == ["big-two"]


@pytest.mark.parametrize("game", GAMES)
def test_the_usual_rules_can_be_given(game):
    assert scene({"game": "reversi", "rules": ["size=6"]})["usual_rules"] == {"size": "8"}
    rules = [f"{key}={value}" for key, value in scene({"game": game})["usual_rules"].items()]
    assert game_in(Link(game, tuple(rules))).rules == game_in(Link(game)).rules


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
        dice = list(map(int, re.findall('data-die="([1-6])"', facts["picture"]["svg"])))
        assert (len(dice), facts["event"]) == (2, f"Roll {sum(dice)}.")
    assert "data-die" not in scene({"game": "coins"})["picture"]["svg"]


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
    dives = [step["done"] for step in steps if step.get("unit") in ("dives", "games")]
    assert all(before <= after for before, after in pairwise([0, *dives]))
    if name.startswith(("uct", "flat")):
        assert dives[-1] == int(parts(name)[1])


def test_perfect_play_of_a_large_game_is_refused_after_its_board_is_shown():
    steps = turn({"game": "gomoku", "players": ["perfect", "person"]})
    assert next(steps)["kind"] == "shown"
    with pytest.raises(ValueError, match=r"^Gomoku is too large for exact values"):
        next(steps)


@pytest.mark.parametrize("game", ["reversi", "big-two"])
def test_steps_are_short_by_the_clock_and_do_not_change_the_thoughts(game, monkeypatch):
    link = line_of(game, 3, players=seats(game, "uct:300"))
    usual = thoughts(link)[-1]
    monkeypatch.setattr(clock, "monotonic", partial(next, count()))  # a second for a look
    steps = thoughts(link)
    dives = [after["done"] - before["done"] for before, after in pairwise(steps[:-1])]
    assert max(dives) <= clock.FEW
    assert steps[-1] == usual


@pytest.mark.slow
def test_at_most_every_second_short_step_has_a_picture(monkeypatch):
    monkeypatch.setattr(clock, "monotonic", partial(next, count()))  # a second for a look
    mine, other = (
        {"game": "reversi", "players": [player, "person"]} for player in ("person", "uct:2000")
    )
    for steps in (thoughts(other), thoughts(mine, hints="tree", dives=2000)):
        pictures = [bool(step.get("picture")) for step in steps]
        assert len(pictures) > 60
        assert 10 < sum(pictures) <= 1 + len(pictures) // 2


@pytest.mark.parametrize(
    ("game", "name"),
    [
        *(("tic-tac-toe", name) for name in ("uct:300", "flat:300", "perfect")),
        *((game, "uct:300") for game in ("reversi", "gomoku", "shut-the-box", "coins")),
    ],
)
def test_the_numbers_of_the_pictures_are_those_of_the_report(game, name):
    step = thoughts(line_of(game, 2, 0, players=seats(game, name)))[-1]
    rows = {row["label"]: row for row in step["report"]["moves"]}
    for picture in filter(None, (step["picture"], step["moves"])):
        elements = [element.attrib for element in ET.fromstring(picture["svg"]).iter()]
        bars = {bar["data-move"]: bar for bar in elements if "data-visits" in bar}
        assert bars
        for label, bar in bars.items():
            row = rows[label]
            assert bar["data-visits"] == str(row["visits"])
            assert bar.get("data-mean") == (None if row["mean"] is None else repr(row["mean"]))


def test_the_thoughts_about_hidden_cards_are_shown_only_where_nobody_plays():
    link = line_of("big-two", 3, players=["uct:60"] * 4)
    steps = thoughts(link)
    assert steps[-1]["report"]["moves"]
    assert any(step.get("moves") for step in steps[:-1])
    seat = turns_in(link_of(link))[-1].player - 1
    link["players"][seat] = "person"
    secret = thoughts(link)
    keys = ("report", "picture", "moves", "rows")
    assert not any(step.get(key) for step in secret for key in keys)
    assert secret[-1]["move"] == steps[-1]["move"]


# Hints


def test_the_odds_are_win_probability_on_100_turns_of_shut_the_box():
    for seed in range(100):
        link = line_of("shut-the-box", seed % 5, seed)
        moves = turns_in(link_of(link))[-1].moves
        if not moves:
            continue
        step = thoughts(link, hints="exact")[-1]
        odds = list(map(win_probability, moves))
        assert [row["exact"]["exactly"] for row in step["report"]["moves"]] == list(map(str, odds))
        for value, row in zip(odds, step["rows"], strict=True):
            assert row["text"] == f"{float(value):.4f} exact"
            assert row["best"] == (value == max(odds))


@pytest.mark.parametrize(
    ("start", "other", "is_lost"),
    [("21", "uct:9", True), ("20", "uct:9", False), ("21", "person", False)],
)
def test_a_start_that_is_lost_for_the_person_is_told(start, other, is_lost):
    link = {"game": "coins", "start": start, "players": ["person", other]}
    assert ("lost for you" in kinds(link)["note"]) == is_lost
    assert not kinds({**link, "moves": ["take 1"]})["note"]


def test_pictures_of_exact_hints_have_exact_values_in_the_place_of_means():
    step = thoughts(line_of("shut-the-box", 2, 0), hints="exact")[-1]
    values = {row["label"]: row["exact"]["exactly"] for row in step["report"]["moves"]}
    for picture in (step["picture"], step["moves"]):
        elements = list(ET.fromstring(picture["svg"]).iter())
        texts = [str(element.text) for element in elements if element.tag.endswith("}text")]
        assert not any("visits" in text for text in texts)
        bars = {element.get("data-move"): element for element in elements}
        assert {label: bars[label].get("data-exact") for label in bars if label} == values


def kinds_at(**link):
    """The names of the kinds of hints of a link, and the usual one."""
    facts = kinds(link)
    return [kind["kind"] for kind in facts["kinds"]], facts["usual"]


def test_exact_hints_are_offered_where_a_game_is_small_enough():
    names = ["none", "random", "tree", "exact"]
    for game in ("shut-the-box", "simple-shut-the-box", "coins", "tic-tac-toe"):
        assert kinds_at(game=game) == (names, "exact")
    for game in ("reversi", "gomoku", "mnk", "big-two"):
        assert kinds_at(game=game) == (names[:-1], "tree")
    late = re.findall("..", "e1e4c1a3a2a5d4c5b4e2b1d3a1e3a4")
    assert kinds_at(game="mnk", moves=[*late, "c2"]) == (names, "exact")


@pytest.mark.parametrize(
    ("game", "kind", "most"),
    [
        ("reversi", "tree", "most visits"),
        ("coins", "random", "best mean"),
        ("shut-the-box", "tree", "best mean"),
        ("own", "exact", "best mean"),
    ],
)
def test_hints_name_the_rule_of_the_move_that_they_mark(game, kind, most):
    link = {"game": game, "seed": 5, "source": OWN}
    step = thoughts(link, hints=kind, dives=100)[-1]
    is_marked = any(row["learnt"] for row in step["report"]["moves"])
    assert step["rule"] == f"The move it would play: the one with the {most}." * is_marked
    assert [row["label"] for row in step["rows"]] == [m["label"] for m in scene(link)["moves"]]


def test_exact_hints_of_a_large_game_are_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr(exact, "MOST_POSITIONS", 2_000)
    _, step, _ = thoughts({"game": "reversi"}, hints="exact")
    assert step["kind"] == "said"
    assert step["lines"][0].startswith(str(exact.not_solvable(game_in(Link("reversi")))))


@pytest.mark.parametrize("kind", ["none", "random", "tree"])
def test_a_single_move_needs_no_search(kind):
    assert thoughts({"game": "coins", "start": "1"}, hints=kind) == []
    link = {"game": "coins", "start": "1", "players": ["uct:100", "uct:100"]}
    assert thoughts(link)[-1]["move"] == "take 1"


def test_the_picture_of_moves_has_those_that_a_search_has_tried():
    step = thoughts({"game": "mnk"}, hints="tree", dives=200)[-1]
    tries = {row["label"] for row in step["report"]["moves"] if row["visits"]}
    assert {*re.findall('data-move="([^"]*)"', step["moves"]["svg"])} == tries
    assert len(tries) < len(step["report"]["moves"])


@pytest.mark.parametrize("game", ["reversi", "shut-the-box"])
def test_a_picture_of_moves_fits_into_a_narrow_page_with_the_same_numbers(game):
    wide, narrow = (
        thoughts({"game": game}, hints="tree", dives=100, width=width)[-1] for width in (None, 270)
    )
    widths = [float(ET.fromstring(step["moves"]["svg"]).get("width")) for step in (wide, narrow)]
    assert widths[1] <= 270 + 2 * 16 < widths[0]
    assert wide["report"] == narrow["report"]
    assert wide["moves"]["text"] == narrow["moves"]["text"]


# The cost of choices


def test_costs_are_tables_with_the_number_of_choices_between_them():
    steps = list(choice_costs(line_of("shut-the-box", 4, 3)))
    numbers = [step for step in steps if step.get("unit") == "choices"]
    tables = [step for step in steps if step["kind"] == "table"]
    assert [step["done"] for step in numbers] == [*range(numbers[0]["of"] + 1)]
    sizes = [len(table["columns"][0]["cells"]) for table in tables]
    assert sizes == [*range(1, numbers[0]["of"] + 1)]
    assert [step["of"] for step in choice_costs({"game": "shut-the-box"})] == [0]
