"""The options of the command line: wrong arguments are one line, and every command has help."""

import re

import pytest

from purembts import Rules
from purembts.shell import cli
from purembts.shell.options import COMMANDS, GAME_OPTIONS, parsed

NEEDED = {"check": ["module:game"]}
"""The arguments that a command does not do without."""


def exit_code(arguments):
    """The exit code of arguments that end the program while they are parsed."""
    with pytest.raises(SystemExit) as stop:
        cli.run(arguments)
    return stop.value.code


def test_every_command_and_every_game_has_a_function():
    assert list(cli.WORK) == list(COMMANDS)
    assert list(cli.GAMES) == list(GAME_OPTIONS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "COMMAND"),
        (["fly"], "invalid choice: 'fly'"),
        (["learn", "--dives", "0"], "`N` must be a whole number of at least 1; got 0."),
        (["learn", "--dives", "1e3"], "`N` must be a whole number of at least 1; got '1e3'."),
        (["learn", "--games", "-5"], "`N` must be a whole number of at least 1; got -5."),
        (["learn", "--games", "9" * 5000], "`N` must be a whole number of at least 1; got '999"),
        (["learn", "--z", "nan"], "`Z` must be a finite number of at least 0; got nan."),
        (["learn", "--z=-1"], "`Z` must be a finite number of at least 0; got -1.0."),
        (["learn", "--z", "two"], "`Z` must be a finite number of at least 0; got 'two'."),
        (["learn", "--seed", "x"], "`N` must be a whole number; got 'x'."),
        (["learn", "-o", ""], "`FILE` must be the name of a file; got ''."),
        (["learn", "-o", "/none/table.txt"], "/none is not a folder"),
        (["learn", "--fly"], "unrecognized arguments: --fly"),
        (["solve", "--box", "2,x"], "`LEVERS` must be the levers that are up, each once, for"),
        (["solve", "--box", "22"], "for example 27 or 2,7; got '22'."),
        (["solve", "--box", "²"], "for example 27 or 2,7; got '²'."),
        (["solve", "--box", "0"], "`LEVERS` must be from 1 to 9; got 0."),
        (["solve", "--box", "2,12"], "`LEVERS` must be from 1 to 9; got 12."),
        (["solve", "--levers", "6", "--box", "7"], "`LEVERS` must be from 1 to 6; got 7."),
        (["solve", "--levers", "13"], "`N` must be a whole number from 1 to 12; got 13."),
        (["solve", "--levers", "0"], "`N` must be a whole number from 1 to 12; got 0."),
        (["solve", "--levers", "x"], "`N` must be a whole number from 1 to 12; got 'x'."),
        (["solve", "--dice", "3"], "invalid choice: 3"),
        (["solve", "--most-levers", "0"], "`N` must be a whole number of at least 1; got 0."),
        (["search", "--seconds", "0"], "`S` must be above 0; got '0'."),
        (["search", "--seconds=-1"], "`S` must be a finite number of at least 0; got -1.0."),
        (["search", "--seconds", "inf"], "`S` must be a finite number of at least 0; got inf."),
        (["search", "--seconds", "nan"], "`S` must be a finite number of at least 0; got nan."),
        (["search", "--seconds", "1", "--dives", "1"], "not allowed with argument --seconds"),
        (["search", "--load", "/none"], "`FILE` must be a file that exists; got '/none'."),
        (["search", "--save", "/none/tree.jsonl"], "/none is not a folder"),
        (["table", "--format", "pdf"], "invalid choice: 'pdf'"),
        (["table", "--box", "7"], "unrecognized arguments: --box"),
        (["play", "--hints", "all"], "invalid choice: 'all'"),
        (["bandit", "--means", "1.5"], "`P` must be a number from 0 to 1; got '1.5'."),
        (["bandit", "--means", "x"], "`P` must be a number from 0 to 1; got 'x'."),
        (["bandit", "--means", "nan"], "`P` must be a number from 0 to 1; got 'nan'."),
        (["bandit", "--runs", "0"], "`N` must be a whole number of at least 1; got 0."),
        (["bandit", "--policies", "best"], "invalid choice: 'best'"),
        (["pi", "--darts", "-1"], "`N` must be a whole number of at least 1; got -1."),
        (["pi", "-o", "pi.txt"], "`FILE` must end in .png or .svg; got 'pi.txt'."),
        (["pi", "-o", "nowhere/pi.svg"], "nowhere is not a folder"),
        (["pi", "--levers", "9"], "unrecognized arguments: --levers 9"),
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


