"""The command line, in processes of its own: what it prints, its exit codes, and its files."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
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
    optimal_table,
    possible_moves,
    search,
    shut_the_box,
    simulate,
    simulate_crowd,
    start_box,
    win_probability,
)
from purembts.__main__ import main
from purembts.best_moves import FORMATS, SUFFIXES
from purembts.shell import cli, steps
from purembts.shell import play as play_room
from purembts.shell.files import load_tree, save_tree
from purembts.shell.prompt import choice_line

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
        # A shell may make its background jobs ignore the signal.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.default_int_handler),
    )


@pytest.mark.slow
def test_learn_shows_the_search_beside_the_exact_answer(tmp_path):
    path = tmp_path / "table.txt"
    ran = run("learn", *QUICK, "-o", str(path))
    assert ran.returncode == 0
    assert ran.stderr == ""
    rows = [re.split(r"\s*│\s*", line)[1:-1] for line in ran.stdout.splitlines() if "│" in line]
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
    assert run("learn", *QUICK).stdout == ran.stdout, "the same seed, another answer"
    assert run("learn", *QUICK[:-1], "8").stdout != ran.stdout


@pytest.mark.slow
def test_a_seed_that_was_not_given_is_printed():
    ran = run("learn", *QUICK[:-2])
    seed = re.fullmatch(r"--seed (\d+)\n", ran.stderr).group(1)
    assert run("learn", *QUICK[:-1], seed).stdout == ran.stdout


def test_without_rich_a_line_tells_what_to_install():
    """A module that is None counts as not installed; the package itself does not need rich."""
    hide = "import sys; sys.modules['rich'] = None; import purembts; "
    ran = "from purembts.__main__ import main; sys.exit(main())"
    answer = run("learn", python=("-c", hide + ran))
    assert answer.returncode == 2
    assert answer.stderr == (
        "purembts: the command line needs rich: python -m pip install 'purembts[cli]'\n"
    )


@pytest.mark.slow
def test_an_interrupt_keeps_the_finished_work():
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
    ran = run("simulate", "--box", "7", "--games", "6000", "--seed", "7")
    record = simulate(6000, {7}, Random(7))
    won = record.scores[0]
    low, high = interval(record)
    cells = ["6,000", f"{won}", f"{won / 6000:.5f}", f"{low:.5f} to {high:.5f}", "0.16667"]
    assert rows_of(ran.stdout) == [cells]


def test_simulate_as_json():
    ran = run("simulate", "--box", "7", "--games", "6000", "--seed", "7", "--json")
    facts = json.loads(ran.stdout)
    record = simulate(6000, {7}, Random(7))
    assert (facts["game"], facts["box"], facts["seed"]) == ("Shut the Box", [7], 7)
    assert facts["seen"]["scores"] == list(record.scores)
    assert facts["seen"]["mean"] == mean(record)
    assert tuple(facts["seen"]["interval"]) == interval(record)
    assert Fraction(facts["random_play"]["exactly"]) == Fraction(1, 6)


def test_search_shows_the_record_the_moves_and_what_was_learnt():
    ran = run("search", "--box", "1234", "--dives", "7000", "--seed", "7")
    box = frozenset({1, 2, 3, 4})
    tree = search({}, box, 7000, Random(7))
    (total, *moves) = rows_of(ran.stdout)
    assert total[:2] == ["7,000", f"{tree[box].scores[0]:,}"]
    assert total[4:] == [
        f"{float(learnt_probability(tree, box)):.5f}",
        f"{float(win_probability(box)):.5f}",
    ]
    assert [row[0] for row in moves if row[0]] == [str(roll) for roll in range(2, 13)]
    rows = iter(moves)
    for roll in range(2, 13):
        table = move_table(tree, box, roll)
        best = max(table, key=lambda row: row.mean, default=None)
        for row in table:
            cells = next(rows)
            assert cells[1] == "+".join(map(str, sorted(box - row.move)))
            assert cells[3:5] == [f"{row.visits:,}", f"{row.mean:.4f}"]
            assert cells[6:8] == [f"{row.bound:.4f}", f"{float(win_probability(row.move)):.4f}"]
            assert ("*" in cells[8]) == (row is best)
            assert ("=" in cells[8]) == (win_probability(row.move) == win_probability(box, roll))
        if not table:
            assert next(rows)[:3] == [str(roll), "", "lost"]


def test_search_as_json_is_the_same_search():
    ran = run("search", "--dives", "50", "--seed", "7", "--json")
    facts = json.loads(ran.stdout)
    tree = search({}, start_box, 50, Random(7))
    assert facts["seen"]["visits"] == 50
    assert facts["positions"] == len(tree)
    assert Fraction(facts["learnt"]["exactly"]) == learnt_probability(tree)
    assert Fraction(facts["best_play"]["exactly"]) == win_probability(start_box)
    new = [move for roll in facts["rolls"] for move in roll["moves"] if not move["visits"]]
    assert new, "after 50 dives some moves are new"
    for move in new:
        assert (move["mean"], move["interval"], move["bound"]) == (None, None, None)
        assert not move["learnt"]


def test_search_for_some_seconds():
    ran = run("search", "--seconds", "0.3", "--seed", "7", "--json")
    assert json.loads(ran.stdout)["seen"]["visits"] > 100


def test_solve_shows_the_exact_values():
    facts = json.loads(run("solve", "--box", "2,5,7", "--json").stdout)
    box = frozenset({2, 5, 7})
    assert Fraction(facts["best_play"]["exactly"]) == win_probability(box)
    assert Fraction(facts["random_play"]["exactly"]) == learnt_probability({}, box)
    for row in facts["rolls"]:
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
    ran = run("table", "--levers", "4", "-o", str(path))
    assert (ran.stdout, ran.returncode) == ("", 0)
    assert path.read_text() == text
    assert run("table", "--levers", "4", "--json").stdout == FORMATS["json"](Rules(levers=4))


def test_learn_as_json_and_with_a_card(tmp_path):
    path = tmp_path / "card.html"
    ran = run("learn", *QUICK, "--levers", "5", "--json", "-o", str(path))
    facts = json.loads(ran.stdout)
    assert [row["seen"]["visits"] for row in facts["rows"]] == [300, 10**12, 100, 200, 0]
    best = win_probability(frozenset({1, 2, 3, 4, 5}), rules=Rules(levers=5))
    assert Fraction(facts["rows"][-1]["exact"]["exactly"]) == best
    assert path.read_text() == FORMATS["html"](Rules(levers=5))


VARIANT = ["--levers", "6", "--dice", "1", "--most-levers", "2", "--one-die-end"]


@pytest.mark.parametrize("command", ["learn", "simulate", "search", "solve"])
def test_variants_and_boxes_go_to_the_game(command):
    quick = ["--games", "100"] if command in ("learn", "simulate") else []
    quick += ["--dives", "100"] if command in ("learn", "search") else []
    quick += ["--seed", "7"] if command != "solve" else []
    facts = json.loads(run(command, *VARIANT, "--box", "1,2,6", *quick, "--json").stdout)
    assert Rules(**facts["rules"]) == Rules(6, 1, True, 2)
    assert facts["box"] == [1, 2, 6]
    printed = " ".join(run(command, *VARIANT, *quick).stdout.split())
    assert "the full box (levers 1 to 6, one die, at most 2 shut in one move)" in printed


def test_a_shut_box_is_a_box():
    assert json.loads(run("solve", "--box", "", "--json").stdout)["best_play"]["exactly"] == "1"
    assert "the shut box" in " ".join(run("search", "--box", "", "--seed", "7").stdout.split())


@pytest.mark.slow
def test_a_tree_is_saved_and_gone_on_from(tmp_path):
    path = tmp_path / "tree.jsonl"
    quick = ["--dives", "300", "--seed", "7", "--save", str(path)]
    run("search", *quick)
    tree = search({}, start_box, 300, Random(7))
    assert load_tree(path, shut_the_box()) == tree
    ran = run("search", *quick, "--load", str(path), "--json")
    more = search(tree, start_box, 300, Random("7/300"))
    assert load_tree(path, shut_the_box()) == more
    assert json.loads(ran.stdout)["seen"]["visits"] == 600
    ran = run("learn", *QUICK, "--load", str(path), "--save", str(path))
    labels = [row[0] for row in rows_of(ran.stdout)]
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
    assert tree[start_box].visits % steps.STEP == 0
    if command == "search":
        assert rows_of(out)[0][0] == f"{tree[start_box].visits:,}"


def on_a_terminal(*arguments):
    """The exit code of Python with `arguments`, and the text on stderr, which is a terminal."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        os.close(theirs)
        parts = []
        with suppress(OSError):  # Linux gives an error at the end
            while part := os.read(ours, 65_536):
                parts.append(part)
    os.close(ours)
    return process.returncode, b"".join(parts).decode()


