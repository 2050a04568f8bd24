"""The rules of Shut the Box, and its exact values."""

from fractions import Fraction
from itertools import combinations as subsets
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import exact
from purembts.game import plain_playout, playout, turn_at
from purembts.games import shut_the_box as shut_the_box_room
from purembts.games.shut_the_box import (
    USUAL,
    Rules,
    best_move,
    box_to_str,
    boxes,
    canonical,
    checked_box,
    combinations,
    full_box,
    is_win,
    levers_for_roll,
    number_of_states,
    optimal_table,
    possible_moves,
    power,
    shut_the_box,
    simple_game,
    simple_moves,
    simple_start,
    win_probability,
)
from purembts.verify.strategies import boxes as some_boxes
from purembts.verify.strategies import rules_and_boxes, seeds

ROLLS = range(2, 13)
FULL = full_box()
SAMPLE = frozenset({2, 4, 5, 7, 8, 9})
SEVEN = frozenset({7})
TWELVE = Rules(levers=12)
VARIANTS = [
    Rules(levers=6),
    Rules(levers=6, dice=1),
    Rules(levers=7, one_die_end=True),
    Rules(levers=7, most_levers=2),
]

# The box and the dice


def test_there_are_512_boxes_and_11_rolls_of_each():
    assert {1, 2, 3, 4, 5, 6, 7, 8, 9} == FULL
    assert len(boxes()) == len(set(boxes())) == 512
    assert boxes()[0] == frozenset()
    assert boxes()[-1] == FULL
    assert number_of_states() == 512 * 11


def test_the_number_of_states_depends_on_the_dice():
    assert number_of_states(rules=Rules(dice=1)) == 512 * 6
    one_die = sum(1 for box in boxes() if sum(box) <= 6)
    assert number_of_states(rules=Rules(one_die_end=True)) == one_die * 6 + (512 - one_die) * 11


def test_only_the_shut_box_wins():
    assert is_win(frozenset())
    assert not any(is_win(box) for box in boxes() if box)


def test_a_box_as_text_has_nine_characters():
    assert box_to_str(FULL) == "123456789"
    assert box_to_str(SAMPLE) == " 2 45 789"
    assert box_to_str(frozenset()) == " " * 9
    assert box_to_str(None) == "x"
    assert box_to_str(frozenset({9, 11}), rules=TWELVE) == "        9  11  "


def test_a_picture_of_a_box_has_its_levers_up_and_down():
    assert shut_the_box(Rules(levers=10)).display.show(frozenset({1, 10})).splitlines() == [
        "+----+----+----+----+----+----+----+----+----+----+",
        "|  1 |    |    |    |    |    |    |    |    | 10 |  up",
        "|    |  2 |  3 |  4 |  5 |  6 |  7 |  8 |  9 |    |  down",
        "+----+----+----+----+----+----+----+----+----+----+",
    ]


# The simplified game


def test_a_simplified_move_shuts_the_lever_of_the_roll():
    assert simple_start == FULL - {1}
    assert simple_moves(SAMPLE, 4) == (SAMPLE - {4},)
    assert simple_moves(SAMPLE, 3) == ()
    assert simple_moves(SAMPLE, 12) == ()


@given(some_boxes(), st.sampled_from(ROLLS))
def test_the_simplified_game_is_the_variant_with_one_lever_for_each_move(box, roll):
    assert simple_moves(box, roll) == possible_moves(box, roll, rules=Rules(most_levers=1))


def test_the_exact_value_of_the_simplified_game():
    """To win, each lever from 2 to 9 must be thrown once, in any order."""
    weights = [6 - abs(7 - lever) for lever in range(2, 10)]
    values = {frozenset(): Fraction(1)}
    for size in range(1, 9):
        for left in map(frozenset, subsets(range(8), size)):
            values[left] = sum(Fraction(weights[i], 36) * values[left - {i}] for i in left)
    assert exact.solver(simple_game)(simple_start)[0] == values[frozenset(range(8))]


# The moves


