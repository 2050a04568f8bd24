"""The requests: a typed value for each command. The parser of the command line reads their fields.

The annotation of a field has the options that a person types for it. A default of a request is the
default of its options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypeAlias, get_type_hints

from purembts.app.card import FORMS
from purembts.app.estimates import BANDITS
from purembts.app.kinds import AnyGame, Position
from purembts.app.sitting import HINT_DIVES
from purembts.app.thinking import bound_at
from purembts.bounds import AnyBound
from purembts.exact import MOST_POSITIONS
from purembts.verify.loading import GAMES, game_called, is_name

CHARTS = (".png", ".svg")
"""The ends of the names of charts."""
USUAL = "shut-the-box"
"""The game of a command, without another name."""
SPEC = (
    "uct:1000, uct:1000,c=0.5, settle:300, flat:500, time:2, perfect, random, or file.py:name for "
    "one of your own"
)
Kind: TypeAlias = Literal[
    "text", "count", "seconds", "delay", "width", "probability", "seed", "task", "tree", "new",
    "output", "chart", "target",
]  # fmt: skip
"""The type of the value of an option."""


# The values of requests


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


class Target(NamedTuple):
    """The thing to check: a file with a solution, or a game."""

    file: str
    """The file or the module; for a game of this package, its name."""
    game: str | None = None
    """The name of the game, as other commands take it; None for a solution of the workshop."""


# The options


class Option(NamedTuple):
    """An option of a command as its help shows it; an argument, if its name has no dashes."""

    names: str
    value: str
    """The name of its value; empty for a switch."""
    purpose: str
    kind: Kind = "text"
    choices: Sequence[str] = ()
    many: bool = False
    """True if it takes several values."""
    group: str = ""
    """Of the options in a group, one can be given."""


GAME = Option("game", "GAME", "module:game, file.py:game, or one of")
RULES = Option("--rules", "KEY=VALUE", "rules that differ from the usual ones", many=True)
POSITION = "a position as the game writes it, JSON, or a line of moves"
START = Option("--from --box", "POSITION", POSITION, many=True)
SEED_HELP = "seed of the random numbers (default: a new one, on stderr)"
SEED = Option("--seed", "SEED", SEED_HELP, "seed")
JSON = Option("--json", "", "print JSON instead of tables")
Z = Option("--z", "X", "search by the workshop's bound with this z", "width", group="bound")
C = Option("--c", "X", "search by UCB1 with this c", "width", group="bound")
LOAD = Option("--load", "TREE", "start with the tree in this file", "tree")
SAVE = Option("--save", "NEW", "save the tree in this file, as JSON Lines", "new")
MOST = Option("--most-positions", "N", "most positions to solve", "count")
RANDOM_GAMES = Option("--games", "N", "number of random games", "count")
MATCH_GAMES = Option("--games", "N", "number of games", "count")
CHART = Option("-o --output", "CHART", "draw a chart in a .png or .svg, or on stdout (-)", "chart")
CURVE_HELP = "draw the learning curve (.svg, .png, -), or write the best moves of Shut the Box"
CURVE = Option("-o --output", "FILE", CURVE_HELP, "output")
CARD_HELP = "write the best moves to this file, or to stdout (-)"
CARD = Option("-o --output", "CARD", CARD_HELP, "output")
FORMAT_HELP = (
    "format of the best moves (default: csv, markdown, json or html if FILE ends in .csv, "
    ".md, .json or .html; otherwise text)"
)
FORMAT = Option("--format", "", FORMAT_HELP, choices=[*FORMS])
MARKS = Option("--dives", "N", "numbers of dives, with a row for each", "count", many=True)
DIVES = Option("--dives", "N", "number of dives", "count", group="length")
TIME = Option("--seconds", "S", "search for some seconds instead", "seconds", group="length")
PLAYERS = Option("--players", "SPEC", f"strategies: {SPEC}", many=True)
SEEN = Option("--players", "SPEC", f"a strategy for each player: {SPEC}", many=True)
AGAINST = Option("--against", "SPEC", f"strategies for the other seats: {SPEC}", many=True)
CORES = Option("--executor", "", "processes: use all cores", choices=["serial", "processes"])
SEATS = Option("--seats", "SEAT", "your seat or seats, from 1, or all (default: 1)", many=True)
HINT_HELP = "hints beside the moves: by random games, by a search, or exact values"
HINTS = Option("--hints", "", HINT_HELP, choices=["none", "random", "tree", "exact"])
HINTED = Option("--dives", "N", "dives for the hints of a search", "count")
DELAY = Option("--delay", "S", "seconds between two moves (default: a key goes on)", "delay")
MEANS_HELP = "for each arm, the probability that it pays 1"
MEANS = Option("--means", "P", MEANS_HELP, "probability", many=True)
POLICIES_HELP = f"policies, of {', '.join(BANDITS)}"
POLICIES = Option("--policies", "NAME", POLICIES_HELP, choices=[*BANDITS], many=True)
PULLS = Option("--pulls", "N", "number of pulls in each run", "count")
RUNS = Option("--runs", "N", "number of runs", "count")
DARTS = Option("--darts", "N", "number of darts", "count")
TARGET_HELP = (
    "mine.py: a solution of the workshop's tasks; or a game: module:game, file.py:game, or one of"
)
TARGET = Option("target", "TARGET", TARGET_HELP, "target")
TASK_HELP = "mark this task alone, from 1 to 13 (default: all tasks)"
TASK = Option("--task", "TASK", TASK_HELP, "task")
AGAIN = Option("--watch", "", "mark again when the file is saved, until Ctrl-C")
EXAMPLES = 100
"""The default number of lines of moves for each law of a game."""
SECONDS = 20.0
"""The default time for the laws of a game, in seconds."""
LAWS = Option("--examples", "N", f"lines of moves for each law (default: {EXAMPLES})", "count")
LAW_TIME_HELP = f"time for the laws of a game (default: {SECONDS:g})"
LAW_TIME = Option("--seconds", "S", LAW_TIME_HELP, "seconds")
LIMIT = Option("--limit", "S", "time for a task, or for a line of moves", "seconds")


# The requests

At: TypeAlias = Annotated[Place, GAME, RULES, START]
Seed: TypeAlias = Annotated[int | None, SEED]
Bound: TypeAlias = Annotated[AnyBound | None, Z, C]
Load: TypeAlias = Annotated[Path | None, LOAD]
Save: TypeAlias = Annotated[Path | None, SAVE]


class Learn(NamedTuple):
    """Compare random play, UCT and best play of a game that can be solved."""

    place: At
    seed: Seed = None
    games: Annotated[int, RANDOM_GAMES] = 100_000
    dives: Annotated[Sequence[int], MARKS] = (1000, 10_000, 100_000)
    bound: Bound = None
    load: Load = None
    save: Save = None
    most_positions: Annotated[int, MOST] = MOST_POSITIONS
    output: Annotated[Path | None, CURVE] = None
    format: Annotated[str | None, FORMAT] = None
    json: Annotated[bool, JSON] = False


class Simulate(NamedTuple):
    """Play random games, and show the mean score of each player."""

    place: At
    seed: Seed = None
    games: Annotated[int, RANDOM_GAMES] = 100_000
    output: Annotated[Path | None, CHART] = None
    most_positions: Annotated[int, MOST] = MOST_POSITIONS
    json: Annotated[bool, JSON] = False


class Search(NamedTuple):
    """Search by UCT, and show the records of every move."""

    place: At
    seed: Seed = None
    dives: Annotated[int, DIVES] = 10_000
    seconds: Annotated[float | None, TIME] = None
    bound: Bound = None
    load: Load = None
    save: Save = None
    most_positions: Annotated[int, MOST] = MOST_POSITIONS
    json: Annotated[bool, JSON] = False


class Solve(NamedTuple):
    """Print the exact values of a position, and the best moves."""

    place: At
    most_positions: Annotated[int, MOST] = MOST_POSITIONS
    json: Annotated[bool, JSON] = False


class Match(NamedTuple):
    """Play many games between strategies, and show the standings."""

    place: At
    seed: Seed = None
    players: Annotated[Sequence[str], PLAYERS] = ("uct:1000", "random")
    games: Annotated[int, MATCH_GAMES] = 100
    executor: Annotated[str, CORES] = "serial"
    bound: Bound = None
    json: Annotated[bool, JSON] = False


class Play(NamedTuple):
    """Play a game against strategies, or alone."""

    place: At
    seed: Seed = None
    against: Annotated[Sequence[str] | None, AGAINST] = None
    seats: Annotated[Sequence[str] | None, SEATS] = None
    hints: Annotated[str, HINTS] = "none"
    dives: Annotated[int, HINTED] = HINT_DIVES
    bound: Bound = None
    load: Load = None
    save: Save = None


class Watch(NamedTuple):
    """Watch a game between strategies, and what they believe of each move."""

    place: At
    seed: Seed = None
    players: Annotated[Sequence[str] | None, SEEN] = None
    delay: Annotated[float | None, DELAY] = None
    bound: Bound = None
    json: Annotated[bool, JSON] = False


class Prompt(NamedTuple):
    """Start Python with the words of purembts."""


class Card(NamedTuple):
    """Print the best move of every box and roll of Shut the Box."""

    place: Place
    output: Annotated[Path | None, CARD] = None
    format: Annotated[str | None, FORMAT] = None
    json: Annotated[bool, JSON._replace(purpose="same as --format json")] = False


class Bandit(NamedTuple):
    """Compare policies for one-armed machines by their regret."""

    means: Annotated[Sequence[float], MEANS] = (0.6, 0.5)
    policies: Annotated[Sequence[str], POLICIES] = ("epsilon", "decaying", "ucb1", "thompson")
    pulls: Annotated[int, PULLS] = 5000
    runs: Annotated[int, RUNS] = 100
    seed: Seed = None
    output: Annotated[Path | None, CHART] = None
    json: Annotated[bool, JSON] = False


class Pi(NamedTuple):
    """Estimate pi by throwing darts."""

    darts: Annotated[int, DARTS] = 100_000
    seed: Seed = None
    output: Annotated[Path | None, CHART] = None
    json: Annotated[bool, JSON] = False


class Check(NamedTuple):
    """Check the laws of a game, or mark a solution of the workshop's tasks."""

    target: Annotated[Target, TARGET]
    task: Annotated[int | None, TASK] = None
    watch: Annotated[bool, AGAIN] = False
    examples: Annotated[int | None, LAWS] = None
    seconds: Annotated[float | None, LAW_TIME] = None
    limit: Annotated[float, LIMIT] = 20.0
    seed: Seed = None
    json: Annotated[bool, JSON] = False


