"""The requests: a typed value for each command, and the options by which a person makes it.

The fields of a request are the options of its command, and their defaults those of the options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from purembts.app.estimates import BANDITS
from purembts.app.hints import HINT_DIVES
from purembts.app.hints import KINDS as HINTS
from purembts.app.kinds import AnyGame, Position
from purembts.app.players import OPPONENT
from purembts.app.thinking import bound_at
from purembts.bounds import AnyBound
from purembts.course.processes import LIMIT
from purembts.loading import GAMES, game_called, is_name

USUAL = "shut-the-box"
"""The game of a command, without another name."""


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


# The requests


class Learn(NamedTuple):
    """Compare random play, what a search has learnt, and best play of a game that can be solved."""

    place: Place
    seed: int | None = None
    dives: Sequence[int] = (1000, 10_000, 100_000)
    seeds: int = 1
    bound: AnyBound | None = None
    output: Path | None = None
    json: bool = False


class Simulate(NamedTuple):
    """Play random games, and show the mean score of each player."""

    place: Place
    seed: int | None = None
    games: int = 100_000
    output: Path | None = None
    json: bool = False


class Search(NamedTuple):
    """Search by UCT, and show the records of every move."""

    place: Place
    seed: int | None = None
    dives: int = 10_000
    seconds: float | None = None
    bound: AnyBound | None = None
    load: Path | None = None
    save: Path | None = None
    json: bool = False


class Solve(NamedTuple):
    """Print the exact values of a position, and the best moves."""

    place: Place
    json: bool = False


class Match(NamedTuple):
    """Play many games between strategies, and show the standings."""

    place: Place
    seed: int | None = None
    players: Sequence[str] = ("uct:1000", "random")
    games: int = 100
    bound: AnyBound | None = None
    json: bool = False


class Play(NamedTuple):
    """Play a game against strategies, or alone."""

    place: Place
    seed: int | None = None
    against: Sequence[str] | None = None
    seats: Sequence[str] | None = None
    hints: str = "none"
    dives: int = HINT_DIVES
    bound: AnyBound | None = None


class Watch(NamedTuple):
    """Watch a game between strategies, and what they believe of each move."""

    place: Place
    seed: int | None = None
    players: Sequence[str] | None = None
    bound: AnyBound | None = None
    json: bool = False


class Prompt(NamedTuple):
    """Start Python with the words of purembts."""


class Card(NamedTuple):
    """Print the best move of every box and roll of Shut the Box."""

    place: Place
    json: bool = False


class Bandit(NamedTuple):
    """Compare policies for one-armed machines by their regret."""

    means: Sequence[float] = (0.6, 0.5)
    policies: Sequence[str] = ("epsilon", "decaying", "ucb1", "thompson")
    pulls: int = 5000
    runs: int = 100
    seed: int | None = None
    output: Path | None = None
    json: bool = False


class Pi(NamedTuple):
    """Estimate pi by throwing darts."""

    darts: int = 100_000
    seed: int | None = None
    output: Path | None = None
    json: bool = False


class Check(NamedTuple):
    """Check a game, a solution of the workshop's tasks, or your properties."""

    target: str
    task: int | None = None
    properties: bool = False
    reveal: bool = False
    examples: int = 100
    seconds: float = 20
    limit: float = LIMIT
    seed: int | None = None
    json: bool = False

    @property
    def is_game(self) -> bool:
        """True if the target has the name of a game, as other commands take it."""
        return is_name(self.target)


class Workshop(NamedTuple):
    """Work through the tasks of the workshop: a starter file, the next task, and hints."""

    step: str
    file: Path
    task: int | None = None
    limit: float = LIMIT
    json: bool = False


def bound_of(request: Learn | Search | Match | Play | Watch) -> AnyBound:
    """The bound of the searches of a request: the one that was chosen, or that of its game."""
    return request.bound or bound_at(request.place.named, request.place.game)


# The commands and their options


class Command(NamedTuple):
    """A command as its help shows it."""

    request: Any
    """The type of its requests."""
    example: str
    """The arguments of an example, after the name of the command."""


COMMANDS: Mapping[str, Command] = {
    "learn": Command(Learn, "--seed 7 -o curve.svg"),
    "simulate": Command(Simulate, "reversi --games 1000 --seed 7"),
    "search": Command(Search, "tic-tac-toe --from b2 --seconds 2 --save tree.jsonl"),
    "solve": Command(Solve, "--box 2,5,7"),
    "match": Command(Match, "tic-tac-toe --players uct:100 random --games 20"),
    "play": Command(Play, "tic-tac-toe --against uct:1000 --hints tree"),
    "watch": Command(Watch, "tic-tac-toe --players uct:1000 random"),
    "prompt": Command(Prompt, ""),
    "table": Command(Card, "--rules levers=12"),
    "bandit": Command(Bandit, "--means 0.6 0.5 --pulls 5000 --runs 100 -o regret.svg"),
    "pi": Command(Pi, "--darts 100000 -o pi.svg"),
    "check": Command(Check, "mine.py --task 8"),
    "workshop": Command(Workshop, "start mine.py"),
}
"""The commands by their names."""


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


