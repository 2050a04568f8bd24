"""The terminal: results on stdout, everything else on stderr, and exit codes.

It makes the request of the arguments, runs the command, shows its steps, and answers its questions.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from shutil import get_terminal_size
from textwrap import fill
from time import sleep
from typing import TypeVar

from purembts.app import check_results, commands, prompt, requests
from purembts.app.files import load_tree, save_tree
from purembts.app.kinds import NO_TREE, Request, Words
from purembts.app.parser import parsed
from purembts.app.results import Result
from purembts.app.screen import STDOUT, Bar, open_streams, say, show, width_of, write
from purembts.app.sentences import fitted
from purembts.app.steps import Progress, Question, Said, Step, Work
from purembts.course.processes import laws, marked, tried
from purembts.course.starter import starter_file
from purembts.course.tasks import TASKS
from purembts.fast import compiled
from purembts.loading import blame
from purembts.pictures import charts
from purembts.tables import Table

T = TypeVar("T")

_WORKERS = 2
"""The most tasks that are marked at the same time."""
_PAUSE = 0.3
"""The seconds between two looks at a file that is watched."""


def run(arguments: Iterable[str]) -> int:
    """The exit code of the work that `arguments` ask for.

    0: the work is done. 1: the work failed. 130: the work was interrupted. Arguments that are wrong
    end the program with exit code 2.
    """
    open_streams()
    compiled.tell = partial(say, error=True)
    words = list(arguments)
    try:
        request = _with_seed(parsed(words))
        code = ADAPTERS[type(request)](request)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        _drop_output()
        return 1
    except Exception as error:
        line = blame(error, words)
        if line is None and not isinstance(error, OSError | ValueError | MemoryError):
            raise
        why = "there is not enough memory." if isinstance(error, MemoryError) else line or error
        say(f"purembts: {why}", error=True)
        _drop_output()
        return 1
    return code


def _drop_output() -> None:
    """Drop the rest of stdout if it cannot be written, as Python would try again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _with_seed(request: Request) -> Request:
    """`request`, with a new seed that is printed where a seed is needed and none was given."""
    is_sure = isinstance(request, requests.Check) and request.properties
    if getattr(request, "seed", 0) is None and not is_sure:
        seed = Random().randrange(2**32)
        say(f"--seed {seed}  (this option gives the same random numbers again)", error=True)
        return request._replace(seed=seed)
    return request


def _interrupted() -> int:
    say("purembts: interrupted", error=True)
    return 130


# The steps of a command


def _driven(work: Work[T], said: Callable[..., None] | None = None) -> T:
    """The value that `work` returns, while its steps are shown and its questions answered.

    `said` prints the lines of a game; `tell`, if it is not given.
    An interrupt, and the end of the input, are thrown into it.
    """
    bar, go_on = Bar(), partial(work.send, None)
    try:
        while True:
            try:
                step = go_on()
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]
            try:
                go_on = partial(work.send, shown(step, bar, said or tell))
            except (KeyboardInterrupt, EOFError) as error:
                go_on = partial(work.throw, error)
    finally:
        bar.end()


def shown(step: Step, bar: Bar, said: Callable[..., None]) -> str | None:
    """Show a step; the answer to a question."""
    if isinstance(step, Progress):
        bar.tell(step)
        return None
    bar.end()
    if isinstance(step, Question):
        return answer_to(step.text)
    if isinstance(step, Said):
        said(*step.lines)
    elif isinstance(step, Table):
        show(step)
    return None


def tell(*lines: str) -> None:
    """Print lines of a game, on stderr if stdout is no terminal."""
    is_seen = sys.stdout.isatty()
    for line in lines:
        text = fitted(line, get_terminal_size().columns) if is_seen else line
        say(text, error=not is_seen)


def answer_to(question: str) -> str:
    """The line that a person types; EOFError at the end of the input."""
    if not sys.stdout.isatty():
        print(question, end="", file=sys.stderr, flush=True)
    answer = input(question if sys.stdout.isatty() else "")
    if not sys.stdin.isatty():
        tell(" ".join(answer.split()))
    return answer


# The adapters


def _worked(work: Callable[..., Work[Result]], request: Request) -> int:
    """Run a command; the exit code."""
    return _finished(work(request), request)


def _search(request: requests.Search) -> int:
    """Search on from the tree in a file, or from an empty one; the exit code."""
    game, path = request.place.game, request.load
    tree = load_tree(path, game, views=bool(game.hidden)) if path else NO_TREE
    return _finished(commands.search(request, tree), request)


def _finished(work: Work[Result], request: Request) -> int:
    """Finish a command, save its tree if the request asks for that, and show its result."""
    result = _driven(work)
    if result.interrupted:
        _interrupted()
    try:
        if result.tree and request.save:
            game = request.place.game
            save_tree(request.save, game, result.tree, views=bool(game.hidden))
    finally:
        _show(request, result)
    if result.document:
        write(STDOUT, result.document)
    return 130 if result.interrupted else int(result.failed)


def play(request: requests.Play) -> int:
    """Play a game with the person at the terminal; the exit code."""
    with suppress(ImportError):
        import readline  # noqa: F401  (arrow keys move in the line and through the lines before)
    _driven(commands.play(request, _width_of_stdout()))
    return 0


def watch(request: requests.Watch) -> int:
    """Show a game between strategies, on stdout; the exit code."""
    work = commands.watch(request, _width_of_stdout())
    _driven(work, said=partial(print, sep="\n", flush=True))
    return 0


