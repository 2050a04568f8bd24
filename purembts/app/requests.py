"""The requests: a typed value for each command. The parser of the command line reads their fields.

The annotation of a field has the options that a person types for it. A default of a request is the
default of its options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple, TypeAlias, get_type_hints

from purembts.app.card import FORMS
from purembts.app.estimates import BANDITS
from purembts.app.hints import HINT_DIVES
from purembts.app.kinds import AnyGame, Position
from purembts.app.thinking import bound_at
from purembts.bounds import AnyBound
from purembts.exact import MOST_POSITIONS
from purembts.verify.loading import GAMES, game_called, is_name
from purembts.verify.processes import LIMIT

USUAL = "shut-the-box"
"""The game of a command, without another name."""
SPEC = (
    "easy, medium, hard, uct:1000, uct:1000,c=0.5, settle:300, flat:500, time:2, perfect, random, "
    "or file.py:name for one of your own"
)


# The values of requests

CHARTS = (".png", ".svg")
"""The ends of the names of charts."""


class Target(NamedTuple):
    """The thing to check: a file with a solution, or a game."""

    file: str
    """The file or the module; for a game of this package, its name."""
    game: str | None = None
    """The name of the game, as other commands take it; None for the other files."""


class Place(NamedTuple):
    """A game, and the position where it begins."""

    game: AnyGame
    named: str
    """The name of the game."""
    rules: tuple[str, ...] = ()
    """Rules that differ from the usual ones, for example `size=6`."""
    start: Position = None
    """The position where it begins; None for the game's own."""

    @property
    def variant(self) -> str:
        """The rules in words."""
        return ", ".join(self.rules)


def place_called(name: str = USUAL, *rules: str, start: Position = None) -> Place:
    """The place with the name of a game and its rules.

    >>> place_called("reversi", "size=6").game.rules
    Rules(size=6)
    """
    return Place(game_called(name, rules), name, rules, start)


# The options


class Option(NamedTuple):
    """An option of a command as its help shows it; an argument, if its name has no dashes."""

    value: str
    """The name of its value, which has its type in `parser.TYPES`; empty for a switch."""
    purpose: str
    names: str = ""
    """Its names; without any, that of the field."""
    choices: Sequence[str] = ()
    many: bool = False
    """True if it takes several values."""
    group: str = ""
    """Of the options in a group, one can be given."""

    @property
    def is_valued(self) -> bool:
        """True if it takes a value."""
        return bool(self.value or self.choices)


GAME = Option("GAME", f"module:game, file.py:game, or one of {', '.join(GAMES)}", names="game")
RULES = Option("KEY=VALUE", "rules that differ from the usual ones", names="--rules", many=True)
POSITION = "a position as the game writes it, JSON, or a line of moves"
TREE = Option("TREE", "a tree that search or learn has saved")
START = Option("POSITION", POSITION, names="--from --box", many=True)
WIDTH = Option("X", "", group="bound")
Z = WIDTH._replace(names="--z", purpose="search by the workshop's bound with this z")
C = WIDTH._replace(names="--c", purpose="search by UCB1 with this c")
OUTPUT = Option("CHART", "draw a chart in a .png or .svg, or on stdout (-)", names="-o --output")
CURVE = "draw the learning curve (.svg, .png, -), or write the best moves of Shut the Box"
FORMAT = (
    "format of the best moves (default: csv, markdown, json or html if OUTPUT ends in .csv, "
    ".md, .json or .html; otherwise text)"
)
CHUNKS = Option(
    "", "processes: cut the work into chunks, and use all cores", choices=["serial", "processes"]
)
JSON = Option("", "print JSON instead of tables")
TARGET = (
    "mine.py: a solution of the workshop's tasks; proof.jsonl: a certificate of solve; or a game: "
    f"module:game, file.py:game, or one of {', '.join(GAMES)}"
)
EXAMPLES = 100
"""The default number of lines of moves for each law of a game."""
SECONDS = 20.0
"""The default time for the laws of a game, in seconds."""


