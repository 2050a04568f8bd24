"""The thoughts, hints and costs of the page are those of the terminal, in short steps."""

import re
import xml.etree.ElementTree as ET
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from random import Random

import pytest

from facade.links import (
    game_of,
    link_of,
    players_of,
    setting_of,
    start_of,
    turns_of,
)
from facade.scenes import table_facts
from facade.thinking import costs, hints, kinds, think
from purembts import exact, win_probability
from purembts.app import clock
from purembts.app import hints as knowing
from purembts.app.players import parts, player_called
from purembts.app.results import report_facts
from purembts.app.sessions import Session, Setting, choices, labels_of
from purembts.app.steps import returned
from purembts.app.turns import one_turn
from purembts.tables import Table

PLAYERS = [
    ("reversi", ("size=6",), "uct:300"),
    ("reversi", (), "flat:90"),
    ("tic-tac-toe", (), "uct:500"),
    ("tic-tac-toe", (), "uct:500,c=0.3"),
    ("tic-tac-toe", (), "perfect"),
    ("gomoku", (), "uct:250"),
    ("mnk", (), "uct:200"),
    ("coins", (), "flat:300"),
    ("coins", (), "random"),
    ("shut-the-box", (), "uct:700"),
    ("big-two", (), "uct:60"),
    ("big-two", (), "flat:100"),
]

OWN = """
from purembts.games.last_coin import last_coin
mine = last_coin()._replace(name="Mine")
"""


def beginning(game, rules=(), moves=3, seed=7, players=()):
    """The link of a game after some random moves, with a choice."""
    link, rng = {"game": game, "rules": list(rules), "seed": seed, "moves": []}, Random(seed)
    link["source"] = OWN if game == "own" else ""
    for _ in range(moves):
        turn = turns_of(link_of(link))[-1]
        labels = labels_of(game_of(link_of(link)), turn)
        after = {**link, "moves": [*link["moves"], labels[int(rng.random() * len(labels))]]}
        if len(turns_of(link_of(after))[-1].moves) < 2:
            break
        link = after
    return {**link, "players": list(players) * len(players_of(link_of(link)))}


def last(steps):
    """The last of `steps`."""
    [*_, end] = steps
    return end


def terminal_move(link, name):
    """The label of the move that the strategy makes at a terminal."""
    found = link_of(link)
    game, turns = game_of(found), turns_of(found)
    player = player_called(game, name, bound=setting_of(found).bound, start=start_of(found))
    setting = Setting(game, found.seed, frozenset(), players={turns[-1].player: player})
    after = returned(one_turn(setting, Session(turns))).turns
    return labels_of(game, turns[-1])[turns[-1].moves.index(after[-1].state)]


# A strategy


@pytest.mark.parametrize(("game", "rules", "name"), PLAYERS)
def test_a_strategy_makes_the_move_that_it_makes_at_a_terminal(game, rules, name):
    link = beginning(game, rules, players=[name])
    steps = list(think(link=link))
    assert steps[-1]["move"] == terminal_move(link, name)
    dives = [step["done"] for step in steps if "done" in step]
    assert all(before <= after for before, after in pairwise([0, *dives]))
    if name.startswith(("uct", "flat:300")):
        assert dives[-1] == int(parts(name)[1])


def test_a_strategy_thinks_about_the_game_of_a_person():
    link = beginning("own", players=["uct:200"])
    steps = list(think(link=link))
    assert steps[-1]["move"] == terminal_move(link, "uct:200")
    assert steps[-1]["done"] == steps[-1]["of"] == 200


@pytest.mark.parametrize("game", ["reversi", "big-two"])
def test_steps_are_short_by_the_clock_and_do_not_change_the_thoughts(game, monkeypatch):
    link = beginning(game, players=["uct:300"])
    usual = last(think(link=link))
    monkeypatch.setattr(clock, "monotonic", partial(next, count()))  # a second for a look
    steps = list(think(link=link))
    dives = [after["done"] - before["done"] for before, after in pairwise(steps[:-1])]
    assert max(dives) <= clock.FEW
    assert steps[-1] == usual


