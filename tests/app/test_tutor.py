"""`purembts workshop`: a starter file, the next task, hints, and results as JSON."""

import builtins
import json
import re
import sys
from textwrap import wrap

import pytest

import texts
from here import asked_here, words_of
from purembts import Record, ucb
from purembts.__main__ import run
from purembts.app import check_results, commands, terminal
from purembts.app.requests import Workshop
from purembts.app.steps import Question, returned
from purembts.course.mistakes import right_solutions
from purembts.course.tasks import TASKS, mark, starter_file


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield from asked_here(monkeypatch, tmp_path)


# The texts


def test_each_task_has_texts():
    assert list(TASKS) == [*range(1, 14)]
    for each in TASKS.values():
        assert len(each.hints) == 3
        assert len(set(each.hints)) == 3
        assert each.text
        assert each.why.endswith(".")


def test_the_stubs_have_the_words_that_the_tasks_need_and_none_is_there_yet():
    words = words_of(starter_file())
    for number, task in TASKS.items():
        assert all(any(word in words for word in each.split(" or ")) for each in task.needed)
        found = mark(words, number)
        assert (found.status, found.words) == ("not there yet", ())
        assert "comes from purembts" not in found.message


def test_the_texts_of_the_starter_file_fill_their_lines():
    for comment in re.findall(r"^# Task \d+: .*\n#\n((?:#.*\n)+)", starter_file(), re.MULTILINE):
        lines = [line.removeprefix("# ") for line in comment.splitlines()]
        assert lines == wrap(" ".join(lines), 86)


def test_a_record_of_the_starter_file_may_be_one_of_the_pages():
    assert "or a `Record` of purembts" in starter_file().replace("\n# ", " ")
    assert mark({"ucb": lambda record: ucb(record)}, 11).words == ("ucb",)
    assert mark({"ucb": lambda pair: ucb(Record(sum(pair), pair))}, 11).words == ("ucb",)


def test_the_bodies_of_a_right_solution_fit_the_stubs():
    source = f"{starter_file()}\n\n{right_solutions()['plain']}"
    assert [mark(words_of(source), task).status for task in (2, 4, 5, 13)] == ["right"] * 4


def test_the_questions_before_a_task_are_those_of_the_workshop():
    pages = re.split(r"^## Task \d+: .*$", texts.workshop(), flags=re.MULTILINE)[1:]
    for page, task in zip(pages, TASKS.values(), strict=True):
        asked = re.findall(r"<summary>(.*?)</summary>\n\n(.*?)\n\n", page, re.DOTALL)
        answers = [(question, " ".join(answer.split())) for question, answer in asked]
        assert task.predict
        assert [(question, f"{answer.rstrip(':.')}.") for question, answer in answers] == [
            *task.predict
        ]


def test_an_answer_comes_after_the_guess():
    work = check_results.predicted(6)
    assert "How many of 20 games from {7} are won?" in next(work).lines[1]
    assert isinstance(next(work), Question)
    assert work.send("20").lines[0] == TASKS[6].predict[0][1]
    assert list(work) == []


# The next task


def facts(task, status):
    return {"task": task, "status": status, "message": f"{task} is {status}."}


def tutored(marks, tmp_path, first=1):
    request = Workshop("next", tmp_path / "mine.py")
    statuses = {**dict.fromkeys(TASKS, "not there yet"), **marks}
    asked = []

    def marked(task):
        asked.append(task)
        return facts(task, statuses[task])

    return returned(check_results.next_task(request, marked, first)), asked


def test_the_next_task_is_the_first_one_that_is_not_right(tmp_path):
    result, asked = tutored({1: "right", 2: "right", 3: "wrong"}, tmp_path)
    assert asked == [1, 2, 3]
    assert result.lines[:4] == (
        f"Task 2 is right. {TASKS[2].why}",
        "",
        "Task 3: The state of the game",
        "wrong: 3 is wrong.",
    )
    hint = f"A hint: purembts workshop hint {tmp_path / 'mine.py'} --task 3"
    assert result.lines[-1] == hint


def test_any_task_can_be_taken_first_and_the_last_word_comes_at_the_end(tmp_path):
    result, asked = tutored({11: "right"}, tmp_path, first=11)
    assert asked == [11, 12]
    assert result.lines[2] == "Task 12: The complete tree"
    result, _ = tutored(dict.fromkeys(TASKS, "right"), tmp_path)
    assert result.lines[-1] == check_results._LAST_WORD
    assert not result.failed


# At the command line


def test_a_learner_starts_writes_and_asks(folder, capsys):
    assert run(["workshop", "start", "mine.py"]) == 0
    assert (folder / "mine.py").read_text("utf-8") == starter_file()
    assert run(["workshop", "next", "mine.py"]) == 1
    assert "Task 1: A coin and a dart" in capsys.readouterr().out
    source = starter_file().replace("simple_start = ...", "simple_start = frozenset(range(2, 10))")
    (folder / "mine.py").write_text(source, "utf-8")
    assert run(["workshop", "next", "mine.py", "--task", "5", "--json"]) == 1
    tasks = json.loads(capsys.readouterr().out)["tasks"]
    assert [(each["task"], each["status"]) for each in tasks] == [
        (5, "right"),
        (6, "not there yet"),
    ]


def test_hints_become_plainer_and_the_last_one_stays(folder, capsys):
    (folder / "mine.py").write_text("simple_start = 1")
    for number in (1, 2, 3):
        assert run(["workshop", "hint", "mine.py", "--task", "5"]) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert f"Task 5, hint {number} of 3: {TASKS[5].hints[number - 1]}" in said
    assert run(["workshop", "hint", "mine.py", "--task", "5"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"Task 5, hint 3 of 3 is the last one: {TASKS[5].hints[-1]}" in said
    assert "The pages docs/workshop*.md have one way to write each task." in said
    assert (folder / "mine.hints").read_text().split() == ["5"] * 4
    assert run(["workshop", "hint", "mine.py", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["task"] == 1


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["start", "mine.py"], 2, "`FILE` must be a new file; mine.py is there already."),
        (["next", "none.py"], 2, "This writes it: purembts workshop start none.py"),
    ],
)
def test_wrong_steps_are_refused(words, code, message, folder, capsys):
    (folder / "mine.py").write_text("mine = 1")
    assert run(["workshop", *words]) == code
    assert message in " ".join(capsys.readouterr().err.split())
    assert (folder / "mine.py").read_text() == "mine = 1"


def test_the_questions_are_asked_once_before_each_task_that_is_shown(folder, capsys, monkeypatch):
    (folder / "mine.py").write_text("")
    right = iter([0, 0, 1])  # the tasks that are right each time the file is saved
    ends = {}

    def saved(step):
        ends["right"] = next(right)
        return (step.before or 0) + 1

    def marked(_, task, **__):
        return facts(task, "right" if task <= ends["right"] else "not there yet")

    monkeypatch.setattr(terminal, "_changed", saved)
    monkeypatch.setattr(commands, "marked", marked)
    monkeypatch.setattr(builtins, "input", lambda _: "50")
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    assert run(["workshop", "next", "mine.py"]) == 0
    asked = re.findall(r"Predict first\. (.*)", capsys.readouterr().out)
    assert [question[:9] for question in asked] == ["Of 100 fl", "You throw", "How many "]
