"""The commands and their options as values, which the parser of the command line reads."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from purembts.exact import MOST_POSITIONS
from purembts.surfaces.card import FORMS
from purembts.surfaces.dialogue import HINT_DIVES
from purembts.surfaces.estimates import BANDITS

EXAMPLES = 100
"""The default number of lines of moves for each law of a game."""
SECONDS = 20
"""The default time for the laws of a game, in seconds."""
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


class Option(NamedTuple):
    """An option of a command as its help shows it; an argument, if its name has no dashes."""

    names: str
    value: str
    """The name of its value; empty for a switch."""
    purpose: str
    kind: Kind = "text"
    usual: Any = None
    """The default."""
    many: bool = False
    """True if it takes several values."""
    choices: Sequence[str] = ()


GAME = Option("game", "GAME", "module:game, file.py:game, or one of", usual=USUAL)
RULES = Option("--rules", "KEY=VALUE", "rules that differ from the usual ones", many=True)
POSITION = "a position as the game writes it, JSON, or a line of moves"
START = Option("--from --box", "POSITION", POSITION, many=True)
SEED_HELP = "seed of the random numbers (default: a new one, on stderr)"
SEED = Option("--seed", "SEED", SEED_HELP, "seed")
JSON = Option("--json", "", "print JSON instead of tables")
Z = Option("--z", "X", "search by the workshop's bound with this z", "width")
C = Option("--c", "X", "search by UCB1 with this c", "width")
LOAD = Option("--load", "TREE", "start with the tree in this file", "tree")
SAVE = Option("--save", "NEW", "save the tree in this file, as JSON Lines", "new")
MOST = Option("--most-positions", "N", "most positions to solve", "count", MOST_POSITIONS)
GAMES = Option("--games", "N", "number of random games", "count", 100_000)
MATCH = Option("--games", "N", "number of games", "count", 100)
CHART = "draw a chart in a .png or .svg, or on stdout (-)"
CHARTED = Option("-o --output", "CHART", CHART, "chart")
CURVE = "draw the learning curve (.svg, .png, -), or write the best moves of Shut the Box"
LESSON = Option("-o --output", "FILE", CURVE, "output")
CARD_HELP = "write the best moves to this file, or to stdout (-)"
CARD = Option("-o --output", "FILE", CARD_HELP, "output")
FORMAT_HELP = (
    "format of the best moves (default: csv, markdown, json or html if FILE ends in .csv, "
    ".md, .json or .html; otherwise text)"
)
FORMAT = Option("--format", "", FORMAT_HELP, choices=[*FORMS])
MARK_HELP = "numbers of dives, with a row for each"
MARKS = Option("--dives", "N", MARK_HELP, "count", [1000, 10_000, 100_000], many=True)
DIVES = Option("--dives", "N", "number of dives (default: 10000)", "count")
TIME = Option("--seconds", "S", "search for some seconds instead", "seconds")
PLAYERS = Option("--players", "SPEC", f"strategies: {SPEC}", usual=["uct:100", "random"], many=True)
SEEN = Option("--players", "SPEC", f"a strategy for each player: {SPEC}", many=True)
AGAINST = Option("--against", "SPEC", f"strategies for the other seats: {SPEC}", many=True)
CORES = ["serial", "processes"]
EXECUTOR = Option("--executor", "", "processes: use all cores", usual="serial", choices=CORES)
SEATS = Option("--seats", "SEAT", "your seat or seats, from 1, or all (default: 1)", many=True)
HINT_HELP = "hints beside the moves: by random games, by a search, or exact values"
KINDS = ["none", "random", "tree", "exact"]
HINTS = Option("--hints", "", HINT_HELP, usual="none", choices=KINDS)
HINTED = Option("--dives", "N", "dives for the hints of a search", "count", HINT_DIVES)
DELAY_HELP = "seconds between two moves (default: a key goes on)"
DELAY = Option("--delay", "S", DELAY_HELP, "delay")
MEAN_HELP = "for each arm, the probability that it pays 1"
MEANS = Option("--means", "P", MEAN_HELP, "probability", [0.6, 0.5], many=True)
POLICIES = Option(
    *("--policies", "NAME", f"policies, of {', '.join(BANDITS)}"),
    usual=["epsilon", "decaying", "ucb1", "thompson"],
    many=True,
    choices=[*BANDITS],
)
PULLS = Option("--pulls", "N", "number of pulls in each run", "count", 5000)
RUNS = Option("--runs", "N", "number of runs", "count", 100)
DARTS = Option("--darts", "N", "number of darts", "count", 100_000)
TARGET_HELP = (
    "mine.py: a solution of the workshop's tasks; or a game: module:game, file.py:game, or one of"
)
TARGET = Option("target", "TARGET", TARGET_HELP, "target")
TASK_HELP = "mark this task alone, from 1 to 13 (default: all tasks)"
TASK = Option("--task", "TASK", TASK_HELP, "task")
WATCH = Option("--watch", "", "mark again when the file is saved, until Ctrl-C")
EXAMPLE_HELP = f"lines of moves for each law (default: {EXAMPLES})"
LAWS = Option("--examples", "N", EXAMPLE_HELP, "count")
LAW_TIME_HELP = f"time for the laws of a game (default: {SECONDS})"
LAW_TIME = Option("--seconds", "S", LAW_TIME_HELP, "seconds")
TIME_HELP = "time for a task, or for a line of moves"
LIMITED = Option("--limit", "S", TIME_HELP, "seconds", 20.0)


class Command(NamedTuple):
    """A command as its help shows it."""

    purpose: str
    example: str
    """The arguments of an example, after the name of the command."""
    options: tuple[Option | list[Option], ...]
    """Its options. Of those in a list, one can be given."""


PLACE = (GAME, RULES, START)
COMMANDS: Mapping[str, Command] = {
    "learn": Command(
        "compare random play, UCT and best play of a game that can be solved",
        "--seed 7 -o card.html",
        (*PLACE, SEED, GAMES, MARKS, [Z, C], LOAD, SAVE, MOST, LESSON, FORMAT, JSON),
    ),
    "simulate": Command(
        "play random games, and show the mean score of each player",
        "reversi --games 1000 --seed 7",
        (*PLACE, SEED, GAMES, CHARTED, MOST, JSON),
    ),
    "search": Command(
        "search by UCT, and show the records of every move",
        "tic-tac-toe --from b2 --seconds 2 --save tree.jsonl",
        (*PLACE, SEED, [DIVES, TIME], [Z, C], LOAD, SAVE, MOST, JSON),
    ),
    "solve": Command(
        "print the exact values of a position, and the best moves",
        "--box 2,5,7",
        (*PLACE, MOST, JSON),
    ),
    "match": Command(
        "play many games between strategies, and show the standings",
        "tic-tac-toe --players uct:100 random --games 20",
        (*PLACE, SEED, PLAYERS, MATCH, EXECUTOR, [Z, C], JSON),
    ),
    "play": Command(
        "play a game against strategies, or alone",
        "tic-tac-toe --against uct:1000 --hints tree",
        (*PLACE, SEED, AGAINST, SEATS, HINTS, HINTED, [Z, C], LOAD, SAVE),
    ),
    "watch": Command(
        "watch a game between strategies, and what they believe of each move",
        "tic-tac-toe --players uct:1000 random",
        (*PLACE, SEED, SEEN, DELAY, [Z, C], JSON),
    ),
    "prompt": Command("start Python with the words of purembts", "", ()),
    "table": Command(
        "print the best move of every box and roll of Shut the Box",
        "-o card.html",
        (CARD, FORMAT, JSON._replace(purpose="same as --format json")),
    ),
    "bandit": Command(
        "compare policies for one-armed machines by their regret",
        "--means 0.6 0.5 --pulls 5000 --runs 100 -o regret.png",
        (MEANS, POLICIES, PULLS, RUNS, SEED, CHARTED, JSON),
    ),
    "pi": Command(
        "estimate pi by throwing darts", "--darts 100000 -o pi.svg", (DARTS, SEED, CHARTED, JSON)
    ),
    "check": Command(
        "check the laws of a game, or mark a solution of the workshop's tasks",
        "mine.py --task 8",
        (TARGET, TASK, WATCH, LAWS, LAW_TIME, LIMITED, SEED, JSON),
    ),
}
"""The commands by their names."""


def rivals(part: Option | list[Option]) -> list[Option]:
    """The options of which one can be given."""
    return [part] if isinstance(part, Option) else part


def options_of(command: Command) -> list[Option]:
    """All options of `command`."""
    return [option for part in command.options for option in rivals(part)]


def named(command: Command, words: Sequence[str], names: Collection[str]) -> str:
    """The name of the game in `words`, the arguments of `command`, or the usual name.

    A name that an option of several values takes is a ValueError.
    """
    options = options_of(command)
    takes = {name: each for each in options if is_valued(each) for name in each.names.split()}
    before, hidden = None, ""
    for word in words:
        if word.startswith("-"):
            before = takes.get(word)
        elif before is None and GAME in options and is_name(word, names):
            return word
        elif before and before.many:
            hidden = word if word in names or ".py:" in word else hidden
        else:
            before = None
    if hidden:
        raise ValueError(f"put GAME first, before the options; got {hidden} after one of them.")
    return USUAL


def is_name(text: str, names: Collection[str]) -> bool:
    """True if `text` is one of `names`, or looks like module:game or file.py:game."""
    file, _, name = text.rpartition(":")
    return text in names or bool(file and not file.startswith("-") and name.isidentifier())


def is_valued(option: Option) -> bool:
    """True if `option` takes a value."""
    return bool(option.value or option.choices)
