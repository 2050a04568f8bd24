"""The learner of the page: its trees are those of a search, and its curve is exact."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import facade
from facade import learning
from facade.links import Link, game_of, link_of, start_of, turns_of
from facade.strides import stride_of
from marks import cases
from purembts.app.lessons import final_of
from purembts.app.terminal import run
from purembts.bounds import ucb_wald
from purembts.exact import against_best, solver, uniform
from purembts.fast.engine import search
from purembts.mcts import learnt
from purembts.verify.loading import GAMES

SHUT_THE_BOX = {"game": "shut-the-box"}
TWENTY = {"game": "coins", "start": "20"}


@pytest.fixture(autouse=True)
def _new_learners() -> None:
    learning.forget()


def opened(link: dict[str, Any]) -> tuple[Any, Any]:
    """The game of a link, and the position where it begins."""
    return game_of(link_of(link)), start_of(link_of(link))


def grown(link: dict[str, Any], seed: int, until: int) -> list[dict[str, Any]]:
    """The facts of the trees up to `until` dives, after a way through JSON."""
    steps = facade.steps("grow", json.dumps({"link": link, "seed": seed, "until": until}))
    return list(map(json.loads, steps))


def cells(table: dict[str, Any], heading: str) -> list[str]:
    """The cells below a heading of a table."""
    return next(column["cells"] for column in table["columns"] if column["heading"] == heading)


@pytest.mark.slow
def test_a_young_tree_that_plays_worse_than_random_is_called_so() -> None:
    grown(SHUT_THE_BOX, 7, 10_000)
    game, start = opened(SHUT_THE_BOX)
    said = "a young tree knows little"
    worths = [learning.learning(SHUT_THE_BOX, 7, k) for k in range(1, 30, 4)]
    trees = [search(game, {}, start, each["dives"], Random(7), bound=ucb_wald) for each in worths]
    chance = solver(game, policy=uniform)(start)[0]
    values = [solver(game, policy=learnt(tree))(start)[0] for tree in trees]
    assert [said in each["worth"] for each in worths] == [value < chance for value in values]
    assert {True, False} == {value < chance for value in values}


def test_the_facts_of_tree_k_are_the_records_of_tree_k() -> None:
    grown(SHUT_THE_BOX, 7, 3000)
    game, start = opened(SHUT_THE_BOX)
    turn = turns_of(link_of(SHUT_THE_BOX))[-1]
    for k in (1, 5, 20, 31):
        facts = learning.learning(SHUT_THE_BOX, 7, k)
        tree = search(game, {}, start, facts["dives"], Random(7), bound=ucb_wald)
        visits = [f"{tree[move].visits if move in tree else 0:,}" for move in turn.moves]
        assert cells(facts["moves"], "visits") == visits
        assert (facts["k"], facts["positions"]) == (k, len(tree))


def test_an_old_tree_is_still_there_after_a_thousand_more_dives() -> None:
    grown(SHUT_THE_BOX, 7, 2000)
    before = learning.learning(SHUT_THE_BOX, 7, 12)["moves"]
    grown(SHUT_THE_BOX, 7, 3000)
    assert learning.learning(SHUT_THE_BOX, 7, 12)["moves"] == before
    assert learning.learning(SHUT_THE_BOX, 7)["moves"] != before


def test_a_stop_changes_which_trees_are_kept_but_no_tree() -> None:
    grown(TWENTY, 7, 700)
    whole = learning.tree_lines(TWENTY, 7, 700)
    learning.forget()
    for until in (3, 17, 18, 333, 700):
        grown(TWENTY, 7, until)
    assert learning.tree_lines(TWENTY, 7, 700) == whole


@pytest.mark.parametrize(
    "name",
    cases({n: (n,) for n in GAMES}, slow=("gomoku", "mnk", "reversi", "tic-tac-toe")),
)
def test_the_tree_is_that_of_the_command_search(name: str, tmp_path: Path) -> None:
    dives, saved = 12 if name == "big-two" else 130, tmp_path / "tree.jsonl"
    words = ["search", name, "--seed", "7", "--dives", str(dives), "--save", str(saved)]
    assert run(words) == 0
    assert learning.tree_lines({"game": name, "seed": 7}, 7, dives) == saved.read_text("utf-8")


@pytest.mark.slow
def test_the_curve_has_the_exact_values_of_its_trees() -> None:
    for link in (SHUT_THE_BOX, TWENTY, {"game": "tic-tac-toe"}):
        game, start = opened(link)
        grown(link, 7, 300)
        learner = learning.learner_of(link_of(link), 7)
        assert [learner.ends[k] for k in learner.values][-3:] == [50, 100, 200]
        learning.learning(link, 7, 9)
        assert learner.ends[9] == 12
        for k in list(learner.values)[3:]:
            policy = learnt(learner.trees[k], final=final_of(game))
            value = solver(game, against_best(game.to_move(start), policy))(start)
            assert learner.values[k] == value[game.to_move(start)]


def test_the_curve_has_a_sign_at_the_tree_shown_and_the_levels() -> None:
    grown(SHUT_THE_BOX, 7, 1000)
    svg = learning.learning(SHUT_THE_BOX, 7, 9)["curve"]["svg"]
    assert 'data-line="the tree shown"' in svg
    game, start = opened(SHUT_THE_BOX)
    for value in (solver(game), solver(game, policy=uniform)):
        assert f'data-value="{float(value(start)[0])!r}"' in svg


ENDLESS = """
from purembts.game import Game
mine = Game(
    lambda s, e: (s + 1,), lambda s: (0.5, 0.5), lambda s: 0, name="Mine", start=0
)
"""


def test_a_game_without_an_end_is_a_value_error() -> None:
    link = {"game": "own", "source": ENDLESS}
    assert learning.learns(link) == {"why": None}
    with pytest.raises(ValueError, match="Mine must end within 100,000 turns"):
        learning.learning(link, 7)


def test_a_start_that_is_lost_is_called_lost() -> None:
    words = {start: grown({"game": "coins", "start": start}, 7, 50)[-1] for start in ("20", "21")}
    assert "is lost" in words["21"]["worth"]
    assert "is lost" not in words["20"]["worth"]


@pytest.mark.parametrize("game", ["reversi", "shut-the-box"])
def test_the_bars_take_the_width_of_their_place(game: str) -> None:
    grown({"game": game}, 7, 100)
    bars = learning.learning({"game": game}, 7, width=270)["bars"]["svg"]
    assert float(ET.fromstring(bars).get("width") or 0) <= 270 + 2 * 16


def test_an_empty_tree_has_facts_too() -> None:
    facts = learning.learning(SHUT_THE_BOX, 7)
    assert (facts["k"], facts["dives"], facts["visits"]) == (0, 0, 0)
    assert (facts["worth"], facts["curve"], facts["bars"]) == ("", None, None)
    assert learning.top(SHUT_THE_BOX, 7, 0)["svg"].startswith("<svg")


@pytest.mark.parametrize("pile", [14, 17, 20, 22, 23])
def test_flat_monte_carlo_leads_to_a_losing_move_and_the_tree_does_not(pile: int) -> None:
    link = {"game": "coins", "start": str(pile)}
    facts = grown(link, 7, 3000)[-1]
    flat, tree = learning.compare(link, 7, facts["k"])["words"]
    assert (flat["is_best"], tree["is_best"]) == (False, True)
    assert "worth 0 against best play" in flat["text"]


def test_flat_monte_carlo_is_right_at_nineteen_coins() -> None:
    link = {"game": "coins", "start": "19"}
    assert all(each["is_best"] for each in learning.compare(link, 7, 0)["words"])


def test_the_comparison_has_the_exact_values() -> None:
    table = learning.compare(TWENTY, 7, 0)["table"]
    assert cells(table, "best play") == ["0.0000  ", "1.0000 *"]
    assert cells(table, "flat in the limit") == ["0.5010 *", "0.4993  "]


def test_a_large_game_has_no_curve_and_no_comparison() -> None:
    facts = grown({"game": "reversi"}, 7, 10)[-1]
    assert not facts["is_small"]
    assert learning.learning({"game": "reversi"}, 7)["curve"] is None
    with pytest.raises(ValueError, match="small game"):
        learning.compare({"game": "reversi"}, 7, 1)


def test_a_game_with_hidden_information_says_why_it_has_no_tree() -> None:
    assert "hides information" in learning.learns({"game": "big-two"})["why"]
    assert learning.learns({"game": "reversi"}) == {"why": None}
    for work in (learning.learning, learning.top, learning.compare):
        with pytest.raises(ValueError, match="hides information"):
            work({"game": "big-two"}, 7, 0)
    with pytest.raises(ValueError, match="hides information"):
        next(learning.grow({"game": "big-two"}, 7))


def test_a_large_turn_shows_the_moves_of_the_most_visits() -> None:
    facts = grown({"game": "gomoku"}, 7, 300)[-1]
    assert len(cells(facts["moves"], "visits")) == learning.SHOWN
    assert facts["more_moves"] == 225 - learning.SHOWN


def test_strides_follow_from_the_game() -> None:
    strides = {name: stride_of(Link(name)) for name in GAMES}
    assert strides == {
        "shut-the-box": 1000,
        "simple-shut-the-box": 1000,
        "coins": 500,
        "tic-tac-toe": 1000,
        "gomoku": 50,
        "mnk": 500,
        "reversi": 100,
        "big-two": 100,
    }


def test_a_full_learner_grows_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "MOST_KEPT", 100)
    facts = grown(TWENTY, 7, 10_000)[-1]
    assert facts["is_full"]
    assert facts["dives"] < 100


def test_another_position_of_the_game_has_the_same_trees() -> None:
    grown(TWENTY, 7, 500)
    later = {**TWENTY, "moves": ["take 2", "take 1"]}
    facts = learning.learning(later, 7)
    assert facts["dives"] == 500
    tree = learning.learner_of(link_of(TWENTY), 7).trees[-1]
    assert facts["visits"] == tree[turns_of(link_of(later))[-1].state].visits


def test_exact_worths_are_short() -> None:
    assert [learning._worth(Fraction(x)) for x in ("0", "1/2", "1/3")] == ["0", "1/2", "0.3333"]


def test_all_of_several_best_moves_have_a_mark() -> None:
    table = learning.compare({"game": "tic-tac-toe"}, 7, 0)["table"]
    assert cells(table, "best play") == ["0.5000 *"] * 9
    assert [cell.endswith("*") for cell in cells(table, "flat in the limit")].count(True) == 1
