"""The options of the command line, and its parser."""

import argparse
from collections.abc import Callable, Mapping
from importlib import metadata
from typing import NamedTuple, NoReturn, TypeAlias

from purembts.best_moves import FORMATS
from purembts.checks import brief
from purembts.games.shut_the_box import Box, Rules, checked_box, full_box
from purembts.shell import arguments
from purembts.shell.check import EXAMPLES, SECONDS, TASKS
from purembts.shell.play import HINT_KINDS
from purembts.shell.processes import LIMIT
from purembts.shell.steps import BANDITS
from purembts.workshop import USUAL_Z

AddOptions: TypeAlias = Callable[[argparse.ArgumentParser], None]
"""Adds an option, or a few that belong together, to the parser of a command."""


class Command(NamedTuple):
    """A command as its help shows it."""

    purpose: str
    example: str
    """The arguments of an example, after the name of the command."""
    options: tuple[AddOptions, ...]


def parsed(words: list[str]) -> argparse.Namespace:
    """The options in `words`, the arguments of a call, with the rules and the box as values.

    The name of the command is `command`. Wrong arguments end the program with exit code 2
    and one line on stderr.
    """
    options = _parser().parse_args(words)
    if "game" in options:
        _refuse_options_of_other_games(options, words[1:])
    if "target" in options:
        _refuse_options_of_other_targets(options)
    if "levers" in options:
        options.rules = Rules(
            options.levers, options.dice, options.one_die_end, options.most_levers
        )
    if "box" in options:
        options.box = _box(options)
    if "save" in options and "output" in options:
        _refuse_output_over_tree(options)
    return options


def _refuse_options_of_other_games(options: argparse.Namespace, words: list[str]) -> None:
    """Refuse an option in `words`, the arguments of `play`, that its game does not use."""
    # In a namespace that has None for each option, argparse sets no default. So every value that is
    # not None was given.
    empty = argparse.Namespace(**dict.fromkeys(vars(options)))
    given = vars(options.parser.parse_args(words, empty))
    for game, names in GAME_OPTIONS.items():
        for name in names:
            if game != options.game and given[name] is not None:
                options.parser.error(
                    f"argument --{name.replace('_', '-')}: this option is for {game}; "
                    f"the game is {options.game}."
                )


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


def _refuse_output_over_tree(options: argparse.Namespace) -> None:
    """Refuse to write the table of best moves to a file that the tree is read from or saved to."""
    trees = {path.resolve() for path in (options.save, options.load) if path}
    if options.output and options.output.resolve() in trees:
        options.parser.error(
            "argument -o/--output: `FILE` must not be the file of the tree; "
            f"got {brief(str(options.output))}."
        )


def _box(options: argparse.Namespace) -> Box:
    """The box with the levers of `options` up, or all of them."""
    box = full_box(rules=options.rules)
    if options.box is None:
        return box
    if foreign := sorted(set(options.box) - box):
        options.parser.error(
            f"argument --box: `LEVERS` must be from 1 to {options.rules.levers}; got {foreign[0]}."
        )
    return checked_box(frozenset(options.box), options.rules)


# The parser


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="purembts",
        description="Monte Carlo simulation and tree search: Shut the Box, Big Two, bandits, pi.",
    )
    parser.add_argument("--version", action="version", version=f"purembts {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", title="commands")
    for name, (purpose, example, options) in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=purpose,
            description=f"{purpose[0].upper()}{purpose[1:]}.",
            epilog=f"example: purembts {name} {example}",
            allow_abbrev=False,
        )
        command.set_defaults(command=name, parser=command)
        for add_options in options:
            add_options(command)
    return parser


def _version() -> str:
    try:
        return metadata.version("purembts")
    except metadata.PackageNotFoundError:
        return "(not installed, run from its source)"


# The options


def _add_game(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "game",
        nargs="?",
        choices=list(GAME_OPTIONS),
        default="shut-the-box",
        metavar="GAME",
        help=f"{' or '.join(GAME_OPTIONS)} (default: shut-the-box)",
    )


