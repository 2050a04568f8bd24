"""The options of the command line: wrong arguments are one line, and every command has help."""

import re

import pytest

from purembts import loading as games
from purembts.app import terminal as cli
from purembts.app.parser import parsed
from purembts.app.requests import COMMANDS, bound_of, options_of
from purembts.bounds import ucb1, ucb1_with, ucb_wald, wald_with
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin
from purembts.games.shut_the_box import Rules
from purembts.loading import GAMES

NEEDED = {
    "check": ["module:game"],
    "workshop": ["next", "mine.py"],
}
"""The arguments that a command does not do without."""


def exit_code(arguments):
    """The exit code of arguments that end the program while they are parsed."""
    with pytest.raises(SystemExit) as stop:
        cli.run(arguments)
    return stop.value.code


def test_every_command_has_a_function():
    assert [*cli.ADAPTERS] == [command.request for command in COMMANDS.values()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "COMMAND"),
        (["fly"], "invalid choice: 'fly'"),
        (["learn", "--dives", "0"], "`N` must be a whole number of at least 1; got 0."),
        (["learn", "--dives", "1.5"], "`N` must be a whole number of at least 1; got '1.5'."),
        (["pi", "--darts", "1e999"], "`N` must be a whole number of at least 1; got '1e999'."),
        (["simulate", "--games", "9" * 5000], "`N` must be a whole number of at least 1; got '999"),
        (["learn", "--z", "nan"], "`X` must be a finite number of at least 0; got nan."),
        (["learn", "--seed", "x"], "`SEED` must be a whole number; got 'x'."),
        (["learn", "-o", ""], "`FILE` must be the name of a file; got ''."),
        (["search", "--save", "-"], "`FILE` must be the name of a file; got '-'."),
        (["solve", "reversi", "--rules", "size=4", "size=6"], "must be given once; got size"),
        (["learn", "-o", "/none/curve.svg"], "/none is not a folder"),
        (["solve", "--box", "2,x"], "A box must be the levers that are up, from 1 to 9 and each"),
        (["search", "--seconds", "0"], "`S` must be a finite number above 0; got 0.0."),
        (["search", "--seconds", "1", "--dives", "1"], "not allowed with argument --seconds"),
        (["search", "--load", "/none"], "`FILE` must be a file that exists; got '/none'."),
        (["search", "--save", "/none/tree.jsonl"], "/none is not a folder"),
        (["table", "--box", "7"], "unrecognized arguments: --box"),
        (["play", "--hints", "all"], "invalid choice: 'all'"),
        (["search", "chess"], "`GAME` must be one of shut-the-box, simple-shut-the-box, coins,"),
        (["search", "nothing.py:game"], "must name a file that exists; got 'nothing.py:game'."),
        (["search", "no_module:game"], "no_module cannot be imported: ModuleNotFoundError"),
        (
            ["search", "purembts.display:Squares"],
            "`Squares()` of purembts.display cannot be called",
        ),
        (["solve", "reversi", "--rules", "size"], "KEY=VALUE with one of the keys size; got"),
        (["solve", "reversi", "--rules", "levers=6"], "one of the keys size; got 'levers=6'"),
        (["search", "--from", "d3", "reversi"], "got 'd3 reversi'"),
        (["learn", "--dives", "9", "coins"], "`N` must be a whole number of at least 1; got 'coi"),
        (["search", "--dives", "9", "nim.py:nim"], "must name a file that exists; got 'nim.py:nim"),
        (["watch", "tic-tac-toe", "--players", "perfekt"], "A player must be easy, medium, hard, "),
        (["play", "tic-tac-toe", "--seats", "3"], "`SEAT` must be 1, 2 or all; got '3'."),
        (
            ["play", "coins", "--seats", "all", "--against", "random"],
            "must be 0, as all seats are taken; got 1.",
        ),
        (["learn", "-o", "t.csv"], "`FILE` must end in .svg, or be -; got 't.csv'."),
        (["search", "--z", "1", "--c", "1"], "argument --c: not allowed with argument --z"),
        (["bandit", "--means", "1.5"], "`P` must be a number from 0 to 1; got 1.5."),
        (["bandit", "--policies", "best"], "invalid choice: 'best'"),
        (["pi", "-o", "pi.txt"], "`FILE` must end in .svg, or be -; got 'pi.txt'."),
    ],
)
def test_a_wrong_argument_is_one_line_and_exit_code_2(arguments, message, capsys):
    assert exit_code(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert printed.err.startswith("purembts")
    assert printed.err.count("\n") == 1
    assert printed.err.endswith(" --help)\n")


COINS = "takes=1,3, misere=True"

WITHOUT_GAME = {"bandit", "check", "pi", "prompt", "workshop"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert exit_code([command, "--help"]) == 0
    printed = capsys.readouterr().out
    assert f"example: purembts {command} {COMMANDS[command].example}".rstrip() in printed
    assert ("most_levers=none" in printed) == (command not in WITHOUT_GAME)
    assert max(map(len, printed.splitlines())) < 80


@pytest.mark.parametrize(("text", "n"), [("1e15", 10**15), ("1.5e23", 15 * 10**22), ("2_0.0", 20)])
def test_a_whole_number_may_be_typed_as_a_float(text, n):
    assert parsed(["pi", "--darts", text]).darts == n


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_of_every_command_is_accepted(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("mine.py", "before.jsonl", "after.jsonl"):
        (tmp_path / name).touch()
    request = parsed([command, *COMMANDS[command].example.split()])
    assert type(request) is COMMANDS[command].request


def test_the_version_is_printed(capsys):
    assert exit_code(["--version"]) == 0
    printed = capsys.readouterr().out
    assert re.fullmatch(r"purembts (\d+\.\d+\.\d+|\(not installed, .*\))\n", printed)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_names_the_default_of_each_option(command, capsys):
    assert exit_code([command, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    request = COMMANDS[command].request
    for name, option in options_of(request).items():
        usual = request._field_defaults.get(name)
        if usual not in (None, False):
            values = usual if isinstance(usual, tuple) else [usual]
            words = [f"{value:g}" if value != str(value) else value for value in values]
            assert f"{option.purpose} (default: {' '.join(words)})" in shown


@pytest.mark.parametrize(
    ("arguments", "option", "value"),
    [
        (["learn", "--dives", "30", "10", "20"], "dives", [30, 10, 20]),
        (["bandit", "--means", "0", "0.25", "1"], "means", [0, 0.25, 1]),
        (["bandit", "--policies", "ucb1", "random"], "policies", ["ucb1", "random"]),
        (["search", "--dives", "30"], "dives", 30),
        (["search", "--seconds", "0.5"], "seconds", 0.5),
        (["search", "--box", "72"], "start", {2, 7}),
        (["search", "--box", ""], "start", set()),
        (["search", "--from", "1+8", "shut", "2+7"], "start", {3, 4, 5, 6, 9}),
        (["search", "coins", "--from", "12"], "start", Pile(12)),
        (["search", "coins", "--from", "take 2", "1"], "start", Pile(18)),
        (["search"], "start", None),
        (["search", "--rules", "levers=3"], "named", "shut-the-box"),
        (["search", "coins", "--rules", "takes=1,3", "misere=True"], "variant", COINS),
        (["search", "--seed", "-3"], "seed", -3),
        (["table", "--json"], "json", True),
        (["simulate", "--games", "1e6"], "games", 10**6),
        (["match", "--players", "uct:1000", "time:2"], "players", ["uct:1000", "time:2"]),
    ],
)
def test_an_option_has_the_value_that_was_typed(arguments, option, value):
    request = parsed(arguments)
    place = getattr(request, "place", None)
    is_own = option in request._fields
    assert getattr(request if is_own else place, option) == value


def test_an_option_is_not_abbreviated(capsys):
    for command in COMMANDS:
        assert exit_code([command, *NEEDED.get(command, []), "--see=7"]) == 2
        assert "unrecognized arguments: --see" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        (["--rules", "most_levers=2", "levers=8"], Rules(8, most_levers=2)),
        (["--rules", "one_die_end=shut", "dice=3"], Rules(9, 3, "shut")),
        (["--rules", "one_die_end=True"], Rules(one_die_end=True)),
        (["--rules", "most_levers=none"], Rules()),
        ([], Rules()),
    ],
)
def test_rules_are_pairs(arguments, rules):
    for command in ("play", "table", "solve"):
        assert parsed([command, *arguments]).place.game.rules == rules


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
    for command in ("search", "match", "watch", "play"):
        assert repr(bound_of(parsed([command, *arguments]))) == repr(bound)
    for option, of in (("--z", wald_with), ("--c", ucb1_with)):
        chosen = bound_of(parsed(["search", *arguments, option, "0.5"]))
        assert chosen(3, 4, 9) == of(0.5)(3, 4, 9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "--seed", "1"], "solve takes --rules, --from, --json"),
        (["simulate", "--n", "5"], "simulate takes --rules, --from, --seed, --games, -o, "),
        (["prompt", "--n"], "unrecognized arguments: --n (see purembts prompt --help)"),
        (
            ["solve", "mnk", "--rules", "k=1"],
            "exactly; got 'k=1'. (see purembts solve --help)",
        ),
    ],
)
def test_an_unknown_option_is_answered_with_those_of_its_command(arguments, message, capsys):
    assert exit_code(arguments) == 2
    assert message in capsys.readouterr().err


