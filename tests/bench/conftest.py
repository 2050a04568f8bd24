"""Ratios of two ways to do the same, taken in one run: alternating rounds, and their median."""

import statistics

import pytest

from measured import seconds

RATIOS = []
RATES = []


@pytest.fixture
def ratio(benchmark, request):
    """A function that measures how many times as long `slow` takes as `fast`: at least so many."""

    def measure(slow, fast, at_least, *, rounds=5):
        pairs = []
        benchmark.pedantic(lambda: pairs.append((seconds(slow), seconds(fast))), rounds=rounds)
        median = statistics.median(a / b for a, b in pairs)
        times = [statistics.median(column) for column in zip(*pairs, strict=True)]
        benchmark.extra_info["ratio"] = median
        RATIOS.append((request.node.name.removeprefix("bench_"), median, at_least, *times))
        assert median >= at_least

    return measure


@pytest.fixture
def rate(benchmark, request):
    """A function that measures how often a second something is done: the median of some rounds."""

    def measure(what, count, work, *, at_least=0, rounds=15):
        times = []
        benchmark.pedantic(lambda: times.append(seconds(work)), rounds=rounds, warmup_rounds=1)
        often = count / statistics.median(times[1:])
        benchmark.extra_info["rate"] = often
        RATES.append((request.node.name.removeprefix("bench_"), often, what, at_least))
        assert often >= at_least

    return measure


def pytest_terminal_summary(terminalreporter):
    if RATIOS:
        terminalreporter.section("ratios, medians of alternating rounds")
    for name, median, at_least, slow, fast in RATIOS:
        terminalreporter.write_line(
            f"{name:64} {median:7.2f} times (at least {at_least:5.2f}); "
            f"{slow * 1e3:10.2f} ms / {fast * 1e3:9.2f} ms"
        )
    for name, often, what, at_least in RATES:
        terminalreporter.write_line(
            f"{name:64} {often:,.0f} {what} a second (at least {at_least:,})"
        )