@pytest.mark.slow
def test_a_terminal_shows_how_much_of_a_tree_is_read_and_written(tmp_path):
    path = str(tmp_path / "tree.jsonl")
    search_it = ["-m", "purembts", "search", "--seed", "7", "--dives", "300", "--save", path]
    code, shown = on_a_terminal(*search_it)
    labels = re.findall("300 dives|[a-z]+ positions", shown)
    assert list(dict.fromkeys(labels)) == ["300 dives", "checking positions", "writing positions"]
    assert code == 0
    code, shown = on_a_terminal(*search_it, "--load", path)
    assert shown.index("reading positions") < shown.index("300 dives")
    assert code == 0
    Path(path).write_text(Path(path).read_text() + "{}\n")
    code, shown = on_a_terminal(*search_it, "--load", path)
    bar, message = shown.split("purembts: ")
    assert "reading positions" in bar
    assert bar.endswith("\x1b[2K")  # the line of the bar is empty again
    assert "a line must be an object" in message
    assert code == 1


@pytest.mark.slow
def test_a_call_in_python_shows_no_bar(tmp_path):
    code = (
        "import sys; from purembts import *; from purembts.shell.files import *;"
        "tree = search({}, start_box, 300); stb = shut_the_box();"
        "save_tree(sys.argv[1], stb, tree); sys.exit(load_tree(sys.argv[1], stb) != tree)"
    )
    assert on_a_terminal("-c", code, str(tmp_path / "tree.jsonl")) == (0, "")


