"""Each step as JSON."""

import json
from random import Random

import pytest

from purembts.app.encoded import encoded
from purembts.app.positions import labels_of
from purembts.app.results import Result
from purembts.app.sessions import Session, Setting, after_move, first_turn
from purembts.app.steps import Progress, Question, Said, Shown
from purembts.app.turns import one_turn
from purembts.games.big_two import big_two
from purembts.games.mnk import tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box
from purembts.pictures import Chart, Line
from purembts.players import uct_player
from purembts.tables import Column, Table

GAMES = [tic_tac_toe, reversi(6), shut_the_box(), big_two()]


def setting_of(game, *, persons):
    players = {} if persons else dict.fromkeys(range(4), uct_player(game, 40))
    return Setting(game, 7, frozenset(range(game.players) if persons else ()), players=players)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("persons", [True, False])
def test_each_step_of_a_turn_is_json_that_names_its_type(game, persons):
    setting = setting_of(game, persons=persons)
    start = game.deal(Random(7)) if game.deal else game.start
    session = Session(first_turn(setting, start), "random" if persons else "none")
    shown, kinds = None, []
    for step in one_turn(setting._replace(dives=40), session, due=lambda n, tree: n == 3):
        shown = step if isinstance(step, Shown) else shown
        value = encoded(step, shown)
        kinds.append(json.loads(json.dumps(value))["kind"])
        assert kinds[-1] == type(step).__name__.lower()
        if isinstance(step, Question):
            break
    assert kinds[0] == "shown"
    assert kinds[-1] == ("question" if persons else "moved")
    assert value["move" if not persons else "text"]


def test_the_other_steps_are_json():
    table = Table("A table", (Column("n", ("1", "2"), note="n: a number"),))
    chart = Chart("A chart", "x", "y", (Line("a line", (1, 2), (0.5, 0.6)),))
    result = encoded(Result({"n": 1}, (table,), ("a line",), chart))
    assert result["tables"] == [encoded(table)]
    assert result["chart"] == encoded(chart)
    assert result["facts"] == {"n": 1}
    assert encoded(table)["columns"][0]["cells"] == ["1", "2"]
    assert encoded(table)["notes"] == ["n: a number"]
    assert encoded(chart, width=300)["svg"] != encoded(chart)["svg"]
    assert encoded(Said(("a",), ("b",))) == {"kind": "said", "lines": ("a",), "entries": ("b",)}
    assert encoded(Progress("x", 1, 2, "dives"))["unit"] == "dives"
    with pytest.raises(TypeError, match=r"A step must be of a type in `app\.steps`"):
        encoded("text")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_turn_has_its_history_and_the_way_back(game):
    setting = setting_of(game, persons=True)
    turns = first_turn(setting, game.deal(Random(7)) if game.deal else game.start)
    labels = []
    while turns[-1].moves and len(turns) < 4:
        labels.append(labels_of(game, turns[-1])[0])
        turns = after_move(setting, turns, turns[-1].moves[0])
    facts = encoded(Shown(setting, Session(turns)))
    assert [move["label"] for move in facts["history"]] == labels
    assert facts["undo_to"] == max(n for n, turn in enumerate(turns[:-1]) if len(turn.moves) > 1)
    assert [move["label"] for move in facts["moves"]] == labels_of(game, turns[-1])
