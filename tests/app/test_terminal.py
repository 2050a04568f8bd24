"""The command line: what it prints, its exit codes, and its files."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from io import BytesIO, StringIO, TextIOWrapper
from itertools import repeat
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from new_process import python
from purembts import __main__, players, shut_the_box
from purembts.__main__ import main
from purembts.app import commands, terminal
from purembts.app.files import load_tree
from purembts.app.results import as_workshop, card
from purembts.games.last_coin import last_coin
from purembts.games.reversi import reversi
from purembts.loading import GAMES, game_called
from purembts.tables import as_json

LEARN = "learn coins --dives 100 200"


def run(*arguments):
    """The answer of the command line, in this process."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = __main__.run(arguments)
    return SimpleNamespace(code=code, out=out.getvalue(), err=err.getvalue())


def facts_of(*words):
    ran = run(*words, "--json")
    assert (ran.code, ran.err) == (0, "")
    return json.loads(ran.out, parse_constant=pytest.fail)


def start(*arguments, **streams):
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    # A shell may make its background jobs ignore the signal.
    how["preexec_fn"] = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    return python("-m", "purembts", *arguments, **how)


def worked(process, seconds):
    """Wait until a process has worked for some seconds, on a busy machine too."""
    used, end = 0.0, time.monotonic() + 60
    while used < seconds:
        assert time.monotonic() < end, f"it has worked for {used} seconds"
        time.sleep(0.05)
        stat = Path(f"/proc/{process.pid}/stat").read_text()
        user, system = stat.rpartition(")")[2].split()[11:13]
        used = (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def test_a_seed_that_was_not_given_is_printed():
    ran = run("pi", "--darts", "9")
    seed = re.fullmatch(r"--seed (\d+)  \(this .*\)\n", ran.err).group(1)
    assert run("pi", "--darts", "9", "--seed", seed).out == ran.out
    assert run("pi", "--darts", "9").err != ran.err


def test_the_program_has_the_exit_code_of_its_work(monkeypatch, capsys):
    for error, code in ((None, 0), (OSError, 1), (KeyboardInterrupt, 130)):
        monkeypatch.setattr(sys, "argv", ["purembts", "simulate", "--games", "9"])
        if error:
            monkeypatch.setattr(commands, "random_games", Mock(side_effect=error))
        assert main() == code
    monkeypatch.setattr(__main__, "request_in", Mock(side_effect=KeyboardInterrupt))
    assert main() == 130


# Streams


@pytest.mark.parametrize(
    "words", [["table", "--rules", "levers=3"], ["solve", "--json"], ["solve", "--help"]]
)
def test_a_full_device_and_a_closed_pipe_are_exit_code_1(words, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["purembts", *words])
    ours, theirs = os.pipe()
    os.close(ours)
    device = Path("/dev/full").open("w")  # noqa: SIM115
    full = "purembts: [Errno 28] No space left on device\n"
    for stream, said in ((device, full), (os.fdopen(theirs, "w"), "")):
        monkeypatch.setattr(sys, "stdout", stream)
        assert main() == 1
        stream.close()  # which has nothing left to write
        assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("stdout", ["solve", "--box", "257"]),
        ("stderr", ["search", "--dives", "9", "--json"]),
        ("stdin", ["table", "--rules", "levers=3"]),
    ],
)
def test_closed_streams_are_no_traceback(name, words, monkeypatch, capsys):
    monkeypatch.setattr(sys, name, None)
    assert __main__.run(words) == 0
    getattr(sys, name).close()
    printed = capsys.readouterr().out
    assert name != "stderr" or json.loads(printed)["seed"] >= 0