@pytest.mark.parametrize("command", ["learn", "search", "play"])
def test_trees_are_watched_while_they_are_read_and_written(command, monkeypatch, tmp_path):
    labels = []

    def watch(steps, label, total):
        labels.append(label)
        return steps

    monkeypatch.setattr(cli, "watched", watch)
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    path = str(tmp_path / "tree.jsonl")
    quick = {"learn": QUICK, "search": ["--dives", "9", "--seed", "7"], "play": ["--seed", "7"]}
    save_tree(path, shut_the_box(), search({}, start_box, 9))
    assert cli.run([command, *quick[command], "--load", path, "--save", path]) == 0
    assert labels == ["reading positions", "checking positions", "writing positions"]


def test_an_interrupt_before_the_first_dive_saves_nothing(tmp_path, monkeypatch, capsys):
    def interrupted(*args, **options):
        raise KeyboardInterrupt

    path = tmp_path / "tree.jsonl"
    monkeypatch.setattr(steps, "strides", interrupted)
    assert cli.run(["search", "--seed", "7", "--save", str(path)]) == 130
    assert not path.exists()
    assert capsys.readouterr() == ("", "purembts: interrupted\n")
    monkeypatch.setattr(steps, "simulate", interrupted)
    assert cli.run(["simulate", "--seed", "7"]) == 130
    assert capsys.readouterr() == ("", "purembts: interrupted\n")


def test_a_damaged_tree_is_refused_by_every_command_that_loads(tmp_path):
    path = tmp_path / "tree.jsonl"
    path.write_text("{}\n")
    for command in ("learn", "search", "play"):
        ran = run(command, "--seed", "7", "--load", str(path))
        assert ran.returncode == 1
        assert ran.stdout == ""
        assert ran.stderr.startswith(f"purembts: {path}, line 1: ")
        assert ran.stderr.count("\n") == 1