GAME = f"module:game, file.py:game, or one of {', '.join(GAMES)}"
_SPEC = (
    "easy, medium, hard, uct:1000, uct:1000,c=0.5, flat:500, time:2, perfect, random, "
    "or file.py:name for one of your own"
)
TARGET = f"mine.py: a solution; or a game: {GAME}"
PARTS: Mapping[str, tuple[str, ...]] = {
    "place": ("game", "rules", "from"),
    "bound": ("z", "c"),
    "Card.place": ("rules",),
}
"""The options that make a field, where they are others than the one with its name."""
OPTIONS: Mapping[str, Option] = {
    "game": Option("GAME", GAME, names="game"),
    "rules": Option("KEY=VALUE", "rules that differ from the usual ones", many=True),
    "from": Option(
        "POSITION",
        "a position as the game writes it, JSON, or a line of moves",
        names="--from --box",
        many=True,
    ),
    "seed": Option("SEED", "seed of the random numbers (default: a new one, on stderr)"),
    "z": Option("X", "search by the workshop's bound with this z", group="bound"),
    "c": Option("X", "search by UCB1 with this c", group="bound"),
    "load": Option("TREE", "start with the tree in this file"),
    "save": Option("NEW", "save the tree in this file, as JSON Lines"),
    "output": Option("CHART", "draw a chart in an .svg, or on stdout (-)", "-o --output"),
    "json": Option("", "print JSON instead of tables"),
    "games": Option("N", "number of random games"),
    "dives": Option("N", "number of dives"),
    "Learn.dives": Option("N", "numbers of dives, with a row for each", many=True),
    "seeds": Option("N", "number of seeds, each with a search of its own"),
    "Search.dives": Option("N", "number of dives", group="length"),
    "Search.seconds": Option("S", "search for some seconds instead", group="length"),
    "Match.players": Option("SPEC", f"strategies: {_SPEC}", many=True),
    "Match.games": Option("N", "number of games"),
    "against": Option("SPEC", f"strategies for the other seats: {_SPEC}", many=True),
    "seats": Option("SEAT", "your seat or seats, from 1, or all (default: 1)", many=True),
    "hints": Option(
        "", "hints beside the moves: of random games, a search, or best play", choices=[*HINTS]
    ),
    "Play.dives": Option("N", "dives for the hints of a search"),
    "Watch.players": Option(
        "SPEC", f"a strategy for each player: {_SPEC} (default: {OPPONENT})", many=True
    ),
    "means": Option("P", "for each arm, the probability that it pays 1", many=True),
    "policies": Option("NAME", f"policies, of {', '.join(BANDITS)}", choices=[*BANDITS], many=True),
    "pulls": Option("N", "number of pulls in each run"),
    "runs": Option("N", "number of runs"),
    "darts": Option("N", "number of darts"),
    "target": Option("TARGET", TARGET, names="target"),
    "task": Option("TASK", "mark this task alone, from 1 to 13 (default: all tasks)"),
    "properties": Option(
        "", "FILE has your own properties: try them on right solutions and on mistakes"
    ),
    "reveal": Option("", "with --properties: show the code of the mistake that slips through"),
    "examples": Option("N", "lines of moves for each law"),
    "seconds": Option("S", "time for the laws of a game"),
    "limit": Option("S", "time for a task, or for a line of moves"),
    "step": Option(
        "STEP",
        "start: write FILE with stubs; next: mark the next task; hint: one more hint",
        names="step",
        choices=["start", "next", "hint"],
    ),
    "file": Option("FILE", "the file of your solutions, for example mine.py", names="file"),
    "Workshop.task": Option("TASK", "begin with this task, or the task of the hint, from 1 to 13"),
}
"""The option of a field, or of a field of one request."""


def options_of(request: Any) -> dict[str, Option]:  # noqa: ANN401
    """The options that make a request of this type, by their names."""
    own = request.__name__
    parts = (PARTS.get(f"{own}.{each}", PARTS.get(each, (each,))) for each in request._fields)
    options = {
        name: OPTIONS.get(f"{own}.{name}") or OPTIONS[name] for names in parts for name in names
    }
    return {
        name: option._replace(names=option.names or f"--{name.replace('_', '-')}")
        for name, option in options.items()
    }
