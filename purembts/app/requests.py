"""The requests: a typed value for each command, which the command line and a program make.

A field is an option. Its type says all about it: `Annotated` has its names if they differ from that
of the field, the checks of its value, and its sentence of help if several commands share it. The
sentence of any other field stands under it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_type_hints

from purembts import checks
from purembts.app.files import checked_path
from purembts.checks import brief
from purembts.course.processes import LIMIT
from purembts.loading import GAMES, is_name

Request: TypeAlias = Any
"""A request of one of these types. `getattr` asks for a field that only some types have."""
FieldCheck: TypeAlias = Callable[[Any, str], Any]
"""A function of a value and its name: the value, or a ValueError if it is not right."""

USUAL_GAME = "shut-the-box"
"""The game of a command that names no game."""
STDOUT = Path("-")
"""The path that stands for stdout."""


# Checks of fields


def _must_be(right: str, is_right: Callable[[Any], object]) -> FieldCheck:
    """The check of values for which `is_right` is true; its error has the words of `right`."""

    def check(value: Any, name: str) -> Any:  # noqa: ANN401
        if not is_right(value):
            got = str(value) if isinstance(value, Path) else value
            raise ValueError(f"`{name}` must be {right}; got {brief(got)}.")
        return value

    return check


def _several(check: FieldCheck) -> FieldCheck:
    """The check of one or more values, each by `check`."""
    return lambda values, name: tuple(check(value, name) for value in _not_empty(values, name))


def _new_file(path: Path, name: str) -> Path:
    """`path`, or a ValueError if no file can be written there."""
    return checked_path(_path_name(path, name))


def _chart_file(path: Path, name: str) -> Path:
    """The path of a new chart, or `STDOUT`."""
    is_stdout = path in (STDOUT, Path("/dev/stdout"))
    return STDOUT if is_stdout else _svg(_new_file(path, name), name)


def _is_there(target: str) -> bool:
    """True for a file that exists, for a game in it, and for any other game."""
    file = target.rpartition(":")[0] if is_name(target) else target
    return Path(file).is_file() or (is_name(target) and not file.endswith(".py"))


_whole_seed = _must_be("a whole number", lambda value: isinstance(value, int))
_not_empty = _must_be("a value or more", len)
_several_counts = _several(checks.at_least_one)
_probabilities = _several(partial(checks.finite, least=0, most=1))
_path_name = _must_be("the name of a file", lambda path: path not in (Path(), STDOUT))
_svg = _must_be("an .svg, or -", lambda path: path.suffix.lower() == ".svg")
_existing_file = _must_be("a file that exists", Path.is_file)
_python_file = _must_be("the name of a Python file", lambda path: path.suffix == ".py")
_existing_target = _must_be("a file that exists, or a game", _is_there)
_python_target = _must_be("a file that ends in .py", lambda x: is_name(x) or x.endswith(".py"))


# The types of fields

WordList: TypeAlias = tuple[str, ...]
POSITIONAL: tuple[str, ...] = ()
"""The names of an argument without a name."""
_GAMES = f"module:game, file.py:game, or one of {', '.join(GAMES)}"
_STRATEGIES = (
    "easy, medium, hard, uct:1000, uct:1000,c=0.5, flat:500, time:2, perfect, random, "
    "or file.py:name for one of your own"
)
_PLAYERS_HELP = f"strategies: {_STRATEGIES}"
_OTHERS_HELP = f"strategies for the other seats: {_STRATEGIES}"
_WATCHED_HELP = f"a strategy for each player: {_STRATEGIES} (default: medium)"
_TARGET_HELP = f"mine.py: a solution; or a game: {_GAMES}"
Count: TypeAlias = Annotated[int, checks.at_least_one]
Task: TypeAlias = Annotated[int | None, partial(checks.whole_number, least=1, most=13)]
BanditName: TypeAlias = Literal[
    "random", "commit", "epsilon", "decaying", "ucb1", "workshop", "tuned", "thompson"
]
USUAL_POLICIES: tuple[BanditName, ...] = ("epsilon", "decaying", "ucb1", "thompson")
GameName: TypeAlias = Annotated[str, POSITIONAL, _GAMES]
GameRules: TypeAlias = Annotated[
    WordList,
    "rules that differ, for example size=6; a wrong one is answered with those of the game",
]
Start: TypeAlias = Annotated[
    WordList, ("--from", "--box"), "a position as it is printed, JSON, or moves such as f5d6c3"
]
Seed: TypeAlias = Annotated[
    int | None, _whole_seed, "seed of the random numbers (default: a new one, on stderr)"
]
Z: TypeAlias = Annotated[
    float | None, checks.a_constant, "search by the workshop's bound with this z"
]
C: TypeAlias = Annotated[float | None, checks.a_constant, "search by UCB1 with this c"]
ChartFile: TypeAlias = Annotated[
    Path | None, _chart_file, ("-o", "--output"), "draw a chart in an .svg, or on stdout (-)"
]
Limit: TypeAlias = Annotated[float, checks.above_zero, "time for a task, or for a line of moves"]
AsJson: TypeAlias = Annotated[bool, "print JSON instead of tables"]


# The requests


class Learn(NamedTuple):
    """Compare random play, what a search has learnt, and best play of a game that can be solved.

    Example: purembts learn --seed 7 -o curve.svg
    """

    game: GameName = USUAL_GAME
    rules: GameRules = ()
    start: Start = ()
    seed: Seed = None
    dives: Annotated[tuple[int, ...], _several_counts] = (1000, 10_000, 100_000)
    """numbers of dives, with a row for each"""
    seeds: Count = 1
    """number of seeds, each with a search of its own"""
    z: Z = None
    c: C = None
    output: ChartFile = None
    json: AsJson = False


class Simulate(NamedTuple):
    """Play random games, and show the mean score of each player.

    Example: purembts simulate reversi --games 1000 --seed 7
    """

    game: GameName = USUAL_GAME
    rules: GameRules = ()
    start: Start = ()
    seed: Seed = None
    games: Count = 100_000
    """number of random games"""
    output: ChartFile = None
    json: AsJson = False


class Search(NamedTuple):
    """Search by UCT, and show the records of every move.

    Example: purembts search tic-tac-toe --from b2 --seconds 2 --save tree.jsonl
    """

    game: GameName = USUAL_GAME
    rules: GameRules = ()
    start: Start = ()
    seed: Seed = None
    dives: Annotated[int | None, checks.at_least_one] = None
    """number of dives (default: 10000)"""
    seconds: Annotated[float | None, checks.above_zero] = None
    """search for some seconds instead"""
    z: Z = None
    c: C = None
    load: Annotated[Path | None, _existing_file] = None
    """start with the tree in this file"""
    save: Annotated[Path | None, _new_file] = None
    """save the tree in this file, as JSON Lines"""
    json: AsJson = False


class Solve(NamedTuple):
    """Print the exact values of a position, and the best moves.

    Example: purembts solve --box 2,5,7
    """

    game: GameName = USUAL_GAME
    rules: GameRules = ()
    start: Start = ()
    json: AsJson = False


class Match(NamedTuple):
    """Play many games between strategies, and show the standings.

    Example: purembts match tic-tac-toe --players uct:100 random --games 20
    """

    game: GameName = USUAL_GAME
    rules: GameRules = ()
    start: Start = ()
    seed: Seed = None
    players: Annotated[WordList, _not_empty, _PLAYERS_HELP] = ("uct:1000", "random")
    games: Count = 100
    """number of games"""
    z: Z = None
    c: C = None
    json: AsJson = False


class Play(NamedTuple):
    """Play a game against strategies, or alone.

    Example: purembts play tic-tac-toe --against uct:1000 --hints tree
    """

    game: GameName = USUAL_GAME
    rules: GameRules = ()
    start: Start = ()
    seed: Seed = None
    against: Annotated[WordList, _OTHERS_HELP] = ()
    seats: WordList = ()
    """your seat or seats, from 1, or all (default: 1)"""
    hints: Literal["none", "random", "tree", "exact"] = "none"
    """hints beside the moves: of random games, a search, or best play"""
    dives: Count = 10_000
    """dives for the hints of a search"""
    z: Z = None
    c: C = None


class Watch(NamedTuple):
    """Watch a game between strategies, and what they believe of each move.

    Example: purembts watch tic-tac-toe --players uct:1000 random
    """

    game: GameName = USUAL_GAME
    rules: GameRules = ()
    start: Start = ()
    seed: Seed = None
    players: Annotated[WordList, _WATCHED_HELP] = ()
    z: Z = None
    c: C = None
    json: AsJson = False


class Prompt(NamedTuple):
    """Start Python with the words of purembts.

    Example: purembts prompt
    """


class Table(NamedTuple):
    """Print the best move of every box and roll of Shut the Box.

    Example: purembts table --rules levers=12
    """

    rules: GameRules = ()
    json: AsJson = False


class Bandit(NamedTuple):
    """Compare policies for one-armed machines by their regret.

    Example: purembts bandit --means 0.6 0.5 --pulls 5000 --runs 100 -o regret.svg
    """

    means: Annotated[tuple[float, ...], _probabilities] = (0.6, 0.5)
    """for each arm, the probability that it pays 1"""
    policies: Annotated[tuple[BanditName, ...], _not_empty] = USUAL_POLICIES
    """policies"""
    pulls: Count = 5000
    """number of pulls in each run"""
    runs: Count = 100
    """number of runs"""
    seed: Seed = None
    output: ChartFile = None
    json: AsJson = False


class Pi(NamedTuple):
    """Estimate pi by throwing darts.

    Example: purembts pi --darts 100000 -o pi.svg
    """

    darts: Count = 100_000
    """number of darts"""
    seed: Seed = None
    output: ChartFile = None
    json: AsJson = False


class Check(NamedTuple):
    """Check a game, a solution of the workshop's tasks, or your properties.

    Example: purembts check mine.py --task 8
    """

    target: Annotated[str, POSITIONAL, _existing_target, _python_target, _TARGET_HELP]
    task: Task = None
    """mark this task alone, from 1 to 13 (default: all tasks)"""
    properties: bool = False
    """the target has your own properties: try them on right solutions and on mistakes"""
    reveal: bool = False
    """with --properties: show the code of the mistake that slips through"""
    examples: Count = 100
    """lines of moves for each law"""
    seconds: Annotated[float, checks.above_zero] = 20
    """time for the laws of a game"""
    limit: Limit = LIMIT
    seed: Seed = None
    json: AsJson = False


class Workshop(NamedTuple):
    """Work through the tasks of the workshop: a starter file, the next task, and hints.

    Example: purembts workshop start mine.py
    """

    step: Annotated[Literal["start", "next", "hint"], POSITIONAL]
    """start: write FILE with stubs; next: mark the next task; hint: one more hint"""
    file: Annotated[Path, POSITIONAL, _python_file]
    """the file of your solutions, for example mine.py"""
    task: Task = None
    """begin with this task, or the task of the hint, from 1 to 13"""
    limit: Limit = LIMIT
    json: AsJson = False


COMMANDS: Mapping[str, Request] = {
    request.__name__.lower(): request
    for request in (
        *(Learn, Simulate, Search, Solve, Match, Play, Watch, Prompt, Table, Bandit, Pi),
        *(Check, Workshop),
    )
}
"""The type of the requests of each command, by its name."""


# Options


class Option(NamedTuple):
    """A field of a request as a person gives it."""

    kind: Any
    """Its type, with all that stands in `Annotated`."""
    names: tuple[str, ...]
    """Its names; none for an argument without a name."""
    sentence: str | None
    """Its help, if that does not stand under the field."""
    checks: list[FieldCheck]


@cache
def options_of(request: Request) -> Mapping[str, Option]:
    """The options of a type of requests, by the names of its fields."""
    hints = get_type_hints(request, include_extras=True)
    return {field: _option(field, hint) for field, hint in hints.items()}


def _option(field: str, kind: Any) -> Option:  # noqa: ANN401
    """The option of a field of the type `kind`."""
    marks = getattr(kind, "__metadata__", ())
    names = next((mark for mark in marks if isinstance(mark, tuple)), (f"--{field}",))
    sentence = next((mark for mark in marks if isinstance(mark, str)), None)
    return Option(kind, names, sentence, [mark for mark in marks if callable(mark)])


def checked(request: Request) -> Request:
    """`request` with its values as the checks of its fields return them.

    >>> checked(Pi(darts=0))
    Traceback (most recent call last):
    ValueError: `--darts` must be a whole number of at least 1; got 0.
    """
    kind: Request = type(request)
    values = request._asdict()
    for field, option in options_of(kind).items():
        for check in option.checks if values[field] is not None else ():
            name = option.names[-1] if option.names else field.upper()
            values[field] = check(values[field], name)
    return kind(**values)
