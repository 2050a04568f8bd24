"""Checks of somebody's code in a process of its own, which ends when its time is over.

The process is `course.worker`. It answers with lines of JSON. If its time is over, it writes the
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

from purembts.loading import GUARD
from purembts.verify import order

LIMIT = 20.0
"""The default time limit, in seconds: for a task, or for a line of moves of a game."""
_FRAME = re.compile(r'^ *File "(.*)", line (\d+) in (.*)$', re.MULTILINE)
"""A line of a traceback of faulthandler, which begins with the innermost call."""
_WORKER = """
import os, sys
sys.path += [os.getcwd(), sys.argv.pop(1)]
from purembts.course.worker import main
main()
"""
"""The program of a worker. Its folders come last: a file random.py in them hides nothing."""


class Stopped(Exception):  # noqa: N818 - the message says the error
    """The process ended without an answer; the message says why, and where in the file."""


def answers(
    request: dict[str, Any], *, limit: float = LIMIT, hash_seed: str = ""
) -> Iterator[dict[str, Any]]:
    """The answers of a worker to `request`, each within `limit` seconds of the one before.

    `hash_seed` decides the order of sets of texts; by default each process has its own. The worker
    ends if its answers are no longer asked for. If it ends without its last answer, a `Stopped`
    says why. A file that cannot be loaded is a ValueError.
    """
    text, package = json.dumps({**request, "limit": limit}), str(Path(__file__).parents[2])
    command = [sys.executable, "-P", "-c", _WORKER, package, text]
    how = {**os.environ, **({"PYTHONHASHSEED": hash_seed} if hash_seed else {})}
    with Popen(command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, env=how) as process:
        try:
            for line in process.stdout or ():
                answer = json.loads(line)
                if "end" in answer:
                    return
                if "ended" in answer:
                    raise Stopped(answer["ended"])
                if "error" in answer:
                    raise ValueError(answer["error"])
                yield answer
            dump = process.stderr.read().decode("utf-8", "replace") if process.stderr else ""
            raise Stopped(_reason(dump, request, process.wait(), limit))
        finally:
            process.kill()


def _reason(dump: str, request: dict[str, Any], code: int, limit: float) -> str:
    """Why a process ended, from what it wrote at its end."""
    name = Path(request["file"]).name
    frames = [frame for frame in _FRAME.findall(dump) if Path(frame[0]).name == name]
    # The outermost line is that of the function that was called. An inner one may be innocent.
    place = "".join(place_of(name, line, function) for _, line, function in frames[-1:])
    if "Timeout" in dump:
        advice = "If it is only slow, give it more time with --limit."
        return f"{not_done(limit, place, request.get('task'))} {advice}"
    return f"Its process ended with exit code {code}{place}."


def place_of(name: str, line: int | str, function: str) -> str:
    """A line of a file in words, to follow what happened there."""
    called = "" if "<" in function else f" (`{function}`)"
    return f", in line {line} of {name}{called}"


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
    """The answers about the laws of a game, and about the law that needs two more processes."""
    yield from answers(request, limit=limit)
    about = {**request, "kind": "turns"}
    try:
        runs = [[*answers(about, limit=limit, hash_seed=seed)] for seed in ("1", "2")]
    except Stopped:
        message = "It needs the other laws."
        yield {**order.verdict((), ()), "status": "not tried", "message": message}
        return
    yield order.verdict(*([each for each in run if "moves" in each] for run in runs))


def tried(file: Path | str, *, limit: float = LIMIT) -> Iterator[dict[str, Any]]:
    """The words of the tests in `file`, and then a verdict for each solution to try them on.

    A solution with which a test takes longer than `limit` seconds, or ends the process, is found.
    """
    request: dict[str, Any] = {"kind": "properties", "file": str(file), "first": 0}
    of = 1
    while request["first"] < of:
        begun: dict[str, Any] = {}
        try:
            for answer in answers(request, limit=limit):
                of, begun = answer.get("of", of), answer.get("begins", begun)
                if "trial" in answer or ("of" in answer and not request["first"]):
                    yield answer
                request["first"] = answer.get("trial", request["first"] - 1) + 1
        except Stopped as stop:
            if not begun:
                raise _unloaded(file, stop) from stop
            request["first"] = begun["trial"] + 1
            yield {**begun, "test": "all", "message": str(stop)}


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
        for answer in answers(request, limit=limit):
            if "status" in answer:
                return answer
            title = answer.get("title", title)
    except Stopped as stop:
        if not title:
            raise _unloaded(file, stop) from stop
        return {"task": task, "title": title, "status": "wrong", "message": str(stop)}
    raise ValueError(f"`{name}` has no mark for task {task}.")


def _unloaded(file: Path | str, stop: Stopped) -> ValueError:
    return ValueError(f"`{Path(file).name}` could not be loaded. {stop} {GUARD}")
