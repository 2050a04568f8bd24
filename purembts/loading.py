"""Games by their names, or from the file or the module of a person, with the rules that are typed.

`game_called` is the one answer to the question which game a text means.
"""

import json
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from functools import cache, partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, TextIO, TypeAlias, get_args, get_origin, get_type_hints

from purembts.checks import brief
from purembts.game import AnyGame, Game
from purembts.games.big_two import big_two
from purembts.games.last_coin import last_coin
from purembts.games.mnk import mnk
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box, simple_game

Maker: TypeAlias = Callable[..., AnyGame]
"""A function that returns a game. Its arguments are the fields of the game's rules."""

WORKSHOP: Mapping[str, Maker] = {
    "shut-the-box": shut_the_box,
    "simple-shut-the-box": lambda: simple_game,
}
"""The games of the workshop, whose searches have the workshop's bound."""

GAMES: Mapping[str, Maker] = {
    **WORKSHOP,
    "coins": last_coin,
    "tic-tac-toe": partial(mnk, columns=3, rows=3, in_a_row=3),
    "gomoku": partial(mnk, columns=15, rows=15, in_a_row=5),
    "mnk": partial(mnk, columns=5, rows=5, in_a_row=4),
    "reversi": reversi,
    "big-two": big_two,
}

GUARD = 'Put what runs or asks under `if __name__ == "__main__":`.'
"""The advice about code that runs when its file is loaded."""
GROWS = "Perhaps a list grows while a loop goes through it."
"""The advice about code that takes too much memory."""


class Unloadable(ValueError):  # noqa: N818 - it is no error of this program
    """Somebody's code cannot be loaded; the message says why."""


def is_name(text: str) -> bool:
    """True if `text` is one of `GAMES`, or looks like module:game or file.py:game."""
    file, _, name = text.rpartition(":")
    return text in GAMES or bool(file and not file.startswith("-") and name.isidentifier())


def game_called(text: str, pairs: Iterable[str] = ()) -> AnyGame:
    """The game with the name `text` and rules such as `size=6`, or a ValueError."""
    return variant(_maker(text), pairs)


@cache
def _maker(text: str) -> Maker:
    """The function that makes the game with the name `text`. A file is run once."""
    file, _, name = text.rpartition(":")
    if text in GAMES:
        return GAMES[text]
    if not is_name(text):
        raise Unloadable(
            f"`GAME` must be one of {', '.join(GAMES)}, or module:game or file.py:game for a game "
            f"of your own; got {brief(text)}."
        )
    if file.endswith(".py") and not Path(file).is_file():
        raise Unloadable(f"`GAME` must name a file that exists; got {brief(text)}.")
    thing = thing_called(file, name)
    make: Maker = thing if callable(thing) and not isinstance(thing, Game) else lambda: thing
    try:
        game = make()
    except Exception as error:
        frames = frames_of(error, file)
        line = f", in line {frames[-1].lineno}" if frames else ""
        reason = f"{type(error).__name__}: {error}"
        raise Unloadable(f"`{name}()` of {file} cannot be called{line}: {reason}.") from error
    if not isinstance(game, Game):
        raise Unloadable(f"`{name}` of {file} must be a Game, or make one; got {brief(game)}.")
    return make


def thing_called(file: str, name: str) -> Any:  # noqa: ANN401
    """The thing with this name in a file, which is run once, or in a module."""
    trouble = ""
    try:
        if file.endswith(".py"):
            module, trouble = _once(Path(file))
        else:
            module = import_module(file)
    except Exception as error:
        raise Unloadable(f"{file} cannot be imported: {type(error).__name__}: {error}") from error
    if trouble or not hasattr(module, name):
        raise Unloadable(trouble or f"`{name}` must be defined in {file}; it is not there.")
    return getattr(module, name)


