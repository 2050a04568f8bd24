"""The workshop's tasks: a solution is marked as by `purembts check`, or tried at a prompt."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from functools import lru_cache, partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from types import CodeType
from typing import Any

from purembts.app.check_results import tasks_result
from purembts.course.processes import KINDS, LIMIT, not_done, place_in
from purembts.loading import GUARD, executed, frames_of, inner_line, streams
from purembts.report import Facts

FILE = "mine.py"
"""The name of the solution in messages."""
LINE = "<your line>"
"""The name of a line at the prompt, in its place."""
_LONGEST_OUTPUT = 20_000
"""The most characters that a try shows."""
_EVERY = 200
"""The jumps in the code of a solution between two looks at the clock."""


class _TooLong(BaseException):
    """A solution took too long. It is no Exception, so that a solution seldom catches it."""


# The steps for a page


def mark(source: str, tasks: Sequence[int], limit: float = LIMIT) -> Iterator[Facts]:
    """For each of the tasks the news that it begins, and then its mark with the fields of `Mark`.

    A task that takes longer than `limit` seconds is not finished, and the message names the line.
    That is not seen while Python is in a function of C, and not before Python 3.12. So the news has
    the mark for the case that no other mark comes in time.
    """
    from purembts.course import tasks as workshop

    for task in tasks:
        late: Facts = {"task": task, "title": workshop.TASKS[task].title, "status": "not finished"}
        late["message"] = not_done(limit, task=task)
        yield {"begins": task, "late": late}
        try:
            with _solution_file(source) as path, _alone(limit):
                request = {"file": str(path), "task": task, "seed": 0}
                *_, facts = KINDS["task"](request, lambda: None)
        except _TooLong as error:
            facts = {**late, "message": _lateness(error, limit, task)}
        yield facts


def mark_lines(marks: Sequence[Facts]) -> Facts:
    """The lines below the marks: the trouble of the file, and the number of right tasks.

    There are none where a file has nothing of the tasks: each mark says what is to be written.
    """
    try:
        return {"lines": list(tasks_result(FILE, marks).lines)}
    except ValueError:
        return {"lines": []}


def line_output(source: str, text: str, limit: float = LIMIT) -> Facts:
    """A line of Python after the solution: its output with its value, and its error.

    Names that a line defines are there in the next one, as long as the solution is the same.
    """
    trouble = ""
    with _alone(limit) as screen:
        try:
            words, trouble = _words(source)
            error = _error_of(text, words)
        except _TooLong as late:
            error = _lateness(late, limit)
    output = screen.getvalue()
    more = "\n..." if len(output) > _LONGEST_OUTPUT else ""
    cut = output[:_LONGEST_OUTPUT] + more
    return {"output": cut, "error": error, "trouble": trouble if error else ""}


# Running a solution


@contextmanager
def _solution_file(source: str) -> Iterator[Path]:
    """A file with the code, as long as it is needed."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / FILE
        path.write_text(source, "utf-8")
        yield path


@lru_cache(maxsize=1)
def _words(source: str) -> tuple[dict[str, Any], str]:
    """The words of a solution, and the error that stopped it, in words."""
    with _solution_file(source) as path:
        module, trouble = executed(path)
    return vars(module), trouble


def _error_of(text: str, words: dict[str, Any]) -> str:
    """The error of a line that is run with these words, or "". The value is printed."""
    try:
        exec(compile(text.strip() + "\n", LINE, "single"), words)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a person's own code
        return f"{type(error).__name__}: {error}{inner_line(error, FILE)}"
    return ""


@contextmanager
def _alone(limit: float) -> Iterator[StringIO]:
    """The text that is printed meanwhile; after `limit` seconds a `_TooLong` is raised in the code.

    There is nothing to read, and no module or chance is left over.
    """
    before = set(sys.modules), sys.path[:], random.getstate()
    try:
        with streams() as screen, redirect_stderr(screen), _clock(monotonic() + limit):
            yield screen
    finally:
        sys.path[:] = before[1]
        random.setstate(before[2])
        for name in set(sys.modules) - before[0]:
            if name.startswith(Path(FILE).stem):
                del sys.modules[name]


# Time


@contextmanager
def _clock(end: float) -> Iterator[None]:
    """A watch on the jumps of a person's code, in which a `_TooLong` is raised after `end`."""
    monitoring: Any = getattr(sys, "monitoring", None)
    if monitoring is None:
        yield
        return
    tool, jump = monitoring.PROFILER_ID, monitoring.events.JUMP
    monitoring.use_tool_id(tool, "purembts")
    monitoring.register_callback(tool, jump, partial(_look, end, [0], monitoring.DISABLE))
    monitoring.set_events(tool, jump)
    try:
        yield
    finally:
        monitoring.set_events(tool, 0)
        monitoring.free_tool_id(tool)
        monitoring.restart_events()


def _look(end: float, jumps: list[int], disable: object, code: CodeType, *_: int) -> object:
    """Raise a `_TooLong` in a person's code after the time `end`; no longer watch other code."""
    if not code.co_filename.endswith((FILE, LINE)):
        return disable
    jumps[0] += 1
    if jumps[0] % _EVERY == 0 and monotonic() > end:
        raise _TooLong
    return None


def _lateness(error: _TooLong, limit: float, task: int | None = None) -> str:
    """The message about a solution that took too long, with the line where it was."""
    message = not_done(limit, place_in(error, FILE), task)
    is_loading = any(frame.name == "<module>" for frame in frames_of(error, FILE)[:1])
    return f"{message} {GUARD}" if is_loading else message
