"""The forms of values that the marker of the tasks reads, and those that it does not read."""

import re
import textwrap
from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest

import purembts
from purembts.records import Record
from purembts.verify.tasks import mark
from purembts.verify.tasks.calls import Mine, Tree, call, each, seeded
from purembts.verify.tasks.chances import share_of
from purembts.verify.tasks.forms import (
    NotRead,
    Wrong,
    box_of,
    moves_of,
    read,
    record_of,
    result_of,
)
from purembts.verify.tasks.start import total_of

SHUT = frozenset()


def words(code, **more):
    """The words of a file with `code`, which can use those of the library."""
    names = {**vars(purembts), **more, "__name__": "mine", "__file__": "mine.py"}
    exec(compile("import random\n" + textwrap.dedent(code), "mine.py", "exec"), names)
    return names


# Values


class Turned(NamedTuple):
    losses: int
    wins: int


SIGNS = {"WIN": "+", "LOSS": "-"}
READ = [
    *((box_of, box, {2, 7}) for box in ({2, 7}, frozenset({2, 7}), {np.int64(2), 7})),
    *((moves_of, moves, [{2}, {3}]) for moves in ([{2}, {3}], (each for each in ({2}, {3})))),
    *((result_of({}), win, True) for win in ((1, 0), True, 1, "win")),
    *((result_of({}), loss, False) for loss in ((0, 1), False, 0, "loss")),
    *((result_of(SIGNS), sign, sign == "+") for sign in "+-"),
    (record_of({}), Record(5, (3, 2)), (3, 2)),
    (record_of({}), Record(0, ()), (0, 0)),
    (record_of({}), (3, 2), (3, 2)),
    (record_of({}), {"win": 3}, (3, 0)),
    (record_of({}), {(0, 1): 2}, (0, 2)),
    (record_of({}), Counter([True, True, False]), (2, 1)),
    *((share_of({}, 4), share, 1) for share in (0.25, (1, 3), Record(4, (1, 3)))),
]
A_BOX, A_RECORD = "a box as a set of the levers that are up", "a record as"
A_RESULT, A_LEVER = "the result as `WIN` or `LOSS`", "is no lever; the levers are the whole"
UNREAD = [
    *((NotRead, box_of, box, A_BOX) for box in ((2, 7), [2, 7], "27", {2: True}, 130, None)),
    *((Wrong, box_of, {lever, 7}, A_LEVER) for lever in (0, 10, "2", True, 2.5)),
    (Wrong, moves_of, {2, 3}, "That is one box, and the answer is a set of boxes"),
    *((NotRead, result_of({}), result, A_RESULT) for result in ("draw", 2, [1, 0], object())),
    (NotRead, result_of({}), np.array([1, 0]), A_RESULT),
    *((NotRead, record_of({}), record, A_RECORD) for record in (3, (1, 2, 3), ("win", 3), "win")),
    *((NotRead, record_of({}), record, A_RECORD) for record in (Turned(2, 3), np.array([3, 2]))),
    (NotRead, record_of({}), {"wins": 3}, A_RESULT),
    (Wrong, share_of({}, 4), 2, "from 0 to 1"),
    (Wrong, share_of({}, 4), 0.3, "one of 0, 0.25, 0.5, 0.75, ..."),
    (Wrong, share_of({}, 4), (1, 2), "a record of 3 games; it must be a record of 4"),
    (Wrong, total_of, [3, 4], "It must be the total of two dice"),
]


@pytest.mark.parametrize(("form", "value", "expected"), READ)
def test_a_form_is_read(form, value, expected):
    assert form(value) == expected


@pytest.mark.parametrize(("kind", "form", "value", "message"), UNREAD)
def test_another_form_or_an_impossible_value_is_not_read(kind, form, value, message):
    with pytest.raises(kind, match=re.escape(message)):
        form(value)