def test_the_help_lists_the_rules_and_the_bound_of_the_game(capsys):
    for words, text in (
        (["solve", "--help"], "(default: levers=9 dice=2 one_die_end=False most_levers=none)"),
        (["solve", "coins", "--help"], "(default: takes=1,2 misere=False)"),
        (["play", "coins", "--help"], "with this c (default: 1.41)"),
        (["play", "--help"], "with this z (default: 2)"),
    ):
        assert exit_code(words) == 0
        assert text in " ".join(capsys.readouterr().out.split())


def test_the_game_is_found_before_and_after_other_options():
    for words in (["coins", "--dives", "9"], ["--dives", "9", "coins"]):
        options = parsed(["search", *words])
        assert (options.place.named, options.place.game.name) == ("coins", "Last coin")
    for words in (["--save", "x:y", "reversi"], ["--rules", "size=6", "--seed", "7", "reversi"]):
        assert parsed(["search", *words]).place.named == "reversi"


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("coins", last_coin()._replace(json=None)),
        ("big-two", big_two()._replace(hidden=big_two().hidden._replace(json=None))),
    ],
)
def test_a_tree_without_json_is_refused_before_the_work(name, bare, monkeypatch, capsys):
    assert parsed(["search", name, "--save", "tree.jsonl"]).save
    monkeypatch.setitem(GAMES, name, lambda: bare)
    games._maker.cache_clear()
    assert exit_code(["search", name, "--save", "tree.jsonl"]) == 2
    assert f"--save: {bare.name} has no JSON" in capsys.readouterr().err
    games._maker.cache_clear()
