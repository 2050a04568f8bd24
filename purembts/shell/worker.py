"""The process that runs somebody's code: `python -m purembts.shell.worker REQUEST`.

The request and the answers are JSON, an answer on each line. What the code prints is dropped.
"""

import faulthandler
import importlib
import importlib.util
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO, TypeAlias

from purembts.checks import brief
from purembts.game import Game
from purembts.shell.clock import monotonic, until
from purembts.verify.processes import ENDED, GUARD

Arm: TypeAlias = Callable[[], None]
"""A function that lets the time limit begin again."""


def main() -> None:
    """Answer the request of the command line."""
    request = json.loads(sys.argv[1])
    answers, places = _private_streams()

    def arm() -> None:
        # It ends the process, and needs no help of the code that hangs.
        faulthandler.dump_traceback_later(request["limit"], exit=True, file=places)

    faulthandler.enable(places)
    try:
        for answer in KINDS[request["kind"]](request, arm):
            print(json.dumps(answer), file=answers, flush=True)
            arm()
    except Unloadable as error:
        print(json.dumps({"error": str(error)}), file=answers, flush=True)
    except BaseException as error:  # noqa: BLE001 - whatever ends the process is reported
        _write_place(error, places)
        os._exit(1)
    print(json.dumps({"end": True}), file=answers, flush=True)
    os._exit(0)  # threads of the code that was checked do not hold it up


def _private_streams() -> tuple[TextIO, TextIO]:
    """Streams for answers and for the place of a hang. The usual ones lead nowhere from now on."""
    private = [os.fdopen(os.dup(number), "w", encoding="utf-8") for number in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)
    return private[0], private[1]


def _write_place(error: BaseException, places: TextIO) -> None:
    """Write where `error` was raised, as faulthandler does: the innermost call first."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        print(f'  File "{frame.filename}", line {frame.lineno} in {frame.name}', file=places)
    print(f"{ENDED}{type(error).__name__}: {error}", file=places, flush=True)


class Unloadable(Exception):  # noqa: N818 - it is no error of this program
    """The code cannot be loaded; the message is for the person who wrote it."""


def _task(request: dict[str, Any], _arm: Arm) -> Iterator[dict[str, Any]]:
    """The title of a task, and then its mark. The first answer says that its time begins."""
    from purembts.verify.tasks import TASKS, mark

    yield {"ready": True}
    path, task = Path(request["file"]), request["task"]
    module, trouble = executed(path)
    if trouble and not any(word in vars(module) for t in TASKS.values() for word in t.checks):
        raise Unloadable(trouble)
    yield {"title": TASKS[task].title}
    found = mark(vars(module), task, seed=request["seed"], clock=monotonic)
    yield {**found._asdict(), "trouble": trouble}


def _game(request: dict[str, Any], arm: Arm) -> Iterator[dict[str, Any]]:
    """The name of a game, and then a verdict for each law, as `_task` does."""
    from purembts.verify.checking import story, verdicts

    yield {"ready": True}
    game = _game_called(request["name"])
    yield {"game": game.name}
    is_time = until(request["seconds"])

    def go_on() -> bool:
        arm()  # a law takes many lines of moves, and only one of them can hang
        return is_time()

    for verdict in verdicts(game, examples=request["examples"], seed=request["seed"], go_on=go_on):
        yield {**verdict._asdict(), "line": list(story(game, verdict.line))}


def _game_called(text: str) -> Game[Any, Any]:
    """The game that every command calls `text`, if it has a position where it begins."""
    from purembts.shell.games import game_called

    try:
        game = game_called(text)
    except ValueError as error:
        raise Unloadable(str(error)) from error
    if game.start is None and game.deal is None:
        raise Unloadable(f"{text} must have a `start` or a `deal`; got None.")
    return game


KINDS: dict[str, Callable[[dict[str, Any], Arm], Iterator[dict[str, Any]]]] = {
    "task": _task,
    "game": _game,
}


# Loading


@cache
def _loaded_file(path: Path) -> ModuleType:
    """The module in the file `path`, which is run once."""
    module, trouble = executed(path)
    if trouble:
        raise Unloadable(trouble)
    return module


def executed(path: Path) -> tuple[ModuleType, str]:
    """The module in the file `path`, as far as it runs, and the error that stopped it, in words.

    The module is also found by the name of the file.
    """
    # A file must not hide a module of the same name, such as random or copy.
    is_taken = path.stem in sys.stdlib_module_names or path.stem in sys.modules
    name = f"{path.stem}_of_user" if is_taken else path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise Unloadable(f"{path.name} must be a Python file, with a name that ends in .py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # The folder comes last, for the same reason.
    sys.path.append(str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - any error of the code is its own
        advice = f" {GUARD}" if isinstance(error, EOFError) else ""
        reason = error.msg if isinstance(error, SyntaxError) else error  # which has the line, too
        return module, f"{_place(error, path)}: {type(error).__name__}: {reason}.{advice}"
    return module, ""


def _place(error: BaseException, path: Path | str) -> str:
    """The line of the file `path` where `error` was raised, in words."""
    name = Path(path).name
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{name} cannot be loaded, because of line {error.lineno}"
    frames = frames_of(error, path)
    first = "".join(f", because of line {frame.lineno}" for frame in frames[:1])
    last = "".join(f", in line {frame.lineno} (`{frame.name}`)" for frame in frames[1:][-1:])
    return f"{name} cannot be loaded{first}{last}"


def frames_of(error: BaseException, path: Path | str) -> list[traceback.FrameSummary]:
    """The calls in the file `path` that led to `error`, the outermost first."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if Path(frame.filename).name == Path(path).name]


def thing_called(file: str, name: str) -> Any:  # noqa: ANN401
    """The game `name` of a file or a module, or the function `name` that returns one."""
    if file.endswith(".py"):
        module = _loaded_file(Path(file))
    else:
        try:
            module = importlib.import_module(file)
        except Exception as error:
            raise Unloadable(
                f"{file} cannot be imported: {type(error).__name__}: {error}"
            ) from error
    if not hasattr(module, name):
        raise Unloadable(f"`{name}` must be defined in {file}; it is not there.")
    return getattr(module, name)


def game_of(thing: Any, file: str, name: str, **rules: Any) -> Game[Any, Any]:  # noqa: ANN401
    """The game that `thing` is, or that it returns; it is `name` of a file or a module."""
    game = thing
    if callable(thing) and not isinstance(thing, Game):
        try:
            game = thing(**rules)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            lines = "".join(f", in line {frame.lineno}" for frame in frames_of(error, file)[-1:])
            raise Unloadable(f"`{name}()` of {file} cannot be called{lines}: {reason}.") from error
    if not isinstance(game, Game):
        raise Unloadable(f"`{name}` of {file} must be a Game, or make one; got {brief(game)}.")
    return game


if __name__ == "__main__":
    main()
