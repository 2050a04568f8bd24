"""The terminal: results on stdout, everything else on stderr, and exit codes.

It runs the command of a request, shows its steps, and answers those that are questions.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from shutil import get_terminal_size
from time import sleep
from typing import Any, TextIO
from unicodedata import normalize

from purembts.app import commands, prompt, steps
from purembts.app.checkpoints import Checkpoint
from purembts.app.clock import occasions
from purembts.app.encoded import watched_facts
from purembts.app.files import load_search, load_tree, save_tree, write_parts
from purembts.app.positions import game_of
from purembts.app.printed import fitted, printed
from purembts.app.requests import STDOUT, Request, checked
from purembts.app.results import Result
from purembts.app.steps import Progress, Step, Work
from purembts.fast import compiled
from purembts.loading import Unloadable, blame
from purembts.pictures import charts
from purembts.tables import Table, as_text

_PIPE = 200
"""The width of a table in a file or a pipe, which has no width of its own."""
_LETTERS = dict(zip("♦♣♥♠●○·", "DCHSxo.", strict=True))
"""The characters of ASCII for those that a terminal of ASCII cannot print."""


def perform(request: Request) -> int:
    """Do the work that a request asks for, and return the exit code.

    0: the work is done. 1: the work failed. 2: the request is wrong. 130: it was interrupted, by
    Ctrl-C or by a signal of `ENDS`, which have codes of their own.
    """
    compiled.tell = partial(say, error=True)
    try:
        code = _exit_code(request)
        sys.stdout.flush()
    except KeyboardInterrupt:
        say("purembts: interrupted", error=True)
        return 130
    except Exception as error:
        line = blame(error, _words_of(request))
        if line is None and not isinstance(error, OSError | ValueError | MemoryError):
            raise
        return failed(error, line)
    return code


def failed(error: Exception, line: str | None = None) -> int:
    """Say why work failed, in `line` if that is given, and return the exit code 1."""
    if not isinstance(error, BrokenPipeError):  # which is the end of a reader
        why = "there is not enough memory." if isinstance(error, MemoryError) else line or error
        say(f"purembts: {why}", error=True)
    end_streams()
    return 1


def end_streams() -> None:
    """Drop text that cannot be written: Python would try again at its end, and fail."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


# Signals

ENDS: list[int] = []
"""The first signal but Ctrl-C that asked this process to end; empty before."""


class SignalInterrupt(KeyboardInterrupt):
    """An interrupt by a signal. After a plain one in an `exec`, Python drops its exit code."""


