"""The tasks of the workshop one after the other: the next one that is not right, and hints."""

from __future__ import annotations

from collections.abc import Callable

from toolz import concat

from purembts.app.requests import Workshop
from purembts.app.results import Result
from purembts.app.steps import Progress, Question, Said, Work
from purembts.course.starter import task_texts
from purembts.course.tasks import TASKS
from purembts.report import Facts

_LAST_WORD = "All tasks from here on are right. You have built Monte Carlo tree search. To the pub!"


def next_task(request: Workshop, mark: Callable[[int], Facts], first: int = 1) -> Work[Result]:
    """Mark the tasks from `first` on, up to the first one that is not right."""
    marks = yield from marks_from(first, mark)
    right = [each["task"] for each in marks if each["status"] == "right"]
    praise = [[f"Task {task} is right. {task_texts()[task].why}", ""] for task in right[-1:]]
    lines = [*concat(praise), *_ask(request, marks[-1])]
    is_right = marks[-1]["status"] == "right"
    return Result({"tasks": marks}, lines=tuple(lines), failed=not is_right)


def _ask(request: Workshop, last: Facts) -> list[str]:
    """The mark of the task that is not right, and then its text; or the last word."""
    task = last["task"]
    if last["status"] == "right":
        return [_LAST_WORD]
    text = " ".join(task_texts()[task].text.split())
    hint = f"A hint: purembts workshop hint {request.file} --task {task}"
    mark = f"{last['status']}: {last['message']}"
    return [f"Task {task}: {TASKS[task].title}", mark, "", text, "", hint]


def predicted(task: int) -> Work[None]:
    """Ask for a guess before `task`, and then say each exact answer."""
    for question, answer in task_texts()[task].predict:
        yield Said(("", f"Predict first. {question}"))
        yield Question("Your guess: ")
        yield Said((answer,))


def marks_from(first: int, mark: Callable[[int], Facts]) -> Work[list[Facts]]:
    """The marks of the tasks from `first` on, up to the first one that is not right."""
    marks: list[Facts] = []
    for task in range(first, len(TASKS) + 1):
        yield Progress(f"Marking task {task}")
        marks.append(mark(task))
        if marks[-1]["status"] != "right":
            break
    return marks


def hint(task: int, given: int) -> Result:
    """The next hint of a task after `given` hints; the last one again, if there are no more."""
    hints = task_texts()[task].hints
    number = min(given, len(hints) - 1)
    facts = {"task": task, "number": number + 1, "of": len(hints), "hint": hints[number]}
    place = f"Task {task}, hint {number + 1} of {len(hints)}"
    if given < len(hints):
        return Result(facts, lines=(f"{place}: {hints[number]}",))
    page = "The pages docs/workshop*.md have one way to write each task."
    return Result(facts, lines=(f"{place} is the last one: {hints[number]}", page))
