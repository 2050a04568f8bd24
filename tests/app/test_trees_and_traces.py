"""The difference of trees at the command line."""

import json
from random import Random

import pytest

from purembts import mcts
from purembts.app.files import save_tree
from purembts.app.game_results import changes_table, parting_table
from purembts.app.terminal import run
from purembts.bounds import ucb1_with
from purembts.differences import Change, difference, first_difference
from purembts.fast import engine
from purembts.games.last_coin import Pile, last_coin
from purembts.games.reversi import reversi
from purembts.records import Record
from purembts.tables import fitting, lines_of


def printed(words, capsys):
    assert run(words) == 0
    return capsys.readouterr().out.splitlines()


# The difference of two trees


@pytest.fixture
def piles(tmp_path):
    """The files of two trees, of which the second one has grown from the first one."""
    game, rng = last_coin(), Random(7)
    before = engine.search(game, {}, game.start, 10, rng)
    after = engine.search(game, before, game.start, 100, rng)
    for name, tree in (("a", before), ("b", after)):
        save_tree(tmp_path / f"{name}.jsonl", game, tree)
    return before, after, [str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")]


def record_of(facts):
    return Record(facts["visits"], tuple(facts["scores"]))


def test_diff_has_all_changes_of_two_files_as_json(piles, capsys):
    before, after, files = piles
    facts = json.loads("\n".join(printed(["diff", *files, "--json"], capsys)))
    found = {
        Pile(*each["position"]): Change(record_of(each["before"]), record_of(each["after"]))
        for each in facts["changes"]
    }
    assert found == difference(before, after)
    grown = [each["after"]["visits"] - each["before"]["visits"] for each in facts["changes"]]
    assert grown == sorted(grown, reverse=True)
    assert facts["new"] == len(after) - len(before) > 0
    assert facts["gone"] == 0
    assert facts["changed"] == len(found) - facts["new"]


def test_equal_trees_have_no_table(piles, capsys):
    _, _, (file, _) = piles
    assert printed(["diff", file, file], capsys) == ["The trees are equal."]


def test_trees_of_two_games_are_refused(piles, tmp_path, capsys):
    _, _, (file, _) = piles
    save_tree(tmp_path / "r.jsonl", reversi(), engine.search(reversi(), {}, reversi().start, 3))
    assert run(["diff", file, str(tmp_path / "r.jsonl")]) == 1
    assert "`game` must be 'Last coin'; got 'Reversi'." in capsys.readouterr().err


def test_a_position_that_is_gone_has_no_mean_after():
    changes = difference({Pile(2): Record(4, (1, 3))}, {Pile(1): Record(3, (3, 0))})
    made = changes_table(changes, last_coin())
    assert made.title == "Last coin: 1 new, 0 changed, 1 gone"
    assert lines_of(made)[1:] == [
        ("2", "1", "4", "0", "0.2500", ""),
        ("1", "1", "0", "3", "", "1.0000"),
    ]
    headings = [column.heading for column in fitting(made, 1).columns]
    assert headings == ["position", "visits before"], "where the terminal is narrow"


def test_a_parting_has_the_records_of_both_searches():
    game = last_coin()
    one, two = (mcts.trees(game, {}, Pile(7), Random(3), bound=ucb1_with(c)) for c in (2, 0.5))
    parting = first_difference(one, two)
    assert parting is not None
    made = parting_table(parting, game)
    assert made.title == f"Last coin: two searches part at dive {parting.dive}"
    counts = [[int(n or 0) for n in row[2:4]] for row in lines_of(made)[1:]]
    assert all(counts)
    assert any(abs(a - b) == 1 for a, b in counts)
