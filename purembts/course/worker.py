"""The process that runs somebody's code, which `course.processes` starts with a request.

The request and the replies are JSON, a reply on each line. What the code prints is dropped. The
first reply says that the time limit begins.
"""

import faulthandler
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from purembts.course.processes import place_in
from purembts.game import Game
from purembts.loading import Unloadable, executed, game_called, syntax_trouble
from purembts.verify.order import random_turns

Replies: TypeAlias = Iterator[dict[str, Any]]
Restart: TypeAlias = Callable[[], None]
"""A function that lets the time limit begin again."""


def work() -> None:
    """Reply to the request of the command line."""
    request = json.loads(sys.argv[1])
    replies, places = _private_streams()

    def restart() -> None:
        # It ends the process, and needs no help of the code that hangs.
        faulthandler.dump_traceback_later(request["limit"], exit=True, file=places)

    faulthandler.enable(places)
    last: dict[str, Any] = {"end": True}
    try:
        for reply in KINDS[request["kind"]](request, restart):
            print(json.dumps(reply), file=replies, flush=True)
            restart()
    except Unloadable as error:
        last = {"error": str(error)}
    except BaseException as error:  # noqa: BLE001 - whatever ends the process is reported
        why = f"{type(error).__name__}: {error}".rstrip(": ")
        last = {
            "ended": f"Its process ended by {why}{place_in(error, Path(request['file']).name)}."
        }
    print(json.dumps(last), file=replies, flush=True)
    os._exit(0)  # threads of the code that was checked do not hold it up


def _private_streams() -> tuple[TextIO, TextIO]:
    """Streams for replies and for the place of a hang. The usual ones lead nowhere from now on."""
    replies, places = (os.fdopen(os.dup(number), "w", encoding="utf-8") for number in (1, 2))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)
    return replies, places


def _mark(request: dict[str, Any], _restart: Restart) -> Replies:
    """The title of a task, and then its mark."""
    from purembts.course.tasks import TASKS, mark

    yield {"ready": True}
    path, task = Path(request["file"]), request["task"]
    module, trouble = executed(path)
    if trouble and not any(word in vars(module) for t in TASKS.values() for word in t.checks):
        raise Unloadable(trouble)
    yield {"title": TASKS[task].title}
    verdict = mark(vars(module), task, seed=request["seed"], fresh=lambda: vars(executed(path)[0]))
    yield {**verdict._asdict(), "trouble": trouble}


def _properties(request: dict[str, Any], restart: Restart) -> Replies:
    """The words of some tests, and then a verdict for each solution from number `first` on."""
    from purembts.course.properties import check_tests, failure, quiet, trials, words_of

    yield {"ready": True}
    path = Path(request["file"])
    try:
        words = words_of(path.read_text("utf-8"))
    except SyntaxError as error:
        raise Unloadable(syntax_trouble(error, path)) from error
    solutions = trials(words)
    if words:
        check_tests(path)
    yield {"words": words, "of": len(solutions) if words else 0}
    quiet()
    for number, trial in enumerate(solutions[request["first"] :], request["first"]):
        mistake = trial.mistake._asdict() if trial.mistake else None
        about = {"trial": number, "name": trial.name, "mistake": mistake}
        yield {"begins": about}
        restart()
        test, message = failure(path, trial.source)
        yield {**about, "test": test, "message": message}


def _laws(request: dict[str, Any], restart: Restart) -> Replies:
    """The name of a game, and then a verdict for each law."""
    from purembts.verify.checking import story, verdicts

    yield {"ready": True}
    game = _game_to_check(request["name"])
    yield {"game": game.name}
    end = time.monotonic() + float(request["seconds"])

    def go_on() -> bool:
        restart()  # a law takes many lines of moves, and only one of them can hang
        return time.monotonic() < end

    for verdict in verdicts(game, examples=request["examples"], seed=request["seed"], go_on=go_on):
        yield {**verdict._asdict(), "line": list(story(game, verdict.line))}


def _random_turns(request: dict[str, Any], _restart: Restart) -> Replies:
    """The turns of some random games of a game, to be compared with those of another process."""
    yield {"ready": True}
    yield from random_turns(_game_to_check(request["name"]), request["seed"])


def _game_to_check(text: str) -> Game[Any, Any]:
    """The game that every command calls `text`, if it has a position where it begins."""
    game = game_called(text)
    if game.start is None and game.deal is None:
        raise Unloadable(f"{text} must have a `start` or a `deal`; got None.")
    return game


KINDS: dict[str, Callable[[dict[str, Any], Restart], Replies]] = {
    "task": _mark,
    "properties": _properties,
    "game": _laws,
    "turns": _random_turns,
}
"""The replies to a request, by its kind."""
