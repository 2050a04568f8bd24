"""The command line: results on stdout, everything else on stderr."""

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, partial
from importlib import metadata
from math import pi
from pathlib import Path
from random import Random
from typing import Any, NoReturn, TypeVar

from rich.console import Console, RenderableType

from purembts.bandits import bernoulli, curves
from purembts.best_moves import FORMATS, SUFFIXES
from purembts.checks import at_least_one, brief, not_negative
from purembts.games.shut_the_box import (
    Box,
    Rules,
    checked_box,
    full_box,
    optimal_table,
    shut_the_box,
)
from purembts.records import NOTHING
from purembts.shell import big_two
from purembts.shell.commands import (
    BANDITS,
    Facts,
    Lesson,
    bandit_facts,
    bandit_runs,
    bandit_table,
    estimates,
    estimates_of_pi,
    estimates_of_winning,
    fresh,
    grown,
    learn,
    learn_facts,
    learn_table,
    pi_facts,
    pi_table,
    random_games,
    random_value,
    search_facts,
    search_tables,
    simulate_facts,
    simulate_table,
    solve_facts,
    solve_tables,
)
from purembts.shell.files import checked_path, load_tree, save_tree, write_text
from purembts.shell.play import HINT_KINDS, Sources, play, summary
from purembts.workshop import USUAL_Z, Tree, look_up_table

T = TypeVar("T")

HINT_GAMES = 1_000
"""Random games from each box for the hints of random play."""

MOST_LEVERS = 12
"""Two dice show 12 at most; a lever of more could never be shut."""