@pytest.mark.parametrize(
    ("game", "name"),
    [
        *(("tic-tac-toe", name) for name in ("uct:300", "flat:300", "perfect")),
        *((game, "uct:300") for game in ("reversi", "gomoku", "shut-the-box", "coins")),
    ],
)
def test_the_numbers_of_the_pictures_are_those_of_the_report(game, name):
    step = last(think(link=beginning(game, moves=2, players=[name])))
    rows = {row["label"]: row for row in step["report"]["moves"]}
    for picture in filter(None, (step["picture"], step["moves"])):
        parts = (each.attrib for each in ET.fromstring(picture["svg"]).iter())
        drawn = {each["data-move"]: each for each in parts if "data-visits" in each}
        assert drawn
        for label, each in drawn.items():
            row = rows[label]
            assert each["data-visits"] == str(row["visits"])
            assert each.get("data-mean") == (None if row["mean"] is None else repr(row["mean"]))


def test_the_thoughts_about_hidden_cards_are_shown_only_where_nobody_plays():
    alone = beginning("big-two", players=["uct:60"])
    steps = list(think(link=alone))
    assert steps[-1]["report"]["moves"]
    assert any(step.get("moves") for step in steps[:-1])
    turn = turns_of(link_of(alone))[-1]
    with_person = {**alone, "players": ["uct:60"] * 4}
    with_person["players"][turn.player - 1] = "person"
    secret = list(think(link=with_person))
    facts = {key for step in secret for key in step if step[key] is not None}
    assert facts - {"kind", "label"} == {"done", "of", "unit", "is_secret", "move"}
    assert secret[-1]["move"] == steps[-1]["move"]


@pytest.mark.parametrize("players", [["person", "uct:100"], ["time:1", "uct:100"]])
def test_only_a_strategy_thinks_and_no_clock_decides(players):
    link = {"game": "reversi", "players": players}
    with pytest.raises(ValueError, match=r"must"):
        list(think(link=link))


def test_a_single_move_needs_no_thought():
    link = {"game": "coins", "start": "1", "players": ["uct:100", "uct:100"]}
    assert last(think(link=link))["move"] == "take 1"


# Hints


def box_links(n):
    """The links of `n` seeded turns of Shut the Box that have a choice."""
    seeds = iter(range(10_000))
    found = []
    while len(found) < n:
        seed = next(seeds)
        link = beginning("shut-the-box", moves=seed % 5, seed=seed, players=["person"])
        if turns_of(link_of(link))[-1].moves:
            found.append(link)
    return found


def test_the_odds_are_win_probability_on_100_turns_of_shut_the_box():
    for link in box_links(100):
        turn = turns_of(link_of(link))[-1]
        step = last(hints(link=link, kind="exact"))
        odds = list(map(win_probability, turn.moves))
        assert [row["exact"]["exactly"] for row in step["report"]["moves"]] == list(map(str, odds))
        for each, row in zip(odds, step["rows"], strict=True):
            assert row["text"] == f"{float(each):.4f} exact"
            assert row["best"] == (each == max(odds))


@pytest.mark.parametrize(
    ("start", "other", "is_told"),
    [("21", "uct:9", True), ("20", "uct:9", False), ("21", "person", False)],
)
def test_a_start_that_is_lost_for_the_person_is_told(start, other, is_told):
    link = {"game": "coins", "start": start, "players": ["person", other]}
    assert ("lost for you" in kinds(link=link)["note"]) == is_told
    assert not kinds(link=beginning("coins", moves=1, players=["person"]))["note"]