def test_none_is_a_missing_return():
    with pytest.raises(Wrong, match=r"`f\(\)` gives None\. Is a `return` missing\?"):
        read("f()", box_of, None)


def test_the_empty_tree_is_a_dict_with_the_set_of_a_persistent_map():
    tree = Tree()
    grown = tree.set(SHUT, 1).set("more", 2)
    assert (tree, grown) == ({}, {SHUT: 1, "more": 2})


# Calls


def test_one_more_argument_with_the_name_of_a_generator_gets_one():
    mine = seeded(Mine(words("def dice_roll(rng):\n    return rng.random()")), "7")
    assert call(mine, "dice_roll") != call(mine, "dice_roll")
    again = seeded(mine, "7")
    assert call(again, "dice_roll") == call(seeded(mine, "7"), "dice_roll")


def test_other_arguments_are_not_read():
    mine = Mine({"ucb": lambda wins, losses: 1})
    with pytest.raises(
        NotRead, match=r"`ucb` takes the arguments wins, losses, .*`ucb\(\(1, 2\)\)`"
    ):
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

    def check(mine, n):
        if call(mine, "f", n) != 1:
            raise Wrong("It counts.")

    with pytest.raises(
        Wrong, match=r"It counts\. Alone, in a fresh run of the file, this is right"
    ):
        each(Mine(words(code), fresh=lambda: words(code)), [(1,), (2,)], check)
    with pytest.raises(Wrong, match=r"^It counts\.$"):
        each(Mine(words(code)), [(1,), (2,)], check)


# Right solutions whose values have other forms

TUPLES = """
    start_box = tuple(range(1, 10))

    def simple_moves(box, roll):
        return [tuple(lever for lever in box if lever != roll)] if roll in box else []
"""
ENUM = """
    import enum
    Result = enum.Enum("Result", "WIN LOSS")

    def play_simple_game(box):
        moves = simple_moves(box, dice_roll())
        return play_simple_game(moves[0]) if box and moves else Result.LOSS if box else Result.WIN
"""
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
THREE = """
    def build_tree(tree, box, roll):
        return grown(tree, (box, roll))
"""
OTHERS = {
    "boxes": (4, TUPLES, "Write a box as a set of the levers that are up: frozenset({2, 7})."),
    "results": (6, ENUM, "Write the result as `WIN` or `LOSS`"),
    "records": (11, OBJECTS, "No form of a record could be read. Write a record as a Record"),
    "the result first": (11, RESULT_FIRST, "Write the tree first, and then the result."),
    "three arguments": (12, THREE, "Write the arguments tree and node, a pair."),
}


@pytest.mark.parametrize(("task", "code", "form"), OTHERS.values(), ids=OTHERS)
def test_what_has_another_form_is_not_read(task, code, form):
    library = {"exactly": purembts.ucb, "dive": purembts.uct, "grown": purembts.build_tree}
    found = mark(words(code, **library), task)
    assert (found.status, form in found.message) == ("not read", True), found.message


def test_the_rim_of_the_circle_does_not_matter():
    code = "def in_circle(dart):\n    x, y = dart\n    return x * x + y * y <= 1"
    assert "Right so far: `in_circle`: " in mark(words(code), 1).message


POWER = """
    def power(items):
        if not items:
            return {frozenset()}
        one = min(items)
        rest = power(items - {one})
        return rest | {subset | {one} for subset in rest}
"""


def test_the_items_of_a_power_set_can_be_a_set():
    assert "`power`: the subsets of 1 to 9 levers" in mark(words(POWER), 8).message


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
        ("dice_roll()", "returns None. Return WIN or LOSS."),
        (
            "while input() not in ('A', 'B'): pass",
            "again. Number the choices from 1",
        ),
    ],
)
def test_a_game_without_a_result_or_with_other_answers_is_not_read(code, message):
    found = mark(words(f"def play_game_user(box):\n    {code}"), 9)
    assert (found.status, message in found.message) == ("not read", True), found.message


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
