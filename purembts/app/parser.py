"""The parser of the command line, made of the fields of the requests."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from purembts import checks
from purembts.app.files import checked_path
from purembts.app.kinds import AnyGame, Request, Words
from purembts.app.players import player_called
from purembts.app.requests import (
    CHARTS,
    COMMANDS,
    EXAMPLES,
    GAME,
    SECONDS,
    START,
    USUAL,
    C,
    Check,
    Command,
    Learn,
    Option,
    Place,
    Play,
    Search,
    Target,
    Watch,
    Z,
    fields_of,
    is_charted,
    named,
    options_of,
    purpose_of,
)
from purembts.app.screen import STDOUT, say
from purembts.app.sitting import seats_called, specs_of
from purembts.app.starts import position_called
from purembts.app.thinking import usual_c
from purembts.bounds import AnyBound, ucb1_with, wald_with
from purembts.checks import brief
from purembts.games.shut_the_box import Rules
from purembts.verify.loading import GAMES, WORKSHOP, as_typed, game_called, is_name, names_of
from purembts.verify.loading import fields_of as rules_of

T = TypeVar("T")

# Requests


def parsed(words: Sequence[str]) -> Request:
    """The request in `words`, the arguments of a call.

    Wrong arguments end the program with exit code 2 and one line on stderr.
    """
    options, unknown = parser_of(words).parse_known_args(words)
    command = COMMANDS[options.command]
    if unknown:
        options.parser.error(_unknown(options, command, unknown))
    try:
        own: Words = {"place": _place, "bound": _bound}
        values = {
            field: own[field](options) if field in own else getattr(options, field)
            for field in fields_of(command)
        }
        return _checked(command.request(**values))
    except ValueError as error:
        options.parser.error(str(error))


def _unknown(options: argparse.Namespace, command: Command, words: Sequence[str]) -> str:
    """The sentence about arguments that a command with its game does not take."""
    own = [each.names.split()[0] for each in options_of(command) if each.names[0] == "-"]
    has_rules = "place" in fields_of(command)
    rules = rules_of(game_called(options.parser.game or USUAL)) if has_rules else ()
    known = ", ".join([*own, *map(_option_of, rules)])
    takes = f"; {options.command} takes {known}" if known else ""
    return f"unrecognized arguments: {' '.join(words)}{takes}"


def _option_of(rule: str) -> str:
    """The option for a field of the rules of a game."""
    return f"--{rule.replace('_', '-')}"


def _place(options: argparse.Namespace) -> Place:
    name = getattr(options, "game", USUAL)
    rules = (*(options.pairs or []), *(getattr(options, "rules", None) or []))
    game, start = game_called(name, rules), getattr(options, "from", None)
    if start is not None:
        start = position_called(game, start, getattr(options, "seed", None))
    return Place(game, name, rules, start)


def _bound(options: argparse.Namespace) -> AnyBound | None:
    """The bound that the options name, or None."""
    if options.z is not None:
        return wald_with(options.z)
    if options.c is not None:
        return ucb1_with(options.c)
    return None


# Checks of requests


def _checked(request: Request) -> Request:
    """The request, or a ValueError for parts that do not go together."""
    _refuse_players(request)
    if hasattr(request, "save"):
        _refuse_trees(request)
    if isinstance(request, Search) and request.seconds and request.executor != "serial":
        raise ValueError("argument --executor: processes make a number of --dives.")
    if isinstance(request, Learn):
        _refuse_output(request)
    return _of_target(request) if isinstance(request, Check) else request


def _refuse_players(request: Request) -> None:
    """Raise a ValueError for a seat or a player that there is not, before the work."""
    texts = getattr(request, "players", None) or getattr(request, "against", None)
    for text in texts or ():
        if text != "perfect":  # the positions are counted with the work
            player_called(request.place.game, text)
    if isinstance(request, Play | Watch):
        game = request.place.game
        persons = seats_called(game, request.seats) if isinstance(request, Play) else ()
        specs_of(game, persons, texts, "random")


def _refuse_trees(request: Request) -> None:
    """Raise a ValueError if the tree cannot be saved, or has the file of another result."""
    game, output = request.place.game, getattr(request, "output", None)
    if request.save and (game.hidden or game).json is None:
        raise ValueError(f"argument --save: {game.name} has no JSON, so no tree can be saved.")
    trees = {path.resolve() for path in (request.save, request.load) if path}
    if output and output.resolve() in trees:
        got = brief(str(output))
        raise ValueError(
            f"argument -o/--output: `FILE` must not be the file of the tree; got {got}."
        )


def _refuse_output(request: Learn) -> None:
    """Raise a ValueError for a table of best moves that there is not, and for one of many trees."""
    path, is_box = request.output, isinstance(request.place.game.rules, Rules)
    for name in ("load", "save", "format"):
        if request.seeds and getattr(request, name):
            raise ValueError(f"argument --{name}: this option goes without --seeds.")
    if not is_box and request.format:
        raise ValueError("argument --format: this option is for Shut the Box.")
    if path and (request.seeds or not is_box) and not is_charted(request):
        got = brief(str(path))
        raise ValueError(f"argument -o/--output: `FILE` must end in .png or .svg; got {got}.")


def _of_target(request: Check) -> Check:
    """The request with its usual values; a ValueError for options of another kind of target."""
    is_game = request.target.game is not None
    for name in ("task", "watch", "properties") if is_game else ("examples", "seconds"):
        if getattr(request, name):
            target, other = ("a solution", "a game") if is_game else ("a game", "a solution")
            raise ValueError(f"argument --{name}: this is for {target}; the target is {other}.")
    if request.watch and request.json:
        raise ValueError("argument --json: this option does not go with --watch.")
    if request.properties and (request.task or request.watch):
        raise ValueError("argument --properties: this option goes without --task and --watch.")
    if request.reveal and not request.properties:
        raise ValueError("argument --reveal: this option goes with --properties.")
    return request._replace(
        examples=request.examples or EXAMPLES, seconds=request.seconds or SECONDS
    )


# The types of arguments: functions from a text. Errors call it by its name in the help.


def _argument(parse: Callable[[str], T]) -> Callable[[str], T]:
    """`parse`, with its errors as errors of argparse, which prints them word for word."""

    def parsed(text: str) -> T:
        try:
            return parse(text)
        except (ValueError, OSError) as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return parsed


def _number(
    name: str, kind: Callable[[str], Any], check: Callable[[Any, str], T]
) -> Callable[[str], T]:
    """The type of numbers that pass `check`, which refuses a text that is no number."""

    def parse(text: str) -> T:
        try:
            number = kind(text)
        except ValueError:
            number = text
        return check(number, name)

    return _argument(parse)


def _whole(text: str) -> int:
    """The whole number in a text such as 1000, 1_000 or 1e3."""
    try:
        return int(text)
    except ValueError:
        number = float(text)
        if not abs(number) < 1e15 or number % 1:
            raise
        return int(number)


def _any_whole(number: int, name: str) -> int:
    if not isinstance(number, int):
        raise ValueError(f"`{name}` must be a whole number; got {brief(number)}.")
    return number


def _path(text: str, *, ends: tuple[str, ...] = (), streams: tuple[str, ...] = ()) -> Path:
    if text in streams:
        return STDOUT
    if text in ("", *STREAMS[:1]):
        raise ValueError(f"`FILE` must be the name of a file; got {text!r}.")
    path = checked_path(Path(text))
    if ends and path.suffix.lower() not in ends:
        raise ValueError(f"`FILE` must end in .png or .svg, or be -; got {brief(text)}.")
    return path


STREAMS = ("-", "/dev/stdout")
"""The names of stdout."""


def _existing(text: str) -> Path:
    """The path of a file that exists."""
    path = Path(text)
    if not path.is_file():
        raise ValueError(f"`FILE` must be a file that exists; got {brief(text)}.")
    return path


def _solution(text: str) -> Path:
    """The path of a file of Python, which need not exist yet."""
    if not text.endswith(".py"):
        raise ValueError(f"`FILE` must be the name of a Python file; got {brief(text)}.")
    return Path(text)


def _target(text: str) -> Target:
    """FILE.py or FILE.jsonl, or for a game a name as other commands take it."""
    if text in GAMES:
        return Target(text, text)
    found = Target(text.rpartition(":")[0], text) if is_name(text) else Target(text)
    if (found.file.endswith(".py") or not found.game) and not Path(found.file).is_file():
        got = brief(text)
        raise ValueError(f"`TARGET` must be a file that exists, or a game; got {got}.")
    if not found.game and not found.file.endswith((".py", ".jsonl")):
        raise ValueError(f"`TARGET` must end in .py or .jsonl; got {brief(text)}.")
    return found


TYPES: Mapping[str, Callable[[str], Any]] = {
    "N": _number("N", _whole, checks.at_least_one),
    "S": _number("S", float, checks.above_zero),
    "DELAY": _number("DELAY", float, checks.not_negative),
    "X": _number("X", float, checks.not_negative),
    "P": _number("P", float, partial(checks.finite, least=0, most=1)),
    "SEED": _number("SEED", int, _any_whole),
    "TASK": _number("TASK", int, partial(checks.whole_number, least=1, most=13)),
    "TREE": _argument(_existing),
    "NEW": _argument(_path),
    "OUTPUT": _argument(partial(_path, streams=STREAMS)),
    "CHART": _argument(partial(_path, streams=STREAMS, ends=CHARTS)),
    "TARGET": _argument(_target),
    "FILE": _argument(_solution),
}
"""The function from a text to a value, by the name of the value in the help; else it is a text."""


# The parser


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, and below it the wrong line of a person's file."""

    game = ""
    """The game whose rules the help lists, if it is not the usual one."""

    def error(self, message: str) -> NoReturn:
        game = f" {self.game}" if self.game else ""
        said, *shown = message.split("\n    ")
        if "arguments are required" in said and self.epilog:
            said += f". For {self.epilog}"
        line = f"{self.prog}: {' '.join(said.split())} (see {self.prog}{game} --help)"
        say("\n    ".join([line, *shown]), error=True)
        self.exit(2)