# The requests

At: TypeAlias = Annotated[Place, GAME, RULES, START]
Seed: TypeAlias = Annotated[
    int | None, Option("SEED", "seed of the random numbers (default: a new one, on stderr)")
]
Bound: TypeAlias = Annotated[AnyBound | None, Z, C]
Load: TypeAlias = Annotated[Path | None, Option("TREE", "start with the tree in this file")]
Save: TypeAlias = Annotated[Path | None, Option("NEW", "save the tree in this file, as JSON Lines")]
Most: TypeAlias = Annotated[int, Option("N", "most positions to solve")]
RandomGames: TypeAlias = Annotated[int, Option("N", "number of random games")]
Chunks: TypeAlias = Annotated[str, CHUNKS]
Chart: TypeAlias = Annotated[Path | None, OUTPUT]
Format: TypeAlias = Annotated[str | None, Option("", FORMAT, choices=[*FORMS])]
Json: TypeAlias = Annotated[bool, JSON]
Limit: TypeAlias = Annotated[float, Option("S", "time for a task, or for a line of moves")]


class Learn(NamedTuple):
    """Compare random play, UCT and best play of a game that can be solved."""

    place: At
    seed: Seed = None
    games: RandomGames = 100_000
    dives: Annotated[
        Sequence[int], Option("N", "numbers of dives, with a row for each", many=True)
    ] = (1000, 10_000, 100_000)
    seeds: Annotated[
        int | None, Option("N", "show what the trees of N seeds have learnt, not one")
    ] = None
    bound: Bound = None
    load: Load = None
    save: Save = None
    most_positions: Most = MOST_POSITIONS
    executor: Chunks = "serial"
    output: Annotated[Path | None, OUTPUT._replace(value="OUTPUT", purpose=CURVE)] = None
    format: Format = None
    json: Json = False


class Simulate(NamedTuple):
    """Play random games, and show the mean score of each player."""

    place: At
    seed: Seed = None
    games: RandomGames = 100_000
    output: Chart = None
    most_positions: Most = MOST_POSITIONS
    executor: Chunks = "serial"
    json: Json = False


class Search(NamedTuple):
    """Search by UCT, and show the records of every move."""

    place: At
    seed: Seed = None
    dives: Annotated[int, Option("N", "number of dives", group="length")] = 10_000
    seconds: Annotated[
        float | None, Option("S", "search for some seconds instead", group="length")
    ] = None
    bound: Bound = None
    load: Load = None
    save: Save = None
    most_positions: Most = MOST_POSITIONS
    executor: Chunks = "serial"
    json: Json = False


class Solve(NamedTuple):
    """Print the exact values of a position, and the best moves."""

    place: At
    certificate: Annotated[
        Path | None, Option("NEW", "write a proof of the values to this file, as JSON Lines")
    ] = None
    most_positions: Most = MOST_POSITIONS
    json: Json = False


class Trace(NamedTuple):
    """Write a search that a program in another language can follow, draw by draw."""

    place: At
    seed: Seed = None
    dives: Annotated[int, Option("N", "number of dives")] = 100
    z: Annotated[float | None, Z] = None
    c: Annotated[float | None, C] = None
    output: Annotated[
        Path | None, OUTPUT._replace(value="OUTPUT", purpose="write to this file, not to stdout")
    ] = None


class Diff(NamedTuple):
    """Show the difference of two trees of a game, the largest changes first."""

    before: Annotated[Path, TREE._replace(names="before")]
    after: Annotated[Path, TREE._replace(names="after")]
    json: Json = False


class Match(NamedTuple):
    """Play many games between strategies, and show the standings."""

    place: At
    seed: Seed = None
    players: Annotated[Sequence[str], Option("SPEC", "strategies: " + SPEC, many=True)] = (
        "uct:1000",
        "random",
    )
    games: Annotated[int, Option("N", "number of games")] = 100
    executor: Annotated[str, CHUNKS._replace(purpose="processes: use all cores")] = "serial"
    bound: Bound = None
    json: Json = False


