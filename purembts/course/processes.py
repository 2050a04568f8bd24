"""Checks of somebody's code in a process of its own, which ends when its time is over.

A process gets a request, and writes replies, a line of JSON for each. The first reply says that the
time limit begins, of processor time where the system counts that. If the time is over, the process
writes the line of code where it was. What the code prints is dropped.
"""

import faulthandler
import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from subprocess import DEVNULL, PIPE, Popen
from threading import Event, Thread, get_ident
from types import FrameType
from typing import Any, TextIO, TypeAlias

from purembts.course import task_texts
from purembts.game import Game
from purembts.loading import GROWS, GUARD, Unloadable, executed, frames_of, game_called
from purembts.verify import order

LIMIT = 20.0
"""The default time limit, in seconds: for a task, or for a line of moves of a game."""
_WAITS = 10
"""The time limit on a clock, in time limits of the processor: code can wait, too."""
MEMORY = 2 * 2**30
"""The memory limit of a learner's file, in bytes, where the system has such limits."""
_CHANGED = 75
"""The exit code of a process whose file was saved meanwhile."""
ProcessRequest: TypeAlias = dict[str, Any]
Replies: TypeAlias = Iterator[dict[str, Any]]
Restart: TypeAlias = Callable[[], None]
"""A function that lets the time limit begin again."""


class Stopped(Exception):  # noqa: N818 - the message says the error
    """The process ended without a reply; the message says why, and where in the file."""


class Late(Stopped):
    """The process was ended because it took too long, or too much memory."""


class Saved(Exception):  # noqa: N818
    """The file of the process was saved meanwhile, so a reply would be about the old one."""


# Questions to a process


def laws(request: ProcessRequest, *, limit: float = LIMIT) -> Replies:
    """The verdicts on the laws of a game, and on the law that needs two more processes.

    A law with a line of moves that takes too long has no time, and the laws after it are not tried.
    """
    names: list[str] = []
    try:
        for reply in replies(request, limit=limit):
            names = reply.get("laws", names[1:] if "law" in reply else names)
            yield reply
        about = {**request, "kind": "turns"}
        runs = [[*replies(about, limit=limit, hash_seed=seed)] for seed in ("1", "2")]
    except Stopped as stop:
        if not names:
            raise _unloaded(request["file"], stop) from stop
        yield from _after_stop(names, stop)
        return
    yield order.verdict(*([turn for turn in run if "moves" in turn] for run in runs))


def _after_stop(names: list[str], stop: Stopped) -> Replies:
    """The verdicts on the law at work, the first of `names`, and on the laws after it."""
    name, *rest = names
    facts = {**order.verdict((), ()), "law": name, "message": str(stop)}
    untried = {**facts, "status": "not tried"}
    if isinstance(stop, Late):
        yield {**facts, "status": "no time", "cases": 1}
    elif rest:
        advice = "Find what ends the process, near the line that is named."
        yield {**facts, "status": "broken", "cases": 1, "advice": advice}
    else:
        yield {**untried, "message": "It needs the other laws."}
    for later in rest:
        yield {**untried, "law": later, "message": f"It needs the law: {name}."}


def property_replies(file: Path | str, *, limit: float = LIMIT) -> Replies:
    """The words of the tests in `file`, and then a verdict for each solution to try them on.

    A test finds a solution with which it takes longer than `limit` seconds, or ends the process.
    """
    from purembts.course.properties import trials_for

    words, trials = trials_for(Path(file))
    yield {"words": words, "of": len(trials)}
    number, is_loaded = 0, False
    while number < len(trials):
        try:
            request = {"kind": "properties", "file": str(file), "first": number}
            for reply in replies(request, limit=limit):
                is_loaded |= "loaded" in reply
                if "test" in reply:
                    yield {**trials[number]._asdict(), **reply}
                    number += 1
        except Stopped as stop:
            if not is_loaded:
                raise _unloaded(file, stop) from stop
            yield {**trials[number]._asdict(), "test": "all", "message": str(stop)}
            number += 1


def mark_of(
    file: Path | str, task: int, *, seed: int = 0, limit: float = LIMIT, watch: bool = False
) -> dict[str, Any]:
    """The mark of one task of the solution in `file`, with the fields of `course.tasks.Mark`.

    A solution that takes too long or too much memory is "not finished", and one that ends the
    process is "wrong". A file that cannot be loaded is a ValueError. With `watch` a file that is
    saved meanwhile is a `Saved` at once.
    """
    if not Path(file).is_file():
        raise ValueError(f"`file` must be a Python file that exists; got {str(file)!r}.")
    request = {"kind": "task", "file": str(file), "task": task, "seed": seed, "watch": watch}
    facts: dict[str, Any] = {}
    try:
        for reply in replies(request, limit=limit):
            facts = reply
    except Stopped as stop:
        if "title" not in facts:
            raise _unloaded(file, stop) from stop
        status = "not finished" if isinstance(stop, Late) else "wrong"
        return {"task": task, "title": facts["title"], "status": status, "message": str(stop)}
    return facts


