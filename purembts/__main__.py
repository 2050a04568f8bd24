"""The command line: `purembts`, or `python -m purembts`. It makes a request of the arguments."""

import sys
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from importlib import metadata
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_type_hints


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        return run(sys.argv[1:])
    except KeyboardInterrupt:
        return 130


def run(words: Sequence[str]) -> int:
    """The exit code of the command in `words`. Words that are no request end the program with 2."""
    from purembts.app import terminal

    terminal.open_streams()
    if [*words] == ["--version"]:
        terminal.say(f"purembts {_version()}")
        return 0
    try:
        request = request_in(words)
    except ModuleNotFoundError:
        how = "pip install 'purembts[cli]', or in a clone: pip install '.[cli]'"
        terminal.say(f"purembts: the command line needs tyro; install it with: {how}", error=True)
        return 2
    return terminal.run(request)


def request_in(words: Sequence[str]) -> Any:  # noqa: ANN401
    """The request in `words`, whose values are not checked yet."""
    import tyro

    from purembts.app.requests import COMMANDS

    conf = tyro.conf
    how: Any = {
        "config": (conf.FlagCreatePairsOff, conf.PositionalMetavarFromFieldName),
        "registry": _registry(),
    }
    name, *rest = [*words] or [""]
    if name in COMMANDS:
        options = tyro.cli(_options_of(COMMANDS[name]), prog=f"purembts {name}", args=rest, **how)
        return COMMANDS[name](*options)
    every = {name: _options_of(kind, is_brief=True) for name, kind in COMMANDS.items()}
    purpose = "Monte Carlo simulation and tree search: play, watch, search and solve games."
    about: Any = {"prog": "purembts", "description": purpose, "args": words}
    return tyro.extras.subcommand_cli_from_dict(every, **about, **how)


def _options_of(kind: Any, *, is_brief: bool = False) -> Any:  # noqa: ANN401
    """The type of a request as tyro takes it; a brief help of it is its first sentence."""
    from purembts.app.requests import hints_of

    types, hints = get_type_hints(kind), hints_of(kind)
    hints = {field: _option(types[field], field, hint) for field, hint in hints.items()}
    text = kind.__doc__.partition("\n")[0] if is_brief else kind.__doc__
    about = {"__annotations__": hints, "__doc__": text, "__module__": kind.__module__}
    return type(kind.__name__, (kind,), about)


def _option(kind: Any, field: str, hint: Any) -> Any:  # noqa: ANN401
    """The type `kind` of a field with all that tyro says of it, as tyro takes it."""
    from tyro.conf import Positional, arg

    from purembts.app.requests import marks_of, names_of

    (_, marks), names = marks_of(hint), names_of(field, hint)
    about: Any = {
        "help": next((mark for mark in marks if isinstance(mark, str)), None),
        "help_behavior_hint": lambda usual: (
            "" if usual in ("", "None", "False") else f"(default: {usual})"
        ),
    }
    if not names:
        positional: Any = Positional
        return Annotated[positional[kind], arg(**about)]
    return Annotated[kind, arg(name=names[-1].lstrip("-"), aliases=names[:-1], **about)]


def _registry() -> Any:  # noqa: ANN401
    """The rules by which tyro reads values: a number may be a text, which the request refuses."""
    from tyro.constructors import ConstructorRegistry, PrimitiveConstructorSpec

    registry = ConstructorRegistry()

    @registry.primitive_rule
    def plain(info: Any) -> Any:  # noqa: ANN401
        kinds = {*(get_args(info.type) or [info.type])} - {NoneType}
        if len(kinds) != 1 or not kinds <= _READERS.keys():
            return None
        metavar, read = _READERS[kinds.pop()]
        return PrimitiveConstructorSpec(
            nargs=1,
            metavar=metavar,
            instance_from_str=lambda words: read(words[0]),
            is_instance=lambda _: True,
            str_from_instance=lambda value: [f"{value}"],
        )

    return registry


def _number(kind: Callable[[str], Any], text: str) -> Any:  # noqa: ANN401
    """The number in a text, or the text if it has none."""
    try:
        return kind(text)
    except ValueError:
        return text


def _whole(text: str) -> int:
    """The whole number in a text such as 1000, 1_000 or 1e3."""
    try:
        return int(text)
    except ValueError:
        if not float(text).is_integer():  # nor infinite, which Decimal would write out
            raise
        return int(Decimal(text))


_READERS: dict[Any, tuple[str, Callable[[str], Any]]] = {
    int: ("N", partial(_number, _whole)),
    float: ("N", partial(_number, float)),
    Path: ("FILE", Path),
    str: ("TEXT", str),
}
"""For each type, the name of a value in the help, and the function of a text."""


def _version() -> str:
    try:
        return metadata.version("purembts")
    except metadata.PackageNotFoundError:
        return "(not installed, run from its source)"


if __name__ == "__main__":
    sys.exit(main())
