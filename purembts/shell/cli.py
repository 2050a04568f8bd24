"""The command line: results on stdout, everything else on stderr."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, NoReturn, TypeVar

from rich.console import Console
from rich.table import Table

from purembts import exact
from purembts.checks import at_least_one, not_negative
from purembts.games.shut_the_box import (
    Box,
    best_move_table_string,
    learnt_probability,
    search,
    shut_the_box,
    simulate,
    simulate_crowd,
    start_box,
    win_probability,
)
from purembts.mcts import Tree
from purembts.records import NOTHING, Record, interval, mean, merge
from purembts.shell.files import checked_path, write_text
from purembts.shell.progress import watched

T = TypeVar("T")

STEP = 5_000
"""Games or dives between two looks at the progress bar."""

CROWD = 10**12
"""Random games that are not played one by one, so many that their interval pins the exact value."""


class Row(NamedTuple):
    """A way to play, as `learn` shows it."""

    play: str
    record: Record
    """What was seen of it; NOTHING where nothing had to be tried."""
    exact: Fraction
    """The exact probability to win with it."""


def learn(games: int, dives: Sequence[int], z: float, seed: int) -> Iterator[Row]:
    """Random play by simulation, what UCT has learnt after each number of dives, and best play."""
    record = NOTHING
    rng = Random(f"{seed}/random play")
    for n in watched(_steps(0, games), "random games"):
        record = merge(record, simulate(n, rng=rng))
    random_play = exact.solver(shut_the_box(), exact.uniform)(start_box)[0]
    yield Row(f"random moves, {games:,} games", record, random_play)
    crowd = simulate_crowd(CROWD, rng=Random(f"{seed}/crowd"))
    yield Row("random moves, a crowd of 10^12", crowd, random_play)
    tree: Tree[Box] | dict[Box, Record] = {}
    rng = Random(f"{seed}/dives")
    for before, after in pairwise([0, *sorted(set(dives))]):
        for n in watched(_steps(before, after), f"{after:,} dives"):
            tree = search(tree, start_box, n, rng, z=z)
        yield Row(f"UCT, {after:,} dives", tree[start_box], learnt_probability(tree))
    yield Row("best play", NOTHING, win_probability(start_box))


def _steps(before: int, after: int) -> Sequence[int]:
    """The numbers that add up from `before` to `after` in steps."""
    return [min(STEP, after - done) for done in range(before, after, STEP)]


def table_of(rows: Iterable[Row]) -> Table:
    """`rows` as a table for a person."""
    table = Table(
        title="Shut the Box: probability to win from the full box",
        caption="seen: games or dives won (of dives the interval is nominal)\n"
        "exact: of random and best play, and of what the tree has learnt",
    )
    table.add_column("how it plays")
    for heading in ("seen", "95 % interval", "exact"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(row.play, *_seen(row.record), f"{float(row.exact):.5f}")
    return table


def _seen(record: Record) -> tuple[str, str]:
    if not record.visits:
        return "", ""
    low, high = interval(record)
    return f"{mean(record):.5f}", f"{low:.5f} to {high:.5f}"


def run(arguments: Sequence[str]) -> int:
    """Do what `arguments` ask for; the exit code.

    0 is done, 1 the work failed, 2 it was asked for wrongly, 130 it was interrupted.
    """
    options = _parser().parse_args(arguments)
    if options.seed is None:
        options.seed = Random().randrange(2**32)
        _tell(f"--seed {options.seed}")
    try:
        code = _show(learn(options.games, options.dives, options.z, options.seed))
        if options.output and not code:
            write_text(options.output, best_move_table_string())
    except KeyboardInterrupt:
        return _interrupted()
    except (OSError, ValueError) as error:
        _tell(f"purembts: {error}")
        return 1
    return code


def _show(rows: Iterable[Row]) -> int:
    """Print the table of `rows`; of an interrupt, what is done is kept."""
    done: list[Row] = []
    code = 0
    try:
        done.extend(rows)
    except KeyboardInterrupt:
        code = _interrupted()
    if done:
        Console().print(table_of(done))
        sys.stdout.flush()
    return code


def _interrupted() -> int:
    _tell("purembts: interrupted")
    return 130


def _tell(line: str) -> None:
    print(line, file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} ({self.prog} --help tells more)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="purembts", description="Monte Carlo tree search, from the workshop on.")
    parser.add_argument("--version", action="version", version=f"purembts {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser(
        "learn",
        help="learn Shut the Box: random play, UCT, best play",
        description="Play Shut the Box at random, learn it by UCT, and solve it exactly.",
        epilog="example: purembts learn --seed 7 -o table.txt",
    )
    command.add_argument("--seed", type=_seed, help="play the same games again")
    command.add_argument(
        "--games",
        type=_count,
        default=100_000,
        metavar="N",
        help="random games (100000)",
    )
    command.add_argument(
        "--dives",
        type=_count,
        nargs="+",
        default=[1_000, 10_000, 100_000],
        metavar="N",
        help="numbers of dives to show (1000 10000 100000)",
    )
    command.add_argument(
        "--z",
        type=_width,
        default=2.0,
        help="width of the bound of UCT (2)",
    )
    command.add_argument(
        "-o",
        "--output",
        type=_path,
        metavar="FILE",
        help="keep the table of best moves, from exact play",
    )
    return parser


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
        except ValueError as error:
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
        raise ValueError(f"the seed is {text!r}; it has to be a whole number.")
    return seed


@_told
def _count(text: str) -> int:
    return at_least_one(_number(int, text), "the number")


@_told
def _width(text: str) -> float:
    return not_negative(_number(float, text), "z")


@_told
def _path(text: str) -> Path:
    if not text:
        raise ValueError("the name of the file is empty.")
    return checked_path(Path(text))