def _add_box(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--box",
        type=arguments.levers,
        metavar="LEVERS",
        help="levers that are up at the start, for example 27 or 2,7 (default: all)",
    )


def _add_seed(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--seed",
        type=arguments.seed,
        metavar="N",
        help="seed of the random numbers (default: a new one, printed on stderr)",
    )


def _add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON instead of tables")


def _add_games(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--games",
        type=arguments.count,
        default=100_000,
        metavar="N",
        help="number of random games (default: 100000)",
    )


def _add_z(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--z",
        type=arguments.width,
        default=USUAL_Z,
        metavar="Z",
        help="width of the confidence bound; a search with a greater Z explores more (default: 2)",
    )


def _add_many_dives(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--dives",
        type=arguments.count,
        nargs="+",
        default=[1_000, 10_000, 100_000],
        metavar="N",
        help="numbers of dives; the table has a row for each (default: 1000 10000 100000)",
    )


def _add_dives_or_seconds(command: argparse.ArgumentParser) -> None:
    limit = command.add_mutually_exclusive_group()
    limit.add_argument(
        "--dives", type=arguments.count, metavar="N", help="number of dives (default: 10000)"
    )
    limit.add_argument(
        "--seconds", type=arguments.duration, metavar="S", help="search for S seconds instead"
    )


def _add_hint_dives(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--dives",
        type=arguments.count,
        default=100_000,
        metavar="N",
        help="number of dives for the hints of a tree, without --load (default: 100000)",
    )


def _add_trees(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--load", type=arguments.existing_path, metavar="FILE", help="start with the tree in FILE"
    )
    command.add_argument(
        "--save",
        type=arguments.new_path,
        metavar="FILE",
        help="save the tree in FILE, as JSON Lines",
    )


def _add_output(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o",
        "--output",
        type=arguments.new_path,
        metavar="FILE",
        help="write the table of best moves to FILE",
    )


def _add_chart(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o",
        "--output",
        type=arguments.chart_path,
        dest="chart",
        metavar="FILE",
        help="draw a chart in FILE, a .png or .svg",
    )


def _add_arms(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--means",
        type=arguments.probability,
        nargs="+",
        default=[0.6, 0.5],
        metavar="P",
        help="for each arm, the probability that it pays 1 and not 0 (default: 0.6 0.5)",
    )


def _add_policies(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--policies",
        nargs="+",
        choices=BANDITS,
        default=["epsilon", "decaying", "ucb1", "thompson"],
        metavar="NAME",
        help=f"policies, from {', '.join(BANDITS)} (default: epsilon decaying ucb1 thompson)",
    )


def _add_runs(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--pulls",
        type=arguments.count,
        default=5_000,
        metavar="N",
        help="number of pulls in each run (default: 5000)",
    )
    command.add_argument(
        "--runs",
        type=arguments.count,
        default=100,
        metavar="N",
        help="number of runs (default: 100)",
    )


def _add_darts(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--darts",
        type=arguments.count,
        default=100_000,
        metavar="N",
        help="number of darts (default: 100000)",
    )


def _add_format(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--format",
        choices=list(FORMATS),
        help="format of the table of best moves (default: csv, markdown, json or html if FILE ends "
        "in .csv, .md, .json or .html; otherwise text)",
    )


def _add_table_json(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--json",
        action="store_const",
        const="json",
        dest="format",
        help="the same as --format json",
    )


def _add_hints(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--hints",
        choices=HINT_KINDS,
        default="none",
        help="hint beside every choice: the share of random games that were won from there "
        "(random), the share of the dives of a tree (tree), or the probability to win with best "
        "play (exact); default: none",
    )


def _add_robots(command: argparse.ArgumentParser) -> None:
    robots = command.add_argument_group("options of big-two (it takes these and --seed alone)")
    robots.add_argument(
        "--budget",
        type=arguments.count,
        default=200,
        metavar="N",
        help="number of dives in each turn of a robot (default: 200)",
    )
    robots.add_argument(
        "--rollouts",
        type=arguments.count,
        default=4,
        metavar="N",
        help="number of random games in each dive (default: 4)",
    )