def step_after(file: Path | str, task: int, *, limit: float = LIMIT) -> dict[str, Any]:
    """The `lines` of the step after a right task, and perhaps a `text` for a file."""
    try:
        *_, facts = replies({"kind": "after", "file": str(file), "task": task}, limit=limit)
    except Stopped as stop:
        return {"lines": [str(stop)]}
    return facts


def _unloaded(file: Path | str, stop: Stopped) -> ValueError:
    return ValueError(f"`{Path(file).name}` could not be loaded. {stop} {GUARD}")


# Places in a file


def place_of(name: str, line: int | str | None, function: str) -> str:
    """A line of a file in words, to follow what happened there."""
    inside = "" if "<" in function else f" (`{function}`)"
    return f", in line {line} of {name}{inside}"


def place_in(error: BaseException, name: str) -> str:
    """The line of the file `name` where `error` began, in words; empty if it is elsewhere."""
    return "".join(place_of(name, at.lineno, at.name) for at in frames_of(error, name)[:1])


def not_done(limit: float, place: str = "", task: int | None = None) -> str:
    """The message about a solution that took too long; `place` names the line where it was."""
    why = task_texts()["slow"].get(f"{task}", "Perhaps it never ends.")
    return f"It was not done after {limit:g} seconds{place}. {why}"


# The two ends of a process

_ALIVE: set[Popen[bytes]] = set()
"""The processes that have not given their last reply."""


def stop_all() -> None:
    """End all processes, and so the threads that wait for their replies."""
    for process in [*_ALIVE]:
        process.kill()


_PROGRAM = """
import os, sys
sys.path += [os.getcwd(), sys.argv.pop(1)]
from purembts.course.processes import work
work()
"""
"""The program of a process. Its folders come last: a file random.py in them hides nothing."""
_ROOMS_OF_LAWS = "purembts.verify.", "hypothesis."
_FRAME = re.compile(r'^ *File "(.*)", line (\d+) in (.*)$', re.MULTILINE)
"""A line of a traceback of faulthandler, which begins with the innermost call."""


def replies(request: ProcessRequest, *, limit: float = LIMIT, hash_seed: str = "") -> Replies:
    """The replies of a process to `request`, each within `limit` seconds of the one before.

    `hash_seed` decides the order of sets of texts; by default each process has its own. The process
    ends when the caller asks for no more replies. If it ends without its last reply, a `Stopped`
    says why. A file that cannot be loaded is a ValueError.
    """
    text, package = json.dumps({**request, "limit": limit}), str(Path(__file__).parents[2])
    command = [sys.executable, "-P", "-c", _PROGRAM, package, text]
    how = {**os.environ, **({"PYTHONHASHSEED": hash_seed} if hash_seed else {})}
    with Popen(command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, env=how) as process:
        _ALIVE.add(process)
        try:
            for line in process.stdout or ():
                reply = json.loads(line)
                if "end" in reply:
                    return
                if "ended" in reply:
                    raise (Late if reply["late"] else Stopped)(reply["ended"])
                if "error" in reply:
                    raise ValueError(reply["error"])
                yield reply
            dump = process.stderr.read().decode("utf-8", "replace") if process.stderr else ""
            if (code := process.wait()) == _CHANGED:
                raise Saved
            raise _end_of(dump, request, code, limit)
        finally:
            process.kill()
            _ALIVE.discard(process)


def _end_of(dump: str, request: ProcessRequest, code: int, limit: float) -> Stopped:
    """The reason why a process ended, from what it wrote at its end."""
    name = Path(request["file"]).name
    frames = [frame for frame in _FRAME.findall(dump) if Path(frame[0]).name == name]
    # The outermost line is that of the function that was called. An inner one may be innocent.
    place = "".join(place_of(name, line, function) for _, line, function in frames[-1:])
    if "Timeout" in dump or code == -getattr(signal, "SIGPROF", 0):
        advice = "If it is only slow, give it more time with --limit."
        return Late(f"{not_done(limit, place, request.get('task'))} {advice}")
    return Stopped(f"Its process ended with exit code {code}{place}.")


def work() -> None:
    """Reply to the request of the command line, in the process itself."""
    request = json.loads(sys.argv[1])
    output, places = _private_streams()
    restart = partial(_restart_limit, request["limit"], places)
    faulthandler.enable(places)
    if request["kind"] in ("task", "after", "properties"):
        _limit_memory()
    if request.get("watch"):
        Thread(target=_watch, args=[Path(request["file"])], daemon=True).start()
    last: dict[str, Any] = {"end": True}
    try:
        for reply in KINDS[request["kind"]](request, restart):
            print(json.dumps(reply), file=output, flush=True)
            restart()
    except Unloadable as error:
        last = {"error": str(error)}
    except BaseException as error:  # noqa: BLE001 - whatever ends the process is reported
        why, place = f"{type(error).__name__}: {error}", place_in(error, Path(request["file"]).name)
        is_full = isinstance(error, MemoryError)
        text = f"Its process ended by {why.rstrip(': ')}{place}."
        last = {"ended": f"{text} {GROWS}" if is_full else text, "late": is_full}
    print(json.dumps(last), file=output, flush=True)
    os._exit(0)  # threads of the code that was checked do not hold it up


