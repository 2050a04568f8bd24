"""The verdicts of `purembts check` as tables: the laws of a game, and the tasks of the workshop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import wrap

from purembts.app.results import Result
from purembts.checks import brief
from purembts.report import Facts
from purembts.tables import Table, rows_table

WIDTH = 60
"""The most characters on a line of a reason."""


def name_of(file: str) -> str:
    """The name of a file without its folder."""
    return file.replace("\\", "/").rpartition("/")[2]


def laws_result(facts: Facts) -> Result:
    """The verdicts on a game, with the advice for each law that is broken, and their numbers."""
    return Result(facts, (_laws_table(facts),), tuple(_laws_advice(facts)))


def _laws_table(facts: Facts) -> Table:
    """A row for each law of a game, with the counterexample if it is broken."""
    rows = [
        [law["law"], f"{law['cases']:,}", law["status"], _lines([law["message"], *law["line"]])]
        for law in facts["laws"]
    ]
    words = ["law", "verdict", "why"]
    heads = ["law", "cases", "verdict", "why"]
    return rows_table(f"The laws of games: {facts['game']}", heads, rows, words=words)


def _laws_advice(facts: Facts) -> list[str]:
    """The advice for each law that is broken, and the number of laws with each verdict."""
    broken = [law for law in facts["laws"] if law["status"] == "broken"]
    counts = Counter(law["status"] for law in facts["laws"])
    more = "" if facts["complete"] else "; there was no time for some (--seconds gives more)"
    verdicts = ", ".join(f"{status}: {n}" for status, n in counts.items())
    return [*(f"{law['law']}: {law['advice']}" for law in broken), f"{verdicts}{more}"]


def tasks_result(facts: Facts, file: str) -> Result:
    """The marks of the solution in `file`, its trouble, and the number of right tasks."""
    name = name_of(file)
    return Result(facts, (_tasks_table(facts, name),), tuple(_tasks_advice(facts)))


def _tasks_table(facts: Facts, name: str) -> Table:
    """A row for each task of the solution in the file `name`, with its mark and the reason."""
    rows = [
        [
            "\n".join(wrap(f"{mark['task']}. {mark['title']}", 20)),
            mark["status"],
            _lines([mark["message"]]),
        ]
        for mark in facts["tasks"]
    ]
    heads = ["task", "mark", "why"]
    table = rows_table(f"The tasks of the workshop: {name}", heads, rows, words=heads)
    return table._replace(groups=tuple(range(len(rows))))


def _tasks_advice(facts: Facts) -> list[str]:
    """The trouble of the file, and the number of right tasks."""
    right = sum(mark["status"] == "right" for mark in facts["tasks"])
    trouble = [f"{facts['trouble']} Only the words before it are marked."]
    return [*(trouble if facts["trouble"] else []), f"right: {right} of {len(facts['tasks'])}"]


def _lines(texts: Iterable[str]) -> str:
    """`texts`, each on lines of its own."""
    parts = (part for text in texts for part in text.split("\n"))
    return "\n".join(line for part in parts for line in wrap(part, WIDTH) or [""])


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
    """True if the file runs, no task is wrong and, where one task was `asked` for, it is there."""
    if facts["trouble"]:
        return False
    wrong = {"wrong", "not there yet"} if asked else {"wrong"}
    return not any(mark["status"] in wrong for mark in facts["tasks"])


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
