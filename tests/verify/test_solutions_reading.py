"""Values in all the forms that a learner may choose, read as the library's and made like them."""

import re
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import SimpleNamespace
from typing import NamedTuple

import immutables
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyrsistent import pmap, pset, pvector

import purembts
from purembts.records import Record
from purembts.verify.solution_calls import Wrong, arranged, bound_call, call, guarded, solution
from purembts.verify.solutions import (
    box_maker,
    box_of,
    boxes_of,
    is_yes,
    levers_words,
    node_of,
    own_results,
    probability_of,
    record_forms,
    record_like,
    record_of,
    result_of,
    roll_of,
    shown,
    tree_of,
)

BOX = frozenset({2, 7})


class Result(Enum):
    WIN = "W"
    LOSS = "L"


class LossesFirst(NamedTuple):
    losses: int
    wins: int


@dataclass(frozen=True)
class Tally:
    wins: int
    n: int

    @property
    def losses(self):
        return self.n - self.wins


class Plain:
    def __init__(self, w, l):  # noqa: E741
        self.w, self.l = w, l


@pytest.mark.parametrize(
    "value",
    [
        {2, 7},
        frozenset({7, 2}),
        (2, 7),
        [7, 2],
        pset([2, 7]),
        pvector([2, 7]),
        (2.0, 7),
        range(2, 9, 5),
    ],
)
def test_boxes_of_any_collection(value):
    assert box_of(value) == BOX
    assert all(type(lever) is int for lever in box_of(value))


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (7, "cannot be read as a box"),
        ("27", "cannot be read as a box"),
        (None, "cannot be read as a box"),
        ({2: True}, "cannot be read as a box"),
        ([2, 2], "a lever twice"),
        ({0, 1}, "There is no lever 0"),
        ((2, 10), "There is no lever 10"),
        ((True, 2), "True is no lever"),
        ({"2"}, "'2' is no lever"),
    ],
)
def test_values_that_are_no_box(value, reason):
    with pytest.raises(ValueError, match=re.escape(reason)) as error:
        box_of(value)
    assert "a tuple or a list of the levers that are up" in str(error.value)


@given(st.frozensets(st.integers(1, 9)), st.sampled_from([set, frozenset, tuple, list]))
def test_boxes_come_back_from_each_type(box, kind):
    assert box_of(kind(sorted(box))) == box
    assert type(box_maker({"start_box": kind(range(1, 10))})(box)) is kind


def test_boxes_are_frozensets_unless_a_word_has_one():
    assert box_maker({})({2, 7}) == BOX
    assert type(box_maker({"start_box": 7, "all_boxes": [(1,), (1, 2)]})([2, 7])) is tuple


def test_collections_of_boxes():
    for value in ({BOX}, [[2, 7]], ((7, 2),), iter([{2, 7}]), pset([BOX])):
        assert boxes_of(value) == [BOX]
    assert boxes_of(set()) == []
    with pytest.raises(ValueError, match="looks like one box"):
        boxes_of({2, 7})
    with pytest.raises(ValueError, match="None cannot be read as a collection of boxes"):
        boxes_of(None)


@pytest.mark.parametrize(
    "pair",
    [
        ((1, 0), (0, 1)),
        ([1, 0], [0, 1]),
        ("win", "loss"),
        (":win", ":loss"),
        ("Win", " LOST "),
        ("won", "lose"),
        (True, False),
        (1, 0),
        (1.0, 0.0),
        (Result.WIN, Result.LOSS),
    ],
)
def test_results(pair):
    assert [result_of(value) for value in pair] == [True, False]


def test_results_by_the_names_of_the_learner():
    own = own_results({"WIN": "+", "LOSS": "-", "WON": 0, "LOST": 1})
    assert [result_of(value, own) for value in ("+", "-", 0, 1)] == [True, False, True, False]


@pytest.mark.parametrize("value", [None, "draw", 2, (1, 1), [], object()])
def test_values_that_are_no_result(value):
    with pytest.raises(ValueError, match="cannot be read as a result"):
        result_of(value)


RECORDS = [
    Record(100, (3, 97)),
    {"win": 3, "loss": 97},
    {":win": 3, ":loss": 97},
    {"wins": 3, "losses": 97},
    {"w": 3, "l": 97},
    {"wins": 3, "visits": 100},
    {"losses": 97, "n": 100},
    {(1, 0): 3, (0, 1): 97},
    {True: 3, False: 97},
    {Result.WIN: 3, Result.LOSS: 97},
    Counter(win=3, loss=97),
    pmap({"win": 3, "loss": 97}),
    immutables.Map(win=3, loss=97),
    (3, 97),
    [3, 97],
    (100, (3, 97)),
    LossesFirst(wins=3, losses=97),
    Tally(3, 100),
    Plain(3, 97),
    SimpleNamespace(wins=3, losses=97),
]


@pytest.mark.parametrize("value", RECORDS, ids=lambda value: type(value).__name__)
def test_records(value):
    assert record_of(value) == (3, 97)
    assert probability_of(value) == 0.03


@pytest.mark.parametrize("value", RECORDS, ids=lambda value: type(value).__name__)
def test_records_are_made_like_an_example(value):
    made = record_like(value, 1, 4)
    assert type(made) is type(value)
    assert record_of(made) == (1, 4)
    assert record_of(value) == (3, 97), "the example changed"


def test_a_counter_without_wins_is_a_record():
    assert record_of(Counter(["loss", "loss"])) == (0, 2)


