"""Solutions of the workshop's tasks, as learners write them: right ones, and mistakes in them.

`purembts.course.mistakes` has two right solutions, and 242 mistakes as diffs of them.
`test_task_forms` has values in other forms.

The marker has to mark each mistake with its message, and each right solution as right. So the
mistakes hold the marker, and the marker holds the right solutions. SEEDS=10 tries ten seeds.
"""

import ast
import os
from functools import cache
from pathlib import Path

import pytest

from here import words_of
from marks import cases
from purembts.course import tasks
from purembts.course.mistakes import edits_of, mistakes, right_solutions, source_of
from purembts.course.tasks import TASKS, mark
from purembts.course.tasks.forms import NotRead, Wrong

# The collection


@cache
def definitions(source):
    """The code of each name that a module defines."""
    code = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            code[node.name] = ast.unparse(node)
        elif isinstance(node, ast.Assign):
            code |= dict.fromkeys(map(ast.unparse, node.targets), ast.unparse(node))
    return code


def test_each_task_has_mistakes_with_names_of_their_own():
    assert {each.task for each in mistakes()} == set(TASKS)
    assert len({each.mistake for each in mistakes()}) == len(mistakes()) == 242
    assert [*MARKS] == [each.mistake for each in mistakes()]


def marks_of_mistakes():
    """The mark of each mistake, by the mistake in words: its status and a part of its message."""
    _, *texts = Path(__file__).with_name("marks.txt").read_text("utf-8").split("\n# ")
    pairs = (text.strip().split("\n") for text in texts)
    return {mistake: tuple(mark.split(": ", 1)) for mistake, mark in pairs}


MARKS = marks_of_mistakes()


def test_each_mistake_changes_lines_that_a_right_solution_has_once():
    for each in mistakes():
        for lines, others in edits_of(each):
            assert f"\n{right_solutions()[each.on]}".count(f"{lines}\n") == 1, each
            assert lines != others
        before, after = map(definitions, (right_solutions()[each.on], source_of(each)))
        assert {name for name in before | after if before.get(name) != after.get(name)} == {
            *each.names
        }


# The marking

CHECKED = {}
"""The outcomes of checks, by the word, the seed, and the code that the word needs."""


@pytest.fixture(autouse=True)
def _(monkeypatch):
    """Check a word once for all solutions in which it has the same code.

    With a mistake, the words of its task are checked, and then those of earlier tasks, as one of
    them may be the reason. Most of them are those of a right solution.
    """
    check = tasks._certainty

    def checked(mine, task, word, seed):
        needed = {word, *tasks.words_below(mine.words, word), "start_box", "simple_start"}
        parts = definitions(mine.words["_source"])
        key = (word, seed, *((each, parts.get(each)) for each in sorted(needed)))
        found = CHECKED.get(key)
        if found is None or (mine.fresh and isinstance(found, Exception)):
            try:
                found = check(mine, task, word, seed)
            except (Wrong, NotRead) as fault:
                found = fault
            CHECKED[key] = found
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(tasks, "_certainty", checked)


SEEDS = int(os.environ.get("SEEDS", "1"))
"""The seeds with which each solution is marked. More than one takes minutes."""
ALL = {f"{number}-{each.task}": (each,) for number, each in enumerate(mistakes())}
FIRST = {each.task: name for name, (each,) in reversed(ALL.items())}
EXACT = ("`ucb(", "`all_boxes` leaves out")
QUICK_MISTAKES = {FIRST[task] for task in (1, 3, 6, 7, 8, 9, 12, 13)} | {
    name
    for name, (each,) in ALL.items()
    if each.task in (2, 4, 5) or MARKS[each.mistake][1].startswith(EXACT)
}
"""One of each task at least, and those that are marked without a game."""


@pytest.mark.parametrize("mistake", cases(ALL, slow=ALL.keys() - QUICK_MISTAKES))
def test_a_mistake_is_marked_with_its_message(mistake):
    source, (status, message) = source_of(mistake), MARKS[mistake.mistake]
    for seed in range(SEEDS):
        words = words_of(source, _source=source)
        found = mark(words, mistake.task, seed=seed, fresh=lambda: words_of(source))
        assert (found.status, message in found.message) == (status, True), found


@pytest.mark.slow
@pytest.mark.parametrize("name", right_solutions())
def test_a_right_solution_is_marked_right(name):
    source = right_solutions()[name]
    for seed in range(SEEDS):
        words = words_of(source, _source=source)
        marks = [mark(words, task, seed=seed) for task in TASKS]
        assert [each for each in marks if each.status != "right"] == []
