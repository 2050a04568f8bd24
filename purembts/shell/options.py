"""The options of the command line, and its parser."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import metadata
from typing import Any, NamedTuple, NoReturn

from purembts.best_moves import FORMATS
from purembts.bounds import ucb1, ucb_wald
from purembts.checks import brief
from purembts.shell import arguments, games
from purembts.shell.check import EXAMPLES, SECONDS
from purembts.shell.processes import LIMIT
from purembts.surfaces.estimates import BANDITS
from purembts.surfaces.minds import usual_bound
from purembts.surfaces.parsing import as_typed, fields_of, position_called

USUAL = "shut-the-box"
"""The game of a command, without another name."""
SPEC = "uct:1000, flat:500, perfect, random or time:2"


TYPES: Mapping[str, Callable[[str], Any]] = {
    "N": arguments.count,
    "S": arguments.duration,
    "DELAY": arguments.delay,
    "X": arguments.width,
    "P": arguments.probability,
    "SEED": arguments.seed,
    "TASK": arguments.task,
    "TREE": arguments.existing_path,
    "NEW": arguments.new_path,
    "FILE": arguments.output_path,
    "CHART": arguments.chart_path,
    "TARGET": arguments.target,
}
"""The type of a value, by its name in the help; other values are texts."""

OPTIONS = f"""
game | game GAME? | {USUAL} | {", ".join(games.GAMES)}, \
or module:game or file.py:game
rules | --rules KEY=VALUE... | | rules that differ from the usual ones
start | --from --box POSITION... | | a position as the game writes it, JSON, or a line of moves
seed | --seed SEED | | seed of the random numbers (default: a new one, on stderr)
json | --json | | print JSON instead of tables
z | --z X | | search by the workshop's bound (default: 2 for Shut the Box)
c | --c X | | search by UCB1 (default: 1.41 for other games, or 0.2 where scores are points)
load | --load TREE | | start with the tree in this file
save | --save NEW | | save the tree in this file, as JSON Lines
most | --most-positions N | 100000 | most positions of a game to solve
games | --games N | 100000 | number of random games
chart | -o --output CHART | | draw a chart in a .png or .svg, or on stdout (-)
lesson | -o --output FILE | | draw the learning curve (.svg, .png), or write the best moves
card | -o --output FILE | | write the best moves to this file, or to stdout (-)
format | --format {",".join(FORMATS)} | | format of the best moves (default: csv, markdown, \
json or html if FILE ends in .csv, .md, .json or .html; otherwise text)
marks | --dives N... | 1000 10000 100000 | numbers of dives, with a row for each
dives | --dives N | | number of dives (default: 10000)
seconds | --seconds S | | search for some seconds instead
players | --players SPEC... | uct:100 random | strategies: {SPEC}
seen | --players SPEC... | | a strategy for each player: {SPEC}
match | --games N | 100 | number of games
executor | --executor serial,processes | serial | processes: use all cores
against | --against SPEC... | | strategies for the other seats: {SPEC}
seats | --seats SEAT... | | your seat or seats, from 1, or all (default: 1)
hints | --hints none,random,tree,exact | none | hints beside the moves: by random games, by a \
search, or exact values
hinted | --dives N | | number of dives for the hints of a search
delay | --delay DELAY | | seconds between two moves (default: a key goes on)
means | --means P... | 0.6 0.5 | for each arm, the probability that it pays 1
policies | --policies {",".join(BANDITS)}... | epsilon decaying ucb1 thompson | policies, of \
{", ".join(BANDITS)}
pulls | --pulls N | 5000 | number of pulls in each run
runs | --runs N | 100 | number of runs
darts | --darts N | 100000 | number of darts
target | target TARGET | | mine.py: a solution of the workshop's tasks; \
file.py:game or module:game: a game
task | --task TASK | | mark this task alone, from 1 to 13 (default: all tasks)
watch | --watch | | mark again when the file is saved, until Ctrl-C
examples | --examples N | | lines of moves for each law (default: {EXAMPLES})
time | --seconds S | | time for the laws of a game (default: {SECONDS})
limit | --limit S | {LIMIT:g} | time for a task, or for a line of moves
"""
"""The options of the commands, one on each line: its key, its names and its value, the default, and
the help. A value with ... can be given several times, and one with commas is a choice."""


def _read(line: str) -> tuple[str, tuple[list[str], dict[str, Any]]]:
    """The key of an option, and its names and settings for argparse."""
    key, form, default, purpose = (part.strip() for part in line.split("|"))
    *names, value = form.split()
    if value.startswith("-"):
        return key, ([*names, value], {"action": "store_true", "help": purpose})
    value, nargs = value.rstrip("?."), {".": "+", "?": "?"}.get(value[-1])
    kind = TYPES.get(value, str)
    usual: Any = [kind(word) for word in default.split()] or None
    settings: dict[str, Any] = {"nargs": nargs, "type": kind, "metavar": value}
    settings["default"] = usual if nargs == "+" or not usual else usual[0]
    settings["help"] = f"{purpose} (default: {default})" if default else purpose
    if "," in value:
        settings |= {"choices": value.split(","), "metavar": "NAME" if nargs else None}
    return key, (names, settings | ({"dest": key} if key == "start" else {}))


SETTINGS = dict(map(_read, OPTIONS.replace("\\\n", "").strip().splitlines()))
SETTINGS["json-card"] = (
    ["--json"],
    {"action": "store_const", "const": "json", "dest": "format", "help": "same as --format json"},
)


class Command(NamedTuple):
    """A command as its help shows it."""

    purpose: str
    example: str
    """The arguments of an example, after the name of the command."""
    options: str
    """The keys of its options in `OPTIONS`. Of those with | between them, one can be given."""


PLACE = "game rules start"
COMMAND_LINES = f"""
learn: compare random play, UCT and best play of a game that can be solved
--seed 7 -o card.html
{PLACE} seed games marks z|c load save most lesson format json
simulate: play random games, and show the mean score of each player
reversi --games 1000 --seed 7
{PLACE} seed games chart most json
search: search by UCT, and show the records of every move
tic-tac-toe --from b2 --seconds 2 --save tree.jsonl
{PLACE} seed dives|seconds z|c load save most json
solve: print the exact values of a position, and the best moves
--box 2,5,7
{PLACE} most json
match: play many games between strategies, and show the standings
tic-tac-toe --players uct:100 random --games 20
{PLACE} seed players match executor z|c json
play: play a game against strategies, or alone
tic-tac-toe --against uct:1000 --hints tree
{PLACE} seed against seats hints hinted z|c load save
watch: watch a game between strategies, and what they believe of each move
tic-tac-toe --players uct:1000 random
{PLACE} seed seen delay z|c json
prompt: start Python with the words of purembts


