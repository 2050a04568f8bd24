"""The command line, in processes of its own."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random

import pytest

from purembts import (
    Rules,
    best_move,
    best_move_table_string,
    interval,
    learnt_probability,
    look_up_table,
    mean,
    move_table,
    possible_moves,
    search,
    shut_the_box,
    simulate,
    start_box,
    win_probability,
)
from purembts.best_moves import FORMATS, SUFFIXES
from purembts.shell import cli, commands
from purembts.shell.files import load_tree

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
        # A shell may have told its background jobs to ignore it.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.default_int_handler),
    )


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_seed_that_was_not_given_is_told():
    told = run("learn", *QUICK[:-2])
    seed = re.fullmatch(r"--seed (\d+)\n", told.stderr).group(1)
    assert run("learn", *QUICK[:-1], seed).stdout == told.stdout


def test_the_rows_are_what_the_prompt_gives():
    from purembts import simulate_crowd

    *_, (rows, grown) = commands.learn(games=300, dives=[200, 100], z=2.0, seed=7)
    tree = search({}, start_box, 200, Random("7/dives"))
    assert rows[0].record == simulate(300, rng=Random("7/random play"))
    assert rows[1].record == simulate_crowd(10**12, rng=Random("7/crowd"))
    assert rows[2].record.visits == 100
    assert (rows[3].record, rows[3].exact) == (tree[start_box], learnt_probability(tree))
    assert grown == tree


def test_big_numbers_are_done_in_steps():
    assert list(commands._steps(12_000)) == [5000, 5000, 2000]
    assert list(commands._steps(1)) == [1]
    assert next(commands._steps(10**15)) == 5000


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "COMMAND"),
        (["fly"], "invalid choice: 'fly'"),
        (["learn", "--dives", "0"], "`N` must be a whole number of at least 1"),
        (["learn", "--dives", "1e3"], "`N` must be a whole number"),
        (["learn", "--games", "-5"], "`N` must be a whole number"),
        (["learn", "--z", "nan"], "`z` must be a finite number of at least 0"),
        (["learn", "--z=-1"], "`z` must be a finite number of at least 0"),
        (["learn", "--z", "two"], "`z` must be a finite number of at least 0"),
        (["learn", "--seed", "x"], "`N` must be a whole number"),
        (["learn", "-o", ""], "the name of the file is empty"),
        (["learn", "-o", "/none/table.txt"], "/none is not a folder"),
        (["learn", "--fly"], "unrecognized arguments: --fly"),
        (["solve", "--box", "2,x"], "'2,x' is not a box; write its open levers, as 27 or 2,7"),
        (["solve", "--box", "22"], "'22' is not a box"),
        (["solve", "--box", "²"], "'²' is not a box"),
        (["solve", "--box", "0"], "there are levers 1 to 9, and no 0"),
        (["solve", "--box", "2,12"], "there are levers 1 to 9, and no 12"),
        (["solve", "--levers", "6", "--box", "7"], "there are levers 1 to 6, and no 7"),
        (
            ["solve", "--levers", "13"],
            "`N` must be at most 12, because two dice never show more",
        ),
        (["solve", "--levers", "0"], "`N` must be a whole number"),
        (["solve", "--dice", "3"], "invalid choice: 3"),
        (["solve", "--most-levers", "0"], "`N` must be a whole number"),
        (["search", "--seconds", "0"], "`S` must be more than 0"),
        (["search", "--seconds", "inf"], "`S` must be a finite"),
        (["search", "--seconds", "1", "--dives", "1"], "not allowed with argument --seconds"),
        (["search", "--load", "/none.jsonl"], "'/none.jsonl' is not a file that is there"),
        (["search", "--save", "/none/tree.jsonl"], "/none is not a folder"),
        (["table", "--format", "pdf"], "invalid choice: 'pdf'"),
        (["table", "--box", "7"], "unrecognized arguments: --box"),
        (["play", "--hints", "all"], "invalid choice: 'all'"),
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


@pytest.mark.slow
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


def rows_of(text):
    """The cells of the tables that were printed."""
    lines = [line for line in text.splitlines() if "│" in line]
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in lines]


def test_simulate_shows_a_record_beside_the_exact_value():
    told = run("simulate", "--box", "7", "--games", "6000", "--seed", "7")
    record = simulate(6000, {7}, Random(7))
    won = record.scores[0]
    low, high = interval(record)
    cells = ["6,000", f"{won}", f"{won / 6000:.5f}", f"{low:.5f} to {high:.5f}", "0.16667"]
    assert rows_of(told.stdout) == [cells]


def test_simulate_as_json():
    told = run("simulate", "--box", "7", "--games", "6000", "--seed", "7", "--json")
    said = json.loads(told.stdout)
    record = simulate(6000, {7}, Random(7))
    assert (said["game"], said["box"], said["seed"]) == ("Shut the Box", [7], 7)
    assert said["seen"]["scores"] == list(record.scores)
    assert said["seen"]["mean"] == mean(record)
    assert tuple(said["seen"]["interval"]) == interval(record)
    assert Fraction(said["random_play"]["exactly"]) == Fraction(1, 6)


def test_search_shows_the_record_the_moves_and_what_was_learnt():
    told = run("search", "--box", "1234", "--dives", "7000", "--seed", "7")
    box = frozenset({1, 2, 3, 4})
    tree = search({}, box, 7000, Random(7))
    (total, *moves) = rows_of(told.stdout)
    assert total[:2] == ["7,000", f"{tree[box].scores[0]:,}"]
    assert total[4:] == [
        f"{float(learnt_probability(tree, box)):.5f}",
        f"{float(win_probability(box)):.5f}",
    ]
    assert [row[0] for row in moves if row[0]] == [str(roll) for roll in range(2, 13)]
    shown = iter(moves)
    for roll in range(2, 13):
        table = move_table(tree, box, roll)
        best = max(table, key=lambda row: row.mean, default=None)
        for row in table:
            cells = next(shown)
            assert cells[1] == "+".join(map(str, sorted(box - row.move)))
            assert cells[3:5] == [f"{row.visits:,}", f"{row.mean:.4f}"]
            assert cells[6:8] == [f"{row.bound:.4f}", f"{float(win_probability(row.move)):.4f}"]
            assert ("*" in cells[8]) == (row is best)
            assert ("=" in cells[8]) == (win_probability(row.move) == win_probability(box, roll))
        if not table:
            assert next(shown)[:3] == [str(roll), "", "lost"]


def test_search_as_json_is_the_same_search():
    told = run("search", "--dives", "50", "--seed", "7", "--json")
    said = json.loads(told.stdout)
    tree = search({}, start_box, 50, Random(7))
    assert said["seen"]["visits"] == 50
    assert said["positions"] == len(tree)
    assert Fraction(said["learnt"]["exactly"]) == learnt_probability(tree)
    assert Fraction(said["best_play"]["exactly"]) == win_probability(start_box)
    new = [move for roll in said["rolls"] for move in roll["moves"] if not move["visits"]]
    assert new, "after 50 dives some moves are new"
    for move in new:
        assert (move["mean"], move["interval"], move["bound"]) == (None, None, None)
        assert not move["learnt"]


def test_search_for_some_seconds():
    told = run("search", "--seconds", "0.3", "--seed", "7", "--json")
    visits = json.loads(told.stdout)["seen"]["visits"]
    assert visits >= commands.SHORT_STEP
    assert visits % commands.SHORT_STEP == 0


def test_solve_shows_the_exact_values():
    said = json.loads(run("solve", "--box", "2,5,7", "--json").stdout)
    box = frozenset({2, 5, 7})
    assert Fraction(said["best_play"]["exactly"]) == win_probability(box)
    assert Fraction(said["random_play"]["exactly"]) == learnt_probability({}, box)
    for row in said["rolls"]:
        move = best_move(box, row["roll"])
        assert row["best_move"] == (None if move is None else sorted(move))
        assert row["moves"] == len(possible_moves(box, row["roll"]))
        assert Fraction(row["exactly"]) == win_probability(box, row["roll"])
    assert "37/648" in run("solve", "--box", "7 5 2").stdout


@pytest.mark.parametrize("form", FORMATS)
def test_the_table_is_printed_and_kept_in_every_form(form, tmp_path):
    text = FORMATS[form](Rules(levers=4))
    assert run("table", "--levers", "4", "--format", form).stdout == text
    suffix = next((end for end, name in SUFFIXES.items() if name == form), ".txt")
    path = tmp_path / f"table{suffix.upper()}"
    told = run("table", "--levers", "4", "-o", str(path))
    assert (told.stdout, told.returncode) == ("", 0)
    assert path.read_text() == text
    assert run("table", "--levers", "4", "--json").stdout == FORMATS["json"](Rules(levers=4))


def test_learn_as_json_and_with_a_card(tmp_path):
    path = tmp_path / "card.html"
    told = run("learn", *QUICK, "--levers", "5", "--json", "-o", str(path))
    said = json.loads(told.stdout)
    assert [row["seen"]["visits"] for row in said["rows"]] == [300, 10**12, 100, 200, 0]
    best = win_probability(frozenset({1, 2, 3, 4, 5}), rules=Rules(levers=5))
    assert Fraction(said["rows"][-1]["exact"]["exactly"]) == best
    assert path.read_text() == FORMATS["html"](Rules(levers=5))


VARIANT = ["--levers", "6", "--dice", "1", "--most-levers", "2", "--one-die-end"]


@pytest.mark.parametrize("command", ["learn", "simulate", "search", "solve"])
def test_variants_and_boxes_go_to_the_game(command):
    how = ["--games", "100"] if command in ("learn", "simulate") else []
    how += ["--dives", "100"] if command in ("learn", "search") else []
    how += ["--seed", "7"] if command != "solve" else []
    said = json.loads(run(command, *VARIANT, "--box", "1,2,6", *how, "--json").stdout)
    assert Rules(**said["rules"]) == Rules(6, 1, True, 2)
    assert said["box"] == [1, 2, 6]
    told = run(command, *VARIANT, *how).stdout
    assert "the full box (levers 1 to 6, one die, at most 2 shut in one move)" in " ".join(
        told.split()
    )


def test_a_shut_box_is_a_box():
    assert json.loads(run("solve", "--box", "", "--json").stdout)["best_play"]["exactly"] == "1"
    assert "the box shut" in " ".join(run("search", "--box", "", "--seed", "7").stdout.split())


@pytest.mark.slow
def test_a_tree_is_saved_and_gone_on_from(tmp_path):
    path = tmp_path / "tree.jsonl"
    quick = ["--dives", "300", "--seed", "7", "--save", str(path)]
    run("search", *quick)
    tree = search({}, start_box, 300, Random(7))
    assert load_tree(path, shut_the_box()) == tree
    told = run("search", *quick, "--load", str(path), "--json")
    more = search(tree, start_box, 300, Random("7/300"))
    assert load_tree(path, shut_the_box()) == more
    assert json.loads(told.stdout)["seen"]["visits"] == 600
    told = run("learn", *QUICK, "--load", str(path), "--save", str(path))
    labels = [row[0] for row in rows_of(told.stdout)]
    assert labels[2:4] == ["UCT, 700 dives", "UCT, 800 dives"]
    grown = load_tree(path, shut_the_box())
    assert grown == search(more, start_box, 200, Random("7/dives/600"))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["learn", "search"])
def test_an_interrupted_search_saves_what_it_has(command, tmp_path):
    path = tmp_path / "tree.jsonl"
    path.write_text("old")
    quick = ["--games", "10"] if command == "learn" else []
    with start(command, *quick, "--dives", "100000000", "--save", str(path)) as process:
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.endswith("purembts: interrupted\n")
    assert "Traceback" not in err
    tree = load_tree(path, shut_the_box())
    assert tree[start_box].visits % commands.STEP == 0
    if command == "search":
        assert rows_of(out)[0][0] == f"{tree[start_box].visits:,}"


def test_an_interrupt_before_the_first_dive_saves_nothing(tmp_path, monkeypatch, capsys):
    def interrupted(*args, **how):
        raise KeyboardInterrupt

    path = tmp_path / "tree.jsonl"
    monkeypatch.setattr(commands, "search", interrupted)
    assert cli.run(["search", "--seed", "7", "--save", str(path)]) == 130
    assert not path.exists()
    assert capsys.readouterr() == ("", "purembts: interrupted\n")
    monkeypatch.setattr(commands, "simulate", interrupted)
    assert cli.run(["simulate", "--seed", "7"]) == 130
    assert capsys.readouterr() == ("", "purembts: interrupted\n")


def test_a_damaged_tree_is_refused_by_every_command_that_loads(tmp_path):
    path = tmp_path / "tree.jsonl"
    path.write_text("{}\n")
    for command in ("learn", "search", "play"):
        told = run(command, "--seed", "7", "--load", str(path))
        assert told.returncode == 1
        assert told.stdout == ""
        assert told.stderr.startswith(f"purembts: {path}, line 1: ")
        assert told.stderr.count("\n") == 1


def play(*arguments, answers=""):
    return subprocess.run(
        [sys.executable, "-m", "purembts", "play", *arguments],
        input=answers,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_play_talks_on_stderr_where_stdout_is_no_terminal():
    told = play("--seed", "5", "--hints", "exact", answers="2\n1\n")
    assert told.returncode == 0
    assert "You roll 10." in told.stderr
    assert "(exact: " in told.stderr
    assert [row[0] for row in rows_of(told.stdout)] == ["123456789", "1  4 6789"]
    assert "You roll" not in told.stdout


@pytest.mark.slow
def test_play_takes_hints_from_a_tree_and_keeps_it(tmp_path):
    path, other = tmp_path / "tree.jsonl", tmp_path / "other.jsonl"
    told = play("--seed", "5", "--hints", "tree", "--dives", "500", "--save", str(path))
    tree = search({}, start_box, 500, Random(5))
    assert load_tree(path, shut_the_box()) == tree
    won = tree[frozenset(range(2, 9))]
    assert f"9: [ 2345678 ] shut 1+9  {mean(won):.4f} (" in told.stderr
    again = play("--hints", "tree", "--seed", "5", "--load", str(path), "--save", str(other))
    assert again.stderr == told.stderr
    assert other.read_text() == path.read_text()
    table = look_up_table(1000, Random(5))
    told = play("--seed", "5", "--hints", "random")
    assert f"shut 1+9  {mean(table[frozenset(range(2, 9))]):.4f} (" in told.stderr


def test_colours_are_left_out_where_they_are_not_wanted():
    wanted = run("solve", "--box", "7", FORCE_COLOR="1", TERM="xterm-256color")
    plain = run("solve", "--box", "7", FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1")
    assert "\x1b[" in wanted.stdout
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", plain.stdout)
    assert "\x1b[" not in run("solve", "--box", "7").stdout


@pytest.mark.parametrize("command", ["learn", "simulate", "search", "solve", "table", "play"])
def test_every_command_has_help_with_an_example(command):
    told = run(command, "--help")
    assert told.returncode == 0
    assert f"example: purembts {command} " in told.stdout
    assert "--most-levers" in told.stdout


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


def shell(line, folder):
    """What a shell says to `line`, in which purembts is there."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHON": sys.executable}
    line = line.replace("purembts", '"$PYTHON" -m purembts')
    return subprocess.run(
        ["sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "line",
    [
        "purembts solve --box 257 >&-",
        "purembts search --dives 9 --json 2>&-",
        "purembts play --seed 8 <&-",
        "purembts play --seed 8 </dev/null >&-",
        "purembts play --seed 8 </dev/null 2>&-",
    ],
)
def test_closed_streams_are_no_traceback(line, tmp_path):
    told = shell(line, tmp_path)
    assert told.returncode == 0
    assert "Traceback" not in told.stderr
    if "--json" in line:
        assert json.loads(told.stdout)["seed"] >= 0


def test_an_answer_that_cannot_be_read_is_a_wrong_answer(tmp_path):
    told = shell("printf '\\351\\n1\\n' | PYTHONIOENCODING=ascii purembts play --seed 8", tmp_path)
    assert told.returncode == 0
    assert "is not one of the choices" in told.stderr
    assert "Your choices in a game that you lost" in told.stdout


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("purembts learn --save same -o same", "-o/--output: the tree is kept there"),
        ("purembts learn --save same -o ./same", "-o/--output: the tree is kept there"),
        (f"purembts search --save {'a' * 300}", "cannot be written: [Errno"),
        (f"purembts table -o {'a' * 300}", "cannot be written: [Errno"),
        (f"purembts search --load {'a' * 300}", "File name too long"),
        ("ln -s loop loop; purembts search --save loop", "loop cannot be written"),
        ("ln -s no/where link; purembts search --save link", "no is not a folder"),
        ("purembts search --dive 10", "unrecognized arguments: --dive 10"),
    ],
)
def test_what_cannot_be_kept_is_refused_before_the_work(line, told, tmp_path):
    answer = shell(line, tmp_path)
    assert answer.returncode == 2
    assert told in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_name_may_be_as_long_as_the_system_lets_it(tmp_path):
    name = "a" * 255
    assert shell(f"purembts search --seed 7 --dives 9 --save {name}", tmp_path).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_tree_for_hints_that_is_interrupted_is_kept(monkeypatch, tmp_path, capsys):
    def broken(tree, *how, **more):
        yield search(tree, start_box, 500, Random(7))
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "grown", broken)
    path = tmp_path / "tree.jsonl"
    assert cli.run(["play", "--seed", "7", "--save", str(path)]) == 130
    assert load_tree(path, shut_the_box())[start_box].visits == 500
    assert "interrupted" in capsys.readouterr().err


def test_memory_that_runs_out_is_said(monkeypatch, capsys):
    def full(*how):
        raise MemoryError

    monkeypatch.setattr(cli, "random_games", full)
    assert cli.run(["simulate", "--seed", "7"]) == 1
    assert "not enough memory" in capsys.readouterr().err