def run(arguments: Iterable[str]) -> int:
    """Do what `arguments` ask for; the exit code.

    0 is done, 1 the work failed, 2 it was asked for wrongly, 130 it was interrupted.
    """
    _open_streams()
    try:
        options = _options(list(arguments))
        code: int = options.command(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        # Python would try to flush once more at its end, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (OSError, ValueError) as error:
        _tell(f"purembts: {error}")
        return 1
    except MemoryError:
        _tell("purembts: there is not enough memory.")
        return 1
    return code


def _open_streams() -> None:
    """See that there are streams, where they were closed, and that any input can be read."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")


# The commands


def _learn(options: argparse.Namespace) -> int:
    start = Lesson((), _loaded(options))
    how = {"box": options.box, "rules": options.rules, "tree": start.tree}
    steps = learn(options.games, options.dives, options.z, options.seed, **how)
    (rows, tree), code = _last(steps, start)
    try:
        _save(options, tree)
    finally:
        if rows:
            facts = learn_facts(rows, options.box, options.rules)
            _show(options, facts, lambda: [learn_table(rows, options.box, options.rules)])
    if options.output and not code:
        write_text(options.output, _best_moves(options))
    return code


def _simulate(options: argparse.Namespace) -> int:
    how = options.games, options.box, Random(options.seed), options.rules
    if options.chart:
        records, code = _last(estimates_of_winning(*how), ())
        record = records[-1] if records else NOTHING
    else:
        record, code = _last(random_games(*how), NOTHING)
    if record.visits and options.chart:
        exactly = float(random_value(options.box, options.rules))
        said, what = estimates(records), "probability to win by random play"
        _chart(options, lambda plots: plots.estimate_chart(said, exactly, what, "games"))
    if record.visits:
        facts = simulate_facts(record, options.box, options.rules)
        _show(options, facts, lambda: [simulate_table(facts, options.box, options.rules)])
    return code


def _search(options: argparse.Namespace) -> int:
    start = _loaded(options)
    rng = fresh(options.seed, start, options.box)
    dives = None if options.seconds else options.dives or 10_000
    how = {"z": options.z, "rules": options.rules}
    steps = grown(start, options.box, dives, options.seconds, rng, **how)
    tree, code = _last(steps, start)
    try:
        _save(options, tree)
    finally:
        if options.box in tree:
            facts = search_facts(tree, options.box, options.z, options.rules)
            _show(options, facts, lambda: search_tables(facts, options.box, options.rules))
    return code


def _last(steps: Iterable[T], value: T) -> tuple[T, int]:
    """The last of `steps` before they end or are interrupted, else `value`, and the exit code."""
    try:
        for step in steps:
            value = step
    except KeyboardInterrupt:
        return value, _interrupted()
    return value, 0


def _bandit(options: argparse.Namespace) -> int:
    how = options.policies, options.means, options.pulls, options.runs, options.seed
    runs, code = _last(bandit_runs(*how), ())
    if runs:
        known = curves(runs, options.pulls)
        facts = bandit_facts(known, options.means, options.pulls, len(runs))
        _chart(options, lambda plots: plots.regret_chart(known, options.means, len(runs)))
        _show(options, facts, lambda: [bandit_table(facts)])
    return code


def _pi(options: argparse.Namespace) -> int:
    records, code = _last(estimates_of_pi(options.darts, Random(options.seed)), ())
    if records:
        said = estimates(records, 4)
        _chart(options, lambda plots: plots.estimate_chart(said, pi, "pi", "darts"))
        facts = pi_facts(said)
        _show(options, facts, lambda: [pi_table(facts)])
    return code


def _chart(options: argparse.Namespace, draw: Callable[[Any], Any]) -> None:
    """Draw a chart to the file that was asked for, if one was."""
    if options.chart:
        plots = _plots()
        plots.write_chart(options.chart, draw(plots))


def _plots() -> Any:  # noqa: ANN401
    """The room of charts, if matplotlib is there."""
    try:
        from purembts.shell import plots
    except ModuleNotFoundError as error:
        raise ValueError(
            f"a chart needs {error.name}; install it with: pip install 'purembts[plot]'"
        ) from error
    return plots


def _solve(options: argparse.Namespace) -> int:
    facts = solve_facts(options.box, options.rules)
    _show(options, facts, lambda: solve_tables(facts, options.box, options.rules))
    return 0


def _table(options: argparse.Namespace) -> int:
    text = _best_moves(options)
    if options.output:
        write_text(options.output, text)
    else:
        sys.stdout.write(text)
    return 0


def _best_moves(options: argparse.Namespace) -> str:
    """The table of best moves in the form that was asked for, or that the file's name asks for."""
    suffix = options.output.suffix.lower() if options.output else ""
    return FORMATS[options.format or SUFFIXES.get(suffix, "text")](options.rules)


def _play(options: argparse.Namespace) -> int:
    return GAMES[options.game][0](options)


def _play_big_two(options: argparse.Namespace) -> int:
    turns, interrupted = big_two.play(options.seed, _talk(), options.budget, options.rollouts)
    _print([big_two.summary(turns)])
    return _interrupted() if interrupted else 0


def _talk() -> Console:
    """Where a game is talked: on the terminal, also where stdout is none."""
    return Console(stderr=not sys.stdout.isatty(), highlight=False)


def _play_shut_the_box(options: argparse.Namespace) -> int:
    rules = options.rules
    grow = cache(partial(_hint_tree, options))
    sources: Sources = {
        "none": lambda: None,
        "random": cache(lambda: look_up_table(HINT_GAMES, Random(options.seed), rules=rules)),
        "tree": partial(_unbroken, grow),
        "exact": cache(lambda: optimal_table(rules=rules)),
    }
    if options.save or options.load:
        tree, code = grow()
        _save(options, tree)
        if code:
            return code
    how = options.hints, _talk(), rules
    turns, interrupted = play(options.box, options.seed, sources, *how)
    _print([summary(turns, rules)])
    return _interrupted() if interrupted else 0


def _hint_tree(options: argparse.Namespace) -> tuple[Tree, int]:
    """The tree that was loaded; without one, a tree of so many dives; and the exit code."""
    tree = _loaded(options)
    if options.load:
        return tree, 0
    rng, how = Random(options.seed), {"z": options.z, "rules": options.rules}
    return _last(grown(tree, options.box, options.dives, None, rng, **how), tree)


def _unbroken(grow: Callable[[], tuple[Tree, int]]) -> Tree:
    """The tree that grows, unless that is interrupted."""
    tree, code = grow()
    if code:
        raise KeyboardInterrupt
    return tree


def _loaded(options: argparse.Namespace) -> Tree:
    """The tree to begin with."""
    return load_tree(options.load, shut_the_box(options.rules)) if options.load else {}


def _save(options: argparse.Namespace, tree: Tree) -> None:
    """Keep `tree` if that was asked for and there is anything in it."""
    if options.save and len(tree):
        save_tree(options.save, shut_the_box(options.rules), tree)


# What is printed


def _show(
    options: argparse.Namespace, facts: Facts, tables: Callable[[], Iterable[RenderableType]]
) -> None:
    """Print `facts` for a program or for a person."""
    if options.json:
        seed = {"seed": options.seed} if "seed" in options else {}
        print(json.dumps({**facts, **seed}, indent=2))
    else:
        _print(tables())


def _print(tables: Iterable[RenderableType]) -> None:
    """Print `tables`; into a file or a pipe as wide as they are, whatever the terminal."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
    for table in tables:
        console.print(table)


def _interrupted() -> int:
    _tell("purembts: interrupted")
    return 130


def _tell(line: str) -> None:
    with suppress(OSError):  # a full disk is no reason to fail
        print(line, file=sys.stderr)


# What may be asked for


class _Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} ({self.prog} --help tells more)\n")


def _options(arguments: list[str]) -> argparse.Namespace:
    """What `arguments` ask for, with the rules and the box as values, and a seed."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if "game" in options:
        _refuse_options_of_other_games(options, arguments[1:])
    if "levers" in options:
        rules = Rules(options.levers, options.dice, options.one_die_end, options.most_levers)
        options.rules = rules
    if "box" in options:
        try:
            options.box = _box_of(options.box, options.rules)
        except ValueError as error:
            options.parser.error(f"argument --box: {error}")
    kept = {options.save, options.load} if "save" in options else set()
    if getattr(options, "output", None) and options.output.resolve() in {
        path.resolve() for path in kept if path
    }:
        options.parser.error("argument -o/--output: the tree is kept there.")
    if "seed" in options and options.seed is None:
        options.seed = Random().randrange(2**32)
        _tell(f"--seed {options.seed}")
    return options


def _refuse_options_of_other_games(options: argparse.Namespace, arguments: list[str]) -> None:
    """See that the `arguments` of `play` have no option that its game would not look at."""
    # Parsed once more without defaults, what is not None was given.
    none = argparse.Namespace(**dict.fromkeys(vars(options)))
    given = vars(options.parser.parse_args(arguments, none))
    for game, (_, names) in GAMES.items():
        for name in names:
            if game != options.game and given[name] is not None:
                option = f"--{name.replace('_', '-')}"
                options.parser.error(
                    f"argument {option}: this is an option of {game}, and {options.game} has none "
                    "such."
                )


def _box_of(levers: tuple[int, ...] | None, rules: Rules) -> Box:
    if levers is None:
        return full_box(rules=rules)
    if foreign := sorted(set(levers) - full_box(rules=rules)):
        raise ValueError(f"there are levers 1 to {rules.levers}, and no {foreign[0]}.")
    return checked_box(frozenset(levers), rules)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="purembts",
        description="Monte Carlo simulation and tree search on Shut the Box, from the workshop on.",
    )
    parser.add_argument("--version", action="version", version=f"purembts {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (work, purpose, example, options) in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=purpose,
            description=f"{purpose[0].upper()}{purpose[1:]}.",
            epilog=f"example: purembts {name} {example}",
            allow_abbrev=False,
        )
        command.set_defaults(command=work, parser=command)
        for add in options:
            add(command)
        if work not in {_bandit, _pi}:
            _add_rules(command)
    return parser


