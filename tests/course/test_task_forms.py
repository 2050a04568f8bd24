"""The forms of values that the marker of the tasks reads, and those that it does not read."""

import random
import re
import textwrap
from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest

import purembts
from here import words_of
from purembts.course.tasks import TASKS, mark
from purembts.course.tasks.calls import Mine, ask, call, check_cases, same
from purembts.course.tasks.exactly import _NODES
from purembts.course.tasks.forms import (
    BOX,
    MOVES,
    NUMBER,
    TRUTH,
    NotRead,
    Wrong,
    record,
    result,
    share,
)
from purembts.course.tasks.start import DART, FLIP, TURNS
from purembts.records import Record


def words(code, **more):
    """The words of a file with `code`, which can use those of the library."""
    return words_of("import random\n" + textwrap.dedent(code), **{**vars(purembts), **more})


# Values


class Turned(NamedTuple):
    losses: int
    wins: int


SIGNS = {"WIN": "+", "LOSS": "-"}
WORDS = {"WIN": "win", "LOSS": "loss"}
READ = [
    *((BOX, box, {2, 7}) for box in ({2, 7}, frozenset({2, 7}), {np.int64(2), 7})),
    *((MOVES, moves, [{2}, {3}]) for moves in ([{2}, {3}], (each for each in ({2}, {3})))),
    *((result({}), value, value == (1, 0)) for value in ((1, 0), (0, 1))),
    *((result(SIGNS), sign, sign == "+") for sign in "+-"),
    (record({}), Record(5, (3, 2)), (3, 2)),
    (record({}), Record(0, ()), (0, 0)),
    (record({}), (3, 2), (3, 2)),
    (record(WORDS), {"win": 3}, (3, 0)),
    (record({}), {(0, 1): 2}, (0, 2)),
    (record({"WIN": True, "LOSS": False}), Counter([True, True, False]), (2, 1)),
    *((share({}, 4), value, 1) for value in (0.25, (1, 3), Record(4, (1, 3)))),
    (share({}, 4, times=4), 1, 1),
    *((FLIP, flip, flip) for flip in (":heads", "tails")),
    (DART, np.array([0.5, -1.0]), (0.5, -1.0)),
    (TRUTH, np.bool_(True), True),
    (share({}, 4), np.float64(0.25), 1),
    (TURNS, [[12, (3, 9)], (6, None)], [(12, {3, 9}), (6, set())]),
]
A_LEVER = "is no lever; the levers are the whole"
UNREAD = [
    *((BOX, box) for box in ((2, 7), [2, 7], "27", {2: True}, 130)),
    *((MOVES, moves) for moves in ({2, 3}, 7)),
    *((result({}), value) for value in ("win", True, 2, [1, 0], np.array([1, 0]), object())),
    *((record({}), value) for value in (3, (1, 2, 3), ("win", 3), "win", {"wins": 3}, (1, 0.5))),
    *((record({}), value) for value in (Turned(2, 3), np.array([3, 2]))),
    *((FLIP, flip) for flip in ("edge", 1)),
    *((DART, dart) for dart in (0.5, (0.5,), ("x", "y"))),
    *((TURNS, turns) for turns in ([6, 5], 7)),
    *((_NODES, {(frozenset(), roll): 1}) for roll in (1, "7")),
]
IMPOSSIBLE = [
    *((BOX, {lever, 7}, A_LEVER) for lever in (0, 10, "2", 2.5)),
    *(
        (share({}, 4), value, "With n = 4 it must be from 0 to 1, in steps of 0.25.")
        for value in (2, 0.3)
    ),
    (share({}, 4), (1, 2), "The record has n = 3; it must be 4."),
    *((TURNS, [(roll, {3})], "is no total of two dice, which show 2 to 12") for roll in (1, 13)),
    (DART, (0.5, 2), "Both numbers must be from -1 to 1."),
]


@pytest.mark.parametrize(("form", "value", "expected"), READ)
def test_a_form_is_read(form, value, expected):
    assert ask(Mine({"f": lambda: value}), "f", form) == expected


