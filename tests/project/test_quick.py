"""The quick run has a test of each file; the full run leaves out nothing."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings


def files(*options):
    """The files of the tests that `pytest` would run with these options."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", *options]
    folder = Path(__file__).parents[2]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return {line.partition("::")[0] for line in run.stdout.splitlines() if "::" in line}


@pytest.mark.slow
def test_each_file_has_a_quick_test():
    assert files() == files("--full") != set()


def test_the_full_run_is_full(request):
    options = request.config.option
    assert settings().max_examples == (50 if options.full else 10)
    assert not (options.full and options.markexpr == "not slow")