@pytest.mark.parametrize(("game", "dives"), [("coins", 10_000), ("reversi", 8_000)])
def test_the_numbers_of_dives_to_choose_are_those_that_hints_make(game, dives):
    page = (Path(__file__).parents[2] / "web/page/play.html").read_text("utf-8")
    options = re.findall(r'<option value="(\d+)"( selected)?>', page)
    offered = kinds(link={"game": game})["dives"]
    assert [int(value) for value, _ in options] == [*offered]
    [usual] = [int(value) for value, is_usual in options if is_usual]
    assert offered[usual] == dives
    step = next(each for each in hints(link={"game": game}, kind="tree") if "of" in each)
    assert step["of"] == dives


def test_pictures_of_exact_hints_have_exact_values_in_the_place_of_means():
    step = last(hints(link=box_links(1)[0], kind="exact"))
    exact = {row["label"]: row["exact"]["exactly"] for row in step["report"]["moves"]}
    for picture in (step["picture"], step["moves"]):
        parts = list(ET.fromstring(picture["svg"]).iter())
        assert not any("visits" in str(each.text) for each in parts if each.tag.endswith("}text"))
        drawn = {each.get("data-move"): each for each in parts}
        assert {label: drawn[label].get("data-exact") for label in drawn if label} == exact


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        ("tic-tac-toe", "random"),
        ("tic-tac-toe", "tree"),
        ("tic-tac-toe", "exact"),
        ("shut-the-box", "random"),
        ("shut-the-box", "tree"),
        ("mnk", "tree"),
        ("coins", "exact"),
        ("big-two", "tree"),
        ("own", "exact"),
    ],
)
def test_the_hints_are_those_of_the_terminal(game, kind, monkeypatch):
    monkeypatch.setattr(knowing, "_HINT_GAMES", 500)
    link = beginning(game, moves=2)
    found = link_of(link)
    turns = turns_of(found)
    link["players"] = ["person"] * len(players_of(found))
    rng = Random(f"7/{len(turns) - 1}/hints")
    setting = Setting(game_of(found), dives=200, bound=setting_of(found).bound)
    known = returned(knowing.knowledge(setting, turns[-1], kind, rng))
    step = last(hints(link=link, kind=kind, dives=200))
    assert step["report"] == report_facts(known)
    assert [row["label"] for row in step["rows"]] == labels_of(game_of(found), turns[-1])


def test_the_usual_kind_is_exact_where_few_positions_follow():
    usual = {game: kinds(link={"game": game})["usual"] for game in ("shut-the-box", "reversi")}
    assert usual == {"shut-the-box": "exact", "reversi": "tree"}


def offered(**link):
    """The names of the kinds of hints of a link."""
    return [each["kind"] for each in kinds(link=link)["kinds"]]


def test_exact_hints_are_offered_where_a_game_is_small_enough():
    all_kinds = ["none", "random", "tree", "exact"]
    for game in ("shut-the-box", "simple-shut-the-box", "coins", "tic-tac-toe"):
        assert offered(game=game) == all_kinds
    for game in ("reversi", "gomoku", "mnk", "big-two"):
        assert offered(game=game) == all_kinds[:-1]
    late = re.findall("..", "e1e4c1a3a2a5d4c5b4e2b1d3a1e3a4")
    assert offered(game="mnk", moves=[*late, "c2"]) == all_kinds


@pytest.mark.parametrize(
    ("game", "kind", "most"),
    [
        ("reversi", "tree", "most visits"),
        ("coins", "random", "best mean"),
        ("shut-the-box", "tree", "best mean"),
    ],
)
def test_hints_name_the_rule_of_the_move_that_they_mark(game, kind, most):
    link = {"game": game, "moves": [], "seed": 5}
    shown = last(hints(link=link, kind=kind, dives=100))
    assert shown["rule"] == f"The move it would play: the one with the {most}."


