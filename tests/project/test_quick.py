"""The quick run leaves out the slow tests and nothing else; the full run leaves out nothing."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings


def collected(*options):
    """The tests that `pytest` would run with these options."""
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "--quiet", *options],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    return {line for line in finished.stdout.splitlines() if "::" in line}


@pytest.mark.slow
def test_the_quick_run_leaves_out_the_slow_tests_alone():
    quick, slow, full = collected(), collected("-m", "slow"), collected("--full")
    assert slow
    assert not quick & slow
    assert quick | slow == full
    assert files_of(quick) == files_of(full), "a file has no quick test"


def files_of(tests):
    return {test.split("::")[0] for test in tests}


def test_the_full_run_is_full(request):
    options, usual = request.config.option, settings(settings.get_profile("default")).max_examples
    assert usual == 100
    assert settings().max_examples == (usual if options.full else 10)
    assert not (options.full and options.markexpr == "not slow")