def _width_of_stdout() -> int:
    """The width of the terminal, or of the lines of a game in a pipe."""
    return get_terminal_size().columns if sys.stdout.isatty() else 80


def _check(request: requests.Check) -> int:
    if request.is_game or request.properties:
        _refuse_without_extras()
    target = request.target
    if request.is_game:
        asked: Words = {"kind": "game", "name": target, "examples": request.examples}
        asked |= {"file": target.rpartition(":")[0] or target}
        asked |= {"seed": request.seed, "seconds": request.seconds}
        answers = laws(asked, limit=request.limit)
        return _finished(commands.check_game(request, answers), request)
    if request.properties:
        trials = tried(target, limit=request.limit)
        return _finished(commands.check_properties(request, trials), request)
    mark = partial(marked, target, seed=request.seed or 0, limit=request.limit)
    tasks = [request.task] if request.task else TASKS
    with ThreadPoolExecutor(min(_WORKERS, os.cpu_count() or 1)) as executor:
        return _finished(commands.check_solution(request, executor.map(mark, tasks)), request)


def _workshop(request: requests.Workshop) -> int:
    file = request.file
    if request.step == "start":
        if file.exists():
            raise ValueError(f"`FILE` must be a new file; {file} is there already.")
        write(file, starter_file())
        say(f"{file} has the tasks. Next: purembts workshop next {file}", error=True)
        return 0
    if not file.is_file():
        how = f"purembts workshop start {file}"
        raise ValueError(f"`FILE` must exist; got {file}. This writes it: {how}")
    return _hinted(request) if request.step == "hint" else _next(request)


def _next(request: requests.Workshop) -> int:
    """Mark the next task, at a terminal each time the file is saved, with questions before it."""
    first, asked = request.task or 1, 0
    if not sys.stdout.isatty() or request.json:
        return _tutored(request, first)[0]
    with suppress(KeyboardInterrupt, EOFError):
        for _ in changes(request.file):
            try:
                _, first = _tutored(request, first)
            except ValueError as error:
                say(f"purembts: {error}", error=True)
            else:
                if first > len(TASKS):
                    break
                if first > asked and sys.stdin.isatty():
                    asked = first
                    _driven(check_results.predicted(first))
            say(f"Waiting for {request.file.name} to be saved. Ctrl-C ends.", error=True)
    return 0


def _tutored(request: requests.Workshop, first: int) -> tuple[int, int]:
    """The exit code of the marks from task `first` on, and the first task that is not right."""
    mark = partial(marked, request.file, limit=request.limit)
    result = _driven(check_results.next_task(request, mark, first))
    _show(request, result)
    right = sum(each["status"] == "right" for each in result.facts["tasks"])
    return int(result.failed), first + right


def _hinted(request: requests.Workshop) -> int:
    """Show one hint more than before. The file FILE.hints has the task of each hint so far."""
    memory = request.file.with_suffix(".hints")
    given = memory.read_text("utf-8", "replace").split() if memory.is_file() else []
    mark = partial(marked, request.file, limit=request.limit)
    task = request.task or _driven(check_results.marks_from(1, mark))[-1]["task"]
    _show(request, check_results.hint(task, given.count(f"{task}")))
    write(memory, "\n".join([*given, f"{task}"]))
    return 0


def _refuse_without_extras() -> None:
    """Raise a ValueError if Hypothesis is not there, which laws and properties need."""
    if find_spec("hypothesis") is None:
        hint = "pip install hypothesis, or in a clone: pip install '.[verify]'"
        raise ValueError(f"this check needs hypothesis; install it with: {hint}")


def changes(file: Path) -> Iterator[None]:
    """A value now, and one each time that `file` has been saved, without end."""
    seen = None
    while True:
        now = file.stat().st_mtime_ns if file.exists() else None
        if now is not None and now != seen:
            seen = now
            yield
        sleep(_PAUSE)


ADAPTERS: Mapping[type, Callable[[Request], int]] = {
    requests.Learn: partial(_worked, commands.learn),
    requests.Simulate: partial(_worked, commands.simulate),
    requests.Search: _search,
    requests.Solve: partial(_worked, commands.solve),
    requests.Match: partial(_worked, commands.match),
    requests.Play: play,
    requests.Watch: watch,
    requests.Prompt: prompt.work,
    requests.Card: partial(_worked, commands.table),
    requests.Bandit: partial(_worked, commands.bandit),
    requests.Pi: partial(_worked, commands.pi),
    requests.Check: _check,
    requests.Workshop: _workshop,
}
"""The function for each type of request."""


# Results


def _show(request: Request, result: Result) -> None:
    """Draw the chart if the request asks for one, and print the result as JSON or as tables.

    If a chart goes to stdout, the result goes to stderr.
    """
    path = getattr(request, "output", None)
    error = path == STDOUT
    if path and result.chart:
        write(path, charts.chart(result.chart).svg)
    if not result.facts:
        return
    if request.json:
        seed = {"seed": request.seed} if hasattr(request, "seed") else {}
        say(json.dumps({**result.facts, **seed}, indent=2), error=error)
        return
    if result.above:
        say(result.above, error=error)
    for number, table in enumerate(result.tables):
        if number or result.above:
            say(error=error)
        show(table, error=error)
    for line in result.lines:
        say(fill(line, width_of(sys.stdout)), error=error)