def _add_target(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "target",
        type=arguments.target,
        metavar="TARGET",
        help="mine.py: a solution of the workshop's tasks; file.py:game or module:game: a game",
    )


def _add_marking(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--task",
        type=int,
        choices=TASKS,
        metavar="N",
        help="mark this task alone, from 1 to 13 (default: all tasks)",
    )
    command.add_argument(
        "--watch", action="store_true", help="mark again when the file is saved, until Ctrl-C"
    )


def _add_laws(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--examples",
        type=arguments.count,
        metavar="N",
        help=f"lines of moves to try for each law of a game (default: {EXAMPLES})",
    )
    command.add_argument(
        "--seconds",
        type=arguments.duration,
        metavar="S",
        help=f"time for the laws of a game (default: {SECONDS})",
    )


def _add_limit(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--limit",
        type=arguments.duration,
        default=LIMIT,
        metavar="S",
        help=f"time limit for a task, or for a line of moves of a game (default: {LIMIT:g})",
    )


def _add_rules(command: argparse.ArgumentParser) -> None:
    rules = command.add_argument_group("variants of the rules of Shut the Box")
    rules.add_argument(
        "--levers",
        type=arguments.lever_count,
        default=9,
        metavar="N",
        help="number of levers (default: 9)",
    )
    rules.add_argument(
        "--dice", type=int, choices=(1, 2), default=2, help="number of dice (default: 2)"
    )
    rules.add_argument(
        "--one-die-end",
        action="store_true",
        help="one die instead of two once the levers that are up add up to at most 6",
    )
    rules.add_argument(
        "--most-levers",
        type=arguments.count,
        metavar="N",
        help="most levers that one move may shut (default: any number)",
    )


COMMANDS: Mapping[str, Command] = {
    "learn": Command(
        "compare random play, UCT and best play of Shut the Box",
        "--seed 7 -o card.html",
        (
            *(_add_seed, _add_games, _add_many_dives, _add_z, _add_box, _add_trees),
            *(_add_output, _add_format, _add_json, _add_rules),
        ),
    ),
    "simulate": Command(
        "play random games, and count those that are won",
        "--box 7 --games 1000 --seed 7",
        (_add_box, _add_games, _add_seed, _add_chart, _add_json, _add_rules),
    ),
    "search": Command(
        "search by UCT, and show the records of every move",
        "--seconds 2 --save tree.jsonl",
        (
            *(_add_box, _add_dives_or_seconds, _add_z, _add_seed, _add_trees, _add_json),
            _add_rules,
        ),
    ),
    "bandit": Command(
        "compare policies for one-armed machines by their regret",
        "--means 0.6 0.5 --pulls 5000 --runs 100 -o regret.png",
        (_add_arms, _add_policies, _add_runs, _add_seed, _add_chart, _add_json),
    ),
    "pi": Command(
        "estimate pi by throwing darts",
        "--darts 100000 -o pi.svg",
        (_add_darts, _add_seed, _add_chart, _add_json),
    ),
    "solve": Command(
        "print the exact probability to win, and the best move of every roll",
        "--box 2,5,7",
        (_add_box, _add_json, _add_rules),
    ),
    "table": Command(
        "print the best move of every box and roll",
        "-o card.html",
        (_add_output, _add_format, _add_table_json, _add_rules),
    ),
    "check": Command(
        "check the laws of a game, or mark a solution of the workshop's tasks",
        "mine.py --task 8",
        (_add_target, _add_marking, _add_laws, _add_seed, _add_limit, _add_json),
    ),
    "play": Command(
        "play Shut the Box, or Big Two against three robots",
        "--hints tree",
        (
            *(_add_game, _add_hints, _add_box, _add_seed, _add_hint_dives, _add_z, _add_trees),
            *(_add_robots, _add_rules),
        ),
    ),
}
"""The commands by their names."""

GAME_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "shut-the-box": (
        *("hints", "box", "dives", "z", "load", "save"),
        *("levers", "dice", "one_die_end", "most_levers"),
    ),
    "big-two": ("budget", "rollouts"),
}
"""The games of `play`, each with the options that no other game has."""