def on_signals(handler: Callable[[int, Any], None] | None = None) -> None:
    """Let `handler`, or the usual one, answer the signals that are not ignored, as by `nohup`."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            usual = signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL
            signal.signal(number, handler or usual)


def interrupt(number: int, frame: object) -> None:  # noqa: ARG001
    """Interrupt the work at each Ctrl-C, and at the first of the other signals.

    The end of a terminal is often two signals. Later ones do not stop the file from being saved.
    """
    if number != signal.SIGINT:
        if ENDS:
            return
        ENDS.append(number)
    raise SignalInterrupt


def _words_of(request: Request) -> list[str]:
    """The texts in a request. Some of them name a file."""
    values = (value if isinstance(value, tuple) else (value,) for value in request)
    return [word for words in values for word in words if isinstance(word, str)]


# The work of a command


def _exit_code(request: Request) -> int:
    """The exit code of the command of a request, after its result is shown.

    The request is wrong if an error comes before the first step.
    """
    name = type(request).__name__.lower()
    command: Callable[[Request], Work[Result | None]] = getattr(commands, name)
    is_new = getattr(request, "seed", 0) is None and not getattr(request, "properties", False)
    try:
        request = checked(request)
        request = request._replace(seed=_seed_of(request)) if is_new else request
        step = next(work := command(request))
    except (ValueError, OSError) as error:
        if not isinstance(error, Unloadable) and blame(error, _words_of(request)):
            raise
        message, *code_lines = f"{error}".split("\n    ")
        first = f"purembts {name}: {' '.join(message.split())} (see purembts {name} --help)"
        say("\n    ".join([first, *code_lines]), error=True)
        return 2
    if is_new:
        say(f"--seed {request.seed}  (this option gives the same random numbers again)", error=True)
    result, code = _driven(request, work, step)
    _keep(request, result)
    if code and result.checkpoint and request.save:
        say(f"purembts: saved in {request.save}", error=True)
    return code or int(result.failed)


def _seed_of(request: Request) -> int:
    """A seed for a request without one: the seed of the search in its file, or a new one."""
    path = getattr(request, "load", None)
    with suppress(ValueError):  # of a damaged file, which is loaded later
        seed = load_search(path).get("seed") if path else None
        if isinstance(seed, int):
            return seed
    return Random().randrange(2**32)


def _driven(request: Request, work: Work[Result | None], step: Step) -> tuple[Result, int]:
    """The result of `work`, and 130 if it was interrupted, else 0.

    Its steps from `step` on are shown and answered. An interrupt and the end of the input are
    thrown into it.
    """
    bar, code, is_due = _Bar(), 0, occasions()
    try:
        while True:
            code = 130 if isinstance(step, steps.Interrupted) else code
            if ENDS and not code:  # Python drops errors in some places, as in `__del__`
                step = work.throw(KeyboardInterrupt())
                continue
            try:
                if isinstance(step, Progress) and next(is_due):
                    _save_so_far(request, step.so_far)
                answer = _response(request, step, bar)
            except (KeyboardInterrupt, EOFError) as error:
                step = work.throw(error)
            else:
                step = work.send(answer)
    except StopIteration as stop:
        return stop.value or Result(), code
    finally:
        bar.end()


def _response(request: Request, step: Step, bar: _Bar) -> Any:  # noqa: ANN401
    """The answer to a step, after it is shown; None if the step asks nothing."""
    if isinstance(step, Progress):
        with suppress(OSError):  # a terminal that is closed is no reason to fail
            return bar.tell(step)
    bar.end()
    is_json, width = getattr(request, "json", False), _columns_of(sys.stdout)
    match step:
        case steps.Question():
            return _answer_to(step)
        case steps.TreeFile():
            tree = load_tree(step.path, step.game, views=bool(step.game.hidden))
            return Checkpoint(tree, load_search(step.path))
        case steps.Change():
            return _changed(step)
        case steps.Shell():
            on_signals()  # an interrupt does not end a prompt
            return prompt.interact()
        case steps.Note() | steps.Interrupted():
            return say(f"purembts: {step.text}", error=True)
        case Table():
            return say(as_text(step, width or _PIPE))
        case steps.Moved() if is_json:
            return say(json.dumps(watched_facts(step), default=float))
    # A game that is played has no output to keep: its lines are for the person.
    is_aside = not (hasattr(request, "json") or sys.stdout.isatty())
    return None if is_json else say(printed(step, width or 80), error=is_aside)


def _answer_to(question: steps.Question) -> str:
    """The line that a person types; EOFError at the end of the input.

    An only answer is that of Enter at a terminal, and needs no line elsewhere.
    """
    if question.only and not sys.stdin.isatty():
        return question.only
    text = "Enter makes the only move: " if question.only else question.text
    with suppress(ImportError):
        import readline  # noqa: F401  (arrow keys move in the line and through the lines before)
    if not sys.stdout.isatty():
        print(text, end="", file=sys.stderr, flush=True)
    answer = input(text if sys.stdout.isatty() else "")
    if not sys.stdin.isatty():
        say(" ".join(answer.split()), error=not sys.stdout.isatty())
    return answer or question.only


def _changed(step: steps.Change) -> int | None:
    """The time when a file was saved, other than `step.before`; None where no person watches."""
    if not sys.stdout.isatty():
        return None
    if step.before is not None:
        say(f"Waiting for {step.file.name} to be saved. Ctrl-C ends.", error=True)
    while True:
        time = step.file.stat().st_mtime_ns if step.file.exists() else None
        if time not in (None, step.before):
            return time
        sleep(0.3)


# Results


def _keep(request: Request, result: Result) -> None:
    """Write the files of a result, and show it even if they cannot be written."""
    try:
        for path, text in result.files:
            _write(path, text)
        _save(request, result.checkpoint)
    finally:
        _show_result(request, result)


def _save(request: Request, value: object) -> None:
    """Write `value` to the file that a request names, if it is a checkpoint."""
    if isinstance(value, Checkpoint) and request.save:
        game, (tree, search) = game_of(request), value
        save_tree(request.save, game, tree, views=bool(game.hidden), search=search)


def _save_so_far(request: Request, value: object) -> None:
    """Write a checkpoint in the middle of the work, which goes on if that fails."""
    try:
        _save(request, value)
    except (OSError, ValueError) as error:
        say(f"purembts: the tree so far is not saved: {error}", error=True)


def _show_result(request: Request, result: Result) -> None:
    """Draw the chart if the request asks for one, and print the result as JSON or as tables.

    If a chart goes to stdout, the result goes to stderr.
    """
    path = getattr(request, "output", None)
    if path and result.chart:
        _write(path, charts.chart(result.chart).svg)
    if result.facts and request.json:
        seed = {"seed": request.seed} if hasattr(request, "seed") else {}
        text: str | None = json.dumps({**result.facts, **seed}, indent=2, default=float)
    else:
        text = printed(result, _columns_of(sys.stdout) or _PIPE)
    say(text, error=path == STDOUT)


# Streams


def open_streams() -> None:
    """Open the streams that are closed, and let all of them take any text."""
    codecs.register_error("letters", _letters)
    for name, mode, errors in (
        ("stdin", "r", "backslashreplace"),
        ("stdout", "w", "letters"),
        ("stderr", "w", "letters"),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
        if isinstance(stream := getattr(sys, name), io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _letters(error: UnicodeError) -> tuple[str, int]:
    """Characters of ASCII for those that a stream cannot print. It is a handler for `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    plain = (_LETTERS.get(char) or normalize("NFKD", char)[0] for char in bad)
    return "".join(char if char.isascii() else "?" for char in plain), error.end


def say(line: str | None, *, error: bool = False) -> None:
    """Print `line` on stdout, or on stderr, where a full disk is no reason to fail.

    A line of a message that is longer than the terminal is broken between words.
    """
    if line is None:
        return
    if not error:
        print(line, flush=True)
        return
    width = _columns_of(sys.stderr)
    text = fitted(line, width) if width else line
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def _columns_of(stream: TextIO) -> int | None:
    """The width of `stream` if it is a terminal; None for a file or a pipe."""
    return get_terminal_size().columns if stream.isatty() else None


def _write(path: Path, text: str) -> None:
    """Write `text` to the file at `path`, whole or not at all, or to stdout."""
    if path != STDOUT:
        write_parts(path, [text.encode()])
    elif isinstance(sys.stdout, io.TextIOWrapper):  # the bytes are those of a file
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
    else:
        print(text, end="")


class _Bar:
    """A progress bar on stderr if that is a terminal. It shows one kind of work at a time."""

    _bar: Any = None

    def tell(self, progress: Progress) -> None:
        """Show how much is done."""
        if not sys.stderr.isatty():
            return
        if self._bar is None or self._bar.tasks[0].description != progress.label:
            from rich.console import Console
            from rich.progress import Progress as Rich

            self.end()
            self._bar = Rich(console=Console(stderr=True), transient=True)
            self._bar.add_task(progress.label)
            self._bar.start()
        self._bar.update(0, completed=progress.done, total=progress.of)

    def end(self) -> None:
        """Remove the bar."""
        if self._bar:
            with suppress(OSError):
                self._bar.stop()
        self._bar = None
