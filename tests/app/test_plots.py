"""Charts in files: SVG without any package, and PNG with matplotlib."""

import struct
import sys
from io import BytesIO

import pytest

import purembts.app
from purembts.app.estimates import BANDITS
from purembts.app.plots import DASHES, MARKERS, figure_of, png
from purembts.app.terminal import run
from purembts.pictures.charts import COLOURS, Chart, Level, Line

LINES = tuple(Line(f"line {i}", (1, 2, 3), (i, i + 1, i), (0, 0, 0), (9, 9, 9)) for i in range(8))
CHART = Chart("A title", "pulls", "regret", LINES, (Level("exact", 0.5), Level("best", 0.7)))


def test_a_figure_has_the_lines_and_levels_of_its_chart():
    [axes] = figure_of(CHART).axes
    assert (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == (
        "A title",
        "pulls",
        "regret",
    )
    for drawn, line in zip(axes.lines, LINES, strict=False):
        assert drawn.get_label() == line.name
        assert [tuple(point) for point in drawn.get_xydata()] == list(
            zip(line.x, line.y, strict=True)
        )
    assert [line.get_label() for line in axes.lines[8:]] == ["exact", "best"]
    assert [set(line.get_ydata()) for line in axes.lines[8:]] == [{0.5}, {0.7}]
    assert len(axes.collections) == 8
    for band, line in zip(axes.collections, LINES, strict=True):
        corners = {tuple(corner) for corner in band.get_paths()[0].vertices}
        assert {
            *zip(line.x, line.low, strict=True),
            *zip(line.x, line.high, strict=True),
        } <= corners


def test_eight_lines_look_different_in_black_and_white_and_in_colour():
    assert len(BANDITS) == len(DASHES) == len(MARKERS) == 8
    [axes] = figure_of(CHART).axes
    looks = [(str(line._unscaled_dash_pattern), line.get_marker()) for line in axes.lines[:8]]
    assert len(set(looks)) == 8
    assert [line.get_color() for line in axes.lines[:7]] == list(COLOURS)


def test_intervals_and_a_logarithmic_axis_are_drawn_if_the_chart_has_them():
    plain = CHART._replace(lines=(Line("one", (1, 10, 100), (1, 2, 3)),), logarithmic=True)
    [axes] = figure_of(plain).axes
    assert (axes.get_xscale(), len(axes.collections)) == ("log", 0)
    assert figure_of(CHART).axes[0].get_xscale() == "linear"


def test_the_legend_is_below_the_axes_and_small():
    figure = figure_of(CHART)
    figure.savefig(BytesIO())
    [legend], [axes] = figure.legends, figure.axes
    boxes = legend.get_window_extent(), axes.get_window_extent()
    assert boxes[0].y1 <= boxes[1].y0
    assert boxes[1].height > 0.65 * figure.bbox.height
    assert len(legend.get_texts()) == 10


def test_a_png_is_a_png():
    data = png(CHART)
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (1350, 900)


# On the command line


@pytest.mark.parametrize("end", [pytest.param("png", marks=pytest.mark.slow), "SVG"])
@pytest.mark.parametrize(
    "command",
    [
        ["bandit", "--pulls", "50", "--runs", "2"],
        ["pi", "--darts", "500"],
        ["simulate", "--games", "500"],
        ["simulate", "reversi", "--games", "9", "--most-positions", "9"],
        ["learn", "coins", "--games", "9", "--dives", "100"],
    ],
)
def test_commands_draw_their_charts(command, end, tmp_path, capsys):
    path = tmp_path / f"chart.{end}"
    assert run([*command, "--seed", "7", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(b"\x89PNG" if end == "png" else b"<svg")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    drawn = capsys.readouterr().out
    assert run([*command, "--seed", "7"]) == 0
    assert capsys.readouterr().out == drawn


def test_without_matplotlib_a_svg_is_drawn_and_a_png_says_what_to_install(
    monkeypatch, tmp_path, capsys
):
    for name in ("matplotlib", "matplotlib.axes", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "purembts.app.plots")
    monkeypatch.delattr(purembts.app, "plots")
    words = ["pi", "--darts", "50", "--seed", "7", "-o"]
    assert run([*words, str(tmp_path / "pi.svg")]) == 0
    assert capsys.readouterr().err == ""
    assert run([*words, str(tmp_path / "pi.png")]) == 1
    assert "a .png needs matplotlib" in capsys.readouterr().err