def _add_game(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "game",
        nargs="?",
        choices=list(GAMES),
        default="shut-the-box",
        metavar="GAME",
        help=f"{' or '.join(GAMES)} (shut-the-box)",
    )


def _add_box(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--box",
        type=_levers,
        metavar="LEVERS",
        help="start with these levers up, as 27 or 2,7 (all)",
    )


def _add_seed(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=_seed, metavar="N", help="draw the same again")


def _add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON")


def _add_games(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--games", type=_count, default=100_000, metavar="N", help="random games (100000)"
    )


def _add_z(command: argparse.ArgumentParser) -> None:
    command.add_argument("--z", type=_width, default=USUAL_Z, help="width of the bound of UCT (2)")


def _add_many_dives(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--dives",
        type=_count,
        nargs="+",
        default=[1_000, 10_000, 100_000],
        metavar="N",
        help="numbers of dives to show (1000 10000 100000)",
    )


def _add_dives_or_seconds(command: argparse.ArgumentParser) -> None:
    limit = command.add_mutually_exclusive_group()
    limit.add_argument("--dives", type=_count, metavar="N", help="how many dives (10000)")
    limit.add_argument("--seconds", type=_duration, metavar="S", help="dive for so long instead")


def _add_hint_dives(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--dives",
        type=_count,
        default=100_000,
        metavar="N",
        help="dives for the hints of the tree, if none is loaded (100000)",
    )


