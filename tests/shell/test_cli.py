"""The command line, in processes of its own."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from purembts import best_move_table_string
from purembts.shell import cli, commands

QUICK = ["--games", "300", "--dives", "100", "200", "--seed", "7"]


def run(*arguments, python=("-m", "purembts"), **environment):
    return subprocess.run(
        [sys.executable, *python, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
    )


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "purembts", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_learn_shows_the_search_beside_the_exact_answer(tmp_path):
    path = tmp_path / "table.txt"
    told = run("learn", *QUICK, "-o", str(path))
    assert told.returncode == 0
    assert told.stderr == ""
    rows = [re.split(r"\s*│\s*", line)[1:-1] for line in told.stdout.splitlines() if "│" in line]
    assert [row[0] for row in rows] == [
        "random moves, 300 games",
        "random moves, a crowd of 10^12",
        "UCT, 100 dives",
        "UCT, 200 dives",
        "best play",
    ]
    assert [row[3] for row in rows] == ["0.02039", "0.02039", rows[2][3], rows[3][3], "0.07143"]
    assert rows[1][1:3] == ["0.02039", "0.02039 to 0.02039"], "a crowd pins the exact value"
    assert all(re.fullmatch(r"0\.\d{5} to 0\.\d{5}", row[2]) for row in rows[:4])
    assert path.read_text() == best_move_table_string()
    assert run("learn", *QUICK).stdout == told.stdout, "the same seed, another answer"
    assert run("learn", *QUICK[:-1], "8").stdout != told.stdout


def test_a_seed_that_was_not_given_is_told():
    told = run("learn", *QUICK[:-2])
    seed = re.fullmatch(r"--seed (\d+)\n", told.stderr).group(1)
    assert run("learn", *QUICK[:-1], seed).stdout == told.stdout


def test_the_rows_are_what_the_prompt_gives():
    from random import Random

    from purembts import learnt_probability, search, simulate, simulate_crowd, start_box

    *_, (rows, grown) = commands.learn(games=300, dives=[200, 100], z=2.0, seed=7)
    tree = search({}, start_box, 200, Random("7/dives"))
    assert rows[0].record == simulate(300, rng=Random("7/random play"))
    assert rows[1].record == simulate_crowd(10**12, rng=Random("7/crowd"))
    assert rows[2].record.visits == 100
    assert (rows[3].record, rows[3].exact) == (tree[start_box], learnt_probability(tree))
    assert grown == tree


def test_big_numbers_are_done_in_steps():
    assert commands._steps(12_000) == [5000, 5000, 2000]
    assert commands._steps(1) == [1]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "COMMAND"),
        (["fly"], "invalid choice: 'fly'"),
        (["learn", "--dives", "0"], "the number is 0; it has to be a whole number of at least 1"),
        (["learn", "--dives", "1e3"], "the number is '1e3'; it has to be a whole number"),
        (["learn", "--games", "-5"], "the number is -5; it has to be a whole number"),
        (["learn", "--z", "nan"], "z is nan; it has to be a finite number of at least 0"),
        (["learn", "--z=-1"], "z is -1.0; it has to be a finite number of at least 0"),
        (["learn", "--z", "two"], "z is 'two'; it has to be a finite number of at least 0"),
        (["learn", "--seed", "x"], "the seed is 'x'; it has to be a whole number"),
        (["learn", "-o", ""], "the name of the file is empty"),
        (["learn", "-o", "/none/table.txt"], "/none is not a folder"),
        (["learn", "--fly"], "unrecognized arguments: --fly"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(arguments, told):
    answer = run(*arguments)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert told in answer.stderr
    assert answer.stderr.startswith("purembts")
    assert answer.stderr.count("\n") == 1
    assert answer.stderr.endswith("--help tells more)\n")


def test_without_rich_it_is_said_what_to_install():
    """The import system is told that there is no rich; the package itself does not need it."""
    hide = "import sys; sys.modules['rich'] = None; import purembts; "
    ran = "from purembts.__main__ import main; sys.exit(main())"
    answer = run("learn", python=("-c", hide + ran))
    assert answer.returncode == 2
    assert answer.stderr == (
        "purembts: the command line needs rich: python -m pip install 'purembts[cli]'\n"
    )


def test_help_has_an_example():
    answer = run("learn", "--help")
    assert answer.returncode == 0
    assert "purembts learn --seed 7 -o card.html" in answer.stdout


def test_an_interrupt_keeps_what_is_done():
    with start("learn", "--games", "10", "--dives", "10", "100000000") as process:
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "UCT, 10 dives" in out
    assert "│ best play" not in out
    assert err.endswith("interrupted\n")
    assert "Traceback" not in err


def test_a_closed_pipe_is_no_traceback():
    with start("learn", *QUICK) as process:
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()


def test_a_full_device_is_one_line_and_exit_code_1():
    with Path("/dev/full").open("w") as full:
        answer = subprocess.run(
            [sys.executable, "-m", "purembts", "learn", *QUICK],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    assert answer.returncode == 1
    assert answer.stderr == "purembts: [Errno 28] No space left on device\n"


def test_the_version_is_told():
    told = run("--version").stdout
    assert re.fullmatch(r"purembts (\d+\.\d+\.\d+|\(not installed, .*\))\n", told)


def test_a_failed_write_is_exit_code_1(monkeypatch, capsys, tmp_path):
    def full(path, text):
        raise OSError("No space left on device")

    monkeypatch.setattr(cli, "write_text", full)
    assert cli.run(["learn", *QUICK, "-o", str(tmp_path / "table.txt")]) == 1
    told = capsys.readouterr()
    assert told.err == "purembts: No space left on device\n"
    assert "best play" in told.out, "the results are lost"
