"""Requests: their options on the command line, and what is refused in one line."""

import ast
import inspect
import re
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest

import texts
from purembts import __main__, loading
from purembts.__main__ import request_in, run
from purembts.app import commands, hints, sampled_results, sessions
from purembts.app.players import OPPONENT
from purembts.app.positions import bound_of, game_of
from purembts.app.requests import COMMANDS, BanditName, Play, Watch, checked, options_of
from purembts.bounds import CONSTANTS, ucb1, ucb1_with, ucb_wald
from purembts.games.big_two import big_two
from purembts.games.last_coin import last_coin
from purembts.loading import GAMES

EXAMPLES = {
    name: re.search(rf"Example: purembts ({name}.*)", kind.__doc__)[1].split()
    for name, kind in COMMANDS.items()
}


FOLDER, PYTHON = files("purembts.course") / "data", __main__.__file__


def parsed(words):
    return checked(request_in(words))


def exit_code(arguments):
    """The exit code of arguments that may end the program while they are parsed."""
    try:
        return run(arguments)
    except SystemExit as stop:
        return stop.code


def test_a_board_may_begin_with_a_hyphen_as_an_option_does():
    row = "---------------------------OX------XO--------------------------- X;"
    for words in (["--from", row], [f"--from={row}"], ["--box", row]):
        assert parsed(["search", "reversi", *words, "--c", "1"]).start == (row,)


# A command is its request, its generator and a page


@pytest.mark.parametrize(("name", "kind"), COMMANDS.items())
def test_a_request_has_a_command_a_page_and_an_example(name, kind, tmp_path, monkeypatch):
    assert inspect.isgeneratorfunction(getattr(commands, name))
    table = [line for line in texts.page("command_line").splitlines() if line[:3] == "| `"]
    assert any(f"`{name}`" in line.split(" | ")[0] for line in table)
    monkeypatch.chdir(tmp_path)
    Path("mine.py").touch()
    assert type(parsed(EXAMPLES[name])) is kind


def test_each_game_has_its_row_in_the_page_of_the_command_line():
    first_cells = re.findall(r"^\| (`.*?) \|", texts.page("command_line"), re.MULTILINE)
    assert {*GAMES} <= {*re.findall("`(.*?)`", " ".join(first_cells))}


def sentence_of(kind, field):
    """The sentence under a field of a request, or that of its type."""
    [name] = ast.parse(inspect.getsource(kind)).body
    under = {
        one.target.id: ast.literal_eval(two.value)
        for one, two in pairwise(name.body)
        if isinstance(one, ast.AnnAssign) and isinstance(two, ast.Expr)
    }
    return under.get(field) or options_of(kind)[field].sentence


