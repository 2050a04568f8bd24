"""Random games, what trees have learnt, bandits and pi: facts, tables and charts agree."""

import json
from pathlib import Path

import pytest

from purembts import shut_the_box, start_box
from purembts.app import commands
from purembts.app.requests import Learn
from purembts.app.sampled_results import BANDITS, bandit_result, pi_result, simulation_result
from purembts.app.steps import returned
from purembts.bandits import bernoulli, runs_of
from purembts.bounds import ucb1, ucb1_with
from purembts.curves import curves, learnt_values
from purembts.exact import solver
from purembts.games.last_coin import Pile, last_coin
from purembts.records import Record, visits
from purembts.tables import fitting, rows_of
from work import headings, interrupted

COINS, SOME = last_coin(), [Record(9, (4, 5))]


# Random games


def test_the_player_is_named_where_several_move():
    many = simulation_result(COINS, Pile(7), "x", SOME, None)
    assert many.chart.title.startswith("x: mean score of player 1")
    assert headings(many.tables[0]) == ["player", "games", "mean", "95 % interval"]
    assert headings(fitting(many.tables[0], 1)) == ["player", "mean"]
    alone = simulation_result(shut_the_box(), start_box, "x", SOME, None)
    assert headings(alone.tables[0]) == ["games", "mean", "95 % interval"]
    assert alone.facts["random_play"] is None
    exact = simulation_result(COINS, Pile(1, 1), "x", SOME, solver(COINS)(Pile(1, 1)))
    assert headings(exact.tables[0])[-1] == "exact"
    assert exact.chart.levels[0].value == 1, "the player to move takes the last coin"
    assert exact.chart.lines[0].y == (5 / 9,)


# What trees have learnt

REQUEST = Learn("coins", start=("14",), seed=7, dives=(20, 200, 60))
HOW = {"seed": 7, "start": Pile(14), "final": visits}


def test_one_seed_has_a_row_for_each_number_of_dives_between_random_and_best_play():
    result = returned(commands.learn(REQUEST))
    by_chance = learnt_values(COINS, {}, Pile(14))[0]
    lines = curves(COINS, (20, 60, 200), 1, {"learnt": ucb1}, **HOW).lines.values()
    learnt, means = ([float(by_chance), *line.curve.mean, 1] for line in lines)
    [table] = result.tables
    assert headings(table) == ["tree", "learnt", "backed up"]
    names = ("random play", "20 dives", "60 dives", "200 dives", "best play")
    assert [*rows_of(table)] == [
        (name, f"{one:.5f}", f"{two:.5f}")
        for name, one, two in zip(names, learnt, means, strict=True)
    ]
    points = [point[key] for point in result.facts["curve"] for key in ("learnt", "backed_up")]
    assert {point["interval"] for point in points} == {None}
    assert result.facts["best_play"] == {"value": 1.0, "exactly": "1"}
    assert result.facts["random_play"]["exactly"] == str(by_chance)
    json.dumps(result.facts)


def test_many_seeds_have_the_curves_of_the_library():
    result = returned(commands.learn(REQUEST._replace(seeds=4)))
    lines = curves(COINS, (20, 60, 200), 4, {"learnt": ucb1}, **HOW).lines
    for key, (curve, quantiles, worse) in zip(("learnt", "backed_up"), lines.values(), strict=True):
        points = [point[key] for point in result.facts["curve"]]
        assert tuple(point["mean"] for point in points) == curve.mean
        ends = [list(ends) for ends in zip(curve.low, curve.high, strict=True)]
        assert [point["interval"] for point in points] == ends
        assert [tuple(point["quantiles"].values()) for point in points] == list(quantiles)
        assert tuple(point["worse"] for point in points) == worse
    assert result.facts["seeds"] == 4
    [table] = result.tables
    (curve, quantiles, _), digits = lines["learnt"], "{:.5f} to {:.5f}".format
    _, mean, interval, ends, *_ = list(rows_of(table))[1]
    assert (mean, interval) == (f"{curve.mean[0]:.5f}", digits(curve.low[0], curve.high[0]))
    assert ends == digits(quantiles[0][0], quantiles[0][-1])
    assert headings(fitting(table, 40)) == ["tree", "learnt", "backed up"]
    assert "learnt: the moves with the most visits" in [column.note for column in table.columns]
    assert table.notes == ("the scores are those of player 1 against best play",)


