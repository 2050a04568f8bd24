"""The command line: `purembts`, or `python -m purembts`. It makes a request of the arguments."""

import re
import sys
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args

try:
    import purembts
    from purembts.app import requests, terminal

    try:
        import tyro
    except ModuleNotFoundError:  # the extra `cli` brings it
        tyro = None  # type: ignore[assignment]
except KeyboardInterrupt:
    sys.exit(130)


def main() -> int:
    """Run the command line and return its exit code: 128 + n after signal n."""
    terminal.on_signals(terminal.interrupt)
    try:
        try:
            code = run(sys.argv[1:])
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        code = 130
    except OSError as error:  # the help cannot be written
        code = terminal.failed(error)
    finally:
        terminal.on_signals()
        terminal.end_streams()
    return 128 + terminal.ENDS.pop() if terminal.ENDS else code


def run(words: Sequence[str]) -> int:
    """The exit code of the command in `words`. Words that are no request end the program with 2."""
    terminal.open_streams()
    if [*words] == ["--version"]:
        terminal.say(f"purembts {purembts.__version__}")
        return 0
    if tyro is None:
        how = "pip install 'purembts[cli]', or in a clone: pip install '.[cli]'"
        terminal.say(f"purembts: the command line needs tyro; install it with: {how}", error=True)
        return 2
    return terminal.perform(request_in(words))


def request_in(words: Sequence[str]) -> requests.Request:
    """The request in `words`, whose values are not checked yet."""
    registry = tyro.constructors.ConstructorRegistry()
    registry.primitive_rule(_rule)
    config = (tyro.conf.FlagCreatePairsOff, tyro.conf.PositionalMetavarFromFieldName)
    how: Any = {"config": config, "registry": registry}
    name = words[0] if words else ""
    if name in requests.COMMANDS:
        kind, how["args"] = requests.COMMANDS[name], _with_rows(words[1:])
        return kind(*tyro.cli(_with_options(kind), prog=f"purembts {name}", **how))
    every = {name: _with_options(kind, 1) for name, kind in requests.COMMANDS.items()}
    about = "Monte Carlo simulation and tree search: play, watch, search and solve games."
    how |= {"prog": "purembts", "description": about, "args": words}
    return tyro.extras.subcommand_cli_from_dict(every, **how)


def _with_rows(words: Sequence[str]) -> list[str]:
    """`words`; a row of squares with a hyphen first, as in an option, is joined to its option."""
    joined: list[str] = []
    for word in words:
        is_row = re.match(r"-[-.xo*]{8}", word, re.IGNORECASE)
        if is_row and joined and joined[-1] in ("--from", "--box"):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _with_options(kind: Any, lines: int | None = None) -> Any:  # noqa: ANN401
    """The type of a request as tyro takes it, with the first `lines` of its text, or all."""
    options = {field: _for_tyro(option) for field, option in requests.options_of(kind).items()}
    text = "\n".join(kind.__doc__.split("\n")[:lines])
    names = {"__annotations__": options, "__doc__": text, "__module__": kind.__module__}
    return type(kind.__name__, (kind,), names)


def _for_tyro(option: requests.Option) -> Any:  # noqa: ANN401
    """The type of an option as tyro takes it, with its names and its sentence."""
    about: Any = {"help": option.sentence, "help_behavior_hint": _default}
    if not option.names:
        return Annotated[option.kind, tyro.conf.arg(**about), tyro.conf.Positional]
    *aliases, name = option.names
    about |= {"name": name.lstrip("-"), "aliases": aliases}
    return Annotated[option.kind, tyro.conf.arg(**about)]


def _default(usual: str) -> str:
    """The end of the help of an option, which says its value if it is not given."""
    return "" if usual in ("", "None", "False") else f"(default: {usual})"


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
    number = _float(text)
    if isinstance(number, str) or not number.is_integer():  # nor infinite
        return text
    return int(Decimal(text))


def _float(text: str) -> float | str:
    """The number in a text, or the text if it has none."""
    try:
        return float(text)
    except ValueError:
        return text


_READERS: dict[Any, tuple[str, Callable[[str], Any]]] = {
    int: ("N", _whole),
    float: ("N", _float),
    Path: ("FILE", Path),
    str: ("TEXT", str),
}
"""For each type, the name of a value in the help, and the function of a text."""


if __name__ == "__main__":
    sys.exit(main())
