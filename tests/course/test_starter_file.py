"""The texts of the tasks, and the starter file of a learner."""

import re
from textwrap import wrap

import texts
from here import words_of
from purembts import Record, ucb
from purembts.course.mistakes import right_solutions
from purembts.course.tasks import TASKS, mark, starter_file


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
        asked = re.findall(r"<summary>([^<]*\?)</summary>\n\n(.*?)\n\n", page, re.DOTALL)
        answers = [(question, " ".join(answer.split())) for question, answer in asked]
        assert task.predict
        assert [(question, f"{answer.rstrip(':.')}.") for question, answer in answers] == [
            *task.predict
        ]
