"""The thirteen tasks: right solutions are right, and wrong solutions get a message that helps."""

import random
import re
import textwrap
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import purembts
import texts
from here import words_of
from marks import cases
from purembts.course.mistakes import right_solutions
from purembts.course.tasks import TASKS, Mark, is_borrowed, mark

ON_PAPER = {
    "won_game": [(12, {3, 9}), (12, {4, 8}), (11, {5, 6}), (10, {1, 2, 7})],
    "lost_game": [(6, {6}), (6, {1, 5}), (6, {2, 4})],
}
SHORT = {
    "number_of_states": 5632,
    "monte_carlo_tree_search": lambda box, dives: purembts.search({}, box, dives)[box],
    "optimal_table": lambda: {box: purembts.win_probability(box) for box in purembts.all_boxes},
}
"""Words of the tasks that the library leaves to the learner."""
LIBRARY = {**vars(purembts), **ON_PAPER, **SHORT}


def solved(code, **words):
    """The words of a file with `code`, which can use the words of the library."""
    return words_of("from purembts import *\nimport random\n" + textwrap.dedent(code), **words)


# Right solutions


@pytest.mark.parametrize("task", cases({str(t): (t,) for t in TASKS}, slow=("6", "7", "8", "11")))
def test_the_library_is_right(task):
    verdict = mark(LIBRARY, task)
    assert (verdict.status, verdict.missing) == ("right", ()), verdict.message
    assert verdict.words == tuple(TASKS[task].checks)
    assert verdict.message.count("`:") >= len(verdict.words)


def test_the_same_seed_gives_the_same_verdict():
    words = solved("def dice_roll():\n    return random.randint(2, 12)")
    marks = [mark(words, 3, seed=seed) for seed in (1, 1, 2)]
    assert marks[0] == marks[1] != marks[2]


def test_marking_leaves_the_random_numbers_and_the_output_alone(capsys):
    random.seed(7)
    expected = random.Random(7).random()
    mark(solved("def dice_roll():\n    print('rolling')\n    return 7"), 3)
    assert random.random() == expected
    assert capsys.readouterr().out == ""


# Parts of solutions


def test_the_words_that_are_missing_are_named():
    missing = ("best_move or best_move_table", "best_move_table_string")
    message = "To write: `best_move` or `best_move_table`, `best_move_table_string`."
    assert mark({}, 13) == Mark(13, TASKS[13].title, "not there yet", message, (), missing)
    assert mark({}, 4).message == "To write: `simple_moves`."


def test_a_part_is_right_so_far_and_names_the_missing_words():
    verdict = mark(
        solved("def ucb(record):\n    return workshop_ucb(record)", workshop_ucb=purembts.ucb), 11
    )
    assert verdict.status == "not there yet"
    assert verdict.words == ("ucb",)
    assert verdict.missing == ("uct",)
    assert verdict.message == (
        "To write: `uct`. `uct` comes from purembts; write your own. Right so far: "
        "`ucb`: 1,198 records, checked exactly."
    )


def test_words_of_the_library_are_no_solution():
    assert mark(solved(""), 8).status == "not there yet"
    assert mark(solved("start_box = frozenset(range(1, 10))"), 3).words == ("start_box",)
    assert not is_borrowed(vars(purembts), "uct")
    assert not is_borrowed(vars(purembts.workshop), "uct")
    assert is_borrowed(solved(""), "uct")


def test_a_task_that_does_not_exist():
    with pytest.raises(ValueError, match="one of the tasks 1 to 13; got 14"):
        mark({}, 14)


def test_each_word_belongs_to_one_task():
    words = Counter(word for task in TASKS.values() for word in task.checks)
    assert set(words.values()) == {1}
    for task in TASKS.values():
        assert {word for need in task.needed for word in need.split(" or ")} <= set(task.checks)


def test_a_box_that_becomes_a_key_is_a_frozenset_where_the_start_box_is_a_set():
    code = """
        start_box = {1, 2, 3, 4, 5, 6, 7, 8, 9}

        def build_tree(tree, node):
            return grown({**tree, node: None}, node) and grown({}, node)

        def simple_moves(box, roll):
            box = box.copy()
            return [] if roll not in box else [box.remove(roll) or box]
    """
    words = solved(code, grown=purembts.build_tree)
    assert [mark(words, task).status for task in (4, 12)] == ["right", "right"]


# Wrong solutions. `test_solutions` has the mistakes of the table.


def test_a_wrong_word_of_an_earlier_task_is_named_as_the_reason():
    code = """
        def dice_roll():
            return random.randint(2, 12)

        def play_game(box):
            while box:
                moves = possible_moves(box, dice_roll())
                if not moves:
                    return LOSS
                box = random.choice(moves)
            return WIN
    """
    assert mark(solved(code), 8).message.endswith(
        "`dice_roll` is wrong, too, and may be the reason: mark task 3 first."
    )
    unused = code.replace("(box, dice_roll())", "(box, random.randint(2, 12))")
    assert "dice_roll" not in mark(solved(unused), 8).message
    code += "\n\n        def possible_moves(box, roll):\n            return ()"
    assert "dice_roll" not in mark(solved(code), 8).message