def test_a_terminal_of_ascii_gets_letters(monkeypatch):
    shown = TextIOWrapper(BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", shown)
    assert __main__.run(["search", "big-two", "--dives", "9", "--seed", "3"]) == 0
    text = shown.buffer.getvalue().decode("ascii")
    assert "\\u" not in text
    assert "3D 4H 5D 6C 7S" in text
    monkeypatch.setattr(sys, "stderr", said := TextIOWrapper(BytesIO(), "ascii"))
    __main__.run(["search", "big-two", "--from", "♦é", "--seed", "3"])
    text = said.buffer.getvalue().decode("ascii")
    assert "got '?e'" in text or "De" in text


@pytest.mark.parametrize(
    "words", ["bandit --pulls 50 --runs 2", "pi --darts 500", "simulate reversi --games 9", LEARN]
)
def test_a_chart_is_drawn_in_a_file_or_on_stdout(words, tmp_path, capfd):
    command, path = [*words.split(), "--seed", "7"], tmp_path / "chart.SVG"
    table = run(*command).out
    assert run(*command, "-o", str(path)).out == table
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert (chart := path.read_text("utf-8")).startswith("<svg")
    for name in ("-", "/dev/stdout"):
        assert __main__.run([*command, "-o", name]) == 0
        printed = capfd.readouterr()
        assert printed.out == chart
        assert "-----  " in printed.err


# Files


def test_the_table_is_printed_as_text_and_as_json():
    table = card(shut_the_box(levers=4))
    assert run("table", "--rules", "levers=4").out == as_workshop(table)
    assert run("table", "--rules", "levers=4", "--json").out == as_json(table)


@pytest.mark.slow
def test_a_terminal_shows_how_much_of_the_work_is_done():
    ours, theirs = os.openpty()
    words = ["search", "--seed", "7", "--dives", "300"]
    with start(*words, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        assert process.wait(60) == 0
    shown = os.read(ours, 1_000_000).decode()
    os.close(theirs)
    os.close(ours)
    assert "300 dives" in shown
    assert shown.endswith("\x1b[2K")  # the line of the bar is empty again


def test_a_failed_write_is_exit_code_1_and_loses_no_result(monkeypatch, capsys, tmp_path):
    def full(path, game, tree, **how):
        raise OSError("No space left on device")

    monkeypatch.setattr(terminal, "save_tree", full)
    words = ["search", "--rules", "levers=3", "--seed", "7", "--save", str(tmp_path / "tree")]
    assert __main__.run(words) == 1
    printed = capsys.readouterr()
    assert printed.err == "purembts: No space left on device\n"
    assert "best play" in printed.out


def test_a_tree_is_saved_from_time_to_time_and_a_failed_write_does_not_end_the_search(
    monkeypatch, capsys, tmp_path
):
    trees, path = [], tmp_path / "tree.jsonl"

    def half(path, game, tree, **how):
        trees.append(tree)
        if len(trees) == 2:
            raise OSError("No space left on device")
        save_tree(path, game, tree, **how)
        assert load_tree(path, game) == tree

    save_tree = terminal.save_tree
    monkeypatch.setattr(terminal, "save_tree", half)
    monkeypatch.setattr(terminal, "occasions", lambda: repeat(True))
    words = ["search", "coins", "--dives", "100", "--seed", "7", "--save", str(path)]
    assert __main__.run(words) == 0
    assert capsys.readouterr().err == (
        "purembts: the tree so far is not saved: No space left on device\n"
    )
    done = [tree[last_coin().start].visits for tree in trees]
    assert (done, len(done) > 3) == (sorted(done), True)


# Work that ends early: on a size of Reversi for which there is no compiled search, as an
# interrupt is lost while Numba is loaded

long_search = ("search", "reversi", "--rules", "size=10", "--dives", "100000000", "--save")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_search_saves_what_it_has(number, tmp_path):
    path = tmp_path / "tree.jsonl"
    path.write_text("old")
    with start(*long_search, str(path)) as process:
        worked(process, 1.5)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert err.endswith(f"purembts: interrupted\npurembts: saved in {path}\n")
    assert "Traceback" not in err
    game = reversi(10)
    assert f"{load_tree(path, game)[game.start].visits:,}" in out


@pytest.fixture
def handlers():
    """The signals SIGTERM and SIGHUP, whose handlers are put back."""
    numbers = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, signal.SIG_DFL) for number in numbers]
    yield numbers
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


def test_a_signal_is_an_interrupt_and_more_do_not_stop_what_is_saved(handlers, monkeypatch, capsys):
    for number in handlers:
        ends = Mock(side_effect=lambda *args, number=number, **how: signal.raise_signal(number))
        monkeypatch.setattr(commands, "random_games", ends)
        monkeypatch.setattr(terminal, "say", ends)
        monkeypatch.setattr(sys, "argv", ["purembts", "simulate", "--seed", "7"])
        assert main() == 128 + number
        assert ends.call_count == 2
        assert signal.getsignal(number) == signal.SIG_DFL


