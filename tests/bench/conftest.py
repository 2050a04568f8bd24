"""Ratios of two ways to do the same, taken in one run: alternating rounds, and their median."""

from statistics import median

import pytest

from measured import seconds
from purembts.fast import compiled

FIGURES = []


@pytest.fixture(autouse=True)
def in_python():
    """Dives and random games in pure Python, where a bench says nothing else."""
    before = compiled._patience
    compiled.use_compiled(False)
    yield
    compiled._patience = before


@pytest.fixture
def note(request):
    """A function that keeps a text with the name of the bench, to print it at the end."""
    return lambda text: FIGURES.append(f"{request.node.name.removeprefix('bench_'):64} {text}")


@pytest.fixture
def ratio(note):
    """A function that measures how many times as long `slow` takes as `fast`: at least so many."""

    def measure(slow, fast, at_least, *, rounds=5):
        pairs = [(seconds(slow), seconds(fast)) for _ in range(rounds)]
        times = median(a / b for a, b in pairs)
        one, other = [median(column) * 1e3 for column in zip(*pairs, strict=True)]
        note(f"{times:7.2f} times (at least {at_least:5.2f}); {one:10.2f} ms / {other:9.2f} ms")
        assert times >= at_least

    return measure


@pytest.fixture
def rate(note):
    """A function that measures how often a second something is done: the median of some rounds."""

    def measure(unit, count, work, *, at_least=0, rounds=15):
        work()  # the first round warms the caches
        often = count / median(seconds(work) for _ in range(rounds))
        note(f"{often:,.0f} {unit} a second (at least {at_least:,})")
        assert often >= at_least

    return measure


def pytest_terminal_summary(terminalreporter):
    if FIGURES:
        terminalreporter.section("medians of (alternating) rounds")
    for line in FIGURES:
        terminalreporter.write_line(line)
