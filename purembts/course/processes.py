"""Checks of somebody's code in a process of its own, which ends when its time is over.

The process is `course.worker`. It replies with lines of JSON. If its time is over, it writes the
line of code where it was.
"""

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import Any

from purembts.loading import GUARD, frames_of
from purembts.verify import order

LIMIT = 20.0
"""The default time limit, in seconds: for a task, or for a line of moves of a game."""
_FRAME = re.compile(r'^ *File "(.*)", line (\d+) in (.*)$', re.MULTILINE)
"""A line of a traceback of faulthandler, which begins with the innermost call."""
_WORKER = """
import os, sys
sys.path += [os.getcwd(), sys.argv.pop(1)]
from purembts.course.worker import work
work()
"""
"""The program of a worker. Its folders come last: a file random.py in them hides nothing."""


class Stopped(Exception):  # noqa: N818 - the message says the error
    """The process ended without a reply; the message says why, and where in the file."""


def replies(
    request: dict[str, Any], *, limit: float = LIMIT, hash_seed: str = ""
) -> Iterator[dict[str, Any]]:
    """The replies of a worker to `request`, each within `limit` seconds of the one before.

    `hash_seed` decides the order of sets of texts; by default each process has its own. The worker
    ends when the caller asks for no more replies. If it ends without its last reply, a `Stopped`
    says why. A file that cannot be loaded is a ValueError.
    """
    text, package = json.dumps({**request, "limit": limit}), str(Path(__file__).parents[2])
    command = [sys.executable, "-P", "-c", _WORKER, package, text]
    how = {**os.environ, **({"PYTHONHASHSEED": hash_seed} if hash_seed else {})}
    with Popen(command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, env=how) as process:
        try:
            for line in process.stdout or ():
                reply = json.loads(line)
                if "end" in reply:
                    return
                if "ended" in reply:
                    raise Stopped(reply["ended"])
                if "error" in reply:
                    raise ValueError(reply["error"])
                yield reply
            dump = process.stderr.read().decode("utf-8", "replace") if process.stderr else ""
            raise Stopped(_why_it_ended(dump, request, process.wait(), limit))
        finally:
            process.kill()


def _why_it_ended(dump: str, request: dict[str, Any], code: int, limit: float) -> str:
    """Why a process ended, from what it wrote at its end."""
    name = Path(request["file"]).name
    frames = [frame for frame in _FRAME.findall(dump) if Path(frame[0]).name == name]
    # The outermost line is that of the function that was called. An inner one may be innocent.
    place = "".join(place_of(name, line, function) for _, line, function in frames[-1:])
    if "Timeout" in dump:
        advice = "If it is only slow, give it more time with --limit."
        return f"{not_done(limit, place, request.get('task'))} {advice}"
    return f"Its process ended with exit code {code}{place}."


def place_of(name: str, line: int | str | None, function: str) -> str:
    """A line of a file in words, to follow what happened there."""
    inside = "" if "<" in function else f" (`{function}`)"
    return f", in line {line} of {name}{inside}"


def place_in(error: BaseException, name: str) -> str:
    """The line of the file `name` where `error` began, in words; empty if it is elsewhere."""
    return "".join(place_of(name, at.lineno, at.name) for at in frames_of(error, name)[:1])


SLOW = {
    8: "If it works out the sets of levers for each roll again and again, keep them in a table.",
    12: "A box is reached in many ways: keep its value, for example with functools.cache.",
}
"""The advice about a slow solution of some tasks."""


def not_done(limit: float, place: str = "", task: int | None = None) -> str:
    """The message about a solution that took too long; `place` names the line where it was."""
    why = SLOW.get(task or 0, "Perhaps it never ends.")
    return f"It was not done after {limit:g} seconds{place}. {why}"


def laws(request: dict[str, Any], *, limit: float = LIMIT) -> Iterator[dict[str, Any]]:
    """The replies about the laws of a game, and about the law that needs two more processes."""
    yield from replies(request, limit=limit)
    about = {**request, "kind": "turns"}
    try:
        runs = [[*replies(about, limit=limit, hash_seed=seed)] for seed in ("1", "2")]
    except Stopped:
        message = "It needs the other laws."
        yield {**order.verdict((), ()), "status": "not tried", "message": message}
        return
    yield order.verdict(*([turn for turn in run if "moves" in turn] for run in runs))


def tried(file: Path | str, *, limit: float = LIMIT) -> Iterator[dict[str, Any]]:
    """The words of the tests in `file`, and then a verdict for each solution to try them on.

    A test finds a solution with which it takes longer than `limit` seconds, or ends the process.
    """
    request: dict[str, Any] = {"kind": "properties", "file": str(file), "first": 0}
    of = 1
    while request["first"] < of:
        trial: dict[str, Any] = {}
        try:
            for reply in replies(request, limit=limit):
                of, trial = reply.get("of", of), reply.get("begins", trial)
                if "trial" in reply or ("of" in reply and not request["first"]):
                    yield reply
                request["first"] = reply.get("trial", request["first"] - 1) + 1
        except Stopped as stop:
            if not trial:
                raise _unloaded(file, stop) from stop
            request["first"] = trial["trial"] + 1
            yield {**trial, "test": "all", "message": str(stop)}


def marked(file: Path | str, task: int, *, seed: int = 0, limit: float = LIMIT) -> dict[str, Any]:
    """The mark of one task of the solution in `file`, with the fields of `course.tasks.Mark`.

    The mark of a solution that does not end is "wrong". A file that cannot be loaded is a
    ValueError.
    """
    name = Path(file).name
    if not Path(file).is_file():
        raise ValueError(f"`file` must be a Python file that exists; got {str(file)!r}.")
    request = {"kind": "task", "file": str(file), "task": task, "seed": seed}
    title = ""
    try:
        for reply in replies(request, limit=limit):
            if "status" in reply:
                return reply
            title = reply.get("title", title)
    except Stopped as stop:
        if not title:
            raise _unloaded(file, stop) from stop
        return {"task": task, "title": title, "status": "wrong", "message": str(stop)}
    raise ValueError(f"`{name}` has no mark for task {task}.")


def _unloaded(file: Path | str, stop: Stopped) -> ValueError:
    return ValueError(f"`{Path(file).name}` could not be loaded. {stop} {GUARD}")
