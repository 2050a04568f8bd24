"""The verdicts on games and on solutions, and the tasks of the workshop one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from toolz import concat, groupby

from purembts.app.requests import Workshop
from purembts.app.results import Result
from purembts.app.steps import Progress, Question, Said, Work
from purembts.checks import brief
from purembts.course.tasks import TASKS
from purembts.report import Facts
from purembts.tables import rows_table

NOT_TRIED = "not tried"
"""The status of a law that is not about a game, or that there was no time for."""


def name_of(file: str) -> str:
    """The name of a file without its folder."""
    return file.replace("\\", "/").rpartition("/")[2]


def laws_result(facts: Facts) -> Result:
    """The verdicts on a game, with the advice for each law that is broken, and their numbers.

    The laws that were not tried stand below the table, with the reason.
    """
    laws = facts["laws"]
    tried = [law for law in laws if law["status"] != NOT_TRIED]
    rows = [
        [law["law"], f"{law['cases']:,}", law["status"], "\n".join([law["message"], *law["line"]])]
        for law in tried
    ]
    heads, words = ["law", "cases", "verdict", "why"], ["law", "verdict", "why"]
    table = rows_table(f"The laws of games: {facts['game']}", heads, rows, words=words)
    advice = [f"{law['law']}: {law['advice']}" for law in laws if law["status"] == "broken"]
    rest = groupby("message", [law for law in laws if law["status"] == NOT_TRIED])
    advice += [
        f"{NOT_TRIED}: {', '.join(law['law'] for law in own)}. {why}" for why, own in rest.items()
    ]
    counts = Counter(law["status"] for law in laws)
    more = "" if facts["complete"] else "; there was no time for some (--seconds gives more)"
    verdicts = ", ".join(f"{status}: {n}" for status, n in counts.items())
    lines, interrupted = (*advice, f"{verdicts}{more}"), "interrupted" in facts
    return Result(facts, (table,), lines, failed="broken" in counts, interrupted=interrupted)


def tasks_result(facts: Facts, file: str) -> Result:
    """The marks of the solution in `file`, its trouble, and the number of right tasks."""
    marks, heads = facts["tasks"], ["task", "mark", "why"]
    titles = ["\n".join(wrap(f"{mark['task']}. {mark['title']}", 20)) for mark in marks]
    rows = [
        [title, mark["status"], mark["message"]] for title, mark in zip(titles, marks, strict=True)
    ]
    title = f"The tasks of the workshop: {name_of(file)}"
    table = rows_table(title, heads, rows, words=heads)._replace(groups=tuple(range(len(rows))))
    counts = Counter(mark["status"] for mark in marks)
    lines = [f"{facts['trouble']} Only the words before it are marked."] if facts["trouble"] else []
    # One task was asked for, so it has to be right; of many, some need not be there yet.
    failed = bool(facts["trouble"] or counts["wrong"] or (len(marks) == 1 and not counts["right"]))
    lines.append(f"right: {counts['right']} of {len(marks)}")
    return Result(facts, (table,), tuple(lines), failed=failed)


def properties_result(
    file: str, words: Sequence[str], found: Sequence[Facts], *, reveal: bool
) -> Result:
    """Some tests that were tried on right solutions, and the mistakes that they find in each task.

    The first mistake that no test finds is shown; with `reveal`, its diff too. Tests that a right
    solution fails find none.
    """
    right = [each for each in found if each["mistake"] is None]
    kept = not any(each["test"] for each in right)
    wrong = [each for each in found if each["mistake"] is not None and kept]
    keys = ("task", "mistake", *(["diff"] if reveal else []))
    slipped = next((each["mistake"] for each in wrong if not each["test"]), None)
    facts = {
        "file": file,
        "words": list(words),
        "kept": kept,
        "right": [{key: each[key] for key in ("name", "test", "message")} for each in right],
        "caught": sum(bool(each["test"]) for each in wrong),
        "mistakes": [
            {**{key: each["mistake"][key] for key in ("task", "mistake")}, "test": each["test"]}
            for each in wrong
        ],
        "slipped": slipped and {key: slipped[key] for key in keys},
    }
    counts = Counter(each["mistake"]["task"] for each in wrong)
    caught = Counter(each["mistake"]["task"] for each in wrong if each["test"])
    rows = [[f"{task}", f"{caught[task]}", f"{n}"] for task, n in sorted(counts.items())]
    table = rows_table(f"Mistakes in {', '.join(words)}", ["task", "found", "of"], rows)
    return Result(facts, (table,) if rows else (), tuple(_advice(facts)), failed=not kept)


def _advice(facts: Facts) -> Iterator[str]:
    """The right solutions that a test refuses, and the first mistake that no test found."""
    for each in facts["right"]:
        if each["test"]:
            yield f"A right solution ({each['name']}) fails {each['test']}: {each['message']}"
    if not facts["kept"]:
        yield "Mend this first: a mistake is found only by a test that right solutions pass."
        return
    slipped, found = facts["slipped"], f"found: {facts['caught']} of {len(facts['mistakes'])}"
    if slipped is None:
        yield f"{found}; none slips through."
        return
    yield found
    yield f"The first one that slips through, in task {slipped['task']}: {slipped['mistake']}"
    if "diff" in slipped:
        yield f"The right lines (-) and those with the mistake (+):\n{slipped['diff']}"


def stopped(message: str) -> Facts:
    """The verdict on a game whose functions do not come back."""
    advice = "Find the loop that never ends, or what ends the process, near the line that is named."
    return {
        "law": "functions come back",
        "status": "broken",
        "cases": 1,
        "message": message,
        "line": [],
        "advice": advice,
    }


def facts_of_marks(file: str, marks: Sequence[Facts]) -> Facts:
    """The facts of a solution with these marks; a ValueError if it has no word of the tasks."""
    if not any(found["status"] != "not there yet" or found["words"] for found in marks):
        one = f"task {marks[0]['task']}"
        raise ValueError(
            f"{brief(name_of(file))} must define a word of "
            f"{'the workshop' if marks[1:] else one}, for example "
            f"`{marks[0]['missing'][0]}`; got none of them. "
            "A word that is imported from purembts is not marked."
        )
    trouble = next((found["trouble"] for found in marks if found.get("trouble")), "")
    return {"file": file, "trouble": trouble, "tasks": list(marks)}


# The next task


_LAST_WORD = "All tasks from here on are right. You have built Monte Carlo tree search. To the pub!"


def next_task(request: Workshop, mark: Callable[[int], Facts], first: int = 1) -> Work[Result]:
    """Mark the tasks from `first` on, up to the first one that is not right."""
    marks = yield from marks_from(first, mark)
    right = [each["task"] for each in marks if each["status"] == "right"]
    praise = [[f"Task {task} is right. {TASKS[task].why}", ""] for task in right[-1:]]
    lines = [*concat(praise), *_ask(request, marks[-1])]
    is_right = marks[-1]["status"] == "right"
    return Result({"tasks": marks}, lines=tuple(lines), failed=not is_right)


def _ask(request: Workshop, last: Facts) -> list[str]:
    """The mark of the task that is not right, and then its text; or the last word."""
    task = last["task"]
    if last["status"] == "right":
        return [_LAST_WORD]
    text = " ".join(TASKS[task].text.split())
    hint = f"A hint: purembts workshop hint {request.file} --task {task}"
    mark = f"{last['status']}: {last['message']}"
    return [f"Task {task}: {TASKS[task].title}", mark, "", text, "", hint]


def predicted(task: int) -> Work[None]:
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


def hint(task: int, given: int) -> Result:
    """The next hint of a task after `given` hints; the last one again, if there are no more."""
    hints = TASKS[task].hints
    number = min(given, len(hints) - 1)
    facts = {"task": task, "number": number + 1, "of": len(hints), "hint": hints[number]}
    place = f"Task {task}, hint {number + 1} of {len(hints)}"
    if given < len(hints):
        return Result(facts, lines=(f"{place}: {hints[number]}",))
    page = "The pages docs/workshop*.md have one way to write each task."
    return Result(facts, lines=(f"{place} is the last one: {hints[number]}", page))
