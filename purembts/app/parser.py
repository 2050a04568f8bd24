"""The parser of the command line, made of the options of the requests."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, NoReturn

from purembts import checks
from purembts.app import requests
from purembts.app.files import checked_path
from purembts.app.kinds import Request, Words
from purembts.app.players import player_called
from purembts.app.requests import COMMANDS, USUAL, Option, Place, options_of
from purembts.app.screen import STDOUT, say
from purembts.app.sitting import seats_called, specs_of
from purembts.app.starts import position_called
from purembts.app.thinking import usual_c
from purembts.bounds import AnyBound, ucb1_with, wald_with
from purembts.checks import brief
from purembts.loading import WORKSHOP, as_typed, game_called, is_name
from purembts.loading import fields_of as rules_of

# Requests


def parsed(words: Sequence[str]) -> Request:
    """The request in `words`, the arguments of a call.

    Wrong arguments end the program with exit code 2 and one line on stderr.
    """
    options, unknown = _parser_of(words).parse_known_args(words)
    request = COMMANDS[options.command].request
    if unknown:
        takes = options.parser.takes()
        known = f"; {options.command} takes {takes}" if takes else ""
        options.parser.error(f"unrecognized arguments: {' '.join(unknown)}{known}")
    try:
        own: Words = {"place": _place, "bound": _bound}
        values = {
            field: own[field](options) if field in own else getattr(options, field)
            for field in request._fields
        }
        # A value that was not typed is the default of its field.
        return _checked(request(**{k: value for k, value in values.items() if value is not None}))
    except ValueError as error:
        options.parser.error(str(error))


def _place(options: argparse.Namespace) -> Place:
    name, start = getattr(options, "game", None) or USUAL, getattr(options, "from", None)
    rules = tuple(options.rules or ())
    game = game_called(name, rules)
    if start is not None:
        start = position_called(game, start, getattr(options, "seed", None))
    return Place(game, name, rules, start)


def _bound(options: argparse.Namespace) -> AnyBound | None:
    """The bound that the options name, or None."""
    if options.z is not None:
        return wald_with(options.z)
    return None if options.c is None else ucb1_with(options.c)


# Checks of requests


def _checked(request: Request) -> Request:
    """The request, or a ValueError for parts that do not go together, before the work."""
    texts = getattr(request, "players", None) or getattr(request, "against", None)
    for text in texts or ():
        if text != "perfect":  # the positions are counted with the work
            player_called(request.place.game, text)
    if isinstance(request, requests.Play | requests.Watch):
        game = request.place.game
        persons = seats_called(game, request.seats) if isinstance(request, requests.Play) else ()
        specs_of(game, persons, texts, "random")
    for option, why in _faults(request):
        raise ValueError(f"argument {option}: {why}")
    return request


def _faults(request: Request) -> Iterator[tuple[str, str]]:
    """The options of a request that do not go with the others, each with the reason."""
    if isinstance(request, requests.Search) and request.save:
        game = request.place.game
        if (game.hidden or game).json is None:
            yield "--save", f"{game.name} has no JSON, so no tree can be saved."
    if not isinstance(request, requests.Check):
        return
    got = "a game" if request.is_game else "a solution"
    options = {"a solution": ("task", "properties"), "a game": ("examples", "seconds")}
    for right, names in options.items():
        for name in names if right != got else ():
            if getattr(request, name) != request._field_defaults[name]:
                yield f"--{name}", f"this is for {right}; the target is {got}."
    if request.properties and request.task:
        yield "--properties", "this option goes without --task."
    if request.reveal and not request.properties:
        yield "--reveal", "this option goes with --properties."


# The types of arguments: functions from a text. Errors call it by its name in the help.


def _typed(kind: Callable[[str], Any], text: str) -> Any:  # noqa: ANN401
    """`kind` of a text, with its errors as errors of argparse, which prints them word for word."""
    try:
        return kind(text)
    except (ValueError, OSError) as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _number(
    name: str, kind: Callable[[str], Any], check: Callable[[Any, str], Any], text: str
) -> Any:  # noqa: ANN401
    """The number in a text if it passes `check`, which refuses a text that is no number."""
    try:
        number = kind(text)
    except ValueError:
        number = text
    return check(number, name)


def _whole(text: str) -> int:
    """The whole number in a text such as 1000, 1_000 or 1e3."""
    try:
        return int(text)
    except ValueError:
        if not float(text).is_integer():  # nor infinite, which Decimal would write out
            raise
        return int(Decimal(text))


def _any_whole(number: int, name: str) -> int:
    if not isinstance(number, int):
        raise ValueError(f"`{name}` must be a whole number; got {brief(number)}.")
    return number


def _new(text: str) -> Path:
    """The path of a file that can be written."""
    if text in ("", "-"):
        raise ValueError(f"`FILE` must be the name of a file; got {text!r}.")
    return checked_path(Path(text))


def _chart(text: str) -> Path:
    path = STDOUT if text in ("-", "/dev/stdout") else _new(text)
    if path != STDOUT and path.suffix.lower() != ".svg":
        raise ValueError(f"`FILE` must end in .svg, or be -; got {brief(text)}.")
    return path


def _existing(text: str) -> Path:
    """The path of a file that exists."""
    if not Path(text).is_file():
        raise ValueError(f"`FILE` must be a file that exists; got {brief(text)}.")
    return Path(text)


def _solution(text: str) -> Path:
    """The path of a file of Python, which need not exist yet."""
    if not text.endswith(".py"):
        raise ValueError(f"`FILE` must be the name of a Python file; got {brief(text)}.")
    return Path(text)


def _target(text: str) -> str:
    """The name of a file of Python, or of a game as other commands take it."""
    file = text.rpartition(":")[0] if is_name(text) else text
    if (file.endswith(".py") or not is_name(text)) and not Path(file).is_file():
        got = brief(text)
        raise ValueError(f"`TARGET` must be a file that exists, or a game; got {got}.")
    if not is_name(text) and not file.endswith(".py"):
        raise ValueError(f"`TARGET` must end in .py; got {brief(text)}.")
    return text


TYPES: Mapping[str, Callable[[str], Any]] = {
    "N": partial(_number, "N", _whole, checks.at_least_one),
    "S": partial(_number, "S", float, checks.above_zero),
    "X": partial(_number, "X", float, checks.not_negative),
    "P": partial(_number, "P", float, partial(checks.finite, least=0, most=1)),
    "SEED": partial(_number, "SEED", int, _any_whole),
    "TASK": partial(_number, "TASK", int, partial(checks.whole_number, least=1, most=13)),
    "TREE": _existing,
    "NEW": _new,
    "CHART": _chart,
    "TARGET": _target,
    "FILE": _solution,
}
"""The function from a text to a value, by the name of the value in the help; else it is a text."""


# The parser


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, and below it the wrong line of a person's file."""

    def takes(self) -> str:
        """The first names of its options, with commas between them."""
        names = (each.option_strings for each in self._actions if each.dest != "help")
        return ", ".join(each[0] for each in names if each)

    def error(self, message: str) -> NoReturn:
        said, *shown = message.split("\n    ")
        if "arguments are required" in said and self.epilog:
            said += f". For {self.epilog}"
        line = f"{self.prog}: {' '.join(said.split())} (see {self.prog} --help)"
        say("\n    ".join([line, *shown]), error=True)
        self.exit(2)


