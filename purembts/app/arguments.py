"""The types of arguments of the command line: functions from the text of an argument to its value.

Errors call an argument by the name of its value in the help, for example `N`.
"""

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from purembts import checks
from purembts.app.files import checked_path
from purembts.app.requests import CHARTS, Kind, Target
from purembts.app.screen import STDOUT
from purembts.verify.loading import GAMES, is_name

T = TypeVar("T")


def _argument(parse: Callable[[str], T]) -> Callable[[str], T]:
    """`parse`, with its errors as errors of argparse, which prints them word for word."""

    def parsed(text: str) -> T:
        try:
            return parse(text)
        except (ValueError, OSError) as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return parsed


def _number(
    kind: Callable[[str], Any], check: Callable[[Any, str], T], name: str
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


seed: Callable[[str], int] = _number(int, _any_whole, "SEED")
count: Callable[[str], int] = _number(_whole, checks.at_least_one, "N")
width: Callable[[str], float] = _number(float, checks.not_negative, "X")
duration: Callable[[str], float] = _number(float, checks.above_zero, "S")
delay: Callable[[str], float] = _number(float, checks.not_negative, "S")
task: Callable[[str], int] = _number(int, partial(checks.whole_number, least=1, most=13), "N")
probability: Callable[[str], float] = _number(float, partial(checks.finite, least=0, most=1), "P")


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

new_path: Callable[[str], Path] = _argument(_path)
output_path: Callable[[str], Path] = _argument(partial(_path, streams=STREAMS))
chart_path: Callable[[str], Path] = _argument(partial(_path, streams=STREAMS, ends=CHARTS))


@_argument
def existing_path(text: str) -> Path:
    """The path of a file that exists."""
    path = Path(text)
    if not path.is_file():
        raise ValueError(f"`FILE` must be a file that exists; got {checks.brief(text)}.")
    return path


@_argument
def target(text: str) -> Target:
    """FILE.py for a solution; for a game, a name as other commands take it."""
    if text in GAMES:
        return Target(text, text)
    found = Target(text.rpartition(":")[0], text) if is_name(text) else Target(text)
    if (found.file.endswith(".py") or not found.game) and not Path(found.file).is_file():
        got = checks.brief(text)
        raise ValueError(f"`TARGET` must be a file that exists, or a game; got {got}.")
    if not found.game and not found.file.endswith(".py"):
        raise ValueError(f"`TARGET` must be the name of a Python file; got {checks.brief(text)}.")
    return found


KINDS: Mapping[Kind, Callable[[str], Any]] = {
    "text": str,
    "count": count,
    "seconds": duration,
    "delay": delay,
    "width": width,
    "probability": probability,
    "seed": seed,
    "task": task,
    "tree": existing_path,
    "new": new_path,
    "output": output_path,
    "chart": chart_path,
    "target": target,
}
"""The function from a text to a value, for each kind of option."""
