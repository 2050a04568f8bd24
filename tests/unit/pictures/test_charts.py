"""Charts as SVG: well-formed, with the numbers of the lines, and with lines that look different."""

import re
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pictures.test_pictures import SVG, parsed
from purembts.pictures.charts import Chart, Level, Line, _decades, _plot_of, chart, ticks
from purembts.pictures.svg import _NOT_IN_XML

FINITE = st.floats(-1e9, 1e9, allow_subnormal=False)


def lines_in(root):
    """The points of each line, by its name."""
    groups = [group for group in root.iter(f"{SVG}g") if group.get("data-line") is not None]
    return {group.get("data-line"): points(group.find(f"{SVG}path")) for group in groups}


def points(path):
    return [
        tuple(map(float, pair.split(",")))
        for pair in re.findall(r"-?[\d.]+,-?[\d.]+", path.get("d"))
    ]


def test_a_logarithmic_axis_of_one_number_begins_at_it():
    plot = _plot_of(Chart("", "dives", "", [Line("a", [1], [0])], logarithmic=True))
    assert plot.x(1) == 0
    assert plot.across == (1, 2, 5, 10)


def test_an_axis_of_one_number_has_it_in_the_middle():
    plot = _plot_of(Chart("", "pulls", "", [Line("a", [5], [0])]))
    assert plot.x(5) == plot.long / 2


def test_lines_and_the_areas_of_their_intervals_have_the_points_of_the_chart():
    line = Line("a", [0, 1, 2], [1, 2, 3], [0, 1, 2], [2, 4, 5])
    given_chart = Chart("", "", "", [line, Line("b", [0, 2], [4, 3])], [Level("best", 3.5)])
    plot, root = _plot_of(given_chart), parsed(chart(given_chart))
    [area] = [path for path in root.iter(f"{SVG}path") if path.get("fill-opacity")]
    drawn = {**lines_in(root), "area": points(area)}
    assert drawn.keys() == {"a", "b", "area"}
    wanted = {"a": [(0, 1), (1, 2), (2, 3)], "b": [(0, 4), (2, 3)]}
    wanted["area"] = [(0, 2), (1, 4), (2, 5), (2, 2), (1, 1), (0, 0)]
    for name, corners in wanted.items():
        places = [pytest.approx((plot.x(x), plot.y(y)), abs=0.01) for x, y in corners]
        assert drawn[name] == places


@pytest.mark.parametrize(
    ("line", "logarithmic", "message"),
    [
        (Line("a", [1, 2], [1]), False, "the same length"),
        (Line("a", [1, 2], [1, 2], [1], [2]), False, "the same length"),
        (Line("a", [1, 2], [1, nan]), False, "must be finite; got nan"),
        (Line("a", [1, 2], [1, 2], [0, 0], [1, inf]), False, "must be finite; got inf"),
        (Line("a", [2, 1], [1, 2]), False, "in ascending order"),
        (Line("a", [0, 1], [1, 2]), True, "above 0 on a logarithmic axis; got 0"),
    ],
)
def test_a_line_or_a_level_without_a_place_is_an_error(line, logarithmic, message):
    with pytest.raises(ValueError, match=message):
        chart(Chart("", "", "", [line], logarithmic=logarithmic))
    with pytest.raises(ValueError, match="'best' must be finite; got inf"):
        chart(Chart("", "", "", [], [Level("best", inf)]))


@given(FINITE, FINITE)
def test_ticks_are_round_numbers_in_order(a, b):
    low, high = min(a, b), max(a, b)
    inside, outside = ticks(low, high), ticks(low, high, outside=True)
    assert list(outside) == sorted(set(outside))
    assert outside[0] <= low + 1e-6 * (high - low)
    assert outside[-1] >= high - 1e-6 * (high - low)
    assert 2 <= len(outside) <= 9
    assert set(inside) <= set(outside) or low == high


@given(st.floats(1e-6, 1e12), st.floats(1.01, 1e12))
def test_decades_lie_within_the_axis(low, factor):
    marks = _decades(low, low * factor)
    assert 1 <= len(marks) <= 10
    assert all(low * 0.99 <= mark <= low * factor * 1.01 for mark in marks)


LINES = st.lists(
    st.builds(
        lambda name, pairs: Line(name, *zip(*sorted(pairs), strict=True)),
        st.text(),
        st.lists(st.tuples(FINITE, FINITE), min_size=1, max_size=5),
    ),
    max_size=9,
)


@given(
    st.text(),
    st.text(),
    st.text(),
    LINES,
    st.lists(st.builds(Level, st.text(), FINITE), max_size=4),
)
def test_any_chart_is_well_formed(title, x, y, lines, levels):
    root = parsed(chart(Chart(title, x, y, lines, levels)))
    assert len([g for g in root.iter(f"{SVG}g") if g.get("data-line") is not None]) == len(lines)
    cleaned = _NOT_IN_XML.sub("\ufffd", title).replace("\r\n", "\n").replace("\r", "\n")
    assert (root.find(f"{SVG}title").text or "") == cleaned
