"""The command line: what it prints, its exit codes, and its files."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout, suppress
from fractions import Fraction
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from marks import cases
from purembts import (
    Rules,
    best_move,
    determinize,
    learnt_probability,
    mean,
    players,
    possible_moves,
    report,
    search,
    shut_the_box,
    start_box,
    win_probability,
)
from purembts.__main__ import main
from purembts.app import commands, results
from purembts.app import lessons as stepwise
from purembts.app import terminal as cli
from purembts.app.card import FORMS, SUFFIXES, card
from purembts.app.files import load_tree, save_tree
from purembts.app.parser import parsed
from purembts.app.requests import bound_of
from purembts.app.starts import begin
from purembts.app.steps import returned
from purembts.app.thinking import bound_at
from purembts.bounds import ucb_wald
from purembts.determinize import view_turn
from purembts.exact import solver
from purembts.fast import engine
from purembts.game import turn_at
from purembts.games.big_two import big_two
from purembts.games.reversi import reversi
from purembts.proving import settled
from purembts.records import NOTHING
from purembts.verify.loading import GAMES

QUICK = ["--games", "300", "--dives", "100", "200", "--seed", "7"]


def run(*arguments):
    """The answer of the command line, in this process."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = cli.run(arguments)
        except SystemExit as stop:
            code = stop.code
    return SimpleNamespace(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())


def spawned(*arguments, python=("-m", "purembts"), **environment):
    """The answer of a process of its own."""
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


def children_of(process):
    """The numbers of the processes that a process has started."""
    return Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()


def worked(process, seconds):
    """Wait until a process and its children have worked for some seconds, on a busy machine too."""
    used, end = 0.0, time.monotonic() + 60
    while used < seconds:
        assert time.monotonic() < end, f"it has worked for {used} seconds"
        time.sleep(0.05)
        fields = []
        for each in (process.pid, *children_of(process)):
            with suppress(OSError):  # a child may have ended
                stat = Path(f"/proc/{each}/stat").read_text()
                fields.append(stat.rpartition(")")[2].split())
        used = sum(int(user) + int(system) for *_, user, system in (each[:13] for each in fields))
        used /= os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
def test_a_seed_that_was_not_given_is_printed():
    ran = run("learn", *QUICK[:-2])
    seed = re.fullmatch(r"--seed (\d+)  \(this .*\)\n", ran.stderr).group(1)
    assert run("learn", *QUICK[:-1], seed).stdout == ran.stdout


@pytest.mark.parametrize("unbuffered", ["", pytest.param("1", marks=pytest.mark.slow)])
def test_a_full_device_is_one_line_and_exit_code_1(unbuffered):
    with Path("/dev/full").open("w") as full:
        answer = subprocess.run(
            [sys.executable, "-m", "purembts", "table", "--levers", "3"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(sys.path),
                "PYTHONUNBUFFERED": unbuffered,
            },
        )
    assert answer.returncode == 1
    assert answer.stderr == "purembts: [Errno 28] No space left on device\n"


def rows_of(text):
    """The cells of the tables that were printed."""
    lines = [line for line in text.splitlines() if "│" in line]
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in lines]


def test_search_shows_the_record_the_moves_and_what_was_learnt():
    ran = run("search", "--box", "1234", "--dives", "7000", "--seed", "7")
    box = frozenset({1, 2, 3, 4})
    tree = search({}, box, 7000, Random(7))
    (total, *moves) = rows_of(ran.stdout)
    assert total[:2] == ["7,000", f"{mean(tree[box]):.5f}"]
    values = (learnt_probability(tree, box), learnt_probability({}, box), win_probability(box))
    assert total[3:] == [f"{float(value):.5f}" for value in values]
    assert [row[0] for row in moves if row[0]] == [f"roll {roll}" for roll in range(2, 13)]
    rows = iter(moves)
    for roll in range(2, 13):
        turn = turn_at(shut_the_box(), box, roll)
        table = report.report(shut_the_box(), turn, tree, bound=ucb_wald).rows
        best = max(table, key=lambda row: row.mean, default=None)
        for row in table:
            cells = next(rows)
            assert cells[1] == f"shut {'+'.join(map(str, sorted(box - row.move)))}"
            assert cells[3:5] == [f"{row.visits:,}", f"{row.mean:.4f}"]
            exact = f"{float(win_probability(row.move)):.4f}"
            assert cells[5] == exact, "the tree has all positions, so all worths are certain"
            assert cells[7:9] == [f"{row.bound:.4f}", exact]
            assert ("*" in cells[9]) == (row is best)
            assert ("=" in cells[9]) == (win_probability(row.move) == win_probability(box, roll))
        if not table:
            assert next(rows)[:2] == [f"roll {roll}", "no move"]