def play(*arguments, answers=""):
    return subprocess.run(
        [sys.executable, "-m", "purembts", "play", *arguments],
        input=answers,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_play_uses_stderr_if_stdout_is_no_terminal():
    ran = play("--seed", "5", "--hints", "exact", answers="2\n1\n")
    assert ran.returncode == 0
    assert "You roll 10." in ran.stderr
    assert "(exact: " in ran.stderr
    assert [row[0] for row in rows_of(ran.stdout)] == ["123456789", "1  4 6789"]
    assert "You roll" not in ran.stdout


@pytest.mark.slow
def test_play_takes_hints_from_a_tree_and_keeps_it(tmp_path):
    path, other = tmp_path / "tree.jsonl", tmp_path / "other.jsonl"
    ran = play("--seed", "5", "--hints", "tree", "--dives", "500", "--save", str(path))
    tree = search({}, start_box, 500, Random(5))
    assert load_tree(path, shut_the_box()) == tree
    won = tree[frozenset(range(2, 9))]
    assert f"9: [ 2345678 ] shut 1+9  {mean(won):.4f} (" in ran.stderr
    again = play("--hints", "tree", "--seed", "5", "--load", str(path), "--save", str(other))
    assert again.stderr == ran.stderr
    assert other.read_text() == path.read_text()
    table = look_up_table(1000, Random(5))
    ran = play("--seed", "5", "--hints", "random")
    assert f"shut 1+9  {mean(table[frozenset(range(2, 9))]):.4f} (" in ran.stderr


def test_colours_are_left_out_where_they_are_not_wanted():
    wanted = run("solve", "--box", "7", FORCE_COLOR="1", TERM="xterm-256color")
    plain = run("solve", "--box", "7", FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1")
    assert "\x1b[" in wanted.stdout
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", plain.stdout)
    assert "\x1b[" not in run("solve", "--box", "7").stdout


def test_a_failed_write_is_exit_code_1(monkeypatch, capsys, tmp_path):
    def full(path, text):
        raise OSError("No space left on device")

    monkeypatch.setattr(cli, "write_text", full)
    assert cli.run(["learn", *QUICK, "-o", str(tmp_path / "table.txt")]) == 1
    printed = capsys.readouterr()
    assert printed.err == "purembts: No space left on device\n"
    assert "best play" in printed.out, "the results are lost"


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
    ran = shell(line, tmp_path)
    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr
    if "--json" in line:
        assert json.loads(ran.stdout)["seed"] >= 0


def test_an_answer_that_cannot_be_read_is_a_wrong_answer(tmp_path):
    ran = shell("printf '\\351\\n1\\n' | PYTHONIOENCODING=ascii purembts play --seed 8", tmp_path)
    assert ran.returncode == 0
    assert "is not one of the choices" in ran.stderr
    assert "Your choices in a game that you lost" in ran.stdout


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "purembts learn --save same -o same",
            "-o/--output: `FILE` must not be the file of the tree; got",
        ),
        (
            "purembts learn --save same -o ./same",
            "-o/--output: `FILE` must not be the file of the tree; got",
        ),
        (f"purembts search --save {'a' * 300}", "cannot be written: [Errno"),
        (f"purembts table -o {'a' * 300}", "cannot be written: [Errno"),
        (f"purembts search --load {'a' * 300}", "File name too long"),
        ("ln -s loop loop; purembts search --save loop", "loop cannot be written"),
        ("ln -s no/where link; purembts search --save link", "no is not a folder"),
        ("purembts search --dive 10", "unrecognized arguments: --dive 10"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(line, message, tmp_path):
    answer = shell(line, tmp_path)
    assert answer.returncode == 2
    assert message in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_name_may_be_as_long_as_the_system_lets_it(tmp_path):
    name = "a" * 255
    assert shell(f"purembts search --seed 7 --dives 9 --save {name}", tmp_path).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_tree_for_hints_that_is_interrupted_is_kept(monkeypatch, tmp_path, capsys):
    def broken(*args, **options):
        yield search({}, start_box, 500, Random(7))
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "grown", broken)
    path = tmp_path / "tree.jsonl"
    assert cli.run(["play", "--seed", "7", "--save", str(path)]) == 130
    assert load_tree(path, shut_the_box())[start_box].visits == 500
    assert "interrupted" in capsys.readouterr().err


def test_memory_that_runs_out_is_one_line(monkeypatch, capsys):
    def full(*args, **options):
        raise MemoryError

    monkeypatch.setattr(cli, "random_games", full)
    assert cli.run(["simulate", "--seed", "7"]) == 1
    assert "not enough memory" in capsys.readouterr().err


def test_hints_of_a_tree_whose_search_is_interrupted_end_the_game(monkeypatch, capsys):
    def broken(*args, **options):
        yield search({}, start_box, 500, Random(7))
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "grown", broken)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\n1\n"))
    assert cli.run(["play", "--seed", "5", "--hints", "tree"]) == 130
    printed = capsys.readouterr()
    assert "Your choice" not in printed.err, "the game went on"
    assert printed.err.endswith("purembts: interrupted\n")


