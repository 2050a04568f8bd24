"""`purembts workshop`: a learner starts a file, has the next task marked, and asks for hints."""

import json

import pytest

from here import asked_here
from purembts.__main__ import run
from purembts.course.mistakes import right_solutions
from purembts.course.processes import step_after
from purembts.course.tasks import starter_file


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield from asked_here(monkeypatch, tmp_path)


def test_a_learner_starts_writes_and_asks(folder, capsys):
    assert run(["workshop", "start", "mine.py"]) == 0
    assert (folder / "mine.py").read_text("utf-8") == starter_file()
    assert run(["workshop", "next", "mine.py"]) == 1
    assert "Task 1: A coin and a dart" in capsys.readouterr().out
    source = starter_file().replace("simple_start = ...", "simple_start = frozenset(range(2, 10))")
    (folder / "mine.py").write_text(source, "utf-8")
    assert run(["workshop", "next", "mine.py", "--task", "5", "--json"]) == 1
    tasks = json.loads(capsys.readouterr().out)["tasks"]
    assert [task["task"] for task in tasks] == [5, 6]
    assert [task["status"] for task in tasks] == ["right", "not there yet"]


STEPS = {
    7: ["Your `simulate_simple_game`", "exactly 0.000206"],
    8: ["Your `simulate`", "exactly 0.020393"],
    11: ["The tree of your `uct`", "best play: 0.0714, the right end", "10,000    511"],
    12: ["  0.1015  shut {9}", "  0.0521  shut {1, 8}"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", right_solutions())
@pytest.mark.parametrize("task", STEPS)
def test_the_step_after_a_task_uses_the_words_of_the_solution(task, name, folder):
    (folder / "mine.py").write_text(right_solutions()[name])
    text = "\n".join(step_after("mine.py", task)["lines"])
    assert [part for part in STEPS[task] if part not in text] == []


def test_the_table_for_the_pub_is_saved_at_the_end(folder, capsys):
    (folder / "mine.py").write_text(right_solutions()["plain"])
    assert run(["workshop", "next", "mine.py", "--task", "13"]) == 0
    assert "mine_table.txt has your table." in capsys.readouterr().out
    assert len((folder / "mine_table.txt").read_text().splitlines()) == 512


def test_a_step_that_fails_says_why(folder):
    (folder / "mine.py").write_text("def uct(tree, box):\n    raise KeyError(box)\n")
    assert "`uct({}, frozenset({1" in step_after("mine.py", 11)["lines"][0]


def test_a_hint_is_remembered_in_a_file(folder, capsys):
    (folder / "mine.py").write_text("simple_start = 1")
    for number in (1, 2):
        assert run(["workshop", "hint", "mine.py", "--task", "5"]) == 0
        assert f"Task 5, hint {number} of 3: " in capsys.readouterr().out
    assert (folder / "mine.hints").read_text().split() == ["5"] * 2
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
