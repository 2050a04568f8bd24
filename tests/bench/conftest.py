"""Ratios of two ways to do the same, taken in one run: alternating rounds, and their median."""

import gc
import statistics
import time

import pytest

RATIOS = []


def seconds(work):
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


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


def pytest_terminal_summary(terminalreporter):
    if not RATIOS:
        return
    terminalreporter.section("ratios, medians of alternating rounds")
    for name, median, at_least, slow, fast in RATIOS:
        terminalreporter.write_line(
            f"{name:48} {median:7.2f} times (at least {at_least:5.2f}); "
            f"{slow * 1e3:10.2f} ms / {fast * 1e3:9.2f} ms"
        )