def written(form, rules):
    return FORMS[form](card(shut_the_box(rules)))


@pytest.mark.parametrize("form", FORMS)
def test_the_table_is_printed_and_kept_in_every_form(form, tmp_path):
    text = written(form, Rules(levers=4))
    assert run("table", "--levers", "4", "--format", form).stdout == text
    suffix = next((end for end, name in SUFFIXES.items() if name == form), ".txt")
    path = tmp_path / f"table{suffix.upper()}"
    ran = run("table", "--levers", "4", "-o", str(path))
    assert (ran.stdout, ran.returncode) == ("", 0)
    assert path.read_text() == text
    assert run("table", "--levers", "4", "--json").stdout == written("json", Rules(levers=4))


def test_a_shut_box_is_a_box():
    facts = json.loads(run("solve", "--box", "", "--json").stdout)
    assert facts["best_play"][0]["exactly"] == "1"
    assert "from the end" in run("search", "--box", "", "--seed", "7").stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", ["learn", "search"])
def test_an_interrupted_search_saves_what_it_has(command, tmp_path):
    path = tmp_path / "tree.jsonl"
    path.write_text("old")
    quick = ["--games", "10"] if command == "learn" else []
    with start(command, *quick, "--dives", "100000000", "--save", str(path)) as process:
        worked(process, 1.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.endswith("purembts: interrupted\n")
    assert "Traceback" not in err
    tree = load_tree(path, shut_the_box())
    assert tree[start_box].visits % stepwise.STEP == 0
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
    bar, message = shown.split("purembts:")
    assert "reading positions" in bar
    assert bar.endswith("\x1b[2K")  # the line of the bar is empty again
    assert "a line must be an object" in " ".join(message.split())
    assert code == 1


@pytest.mark.parametrize("command", ["learn", "search"])
def test_trees_are_watched_while_they_are_read_and_written(command, monkeypatch, tmp_path):
    labels = []

    def watch(steps, label, total):
        if "positions" in label:
            labels.append(label)
        return steps

    monkeypatch.setattr(cli, "watched", watch)
    path = str(tmp_path / "tree.jsonl")
    quick = {"learn": QUICK, "search": ["--dives", "9", "--seed", "7"]}
    save_tree(path, shut_the_box(), search({}, start_box, 9))
    assert cli.run([command, *quick[command], "--load", path, "--save", path]) == 0
    assert labels == ["reading positions", "checking positions", "writing positions"]


def test_an_interrupt_before_the_first_dive_saves_nothing(tmp_path, monkeypatch, capsys):
    def interrupted(*args, **options):
        raise KeyboardInterrupt

    path = tmp_path / "tree.jsonl"
    monkeypatch.setattr(players, "strides", interrupted)
    assert cli.run(["search", "--seed", "7", "--save", str(path)]) == 130
    assert not path.exists()
    assert capsys.readouterr() == ("", "purembts: interrupted\n")
    monkeypatch.setattr(stepwise, "simulate", interrupted)
    assert cli.run(["simulate", "--seed", "7"]) == 130
    assert capsys.readouterr() == ("", "purembts: interrupted\n")


def test_a_damaged_tree_is_refused_by_every_command_that_loads(tmp_path):
    path = tmp_path / "tree.jsonl"
    path.write_text("{}\n")
    for command in ("learn", "search"):
        ran = run(command, "--seed", "7", "--load", str(path))
        assert ran.returncode == 1
        assert ran.stdout == ""
        assert ran.stderr.startswith(f"purembts: {path}, line 1: ")
        assert ran.stderr.count("\n") == 1


def test_colours_are_left_out_where_they_are_not_wanted():
    wanted = spawned("solve", "--box", "7", FORCE_COLOR="1", TERM="xterm-256color")
    plain = spawned("solve", "--box", "7", FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1")
    assert "\x1b[" in wanted.stdout
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", plain.stdout)
    assert "\x1b[" not in run("solve", "--box", "7").stdout


def test_a_failed_write_is_exit_code_1(monkeypatch, capsys, tmp_path):
    def full(path, text):
        raise OSError("No space left on device")

    monkeypatch.setattr(cli, "write", full)
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
        pytest.param("purembts search --dives 9 --json 2>&-", marks=pytest.mark.slow),
        pytest.param("purembts table <&-", marks=pytest.mark.slow),
    ],
)
def test_closed_streams_are_no_traceback(line, tmp_path):
    ran = shell(line, tmp_path)
    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr
    if "--json" in line:
        assert json.loads(ran.stdout)["seed"] >= 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("learn --save same -o same", "-o/--output: `FILE` must not be the file of the tree; got"),
        ("learn --save same -o ./same", "-o/--output: `FILE` must not be the file of the tree; go"),
        (f"search --save {'a' * 300}", "File name too long"),
        (f"search --load {'a' * 300}", "File name too long"),
        ("search --save link", "no is not a folder"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(
    words, message, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("link").symlink_to("no/where")
    answer = run(*words.split())
    assert (answer.returncode, answer.stdout) == (2, "")
    assert message in answer.stderr


def test_a_name_may_be_as_long_as_the_system_lets_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = "a" * 255
    assert run("search", "--seed", "7", "--dives", "9", "--save", name).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_memory_that_runs_out_is_one_line(monkeypatch, capsys):
    def full(*args, **options):
        raise MemoryError

    monkeypatch.setattr(stepwise, "simulate", full)
    assert cli.run(["simulate", "--seed", "7"]) == 1
    assert "not enough memory" in capsys.readouterr().err


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
    assert uniform == ["random play", f"{float(random_play):.7f}", str(random_play)]
    for roll, row in enumerate(rows, 2):
        moves, move = possible_moves(box, roll), best_move(box, roll)
        assert row[:2] == [f"roll {roll}", str(len(moves))]
        if move is None:
            assert row[2:] == ["no move", "", ""]
        else:
            assert row[2] == f"shut {'+'.join(map(str, sorted(box - move)))}"
            assert row[3].split() == [str(n) for n in sorted(move)]
            assert row[4] == f"{float(win_probability(box, roll)):.5f}"


def test_the_table_of_pi_has_each_power_of_ten_and_the_end(capsys):
    assert cli.run(["pi", "--darts", "2000", "--seed", "7"]) == 0
    rows = rows_of(capsys.readouterr().out)
    assert cli.run(["pi", "--darts", "2000", "--seed", "7", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    estimates = {row["darts"]: row for row in facts["estimates"]}
    last = estimates[facts["darts"]]
    assert facts["interval"] == [last["low"], last["high"]]
    assert facts["estimate"] == last["mean"]
    assert rows == [
        [
            f"{darts:,}",
            f"{estimates[darts]['mean']:.5f}",
            f"{estimates[darts]['low']:.5f} to {estimates[darts]['high']:.5f}",
        ]
        for darts in (10, 100, 1000, 2000)
    ]


def test_a_new_seed_has_at_most_32_bits():
    seeds = {cli.with_seed(parsed(["pi"])).seed for _ in range(50)}
    assert len(seeds) > 40
    assert 0 <= min(seeds) <= max(seeds) < 2**32


def test_an_interrupted_lesson_writes_no_table(monkeypatch, tmp_path, capsys):
    learn = stepwise.learn

    def broken(*args, **options):
        for lesson in learn(*args, **options):
            yield lesson
            if len(lesson.rows) == 3:
                raise KeyboardInterrupt

    monkeypatch.setattr(stepwise, "learn", broken)
    path = tmp_path / "table.txt"
    assert cli.run(["learn", *QUICK, "-o", str(path)]) == 130
    assert not path.exists()
    shown = capsys.readouterr().out
    assert "UCT, 100 dives" in shown
    assert "best play" not in shown.split("way to play")[1]


@pytest.mark.parametrize(
    "arguments", [["solve", "--json"], pytest.param(["table"], marks=pytest.mark.slow)]
)
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


# Any game

SMALL_GAMES = {
    "coins": ("12",),
    "tic-tac-toe": ("a1", "b2", "c3"),
    "simple-shut-the-box": ("2,3,4",),
    "reversi": ("d3", "c3", "b3"),
    "mnk": ("a1", "b2"),
}
"""Games with the words of a position."""
VARIANTS = {"reversi": ["--size", "4"], "mnk": ["--columns", "3", "--rows", "2", "--in-a-row", "2"]}


def game_and_place(name):
    words = [name, *VARIANTS.get(name, [])]
    if name == "reversi":
        game = reversi(4)
        first = game.display.label(game.start, game.moves(game.start, None)[0])
        return [*words, "--from", first]
    return [*words, "--from", *SMALL_GAMES[name]]


def json_of(capsys, *words):
    assert cli.run([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


@pytest.mark.parametrize("name", cases({name: (name,) for name in SMALL_GAMES}, slow=("reversi",)))
def test_the_commands_agree_about_every_game(name, capsys):
    place = game_and_place(name)
    solved = json_of(capsys, "solve", *place)
    most = ["--seed", "7", "--most-positions", "1e5"]
    searched = json_of(capsys, "search", *place, "--dives", "200", *most)
    played = json_of(capsys, "simulate", *place, "--games", "200", *most)
    for facts in (searched, played):
        assert facts["random_play"] == solved["random_play"]
        assert facts["position"] == solved["position"]
        assert len(facts["means"]) == len(facts["intervals"]) == 2
    assert searched["best_play"] == solved["best_play"]
    assert searched["visits"] == 200
    options = parsed(["search", *place])
    game, start = options.place.game, options.place.start
    final = stepwise.final_of(game)
    tree = engine.search(game, {}, start, 200, Random(7), bound=bound_of(options))
    assert searched["scores"] == list(tree[start].scores)
    values = [Fraction(each["exactly"]) for each in solved["best_play"]]
    assert tuple(values) == solver(game)(start)
    about = {"value": solver(game), "certain": settled(game, tree, start)}
    for turn, shown in zip(
        report.reports(game, start, tree, bound=bound_of(options), final=final, **about),
        searched["turns"],
        strict=True,
    ):
        assert json.loads(json.dumps(results.facts(turn))) == shown
    player = game.to_move(start)
    learnt = Fraction(searched["learnt"][player]["exactly"])
    assert learnt <= values[player], "nothing is better than best play"


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_searched_and_simulated_from_its_start(name, capsys):
    quick = ["--seed", "7", "--most-positions", "100"]
    searched = json_of(capsys, "search", name, "--dives", "30", *quick)
    played = json_of(capsys, "simulate", name, "--games", "5", *quick)
    assert searched["visits"] == 30
    assert played["visits"] == 5
    players = parsed(["search", name]).place.game.players
    assert len(searched["means"]) == len(played["means"]) == players
    assert searched["turns"][0]["moves"]
    for command in (["search", "--dives", "30"], ["simulate", "--games", "5"]):
        assert cli.run([command[0], name, *command[1:], *quick]) == 0
        assert parsed(["search", name]).place.game.name in capsys.readouterr().out


def test_a_hidden_hand_is_searched_behind_its_view(capsys):
    """Two deals that look alike to the player to move have the same report."""
    game = big_two()
    start = begin(game, None, 7)
    view = game.hidden.view(start, game.to_move(start))
    tree = determinize.information_set(
        game, view, Random(7), budget=30, bound=bound_at("big-two", game)
    )
    facts = json_of(capsys, "search", "big-two", "--dives", "30", "--seed", "7")
    assert facts["scores"] == list(tree[view].scores)
    visits = [
        (tree.get(move) or NOTHING).visits
        for move in view_turn(game, turn_at(game, start, None)).moves
    ]
    assert [move["visits"] for move in facts["turns"][0]["moves"]] == visits
    assert "learnt" not in facts


def test_a_tree_of_views_is_saved_loaded_and_continued(capsys, tmp_path):
    trees = ["--dives", "30", "--seed", "7", "--save", str(tmp_path / "tree.jsonl")]
    first = json_of(capsys, "search", "big-two", *trees)
    again = json_of(capsys, "search", "big-two", *trees, "--load", trees[-1])
    assert (first["visits"], again["visits"]) == (30, 60)
    assert cli.run(["search", "coins", "--seed", "7", "--load", trees[-1]]) == 1
    assert "the file must have a tree of positions; got a tree of views" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", "gomoku"], "Gomoku is too large to solve: more than 100,000 positions"),
        (
            ["solve", "tic-tac-toe", "--most-positions", "500"],
            "more than 500 positions can follow. --most-pos",
        ),
        pytest.param(
            ["learn", "reversi", "--seed", "7"],
            "Reversi is too large to solve",
            marks=pytest.mark.slow,
        ),
        (["learn", "big-two", "--seed", "7"], "Big Two hides information, so it has no exact"),
        pytest.param(
            ["match", "reversi", "--seed", "7", "--players", "perfect"],
            "is too large for exact values and",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_work_that_cannot_be_done_is_one_line_before_it_begins(words, message, capsys):
    assert cli.run(words) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert printed.err.count("\n") == 1


def test_a_game_that_is_too_large_is_searched_without_exact_values(capsys):
    few = ["--most-positions", "10"]
    assert cli.run(["solve", "coins", "--from", "150000", *few]) == 1
    assert "more than 10 positions can follow" in capsys.readouterr().err
    facts = json_of(capsys, "search", "coins", "--from", "10000", "--dives", "9", *few)
    assert "best_play" not in facts


@pytest.mark.parametrize("name", cases({name: (name,) for name in SMALL_GAMES}, slow=("reversi",)))
def test_a_tree_of_every_game_is_saved_and_loaded(name, tmp_path, capsys):
    place, path = game_and_place(name), str(tmp_path / "tree.jsonl")
    trees = ["--dives", "30", "--seed", "7", "--save", path]
    first = json_of(capsys, "search", *place, *trees)
    again = json_of(capsys, "search", *place, *trees, "--load", path)
    assert (first["visits"], again["visits"]) == (30, 60)


# Matches


OWN = """
from typing import NamedTuple

from purembts.game import Game
from purembts.display import Display


class Pile(NamedTuple):
    n: int
    player: int = 0


class Rules(NamedTuple):
    size: int = 7


def game(size=7):
    return Game(
        lambda pile, event: tuple(Pile(pile.n - k, 1 - pile.player) for k in (1, 2) if k <= pile.n),
        lambda pile: (1, 0) if pile.player else (0, 1),
        lambda pile: pile.player,
        start=Pile(size),
        name="Own",
        rules=Rules(size),
        display=Display(label=lambda before, after: f"take {before.n - after.n}"),
    )


def broken():
    return game()._replace(moves=lambda pile, event: [][pile.n])


one = game(5)


def unmade():
    raise OSError("no")


def lost(turn, rng):
    return turn.moves[9]
"""


@pytest.fixture
def own(tmp_path):
    path = tmp_path / f"own_{tmp_path.name[-5:].strip('_')}.py"
    path.write_text(OWN)
    return path


def test_a_game_in_a_file_is_solved_searched_simulated_and_matched(own, capsys):
    """Its functions are lambdas, which do not pickle, so each process makes it again."""
    place = [f"{own}:game", "--size", "9", "--from", "take", "1"]
    solved = json_of(capsys, "solve", *place)
    assert [value["exactly"] for value in solved["best_play"]] == ["0", "1"]
    searched = json_of(capsys, "search", *place, "--dives", "300", "--seed", "7")
    assert [move["label"] for move in searched["turns"][0]["moves"]] == ["take 1", "take 2"]
    assert json_of(capsys, "simulate", *place, "--games", "9", "--seed", "7")["visits"] == 9
    words = ["match", *place, "--players", "uct:9", "random", "--games", "20", "--seed", "7"]
    serial = json_of(capsys, *words)
    spread = ["--executor", "processes"]
    assert json_of(capsys, *words, *spread) == serial
    for name, *options in (
        ("search", "--dives", "300"),
        ("simulate", "--games", "300"),
        ("learn", "--games", "30", "--dives", "10", "20"),
    ):
        words = [name, *place, *options, "--seed", "7", *spread]
        here = returned(getattr(commands, name)(parsed(words))).facts
        assert json_of(capsys, *words) == json.loads(json.dumps(here)) | {"seed": 7}
    words = ["learn", *place, "--seeds", "3", "--dives", "9", "20", "--seed", "7"]
    assert json_of(capsys, *words, *spread) == json_of(capsys, *words)
    assert json_of(capsys, "solve", f"{own}:one")["best_play"][0]["exactly"] == "1"

    error = "line 30 (`<lambda>`): IndexError: list index out of range"
    for executor in ("serial", "processes"):
        words = ["match", f"{own}:broken", "--players", "random", "--executor", executor]
        assert cli.run([*words, "--seed", "7"]) == 1
        assert capsys.readouterr().err == f"purembts: {own.name}, {error}\n"


@pytest.mark.parametrize("executor", ["serial", "processes"])
def test_a_mistake_in_a_strategy_of_ones_own_is_one_line_with_its_place(executor, own, capsys):
    words = ["match", "coins", "--players", f"{own}:lost", "random", "--executor", executor]
    assert cli.run([*words, "--seed", "7"]) == 1
    error = "line 41 (`lost`): IndexError: tuple index out of range"
    assert capsys.readouterr().err == f"purembts: {own.name}, {error}\n"


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("broken", r"{file}, line 30 \(`<lambda>`\): IndexError: list index out of range"),
        ("unmade", r"`unmade\(\)` of \S+{file} cannot be called, in line 37: OSError: no"),
        ("nothing", r"`nothing` must be defined in \S+{file}"),
        ("Rules", r"`Rules` of \S+{file} must be a Game, or make one; got Rules\(size=7\)"),
    ],
)
def test_a_mistake_in_a_file_is_one_line_with_its_place(name, place, own, capsys):
    with suppress(SystemExit):
        assert cli.run(["search", f"{own}:{name}", "--seed", "7"]) == 1
    printed = capsys.readouterr().err
    assert re.search(place.format(file=own.name), printed)
    assert printed.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["serial", "processes"])
@pytest.mark.parametrize(("dives", "games"), [("30000", "9"), ("30", "400")])
def test_an_interrupted_match_ends_at_once(executor, dives, games):
    words = ["--players", f"uct:{dives}", "--games", games, "--executor", executor]
    with start("match", "reversi", *words, "--seed", "7") as process:
        worked(process, 2 if dives == "30000" else 4)  # so that some short games are done
        children = children_of(process)
        process.send_signal(signal.SIGINT)
        before = time.monotonic()
        out, err = process.communicate(timeout=60)
        assert time.monotonic() - before < 40, "a long game takes minutes"
    assert process.returncode == 130
    assert err == "purembts: interrupted\n"
    assert ("the standings" in out) == (dives == "30")
    assert (children != []) == (executor == "processes")
    assert not any(Path(f"/proc/{child}").exists() for child in children)


@pytest.mark.slow
def test_the_processes_of_a_match_end_with_it_even_if_it_is_killed():
    words = ["--players", "uct:30000", "--executor", "processes", "--seed", "7"]
    with start("match", "reversi", *words) as process:
        worked(process, 2)
        children = [Path(f"/proc/{child}/stat") for child in children_of(process)]
        process.kill()
    assert children
    for _ in range(50):
        left = [child for child in children if child.exists() and ") Z" not in child.read_text()]
        if not left:
            return
        time.sleep(0.1)
    pytest.fail(f"{left} are still there")


def test_strategies_of_a_game_of_one_mover_play_alone(capsys):
    words = ["match", "--players", "random", "perfect", "uct:5", "--games", "50", "--seed", "7"]
    standings = json_of(capsys, *words)["standings"]
    assert [row["games"] for row in standings] == [50] * 3
    assert cli.run(words) == 0
    printed = capsys.readouterr().out
    assert "Each player played alone." in printed
    assert "drawn" not in printed


# Streams


def test_without_rich_tables_are_plain_text():
    hide = "import sys; sys.modules['rich'] = None; from purembts.__main__ import main; "
    pi = ("pi", "--darts", "9", "--seed", "7")
    ran = spawned(*pi, python=("-c", f"{hide}sys.exit(main())"))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "-----  " in ran.stdout
    assert not set("┏┃│└") & set(ran.stdout)


def test_a_dash_is_stdout(capfd):
    for name in ("-", "/dev/stdout"):
        assert cli.run(["table", "--levers", "3", "-o", name]) == 0
        heading, text = capfd.readouterr().out.split("\n", 1)
        assert heading == "\t".join(["box", *map(str, range(2, 13))])
        assert f"{heading}\n{text}" == written("text", Rules(levers=3))
        assert cli.run(["pi", "--darts", "9", "--seed", "7", "-o", name]) == 0
        printed = capfd.readouterr()
        assert printed.out.startswith("<svg")
        assert "Pi by 9 darts" in printed.err
        for words in (["coins"], ["--levers", "3"]):
            assert cli.run(["learn", *words, *QUICK, "-o", name]) == 0
            assert capfd.readouterr().out.startswith("<svg")
        assert cli.run(["learn", "--levers", "3", *QUICK, "-o", name, "--format", "csv"]) == 0
        assert capfd.readouterr().out == written("csv", Rules(levers=3))


@pytest.mark.slow
def test_a_terminal_of_ascii_gets_letters():
    ran = spawned("search", "big-two", "--dives", "9", "--seed", "3", PYTHONIOENCODING="ascii")
    assert ran.returncode == 0
    assert "\\u" not in ran.stdout
    assert ran.stdout.isascii()
    assert "3D 4H 5D 6C 7S" in ran.stdout
    ran = spawned("search", "big-two", "--from", "♦é", "--seed", "3", PYTHONIOENCODING="ascii")
    assert "got '?e'" in ran.stderr or "De" in ran.stderr
