"""The types of arguments of the command line: functions from the text of an argument to its value.

Errors call an argument by the name of its value in the help, for example `N`.
"""

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from purembts import checks
from purembts.app.files import checked_path
from purembts.app.screen import STDOUT
from purembts.verify.loading import GAMES, is_name

T = TypeVar("T")

CHARTS = (".png", ".svg")
"""The ends of the names of charts."""


class Target(NamedTuple):
    """The thing to check: a file with a solution, or a game."""

    file: str
    """The file or the module; for a game of this package, its name."""
    game: str | None = None
    """The name of the game, as other commands take it; None for the other files."""


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
        raise ValueError(f"`{name}` must be a whole number; got {checks.brief(number)}.")
    return number


def _path(text: str, *, ends: tuple[str, ...] = (), streams: tuple[str, ...] = ()) -> Path:
    if text in streams:
        return STDOUT
    if text in ("", *STREAMS[:1]):
        raise ValueError(f"`FILE` must be the name of a file; got {text!r}.")
    path = checked_path(Path(text))
    if ends and path.suffix.lower() not in ends:
        raise ValueError(f"`FILE` must end in .png or .svg, or be -; got {checks.brief(text)}.")
    return path


STREAMS = ("-", "/dev/stdout")
"""The names of stdout."""


def _existing(text: str) -> Path:
    """The path of a file that exists."""
    path = Path(text)
    if not path.is_file():
        raise ValueError(f"`FILE` must be a file that exists; got {checks.brief(text)}.")
    return path


def _solution(text: str) -> Path:
    """The path of a file of Python, which need not exist yet."""
    if not text.endswith(".py"):
        raise ValueError(f"`FILE` must be the name of a Python file; got {checks.brief(text)}.")
    return Path(text)


def _target(text: str) -> Target:
    """FILE.py or FILE.jsonl, or for a game a name as other commands take it."""
    if text in GAMES:
        return Target(text, text)
    found = Target(text.rpartition(":")[0], text) if is_name(text) else Target(text)
    if (found.file.endswith(".py") or not found.game) and not Path(found.file).is_file():
        got = checks.brief(text)
        raise ValueError(f"`TARGET` must be a file that exists, or a game; got {got}.")
    if not found.game and not found.file.endswith((".py", ".jsonl")):
        raise ValueError(f"`TARGET` must end in .py or .jsonl; got {checks.brief(text)}.")
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