def parser_of(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of `words`: the options are those of its command, and of the rules of its game."""
    purpose = "Monte Carlo simulation and tree search: play, watch, search and solve games."
    parser = _Parser(prog="purembts", description=purpose)
    parser.add_argument("--version", action="version", version=f"purembts {_version()}")
    added = parser.add_subparsers(required=True, metavar="COMMAND", title="commands")
    for name, command in COMMANDS.items():
        own = added.add_parser(
            name,
            help=purpose_of(command),
            description=command.request.__doc__,
            epilog=f"example: purembts {name} {command.example}".rstrip(),
            allow_abbrev=False,
        )
        own.set_defaults(command=name, parser=own)
        if name in words[:1]:
            _fill(own, command, words[1:])
    return parser


def _fill(own: _Parser, command: Command, words: Sequence[str]) -> None:
    """Add the options of `command` to its parser, with those of the game in its `words`."""
    name, game = USUAL, None
    if "place" in fields_of(command):
        try:
            name = named(command, words)
            game = game_called(name)
        except ValueError as error:
            own.error(str(error))
        own.game = name if name != USUAL else ""
    groups: dict[str, argparse._ActionsContainer] = {"": own}
    for field, several in fields_of(command).items():
        for option in several:
            if option.group not in groups:
                groups[option.group] = own.add_mutually_exclusive_group()
            is_own = len(several) == 1
            usual = command.request._field_defaults.get(field) if is_own else None  # type: ignore[attr-defined]
            _add(groups[option.group], option, usual, name, game)
    if game:
        _add_rules(own, name, game)


def _add(
    command: argparse._ActionsContainer,
    option: Option,
    usual: Any,  # noqa: ANN401
    named: str,
    game: AnyGame | None,
) -> None:
    """Add `option` to `command`, with its default in the help."""
    names, purpose = option.names.split(), option.purpose
    if not option.is_valued:
        command.add_argument(*names, action="store_true", help=purpose)
        return
    shown = usual = USUAL if option == GAME else usual
    if game and option == (Z if named in WORKSHOP else C):
        shown = "2" if option == Z else f"{usual_c(game):.3g}"
    if shown is not None:
        values = shown if option.many else [shown]
        words = " ".join(each if isinstance(each, str) else f"{each:g}" for each in values)
        purpose = f"{purpose} (default: {words})"
    if option == START and named not in WORKSHOP:
        names.remove("--box")
    settings: Words = {"metavar": option.value or None, "choices": option.choices or None}
    if option.many or option == GAME:
        settings["nargs"] = "+" if option.many else "?"
    kind = TYPES.get(option.value, str)
    command.add_argument(*names, type=kind, default=usual, help=purpose, **settings)


def _add_rules(command: argparse.ArgumentParser, named: str, game: AnyGame) -> None:
    """Add an option for each field of the rules of the game. Its value is a pair as in --rules."""
    command.set_defaults(pairs=None)
    fields = rules_of(game)
    group = command.add_argument_group(f"rules of {named}") if fields else command
    for name, usual in fields.items():
        settings: Words = {"dest": "pairs", "default": None}
        about = _about(game, name)
        if names := names_of(game, name):
            settings |= {"action": "append", "type": f"{name}={{}}".format, "nargs": "?"}
            settings |= {"const": "True", "metavar": "|".join(names)}
            settings["help"] = f"{about} (alone: {names[0]})"
        elif isinstance(usual, bool):
            settings |= {"action": "append_const", "const": f"{name}={not usual}"}
            settings["help"] = about or f"turn this rule {'off' if usual else 'on'}"
        else:
            settings |= {"action": "append", "type": f"{name}={{}}".format, "metavar": "X"}
            settings["help"] = f"{about} (default: {as_typed(usual)})".lstrip()
        with suppress(argparse.ArgumentError):  # the command has such an option; --rules is left
            group.add_argument(_option_of(name), **settings)


def _about(game: AnyGame, field: str) -> str:
    """The sentence about a rule, as a part of a line; "" if its type has none."""
    text = getattr(getattr(type(game.rules), field, None), "__doc__", None) or ""
    if text.startswith("Alias for field"):
        return ""
    text = " ".join(text.split()).rstrip(".").replace("`", "").replace("%", "%%")
    return text[:1].lower() + text[1:]


def _version() -> str:
    try:
        return metadata.version("purembts")
    except metadata.PackageNotFoundError:
        return "(not installed, run from its source)"