class Play(NamedTuple):
    """Play a game against strategies, or alone."""

    place: At
    seed: Seed = None
    against: Annotated[
        Sequence[str] | None, Option("SPEC", "strategies for the other seats: " + SPEC, many=True)
    ] = None
    seats: Annotated[
        Sequence[str] | None,
        Option("SEAT", "your seat or seats, from 1, or all (default: 1)", many=True),
    ] = None
    hints: Annotated[
        str,
        Option(
            "",
            "hints beside the moves: by random games, by a search, or exact values",
            choices=["none", "random", "tree", "exact"],
        ),
    ] = "none"
    dives: Annotated[int, Option("N", "dives for the hints of a search")] = HINT_DIVES
    bound: Bound = None
    load: Load = None
    save: Save = None


class Watch(NamedTuple):
    """Watch a game between strategies, and what they believe of each move."""

    place: At
    seed: Seed = None
    players: Annotated[
        Sequence[str] | None, Option("SPEC", "a strategy for each player: " + SPEC, many=True)
    ] = None
    delay: Annotated[
        float | None, Option("DELAY", "seconds between two moves (default: a key goes on)")
    ] = None
    bound: Bound = None
    json: Json = False


class Prompt(NamedTuple):
    """Start Python with the words of purembts."""


class Card(NamedTuple):
    """Print the best move of every box and roll of Shut the Box."""

    place: Place
    output: Annotated[
        Path | None,
        OUTPUT._replace(value="OUTPUT", purpose="write the best moves, or - for stdout"),
    ] = None
    format: Format = None
    json: Annotated[bool, JSON._replace(purpose="same as --format json")] = False


class Bandit(NamedTuple):
    """Compare policies for one-armed machines by their regret."""

    means: Annotated[
        Sequence[float], Option("P", "for each arm, the probability that it pays 1", many=True)
    ] = (0.6, 0.5)
    policies: Annotated[
        Sequence[str],
        Option("NAME", "policies, of " + ", ".join(BANDITS), choices=list(BANDITS), many=True),
    ] = ("epsilon", "decaying", "ucb1", "thompson")
    pulls: Annotated[int, Option("N", "number of pulls in each run")] = 5000
    runs: Annotated[int, Option("N", "number of runs")] = 100
    seed: Seed = None
    output: Chart = None
    json: Json = False


class Pi(NamedTuple):
    """Estimate pi by throwing darts."""

    darts: Annotated[int, Option("N", "number of darts")] = 100_000
    seed: Seed = None
    output: Chart = None
    json: Json = False


class Check(NamedTuple):
    """Check a game, a solution of the workshop's tasks, your properties, or a certificate."""

    target: Annotated[Target, Option("TARGET", TARGET, names="target")]
    task: Annotated[
        int | None, Option("TASK", "mark this task alone, from 1 to 13 (default: all tasks)")
    ] = None
    watch: Annotated[bool, Option("", "mark again when the file is saved, until Ctrl-C")] = False
    properties: Annotated[
        bool,
        Option("", "FILE has your own properties: try them on right solutions and on mistakes"),
    ] = False
    reveal: Annotated[
        bool, Option("", "with --properties: show the code of the mistake that slips through")
    ] = False
    examples: Annotated[
        int | None, Option("N", "lines of moves for each law (default: " + str(EXAMPLES) + ")")
    ] = None
    seconds: Annotated[
        float | None,
        Option("S", "time for the laws of a game (default: " + format(SECONDS, "g") + ")"),
    ] = None
    limit: Limit = LIMIT
    seed: Seed = None
    json: Json = False

    @property
    def is_proof(self) -> bool:
        """True if the target is a certificate."""
        return self.target.file.endswith(".jsonl")


