"""Charts are files, with everything named that a reader needs."""

import json
import re
import struct
import sys
from math import log, pi
from random import Random

import pytest
from matplotlib.colors import to_hex
from purembts.shell.facts import estimates
from purembts.shell.steps import (
    BANDITS,
    ROUND,
    bandit_runs,
    estimates_of_pi,
    estimates_of_winning,
)

import purembts.shell
from purembts import easy_box
from purembts.bandits import bernoulli, by_bound, experiment, lai_robbins, uniformly
from purembts.records import Record, interval
from purembts.shell import cli
from purembts.shell.cli import run
from purembts.shell.plots import COLOURS, estimate_chart, regret_chart, write_chart

ARMS = (0.75, 0.25)


@pytest.fixture(scope="module")
def curves():
    policies = {"ucb1": by_bound(), "random": uniformly}
    return experiment(policies, [bernoulli(p) for p in ARMS], 100, 5, seed=7)


def texts(path):
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text("utf-8"))


def test_a_chart_of_regret_names_its_lines_and_axes(curves, tmp_path):
    write_chart(tmp_path / "regret.svg", regret_chart(curves, ARMS, 5))
    written = texts(tmp_path / "regret.svg")
    assert {"pulls", "regret: expected pay that was lost", "ucb1", "random"} <= set(written)
    assert {"always right", "always wrong", "uniformly random"} <= set(written)
    assert "Lai and Robbins, in the limit" in written
    assert "2 arms that pay 0.75, 0.25 on average; mean of 5 runs, 95 % intervals" in written


def test_lines_look_different_in_black_and_white(curves):
    [axes] = regret_chart({f"{i}": curves["ucb1"] for i in range(7)}, ARMS, 5).axes
    own = axes.lines[:7]
    assert len({(str(line._dash_pattern), line.get_marker()) for line in own}) == 7


def test_the_lines_of_a_chart_are_the_curves_and_the_references(curves):
    [axes] = regret_chart(curves, ARMS, 5).axes
    lines = {line.get_label(): line for line in axes.lines}
    assert list(lines["ucb1"].get_ydata()) == [0, *curves["ucb1"].mean]
    assert list(lines["always wrong"].get_ydata()) == [0, 50]
    assert list(lines["uniformly random"].get_ydata()) == [0, 25]
    assert list(lines["always right"].get_ydata()) == [0, 0]


def test_there_is_no_bound_where_the_theorem_has_none(curves):
    for means in ((1, 0.5), (0.5, 0.5)):
        [axes] = regret_chart(curves, means, 5).axes
        assert "Lai and Robbins, in the limit" not in {line.get_label() for line in axes.lines}


def test_a_chart_of_an_estimate_has_the_exact_value():
    series = estimates([Record(10, (8,)), Record(100, (75,))], 4)
    assert [one.mean for one in series] == [3.2, 3.0]
    assert series[0][2:] == tuple(4 * end for end in interval(Record(10, (8,))))
    [axes] = estimate_chart(series, pi, "pi", "darts").axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("darts", "pi")
    assert [line.get_label() for line in axes.lines] == ["estimate", "exact value"]
    assert set(axes.lines[1].get_ydata()) == {pi}