def executed(path: Path) -> tuple[ModuleType, str]:
    """The module in the file `path`, as far as it runs, and the error that stopped it, in words.

    An import by the name of the file finds the module, too.
    """
    # A file must not hide a module of the same name, such as random or copy.
    is_taken = path.stem in sys.stdlib_module_names or path.stem in sys.modules
    name = f"{path.stem}_of_user" if is_taken else path.stem
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise Unloadable(f"{path.name} must be a Python file, with a name that ends in .py.")
    module = module_from_spec(spec)
    sys.modules[name] = module
    # The folder comes last, for the same reason.
    sys.path.append(str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - any error of the code is its own
        return module, _trouble(error, path)
    return module, ""


_once = cache(executed)


def _trouble(error: BaseException, path: Path) -> str:
    """The error that stopped the file `path`, in words, with the line that led to it."""
    if isinstance(error, SyntaxError) and Path(error.filename or "").name == path.name:
        return syntax_trouble(error, path)
    frames = frames_of(error, path)
    first = f", because of line {frames[0].lineno}" if frames else ""
    last = f", in line {frames[-1].lineno} (`{frames[-1].name}`)" if len(frames) > 1 else ""
    advice = ""
    if isinstance(error, EOFError):
        advice = f" {GUARD}"
    elif isinstance(error, MemoryError):
        advice = f" {GROWS}"
    return f"{path.name} cannot be loaded{first}{last}: {type(error).__name__}: {error}.{advice}"


def syntax_trouble(error: SyntaxError, path: Path) -> str:
    """An error of syntax in the file `path`, in words, with its line and a caret below it."""
    _, *line, _ = traceback.format_exception_only(error)
    place = f"{path.name} cannot be loaded, because of line {error.lineno}"
    return f"{place}: {type(error).__name__}: {error.msg}.\n{''.join(line)}".rstrip()


def frames_of(error: BaseException, path: Path | str) -> list[traceback.FrameSummary]:
    """The calls in the file `path` that led to `error`, the outermost first."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if Path(frame.filename).name == Path(path).name]


def inner_line(error: BaseException, path: Path | str) -> str:
    """The innermost line of the file `path` that led to `error`, in words; "" if none did."""
    frames = frames_of(error, path)
    return f" in line {frames[-1].lineno} of {Path(path).name}" if frames else ""


@contextmanager
def streams(stdin: TextIO | None = None) -> Iterator[StringIO]:
    """The text that is printed meanwhile. Code reads from `stdin`; by default it reads nothing."""
    screen, before = StringIO(), sys.stdin
    sys.stdin = stdin or StringIO()
    try:
        with redirect_stdout(screen):
            yield screen
    finally:
        sys.stdin = before


def blame(error: BaseException, words: Sequence[str]) -> str | None:
    """An error in words, if a line of a person's file in `words` raised it; otherwise None."""
    names = [word.rpartition(":")[0] for word in words if is_name(word)]
    files = [file for file in names if file.endswith(".py")]
    for file in files:
        if frames := frames_of(error, file):
            place = f"{Path(file).name}, line {frames[-1].lineno} (`{frames[-1].name}`)"
            return f"{place}: {type(error).__name__}: {error}"
    return blame(error.__cause__, words) if error.__cause__ else None


def fields_of(game: AnyGame) -> dict[str, Any]:
    """The fields of the rules of `game`, each with its value; empty without variants."""
    return dict(game.rules._asdict()) if hasattr(game.rules, "_asdict") else {}


def _names_of(game: AnyGame, field: str) -> tuple[str, ...]:
    """The names that a field of the rules of `game` takes, if its type has a Literal of texts.

    >>> from purembts.games.shut_the_box import shut_the_box
    >>> _names_of(shut_the_box(), "one_die_end"), _names_of(shut_the_box(), "dice")
    (('sum', 'shut'), ())
    """
    hints: dict[str, Any] = {}
    with suppress(NameError, TypeError):  # the types of a user's file may be unknown
        hints = get_type_hints(type(game.rules))
    kinds = [hints.get(field), *get_args(hints.get(field))]
    names = [name for kind in kinds if get_origin(kind) is Literal for name in get_args(kind)]
    return tuple(name for name in names if isinstance(name, str))


def variant(make: Maker, rules: Iterable[str]) -> AnyGame:
    """The game that `make` makes with `rules`, which are texts such as `size=6`.

    >>> from purembts.games.reversi import reversi
    >>> variant(reversi, ["size=6"]).rules
    Rules(size=6)
    """
    game = make()
    fields, changes = fields_of(game), dict[str, Any]()
    for rule in rules:
        key, equals, text = rule.partition("=")
        if not equals or key not in fields:
            keys = ", ".join(fields)
            right = f"KEY=VALUE with one of the keys {keys}" if fields else "left out"
            raise ValueError(f"The rules of {game.name} must be {right}; got {brief(rule)}.")
        if key in changes:
            raise ValueError(f"Each rule of {game.name} must be given once; got {key} again.")
        changes[key] = _typed_value(key, text, fields[key], _names_of(game, key))
    if not changes:
        return game
    new = fields | changes
    try:
        signature(make).bind(**new)
    except TypeError:
        right = "left out, as it is a single game, or its function has other arguments"
        raise ValueError(f"The rules of {game.name} must be {right}.") from None
    return make(**new)


def _typed_value(key: str, text: str, usual: Any, names: Sequence[str] = ()) -> Any:  # noqa: ANN401
    """The value in `text` of the field `key`, whose usual value is `usual`; or one of `names`.

    >>> _typed_value("takes", "1,2,3", (1, 2)), _typed_value("misere", "true", False)
    ((1, 2, 3), True)
    """
    if text in names:
        return text
    try:
        return _value_like(usual, text)
    except (ValueError, TypeError, KeyError):
        form = "True or False" if isinstance(usual, bool) else f"a value such as {as_typed(usual)}"
        right = ", ".join([*names, form])
        raise ValueError(f"`{key}` must be {right}; got {brief(text)}.") from None


def _value_like(usual: Any, text: str) -> Any:  # noqa: ANN401
    """The value in `text`, of the type of `usual`; a whole number or None if `usual` is None."""
    if isinstance(usual, bool):
        return {"true": True, "false": False}[text.lower()]
    if usual is None:
        return None if text.lower() == "none" else int(text)
    if not isinstance(usual, tuple):
        return type(usual)(text)
    if text.startswith("["):
        return _as_tuple(json.loads(text))
    kind = type(usual[0]) if usual else str
    return tuple(kind(part) for part in text.split(",") if part)


def _as_tuple(value: Any) -> Any:  # noqa: ANN401
    """A value of JSON with tuples in the place of lists."""
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value


def as_typed(value: Any) -> str:  # noqa: ANN401
    """A value of a rule in the form in which it is typed.

    >>> as_typed((1, 2)), as_typed(((1, 1), (10, 2))), as_typed(None)
    ('1,2', '[[1, 1], [10, 2]]', 'none')
    """
    if isinstance(value, tuple):
        is_deep = any(isinstance(part, tuple) for part in value)
        return json.dumps(value) if is_deep else ",".join(map(str, value))
    return "none" if value is None else str(value)
