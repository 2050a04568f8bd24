"""The report of a turn has the numbers of the records, and every rendering has its numbers."""

import json
from random import Random

import pytest

from purembts.app.results import report_facts
from purembts.bounds import ucb1, ucb_wald
from purembts.exact import solver
from purembts.fast.engine import search
from purembts.game import turn_at
from purembts.games.last_coin import Pile, last_coin
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.mcts import learnt
from purembts.proving import backed_up
from purembts.records import Record, interval, mean, visits
from purembts.report import report, reports, table
from purembts.tables import as_text


def text(known, width=80):
    """The table of a report, or of several."""
    return as_text(table(known), width)


COINS = last_coin()
GOLDEN = """
{"game": "Last coin", "rules": {"takes": [1, 2], "misere": false}, "score_range": [0, 1],
 "text": "oooo\\n4 coins; player 1 takes", "position": [4, 0], "event": null, "player": 0,
 "scores": [16, 4], "visits": 20, "mean": 0.8, "interval": [0.583978, 0.919344],
 "bound": "UCB1", "moves": [
{"label": "take 1", "position": [3, 1], "visits": 15, "mean": 0.933333,
 "interval": [0.701829, 0.988133], "bound": 1.559905, "exploit": 0.933333,
 "explore": 0.626572, "learnt": true, "exact": {"value": 1.0, "exactly": "1"}, "best": true},
{"label": "take 2", "position": [2, 1], "visits": 4, "mean": 0.5,
 "interval": [0.150036, 0.849964], "bound": 1.713351,
 "exploit": 0.5, "explore": 1.213351, "learnt": false, "exact": {"value": 0.0, "exactly": "0"},
 "best": false}]}
"""


def coins_report(**options):
    tree = {
        Pile(4): Record(20, (16, 4)),
        Pile(3, 1): Record(15, (14, 1)),
        Pile(2, 1): Record(4, (2, 2)),
    }
    return report(COINS, turn_at(COINS, Pile(4), None), tree, **options)


def test_the_json_of_a_report_is_stable():
    """A change here changes docs/prompt.md, and breaks the programs that read it.

    Numbers have 6 digits here, which are the same on every platform.
    """
    text = json.dumps(report_facts(coins_report(value=solver(COINS))), allow_nan=False)
    rounded = json.loads(text, parse_float=lambda digits: round(float(digits), 6))
    assert json.dumps(rounded) == json.dumps(json.loads(GOLDEN))


@pytest.mark.parametrize("bound", [ucb1, ucb_wald])
@pytest.mark.parametrize("final", [mean, visits])
def test_a_row_has_the_numbers_of_its_record(bound, final):
    game, turn = shut_the_box(), turn_at(shut_the_box(), full_box(), 9)
    tree = search(game, {}, full_box(), 200, Random(7), bound=bound)
    known = report(game, turn, tree, bound=bound, final=final)
    total = sum(tree[move].visits for move in turn.moves)
    for row, move in zip(known.rows, turn.moves, strict=True):
        record = tree[move]
        assert (row.move, row.visits, row.mean) == (move, record.visits, mean(record))
        assert row.interval == interval(record)
        assert row.bound == bound(record.scores[0], record.visits, total)
        assert row.exploit == mean(record)
    assert [row.move for row in known.rows if row.learnt] == list(learnt(tree, final=final)(turn))


@pytest.mark.parametrize(
    ("bound", "name", "limit"),
    [(ucb_wald, "the workshop's bound", "0.0641"), (ucb1, "UCB1", "0.3335")],
)
def test_a_report_names_the_bound_of_its_search(bound, name, limit):
    """The two bounds of one record differ so much that a table has to say which it shows."""
    game, turn = shut_the_box(), turn_at(shut_the_box(), full_box(), 2)
    tree = {turn.state: Record(101, (3, 98)), turn.moves[0]: Record(100, (3, 97))}
    known = report(game, turn, tree, bound=bound)
    assert known.bound == report_facts(known)["bound"] == name
    assert f"bound: {name}" in text(known, 100).splitlines()
    assert limit in text(known, 100)
    assert "bound" not in text(known, 60), "without the column there is no note"
    assert report_facts(report(game, turn, {}))["bound"] is None, (
        "without a search there is no bound"
    )


def test_the_events_are_in_order_and_each_has_its_report():
    game = shut_the_box()
    many = reports(game, frozenset({1, 9}), {})
    assert [each.turn.event for each in many] == list(range(2, 13))
    assert [len(each.rows) for each in many] == [0] * 7 + [1, 1, 0, 0]
    lines = text(many, 60).splitlines()
    assert sum("no move" in line for line in lines) == 9
    assert [each.turn.event for each in reports(COINS, Pile(3), {})] == [None]


def test_a_report_of_means_that_are_backed_up_has_no_intervals():
    levers, game = frozenset({1, 2, 4, 5, 7, 9}), shut_the_box()
    turn, tree = turn_at(game, levers, 7), search(game, {}, levers, 300, Random(7))
    means = backed_up(game, tree, levers)
    known = report(game, turn, means, is_backed_up=True)
    assert {row.interval for row in known.rows} | {known.interval} == {None}
    assert known.mean == mean(means[levers])
    said = "mean: backed up from the moves that follow, an estimate"
    assert text(known).splitlines().count(said) == 1
    assert "95 %" not in text(known)
    assert said not in text(report(game, turn, tree)), "means of games"