def test_a_png_is_a_png_and_a_svg_is_the_same_again(curves, tmp_path):
    chart = regret_chart(curves, ARMS, 5)
    write_chart(tmp_path / "a.PNG", chart)
    assert (tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")
    for name in ("one.svg", "two.svg"):
        write_chart(tmp_path / name, regret_chart(curves, ARMS, 5))
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


@pytest.mark.parametrize("n", [1, 9, 10, 11, 1234])
def test_estimates_grow_to_their_end(n):
    for steps in (
        estimates_of_pi(n, Random(7)),
        estimates_of_winning(n, easy_box, Random(7)),
    ):
        *_, records = steps
        visits = [record.visits for record in records]
        assert visits[-1] == n
        assert visits == sorted(set(visits))
        assert all(str(k).rstrip("0") in {str(r).rstrip("0") for r in ROUND} for k in visits[:-1])


# On the command line


def test_bandit_prints_a_table_and_json(capsys):
    arguments = [
        "bandit",
        "--seed",
        "7",
        "--pulls",
        "200",
        "--runs",
        "3",
        "--means",
        "0.9",
        "0.1",
        "0.5",
    ]
    assert run([*arguments, "--policies", *BANDITS]) == 0
    printed = capsys.readouterr().out
    assert "Regret of 3 arms that pay 0.9, 0.1, 0.5 on average" in printed
    assert all(name in printed for name in BANDITS)
    assert run([*arguments, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["policies"]["ucb1"]["at"][-1] == 200
    expected = experiment(
        {"ucb1": by_bound()}, [bernoulli(p) for p in (0.9, 0.1, 0.5)], 200, 3, seed=7
    )
    assert facts["policies"]["ucb1"]["mean"] == list(expected["ucb1"].mean)
    assert facts["seed"] == 7


def test_one_run_has_no_interval_and_still_is_json(capsys):
    assert run(["bandit", "--seed", "7", "--pulls", "20", "--runs", "1", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert facts["policies"]["ucb1"]["low"] == [None] * 20
    assert run(["bandit", "--seed", "7", "--pulls", "20", "--runs", "1"]) == 0
    assert "inf" not in capsys.readouterr().out


def test_pi_prints_a_table_and_json(capsys):
    assert run(["pi", "--seed", "7", "--darts", "2000"]) == 0
    printed = capsys.readouterr().out
    assert "Pi by 2,000 darts" in printed
    assert "1,000" in printed
    assert run(["pi", "--seed", "7", "--darts", "2000", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["darts"] == 2000
    assert facts["interval"][0] < facts["estimate"] < facts["interval"][1]
    assert facts["estimates"][-1]["mean"] == facts["estimate"]


@pytest.mark.parametrize(
    "command",
    [
        ["bandit", "--pulls", "50", "--runs", "2"],
        ["pi", "--darts", "500"],
        ["simulate", "--games", "500"],
    ],
)
def test_commands_draw_their_charts(command, tmp_path, capsys):
    path = tmp_path / "chart.png"
    assert run([*command, "--seed", "7", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    assert [file.name for file in tmp_path.iterdir()] == ["chart.png"]
    drawn = capsys.readouterr().out
    assert run([*command, "--seed", "7"]) == 0
    assert capsys.readouterr().out == drawn


def test_without_matplotlib_a_line_tells_what_to_install(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "purembts.shell.plots")
    monkeypatch.delattr(purembts.shell, "plots")
    assert run(["pi", "--darts", "50", "--seed", "7", "-o", str(tmp_path / "pi.svg")]) == 1
    assert "a chart needs matplotlib; install it with: pip" in capsys.readouterr().err


def test_an_interrupt_shows_the_runs_that_are_done(monkeypatch, capsys):
    def broken(*args, **options):
        for done in bandit_runs(*args, **options):
            if len(done) == 3:
                raise KeyboardInterrupt
            yield done

    monkeypatch.setattr(cli, "bandit_runs", broken)
    arguments = ["bandit", "--seed", "7", "--pulls", "50", "--runs", "9", "--json"]
    assert run(arguments) == 130
    facts = json.loads(capsys.readouterr().out)
    assert facts["runs"] == 2
    monkeypatch.undo()
    assert run(["bandit", "--seed", "7", "--pulls", "50", "--runs", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == facts


def test_estimates_are_shown_at_ten_round_numbers_for_each_power_of_ten():
    *_, records = estimates_of_winning(2000, easy_box, Random(7))
    marks = [10, 12, 15, 20, 25, 30, 40, 50, 60, 80]
    hundreds, thousands = [10 * mark for mark in marks], [1000, 1200, 1500, 2000]
    assert [record.visits for record in records] == [*marks, *hundreds, *thousands]


@pytest.mark.parametrize(("runs", "bands"), [(1, 0), (2, 2)])
def test_a_chart_of_more_than_one_run_has_intervals(runs, bands):
    policies = {"ucb1": by_bound(), "random": uniformly}
    drawn = experiment(policies, [bernoulli(p) for p in ARMS], 100, runs, seed=7)
    [axes] = regret_chart(drawn, ARMS, runs).axes
    assert len(axes.collections) == bands
    assert f"mean of {runs} run{'s' if runs > 1 else ''}, 95 %" in axes.get_title()
    for band, curve in zip(axes.collections, drawn.values(), strict=False):
        corners = {tuple(corner) for corner in band.get_paths()[0].vertices}
        assert {(0, 0), *zip(curve.at, curve.low, strict=True)} <= corners
        assert {(0, 0), *zip(curve.at, curve.high, strict=True)} <= corners


def test_a_chart_of_regret_shows_all_of_its_curves(curves):
    [axes] = regret_chart(curves, ARMS, 5).axes
    top = max(curve.mean[-1] for curve in curves.values())
    (left, right), (bottom, above) = axes.get_xlim(), axes.get_ylim()
    assert (left, right) == (0, 100)
    assert bottom < 0 < top < above < 1.3 * top
    never = {"right": curves["ucb1"]._replace(mean=(0.0,) * len(curves["ucb1"].at))}
    assert regret_chart(never, ARMS, 5).axes[0].get_ylim()[1] == 1
    for line, curve in zip(axes.lines, curves.values(), strict=False):
        assert line.get_markevery() == (len(curve.at) + 1) // 8
    short = experiment({"ucb1": by_bound()}, [bernoulli(p) for p in ARMS], 3, 5, seed=7)
    assert regret_chart(short, ARMS, 5).axes[0].lines[0].get_markevery() == 1


def test_the_bound_of_lai_and_robbins_is_drawn_from_the_first_pull_to_the_last(curves):
    [axes] = regret_chart(curves, ARMS, 5).axes
    [line] = [line for line in axes.lines if line.get_label().startswith("Lai and Robbins")]
    at, bound = line.get_xdata(), line.get_ydata()
    assert (at[0], at[100], at[-1], len(at)) == (1, 50, 100, 201)
    assert list(bound) == [lai_robbins(ARMS) * log(t) for t in at]


def test_a_chart_of_an_estimate_has_its_intervals_from_the_first_estimate_to_the_last():
    series = estimates([Record(10, (8,)), Record(100, (75,)), Record(200, (160,))])
    [axes] = estimate_chart(series, 0.75, "probability", "games").axes
    assert axes.get_title() == "probability: 0.8 by simulation, exactly 0.75"
    assert axes.get_xscale() == "log"
    assert axes.get_xlim() == (10, 200)
    assert [tuple(point) for point in axes.lines[0].get_xydata()] == [
        (one.games, one.mean) for one in series
    ]
    corners = {tuple(corner) for corner in axes.collections[0].get_paths()[0].vertices}
    assert {(one.games, end) for one in series for end in one[2:]} <= corners
    assert {text.get_text() for text in axes.get_legend().get_texts()} == {
        "95 % interval",
        "estimate",
        "exact value",
    }


def test_the_lines_of_reference_begin_with_no_regret_and_end_with_the_last_pull(curves):
    [axes] = regret_chart(curves, ARMS, 5).axes
    for line in axes.lines[2:5]:
        assert list(line.get_xdata()) == [0, 100]
        assert line.get_ydata()[0] == 0


def test_the_reference_of_three_arms_is_their_mean_and_their_worst():
    means = (0.9, 0.5, 0.1)
    drawn = experiment({"random": uniformly}, [bernoulli(p) for p in means], 10, 3, seed=7)
    [axes] = regret_chart(drawn, means, 3).axes
    ends = {line.get_label(): line.get_ydata()[-1] for line in axes.lines}
    assert ends["always wrong"] == pytest.approx(8)
    assert ends["uniformly random"] == pytest.approx(4)


def test_a_chart_is_drawn_in_a_quiet_way(curves, tmp_path):
    """Bands that are pale, thin lines of reference, a grid in the background."""
    regret = regret_chart(curves, ARMS, 5)
    estimate = estimate_chart(estimates([Record(10, (8,)), Record(100, (75,))]), 1, "p", "games")
    for chart in (regret, estimate):
        assert tuple(chart.get_size_inches()) == (9, 5)
        [axes] = chart.axes
        assert {line.get_alpha() for line in axes.get_xgridlines()} == {0.3}
        assert all(line.get_visible() for line in axes.get_xgridlines())
    assert {band.get_alpha() for band in regret.axes[0].collections} == {0.15}
    assert {tuple(band.get_linewidth()) for band in regret.axes[0].collections} == {(0,)}
    assert [band.get_alpha() for band in estimate.axes[0].collections] == [0.2]
    assert {line.get_linewidth() for line in regret.axes[0].lines[2:]} == {1}
    estimated, exact = estimate.axes[0].lines
    assert (estimated.get_markersize(), exact.get_linewidth()) == (3, 1)
    axes = regret.axes[0]
    corner = axes.transAxes.inverted().transform(axes.get_legend().get_bbox_to_anchor().p0)
    assert tuple(corner) == pytest.approx((1, 1)), "the legend hides the curves"
    write_chart(tmp_path / "chart.png", regret)
    header = (tmp_path / "chart.png").read_bytes()[16:24]
    assert struct.unpack(">II", header) == (1350, 750)


def test_the_curves_have_the_colours_dashes_and_markers_in_turn(curves):
    [axes] = regret_chart({f"{i}": curves["ucb1"] for i in range(8)}, ARMS, 5).axes
    own = axes.lines[:8]
    looks = [(line.get_color(), str(line._dash_pattern), line.get_marker()) for line in own]
    assert [look[0] for look in looks[:7]] == list(COLOURS)
    assert looks[7] == looks[0]
    patterns = [line._unscaled_dash_pattern for line in own[4:7]]
    assert patterns == [(0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 2))]
    bands = axes.collections
    assert [to_hex(band.get_facecolor()[0]) for band in bands[:7]] == list(COLOURS)
