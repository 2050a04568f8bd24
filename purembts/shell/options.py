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
from purembts.shell.check import EXAMPLES, SECONDS, TASKS
from purembts.shell.processes import LIMIT
from purembts.typed import as_typed, fields_of
from purembts.workshop import USUAL_Z

DIVES = 10_000
"""The dives of a search, without another number."""
USUAL = "shut-the-box"
"""The game of a command, without another name."""


class Option(NamedTuple):
    """An option: its names, and its settings for argparse."""

    names: tuple[str, ...]
    settings: Mapping[str, Any]


def _option(*names: str, **settings: Any) -> Option:
    return Option(names, settings)


def _number(name: str, default: int | None, purpose: str, shown: str = "") -> Option:
    """The option of a number of at least 1."""
    words = shown or (f"default: {default}" if default else "")
    text = f"{purpose} ({words})" if words else purpose
    return _option(name, type=arguments.count, default=default, metavar="N", help=text)


class Command(NamedTuple):
    """A command as its help shows it."""

    purpose: str
    example: str
    """The arguments of an example, after the name of the command."""
    options: tuple[Option | tuple[Option, ...], ...]
    """Its options. At most one of those that stand together in a tuple can be given."""
    has_rules: bool = False
    """True if it has the options that are made of the rules of the game."""


GAME = _option(
    "game",
    nargs="?",
    default=USUAL,
    metavar="GAME",
    help=f"{', '.join(games.GAMES)}, or module:game or file.py:game (default: {USUAL})",
)
RULES = _option(
    "--rules",
    nargs="+",
    default=[],
    metavar="KEY=VALUE",
    help="rules of the game that differ from the usual ones",
)
FROM = _option(
    "--from",
    "--box",
    dest="start",
    nargs="+",
    metavar="POSITION",
    help="where to begin: a position as the game writes it, JSON, or a line of moves "
    "(default: the start of the game, or a deal)",
)
SEED = _option(
    "--seed",
    type=arguments.seed,
    metavar="N",
    help="seed of the random numbers (default: a new one, printed on stderr)",
)
JSON = _option("--json", action="store_true", help="print JSON instead of tables")
BOUND = (
    _option(
        "--z",
        type=arguments.width,
        metavar="X",
        help="search by the bound of the workshop, whose width is X; a greater X explores more "
        f"(the bound of Shut the Box, with {USUAL_Z:g})",
    ),
    _option(
        "--c",
        type=arguments.width,
        metavar="X",
        help="search by UCB1, which explores more with a greater X (the bound of all other games, "
        "with 1.41)",
    ),
)
TREES = (
    _option("--load", type=arguments.existing_path, metavar="FILE", help="start with this tree"),
    _option("--save", type=arguments.new_path, metavar="FILE", help="save the tree, as JSON Lines"),
)
MOST = _number("--most-positions", 100_000, "most positions of a game that is solved exactly")
GAMES = _number("--games", 100_000, "number of random games")
CHART = _option(
    "-o",
    "--output",
    type=arguments.chart_path,
    metavar="FILE",
    help="draw a chart in FILE, a .png or .svg, or on stdout (-)",
)
FORMAT = _option(
    "--format",
    choices=list(FORMATS),
    help="format of the table of best moves (default: csv, markdown, json or html if FILE ends "
    "in .csv, .md, .json or .html; otherwise text)",
)
_OUTPUT = partial(_option, "-o", "--output", type=arguments.output_path, metavar="FILE")
_PLAYERS = partial(_option, nargs="+", metavar="SPEC")
SPECS = "uct:1000, flat:500, perfect, random or time:2"