def test_a_signal_that_is_ignored_at_the_start_stays_ignored(handlers, monkeypatch, capsys):
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    monkeypatch.setattr(sys, "argv", ["purembts", "pi", "--darts", "9"])
    monkeypatch.setattr(__main__.terminal, "say", lambda *args, **how: os.kill(os.getpid(), 1))
    assert main() == 0


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupt_in_an_exec_leaves_the_exit_code_to_the_program(name, tmp_path):
    """Python itself ends by SIGINT after a KeyboardInterrupt in an `exec` of a text."""
    (tmp_path / "main.py").write_text(f"""\
import signal, sys
from purembts import __main__
from purembts.app import commands
commands.random_games = lambda *_, **__: exec("signal.raise_signal(signal.{name})")
sys.argv = ["purembts", "simulate", "--seed", "7"]
sys.exit(__main__.main())""")
    with python("-m", "main", cwd=tmp_path, stderr=subprocess.PIPE) as process:
        assert process.communicate() == (None, "purembts: interrupted\n")
    assert process.returncode == 128 + getattr(signal, name)


def test_an_interrupt_that_is_lost_comes_again(handlers, monkeypatch, capsys):
    def lost(*args, **how):
        with suppress(KeyboardInterrupt):  # as in a callback of C
            signal.raise_signal(signal.SIGTERM)
        return simulate(*args, **how)

    simulate = commands.random_games
    monkeypatch.setattr(commands, "random_games", lost)
    monkeypatch.setattr(sys, "argv", ["purembts", "simulate", "--games", "10000000"])
    assert main() == 128 + signal.SIGTERM


@pytest.mark.slow
def test_a_terminal_that_is_closed_loses_no_tree(tmp_path):
    path = tmp_path / "tree.jsonl"
    ours, theirs = os.openpty()
    with start(*long_search, str(path), stdout=theirs, stderr=theirs) as process:
        worked(process, 1.5)
        os.close(theirs)
        os.close(ours)
        process.send_signal(signal.SIGHUP)
        assert process.wait(60) == 128 + signal.SIGHUP
    assert load_tree(path, reversi(10))


@pytest.mark.slow
def test_a_signal_stops_the_processes_of_a_check(tmp_path):
    (file := tmp_path / "mine.py").write_text("from time import sleep\nopen('now', 'w')\nsleep(99)")
    with start("check", str(file), "--limit", "99", cwd=tmp_path) as process:
        while not (tmp_path / "now").exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        assert process.wait(50) == 128 + signal.SIGTERM


def test_an_interrupt_before_the_first_dive_saves_nothing(tmp_path, monkeypatch):
    def interrupted(*args, **options):
        raise KeyboardInterrupt

    path = tmp_path / "tree.jsonl"
    monkeypatch.setattr(players, "strides", interrupted)
    monkeypatch.setattr(commands, "random_games", interrupted)
    for words in (["search", "--save", str(path)], ["simulate"]):
        ran = run(*words, "--seed", "7")
        assert (ran.code, ran.out, ran.err) == (130, "", "purembts: interrupted\n")
    assert not path.exists()


def test_memory_that_runs_out_is_one_line(monkeypatch):
    def full(*args, **options):
        raise MemoryError

    monkeypatch.setattr(commands, "random_games", full)
    ran = run("simulate", "--seed", "7")
    assert (ran.code, ran.err) == (1, "purembts: there is not enough memory.\n")


# Any game


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_searched_and_simulated_from_its_start(name):
    quick = ["--seed", "7"]
    searched = facts_of("search", name, "--dives", "30", *quick)
    played = facts_of("simulate", name, "--games", "5", *quick)
    assert (searched["visits"], played["visits"]) == (30, 5)
    game = game_called(name)
    assert len(searched["means"]) == len(played["means"]) == game.players
    assert searched["turns"][0]["moves"]
    assert ("best_play" in searched) == game.is_small
    for command in (["search", name, "--dives", "30"], ["simulate", name, "--games", "5"]):
        assert game.name in run(*command, *quick).out


