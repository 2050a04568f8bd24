"""Ways to run the tests: quick, which is the default, full, and the rest after the quick ones.

`pytest --full` runs every test, with 50 examples of Hypothesis for each law. Without `--full` the
tests marked `slow` are left out, and there are 10 examples. `pytest --rest` runs what differs: the
slow tests, and those of Hypothesis with all examples. `.ci/run` runs the quick tests and then the
rest. None of them has deadlines, which noisy machines miss. On CI the examples are the same every
time, so more of them find nothing new there.
"""

import os
from importlib.util import find_spec

import pytest
from hypothesis import settings

from purembts.fast import compiled

settings.register_profile("full", deadline=None, max_examples=50, derandomize="CI" in os.environ)
settings.register_profile("quick", settings.get_profile("full"), max_examples=10)


def pytest_addoption(parser):
    parser.addoption(
        "--full",
        action="store_true",
        help="run the slow tests as well, and Hypothesis with more examples",
    )
    parser.addoption(
        "--rest",
        action="store_true",
        help="like --full, without the tests that the quick run has in the same form",
    )


def pytest_configure(config):
    config.option.full |= config.option.rest
    settings.load_profile("full" if config.option.full else "quick")
    if not config.option.full and not config.option.markexpr:
        config.option.markexpr = "not slow"


def pytest_collection_modifyitems(config, items):
    if config.option.rest:
        left = [item for item in items if item.get_closest_marker("slow") or has_examples(item)]
        config.hook.pytest_deselected(items=list(set(items).difference(left)))
        items[:] = left


def has_examples(item):
    """True if a test is one of Hypothesis."""
    return getattr(getattr(item, "obj", None), "is_hypothesis_test", False)


@pytest.fixture(scope="module", params=[False, True], ids=["in Python", "compiled"])
def each_form(request):
    """True if small games use compiled loops from the first dive on; False if they never do."""
    if request.param and not find_spec("numba"):
        pytest.skip("numba is not installed")
    before = compiled._patience
    compiled.use_compiled(request.param)
    yield request.param
    compiled._patience = before