@pytest.mark.parametrize(
    ("kind", "meaning"),
    [
        ("random", "of random games that were won"),
        ("tree", "of the dives of the tree"),
        ("exact", "with best play"),
    ],
)
def test_hints_are_those_of_the_rules_and_the_seed(kind, meaning, monkeypatch, capsys):
    rules, box = Rules(levers=5, dice=1), frozenset({1, 2, 3, 4, 5})
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 5))
    arguments = ["--levers", "5", "--dice", "1", "--seed", "3", "--hints", kind]
    arguments += ["--dives", "700"] if kind == "tree" else []
    assert cli.run(["play", *arguments]) == 0
    summary, shown = capsys.readouterr()
    assert f"at the start it was {float(win_probability(box, rules=rules)):.4f}" in summary
    turn = play_room.first_turn(box, seed=3, rules=rules)[-1]
    assert len(turn.moves) > 1
    hints = {
        "random": look_up_table(1000, Random(3), rules=rules),
        "tree": search({}, box, 700, Random(3), rules=rules),
        "exact": optimal_table(rules=rules),
    }[kind]
    for move in turn.moves:
        assert choice_line(box, move, hints, rules=rules) in shown
    assert meaning in shown


SMALL = Rules(levers=6, dice=1, one_die_end=False, most_levers=2)
SMALL_OPTIONS = ["--levers", "6", "--dice", "1", "--most-levers", "2", "--box", "1,2,5,6"]
SMALL_BOX = frozenset({1, 2, 5, 6})


