"""The verdicts on games, solutions and properties, and the next task of a learner."""

from pathlib import Path

import pytest

from purembts.app.check_results import (
    hint,
    laws_result,
    next_task,
    predictions,
    properties_result,
    tasks_result,
)
from purembts.app.requests import Workshop
from purembts.app.steps import Question, returned
from purembts.course.mistakes import Mistake
from purembts.course.tasks import TASKS
from purembts.tables import rows_of


def test_verdicts_are_a_table_with_advice():
    law = {"law": "l", "cases": 1000, "status": "broken", "message": "m", "line": ["a", "b"]}
    skipped = {**law, "status": "not tried"}
    others = [{**skipped, "law": name, "message": why} for name, why in ("nx", "oy", "px")]
    late = {**skipped, "law": "q", "status": "no time", "message": "Late.", "cases": 0}
    facts = {"game": "G", "laws": [{**law, "advice": "Do."}, *others, late], "complete": False}
    result = laws_result(facts)
    assert list(rows_of(result.tables[0])) == [("l", "1,000", "broken", "m\na\nb")]
    assert result.lines == (
        "l: Do.",
        "not tried: n, p. x",
        "not tried: o. y",
        "no time: q. Late.",
        "broken: 1, not tried: 3, no time: 1; there was no time for some (--seconds gives more)",
    )
    stopped = laws_result({**facts, "laws": [{**late, "cases": 1}]})
    assert (stopped.failed, stopped.lines) == (True, ("no time: q. Late.", "no time: 1"))


@pytest.mark.parametrize(
    ("statuses", "trouble", "fails"),
    [
        (["right"], "", False),
        (["not there yet"], "", True),  # the task that was asked for
        (["right", "not there yet"], "", False),  # a solution grows, task by task
        (["right", "wrong"], "", True),
        (["right", "not finished"], "", True),
        (["right", "right"], "It cannot be loaded.", True),
    ],
)
def test_a_solution_fails_by_its_marks_and_by_its_trouble(statuses, trouble, fails):
    mark = {"title": "A title that is long", "message": "", "words": ["power"], "trouble": trouble}
    marks = [{**mark, "task": n, "status": status} for n, status in enumerate(statuses)]
    result = tasks_result("mine.py", marks)
    assert result.failed == fails
    assert result.lines[-1] == f"right: {statuses.count('right')} of {len(marks)}"
    assert result.lines[0].startswith(trouble)
    assert [row[:2] for row in rows_of(result.tables[0])] == [
        (f"{n}. A title that is\nlong", status) for n, status in enumerate(statuses)
    ]


RIGHT = {"name": "pairs", "test": None, "message": "", "mistake": None}
MISTAKE = Mistake(4, "plain", (), "the result is None", "-a\n+b")
WRONG = {"name": "wrong", "test": None, "message": "", "mistake": MISTAKE}
SLIPS = "The first one that slips through, in task 4: the result is None"
DIFF = "The right lines (-) and those with the mistake (+):\n-a\n+b"


@pytest.mark.parametrize(
    ("trials", "reveal", "lines"),
    [
        ([RIGHT, WRONG], False, ("found: 0 of 1", SLIPS)),
        ([RIGHT, WRONG], True, ("found: 0 of 1", SLIPS, DIFF)),
        ([RIGHT, {**WRONG, "test": "t"}], False, ("found: 1 of 1; none slips through.",)),
    ],
)
def test_the_first_mistake_that_no_test_finds_is_said(trials, reveal, lines):
    result = properties_result("props.py", ["simple_moves"], trials, reveal=reveal)
    assert (result.lines, result.failed) == (lines, False)


def test_tests_that_refuse_a_right_solution_find_no_mistake():
    trials = [{**RIGHT, "test": "test_a", "message": "no"}, WRONG]
    result = properties_result("props.py", ["simple_moves"], trials, reveal=False)
    assert (result.failed, result.tables) == (True, ())
    assert (result.facts["caught"], result.facts["mistakes"]) == (0, [])
    assert result.lines[0] == "A right solution (pairs) fails test_a: no"
    assert result.lines[1].startswith("Mend this first: ")


# The next task


def next_of(marks, first=1, **step):
    """The result for a learner whose tasks have these marks, and the tasks that were marked.

    The step after the last right task is `step`.
    """
    statuses, tasks = {**dict.fromkeys(TASKS, "not there yet"), **marks}, []

    def mark(task):
        tasks.append(task)
        return {"task": task, "status": statuses[task], "message": f"{task} is {statuses[task]}."}

    return returned(
        next_task(Workshop("next", Path("mine.py")), mark, lambda task: step, first)
    ), tasks


def test_the_next_task_is_the_first_one_that_is_not_right():
    result, tasks = next_of({1: "right", 2: "right", 3: "wrong"})
    assert tasks == [1, 2, 3]
    praise = f"Task 2 is right. {TASKS[2].why}"
    lines = (praise, "", "Task 3: The state of the game", "wrong: 3 is wrong.")
    assert result.lines[:4] == lines
    assert result.lines[-1] == "A hint: purembts workshop hint mine.py --task 3"


def test_any_task_can_be_taken_first_and_the_last_word_comes_at_the_end():
    result, tasks = next_of({11: "right"}, first=11)
    assert (tasks, result.lines[2]) == ([11, 12], "Task 12: The complete tree")
    result, _ = next_of(dict.fromkeys(TASKS, "right"))
    assert result.lines[0] == f"Task 13 is right. {TASKS[13].why}"
    assert result.lines[-1].endswith("To the pub!")
    assert not result.failed


def test_the_step_after_the_last_right_task_is_said_and_its_text_is_a_file():
    result, _ = next_of({1: "right", 2: "wrong"}, lines=["a curve"])
    assert result.lines[:5] == (
        f"Task 1 is right. {TASKS[1].why}",
        "",
        "a curve",
        "",
        result.lines[4],
    )
    result, _ = next_of(dict.fromkeys(TASKS, "right"), lines=[], text="a table")
    assert result.files == ((Path("mine_table.txt"), "a table"),)
    assert "mine_table.txt has your table." in result.lines


def test_an_answer_comes_after_the_guess():
    work = predictions(6)
    assert "How many of 20 games from {7} are won?" in next(work).lines[1]
    assert isinstance(next(work), Question)
    assert work.send("20").lines[0] == TASKS[6].predict[0][1]
    assert list(work) == []


def test_hints_become_plainer_and_the_last_one_stays():
    for before, number in enumerate((1, 2, 3, 3, 3)):
        result = hint(5, before)
        assert result.facts["number"] == number
        is_last = " is the last one" if before > 2 else ""
        assert (
            result.lines[0] == f"Task 5, hint {number} of 3{is_last}: {TASKS[5].hints[number - 1]}"
        )
        assert len(result.lines) == 1 + (before > 2)