def _restart_limit(limit: float, places: TextIO) -> None:
    """Let the time limit begin again. At its end the place is written, even if the code hangs."""
    faulthandler.dump_traceback_later(limit * _WAITS, exit=True, file=places)
    if hasattr(signal, "setitimer") and hasattr(faulthandler, "register"):
        # `chain` lets the signal end the process.
        faulthandler.register(signal.SIGPROF, places, all_threads=True, chain=True)
        signal.setitimer(signal.ITIMER_PROF, limit)
    else:
        faulthandler.dump_traceback_later(limit, exit=True, file=places)


def _limit_memory() -> None:
    """Let code that takes more than `MEMORY` have a MemoryError, where the system can do that."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))


def _watch(file: Path) -> None:
    """End the process when `file` is saved."""
    before = file.stat().st_mtime_ns
    while not file.exists() or file.stat().st_mtime_ns == before:
        time.sleep(0.2)
    os._exit(_CHANGED)


def _private_streams() -> tuple[TextIO, TextIO]:
    """Streams for replies and for the place of a hang. The usual ones lead nowhere from now on."""
    output, places = (os.fdopen(os.dup(number), "w", encoding="utf-8") for number in (1, 2))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)
    return output, places


# The replies to each kind of request


def _task_mark(request: ProcessRequest, _restart: Restart) -> Replies:
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


def _step_after(request: ProcessRequest, _restart: Restart) -> Replies:
    """The lines of the step after a right task, and its text for a file, if it has one."""
    from purembts.course.tasks.after import AFTER
    from purembts.course.tasks.calls import Mine, call
    from purembts.course.tasks.forms import NotRead, Wrong

    yield {"ready": True}
    words = vars(executed(Path(request["file"]))[0])
    mine, task, end = Mine(words, Random(0)), request["task"], time.process_time() + 2
    try:
        if task in AFTER:
            yield {"lines": [*AFTER[task](mine, lambda: time.process_time() < end)]}
        elif task == 13:  # its text is saved in a file
            yield {"lines": [], "text": call(mine, "best_move_table_string")}
    except (Wrong, NotRead) as fault:
        yield {"lines": [str(fault)]}


def _properties(request: ProcessRequest, _restart: Restart) -> Replies:
    """A verdict on the tests of a file for each solution, from number `first` on."""
    from purembts.course.properties import check_tests, failure, quiet, trials_for

    yield {"ready": True}
    file = Path(request["file"])
    check_tests(file)
    yield {"loaded": True}
    quiet()
    for trial in trials_for(file)[1][request["first"] :]:
        test, message = failure(file, trial.source)
        yield {"test": test, "message": message}


def _laws(request: ProcessRequest, restart: Restart) -> Replies:
    """The name of a game and those of the laws, and then a verdict for each law."""
    from purembts.verify.checking import story, verdicts
    from purembts.verify.game_laws import LAWS

    yield {"ready": True}
    game = _game_to_check(request["name"])
    yield {"game": game.name, "laws": [*[law.name for law in LAWS], order.LAW]}
    begin, seconds = time.monotonic(), float(request["seconds"])
    how = {key: request[key] for key in ("examples", "seed")}

    def in_time(share: float) -> bool:
        return time.monotonic() < begin + seconds * share

    with _limit_for_each_call(restart, request.get("limit", LIMIT)):
        for verdict in verdicts(game, **how, go_on=in_time):
            yield {**verdict._asdict(), "line": list(story(game, verdict.line))}


@contextmanager
def _limit_for_each_call(restart: Restart, limit: float) -> Iterator[None]:
    """Let the time limit begin again with each new call by a law, seen from another thread.

    A law plays thousands of random games, and only one of them can hang. A call that holds up all
    threads is not seen, and runs into the limit too.
    """
    over, laws = Event(), get_ident()

    def watch() -> None:
        last = None
        while not over.wait(min(1, limit / 4)):
            call = _call_of_law(sys._current_frames()[laws])  # noqa: SLF001 - the only way
            if call is None or call is not last:
                restart()
            last = call

    Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _call_of_law(frame: FrameType | None) -> FrameType | None:
    """The call by a law that is at work in `frame`; None if the law itself is at work."""
    call = None
    while frame and not frame.f_globals.get("__name__", "").startswith(_ROOMS_OF_LAWS):
        call, frame = frame, frame.f_back
    return call


def _random_turns(request: ProcessRequest, _restart: Restart) -> Replies:
    """The turns of some random games of a game, to be compared with those of another process."""
    yield {"ready": True}
    yield from order.random_turns(_game_to_check(request["name"]), request["seed"])


def _game_to_check(text: str) -> Game[Any, Any]:
    """The game that every command calls `text`, if it has a position where it begins."""
    game = game_called(text)
    if game.start is None and game.deal is None:
        raise Unloadable(f"{text} must have a `start` or a `deal`; got None.")
    return game


KINDS: dict[str, Callable[[ProcessRequest, Restart], Replies]] = {
    "task": _task_mark,
    "after": _step_after,
    "properties": _properties,
    "game": _laws,
    "turns": _random_turns,
}
"""The replies to a request, by its kind."""
