"""The requests: a typed value for each command, which the command line and a page make.

A field is an option. Its type says all of it: in `Annotated` stand its names if they are others
than that of the field, checks of its value, and a sentence of help if several commands have it.
The sentence of any other field stands under it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from types import NoneType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from purembts import checks
from purembts.app.files import checked_path
from purembts.checks import brief
from purembts.course.processes import LIMIT
from purembts.loading import GAMES, is_name

T = TypeVar("T")
Request: TypeAlias = Any
"""A request of one of these types. A field that only some of them have is asked for by name."""

USUAL_GAME = "shut-the-box"
"""The game of a command, without another name."""
STDOUT = Path("-")
"""The path that stands for stdout."""


# Checks of fields: functions of a value and its name


def _require(is_right: object, name: str, right: str, value: object) -> None:
    """Raise a ValueError if a value is not right."""
    if not is_right:
        raise ValueError(f"`{name}` must be {right}; got {brief(value)}.")


def whole(number: T, name: str) -> T:
    """`number`, or a ValueError if it is not a whole number."""
    is_whole = isinstance(number, int) and not isinstance(number, bool)
    _require(is_whole, name, "a whole number", number)
    return number


def not_empty(values: tuple[T, ...], name: str) -> tuple[T, ...]:
    """`values`, or a ValueError if there are none."""
    _require(values, name, "a value or more", values)
    return values


def new_file(path: Path, name: str) -> Path:
    """`path`, or a ValueError if no file can be written there."""
    _require(path not in (Path(), STDOUT), name, "the name of a file", str(path))
    return checked_path(path)


def chart_file(path: Path, name: str) -> Path:
    """The path of a new chart, or `STDOUT`."""
    if path in (STDOUT, Path("/dev/stdout")):
        return STDOUT
    _require(new_file(path, name).suffix.lower() == ".svg", name, "an .svg, or -", str(path))
    return path


def existing_file(path: Path, name: str) -> Path:
    """`path`, or a ValueError if there is no file."""
    _require(path.is_file(), name, "a file that exists", str(path))
    return path


def solution_file(path: Path, name: str) -> Path:
    """`path`, or a ValueError if it is not that of a Python file, which need not exist yet."""
    _require(path.suffix == ".py", name, "the name of a Python file", str(path))
    return path


def file_or_game(text: str, name: str) -> str:
    """The name of a Python file that exists, or of a game as other commands take it."""
    file = text.rpartition(":")[0] if is_name(text) else text
    is_module = is_name(text) and not file.endswith(".py")
    _require(is_module or Path(file).is_file(), name, "a file that exists, or a game", text)
    _require(is_name(text) or file.endswith(".py"), name, "a file that ends in .py", text)
    return text


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
Seconds: TypeAlias = Annotated[float, checks.above_zero]
Probability: TypeAlias = Annotated[float, partial(checks.finite, least=0, most=1)]
Task: TypeAlias = Annotated[int | None, partial(checks.whole_number, least=1, most=13)]
BanditName: TypeAlias = Literal[
    "random", "commit", "epsilon", "decaying", "ucb1", "workshop", "tuned", "thompson"
]
USUAL_POLICIES: tuple[BanditName, ...] = ("epsilon", "decaying", "ucb1", "thompson")
SolutionFile: TypeAlias = Annotated[Path, POSITIONAL, solution_file]
GameName: TypeAlias = Annotated[str, POSITIONAL, _GAMES]
GameRules: TypeAlias = Annotated[
    WordList,
    "rules that differ, for example size=6; a wrong one is answered with those of the game",
]
Start: TypeAlias = Annotated[
    WordList,
    ("--from", "--box"),
    "a position as the game writes it, JSON, or a line of moves",
]
Seed: TypeAlias = Annotated[
    int | None, whole, "seed of the random numbers (default: a new one, on stderr)"
]
Z: TypeAlias = Annotated[
    float | None, checks.not_negative, "search by the workshop's bound with this z"
]
C: TypeAlias = Annotated[float | None, checks.not_negative, "search by UCB1 with this c"]
ChartFile: TypeAlias = Annotated[
    Path | None, chart_file, ("-o", "--output"), "draw a chart in an .svg, or on stdout (-)"
]
Limit: TypeAlias = Annotated[Seconds, "time for a task, or for a line of moves"]
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
    dives: Annotated[tuple[Count, ...], not_empty] = (1000, 10_000, 100_000)
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
    dives: Count = 10_000
    """number of dives"""
    seconds: Seconds | None = None
    """search for some seconds instead"""
    z: Z = None
    c: C = None
    load: Annotated[Path | None, existing_file] = None
    """start with the tree in this file"""
    save: Annotated[Path | None, new_file] = None
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
    players: Annotated[WordList, not_empty, _PLAYERS_HELP] = (
        "uct:1000",
        "random",
    )
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

    means: Annotated[tuple[Probability, ...], not_empty] = (0.6, 0.5)
    """for each arm, the probability that it pays 1"""
    policies: Annotated[tuple[BanditName, ...], not_empty] = USUAL_POLICIES
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

    target: Annotated[str, POSITIONAL, file_or_game, _TARGET_HELP]
    task: Task = None
    """mark this task alone, from 1 to 13 (default: all tasks)"""
    properties: bool = False
    """the target has your own properties: try them on right solutions and on mistakes"""
    reveal: bool = False
    """with --properties: show the code of the mistake that slips through"""
    examples: Count = 100
    """lines of moves for each law"""
    seconds: Seconds = 20
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
    file: SolutionFile
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


# Requests from outside


def command_of(request: Request) -> str:
    """The name of the command of a request."""
    return str(type(request).__name__.lower())


def request_of(name: str, fields: Mapping[str, Any]) -> Request:
    """The request for the command with this name; a ValueError says which field is wrong.

    >>> request_of("learn", {"game": "coins", "dives": [100], "seed": 7}).dives
    (100,)
    """
    hints = hints_of(COMMANDS[name])
    for field in fields:
        _require(field in hints, name, f"called with the fields {', '.join(hints)}", field)
    names = {field: [field.upper(), *names_of(field, hints[field])][-1] for field in fields}
    return COMMANDS[name](
        **{field: _fitting(hints[field], value, names[field]) for field, value in fields.items()}
    )


def checked(request: Request) -> Request:
    """`request` with its values as the checks of its fields return them."""
    return request_of(command_of(request), request._asdict())


@cache
def hints_of(request: Request) -> dict[str, Any]:
    """The types of the fields of a request, with all that stands in `Annotated`."""
    return get_type_hints(request, include_extras=True)


def extras_of(hint: Any) -> tuple[Any, tuple[Any, ...]]:  # noqa: ANN401
    """The plain type of a field, and what stands beside it in `Annotated`."""
    return (get_args(hint)[0], hint.__metadata__) if get_origin(hint) is Annotated else (hint, ())


def names_of(field: str, hint: Any) -> WordList:  # noqa: ANN401
    """The names by which a person gives a field; none for an argument without a name."""
    _, marks = extras_of(hint)
    return next((mark for mark in marks if isinstance(mark, tuple)), (f"--{field}",))


def _fitting(hint: Any, value: Any, name: str) -> Any:  # noqa: ANN401
    """`value`, or a ValueError if it is not of the type `hint`; parts are checked first."""
    kind, marks = extras_of(hint)
    parts = get_args(kind)
    if NoneType in parts:
        return None if value is None else _fitting(Annotated[parts[0], None, *marks], value, name)
    if get_origin(kind) is tuple:
        _require(isinstance(value, list | tuple), name, "a list of values", value)
        value = tuple(_fitting(parts[0], part, name) for part in value)
    elif get_origin(kind) is Literal:
        _require(value in parts, name, f"one of {', '.join(map(str, parts))}", value)
    elif kind is str:
        _require(isinstance(value, str), name, "a text", value)
    elif kind is bool:
        checks.true_or_false(value, name)
    elif kind is Path:
        value = Path(value)
    for check in filter(callable, marks):
        value = check(value, name)
    return value