@pytest.mark.parametrize("n", [1, 4])
def test_the_chart_has_more_numbers_of_dives_and_bands_for_many_seeds(n):
    request = REQUEST._replace(seeds=n)
    result = returned(commands.learn(request._replace(output=Path("curve.svg"))))
    assert [line.name for line in result.chart.lines] == ["learnt", "backed up"]
    first, _ = result.chart.lines
    assert first.x == (1, 2, 5, 10, 20, 50, 60, 100, 200)
    points = [point["learnt"] for point in result.facts["curve"]]
    assert list(first.y) == [point["mean"] for point in points]
    lows = None if n == 1 else tuple(point["quantiles"]["5"] for point in points)
    assert first.low == lows
    assert result.chart.logarithmic
    by_chance = result.facts["random_play"]["value"]
    levels = [("random play against best play", by_chance), ("best play", 1)]
    assert [(level.name, level.value) for level in result.chart.levels] == levels
    assert result.tables == returned(commands.learn(request)).tables


def test_an_interrupt_keeps_the_seeds_that_are_done_or_the_part_of_the_first():
    request = REQUEST._replace(seeds=5)
    result = interrupted(commands.learn(request), 7)
    assert result.facts["seeds"] == 2
    first = interrupted(commands.learn(request), 2)
    assert first.facts["seeds"] == 1
    assert first.facts["curve"] == returned(commands.learn(REQUEST)).facts["curve"][:2]
    assert [row[0] for row in rows_of(first.tables[0])][1:-1] == ["20 dives", "60 dives"]
    assert first.chart.lines[0].x == (20, 60)
    with pytest.raises(KeyboardInterrupt):
        interrupted(commands.learn(request), 0)


def test_the_bound_that_is_chosen_is_that_of_the_searches():
    result = returned(commands.learn(REQUEST._replace(c=0.1)))
    chosen, usual = (
        curves(COINS, (20, 60, 200), 1, {"learnt": bound}, **HOW).lines["learnt"].curve.mean
        for bound in (ucb1_with(0.1), ucb1)
    )
    assert tuple(point["learnt"]["mean"] for point in result.facts["curve"]) == chosen != usual


# Bandits, and pi


def regret(means, pulls, runs, names=("ucb1", "random")):
    policies = {name: BANDITS[name] for name in names}
    arms = [bernoulli(mean) for mean in means]
    return bandit_result(list(runs_of(policies, arms, pulls, runs, seed=7)), means, pulls)


def test_a_chart_of_regret_has_curves_and_lines_of_reference():
    result = regret((0.75, 0.25), 100, 5)
    lines, curves = {line.name: line for line in result.chart.lines}, result.facts["policies"]
    for name, curve in curves.items():
        assert list(lines[name].y) == [0, *curve["mean"]]
        assert list(lines[name].low) == [0, *curve["low"]]
    top = 1.15 * max(curve["mean"][-1] for curve in curves.values())
    for name, slope in (("always wrong", 0.5), ("uniformly random", 0.25)):
        end = lines[name].x[-1]
        assert lines[name].y[-1] == pytest.approx(slope * end)
        assert end == pytest.approx(min(100, top / slope))
    [name] = [name for name in lines if name.startswith("Lai and Robbins")]
    assert "not a bound" in name
    assert max(lines[name].y) <= top
    assert [level.value for level in result.chart.levels] == [0]


@pytest.mark.parametrize("means", [(1, 0.5), (0.5, 0.5)])
def test_there_is_no_line_of_lai_and_robbins_where_the_theorem_has_none(means):
    assert not any("Lai" in line.name for line in regret(means, 20, 2).chart.lines)


def test_one_run_has_no_interval():
    result = regret((0.6, 0.5), 20, 1)
    assert result.facts["policies"]["ucb1"]["low"] == [None] * 20
    assert all(line.low is None for line in result.chart.lines)
    assert headings(result.tables[0]) == ["policy", "2 pulls", "10 pulls", "20 pulls"]
    assert headings(fitting(result.tables[0], 1)) == ["policy", "20 pulls"]


def test_the_table_says_why_epsilon_may_be_ahead():
    assert len(regret((0.6, 0.5), 20, 2).tables[0].notes) == 1
    for means, is_ahead in (((0.6, 0.5), True), ((1, 0), False)):
        result = regret(means, 1000, 3, ("epsilon", "ucb1"))
        curves, notes = result.facts["policies"], result.tables[0].notes
        assert (curves["epsilon"]["mean"][-1] < curves["ucb1"]["mean"][-1]) == is_ahead
        assert ("it is ahead after about 20,000 pulls" in notes[-1]) == is_ahead


def test_one_item_is_written_in_the_singular():
    table = regret([0.5], 1, 1, ["ucb1"]).tables[0]
    assert table.title == "Regret of 1 arm that pays 0.5 on average"
    assert headings(table) == ["policy", "1 pull"]
    assert table.notes[0].endswith("mean of 1 run")
    assert pi_result([Record(1, (1,))]).tables[0].title == "Pi by 1 dart"