@pytest.mark.parametrize(
    ("arguments", "option", "game"),
    [
        (["big-two", "--levers", "9"], "--levers", "shut-the-box"),
        (["--one-die-end", "big-two"], "--one-die-end", "shut-the-box"),
        (["big-two", "--hints", "none"], "--hints", "shut-the-box"),
        (["big-two", "--box", ""], "--box", "shut-the-box"),
        (["big-two", "--save", "tree.jsonl"], "--save", "shut-the-box"),
        (["--budget", "30"], "--budget", "big-two"),
        (["shut-the-box", "--rollouts", "9"], "--rollouts", "big-two"),
    ],
)
def test_an_option_of_the_other_game_is_refused(arguments, option, game, capsys):
    assert exit_code(["play", *arguments]) == 2
    printed = capsys.readouterr()
    other = "shut-the-box" if game == "big-two" else "big-two"
    message = f"argument {option}: this option is for {game}; the game is {other}."
    assert printed.out == ""
    assert printed.err == f"purembts play: {message} (see purembts play --help)\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["big-two", "--budget", "0"], "argument --budget: `N` must be"),
        (["chess"], "argument GAME: invalid choice: 'chess'"),
    ],
)
def test_a_wrong_argument_of_play_is_refused(arguments, message, capsys):
    assert exit_code(["play", *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"purembts play: {message}")


def test_every_option_of_play_is_of_a_game_or_of_all():
    options = vars(parsed(["play", "--seed", "7"]))
    own = [name for names in GAME_OPTIONS.values() for name in names]
    others = {"command", "parser", "game", "seed", "rules"}
    assert sorted(own) == sorted(set(options) - others)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert exit_code([command, "--help"]) == 0
    printed = capsys.readouterr().out
    assert f"example: purembts {command} {COMMANDS[command].example}\n" in printed
    assert ("--most-levers" in printed) == (command not in {"bandit", "check", "pi"})
    assert max(map(len, printed.splitlines())) < 80


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_of_every_command_is_accepted(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").touch()
    assert parsed([command, *COMMANDS[command].example.split()]).command == command


def test_the_version_is_printed(capsys):
    assert exit_code(["--version"]) == 0
    printed = capsys.readouterr().out
    assert re.fullmatch(r"purembts (\d+\.\d+\.\d+|\(not installed, .*\))\n", printed)


def defaults_in_help(action):
    """The default that the help of an option names, as a list of words; None if it names none."""
    found = re.search(r"\(?default: ([^();]*)\)?$", action.help or "")
    return found and found[1].split()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_names_the_default_of_each_option(command):
    parser = parsed([command, *NEEDED.get(command, [])]).parser
    for action in parser._actions:
        shown, default = defaults_in_help(action), action.default
        if default in (None, False, "==SUPPRESS=="):
            assert not shown or shown[0] in {"all", "a", "any", "10000", "csv,", "100", "20"}, (
                action.dest
            )
        else:
            values = default if isinstance(default, list) else [default]
            assert shown == [f"{value:g}" if value != str(value) else value for value in values]


@pytest.mark.parametrize("command", COMMANDS)
def test_each_choice_of_an_option_is_accepted(command):
    parser = parsed([command, *NEEDED.get(command, [])]).parser
    for action in parser._actions:
        for choice in action.choices or ():
            words = [*NEEDED.get(command, []), *action.option_strings[:1], str(choice)]
            chosen = vars(parser.parse_args(words))[action.dest]
            assert chosen == ([choice] if action.nargs == "+" else choice)


@pytest.mark.parametrize(
    ("arguments", "option", "value"),
    [
        (["learn", "--dives", "30", "10", "20"], "dives", [30, 10, 20]),
        (["bandit", "--means", "0", "0.25", "1"], "means", [0, 0.25, 1]),
        (["bandit", "--policies", "ucb1", "random"], "policies", ["ucb1", "random"]),
        (["search", "--dives", "30"], "dives", 30),
        (["search", "--seconds", "0.5"], "seconds", 0.5),
        (["search", "--box", "72"], "box", {2, 7}),
        (["search", "--box", "2, 7"], "box", {2, 7}),
        (["search", "--levers", "12", "--box", "2,12"], "box", {2, 12}),
        (["search", "--box", ""], "box", set()),
        (["search", "--levers", "3"], "box", {1, 2, 3}),
        (["search"], "dives", None),
        (["search"], "seconds", None),
        (["search", "--seed", "-3"], "seed", -3),
        (["search", "--z", "0"], "z", 0),
        (["table", "--json"], "format", "json"),
        (["play", "--most-levers", "2"], "rules", Rules(most_levers=2)),
        (["play", "--one-die-end", "--levers", "12"], "rules", Rules(12, 2, True)),
        (["play", "--dice", "1"], "rules", Rules(dice=1)),
    ],
)
def test_an_option_has_the_value_that_was_typed(arguments, option, value):
    assert vars(parsed(arguments))[option] == value


def test_an_option_is_not_abbreviated(capsys):
    for command in COMMANDS:
        assert exit_code([command, *NEEDED.get(command, []), "--see=7"]) == 2
        assert "unrecognized arguments: --see" in capsys.readouterr().err


def test_the_help_of_a_command_begins_with_its_purpose_as_a_sentence():
    for name, command in COMMANDS.items():
        sentence = parsed([name, *NEEDED.get(name, [])]).parser.description
        assert sentence == f"{command.purpose[0].upper()}{command.purpose[1:]}."