table: print the best move of every box and roll of Shut the Box
-o card.html
card format json-card
bandit: compare policies for one-armed machines by their regret
--means 0.6 0.5 --pulls 5000 --runs 100 -o regret.png
means policies pulls runs seed chart json
pi: estimate pi by throwing darts
--darts 100000 -o pi.svg
darts seed chart json
check: check the laws of a game, or mark a solution of the workshop's tasks
mine.py --task 8
target task watch examples time limit seed json
"""
"""The commands: name and purpose, the arguments of an example, and the keys of the options."""


def _commands(lines: list[str]) -> dict[str, Command]:
    named = (line.split(": ", 1) for line in lines[::3])
    others = zip(lines[1::3], lines[2::3], strict=True)
    return {name: Command(what, *rest) for (name, what), rest in zip(named, others, strict=True)}


COMMANDS = _commands(COMMAND_LINES.splitlines()[1:])
"""The commands by their names."""


# The values of the options


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """The options in `words`, the arguments of a call, with the game and the position as values.

    The name of the command is `command`, and the name of the game `named`. Wrong arguments end the
    program with exit code 2 and one line on stderr.
    """
    options = _parser(words).parse_args(words)
    if _has_rules(options.command):
        _choose_game(options, options.parser.error)
    if "z" in options:
        options.bound = _bound(options)
    if "target" in options:
        _refuse_options_of_other_targets(options)
    if "save" in options and "output" in options:
        trees = {path.resolve() for path in (options.save, options.load) if path}
        if options.output and options.output.resolve() in trees:
            options.parser.error(
                "argument -o/--output: `FILE` must not be the file of the tree; "
                f"got {brief(str(options.output))}."
            )
    return options


def _choose_game(options: argparse.Namespace, refuse: Callable[[str], NoReturn]) -> None:
    """Put the game, the words of its variant, and the position in the place of their words."""
    prefix = "rule of "
    typed = {
        name.removeprefix(prefix): value for name, value in vars(options).items() if prefix in name
    }
    rules = [f"{name}={value}" for name, value in typed.items() if value is not None]
    rules += getattr(options, "rules", None) or []
    options.named = getattr(options, "game", USUAL)
    options.rules, options.variant = rules, ", ".join(rules)
    try:
        options.game = games.game_called(options.named, rules)
        if getattr(options, "start", None) is not None:
            options.start = position_called(options.game, options.start)
    except ValueError as error:
        refuse(str(error))


def _bound(options: argparse.Namespace) -> Callable[..., float]:
    """The bound that the options name, or the usual one: the workshop's for its games."""
    if options.z is not None:
        return partial(ucb_wald, z=options.z)
    if options.c is not None:
        return partial(ucb1, c=options.c)
    return ucb_wald if options.named in games.WORKSHOP else usual_bound(options.game)