@pytest.mark.parametrize(("form", "value"), UNREAD)
def test_another_form_is_not_read_and_the_right_one_is_named(form, value):
    with pytest.raises(NotRead, match=rf", which was not read\. Write {re.escape(form.text)}\."):
        ask(Mine({"f": value}), "f", form)


@pytest.mark.parametrize(("form", "value", "message"), IMPOSSIBLE)
def test_an_impossible_value_is_wrong(form, value, message):
    with pytest.raises(Wrong, match=re.escape(message)):
        ask(Mine({"f": value}), "f", form)


# Calls


def test_one_more_argument_with_the_name_of_a_generator_gets_one():
    mine = Mine(words("def dice_roll(rng):\n    return rng.random()"), random.Random(7))
    right = random.Random(7)
    assert [call(mine, "dice_roll") for _ in range(2)] == [right.random(), right.random()]


def test_other_arguments_are_not_read():
    mine = Mine({"ucb": lambda wins, losses: 1})
    form = r"`ucb` was not called as `ucb\(\(1, 2\)\)`\. Write the arguments of the starter file\."
    with pytest.raises(NotRead, match=form):
        call(mine, "ucb", (1, 2))


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (
            "def f(box): return {set(box): 1}",
            "A set cannot be a key: write the boxes as frozensets.",
        ),
        ("def f(box): return box[0]", r"A set has no first item: write list\(moves\)\[i\]."),
        ("def f(box): return f(box)", "Perhaps the function calls itself without an end."),
        ("def f(box): return len(print(box).x)", r"A value is None\. Is a `return` missing"),
    ],
)
def test_the_commonest_errors_have_advice(code, advice):
    with pytest.raises(Wrong, match=rf"in line 2 of mine\.py\. {advice}"):
        call(Mine(words(code)), "f", frozenset({1}))


def test_a_wrong_word_that_remembers_is_tried_alone():
    code = "seen = []\n\ndef f(n):\n    seen.append(n)\n    return len(seen)"
    case = "f", [(1,), (2,)], NUMBER, same(lambda n: 1, lambda *_: "it counts")
    with pytest.raises(Wrong, match=r"it counts\. Alone, in a fresh run of the file"):
        check_cases(Mine(words(code), fresh=lambda: words(code)), *case)
    with pytest.raises(Wrong, match=r"it counts\.$"):
        check_cases(Mine(words(code)), *case)


# Right solutions whose values have other forms

OBJECTS = """
    class Tally:
        def __init__(self, wins=0, losses=0):
            self.wins, self.losses = wins, losses

    def ucb(tally):
        return exactly(Record(tally.wins + tally.losses, (tally.wins, tally.losses)))
"""
RESULT_FIRST = """
    def uct(tree, box):
        return dive(tree, box)[::-1]
"""
OTHERS = {
    "records": (11, OBJECTS, "No form of a record could be read. Write a record as a Record"),
    "the result first": (11, RESULT_FIRST, "Write `return tree, result`"),
}


@pytest.mark.parametrize(("task", "code", "form"), OTHERS.values(), ids=OTHERS)
def test_what_has_another_form_is_not_read(task, code, form):
    library = {"exactly": purembts.ucb, "dive": purembts.uct}
    found = mark(words(code, **library), task)
    assert (found.status, form in found.message) == ("not read", True), found.message


class Broken:
    """A value that raises an error when it is compared or shown."""

    __hash__ = object.__hash__

    def __eq__(self, other):
        raise RuntimeError

    __repr__ = __eq__


ODD = [70, None, "x", [], {}, (1, 2), Broken(), np.array([1, 2]), {frozenset({1}): Broken()}]


@pytest.mark.parametrize("task", TASKS)
def test_no_value_ends_the_marker(task):
    results = {"WIN": np.array([1, 0]), "LOSS": np.array([0, 1])}
    for word in TASKS[task].checks:
        for value in ODD:
            for odd in (value, lambda *_, value=value: value):
                for more in ({}, results):
                    assert mark({word: odd, **more}, task).status in ("wrong", "not read")