def _add_trees(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--load", type=_existing, metavar="FILE", help="begin with the tree that FILE keeps"
    )
    command.add_argument("--save", type=_path, metavar="FILE", help="keep the tree, as JSON Lines")


def _add_output(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o", "--output", type=_path, metavar="FILE", help="keep the table of best moves"
    )


def _add_chart(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o", "--output", type=_drawing, dest="chart", metavar="FILE", help="draw a .png or .svg"
    )


def _add_bandit(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--means",
        type=_mean,
        nargs="+",
        default=[0.6, 0.5],
        metavar="P",
        help="how likely each arm pays 1, and else 0 (0.6 0.5)",
    )
    command.add_argument(
        "--policies",
        nargs="+",
        choices=BANDITS,
        default=["epsilon", "decaying", "ucb1", "thompson"],
        metavar="NAME",
        help=f"of {', '.join(BANDITS)} (epsilon decaying ucb1 thompson)",
    )
    command.add_argument(
        "--pulls", type=_count, default=5_000, metavar="N", help="pulls of a run (5000)"
    )
    command.add_argument("--runs", type=_count, default=100, metavar="N", help="runs (100)")


def _add_darts(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--darts", type=_count, default=100_000, metavar="N", help="darts to throw (100000)"
    )


def _add_format(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--format",
        choices=list(FORMATS),
        help="form of the table of best moves (as FILE ends: .csv .md .json .html; or else text)",
    )


def _add_table_json(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--json", action="store_const", const="json", dest="format", help="as --format json"
    )


def _add_hints(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--hints",
        choices=HINT_KINDS,
        default="none",
        help="what to tell with every choice: nothing, how often random play won, what a tree has "
        "learnt, or the exact probability (none)",
    )


def _add_robots(command: argparse.ArgumentParser) -> None:
    robots = command.add_argument_group("options of big-two, which has but these and --seed")
    robots.add_argument(
        "--budget", type=_count, default=200, metavar="N", help="dives of a robot's turn (200)"
    )
    robots.add_argument(
        "--rollouts", type=_count, default=4, metavar="N", help="random games of a dive (4)"
    )


def _add_rules(command: argparse.ArgumentParser) -> None:
    rules = command.add_argument_group("variants of the rules")
    rules.add_argument(
        "--levers", type=_lever_count, default=9, metavar="N", help="levers 1 to N (9)"
    )
    rules.add_argument("--dice", type=int, choices=(1, 2), default=2, help="dice (2)")
    rules.add_argument(
        "--one-die-end",
        action="store_true",
        help="one die once the open levers sum to at most 6",
    )
    rules.add_argument(
        "--most-levers", type=_count, metavar="N", help="levers that one move may shut (any number)"
    )