@pytest.mark.parametrize("value", [None, 3, (1, 2, 3), {}, {"a": 1}, "win", {"win": -1, "loss": 2}])
def test_values_that_are_no_record(value):
    with pytest.raises(ValueError, match="cannot be read as a record"):
        record_of(value)


def test_each_usual_form_of_a_record_can_be_read():
    own = own_results({"WIN": "+", "LOSS": "-"})
    for form in record_forms({"WIN": "+", "LOSS": "-"}):
        assert record_of(form.make(3, 97), own) == (3, 97), form.name


@pytest.mark.parametrize("value", [0.25, Fraction(1, 4), Decimal("0.25"), (1, 3)])
def test_probabilities(value):
    assert probability_of(value) == Fraction(1, 4)


@pytest.mark.parametrize("value", [None, True, "0.25", (0, 0), [0.25]])
def test_values_that_are_no_probability(value):
    with pytest.raises(ValueError, match="cannot be read as a probability"):
        probability_of(value)


def test_trees_of_any_map():
    for tree in ({BOX: (1, 0)}, pmap({BOX: Record(1, (1, 0))}), immutables.Map({(2, 7): [1, 0]})):
        assert tree_of(tree) == {BOX: (1, 0)}
    with pytest.raises(ValueError, match="cannot be read as a map"):
        tree_of([(BOX, (1, 0))])


def test_nodes_are_pairs_or_boxes():
    assert node_of((BOX, 5)) == node_of(([2, 7], 5)) == (BOX, 5)
    assert node_of((BOX, None)) == node_of((2, 7)) == node_of(BOX) == (BOX, None)


def test_rolls_and_answers():
    assert (roll_of(7), roll_of((3, 4)), is_yes(1), is_yes(False)) == (7, 7, True, False)
    for value in (1, 13, (0, 7), True, "7"):
        with pytest.raises(ValueError, match="cannot be read as a roll"):
            roll_of(value)
    with pytest.raises(ValueError, match="True or False"):
        is_yes("yes")


def test_values_as_text():
    assert shown({9, 1}) == "{1, 9}"
    assert shown((1, 9)) == "(1, 9)"
    assert levers_words(frozenset({1, 2})) == "levers 1 and 2"


# Calls


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda box, roll: (box, roll), (BOX, 5)),
        (lambda roll, box: (box, roll), (BOX, 5)),
        (lambda a, b: (a, b), (BOX, 5)),
        (lambda a, roll: (a, roll), (BOX, 5)),
        (lambda a, b, rng: (a, b, rng), (BOX, 5, "rng")),
        (lambda a, b, source: (a, b, source), (BOX, 5, "rng")),
        (lambda a, b, *, rng=None: (a, b, rng), (BOX, 5, "rng")),
        (lambda a, b, z=2: (a, b, z), (BOX, 5, 2)),
        (lambda a, b, /: (a, b), (BOX, 5)),
        (lambda *both: both, (BOX, 5)),
    ],
)
def test_arguments_are_found_by_name_or_by_place(function, expected):
    assert bound_call(function, {"box": BOX, "roll": 5}, "rng")() == expected


def test_a_generator_with_a_default_of_another_name_is_left_alone():
    def dice_roll(source=None):
        return source

    assert arranged(dice_roll, {}, "rng") == {}


LEARNT = """
def twice(x):
    return helper(x)


def helper(x):
    raise KeyError(x)
"""


def test_an_error_names_the_call_and_the_line_of_the_file():
    words = {"__file__": "/somewhere/mine.py"}
    exec(compile(LEARNT, "/somewhere/mine.py", "exec"), words)
    with pytest.raises(Wrong) as error:
        call(solution(words, 0, 100, None), "twice", x=frozenset({7}))
    expected = "`twice(frozenset({7}))` raises KeyError: frozenset({7}) in line 7 of mine.py."
    assert str(error.value) == expected


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda: 7, "`possible_moves` must take the arguments box and roll; it takes none."),
        (lambda box: 7, "`possible_moves` must take the arguments box and roll; it takes box."),
        (
            lambda box, rng: 7,
            "`possible_moves` must take the arguments box and roll; it takes box.",
        ),
    ],
)
def test_too_few_arguments(function, message):
    with pytest.raises(Wrong, match=re.escape(message)):
        call(
            solution({"possible_moves": function}, 0, 100, None), "possible_moves", box=BOX, roll=5
        )


def test_leaving_the_program_is_an_error_too():
    words = {"leave": lambda: exit(3)}
    with pytest.raises(Wrong, match=re.escape("`leave()` raises SystemExit: 3")):
        call(solution(words, 0, 100, None), "leave")


def test_a_word_that_is_no_function():
    with pytest.raises(Wrong, match="`uct` must be a function; it is 7"):
        guarded(solution({"uct": 7}, 0, 100, None), "uct", "uct()", {})


def test_random_numbers_depend_on_the_seed_alone():
    for words in ({"dice_roll": purembts.dice_roll}, vars(purembts)):
        rolls = [
            [call(solution(words, seed, 100, None), "dice_roll") for _ in range(2)]
            for seed in (1, 1, 2)
        ]
        assert rolls[0] == rolls[1]


def test_numpy_generators_for_functions_that_ask_for_one():
    numpy = pytest.importorskip("numpy")

    def dice_roll(rng):
        return int(rng.integers(1, 7) + rng.integers(1, 7))

    solved = solution({"np": numpy, "dice_roll": dice_roll}, 7, 100, None)
    assert call(solved, "dice_roll") in range(2, 13)
