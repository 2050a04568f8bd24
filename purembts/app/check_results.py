"""The verdicts on games and on solutions, and the tasks of the workshop one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from toolz import groupby

from purembts.app.requests import Workshop
from purembts.app.results import Result
from purembts.app.steps import Progress, Question, Said, Work
from purembts.checks import brief
from purembts.course.tasks import TASKS
from purembts.report import Facts
from purembts.tables import rows_table

UNTRIED = "not tried", "no time"
"""The status of a law that is not about a game, and of one that there was no time for."""


def file_name(path: str) -> str:
    """The name of a file without its folder."""
    return path.replace("\\", "/").rpartition("/")[2]


# Laws of a game


def laws_result(facts: Facts) -> Result:
    """The table of the laws that were tried on a game, and the lines below it.

    The lines are the advice for each broken law, the laws that were not tried with the reason, and
    the number of laws with each verdict. A law that was stopped is a failure too.
    """
    laws, heads = groupby("status", facts["laws"]), ["law", "cases", "verdict", "why"]
    rows = [
        [law["law"], f"{law['cases']:,}", law["status"], "\n".join([law["message"], *law["line"]])]
        for law in facts["laws"]
        if law["status"] not in UNTRIED
    ]
    words = ["law", "verdict", "why"]
    table = rows_table(f"The laws of games: {facts['game']}", heads, rows, words=words)
    advice = [f"{law['law']}: {law['advice']}" for law in laws.get("broken", ())]
    for status in UNTRIED:
        for why, group in groupby("message", laws.get(status, ())).items():
            advice.append(f"{status}: {', '.join(law['law'] for law in group)}. {why}")
    is_stopped = any(law["cases"] for law in laws.get("no time", ()))
    more = "; there was no time for some (--seconds gives more)"
    more = "" if facts["complete"] or is_stopped else more
    verdicts = ", ".join(f"{status}: {len(group)}" for status, group in laws.items())
    lines = (*advice, f"{verdicts}{more}")
    return Result(facts, (table,), lines, failed="broken" in laws or is_stopped)


# Tasks of the workshop


def tasks_result(file: str, marks: Sequence[Facts]) -> Result:
    """The marks of the solution in `file`, its trouble, and the number of right tasks.

    A ValueError if the file has no word of the tasks.
    """
    if not any(mark["status"] != "not there yet" or mark["words"] for mark in marks):
        whose = "the workshop" if marks[1:] else f"task {marks[0]['task']}"
        raise ValueError(
            f"{brief(file_name(file))} must define a word of {whose}, for example "
            f"`{marks[0]['missing'][0]}`; got none of them. "
            "A word that is imported from purembts is not marked. "
            f"To check a game in the file, name it: {file_name(file)}:GAME."
        )
    trouble = next((mark["trouble"] for mark in marks if mark.get("trouble")), "")
    rows = [
        ["\n".join(wrap(f"{mark['task']}. {mark['title']}", 20)), mark["status"], mark["message"]]
        for mark in marks
    ]
    heads, title = ["task", "mark", "why"], f"The tasks of the workshop: {file_name(file)}"
    table = rows_table(title, heads, rows, words=heads)._replace(groups=tuple(range(len(rows))))
    counts = Counter(mark["status"] for mark in marks)
    lines = [f"{trouble} Only the words before it are marked."] if trouble else []
    lines.append(f"right: {counts['right']} of {len(marks)}")
    # One task was asked for, so it has to be right; of many, some need not be there yet.
    is_wrong = counts["wrong"] or counts["not finished"]
    failed = bool(trouble or is_wrong or (len(marks) == 1 and not counts["right"]))
    facts = {"file": file, "trouble": trouble, "tasks": list(marks)}
    return Result(facts, (table,), tuple(lines), failed=failed)


# Properties of one's own


def properties_result(
    file: str, words: Sequence[str], trials: Sequence[Facts], *, reveal: bool
) -> Result:
    """The number of mistakes in each task that the tests of `file` find.

    The lines name the first mistake that no test finds; with `reveal`, they show its diff too. Only
    tests that all right solutions pass can find mistakes.
    """
    right = [trial for trial in trials if not trial["mistake"]]
    is_kept = not any(trial["test"] for trial in right)
    wrong = [(trial["mistake"], trial["test"]) for trial in trials if trial["mistake"] and is_kept]
    slip = next((mistake for mistake, test in wrong if not test), None)
    keys = ("task", "mistake", "diff") if reveal else ("task", "mistake")
    facts = {
        "file": file,
        "words": list(words),
        "kept": is_kept,
        "right": [{key: trial[key] for key in ("name", "test", "message")} for trial in right],
        "caught": sum(bool(test) for _, test in wrong),
        "mistakes": [
            {"task": mistake.task, "mistake": mistake.mistake, "test": test}
            for mistake, test in wrong
        ],
        "slipped": slip and {key: getattr(slip, key) for key in keys},
    }
    counts = Counter(mistake.task for mistake, _ in wrong)
    caught = Counter(mistake.task for mistake, test in wrong if test)
    rows = [[f"{task}", f"{caught[task]}", f"{n}"] for task, n in sorted(counts.items())]
    table = rows_table(f"Mistakes in {', '.join(words)}", ["task", "found", "of"], rows)
    return Result(facts, (table,) if rows else (), tuple(_advice(facts)), failed=not is_kept)


def _advice(facts: Facts) -> Iterator[str]:
    """The right solutions that a test refuses, and the first mistake that no test found."""
    for trial in facts["right"]:
        if trial["test"]:
            yield f"A right solution ({trial['name']}) fails {trial['test']}: {trial['message']}"
    if not facts["kept"]:
        yield "Mend this first: a mistake is found only by a test that right solutions pass."
        return
    slip, count = facts["slipped"], f"found: {facts['caught']} of {len(facts['mistakes'])}"
    if slip is None:
        yield f"{count}; none slips through."
        return
    yield count
    yield f"The first one that slips through, in task {slip['task']}: {slip['mistake']}"
    if "diff" in slip:
        yield f"The right lines (-) and those with the mistake (+):\n{slip['diff']}"


# The next task


def next_task(
    request: Workshop,
    mark: Callable[[int], Facts],
    step_after: Callable[[int], Facts],
    first: int = 1,
) -> Work[Result]:
    """The marks of the tasks from `first` on, up to the first one that is not right, and its text.

    Above it are the lines of the step after the last right task, or the name of its file.
    """
    files = Result().files
    marks = yield from marks_from(first, mark)
    *right, last = marks
    if is_right := last["status"] == "right":
        done = "All tasks from here on are right. You have built Monte Carlo tree search."
        right, lines = marks, [f"{done} To the pub!"]
    else:
        lines = _task_lines(request, last)
    if right and not request.json:
        task = right[-1]["task"]
        yield Progress(f"The step after task {task}")
        step = step_after(task)
        if "text" in step:
            files = ((request.file.with_name(f"{request.file.stem}_table.txt"), step["text"]),)
            step["lines"] = [f"{files[0][0]} has your table."]
        after = [*step["lines"], ""] if step.get("lines") else []
        lines = [f"Task {task} is right. {TASKS[task].why}", "", *after, *lines]
    return Result({"tasks": marks}, lines=tuple(lines), files=files, failed=not is_right)


def _task_lines(request: Workshop, mark: Facts) -> list[str]:
    """The mark of a task that is not right, and its text."""
    task = mark["task"]
    text = " ".join(TASKS[task].text.split())
    hint = f"A hint: purembts workshop hint {request.file} --task {task}"
    why = f"{mark['status']}: {mark['message']}"
    return [f"Task {task}: {TASKS[task].title}", why, "", text, "", hint]


def predictions(task: int) -> Work[None]:
    """Ask for a guess before `task`, and then say each exact answer."""
    for question, answer in TASKS[task].predict:
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


def hint(task: int, before: int) -> Result:
    """The hint of a task that comes after `before` hints; the last hint if they are all known."""
    hints = TASKS[task].hints
    number, is_last = min(before + 1, len(hints)), before >= len(hints)
    facts = {"task": task, "number": number, "of": len(hints), "hint": hints[number - 1]}
    title, text = f"Task {task}, hint {number} of {len(hints)}", hints[number - 1]
    if not is_last:
        return Result(facts, lines=(f"{title}: {text}",))
    more = "The pages docs/workshop*.md have one way to write each task."
    return Result(facts, lines=(f"{title} is the last one: {text}", more))
