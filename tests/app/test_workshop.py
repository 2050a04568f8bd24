"""`purembts workshop`: a learner starts a file, has the next task marked, and asks for hints."""

import json

import pytest

from here import asked_here
from purembts.__main__ import run
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