def facts_of(capsys, *arguments):
    assert cli.run([*arguments, *SMALL_OPTIONS, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("z", [2, 0.5])
def test_a_search_plays_by_the_rules_and_the_width_of_the_options(z, capsys):
    facts = facts_of(capsys, "search", "--dives", "700", "--seed", "7", "--z", str(z))
    tree = search({}, SMALL_BOX, 700, Random(7), z=z, rules=SMALL)
    assert facts["seen"]["scores"] == list(tree[SMALL_BOX].scores)
    assert facts["positions"] == len(tree)
    learnt = learnt_probability(tree, SMALL_BOX, rules=SMALL)
    assert Fraction(facts["learnt"]["exactly"]) == learnt
    best = win_probability(SMALL_BOX, rules=SMALL)
    assert Fraction(facts["best_play"]["exactly"]) == best
    random_play = learnt_probability({}, SMALL_BOX, rules=SMALL)
    assert Fraction(facts["random_play"]["exactly"]) == random_play
    for roll in facts["rolls"]:
        table = move_table(tree, SMALL_BOX, roll["roll"], z=z, rules=SMALL)
        assert [move["bound"] for move in roll["moves"]] == [row.bound for row in table]
        for move, row in zip(roll["moves"], table, strict=True):
            assert Fraction(move["exact"]["exactly"]) == win_probability(row.move, rules=SMALL)
            assert move["shut"] == sorted(SMALL_BOX - row.move)


def test_a_timed_search_plays_by_the_rules_and_the_width_of_the_options(capsys):
    facts = facts_of(capsys, "search", "--seconds", "0.05", "--seed", "7", "--z", "0.5")
    dives = facts["seen"]["visits"]
    tree = search({}, SMALL_BOX, dives, Random(7), z=0.5, rules=SMALL)
    assert facts["seen"]["scores"] == list(tree[SMALL_BOX].scores)


def test_a_search_has_10000_dives_unless_the_options_say_otherwise(capsys):
    assert facts_of(capsys, "search", "--seed", "7")["seen"]["visits"] == 10_000


def test_random_games_are_played_by_the_rules(capsys, tmp_path):
    record = simulate(700, SMALL_BOX, Random(7), rules=SMALL)
    facts = facts_of(capsys, "simulate", "--games", "700", "--seed", "7")
    assert facts["seen"]["scores"] == list(record.scores)
    exact = learnt_probability({}, SMALL_BOX, rules=SMALL)
    assert Fraction(facts["random_play"]["exactly"]) == exact
    chart = ["-o", str(tmp_path / "chart.svg")]
    assert facts_of(capsys, "simulate", "--games", "700", "--seed", "7", *chart) == facts
    assert f"exactly {float(exact):.6g}" in (tmp_path / "chart.svg").read_text("utf-8")


def test_a_lesson_is_taught_by_the_rules_and_the_width_of_the_options(capsys):
    options = ["--games", "300", "--dives", "100", "200", "--seed", "7", "--z", "0.5"]
    rows = facts_of(capsys, "learn", *options)["rows"]
    tree = search({}, SMALL_BOX, 200, Random("7/dives"), z=0.5, rules=SMALL)
    assert rows[0]["seen"]["scores"] == list(
        simulate(300, SMALL_BOX, Random("7/random play"), rules=SMALL).scores
    )
    assert rows[1]["seen"]["scores"] == list(
        simulate_crowd(10**12, SMALL_BOX, Random("7/crowd"), rules=SMALL).scores
    )
    assert rows[3]["seen"]["scores"] == list(tree[SMALL_BOX].scores)
    exact = [Fraction(row["exact"]["exactly"]) for row in rows]
    assert exact[0] == exact[1] == learnt_probability({}, SMALL_BOX, rules=SMALL)
    assert exact[3] == learnt_probability(tree, SMALL_BOX, rules=SMALL)
    assert exact[4] == win_probability(SMALL_BOX, rules=SMALL)


def test_the_solution_is_by_the_rules(capsys):
    facts = facts_of(capsys, "solve")
    assert Fraction(facts["best_play"]["exactly"]) == win_probability(SMALL_BOX, rules=SMALL)
    random_play = learnt_probability({}, SMALL_BOX, rules=SMALL)
    assert Fraction(facts["random_play"]["exactly"]) == random_play
    for row in facts["rolls"]:
        move = best_move(SMALL_BOX, row["roll"], rules=SMALL)
        assert row["best_move"] == (None if move is None else sorted(move))
        assert row["shut"] == (None if move is None else sorted(SMALL_BOX - move))
        assert row["moves"] == len(possible_moves(SMALL_BOX, row["roll"], rules=SMALL))
        assert Fraction(row["exactly"]) == win_probability(SMALL_BOX, row["roll"], rules=SMALL)


@pytest.mark.parametrize("command", ["search", "solve", "simulate", "learn"])
def test_tables_show_the_box_and_the_rules(command, capsys):
    quick = {"search": ["--dives", "50"], "simulate": ["--games", "50"], "solve": []}
    options = quick.get(command, ["--games", "50", "--dives", "50"])
    seed = [] if command == "solve" else ["--seed", "7"]
    assert cli.run([command, *options, *seed, *SMALL_OPTIONS]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "the box 1+2+5+6 (levers 1 to 6, one die, at most 2 shut in one move)" in printed
    if command in {"search", "solve"}:
        assert "1 5" in printed, "a box with a lever less"


def test_json_is_indented_by_two(capsys):
    assert cli.run(["solve", "--box", "7", "--json"]) == 0
    printed = capsys.readouterr().out
    assert printed == json.dumps(json.loads(printed), indent=2) + "\n"


def test_the_table_of_a_solution_has_a_row_for_each_roll(capsys):
    box = frozenset({2, 5, 7})
    assert cli.run(["solve", "--box", "257"]) == 0
    best, uniform, *rows = rows_of(capsys.readouterr().out)
    value, random_play = win_probability(box), learnt_probability({}, box)
    assert best == ["best play", f"{float(value):.7f}", str(value)]
    assert uniform == ["random moves", f"{float(random_play):.7f}", str(random_play)]
    for roll, row in enumerate(rows, 2):
        moves, move = possible_moves(box, roll), best_move(box, roll)
        chance = f"{float(win_probability(box, roll)):.5f}"
        assert row[:3] == [
            *(str(roll), str(len(moves))),
            "+".join(map(str, sorted(box - move))) if move is not None else "",
        ]
        assert row[3].split() == (["lost"] if move is None else [str(n) for n in sorted(move)])
        assert row[4] == chance


def test_the_table_of_pi_has_each_power_of_ten_and_the_end(capsys):
    assert cli.run(["pi", "--darts", "2000", "--seed", "7"]) == 0
    rows = rows_of(capsys.readouterr().out)
    assert cli.run(["pi", "--darts", "2000", "--seed", "7", "--json"]) == 0
    estimates = {row["darts"]: row for row in json.loads(capsys.readouterr().out)["estimates"]}
    assert rows == [
        [
            f"{darts:,}",
            f"{estimates[darts]['mean']:.5f}",
            f"{estimates[darts]['low']:.5f} to {estimates[darts]['high']:.5f}",
        ]
        for darts in (10, 100, 1000, 2000)
    ]


def test_the_robots_have_the_options_of_the_command(monkeypatch, capsys):
    asked = []

    def noting(console, **options):
        asked.append(options)
        return cli.big_two.first_turn(seed=7), False

    monkeypatch.setattr(cli.big_two, "play", noting)
    assert cli.run(["play", "big-two", "--seed", "7", "--budget", "5", "--rollouts", "3"]) == 0
    assert cli.run(["play", "big-two", "--seed", "8"]) == 0
    assert asked == [
        {"seed": 7, "budget": 5, "rollouts": 3},
        {"seed": 8, "budget": 200, "rollouts": 4},
    ]


def test_hints_are_taken_from_a_loaded_tree(monkeypatch, tmp_path, capsys):
    path, box = tmp_path / "tree.jsonl", frozenset({1, 2, 3, 4})
    tree = search({}, box, 300, Random(1))
    save_tree(path, shut_the_box(), tree)
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    turn = play_room.first_turn(box, seed=0)[-1]
    assert len(turn.moves) > 1
    options = ["--box", "1234", "--seed", "0", "--hints", "tree", "--load", str(path)]
    assert cli.run(["play", *options]) == 0
    shown = capsys.readouterr().err
    for move in turn.moves:
        assert choice_line(box, move, tree) in shown


def test_a_new_seed_has_at_most_32_bits():
    seeds = {cli._with_seed(cli.parsed(["pi"])).seed for _ in range(50)}
    assert len(seeds) > 40
    assert 0 <= min(seeds) <= max(seeds) < 2**32


def test_numbers_have_no_colours_of_their_own(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    cli._console().print("7 levers, 'x'")
    cli._print(["7 levers, 'x'"])
    assert capsys.readouterr() == ("7 levers, 'x'\n", "7 levers, 'x'\n")


def test_an_interrupted_lesson_writes_no_table(monkeypatch, tmp_path, capsys):
    def broken(*args, **options):
        for lesson in steps.learn(*args, **options):
            yield lesson
            if len(lesson.rows) == 3:
                raise KeyboardInterrupt

    monkeypatch.setattr(cli, "learn", broken)
    path = tmp_path / "table.txt"
    assert cli.run(["learn", *QUICK, "-o", str(path)]) == 130
    assert not path.exists()
    shown = capsys.readouterr().out
    assert "UCT, 100 dives" in shown
    assert "best play" not in shown.split("way to play")[1]


def test_nothing_is_learnt_about_moves_without_visits(capsys):
    assert cli.run(["search", "--dives", "2", "--seed", "7", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    moves = [move for roll in facts["rolls"] for move in roll["moves"]]
    assert sum(move["learnt"] for move in moves) == sum(move["visits"] > 0 for move in moves) == 1


@pytest.mark.parametrize("arguments", [["solve", "--json"], ["table"], ["solve"]])
def test_a_pipe_that_is_closed_before_the_end_is_exit_code_1(arguments):
    with start(*arguments) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(60) == 1


def test_an_interrupt_while_the_program_starts_is_exit_code_130(monkeypatch):
    def interrupted(arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "run", interrupted)
    assert main() == 130


def test_the_program_has_the_exit_code_of_its_work(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["purembts", "solve", "--box", "7"])
    assert main() == 0
    monkeypatch.setattr(cli, "run", lambda arguments: 1 if arguments == ["pi"] else 0)
    monkeypatch.setattr(sys, "argv", ["purembts", "pi"])
    assert main() == 1


def test_a_missing_package_other_than_rich_is_an_error_with_its_name(monkeypatch):
    def lacking(name):
        def run(arguments):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

        return run

    for name in ("other", None):
        monkeypatch.setattr(cli, "run", lacking(name))
        with pytest.raises(ModuleNotFoundError, match=str(name)):
            main()
    monkeypatch.setattr(cli, "run", lacking("rich.console"))
    assert main() == 2