def test_the_rim_of_the_circle_does_not_matter():
    code = "def in_circle(dart):\n    x, y = dart\n    return x * x + y * y <= 1"
    assert "Right so far: `in_circle`: " in mark(words(code), 1).message


@pytest.mark.parametrize("default", ["rng=None", "play=play_simple_game", "times=3"])
def test_a_second_argument_of_a_simulation_that_is_no_box_is_left_alone(default):
    code = f"""
        def simulate_simple_game(n, {default}):
            return sum(play_simple_game(simple_start) == WIN for _ in range(n)) / n
    """
    assert mark(words(code), 7).status == "right"


def test_a_second_argument_that_is_no_roll_is_left_alone():
    code = """
        def win_probability(box, memo={}):
            return exactly(box)
    """
    assert mark(words(code, exactly=purembts.win_probability), 12).status == "right"


@pytest.mark.parametrize("body", ["...", "pass", '"""The bound."""', '"""The bound."""\n    ...'])
def test_a_stub_is_not_there_yet(body):
    found = mark(words(f"def ucb(record):\n    {body}"), 11)
    assert (found.status, found.words) == ("not there yet", ())


def test_a_function_that_returns_a_constant_is_there():
    assert mark(words("def ucb(record):\n    return 7"), 11).words == ("ucb",)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("return WIN", "was not played. Throw the dice with your `dice_roll`."),
        (
            "while input() not in ('A', 'B'): pass",
            "again. Number the choices from 1",
        ),
    ],
)
def test_a_game_with_other_dice_or_other_answers_is_not_read(code, message):
    found = mark(words(f"def play_game_user(box):\n    {code}"), 9)
    assert (found.status, message in found.message) == ("not read", True), found.message


LINES_OF_CHOICES = (
    "f'{i}) flip {set(box - move)} to get {set(move)}'",
    "f'{i}: {set(box - move)} {set(move)}'",
    "f'[{i}] shut ' + '+'.join(map(str, box - move)) + f' (roll {roll}), leaves {[*move]}'",
    "f'{i}: {sorted(box)} -> {sorted(move)}  0.0434'",
    "f'  {i} = ' + box_to_str(move)",
    "f'{i}: ' + '-'.join(map(str, sorted(box - move))) + ' | ' + ' '.join(map(str, sorted(move)))",
)


@pytest.mark.parametrize("line", LINES_OF_CHOICES)
def test_a_line_of_a_choice_is_read_in_natural_styles(line):
    code = f"""
        def play_game_user(box=start_box):
            while box:
                roll = dice_roll()
                print("Box", *sorted(box), "roll", roll)
                moves = possible_moves(box, roll)
                if not moves:
                    return LOSS
                answer = 1
                if len(moves) > 1:
                    for i, move in enumerate(moves, 1):
                        print({line})
                    answer = int(input("Which? "))
                box = dict(enumerate(moves, 1))[answer]
            return WIN
    """
    found = mark(words(code), 9)
    assert found.status == "right", found.message
    other = mark(words(code.replace("[answer]", "[3 - answer if len(moves) == 2 else answer]")), 9)
    assert "takes another move than that of line" in other.message, other.message


def test_the_cells_of_a_table_have_their_own_marks():
    code = """
        def box_to_str(box):
            return "".join(str(i) if i in box else "-" for i in range(1, 10))

        def best_move(box, roll):
            return max(possible_moves(box, roll), key=win_probability, default=None)

        def best_move_table_string():
            rows = ([box, *(best_move(box, roll) for roll in range(2, 13))] for box in all_boxes)
            texts = (["x" if move is None else box_to_str(move) for move in row] for row in rows)
            return "\\n".join(map("\\t".join, texts))
    """
    found = mark(words(code), 13)
    assert found.status == "right", found.message