def _refuse_options_of_other_targets(options: argparse.Namespace) -> None:
    """Refuse the options of a game for a solution, and those of a solution for a game."""
    is_game = options.target.game is not None
    for name in ("task", "watch") if is_game else ("examples", "seconds"):
        if getattr(options, name):
            target, other = ("a solution", "a game") if is_game else ("a game", "a solution")
            options.parser.error(
                f"argument --{name}: this option is for {target}; the target is {other}."
            )
    if options.watch and options.json:
        options.parser.error("argument --json: this option does not go with --watch.")
    options.examples, options.seconds = options.examples or EXAMPLES, options.seconds or SECONDS


# The parser


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of `words`, in which the options of rules are those of the game in `words`."""
    purpose = "Monte Carlo simulation and tree search: play, watch, search and solve games."
    parser = _Parser(prog="purembts", description=purpose)
    parser.add_argument("--version", action="version", version=f"purembts {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", title="commands")
    for name, command in COMMANDS.items():
        own = commands.add_parser(
            name,
            help=command.purpose,
            description=f"{command.purpose[0].upper()}{command.purpose[1:]}.",
            epilog=f"example: purembts {name} {command.example}".rstrip(),
            allow_abbrev=False,
        )
        own.set_defaults(command=name, parser=own)
        for option in command.options.split():
            rivals = own.add_mutually_exclusive_group() if "|" in option else own
            for names, settings in map(SETTINGS.__getitem__, option.split("|")):
                rivals.add_argument(*names, **settings)
        if _has_rules(name) and name in words[:1]:
            named = filter(games.is_name, words[1:] if name != "table" else ())
            _add_rules(own, next(named, USUAL))
    return parser


def _has_rules(command: str) -> bool:
    """True if the command has options that are made of the rules of its game."""
    return command == "table" or PLACE in COMMANDS[command].options


def _add_rules(command: argparse.ArgumentParser, named: str) -> None:
    """Add an option for each field of the rules of the game."""
    try:
        fields = fields_of(games.game_called(named))
    except ValueError as error:
        command.error(str(error))
    group = command.add_argument_group(f"rules of {named}") if fields else command
    for name, usual in fields.items():
        words, settings = name.replace("_", " "), {"dest": f"rule of {name}", "default": None}
        if isinstance(usual, bool):
            settings |= {"action": "store_const", "const": str(not usual)}
            settings["help"] = f"{'not ' * usual}{words}"
        else:
            settings |= {"metavar": "X", "help": f"{words} (default: {as_typed(usual)})"}
        with suppress(argparse.ArgumentError):  # the command has such an option; --rules is left
            group.add_argument(f"--{name.replace('_', '-')}", **settings)  # type: ignore[arg-type]


def _version() -> str:
    try:
        return metadata.version("purembts")
    except metadata.PackageNotFoundError:
        return "(not installed, run from its source)"
