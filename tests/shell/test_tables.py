"""Tables for a person: they fit in a terminal, and one of a thing is in the singular."""

from io import StringIO
from random import Random

from purembts.shell.facts import bandit_facts, estimates, pi_facts, record_facts, search_facts
from purembts.shell.tables import bandit_table, pi_table, search_tables
from rich.console import Console

from purembts import search, start_box
from purembts.bandits import bernoulli, by_bound, curves, runs_of
from purembts.records import Record, interval


def printed(*tables):
    console = Console(width=200, record=True, file=StringIO())
    for table in tables:
        console.print(table)
    return console.export_text()


def test_the_tables_of_a_search_fit_in_80_columns():
    tree = search({}, start_box, 100_000, Random(7))
    text = printed(*search_tables(search_facts(tree, start_box, 2.0), start_box))
    assert "│   2 │      2 │1 3456789 │" in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 80


def test_one_item_is_written_in_the_singular():
    dart = printed(pi_table(pi_facts(estimates([Record(1, (1,))], 4))))
    runs = list(runs_of({"ucb1": by_bound()}, [bernoulli(0.5)], 10, 1, seed=7))
    regret = printed(bandit_table(bandit_facts(curves(runs, 10), [0.5], 10, 1)))
    assert "Pi by 1 dart" in dart.split("┏")[0]
    assert "darts" not in dart.split("┏")[0]
    assert " ".join(regret.split()).startswith("Regret of 1 arm that pays 0.5 on average")
    assert " ".join(regret.split()).endswith("mean of 1 run")


def test_a_record_has_a_mean_from_the_first_visit_on():
    facts = record_facts(Record(1, (1, 0)))
    assert (facts["visits"], facts["scores"], facts["mean"]) == (1, [1, 0], 1)
    assert facts["interval"] == list(interval(Record(1, (1, 0))))
    assert record_facts(Record(0, ())) == {
        "visits": 0,
        "scores": [],
        "mean": None,
        "interval": None,
    }
