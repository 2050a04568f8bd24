"""The darts of the page: the numbers and the chart of `purembts pi`."""

import re
from functools import partial
from itertools import pairwise
from random import Random
from xml.etree import ElementTree as ET

import pytest

from facade import darts
from facade.darts import MOST_DARTS, MOST_DOTS, page_chart, pi_darts, throws
from purembts.app import estimates
from purembts.app.encoded import encoded
from purembts.app.estimates import pi_result
from purembts.app.steps import records_of
from purembts.pictures.charts import chart
from purembts.records import interval
from purembts.workshop import in_circle, throw_dart


def of_the_command(seed, n):
    """The result of `purembts pi --seed SEED --darts N`."""
    throw = partial(estimates.darts, throw_dart, Random(seed))
    *_, (records, _) = records_of(throw, n)
    return records, pi_result(records)


def shown_after(seed, n):
    """The facts of the page after n darts."""
    return next(pi_darts(seed, n))


@pytest.mark.parametrize(("seed", "n"), [(7, 1), (7, 9), (7, 10), (3, 17), (7, 1000), (5, 43_210)])
def test_the_numbers_and_the_chart_are_those_of_the_command(seed, n):
    records, result = of_the_command(seed, n)
    shown = shown_after(seed, n)
    assert throws(seed, n).records == records
    (low, high), value = result.facts["interval"], result.facts["estimate"]
    assert [low, high] == [4 * end for end in interval(records[-1])]
    assert shown["said"].endswith(f": {value:.5f}, 95 % interval {low:.5f} to {high:.5f}.")
    hits = int(records[-1].scores[0])
    assert shown["lines"][0] == ["inside", f"{hits:,} of {n:,}"]
    assert shown["chart"] == encoded(chart(page_chart(result.chart, n, value)))
    assert shown["table"] == encoded(result.tables[0])


def test_the_steps_of_a_run_do_not_change_the_darts():
    throws.cache_clear()
    steps = list(pi_darts(7, 3, 25_000))[1:]
    assert [step["darts"] for step in steps[:10]] == [4, 5, 6, 7, 8, 9, 10, 20, 50, 100]
    assert [step["darts"] for step in steps[-3:]] == [10_000, 20_000, 25_000]
    throws.cache_clear()
    assert steps[-1] == shown_after(7, 25_000)
    assert steps[2] == shown_after(7, 6)


def test_a_run_ends_at_a_million():
    last = max(step["darts"] for step in pi_darts(7, 990_000, 2 * MOST_DARTS))
    assert last == MOST_DARTS


def test_no_step_has_more_than_a_block_of_darts():
    known = [*[step["darts"] for step in pi_darts(1, 0, 200_000)]]
    assert max(b - a for a, b in pairwise(known)) == darts.BLOCK


def test_the_board_draws_the_darts_where_they_hit():
    shown = shown_after(7, 30)
    rng = Random(7)
    points = [throw_dart(rng) for _ in range(30)]
    root = ET.fromstring(shown["board"]["svg"])
    paths = {each.get("data-darts"): each for each in root.iter() if each.get("data-darts")}
    for name, is_inside in (("inside", True), ("outside", False)):
        expected = [point for point in points if in_circle(point) is is_inside]
        drawn = re.findall(r"M([\d.]+),([\d.]+)h0", paths[name].get("d"))
        assert paths[name].get("data-drawn") == str(len(expected))
        at = [(float(x) / 170 - 1, 1 - float(y) / 170) for x, y in drawn]
        assert at == [pytest.approx(point, abs=1e-4) for point in expected]


def test_the_last_darts_are_those_of_the_generator_also_after_a_block():
    rng = Random(7)
    points = [throw_dart(rng) for _ in range(darts.BLOCK + 500)]
    assert throws(7, len(points)).last == tuple(points[-MOST_DOTS:])


def test_the_board_says_in_words_what_it_shows():
    text = shown_after(7, 1000)["board"]["text"]
    assert text.startswith("A circle in a square. 758 of 1,000 darts hit inside the circle.")
    assert "The last 2,000 are drawn." in shown_after(7, 3000)["board"]["text"]
    assert shown_after(7, 3000)["board"]["svg"].count("h0") == 2000


def test_the_title_does_not_say_that_pi_ends():
    title = shown_after(7, 1000)["chart"]["title"]
    assert title == "By 1,000 darts: 3.032. Pi is 3.14159..."
    assert "exact" not in shown_after(7, 1000)["chart"]["text"]


def test_the_page_says_why_there_are_no_more_darts():
    assert shown_after(7, 100)["full"] == ""
    *_, last = pi_darts(7, MOST_DARTS - 5, MOST_DARTS)
    assert last["full"].startswith("These are 1,000,000 darts, the most on this page.")


def test_no_darts_have_no_estimate():
    shown = shown_after(7, 0)
    assert shown["table"] is shown["chart"] is None
    assert shown["said"] == "No darts so far."
    ET.fromstring(shown["board"]["svg"])


@pytest.mark.parametrize(
    ("seed", "n", "message"),
    [
        (7, MOST_DARTS + 1, "`darts` must be a whole number from 0 to 1000000; got 1000001."),
        (-1, 5, "The seed must be a whole number from 0"),
        (7, 2.5, "`darts` must be a whole number"),
    ],
)
def test_wrong_numbers_are_refused_in_a_sentence(seed, n, message):
    with pytest.raises(ValueError, match=message):
        shown_after(seed, n)