def bound_of(request: Learn | Search | Match | Play | Watch) -> AnyBound:
    """The bound of the searches of a request: the one that was chosen, or that of its game."""
    return request.bound or bound_at(request.place.named, request.place.game)


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
    "match": Command(Match, "tic-tac-toe --players uct:100 random --games 20"),
    "play": Command(Play, "tic-tac-toe --against uct:1000 --hints tree"),
    "watch": Command(Watch, "tic-tac-toe --players uct:1000 random"),
    "prompt": Command(Prompt, ""),
    "table": Command(Card, "-o card.html"),
    "bandit": Command(Bandit, "--means 0.6 0.5 --pulls 5000 --runs 100 -o regret.png"),
    "pi": Command(Pi, "--darts 100000 -o pi.svg"),
    "check": Command(Check, "mine.py --task 8"),
}
"""The commands by their names."""


def purpose_of(command: Command) -> str:
    """The sentence that says what a command is for, as a part of a line."""
    text = str(command.request.__doc__)
    return f"{text[0].lower()}{text[1:].rstrip('.')}"


def fields_of(command: Command) -> dict[str, tuple[Option, ...]]:
    """The fields of the request of a command, each with its options."""
    hints = get_type_hints(command.request, include_extras=True)
    return {name: tuple(getattr(hint, "__metadata__", ())) for name, hint in hints.items()}


def options_of(command: Command) -> list[Option]:
    """All options of `command`."""
    return [option for several in fields_of(command).values() for option in several]


def has_place(command: Command) -> bool:
    """True if the command has options that are made of the rules of its game."""
    return "place" in fields_of(command)


def named(command: Command, words: Sequence[str]) -> str:
    """The name of the game in `words`, the arguments of `command`, or the usual name.

    A name that an option of several values takes is a ValueError.
    """
    options = options_of(command)
    takes = {name: each for each in options if is_valued(each) for name in each.names.split()}
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


def is_valued(option: Option) -> bool:
    """True if `option` takes a value."""
    return bool(option.value or option.choices)
