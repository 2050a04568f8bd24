"""`purembts check`: the laws of a game, and the marks of a solution of the workshop, as tables."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import sleep

from purembts.checks import brief
from purembts.report import Facts
from purembts.shell.arguments import Target
from purembts.surfaces.verdicts import stopped
from purembts.verify.processes import Stopped, answers, marked

NO_TIME = "There was no time left."
"""The message of a law for which there was no time."""
TASKS = tuple(range(1, 14))
"""The numbers of the workshop's tasks."""
WORKERS = 2
"""The most tasks that are marked at the same time."""
PAUSE = 0.3
"""The seconds between two looks at a file that is watched."""


def refuse_without_extras() -> None:
    """Raise a ValueError if a package is not there that checking needs."""
    for package in ("hypothesis", "scipy"):
        if find_spec(package) is None:
            raise ValueError(
                f"checking needs {package}; install it with: pip install 'purembts[verify]'"
            )


# A game


def game_facts(
    target: Target, say: Callable[[str], None], *, seed: int, examples: int, **times: float
) -> Facts:
    """The verdicts of all laws of the game that `target` names, as JSON has them.

    `say` gets a line for each law. `times` are `seconds` for all laws, and `limit` for one line of
    moves.
    """
    name, laws = str(target.game), []
    facts: Facts = {"target": name, "examples": examples}
    request: Facts = {"kind": "game", "file": target.file, "name": name, "examples": examples}
    request |= {"seed": seed, "seconds": times["seconds"]}
    try:
        for answer in answers(request, limit=times["limit"]):
            if "error" in answer:
                raise ValueError(answer["error"])
            name = answer.get("game", name)
            if "law" in answer:
                laws.append(answer)
                say(f"{answer['law']}: {answer['status']}, {answer['cases']} cases")
    except Stopped as stop:
        laws.append(stopped(str(stop)))
    except KeyboardInterrupt:
        facts["interrupted"] = True
    kept = all(law["status"] != "broken" for law in laws)
    complete = bool(laws) and not any(law["message"] == NO_TIME for law in laws)
    complete = complete and "interrupted" not in facts
    return {"game": name, **facts, "kept": kept, "complete": complete, "laws": laws}


# A solution


def solution_facts(
    file: Path, tasks: Sequence[int], say: Callable[[str], None], *, seed: int, limit: float
) -> Facts:
    """The marks of `tasks` of the solution in `file`, as JSON has them.

    `say` gets a line for each task. Each task is marked in a process of its own.
    """
    mark = partial(marked, file, seed=seed, limit=limit)
    marks = []
    with ThreadPoolExecutor(min(WORKERS, os.cpu_count() or 1)) as executor:
        for found in executor.map(mark, tasks):
            marks.append(found)
            say(f"Task {found['task']}: {found['status']}")
    return facts_of_marks(str(file), marks)


def facts_of_marks(file: str, marks: Sequence[Facts]) -> Facts:
    """The facts of a solution with these marks; a ValueError if it has no word of the tasks."""
    if not any(found["status"] != "not there yet" or found["words"] for found in marks):
        one = f"task {marks[0]['task']}"
        raise ValueError(
            f"{brief(Path(file).name)} must define a word of "
            f"{'the workshop' if marks[1:] else one}, for example "
            f"`{marks[0]['missing'][0]}`; got none of them. "
            "A word that is imported from purembts is not marked."
        )
    trouble = next((found["trouble"] for found in marks if found.get("trouble")), "")
    return {"file": file, "trouble": trouble, "tasks": list(marks)}


def changes(file: Path) -> Iterator[None]:
    """A value now, and one each time that `file` has been saved, without end."""
    seen = None
    while True:
        now = file.stat().st_mtime_ns if file.exists() else None
        if now is not None and now != seen:
            seen = now
            yield
        sleep(PAUSE)