BANDIT = (
    _option(
        "--means",
        type=arguments.probability,
        nargs="+",
        default=[0.6, 0.5],
        metavar="P",
        help="for each arm, the probability that it pays 1 and not 0 (default: 0.6 0.5)",
    ),
    _option(
        "--policies",
        nargs="+",
        choices=(
            *("random", "commit", "epsilon", "decaying"),
            *("ucb1", "workshop", "tuned", "thompson"),
        ),
        default=["epsilon", "decaying", "ucb1", "thompson"],
        metavar="NAME",
        help="policies, from random, commit, epsilon, decaying, ucb1, workshop, tuned, thompson "
        "(default: epsilon decaying ucb1 thompson)",
    ),
    _number("--pulls", 5_000, "number of pulls in each run"),
    _number("--runs", 100, "number of runs"),
)
CHECK = (
    _option(
        "target",
        type=arguments.target,
        metavar="TARGET",
        help="mine.py: a solution of the workshop's tasks; file.py:game or module:game: a game",
    ),
    _option(
        "--task",
        type=int,
        choices=TASKS,
        metavar="N",
        help="mark this task alone, from 1 to 13 (default: all tasks)",
    ),
    _option("--watch", action="store_true", help="mark again when the file is saved, until Ctrl-C"),
    _number("--examples", None, "lines of moves for each law of a game", f"default: {EXAMPLES}"),
    _option(
        "--seconds",
        type=arguments.duration,
        metavar="S",
        help=f"time for the laws of a game (default: {SECONDS})",
    ),
    _option(
        "--limit",
        type=arguments.duration,
        default=LIMIT,
        metavar="S",
        help=f"time limit for a task, or for a line of moves of a game (default: {LIMIT:g})",
    ),
)
POSITION = (GAME, RULES, FROM, SEED)

COMMANDS: Mapping[str, Command] = {
    "learn": Command(
        "compare random play, UCT and best play of a game that can be solved",
        "--seed 7 -o card.html",
        (
            *POSITION,
            GAMES,
            _option(
                "--dives",
                type=arguments.count,
                nargs="+",
                default=[1_000, 10_000, 100_000],
                metavar="N",
                help="numbers of dives; the table has a row for each (default: 1000 10000 100000)",
            ),
            *(BOUND, *TREES, MOST),
            _OUTPUT(
                help="draw the learning curve in FILE, a .png or .svg, or write the table of best "
                "moves of Shut the Box to it"
            ),
            *(FORMAT, JSON),
        ),
        has_rules=True,
    ),
    "simulate": Command(
        "play random games, and show the mean score of each player",
        "reversi --games 1000 --seed 7",
        (*POSITION, GAMES, CHART, MOST, JSON),
        has_rules=True,
    ),
    "search": Command(
        "search by UCT, and show the records of every move",
        "tic-tac-toe --from b2 --seconds 2 --save tree.jsonl",
        (
            *POSITION,
            (
                _number("--dives", None, "number of dives", f"default: {DIVES}"),
                _option(
                    "--seconds",
                    type=arguments.duration,
                    metavar="S",
                    help="search for S seconds instead",
                ),
            ),
            *(BOUND, *TREES, MOST, JSON),
        ),
        has_rules=True,
    ),
    "solve": Command(
        "print the exact values of a position, and the best moves",
        "--box 2,5,7",
        (GAME, RULES, FROM, MOST, JSON),
        has_rules=True,
    ),
    "match": Command(
        "play many games between strategies, and show the standings",
        "tic-tac-toe --players uct:100 random --games 20",
        (
            *POSITION,
            _PLAYERS(
                "--players",
                default=["uct:100", "random"],
                help=f"strategies: {SPECS} (default: uct:100 random)",
            ),
            _number("--games", 100, "number of games"),
            _option(
                "--executor",
                choices=("serial", "processes"),
                default="serial",
                help="processes: use all cores (default: serial)",
            ),
            JSON,
        ),
        has_rules=True,
    ),
    "play": Command(
        "play a game against strategies, or alone",
        "tic-tac-toe --against uct:1000 --hints tree",
        (
            *POSITION,
            _PLAYERS("--against", help=f"strategies for the other seats: {SPECS}"),
            _number("--seats", None, "your seat, from 1", "default: 1"),
            _option(
                "--hints",
                choices=("none", "random", "tree", "exact"),
                default="none",
                help="hint beside every choice, from random games, from a search, or the exact "
                "value (default: none)",
            ),
            _number("--dives", None, "number of dives for the hints of a search"),
            *(BOUND, *TREES),
        ),
        has_rules=True,
    ),
    "watch": Command(
        "watch a game between strategies, and what they believe of each move",
        "tic-tac-toe --players uct:1000 random",
        (
            *POSITION,
            _PLAYERS("--players", help=f"a strategy for each player: {SPECS}"),
            _option(
                "--delay",
                type=arguments.delay,
                metavar="S",
                help="seconds between two moves (default: a key goes on)",
            ),
            *(BOUND, JSON),
        ),
        has_rules=True,
    ),
    "prompt": Command("start Python with the words of purembts", "", ()),
    "table": Command(
        "print the best move of every box and roll of Shut the Box",
        "-o card.html",
        (
            _OUTPUT(help="write the table of best moves to FILE, or to stdout (-)"),
            FORMAT,
            _option(
                "--json",
                action="store_const",
                const="json",
                dest="format",
                help="the same as --format json",
            ),
        ),
        has_rules=True,
    ),
    "bandit": Command(
        "compare policies for one-armed machines by their regret",
        "--means 0.6 0.5 --pulls 5000 --runs 100 -o regret.png",
        (*BANDIT, SEED, CHART, JSON),
    ),
    "pi": Command(
        "estimate pi by throwing darts",
        "--darts 100000 -o pi.svg",
        (_number("--darts", 100_000, "number of darts"), SEED, CHART, JSON),
    ),
    "check": Command(
        "check the laws of a game, or mark a solution of the workshop's tasks",
        "mine.py --task 8",
        (*CHECK, SEED, JSON),
    ),
}
"""The commands by their names."""