COMMANDS: dict[str, tuple[Callable[[argparse.Namespace], int], str, str, list[Callable[..., None]]]]
COMMANDS = {
    "learn": (
        _learn,
        "learn Shut the Box: random play, UCT, best play",
        "--seed 7 -o card.html",
        [
            *(_add_seed, _add_games, _add_many_dives, _add_z, _add_box, _add_trees),
            *(_add_output, _add_format, _add_json),
        ],
    ),
    "simulate": (
        _simulate,
        "play random games",
        "--box 7 --games 1000 --seed 7",
        [_add_box, _add_games, _add_seed, _add_chart, _add_json],
    ),
    "search": (
        _search,
        "search by UCT, and show what is known of every move",
        "--seconds 2 --save tree.jsonl",
        [_add_box, _add_dives_or_seconds, _add_z, _add_seed, _add_trees, _add_json],
    ),
    "bandit": (
        _bandit,
        "compare policies on one-armed machines by their regret",
        "--means 0.6 0.5 --pulls 5000 --runs 100 -o regret.png",
        [_add_bandit, _add_seed, _add_chart, _add_json],
    ),
    "pi": (
        _pi,
        "find pi by throwing darts",
        "--darts 100000 -o pi.svg",
        [_add_darts, _add_seed, _add_chart, _add_json],
    ),
    "solve": (
        _solve,
        "tell the exact probability to win, and the best move of every roll",
        "--box 2,5,7",
        [_add_box, _add_json],
    ),
    "table": (
        _table,
        "print the table of best moves",
        "-o card.html",
        [_add_output, _add_format, _add_table_json],
    ),
    "play": (
        _play,
        "play Shut the Box yourself, or Big Two",
        "--hints tree",
        [
            *(_add_game, _add_hints, _add_box, _add_seed, _add_hint_dives, _add_z, _add_trees),
            _add_robots,
        ],
    ),
}
"""Each command: what does it, what it is for, an example, and its options."""

GAMES: dict[str, tuple[Callable[[argparse.Namespace], int], tuple[str, ...]]]
GAMES = {
    "shut-the-box": (
        _play_shut_the_box,
        (
            *("hints", "box", "dives", "z", "load", "save"),
            *("levers", "dice", "one_die_end", "most_levers"),
        ),
    ),
    "big-two": (_play_big_two, ("budget", "rollouts")),
}
"""Each game of `play`: what plays it, and its options that the others have not."""


def _version() -> str:
    try:
        return metadata.version("purembts")
    except metadata.PackageNotFoundError:
        return "(not installed, run from its source)"


def _told(parse: Callable[[str], T]) -> Callable[[str], T]:
    """`parse`, whose ValueErrors argparse passes on word for word."""

    def parsed(text: str) -> T:
        try:
            return parse(text)
        except (ValueError, OSError) as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return parsed


def _number(kind: Callable[[str], Any], text: str) -> Any:  # noqa: ANN401
    """The number that `text` is, or `text` for the check that follows to refuse."""
    try:
        return kind(text)
    except ValueError:
        return text


@_told
def _seed(text: str) -> int:
    seed: int = _number(int, text)
    if not isinstance(seed, int):
        raise ValueError(f"`N` must be a whole number; got {brief(text)}.")
    return seed


@_told
def _count(text: str) -> int:
    return at_least_one(_number(int, text), "N")


@_told
def _lever_count(text: str) -> int:
    levers = at_least_one(_number(int, text), "N")
    if levers > MOST_LEVERS:
        raise ValueError(
            f"`N` must be at most {MOST_LEVERS}, because two dice never show more; "
            f"got {brief(levers)}."
        )
    return levers


@_told
def _width(text: str) -> float:
    return not_negative(_number(float, text), "z")


@_told
def _duration(text: str) -> float:
    seconds = not_negative(_number(float, text), "S")
    if not seconds:
        raise ValueError("`S` must be more than 0; got 0.")
    return seconds


@_told
def _levers(text: str) -> tuple[int, ...]:
    """Levers with commas or blanks between them, or each of them one digit."""
    words = text.replace(",", " ").split() if set(text) & {",", " "} else list(text)
    levers = tuple(_number(int, word) for word in words)
    if not all(isinstance(lever, int) for lever in levers) or len(set(levers)) < len(levers):
        raise ValueError(f"{brief(text)} is not a box; write its open levers, as 27 or 2,7.")
    return levers


@_told
def _mean(text: str) -> float:
    mean: float = _number(float, text)
    bernoulli(mean)
    return mean


@_told
def _drawing(text: str) -> Path:
    path = checked_path(Path(text))
    if path.suffix.lower() not in {".png", ".svg"}:
        raise ValueError(
            f"{brief(text)} is not the name of a chart; it has to end in .png or .svg."
        )
    return path


@_told
def _path(text: str) -> Path:
    if not text:
        raise ValueError("the name of the file is empty.")
    return checked_path(Path(text))


@_told
def _existing(text: str) -> Path:
    path = Path(text)
    if not path.is_file():
        raise ValueError(f"{brief(text)} is not a file that is there.")
    return path