class Workshop(NamedTuple):
    """Work through the tasks of the workshop: a starter file, the next task, and hints."""

    step: Annotated[
        str,
        Option(
            "STEP",
            "start: write FILE with stubs; next: mark the next task; hint: one more hint",
            names="step",
            choices=["start", "next", "hint"],
        ),
    ]
    file: Annotated[Path, Option("FILE", "the file of your solutions, for example mine.py", "file")]
    task: Annotated[
        int | None, Option("TASK", "begin with this task, or the task of the hint, from 1 to 13")
    ] = None
    limit: Limit = LIMIT
    json: Json = False


def bound_of(request: Learn | Search | Match | Play | Watch) -> AnyBound:
    """The bound of the searches of a request: the one that was chosen, or that of its game."""
    return request.bound or bound_at(request.place.named, request.place.game)


def is_charted(request: Learn) -> bool:
    """True if the output of a lesson is its chart, not the table of best moves."""
    path = request.output
    return path is not None and (
        path.suffix.lower() in CHARTS or (str(path) == "-" and not request.format)
    )


class Command(NamedTuple):
    """A command as its help shows it."""

    request: type
    example: str
    """The arguments of an example, after the name of the command."""


COMMANDS: Mapping[str, Command] = {
    "learn": Command(Learn, "--seed 7 -o card.html"),
    "simulate": Command(Simulate, "reversi --games 1000 --seed 7"),
    "search": Command(Search, "tic-tac-toe --from b2 --seconds 2 --save tree.jsonl"),
    "solve": Command(Solve, "--box 2,5,7"),
    "trace": Command(Trace, "coins --from 7 --dives 20 --seed 7 -o trace.jsonl"),
    "match": Command(Match, "tic-tac-toe --players uct:100 random --games 20"),
    "play": Command(Play, "tic-tac-toe --against uct:1000 --hints tree"),
    "watch": Command(Watch, "tic-tac-toe --players uct:1000 random"),
    "diff": Command(Diff, "before.jsonl after.jsonl"),
    "prompt": Command(Prompt, ""),
    "table": Command(Card, "-o card.html"),
    "bandit": Command(Bandit, "--means 0.6 0.5 --pulls 5000 --runs 100 -o regret.png"),
    "pi": Command(Pi, "--darts 100000 -o pi.svg"),
    "check": Command(Check, "mine.py --task 8"),
    "workshop": Command(Workshop, "start mine.py"),
}
"""The commands by their names."""


def purpose_of(command: Command) -> str:
    """The sentence that says what a command is for, as a part of a line."""
    text = str(command.request.__doc__)
    return f"{text[0].lower()}{text[1:].rstrip('.')}"


def fields_of(command: Command) -> dict[str, tuple[Option, ...]]:
    """The fields of the request of a command, each with its options."""
    hints = get_type_hints(command.request, include_extras=True)
    return {
        field: tuple(
            option._replace(names=option.names or f"--{field.replace('_', '-')}")
            for option in getattr(hint, "__metadata__", ())
        )
        for field, hint in hints.items()
    }


def options_of(command: Command) -> list[Option]:
    """All options of `command`."""
    return [option for several in fields_of(command).values() for option in several]


def named(command: Command, words: Sequence[str]) -> str:
    """The name of the game in `words`, the arguments of `command`, or the usual name.

    A name that an option of several values takes is a ValueError.
    """
    options = options_of(command)
    takes = {name: each for each in options if each.is_valued for name in each.names.split()}
    before, hidden = None, ""
    for word in words:
        if word.startswith("-"):
            before = takes.get(word)
        elif before is None and GAME in options and is_name(word):
            return word
        elif before and before.many:
            hidden = word if word in GAMES or ".py:" in word else hidden
        else:
            before = None
    if hidden:
        raise ValueError(f"put GAME first, before the options; got {hidden} after one of them.")
    return USUAL
