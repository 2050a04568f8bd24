"""The learner of the page: its trees are those of a search, and its curve is exact."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from random import Random
from typing import Any

import pytest

import facade
from facade import learning
from facade.links import game_in, link_of, start_position, turns_in
from marks import cases
from purembts.bounds import ucb_wald
from purembts.exact import against_best, solver, uniform
from purembts.fast.engine import search
from purembts.loading import GAMES
from purembts.mcts import final_of, learnt
from purembts.pictures import Picture

SHUT_THE_BOX = {"game": "shut-the-box"}
TWENTY = {"game": "coins", "start": "20"}


@pytest.fixture(autouse=True)
def _new_learners() -> None:
    learning.forget()


def opened(link: dict[str, Any]) -> tuple[Any, Any]:
    """The game of a link, and the position where it begins."""
    return game_in(link_of(link)), start_position(link_of(link))


def grown(link: dict[str, Any], seed: int, until: int) -> list[dict[str, Any]]:
    """The facts of the trees up to `until` dives, after a way through JSON."""
    steps = facade.steps("learner_trees", json.dumps({"link": link, "seed": seed, "until": until}))
    return list(map(json.loads, steps))


def tree_facts(link: dict[str, Any], seed: int, k: int | None = None, **more: Any) -> Any:
    """The facts of tree `k`."""
    return next(learning.learner_trees(link, seed, k, **more))


PHASES = ("Select", "Expand", "Simulate", "Backpropagate")


def tree_tops(facts: dict[str, Any]) -> list[str]:
    """The phases of the dive before a tree, or the sizes of its pictures."""
    titles = [each["title"] for each in facts["tree"]]
    return [re.sub(r"Dive [\d,]+\. (\w+): .*|.*(a tree of .*)", r"\1\2", each) for each in titles]


@pytest.mark.slow
def test_a_young_tree_that_plays_worse_than_random_is_called_so() -> None:
    grown(SHUT_THE_BOX, 7, 10_000)
    game, start = opened(SHUT_THE_BOX)
    said = "a young tree knows little"
    worths = [tree_facts(SHUT_THE_BOX, 7, k) for k in range(1, 30, 4)]
    trees = [search(game, {}, start, each["dives"], Random(7), bound=ucb_wald) for each in worths]
    chance = solver(game, policy=uniform)(start)[0]
    values = [solver(game, policy=learnt(tree))(start)[0] for tree in trees]
    assert [said in each["worth"] for each in worths] == [value < chance for value in values]
    assert {True, False} == {value < chance for value in values}


@pytest.mark.parametrize(
    "name",
    cases(
        {name: (name,) for name in GAMES if name != "big-two"},
        slow=("gomoku", "mnk", "tic-tac-toe"),
    ),
)
def test_each_tree_that_is_kept_is_that_of_the_command_search(name: str) -> None:
    link = {"game": name}
    for until in (3, 17, 18, 130):  # a stop changes no tree
        grown(link, 7, until)
    game, start = opened(link)
    learner = learning.learner_of(link_of(link), 7)
    rounds = [20, 50, 100, 130]
    assert [*learner.trees] == [*range(11), 17, *rounds]  # 17, as one dive came after it
    del learner.trees[0]
    for dives, tree in learner.trees.items():
        assert tree == search(game, {}, start, dives, Random(7), bound=learner.bound)


def test_the_facts_of_tree_k_are_the_records_of_tree_k() -> None:
    grown(SHUT_THE_BOX, 7, 3000)
    game, start = opened(SHUT_THE_BOX)
    turn = turns_in(link_of(SHUT_THE_BOX))[-1]
    for k in (1, 5, 14, 18):
        facts = tree_facts(SHUT_THE_BOX, 7, k)
        tree = search(game, {}, start, facts["dives"], Random(7), bound=ucb_wald)
        drawn = {each.get("data-move"): each for each in ET.fromstring(facts["bars"]["svg"]).iter()}
        for move in turn.moves:
            visits = tree[move].visits if move in tree else 0
            assert drawn[game.display.label(turn.state, move)].get("data-visits") == str(visits)
        tops = tree_tops(facts)
        assert tops == ([*PHASES] if k <= 10 else [f"a tree of {facts['visits']:,} visits"])
        assert (facts["k"], facts["positions"]) == (k, len(tree))


@pytest.mark.parametrize("game", ["reversi", "shut-the-box", "coins"])
@pytest.mark.parametrize("dives", [5, 10, 100])
def test_the_tree_fits_into_its_place(game: str, dives: int) -> None:
    grown({"game": game}, 7, dives)
    for width in (600, 270):
        drawn = tree_facts({"game": game}, 7, width=width)["tree"]
        wide, high = learning.size_of(Picture(*list(drawn[-1].values())[1:]))
        assert wide <= max(1.2 * width + 32, learning.LEAST)
        assert high <= learning.HIGH


def test_a_single_dive_has_its_phases_after_any_number_of_dives() -> None:
    for until in (333, 334, 335):
        grown(SHUT_THE_BOX, 7, until)
    for until, k in ((334, -2), (335, -1)):
        k += len(learning.learner_of(link_of(SHUT_THE_BOX), 7).trees)
        facts = tree_facts(SHUT_THE_BOX, 7, k)
        assert facts["dives"] == until
        assert facts["tree"][0]["title"].startswith(f"Dive {until}. Select: roll ")
    later = {**SHUT_THE_BOX, "moves": ["shut 4"]}
    assert len(tree_facts(later, 7)["tree"]) == 1


@pytest.mark.slow
def test_the_curve_has_the_exact_values_of_its_trees() -> None:
    for link in (SHUT_THE_BOX, TWENTY, {"game": "tic-tac-toe"}):
        game, start = opened(link)
        grown(link, 7, 300)
        learner = learning.learner_of(link_of(link), 7)
        assert list(learner.values)[-3:] == [50, 100, 200]
        tree_facts(link, 7, 9)
        assert [*learner.trees][9] in learner.values
        for dives in list(learner.values)[2:]:
            policy = learnt(learner.trees[dives], final=final_of(game))
            value = solver(game, against_best(game.to_move(start), policy))(start)
            assert learner.values[dives] == value[game.to_move(start)]


def test_the_curve_has_a_sign_at_the_tree_shown_and_the_levels() -> None:
    grown(SHUT_THE_BOX, 7, 1000)
    svg = tree_facts(SHUT_THE_BOX, 7, 9)["curve"]["svg"]
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
    with pytest.raises(ValueError, match="Mine must end within 100,000 turns"):
        grown(link, 7, 1)


def test_a_start_that_is_lost_is_called_lost_and_has_no_curve_which_would_be_flat() -> None:
    words = {start: grown({"game": "coins", "start": start}, 7, 50)[-1] for start in ("20", "21")}
    assert "is lost" in words["21"]["worth"]
    assert "is lost" not in words["20"]["worth"]
    assert [words[start]["curve"] is None for start in ("20", "21")] == [False, True]


@pytest.mark.parametrize("game", ["reversi", "shut-the-box"])
def test_the_bars_take_the_width_of_their_place(game: str) -> None:
    grown({"game": game}, 7, 100)
    bars = tree_facts({"game": game}, 7, width=270)["bars"]["svg"]
    assert float(ET.fromstring(bars).get("width") or 0) <= 270 + 2 * 16


def test_an_empty_tree_has_facts_too() -> None:
    facts = tree_facts(SHUT_THE_BOX, 7)
    assert (facts["k"], facts["dives"], facts["visits"]) == (0, 0, 0)
    assert (facts["curve"], facts["bars"], facts["tree"]) == (None, None, [])


def test_a_large_game_has_no_curve() -> None:
    assert grown({"game": "reversi"}, 7, 10)[-1]["worth"] == ""
    assert tree_facts({"game": "reversi"}, 7)["curve"] is None


def test_a_game_with_hidden_information_has_no_tree() -> None:
    link = {"game": "big-two"}
    with pytest.raises(ValueError, match="no hidden information"):
        tree_facts(link, 7)


def test_a_full_learner_grows_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "LARGEST_TREE", 20)
    facts = grown(TWENTY, 7, 10_000)[-1]
    assert facts["is_full"]
    assert facts["dives"] < 100


def test_another_position_of_the_game_has_the_same_trees() -> None:
    grown(TWENTY, 7, 500)
    later = {**TWENTY, "moves": ["take 2", "take 1"]}
    facts = tree_facts(later, 7)
    assert facts["dives"] == 500
    tree = learning.learner_of(link_of(TWENTY), 7).trees[500]
    assert facts["visits"] == tree[turns_in(link_of(later))[-1].state].visits