@given(st.lists(st.integers(), max_size=8, unique=True))
def test_power_has_every_subset_once(items):
    chosen = power(items)
    assert len(chosen) == len(set(map(frozenset, chosen))) == 2 ** len(items)
    assert all(set(choice) <= set(items) for choice in chosen)


def test_combinations_have_the_roll_as_index():
    assert len(combinations()) == 13
    for roll, choices in enumerate(combinations()):
        assert choices == levers_for_roll(roll)
        assert all(sum(choice) == roll for choice in choices)
    assert combinations()[3] == ((1, 2), (3,))
    assert (1, 2, 3, 5) in combinations()[11]
    assert levers_for_roll(9, rules=Rules(most_levers=2)) == ((4, 5), (3, 6), (2, 7), (1, 8), (9,))


def check_moves(moves, box, roll, most=9):
    """Check that `moves` are all boxes that a set of levers with the sum `roll` leaves, each once.

    A set has at most `most` levers.
    """
    expected = {
        box - set(shut)
        for size in range(1, most + 1)
        for shut in subsets(sorted(box), size)
        if sum(shut) == roll
    }
    assert len(moves) == len(set(moves))
    assert set(moves) == expected


def test_possible_moves_are_complete():
    for box in boxes():
        for roll in ROLLS:
            check_moves(possible_moves(box, roll), box, roll)


@given(rules_and_boxes)
def test_the_value_of_the_game_is_that_of_the_solver(rules_and_box):
    rules, box = rules_and_box
    game = shut_the_box(rules)
    assert game.value(box) == exact.solver(game)(box)


def test_the_value_of_a_box_of_any_size_is_known():
    assert shut_the_box(Rules(levers=40)).value(full_box(rules=Rules(levers=40))) == (0, 1)
    few = frozenset({1, 2, 7})
    assert shut_the_box(Rules(levers=40)).value(few) == shut_the_box().value(few)


@given(st.sets(st.integers(1, 12)), st.integers(12, 13))
def test_the_short_text_of_a_large_box_is_typed_back(levers, most):
    display = shut_the_box(Rules(levers=most)).display
    assert display.typed_position(display.short(frozenset(levers))) == levers
    assert display.short(frozenset({1, 2, 11})) == "1,2,11"


@given(rules_and_boxes, st.integers(-1, 14))
def test_the_moves_of_variants_are_complete(rules_and_box, roll):
    rules, box = rules_and_box
    game = shut_the_box(rules)
    possible = roll in game.chances(box)
    most = rules.most_levers or rules.levers
    check_moves(game.moves(box, roll), box, roll, most if possible else 0)


def test_an_impossible_roll_has_no_moves():
    moves = shut_the_box().moves
    for roll in (-3, 0, 1, 13, None, 6.5):
        assert moves(FULL, roll) == ()
    assert shut_the_box(Rules(dice=1)).moves(FULL, 7) == ()


def test_a_move_is_the_same_object_as_the_box_in_boxes():
    for move in possible_moves(frozenset([9, 1, 2]), 9):
        assert any(move is box for box in boxes())
    assert possible_moves({1, 2, 9}, 9) == (frozenset({1, 2}),)


def test_random_play_moves_to_each_possible_box_with_the_same_probability():
    """It does not choose lever by lever: with 1, 3 and 4 up, a 4 leaves {4} as often as {1, 3}."""
    game, box = shut_the_box(), frozenset({1, 3, 4})
    value = exact.solver(game, exact.uniform)
    turn = turn_at(game, box, 4)
    assert set(turn.moves) == {frozenset({4}), frozenset({1, 3})}
    by_hand = (value(frozenset({4}))[0] + value(frozenset({1, 3}))[0]) / 2
    assert exact.turn_value(game, turn, exact.uniform, value)[0] == by_hand


@given(rules_and_boxes, seeds)
def test_the_playout_of_the_game_equals_the_plain_playout_with_the_same_draws(rules_and_box, seed):
    rules, box = rules_and_box
    game, one, two = shut_the_box(rules), Random(seed), Random(seed)
    for _ in range(20):
        assert playout(game, box, one) == plain_playout(game, box, two)
    assert one.random() == two.random()


