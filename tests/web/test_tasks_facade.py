"""A solution has the marks of `purembts check` on the page, and can be tried there."""

import json
import random
import sys

import pytest

import facade
from new_process import printed
from purembts.course.mistakes import right_solutions
from purembts.course.processes import mark_of
from purembts.course.tasks import mark


def steps(source, tasks, **more):
    """The steps of marking."""
    asked = json.dumps({"source": source, "tasks": tasks, **more})
    return [json.loads(step) for step in facade.steps("mark", asked)]


def marks(source, tasks, **more):
    """The marks of the tasks, without what comes before each."""
    return steps(source, tasks, **more)[1::2]


def answer(name, **arguments):
    return json.loads(next(facade.steps(name, json.dumps(arguments))))


def tried(source, text):
    found = answer("line_output", source=source, text=text)
    return found["output"] + found["error"]


# Marks


def test_a_message_is_that_of_the_command_line(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("simple_start = {1}\ndef simple_moves(box, roll):\n    return box[roll]\n")
    assert marks(file.read_text(), [4, 5, 6]) == [mark_of(file, task) for task in (4, 5, 6)]


def test_each_mark_comes_after_the_news_that_its_task_begins():
    found = steps("simple_start = set(range(2, 10))", [5, 6])
    assert [step.get("begins") for step in found] == [5, None, 6, None]
    assert [step.get("status") for step in found] == [None, "right", None, "not there yet"]


def test_the_lines_below_the_marks_are_those_of_the_command_line():
    source = "simple_start = {1}\nnix\nuct = 3"
    found = answer("mark_lines", marks=marks(source, [5, 11]))
    place = "mine.py cannot be loaded, because of line 2"
    assert found["lines"] == [
        f"{place}: NameError: name 'nix' is not defined. Only the words before it are marked.",
        "right: 0 of 2",
    ]


def test_an_error_of_syntax_is_told_once():
    with pytest.raises(ValueError, match=r"line 2: SyntaxError: [^()]*\.\n    x \+\n *\^$"):
        marks("x = 1\nx +", [5])


def test_a_file_without_a_word_has_no_lines_below_its_marks():
    [mark] = marks("from purembts import *", [5])
    assert mark["message"].startswith("To write: `simple_start`")
    assert answer("mark_lines", marks=[mark]) == {"lines": []}


def test_what_a_solution_prints_asks_and_changes_is_left_alone(capsys):
    source = "import random, sys\nrandom.random()\nprint('loud')\nsimple_start = {1}\n"
    source += "sys.path.append('x')\ninput()\n"
    random.seed(7)
    before = random.getstate(), sys.path[:], sys.stdin
    [found] = marks(source, [5])
    assert "EOFError: EOF when reading a line. Put what runs or asks" in found["trouble"]
    assert (random.getstate(), sys.path, sys.stdin) == before
    assert "mine" not in sys.modules
    assert capsys.readouterr().out == ""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="jumps are watched from Python 3.12 on")
def test_an_endless_loop_has_no_time_and_names_its_line():
    source = "simple_start = set(range(2, 10))\n\ndef play_simple_game(box):\n"
    source += "    while box:\n        pass\n    return (1, 0)\n"
    endless, next_one = marks(source, [6, 5], limit=0.5)
    line = 1 + source.splitlines().index("    while box:")
    assert endless["status"] == "not finished"
    assert endless["message"].startswith("It was not done after 0.5 seconds, in line ")
    assert "of mine.py (`play_simple_game`). Perhaps it never ends." in endless["message"]
    assert abs(int(endless["message"].split("line ")[1].split()[0]) - line) <= 1
    assert next_one["status"] == "right"


ALONE = """
import json, sys
sys.modules |= dict.fromkeys(["hypothesis", "numpy", "rich"])
import facade
asked = json.dumps({"source": sys.argv[1], "tasks": [3, 5]})
found = map(json.loads, facade.steps("mark", asked))
print([step["status"] for step in found if "status" in step])
"""


def test_a_solution_is_marked_where_hypothesis_is_missing():
    found, _ = printed("-c", ALONE, right_solutions()["plain"])
    assert found == "['right', 'right']\n"


# The prompt


@pytest.mark.skipif(sys.version_info < (3, 12), reason="jumps are watched from Python 3.12 on")
@pytest.mark.parametrize("text", ["while True: pass", "endless()"])
def test_an_endless_line_is_ended(text):
    source = "def endless():\n    while True:\n        pass\n"
    found = answer("line_output", source=source, text=text, limit=0.3)
    assert found["error"].startswith("It was not done after 0.3 seconds")


def test_a_line_is_run_with_the_words_of_the_solution():
    source = "def double(x):\n    return 2 * x\nprint('loading')\n"
    assert tried(source, "double(4)") == "loading\n8\n"
    assert tried(source, "y = double(5)") == ""
    assert tried(source, "print(y); y + 1") == "10\n11\n"
    assert tried(source + "\n", "y").endswith("NameError: name 'y' is not defined")


def test_an_error_names_the_line_of_the_solution():
    source = "def half(x):\n    return x / 0\n"
    assert tried(source, "half(4)") == "ZeroDivisionError: division by zero in line 2 of mine.py"
    assert tried(source, "1 +").startswith("SyntaxError: ")
    assert tried(source, "input()").startswith("EOFError")


def test_a_long_output_is_cut():
    assert len(tried("", "print('x' * 10**6)")) < 30_000


def test_marks_do_not_depend_on_the_prompt():
    source = "simple_start = set(range(2, 10))"
    tried(source, "simple_start.clear()")
    assert [found["status"] for found in marks(source, [5])] == ["right"]
    assert mark({"simple_start": {1}}, 5).status == "wrong"


def test_the_news_of_a_task_has_the_mark_for_a_solution_that_hangs():
    news = steps("simple_start = {1}", [5], limit=3)[0]
    assert news["late"] == {
        "task": 5,
        "title": "Playing by hand",
        "status": "not finished",
        "message": "It was not done after 3 seconds. Perhaps it never ends.",
    }
