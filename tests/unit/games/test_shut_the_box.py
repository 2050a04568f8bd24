"""The rules of Shut the Box and of its variants."""

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.exact import solver
from purembts.game import turn_at
from purembts.games.shut_the_box import (
    _dice_for,
    boxes,
    canonical,
    full_box,
    shut_the_box,
    simple_game,
    simple_start,
)
from purembts.play import move_called
from purembts.verify.strategies import box_games, boxes_of

FULL = full_box()
games_and_boxes = box_games.flatmap(
    lambda game: st.tuples(st.just(game), boxes_of(game.rules.levers))
)


def throws_of(dice):
    return [sum(faces) for faces in product(range(1, 7), repeat=dice)]


# The boxes and the dice


@given(games_and_boxes)
def test_the_events_are_the_throws_of_the_dice(game_and_box):
    game, box = game_and_box
    assert [*game.chances(box)] == (throws_of(_dice_for(game.rules, box)) if box else [None])
    assert game.moves(frozenset(), None) == ()


@pytest.mark.parametrize(
    ("end", "box", "dice"),
    [
        (False, {1}, 2),
        ("sum", {1, 5}, 1),
        ("sum", {1, 6}, 2),
        ("shut", {1, 5, 6}, 1),
        ("shut", {1, 7}, 2),
        (True, {1, 5}, 1),
    ],
)
def test_each_convention_of_one_die_has_its_own_boxes(end, box, dice):
    assert len(shut_the_box(one_die_end=end).chances(frozenset(box))) == 6**dice
    assert len(shut_the_box(one_die_end=end, dice=1).chances(frozenset(box))) == 6


@given(games_and_boxes)
def test_the_faces_of_the_dice_add_up_to_each_throw(game_and_box):
    game, box = game_and_box
    chances = game.chances(box)
    if box:
        faces = [game.display.dice(box, i) for i in range(len(chances))]
        assert [*map(sum, faces)] == [*chances]
        assert len({*faces}) == len(chances)
        assert {face for each in faces for face in each} == {1, 2, 3, 4, 5, 6}


# The moves


def check_moves(moves, box, roll, most=9):
    """Check that `moves` are all boxes that a set of levers with the sum `roll` leaves, each once.

    A set has at most `most` levers.
    """
    expected = {
        box - set(shut)
        for size in range(1, most + 1)
        for shut in combinations(sorted(box), size)
        if sum(shut) == roll
    }
    assert len(moves) == len(set(moves))
    assert set(moves) == expected


@given(games_and_boxes, st.integers(-1, 30))
def test_the_moves_after_any_roll_are_complete(game_and_box, roll):
    """Also after a roll that the dice of the game cannot show: the levers alone decide."""
    game, box = game_and_box
    check_moves(game.moves(box, roll), box, roll, game.rules.most_levers or game.rules.levers)


@given(st.frozensets(st.integers(1, 20), max_size=12), st.integers(1, 40))
def test_the_moves_of_a_large_box_are_complete(box, roll):
    for most in (None, 2):
        moves = shut_the_box(levers=20, most_levers=most).moves(box, roll)
        check_moves(moves, box, roll, most or 20)


def test_a_move_is_the_same_object_as_the_box_in_boxes():
    for move in shut_the_box().moves(frozenset([9, 1, 2]), 9):
        assert any(move is box for box in boxes())


# Exact values


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        ({}, 0.07143),
        ({"one_die_end": "sum"}, 0.09761),
        pytest.param({"levers": 12}, 0.00362, marks=pytest.mark.slow),
    ],
)
def test_the_value_of_a_variant(rules, value):
    game = shut_the_box(**rules)
    assert round(float(solver(game)(game.start)[0]), 5) == value


def test_the_exact_value_of_the_simplified_game():
    """To win, each lever from 2 to 9 must be thrown once, in any order."""
    weights = [6 - abs(7 - lever) for lever in range(2, 10)]
    values = {frozenset(): Fraction(1)}
    for size in range(1, 9):
        for left in map(frozenset, combinations(range(8), size)):
            values[left] = sum(Fraction(weights[i], 36) * values[left - {i}] for i in left)
    assert solver(simple_game)(simple_start)[0] == values[frozenset(range(8))]


def test_the_rules_are_told_to_a_person():
    def about(**rules):
        return shut_the_box(**rules).display.about

    assert "you roll one die. Shut levers whose" in about(dice=1, one_die_end="sum")
    assert "three dice, or one once 7 and above are shut" in about(dice=3, one_die_end="shut")
    assert "or one once those that are up add up to at most 6" in about(one_die_end="sum")
    assert "Shut levers, 2 at most, whose" in about(most_levers=2)


# Wrong arguments


def test_equal_levers_in_a_file_are_the_same_box():
    for value in ([1], [True], [1, True]):
        box = shut_the_box().json.decode(value)
        assert box is canonical(frozenset({1}))
        assert [type(lever) for lever in box] == [int]


@pytest.mark.parametrize("dice", [0, 4, "2", True])
def test_a_wrong_number_of_dice_is_refused(dice):
    with pytest.raises(ValueError, match=r"^`dice` must be a whole number from 1 to 3; got"):
        shut_the_box(dice=dice)


def test_a_wrong_sum_is_told():
    with pytest.raises(ValueError, match=r"^2 \+ 3 is 5; the roll is 10\.$"):
        move_called(shut_the_box(), turn_at(shut_the_box(), FULL, 10), "2+3")