# Exact values


@pytest.mark.parametrize("rules", [USUAL, *VARIANTS])
def test_win_probabilities_are_the_values_of_the_solver(rules):
    solve = exact.solver(shut_the_box(rules))
    for box in boxes(rules=rules):
        assert win_probability(box, rules=rules) == solve(box)[0]


MANY = [
    Rules(levers=14),
    Rules(levers=13, one_die_end=True),
    Rules(levers=12, dice=1),
    Rules(levers=20, most_levers=2),
]


@given(st.sampled_from(MANY), st.data())
def test_win_probabilities_of_many_levers_are_the_values_of_the_solver(rules, data):
    """There are levers above nine, so a value stands on the values of other pages."""
    levers = st.integers(1, rules.levers)
    box = data.draw(st.frozensets(levers, max_size=6) | st.frozensets(st.integers(8, 13)))
    box &= full_box(rules=rules)
    assert win_probability(box, rules=rules) == exact.solver(shut_the_box(rules))(box)[0]


def test_the_value_of_a_small_box_needs_few_others():
    rules = Rules(levers=20, most_levers=1)
    shut_the_box_room._page.cache_clear()
    assert win_probability(frozenset({3, 11, 12}), rules=rules) == Fraction(6 * 2 * 2, 36**3)
    assert shut_the_box_room._page.cache_info().currsize == 4


def test_the_probability_of_a_roll_is_the_probability_of_the_best_move():
    assert win_probability(SEVEN, 7) == 1
    assert win_probability(SEVEN, 6) == 0
    assert win_probability(frozenset(), 7) == win_probability(frozenset()) == 1
    assert win_probability(SEVEN) == Fraction(1, 6)
    assert win_probability(FULL) == Fraction(466473281, 6530347008)


def test_the_optimal_table_has_every_box():
    assert optimal_table() == {box: win_probability(box) for box in boxes()}


def test_the_best_move_is_the_first_of_the_moves_with_the_highest_probability():
    for box in boxes():
        for roll in ROLLS:
            moves = possible_moves(box, roll)
            best = [m for m in moves if win_probability(m) == win_probability(box, roll)]
            assert bool(best) == bool(moves)
            assert best_move(box, roll) == next(iter(best), None)


def test_39_pairs_of_a_box_and_a_roll_have_several_best_moves():
    """ERRATA.md counts 39 pairs."""
    ties = sum(
        [win_probability(m) for m in possible_moves(box, roll)].count(win_probability(box, roll))
        > 1
        for box in boxes()
        for roll in ROLLS
    )
    assert ties == 39


# Wrong arguments

WRONG_BOXES = [
    (frozenset({0, 3}), r"must have only levers from 1 to 9; got .*\[0\]"),
    (frozenset({10, "a"}), r"must have only levers from 1 to 9; got .*\[10, 'a'\]"),
    ("heads", "got 'heads'"),
    (7, "got 7"),
    ([1, 2], r"got \[1, 2\]"),
]
"""Pairs of a wrong box and the end of the message."""

CALLS_WITH_A_BOX = {
    "is_win": is_win,
    "possible_moves": lambda box: possible_moves(box, 7),
    "simple_moves": lambda box: simple_moves(box, 7),
    "win_probability": win_probability,
    "best_move": lambda box: best_move(box, 7),
    "box_to_str": box_to_str,
}


@pytest.mark.parametrize("call", CALLS_WITH_A_BOX.values(), ids=CALLS_WITH_A_BOX.keys())
@pytest.mark.parametrize(("box", "message"), WRONG_BOXES)
def test_a_wrong_box_is_refused(call, box, message):
    with pytest.raises(ValueError, match=message):
        call(box)