def _parser_of(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of `words`, with the options of its command."""
    purpose = "Monte Carlo simulation and tree search: play, watch, search and solve games."
    parser = _Parser(prog="purembts", description=purpose)
    parser.add_argument("--version", action="version", version=f"purembts {_version()}")
    added = parser.add_subparsers(required=True, metavar="COMMAND", title="commands")
    for name, command in COMMANDS.items():
        about = str(command.request.__doc__)
        own = added.add_parser(
            name,
            help=f"{about[0].lower()}{about[1:].rstrip('.')}",
            description=about,
            epilog=f"example: purembts {name} {command.example}".rstrip(),
            allow_abbrev=False,
        )
        own.set_defaults(command=name, parser=own)
        if name in words[:1]:
            _fill(own, command.request, words[1:])
    return parser


def _fill(own: _Parser, request: Any, words: Sequence[str]) -> None:  # noqa: ANN401
    """Add the options of a request to its parser; their help is for the game in its `words`."""
    options, usual = options_of(request), {**request._field_defaults, "game": USUAL}
    if "rules" in options:
        is_first = words[:1] and "game" in options and not words[0].startswith("-")
        name = words[0] if is_first else USUAL
        try:
            game = game_called(name)
        except ValueError as error:
            own.error(str(error))
        usual |= {"z": 2} if name in WORKSHOP else {"c": round(usual_c(game), 2)}
        rules = [f"{key}={as_typed(value)}" for key, value in rules_of(game).items()]
        usual |= {"rules": rules or None}
    groups: dict[str, argparse._ActionsContainer] = {"": own}
    for name, option in options.items():
        if option.group not in groups:
            groups[option.group] = own.add_mutually_exclusive_group()
        _add(groups[option.group], option, usual.get(name))


def _add(command: argparse._ActionsContainer, option: Option, usual: Any) -> None:  # noqa: ANN401
    """Add `option` to `command`, with its default in the help."""
    names, purpose = option.names.split(), option.purpose
    if not (option.value or option.choices):
        command.add_argument(*names, action="store_true", help=purpose)
        return
    if usual is not None:
        values = usual if option.many else [usual]
        words = " ".join(each if isinstance(each, str) else f"{each:g}" for each in values)
        purpose = f"{purpose} (default: {words})"
    settings: Words = {"metavar": option.value or None, "choices": option.choices or None}
    if option.many or names == ["game"]:
        settings["nargs"] = "+" if option.many else "?"
    kind = partial(_typed, TYPES.get(option.value, str))
    command.add_argument(*names, type=kind, help=purpose, **settings)


def _version() -> str:
    try:
        return metadata.version("purembts")
    except metadata.PackageNotFoundError:
        return "(not installed, run from its source)"