def test_exact_hints_of_a_large_game_are_a_value_error_after_short_steps(monkeypatch):
    monkeypatch.setattr(exact, "MOST_POSITIONS", 2_000)
    link = beginning("reversi", moves=0, players=["person"])
    with pytest.raises(ValueError, match=r"too large") as error:
        list(hints(link=link, kind="exact"))
    assert str(error.value) == str(exact.not_solvable(game_of(link_of(link))))


@pytest.mark.parametrize("kind", ["exact", "other"])
def test_a_kind_that_a_game_has_not_is_a_value_error(kind):
    link = {"game": "big-two", "players": ["person"] * 4}
    with pytest.raises(ValueError, match=r"`kind` must be one of none, random, tree; got"):
        list(hints(link=link, kind=kind))


def test_no_hints_are_no_steps():
    assert list(hints(link=box_links(1)[0], kind="none")) == []


@pytest.mark.parametrize("kind", ["random", "tree"])
def test_a_single_move_needs_no_search(kind):
    link = {"game": "coins", "start": "1", "players": ["person", "person"]}
    assert list(hints(link=link, kind=kind)) == [{"told": "There is only one move."}]


def test_the_picture_of_moves_has_those_that_a_search_has_tried():
    step = last(hints(link={"game": "mnk"}, kind="tree", dives=200))
    tried = {row["label"] for row in step["report"]["moves"] if row["visits"]}
    assert {*re.findall('data-move="([^"]*)"', step["moves"]["svg"])} == tried
    assert len(tried) < len(step["report"]["moves"])


@pytest.mark.parametrize("game", ["reversi", "shut-the-box"])
def test_a_picture_of_moves_fits_into_a_narrow_page_with_the_same_numbers(game):
    link = {**beginning(game), "players": ["person"] * (2 if game == "reversi" else 1)}
    wide, narrow = (
        last(hints(link=link, kind="tree", dives=100, width=width)) for width in (None, 270)
    )
    drawn = [ET.fromstring(step["moves"]["svg"]) for step in (wide, narrow)]
    assert float(drawn[1].get("width")) <= 270 + 2 * 16 < float(drawn[0].get("width"))
    assert wide["report"] == narrow["report"]
    assert wide["moves"]["text"] == narrow["moves"]["text"]


# Costs


@pytest.mark.parametrize(
    ("game", "moves"),
    [("shut-the-box", 4), ("tic-tac-toe", 7), pytest.param("mnk", 5, marks=pytest.mark.slow)],
)
def test_the_costs_are_those_of_the_terminal(game, moves, monkeypatch):
    monkeypatch.setattr(exact, "MOST_POSITIONS", 6_000)
    link = {**beginning(game, moves=moves, seed=3), "players": []}
    found = link_of(link)
    play, turns, persons = game_of(found), turns_of(found), setting_of(found).persons
    known = knowing.costs(Setting(play, found.seed, persons, bound=setting_of(found).bound), turns)
    *_, expected = [step for step in known if isinstance(step, Table)]
    n, steps = len(choices(turns, persons)), list(costs(link=link))
    assert steps[-1]["table"] == table_facts(expected)
    assert steps[-1]["choices"] == steps[-1]["of_choices"] == n > 0
    tables = [len(step["table"]["columns"][0]["cells"]) for step in steps if "table" in step]
    assert tables == list(range(1, n + 1))


def test_a_game_without_choices_has_no_costs():
    assert list(costs(link={"game": "shut-the-box"})) == []


@pytest.mark.slow
def test_at_most_every_second_short_step_has_a_picture(monkeypatch):
    monkeypatch.setattr(clock, "monotonic", partial(next, count()))  # a second for a look
    own, other = (
        {"game": "reversi", "players": [each, "person"]} for each in ("person", "uct:2000")
    )
    for steps in (think(link=other), hints(link=own, kind="tree", dives=2000)):
        drawn = [bool(step.get("picture")) for step in steps]
        assert len(drawn) > 60
        assert 10 < sum(drawn) <= 1 + len(drawn) // 2
