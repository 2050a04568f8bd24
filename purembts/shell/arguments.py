"""The types of arguments of the command line: functions from the text of an argument to its value.

Errors call an argument by the name of its value in the help, for example `N`.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from purembts.checks import at_least_one, brief, not_negative
from purembts.shell.files import checked_path
from purembts.shell.screen import STDOUT

T = TypeVar("T")


def argument(parse: Callable[[str], T]) -> Callable[[str], T]:
    """`parse`, with its errors as errors of argparse, which prints them word for word."""

    def parsed(text: str) -> T:
        try:
            return parse(text)
        except (ValueError, OSError) as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return parsed


def _number(kind: Callable[[str], Any], text: str) -> Any:  # noqa: ANN401
    """The number in `text`, or `text` itself if there is none, for a check that refuses it."""
    try:
        return kind(text)
    except ValueError:
        return text


@argument
def seed(text: str) -> int:
    """A whole number."""
    number: int = _number(int, text)
    if not isinstance(number, int):
        raise ValueError(f"`N` must be a whole number; got {brief(text)}.")
    return number


@argument
def count(text: str) -> int:
    """A whole number of at least 1, in a form such as 1000, 1_000 or 1e3."""
    number = _number(int, text)
    power = _number(float, text) if number is text else None
    is_whole = isinstance(power, float) and abs(power) < 1e15 and power.is_integer()
    return at_least_one(int(power) if power is not None and is_whole else number, "N")


@argument
def width(text: str) -> float:
    """The constant of a bound."""
    return not_negative(_number(float, text), "X")


@argument
def duration(text: str) -> float:
    """A number of seconds."""
    seconds = not_negative(_number(float, text), "S")
    if not seconds:
        raise ValueError(f"`S` must be above 0; got {brief(text)}.")
    return seconds


@argument
def delay(text: str) -> float:
    """A number of seconds, or 0."""
    return not_negative(_number(float, text), "S")


@argument
def probability(text: str) -> float:
    """A number from 0 to 1."""
    p: float = _number(float, text)
    if not isinstance(p, float) or not 0 <= p <= 1:
        raise ValueError(f"`P` must be a number from 0 to 1; got {brief(text)}.")
    return p


@argument
def output_path(text: str) -> Path:
    """The path of a file that can be written; `-` and /dev/stdout are stdout."""
    if not text:
        raise ValueError("`FILE` must be the name of a file; got ''.")
    return STDOUT if text in ("-", "/dev/stdout") else checked_path(Path(text))


CHARTS = (".png", ".svg")
"""The ends of the names of charts."""


@argument
def chart_path(text: str) -> Path:
    """The path of a chart that can be written."""
    path = output_path(text)
    if path != STDOUT and path.suffix.lower() not in CHARTS:
        raise ValueError(f"`FILE` must end in .png or .svg, or be -; got {brief(text)}.")
    return path


@argument
def new_path(text: str) -> Path:
    """The path of a file that can be written."""
    if not text:
        raise ValueError("`FILE` must be the name of a file; got ''.")
    return checked_path(Path(text))


@argument
def existing_path(text: str) -> Path:
    """The path of a file that exists."""
    path = Path(text)
    if not path.is_file():
        raise ValueError(f"`FILE` must be a file that exists; got {brief(text)}.")
    return path


class Target(NamedTuple):
    """The thing to check: a file with a solution, or a game in a file or a module."""

    file: str
    game: str | None = None
    """The name of the game; None for a solution of the workshop."""


@argument
def target(text: str) -> Target:
    """FILE.py for a solution; FILE.py:GAME or MODULE:GAME for a game."""
    file, colon, game = text.rpartition(":")
    if not game.isidentifier():
        colon = ""
    if not colon:
        file = text
    if (file.endswith(".py") or not colon) and not Path(file).is_file():
        raise ValueError(f"`TARGET` must be a file that exists, or module:game; got {brief(text)}.")
    if not colon and not file.endswith(".py"):
        raise ValueError(f"`TARGET` must be the name of a Python file; got {brief(text)}.")
    return Target(file, game if colon else None)
