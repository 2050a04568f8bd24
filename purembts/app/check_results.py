"""The verdicts of `purembts check` as tables: the laws of a game, and the tasks of the workshop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import wrap

from toolz import groupby

from purembts.app.results import Result
from purembts.checks import brief
from purembts.report import Facts
from purembts.tables import filled, rows_table

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
    table = table._replace(columns=filled(table.columns))
    advice = [f"{law['law']}: {law['advice']}" for law in laws if law["status"] == "broken"]
    rest = groupby("message", [law for law in laws if law["status"] == NOT_TRIED])
    advice += [
        f"{NOT_TRIED}: {', '.join(law['law'] for law in own)}. {why}" for why, own in rest.items()
    ]
    counts = Counter(law["status"] for law in laws)
    more = "" if facts["complete"] else "; there was no time for some (--seconds gives more)"
    verdicts = ", ".join(f"{status}: {n}" for status, n in counts.items())
    return Result(facts, (table,), (*advice, f"{verdicts}{more}"))


def tasks_result(facts: Facts, file: str) -> Result:
    """The marks of the solution in `file`, its trouble, and the number of right tasks."""
    marks, heads = facts["tasks"], ["task", "mark", "why"]
    titles = ["\n".join(wrap(f"{mark['task']}. {mark['title']}", 20)) for mark in marks]
    rows = [
        [title, mark["status"], mark["message"]] for title, mark in zip(titles, marks, strict=True)
    ]
    title = f"The tasks of the workshop: {name_of(file)}"
    table = rows_table(title, heads, rows, words=heads)._replace(groups=tuple(range(len(rows))))
    right = f"right: {sum(mark['status'] == 'right' for mark in marks)} of {len(marks)}"
    trouble = [f"{facts['trouble']} Only the words before it are marked."]
    return Result(facts, (table,), (*(trouble if facts["trouble"] else ()), right))


def facts_of_properties(file: str, words: Sequence[str], found: Sequence[Facts]) -> Facts:
    """The facts of some tests that were tried on right solutions and on mistakes."""
    right = [each for each in found if each["mistake"] is None]
    wrong = [each for each in found if each["mistake"] is not None]
    return {
        "file": file,
        "words": list(words),
        "kept": not any(each["test"] for each in right),
        "right": [{key: each[key] for key in ("name", "test", "message")} for each in right],
        "caught": sum(bool(each["test"]) for each in wrong),
        "mistakes": [
            {**{key: each["mistake"][key] for key in ("task", "mistake")}, "test": each["test"]}
            for each in wrong
        ],
        "slipped": next((each["mistake"] for each in wrong if not each["test"]), None),
    }


def properties_result(facts: Facts, *, reveal: bool = False) -> Result:
    """The tests on right solutions, and the number of mistakes that they find in each task."""
    counts = Counter(each["task"] for each in facts["mistakes"])
    caught = Counter(each["task"] for each in facts["mistakes"] if each["test"])
    rows = [[f"{task}", f"{caught[task]}", f"{n}"] for task, n in sorted(counts.items())]
    title = f"Mistakes in {', '.join(facts['words'])}"
    table = rows_table(title, ["task", "found", "of"], rows)
    keys = ("task", "mistake", *(["edits"] if reveal else []))
    slipped = facts["slipped"] and {key: facts["slipped"][key] for key in keys}
    told = {**facts, "slipped": slipped}
    return Result(told, (table,), tuple(_advice(told)))


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
    for text, replacement in slipped.get("edits", ()):
        yield f"Right:\n{text}\nWith the mistake:\n{replacement}"


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


def all_right(facts: Facts, *, asked: bool) -> bool:
    """True if the file runs, no task is wrong and, where one task was `asked` for, it is right."""
    if facts["trouble"]:
        return False
    marks = {mark["status"] for mark in facts["tasks"]}
    return marks == {"right"} if asked else "wrong" not in marks


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
