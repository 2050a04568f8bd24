"""The process that runs somebody's code, which `course.processes` starts with a request.

The request and the answers are JSON, an answer on each line. What the code prints is dropped.
"""

import faulthandler
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from purembts.course.processes import place_of
from purembts.game import Game
from purembts.loading import Unloadable, executed, frames_of, game_called, syntax_trouble
from purembts.verify.order import random_turns

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
    last: dict[str, Any] = {"end": True}
    try:
        for answer in KINDS[request["kind"]](request, arm):
            print(json.dumps(answer), file=answers, flush=True)
            arm()
    except Unloadable as error:
        print(json.dumps({"error": str(error)}), file=answers)
    except BaseException as error:  # noqa: BLE001 - whatever ends the process is reported
        name = Path(request["file"]).name
        places_in = [place_of(name, at.lineno or 0, at.name) for at in frames_of(error, name)[:1]]
        why = f"{type(error).__name__}: {error}".rstrip(": ") + "".join(places_in)
        last = {"ended": f"Its process ended by {why}."}
    print(json.dumps(last), file=answers, flush=True)
    os._exit(0)  # threads of the code that was checked do not hold it up


def _private_streams() -> tuple[TextIO, TextIO]:
    """Streams for answers and for the place of a hang. The usual ones lead nowhere from now on."""
    private = [os.fdopen(os.dup(number), "w", encoding="utf-8") for number in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)
    return private[0], private[1]


def _task(request: dict[str, Any], _arm: Arm) -> Iterator[dict[str, Any]]:
    """The title of a task, and then its mark. The first answer says that its time begins."""
    from purembts.course.tasks import TASKS, mark

    yield {"ready": True}
    path, task = Path(request["file"]), request["task"]
    module, trouble = executed(path)
    if trouble and not any(word in vars(module) for t in TASKS.values() for word in t.checks):
        raise Unloadable(trouble)
    yield {"title": TASKS[task].title}
    found = mark(vars(module), task, seed=request["seed"], fresh=lambda: vars(executed(path)[0]))
    yield {**found._asdict(), "trouble": trouble}


def _properties(request: dict[str, Any], arm: Arm) -> Iterator[dict[str, Any]]:
    """The words of some tests, and then a verdict for each solution from number `first` on."""
    import hypothesis

    from purembts.course.properties import check_tests, failure, trials, words_of

    yield {"ready": True}
    path = Path(request["file"])
    try:
        words = words_of(path.read_text("utf-8"))
    except SyntaxError as error:
        raise Unloadable(syntax_trouble(error, path)) from error
    found = trials(words)
    if words:
        check_tests(path)
    yield {"words": words, "of": len(found) if words else 0}
    usual = hypothesis.settings(database=None, deadline=None, derandomize=True, print_blob=False)
    hypothesis.settings.register_profile("purembts", usual)
    hypothesis.settings.load_profile("purembts")
    for number, trial in enumerate(found[request["first"] :], request["first"]):
        mistake = trial.mistake._asdict() if trial.mistake else None
        about = {"trial": number, "name": trial.name, "mistake": mistake}
        yield {"begins": about}
        arm()
        test, message = failure(path, trial.source)
        yield {**about, "test": test, "message": message}


def _game(request: dict[str, Any], arm: Arm) -> Iterator[dict[str, Any]]:
    """The name of a game, and then a verdict for each law, as `_task` does."""
    from purembts.verify.checking import story, verdicts

    yield {"ready": True}
    game = _game_called(request["name"])
    yield {"game": game.name}
    end = time.monotonic() + float(request["seconds"])

    def go_on() -> bool:
        arm()  # a law takes many lines of moves, and only one of them can hang
        return time.monotonic() < end

    for verdict in verdicts(game, examples=request["examples"], seed=request["seed"], go_on=go_on):
        yield {**verdict._asdict(), "line": list(story(game, verdict.line))}


def _turns(request: dict[str, Any], _arm: Arm) -> Iterator[dict[str, Any]]:
    """The turns of some random games of a game, to be compared with those of another process."""
    yield {"ready": True}
    yield from random_turns(_game_called(request["name"]), request["seed"])


def _game_called(text: str) -> Game[Any, Any]:
    """The game that every command calls `text`, if it has a position where it begins."""
    game = game_called(text)
    if game.start is None and game.deal is None:
        raise Unloadable(f"{text} must have a `start` or a `deal`; got None.")
    return game


KINDS: dict[str, Callable[[dict[str, Any], Arm], Iterator[dict[str, Any]]]] = {
    "task": _task,
    "properties": _properties,
    "game": _game,
    "turns": _turns,
}
