"""What `learn` says of trees: the same exact values as a table, as JSON and as a chart."""

import json
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from purembts.app import commands
from purembts.app.requests import Learn
from purembts.app.steps import returned
from purembts.bounds import ucb1, ucb1_with
from purembts.curves import curves, learnt_values
from purembts.fast.engine import strides
from purembts.games.last_coin import Pile, last_coin
from purembts.proving import backed_up
from purembts.records import visits
from purembts.tables import fitting, rows_of

REQUEST = Learn("coins", start=("14",), seed=7, dives=(20, 200, 60))
CURVE = Path("curve.svg")


def headings(table):
    return [column.heading for column in table.columns]


def interrupted(work, n):
    """The result of `work` that a person interrupts when `n` readings are done."""
    assert next(step for step in work if step.done >= n)
    with pytest.raises(StopIteration) as stop:
        work.throw(KeyboardInterrupt())
    return stop.value.value


def test_one_seed_has_a_row_for_each_number_of_dives_between_random_and_best_play():
    result, game, start = returned(commands.learn(REQUEST)), last_coin(), Pile(14)
    trees = [*islice(strides(game, {}, start, [20, 40, 140], Random("7/0")), 1, None)]
    learnt = [learnt_values(game, tree, start, final=visits)[0] for tree in trees]
    folded = [learnt_values(game, backed_up(game, tree, start), start)[0] for tree in trees]
    [table] = result.tables
    assert headings(table) == ["tree", "learnt", "backed up"]
    first, *rows, last = rows_of(table)
    assert rows == [
        (f"{dives} dives", f"{float(own):.5f}", f"{float(back):.5f}")
        for dives, own, back in zip((20, 60, 200), learnt, folded, strict=True)
    ]
    by_chance = learnt_values(game, {}, start)[0]
    assert first == ("random play", *[f"{float(by_chance):.5f}"] * 2)
    assert last == ("best play", "1.00000", "1.00000")
    curve = result.facts["curve"]
    assert [point["dives"] for point in curve] == [20, 60, 200]
    for key, values in (("learnt", learnt), ("backed_up", folded)):
        assert [point[key]["mean"] for point in curve] == pytest.approx([*map(float, values)])
        assert {point[key]["interval"] for point in curve} == {None}
    assert result.facts["best_play"] == {"value": 1.0, "exactly": "1"}
    assert result.facts["random_play"]["exactly"] == str(by_chance)
    json.dumps(result.facts)


def test_many_seeds_have_the_curves_of_the_library():
    result = returned(commands.learn(REQUEST._replace(seeds=4)))
    how = {"seed": 7, "start": Pile(14), "final": visits}
    lines = curves(last_coin(), (20, 60, 200), 4, {"learnt": ucb1}, **how)
    for key, (curve, quantiles, worse) in zip(("learnt", "backed_up"), lines.values(), strict=True):
        points = [point[key] for point in result.facts["curve"]]
        assert tuple(point["mean"] for point in points) == curve.mean
        ends = [list(each) for each in zip(curve.low, curve.high, strict=True)]
        assert [point["interval"] for point in points] == ends
        assert [tuple(point["quantiles"].values()) for point in points] == list(quantiles)
        assert tuple(point["worse"] for point in points) == worse
    assert result.facts["seeds"] == 4
    [table] = result.tables
    line = lines["learnt"]
    _, mean, interval, quantiles, *_ = list(rows_of(table))[1]
    assert mean == f"{line.curve.mean[0]:.5f}"
    assert interval == f"{line.curve.low[0]:.5f} to {line.curve.high[0]:.5f}"
    assert quantiles == f"{line.quantiles[0][0]:.5f} to {line.quantiles[0][-1]:.5f}"
    assert headings(fitting(table, 40)) == ["tree", "learnt", "backed up"]
    assert "learnt: the moves with the most visits" in [column.note for column in table.columns]
    assert table.notes == ("the scores are those of player 1 against best play",)


@pytest.mark.parametrize("n", [1, 4])
def test_the_chart_has_more_numbers_of_dives_and_bands_for_many_seeds(n):
    request = REQUEST._replace(seeds=n)
    result = returned(commands.learn(request._replace(output=CURVE)))
    assert [line.name for line in result.chart.lines] == ["learnt", "backed up"]
    first, _ = result.chart.lines
    assert first.x == (1, 2, 5, 10, 20, 50, 60, 100, 200)
    points = [point["learnt"] for point in result.facts["curve"]]
    assert list(first.y) == [point["mean"] for point in points]
    lows = None if n == 1 else tuple(point["quantiles"]["5"] for point in points)
    assert first.low == lows
    assert result.chart.logarithmic
    levels = [(level.name, level.value) for level in result.chart.levels]
    by_chance = result.facts["random_play"]["value"]
    assert levels == [("random play against best play", by_chance), ("best play", 1)]
    assert result.tables == returned(commands.learn(request)).tables


def test_an_interrupt_keeps_the_seeds_that_are_done_or_the_part_of_the_first():
    request = REQUEST._replace(seeds=5)
    result = interrupted(commands.learn(request), 7)
    assert (result.interrupted, result.facts["seeds"]) == (True, 2)
    first = interrupted(commands.learn(request), 2)
    whole = returned(commands.learn(REQUEST))
    assert first.facts["seeds"] == 1
    assert first.facts["curve"] == whole.facts["curve"][:2]
    assert [row[0] for row in rows_of(first.tables[0])][1:-1] == ["20 dives", "60 dives"]
    assert first.chart.lines[0].x == (20, 60)
    with pytest.raises(KeyboardInterrupt):
        interrupted(commands.learn(request), 0)


def test_the_bound_that_is_chosen_is_that_of_the_searches():
    bound = ucb1_with(0.1)
    found = [returned(commands.learn(REQUEST._replace(c=c))).facts["curve"] for c in (0.1, None)]
    how = {"seed": 7, "start": Pile(14), "final": visits}
    line = curves(last_coin(), (20, 60, 200), 1, {"learnt": bound}, **how)["learnt"]
    assert tuple(point["learnt"]["mean"] for point in found[0]) == line.curve.mean
    assert found[0] != found[1]