@pytest.mark.parametrize(("name", "kind"), COMMANDS.items())
def test_the_help_has_a_sentence_and_the_default_of_each_option(name, kind, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert exit_code([name, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert " ".join(EXAMPLES[name]) in shown
    for field in kind._fields:
        usual = kind._field_defaults.get(field, "required")
        default = " ".join(map(str, usual if isinstance(usual, tuple) else [usual]))
        end = {"required": " (required)", "": "", "None": "", "False": ""}
        assert sentence_of(kind, field) + end.get(default, f" (default: {default})") in shown


def test_the_choices_are_those_of_other_rooms():
    assert options_of(Play)["hints"].kind.__args__ == tuple(hints.HINTS)
    assert {*get_args(BanditName)} == {*sampled_results.BANDITS}
    assert Play().dives == sessions.Setting._field_defaults["dives"]
    assert f"(default: {OPPONENT})" in options_of(Watch)["players"].sentence


# Requests from the command line


@pytest.mark.parametrize(
    ("arguments", "option", "value"),
    [
        (["learn", "--dives", "30", "10", "20"], "dives", (30, 10, 20)),
        (["bandit", "--means", "0", "0.25", "1"], "means", (0, 0.25, 1)),
        (["bandit", "--policies", "ucb1", "random"], "policies", ("ucb1", "random")),
        (["search", "--seconds", "0.5"], "seconds", 0.5),
        (["search", "--seed", "-3"], "seed", -3),
        (["table", "--json"], "json", True),
        (["pi", "--darts", "1e15"], "darts", 10**15),
        (["pi", "--darts", "2_0.0"], "darts", 20),
        (["pi", "-o", "/dev/stdout"], "output", Path("-")),
        (["match", "--players", "uct:1000", "time:2"], "players", ("uct:1000", "time:2")),
        (["search", "--dives", "9", "coins"], "game", "coins"),
        (["table", "--rules", "dice=3", "levers=8"], "rules", ("dice=3", "levers=8")),
        (["solve", "--box", "1+8", "shut", "2+7"], "start", ("1+8", "shut", "2+7")),
        (["play", "--from", ""], "start", ("",)),
    ],
)
def test_an_option_has_the_value_that_was_typed(arguments, option, value):
    assert getattr(parsed(arguments), option) == value


@pytest.mark.parametrize(
    ("arguments", "bound"),
    [
        ([], ucb_wald),
        (["simple-shut-the-box"], ucb_wald),
        (["coins"], ucb1),
        (["big-two"], ucb1_with(0.2)),
    ],
)
def test_the_usual_bound_is_that_of_the_game(arguments, bound):
    def bound_in(words):
        request = parsed(words)
        return bound_of(request, game_of(request))

    for command in ("search", "match", "watch", "play"):
        assert repr(bound_in([command, *arguments])) == repr(bound)
    for name, of in CONSTANTS.items():
        for command, kind in COMMANDS.items():
            if "c" in kind._fields:
                chosen = bound_in([command, *arguments, f"--{name}", "0.5"])
                assert chosen(3, 4, 9) == of(0.5)(3, 4, 9)


# Requests that are refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["learn", "--dives", "0"], "`--dives` must be a whole number of at least 1; got 0."),
        (["learn", "--dives"], "`--dives` must be a value or more; got ()."),
        (["pi", "--darts", "1e999"], "`--darts` must be a whole number of at least 1; got '1e999'"),
        (["simulate", "--games", "9" * 5000], "must be a whole number of at least 1; got '999"),
        (["learn", "--z", "nan"], "`--z` must be a number from 0 to 1000000; got nan."),
        (["learn", "--seed", "x"], "`--seed` must be a whole number; got 'x'."),
        (["search", "--save", "-"], "`--save` must be the name of a file; got '-'."),
        (["search", "--load", "a" * 300], "File name too long"),
        (["search", "--save", "/none/tree.jsonl"], "/none is not a folder"),
        (["search", "--load", "/none"], "`--load` must be a file that exists; got '/none'."),
        (["learn", "-o", ""], "`--output` must be the name of a file; got '.'."),
        (["learn", "-o", "t.csv"], "`--output` must be an .svg, or -; got 't.csv'."),
        (["solve", "reversi", "--rules", "size=4", "size=6"], "must be given once; got size"),
        (["solve", "--box", "2,x"], "A box must be the levers that are up, from 1 to 9 and each"),
        (["search", "--seconds", "0"], "`--seconds` must be a finite number above 0; got 0.0."),
        (["search", "--seconds", "1", "--dives", "10000"], "`--dives` must be given without"),
        (["search", "--z", "1", "--c", "1"], "`--c` must be given without `--z`; got both."),
        (["search", "chess"], "`GAME` must be one of shut-the-box, simple-shut-the-box, coins,"),
        (["search", "no_module:game"], "no_module cannot be imported: ModuleNotFoundError"),
        (["search", "purembts.display:Squares"], "`Squares()` of purembts.display cannot be"),
        (["search", "--from", "d3", "reversi"], "got 'd3 reversi'"),
        (["learn", "--dives", "9", "coins"], "must be a whole number of at least 1; got 'coins'"),
        (["watch", "tic-tac-toe", "--players", "perfekt"], "A player must be easy, medium, hard, "),
        (["play", "tic-tac-toe", "--seats", "3"], "`SEAT` must be 1, 2 or all; got '3'."),
        (
            ["play", "coins", "--seats", "all", "--against", "easy"],
            "0, as all seats are taken; got 1.",
        ),
        (["bandit", "--means", "1.5"], "`--means` must be a number from 0 to 1; got 1.5."),
        (["check", "no.py"], "`TARGET` must be a file that exists, or a game; got 'no.py'."),
        (["check", "no.py:game"], "`TARGET` must be a file that exists, or a game; got 'no.py:g"),
        (["check", f"{FOLDER}/solutions.txt"], "`TARGET` must be a file that ends in .py; got"),
        (
            ["check", PYTHON, "--task", "14"],
            "`--task` must be a whole number from 1 to 13; got 14.",
        ),
        (["check", PYTHON, "--examples", "3"], "`--examples` is for a game; the target is a sol"),
        (["check", f"{PYTHON}:pile", "--task", "3"], "`--task` is for a solution; the target is"),
        (["check", PYTHON, "--properties", "--task", "4"], "must be given without `--task`; got"),
        (["check", PYTHON, "--reveal"], "`--reveal` must be given with `--properties`."),
        (["check", PYTHON, "--limit", "0"], "`--limit` must be a finite number above 0; got 0.0."),
    ],
)
def test_a_wrong_request_is_one_line_and_exit_code_2(arguments, message, capsys):
    assert exit_code(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert printed.err.startswith(f"purembts {arguments[0]}: ")
    assert printed.err.count("\n") == 1
    assert printed.err.endswith(f" (see purembts {arguments[0]} --help)\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing subcommand"),
        (["fly"], "Available subcommands: learn, simulate, search"),
        (["workshop"], "Missing from purembts workshop: STEP"),
        (["play", "--hints", "all"], "invalid choice 'all' for argument '--hints'"),
        (["bandit", "--policies", "best"], "invalid choice 'best'"),
        (["simulate", "--n", "5"], "Unrecognized options: --n"),
        (["learn", "--sed", "7"], "Perhaps you meant: --seed N"),
        (["prompt", "--n"], "run purembts prompt --help"),
        (["pi", "--darts"], "Missing value for argument '--darts'"),
    ],
)
def test_words_that_are_no_request_are_answered_with_what_would_be_right(
    arguments, message, capsys
):
    assert exit_code(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in " ".join(printed.err.replace("│", " ").split())


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("coins", last_coin()._replace(json=None)),
        ("big-two", big_two()._replace(hidden=big_two().hidden._replace(json=None))),
    ],
)
def test_a_tree_without_json_is_refused_before_the_work(name, bare, monkeypatch, capsys):
    monkeypatch.setitem(GAMES, name, lambda: bare)
    loading._maker.cache_clear()
    assert exit_code(["search", name, "--save", "tree.jsonl"]) == 2
    assert f"{bare.name} has no JSON, so `--save` must be left out." in capsys.readouterr().err
    loading._maker.cache_clear()


def test_the_version_is_printed(capsys):
    assert exit_code(["--version"]) == 0
    printed = capsys.readouterr().out
    assert re.fullmatch(r"purembts (\d+\.\d+\.\d+|\(not installed, .*\))\n", printed)


def test_without_the_parser_one_line_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(__main__, "tyro", None)
    assert exit_code(["solve"]) == 2
    said = capsys.readouterr().err
    assert "install it with: pip install 'purembts[cli]', or in a clone: pip" in said
    assert said.count("\n") == 1