def test_a_tree_is_saved_loaded_and_continued_as_one_search_also_with_views(tmp_path):
    parts, whole = tmp_path / "parts.jsonl", tmp_path / "whole.jsonl"
    for name in ("coins", "big-two"):
        one = facts_of("search", name, "--dives", "60", "--seed", "7", "--save", str(whole))
        trees = ["search", name, "--dives", "30", "--save", str(parts)]
        first = facts_of(*trees, "--seed", "7")
        ran = run(*trees, "--load", str(parts), "--json")  # the seed is that of the file
        assert (first["visits"], json.loads(ran.out)) == (30, one)
        assert "--seed 7  (" in ran.err
        assert parts.read_bytes() == whole.read_bytes()
        ran = run(*trees, "--load", str(parts), "--seed", "8")
        assert "purembts: this is not the same as one search: `seed` of the file is 7, a" in ran.err
    ran = run("search", "coins", "--seed", "7", "--load", str(parts))
    assert ran.code == 1
    assert "the file must have a tree of positions; got a tree of views" in ran.err


# A game of one's own

OWN = """
from fractions import Fraction

from purembts.games.last_coin import Pile, last_coin


def game(takes=(1, 2), misere=False):
    return last_coin(takes, misere=misere)._replace(name="Own", json=None)


def broken():
    return game()._replace(moves=lambda pile, event: [][pile.coins])


one = game()._replace(start=Pile(5))
thirds = one._replace(result=lambda pile: (Fraction(1, 3), Fraction(2, 3)), playout=None)


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


def test_a_game_in_a_file_is_solved_searched_simulated_and_matched(own):
    place = [f"{own}:game", "--rules", "takes=1,3", "--from", "take", "1"]
    assert [value["exactly"] for value in facts_of("solve", *place)["best_play"]] == ["1", "0"]
    searched = facts_of("search", *place, "--dives", "300", "--seed", "7")
    assert [move["label"] for move in searched["turns"][0]["moves"]] == ["take 1", "take 3"]
    words = ["match", *place, "--players", "uct:9", "random", "--games", "20", "--seed", "7"]
    assert [each["games"] for each in facts_of(*words)["standings"]] == [20, 20]
    assert facts_of("simulate", *place, "--games", "30", "--seed", "7")["visits"] == 30
    learnt = facts_of("learn", *place, "--dives", "9", "300", "--seed", "7")
    assert (learnt["seed"], learnt["position"]) == (7, None)
    assert facts_of("solve", f"{own}:one")["best_play"][0]["exactly"] == "1"


def test_a_mistake_in_a_game_or_a_strategy_is_one_line_with_its_place(own):
    for words, error in (
        ([f"{own}:broken", "--players", "random"], "line 12 (`<lambda>`): IndexError: list"),
        (["coins", "--players", f"{own}:lost", "random"], "line 24 (`lost`): IndexError: tuple"),
    ):
        ran = run("match", *words, "--seed", "7")
        assert ran.code == 1
        assert ran.err == f"purembts: {own.name}, {error} index out of range\n"


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("unmade", r"`unmade\(\)` of \S+{file} cannot be called, in line 20: OSError: no"),
        ("nothing", r"`nothing` must be defined in \S+{file}"),
        (
            "Pile",
            r"`Pile` of \S+{file} must be a Game, or make one; got Pile\(coins=21",
        ),
    ],
)
def test_a_name_that_is_no_game_is_one_line_with_its_place(name, place, own):
    ran = run("search", f"{own}:{name}", "--seed", "7")
    assert ran.code == 2
    assert re.search(place.format(file=own.name), ran.err)
    assert ran.err.count("\n") == 1


def test_scores_that_are_fractions_are_numbers_of_json(own, tmp_path):
    place, rest = f"{own}:thirds", ["--seed", "1", "--json"]
    chart = ["-o", str(tmp_path / "chart.svg")]
    assert facts_of("simulate", place, "--games", "10", *chart, *rest)["visits"] == 10
    assert facts_of("search", place, "--dives", "10", *rest)["visits"] == 10
    assert facts_of("match", place, "--games", "4", *rest)["standings"]
    *_, end = run("watch", place, "--players", "random", *rest).out.splitlines()
    assert sum(json.loads(end)["result"]) == 1