@pytest.mark.parametrize("name", ["is_win", "possible_moves", "win_probability", "best_move"])
def test_none_is_refused_if_a_box_is_required(name):
    """`best_move` returns None if there is no move, and None must not become the full box."""
    with pytest.raises(ValueError, match=r"`box` must be a set of levers.*got None"):
        CALLS_WITH_A_BOX[name](None)


def test_a_generator_in_the_place_of_a_box_gets_a_hint():
    with pytest.raises(ValueError, match=r"write rng=\.\.\."):
        is_win(Random(7))


def test_messages_are_short():
    with pytest.raises(ValueError, match="`box` must be a set of levers") as refused:
        win_probability(optimal_table())
    assert len(str(refused.value)) < 300


WRONG_ROLLS = [1, 13, 0, -7, 6.5, "7"]

CALLS_WITH_A_ROLL = {
    "possible_moves": lambda roll: possible_moves(FULL, roll),
    "simple_moves": lambda roll: simple_moves(FULL, roll),
    "win_probability": lambda roll: win_probability(FULL, roll),
    "win_probability of the shut box": lambda roll: win_probability(frozenset(), roll),
    "best_move": lambda roll: best_move(FULL, roll),
}


@pytest.mark.parametrize("call", CALLS_WITH_A_ROLL.values(), ids=CALLS_WITH_A_ROLL.keys())
@pytest.mark.parametrize("roll", WRONG_ROLLS)
def test_a_roll_that_the_dice_cannot_show_is_refused(call, roll):
    with pytest.raises(
        ValueError, match=f"`roll` must be from 2 to 12 with two dice; got {roll!r}"
    ):
        call(roll)


def test_one_die_shows_at_most_six():
    with pytest.raises(ValueError, match="`roll` must be from 1 to 6 with one die; got 7"):
        possible_moves(frozenset({1, 2}), 7, rules=Rules(one_die_end=True))
    assert possible_moves(frozenset({1, 2}), 1, rules=Rules(one_die_end=True)) == ({2},)


WRONG_RULES = [
    (Rules(levers=0), "`levers` must be a whole number of at least 1"),
    (Rules(levers="nine"), "`levers` must be a whole number of at least 1; got 'nine'"),
    (Rules(dice=3), "`dice` must be 1 or 2; got 3"),
    (Rules(most_levers=0), "`most_levers` must be a whole number of at least 1"),
    (Rules(one_die_end="no"), "`one_die_end` must be True or False"),
    (12, "`rules` must be a value of Rules.*got 12"),
    (Rules, "`rules` must be a value of Rules"),
]
"""Pairs of wrong rules and the message."""


@pytest.mark.parametrize(("rules", "message"), WRONG_RULES)
def test_wrong_rules_are_refused(rules, message):
    for call in (
        shut_the_box,
        lambda rules: full_box(rules=rules),
        lambda rules: boxes(rules=rules),
    ):
        with pytest.raises(ValueError, match=message):
            call(rules)
    with pytest.raises(ValueError, match=message):
        optimal_table(rules=rules)
    with pytest.raises(ValueError, match=message):
        levers_for_roll(7, rules=rules)


def test_equal_sets_of_levers_are_the_same_box():
    for box in ({7}, frozenset([7.0]), {7: None}.keys(), frozenset({7})):
        assert checked_box(box, USUAL) is canonical(SEVEN)


@pytest.mark.parametrize("roll", [2.0, "7", None])
def test_levers_are_for_a_whole_number(roll):
    with pytest.raises(ValueError, match="`roll` must be a whole number; got"):
        levers_for_roll(roll)


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(dice=1), Rules(one_die_end=True)], ids=["two", "one", "one at the end"]
)
def test_the_faces_of_the_dice_add_up_to_each_throw(rules):
    game = shut_the_box(rules)
    for box in (full_box(rules=rules), frozenset({1, 2})):
        chances = game.chances(box)
        faces = [game.display.dice(box, i) for i in range(len(chances))]
        assert [*map(sum, faces)] == [*chances]
        assert len({*faces}) == len(chances)
        assert {face for each in faces for face in each} == {1, 2, 3, 4, 5, 6}