# The values of the options


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """The options in `words`, the arguments of a call, with the game and the position as values.

    The name of the command is `command`, and the name of the game `named`. Wrong arguments end the
    program with exit code 2 and one line on stderr.
    """
    options = _parser(words).parse_args(words)
    refuse = options.parser.error
    if COMMANDS[options.command].has_rules:
        _choose_game(options, refuse)
    if "z" in options:
        is_workshop = options.c is None and (
            options.z is not None or options.named in games.WORKSHOP
        )
        name, value = ("z", options.z) if is_workshop else ("c", options.c)
        bound = ucb_wald if is_workshop else ucb1
        options.bound = bound if value is None else partial(bound, **{name: value})
    if "target" in options:
        _refuse_options_of_other_targets(options)
    if "save" in options and "output" in options:
        trees = {path.resolve() for path in (options.save, options.load) if path}
        if options.output and options.output.resolve() in trees:
            refuse(
                "argument -o/--output: `FILE` must not be the file of the tree; "
                f"got {brief(str(options.output))}."
            )
    return options


def _choose_game(options: argparse.Namespace, refuse: Callable[[str], NoReturn]) -> None:
    """Put the game, the words of its variant, and the position in the place of their words."""
    fields = fields_of(games.game_called(options.of_rules))
    typed = {name: getattr(options, f"rule_{name}", None) for name in fields}
    rules = [f"{name}={value}" for name, value in typed.items() if value is not None]
    rules += options.rules if "rules" in options else []
    options.named, options.typed_rules = getattr(options, "game", USUAL), rules
    options.variant = ", ".join(rules)
    try:
        options.game = games.game_called(options.named, rules)
    except ValueError as error:
        refuse(str(error))
    if getattr(options, "start", None) is not None:
        try:
            options.start = games.position_called(options.game, options.start)
        except ValueError as error:
            refuse(f"argument --from/--box: {error}")


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
    parser = _Parser(
        prog="purembts",
        description="Monte Carlo simulation and tree search: play, watch, search and solve games.",
    )
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
        for option in command.options:
            rivals = own.add_mutually_exclusive_group() if isinstance(option[0], Option) else own
            for each in option if isinstance(option[0], Option) else (option,):
                rivals.add_argument(*each.names, **each.settings)
        if command.has_rules and name in words[:1]:
            of_game = GAME in command.options
            _add_rules(own, next(filter(games.is_name, words[1:] if of_game else ()), USUAL))
    return parser


def _add_rules(command: argparse.ArgumentParser, named: str) -> None:
    """Add an option for each field of the rules of the game."""
    command.set_defaults(of_rules=named)
    try:
        fields = fields_of(games.game_called(named))
    except ValueError as error:
        command.error(str(error))
    group = command.add_argument_group(f"rules of {named}") if fields else command
    for name, usual in fields.items():
        option, words = f"--{name.replace('_', '-')}", name.replace("_", " ")
        settings: dict[str, Any] = {"dest": f"rule_{name}", "default": None}
        if isinstance(usual, bool):
            settings |= {"action": "store_const", "const": not usual}
            settings |= {"help": words if not usual else f"not {words}"}
        else:
            settings |= {"metavar": "X", "help": f"{words} (usually {as_typed(usual)})"}
        with suppress(argparse.ArgumentError):  # the command has such an option; --rules is left
            group.add_argument(option, **settings)


def _version() -> str:
    try:
        return metadata.version("purembts")
    except metadata.PackageNotFoundError:
        return "(not installed, run from its source)"
