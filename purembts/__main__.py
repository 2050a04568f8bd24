"""The command line: `purembts`, or `python -m purembts`. It makes a request of the arguments."""

import sys
from collections.abc import Callable, Sequence
from decimal import Decimal
from importlib import metadata
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_type_hints

from purembts.app import requests, terminal

try:
    import tyro
except ModuleNotFoundError:  # the extra `cli` brings it
    tyro = None  # type: ignore[assignment]


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        return run(sys.argv[1:])
    except KeyboardInterrupt:
        return 130


def run(words: Sequence[str]) -> int:
    """The exit code of the command in `words`. Words that are no request end the program with 2."""
    terminal.open_streams()
    if [*words] == ["--version"]:
        terminal.say(f"purembts {_version()}")
        return 0
    if tyro is None:
        how = "pip install 'purembts[cli]', or in a clone: pip install '.[cli]'"
        terminal.say(f"purembts: the command line needs tyro; install it with: {how}", error=True)
        return 2
    return terminal.run(request_in(words))


def request_in(words: Sequence[str]) -> requests.Request:
    """The request in `words`, whose values are not checked yet."""
    conf, registry = tyro.conf, tyro.constructors.ConstructorRegistry()
    registry.primitive_rule(_rule)
    config = (conf.FlagCreatePairsOff, conf.PositionalMetavarFromFieldName)
    how: Any = {"config": config, "registry": registry}
    name, *rest = [*words] or [""]
    if name in requests.COMMANDS:
        kind = requests.COMMANDS[name]
        taken = _as_taken(kind, kind.__doc__)
        return kind(*tyro.cli(taken, prog=f"purembts {name}", args=rest, **how))
    every = {
        name: _as_taken(kind, kind.__doc__.partition("\n")[0])
        for name, kind in requests.COMMANDS.items()
    }
    purpose = "Monte Carlo simulation and tree search: play, watch, search and solve games."
    return tyro.extras.subcommand_cli_from_dict(
        every, prog="purembts", description=purpose, args=words, **how
    )


def _as_taken(kind: Any, text: str) -> Any:  # noqa: ANN401
    """The type of a request as tyro takes it, with `text` as its help."""
    types, hints = get_type_hints(kind), requests.hints_of(kind)
    taken = {field: _option(types[field], field, hint) for field, hint in hints.items()}
    about = {"__annotations__": taken, "__doc__": text, "__module__": kind.__module__}
    return type(kind.__name__, (kind,), about)


def _option(kind: Any, field: str, hint: Any) -> Any:  # noqa: ANN401
    """The type `kind` of a field, with its names and its sentence as tyro takes them."""
    (_, marks), names = requests.extras_of(hint), requests.names_of(field, hint)
    about: Any = {
        "help": next((mark for mark in marks if isinstance(mark, str)), None),
        "help_behavior_hint": lambda usual: (
            "" if usual in ("", "None", "False") else f"(default: {usual})"
        ),
    }
    if names:
        about |= {"name": names[-1].lstrip("-"), "aliases": names[:-1]}
    arg = Annotated[kind, tyro.conf.arg(**about)]
    return arg if names else tyro.conf.Positional[arg]  # type: ignore[misc]


def _rule(info: Any) -> Any:  # noqa: ANN401
    """The way tyro reads a plain value; the request refuses a text in the place of a number."""
    kinds = {*(get_args(info.type) or [info.type])} - {NoneType}
    if len(kinds) != 1 or not kinds <= _READERS.keys():
        return None
    metavar, read = _READERS[kinds.pop()]
    return tyro.constructors.PrimitiveConstructorSpec(
        nargs=1,
        metavar=metavar,
        instance_from_str=lambda words: read(words[0]),
        is_instance=lambda _: True,
        str_from_instance=lambda value: [f"{value}"],
    )


def _whole(text: str) -> int | str:
    """The whole number in a text such as 1000, 1_000, 1e3 or 2.0; or the text if it has none."""
    number = _number_in(text)
    if isinstance(number, str) or not number.is_integer():  # nor infinite
        return text
    return int(Decimal(text))


def _number_in(text: str) -> float | str:
    """The number in a text, or the text if it has none."""
    try:
        return float(text)
    except ValueError:
        return text


_READERS: dict[Any, tuple[str, Callable[[str], Any]]] = {
    int: ("N", _whole),
    float: ("N", _number_in),
    Path: ("FILE", Path),
    str: ("TEXT", str),
}
"""For each type, the name of a value in the help, and the function of a text."""


def _version() -> str:
    """The version of the package that is installed."""
    try:
        return metadata.version("purembts")
    except metadata.PackageNotFoundError:
        return "(not installed, run from its source)"


if __name__ == "__main__":
    sys.exit(main())
