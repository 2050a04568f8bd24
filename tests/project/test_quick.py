"""The quick run has a test of each file; the full run leaves out nothing."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

COLLECT = """
import sys, pytest

class Marks:
    def pytest_collection_finish(self, session):
        for item in session.items:
            print(f"\\n{'slow' if item.get_closest_marker('slow') else 'quick'} {item.nodeid}")

sys.exit(pytest.main(["--collect-only", "--quiet", *sys.argv[1:]], [Marks()]))
"""


def collected(*options):
    """The quick tests and the slow ones that `pytest` would run with these options."""
    finished = subprocess.run(
        [sys.executable, "-c", COLLECT, *options],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line.partition(" ") for line in finished.stdout.splitlines() if "::" in line]
    return [{test for mark, _, test in lines if mark == each} for each in ("quick", "slow")]


@pytest.mark.slow
def test_each_file_has_a_quick_test():
    quick, slow = collected("--full")
    assert slow
    assert files_of(quick) == files_of(quick | slow), "a file has no quick test"


def files_of(tests):
    return {test.split("::")[0] for test in tests}


def test_the_full_run_is_full(request):
    options = request.config.option
    assert settings().max_examples == (50 if options.full else 10)
    assert not (options.full and options.markexpr == "not slow")