def edited(name, *edits):
    """The words of a right solution of `purembts.verify`, with texts that are replaced."""
    source = right_solutions()[name]
    for old, new in edits:
        assert source.count(old) == 1
        source = source.replace(old, new)
    return solved(source)


ROLLS_OF_SEVEN = """
import purembts
def build_tree(tree, node):
    grown = purembts.build_tree(tree, node)
    return {each: grown[each] if each[1] != 7 or each == node else 0.5 for each in grown}
"""
THREE_GAMES = "def monte_carlo_tree_search(box, dives):\n    return 1, 2"


@pytest.mark.parametrize(
    ("task", "code", "message"),
    [
        (12, ROLLS_OF_SEVEN, "[frozenset({1}), 7]` is 0.5; it must be 0: no levers add up"),
        (
            11,
            THREE_GAMES,
            "`monte_carlo_tree_search(frozenset({7}), 1)` gives (1, 2). {7} has n = 3;",
        ),
    ],
)
def test_a_wrong_part_of_a_right_answer_is_named(task, code, message):
    found = mark(solved(code), task)
    assert (found.status, message in found.message) == ("wrong", True), found


@pytest.mark.parametrize("results", ["True, False", "('win', 1), ('loss', 0)"])
def test_results_in_another_form_are_not_read_where_they_are_counted(results):
    code = f"""
        won, lost = {results}

        def play_simple_game(box):
            return won if play(box) == (1, 0) else lost

        def simulate_simple_game(n):
            return sum(play_simple_game(simple_start) == won for _ in range(n)) / n
    """
    words = solved(code, play=purembts.play_simple_game)
    assert [mark(words, task).status for task in (6, 7)] == ["not read", "not read"]


def test_a_word_that_uses_one_that_is_not_read_is_left_out():
    code = """
        all_boxes = [sorted(box) for box in boxes]

        def look_up_table(n):
            return {tuple(box): 0.5 for box in all_boxes}
    """
    found = mark(solved(code, boxes=purembts.all_boxes), 10)
    assert (found.status, found.message.count("was not read")) == ("not read", 1)


def test_darts_in_the_whole_square_get_no_advice_about_its_ends():
    code = "def throw_dart():\n    return random.uniform(-1, 1) ** 3, random.uniform(-1, 1)"
    found = mark(solved(code), 1)
    assert found.status == "wrong"
    assert found.message.endswith("chance explains such a difference less often than once in 10^9.")


@pytest.mark.slow
def test_a_tree_that_a_solution_gets_has_the_set_of_a_persistent_map():
    words = edited(
        "plain",
        ("{**tree, box: record}", "tree.set(box, record)"),
        ("{**tree, node: 1.0}", "tree.set(node, 1.0)"),
        ("{**tree, node: value}", "tree.set(node, value)"),
    )
    del words["monte_carlo_tree_search"]  # it begins with a dict
    assert [mark(words, task).status for task in (11, 12)] == ["right"] * 2


OTHER_WAYS = tomllib.loads(Path(__file__).with_name("other_ways.toml").read_text("utf-8"))
"""Other ways to write a right solution, as edits of it, by their names."""


@pytest.mark.parametrize(
    "way",
    cases(
        {name: (way,) for name, way in OTHER_WAYS.items()},
        slow=[name for name, way in OTHER_WAYS.items() if way["task"] != 13],
    ),
)
def test_other_ways_to_write_a_right_solution_are_right(way):
    found = mark(edited(way["on"], *way["edits"]), way["task"])
    assert found.status == "right", found.message


@pytest.mark.parametrize("box", ['"123456789"', "0b111111111", "dict.fromkeys(range(1, 10), True)"])
def test_a_start_box_of_another_form_is_not_read(box):
    words = edited("pairs", ("start_box = frozenset(range(1, 10))", f"start_box = {box}"))
    assert mark(words, 4).status == "not read"


# The game with a person


def test_answers_are_read_and_lines_are_written_in_other_ways_than_by_input_and_print():
    words = edited("pairs", ("def play_game_user", "import sys\n\n\ndef play_game_user"))
    words["input"] = lambda prompt: words["sys"].stdin.readline()
    words["print"] = lambda *line: words["sys"].stdout.write(f"{' '.join(map(str, line))}\n")
    assert mark(words, 9).status == "right"


def test_input_and_words_come_back_after_a_game_with_a_person():
    words = edited("plain")
    before, ask = words["possible_moves"], input
    mark(words, 9)
    assert words["possible_moves"] is before
    assert input is ask


def test_the_titles_of_the_tasks_are_the_headings_of_the_documentation():
    heads = re.findall(r"^## Task (\d+): (.*)$", texts.workshop(), re.MULTILINE)
    assert {int(number): title for number, title in heads} == {
        number: task.title for number, task in TASKS.items()
    }
