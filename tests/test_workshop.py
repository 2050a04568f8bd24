"""The functions of the workshop, task by task."""

import re
from collections import Counter
from fractions import Fraction
from itertools import islice
from math import pi
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyrsistent import PMap, pmap

from games.test_shut_the_box import ROLLS, TWELVE, VARIANTS, WRONG_BOXES, WRONG_ROLLS, WRONG_RULES
from purembts import exact, mcts, simulation
from purembts.bounds import ucb_wald
from purembts.chance import repeatedly
from purembts.fast import engine
from purembts.game import plain_playout
from purembts.games.shut_the_box import (
    LOSS,
    WIN,
    Rules,
    best_move,
    box_to_str,
    boxes,
    combinations,
    full_box,
    optimal_table,
    possible_moves,
    shut_the_box,
    simple_start,
    win_probability,
)
from purembts.records import NOTHING, Record, interval, mean
from purembts.verify.statistics import assert_probability
from purembts.verify.strategies import boxes as some_boxes
from purembts.verify.strategies import rngs, rules_and_boxes, seeds
from purembts.workshop import (
    HEADS,
    TAILS,
    all_boxes,
    best_move_table,
    best_move_table_string,
    build_tree,
    dice_roll,
    easy_box,
    estimate_pi,
    flip_coin,
    in_circle,
    is_heads,
    learnt_probability,
    lever_combinations,
    look_up_table,
    monte_carlo_tree_search,
    move_table,
    play_game,
    play_simple_game,
    sample_box,
    search,
    simulate,
    simulate_simple_game,
    start_box,
    subtree,
    throw_dart,
    trees,
    ucb,
    uct,
)

# Task 1


@given(rngs)
def test_half_of_the_flips_are_heads(rng):
    flips = Counter(repeatedly(2000, lambda: flip_coin(rng)))
    assert set(flips) <= {HEADS, TAILS}
    assert_probability(flips[HEADS], 2000, 0.5, effect=0.12)


def test_heads_win():
    assert is_heads(HEADS)
    assert not is_heads(TAILS)


@given(rngs)
def test_darts_are_uniformly_random_points_of_the_square(rng):
    darts = tuple(repeatedly(2000, lambda: throw_dart(rng)))
    assert all(-1 <= x < 1 and -1 <= y < 1 for x, y in darts)
    assert_probability(sum(map(in_circle, darts)), 2000, pi / 4, effect=0.12)
    for quarter in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        hits = sum(x * quarter[0] > 0 and y * quarter[1] > 0 for x, y in darts)
        assert_probability(hits, 2000, 0.25, effect=0.12)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_the_board_is_a_circle(x, y):
    assert in_circle((x, y)) == (abs(complex(x, y)) < 1) or abs(abs(complex(x, y)) - 1) < 1e-9
    assert in_circle((x, y)) == in_circle((-y, x))


def test_pi_is_four_times_the_share_inside_the_circle():
    rng = Random(7)
    n = 100_000
    assert_probability(round(estimate_pi(n, rng) * n / 4), n, pi / 4, effect=0.02)


# Tasks 2 and 3


def test_the_boxes_of_the_workshop():
    assert start_box == {1, 2, 3, 4, 5, 6, 7, 8, 9}
    assert sample_box == {2, 4, 5, 7, 8, 9}
    assert easy_box == {7}
    assert all_boxes == boxes()
    assert all(type(box) is frozenset for box in (start_box, sample_box, easy_box, *all_boxes))


@given(seeds)
@settings(max_examples=10)
def test_each_total_of_two_dice_has_the_probability_of_its_throws(seed):
    rng, n = Random(seed), 5000
    check_dice(lambda: dice_roll(rng), n)


def check_dice(roll, n):
    counts = Counter(roll() for _ in range(n))
    assert set(counts) <= set(ROLLS)
    for total in ROLLS:
        assert_probability(counts[total], n, Fraction(6 - abs(7 - total), 36), effect=0.06)


def test_one_die_is_used_at_the_end_if_the_rules_have_one_die_end():
    rules, rng = Rules(one_die_end=True), Random(1)
    small = {dice_roll(rng, box=frozenset({1, 5}), rules=rules) for _ in range(500)}
    large = {dice_roll(rng, box=frozenset({7}), rules=rules) for _ in range(500)}
    assert small == {1, 2, 3, 4, 5, 6}
    assert large == set(ROLLS)
    assert {dice_roll(rng, rules=Rules(dice=1)) for _ in range(500)} == small


# Tasks 4 to 7


def test_a_simplified_game_is_won_or_lost():
    results = Counter(play_simple_game(easy_box, Random(seed)) for seed in range(20))
    assert set(results) == {WIN, LOSS}
    assert play_simple_game(frozenset()) == WIN


def test_simplified_games_are_simulated_one_after_another():
    rng = Random(1)
    wins = sum(play_simple_game(simple_start, rng) == WIN for _ in range(500))
    assert simulate_simple_game(500, rng=Random(1)) == Record(500, (wins, 500 - wins))


def test_a_simplified_game_with_lever_1_up_is_never_won():
    assert simulate_simple_game(50, start_box, Random(1)).scores == (0, 50)


# Task 8


def test_lever_combinations_are_those_of_the_usual_rules():
    assert lever_combinations == combinations()


def test_a_game_is_won_or_lost():
    assert {play_game(easy_box, Random(seed)) for seed in range(30)} == {WIN, LOSS}
    assert play_game(frozenset()) == WIN


@given(rules_and_boxes, seeds)
def test_play_game_and_simulate_draw_as_the_generic_functions_do(rules_and_box, seed):
    rules, box = rules_and_box
    game, one, two = shut_the_box(rules), Random(seed), Random(seed)
    for _ in range(20):
        assert play_game(box, one, rules=rules) == plain_playout(game, box, two)
    assert one.random() == two.random()
    assert simulate(50, box, one, rules=rules) == simulation.simulate(game, box, 50, two)


def test_simulate_starts_from_the_full_box_by_default():
    assert simulate(200, rng=Random(1)) == simulate(200, start_box, Random(1))
    assert simulate(200, easy_box, Random(1)) != simulate(200, start_box, Random(1))
    assert simulate(200, rng=Random(1), rules=TWELVE).visits == 200


# Task 10


def test_the_look_up_table_is_a_map_from_all_boxes_to_records():
    table = look_up_table(2, Random(1))
    assert isinstance(table, PMap)
    assert set(table) == set(all_boxes)
    assert table[frozenset()] == Record(2, (2, 0))
    assert set(look_up_table(1, Random(1), rules=VARIANTS[0])) == set(boxes(rules=VARIANTS[0]))


# Task 11


def test_ucb_of_a_record():
    assert ucb(None) == ucb(NOTHING) == ucb(Record(0, (0, 0))) == float("inf")
    assert ucb(Record(10, (1, 9))) == ucb_wald(1, 10)
    assert ucb(Record(10, (1, 9)), z=0) == 0.1
    assert ucb(Record(50, (0, 50))) == 0.06
    assert ucb(Record(1, (0, 1))) > ucb(Record(1, (1, 0))), "one loss outranks one win"


def test_uct_adds_a_new_box_to_the_tree():
    tree, result = uct({}, start_box)
    assert tree == {start_box: Record(1, result)}
    tree, result = uct(pmap(), easy_box, Random(1))
    assert set(tree) == {easy_box}


def test_the_search_is_the_generic_search_with_the_bound_of_the_workshop():
    generic = engine.search(shut_the_box(), {}, start_box, 300, Random(1), bound=ucb_wald)
    assert search({}, start_box, 300, Random(1)) == generic
    assert next(islice(trees({}, start_box, Random(1)), 300, None)) == generic
    tree, rng = {}, Random(1)
    for _ in range(300):
        tree, _ = uct(tree, start_box, rng)
    assert tree == generic
    assert monte_carlo_tree_search(start_box, 300, Random(1)) == generic[start_box]
    assert move_table(generic, start_box, 9) == mcts.move_table(
        shut_the_box(), generic, start_box, 9, bound=ucb_wald
    )
    assert subtree(generic, sample_box) == mcts.subtree(shut_the_box(), generic, sample_box)


def test_z_widens_the_bound():
    assert search({}, start_box, 300, Random(1), z=0.5) != search({}, start_box, 300, Random(1))
    tree = search({}, start_box, 300, Random(1))
    narrow, wide = (move_table(tree, start_box, 9, z=z) for z in (1, 2))
    assert all(a.bound <= b.bound for a, b in zip(narrow, wide, strict=True))


def test_the_policy_of_an_empty_tree_is_random_play():
    assert learnt_probability({}) == exact.solver(shut_the_box(), exact.uniform)(start_box)[0]


@settings(max_examples=10)
@given(some_boxes(), seeds)
def test_no_learnt_policy_is_better_than_best_play(box, seed):
    tree = search({}, box, 200, Random(seed))
    assert learnt_probability(tree, box) <= win_probability(box)


# Task 12


def test_the_complete_tree_has_the_values_of_the_solver():
    check_complete_tree(build_tree({}, (start_box, None)))


def check_complete_tree(tree):
    solve = exact.solver(shut_the_box())
    tree = build_tree(tree, (simple_start, None))
    for box in all_boxes:
        assert tree[box, None] == win_probability(box) == solve(box)[0]
        for roll in ROLLS:
            assert build_tree(tree, (box, roll))[box, roll] == win_probability(box, roll)


def test_one_box_cannot_be_reached():
    tree = build_tree({}, (start_box, None))
    assert {box for box in all_boxes if (box, None) not in tree} == {simple_start}
    assert win_probability(simple_start) > 0


@pytest.mark.parametrize("rules", VARIANTS)
def test_the_complete_tree_of_a_variant_has_the_values_of_the_solver(rules):
    tree = build_tree({}, (full_box(rules=rules), None), rules=rules)
    solve = exact.solver(shut_the_box(rules))
    for (box, roll), probability in tree.items():
        assert probability == win_probability(box, roll, rules=rules)
        if roll is None:
            assert probability == solve(box)[0]


def test_build_tree_adds_to_a_tree_and_does_not_change_it():
    first = build_tree({}, (easy_box, None))
    kept = dict(first)
    more = build_tree(first, (sample_box, 9))
    assert first == kept
    assert build_tree(more, (sample_box, 9)) is more
    assert all(more[node] == first[node] for node in first)
    given_dict = {}
    build_tree(given_dict, (easy_box, None))
    assert given_dict == {}


# Task 13


def test_the_table_of_best_moves_has_the_best_move_of_every_box_and_roll():
    table = best_move_table()
    assert set(table) == {(box, roll) for box in all_boxes for roll in ROLLS}
    assert all(move == best_move(box, roll) for (box, roll), move in table.items())


def test_the_table_as_text_has_the_form_of_the_workshop():
    text = best_move_table_string()
    assert text.endswith("\n")
    lines = text.splitlines()
    assert len(lines) == 512
    table = best_move_table()
    for box, line in zip(all_boxes, lines, strict=True):
        first, *rest = line.split("\t")
        assert first == box_to_str(box)
        assert rest == [box_to_str(table[box, roll]) for roll in ROLLS]


def test_the_table_of_a_variant_as_text():
    lines = best_move_table_string(rules=Rules(levers=6, dice=1)).splitlines()
    assert len(lines) == 64
    assert lines[1].split("\t") == ["1     ", "      ", "x", "x", "x", "x", "x"]


# All tasks


@given(rngs, st.sampled_from(VARIANTS))
def test_every_function_works_for_a_variant(rng, rules):
    box = full_box(rules=rules)
    assert play_game(box, rng, rules=rules) in (WIN, LOSS)
    assert simulate(3, rng=rng, rules=rules).visits == 3
    roll = dice_roll(rng, box=box, rules=rules)
    tree = search({}, box, 20, rng, rules=rules)
    tree, _ = uct(tree, box, rng, rules=rules)
    assert next(trees(tree, box, rng, rules=rules)) is tree
    assert monte_carlo_tree_search(box, 5, rng, rules=rules).visits == 5
    moves = possible_moves(box, roll, rules=rules)
    assert [row.move for row in move_table(tree, box, roll, rules=rules)] == list(moves)
    assert subtree(tree, box, rules=rules) == tree
    assert learnt_probability(tree, rules=rules) <= win_probability(box, rules=rules)
    best = best_move(box, roll, rules=rules)
    assert best_move_table(rules=rules)[box, roll] == best
    assert len(box_to_str(box, rules=rules)) == rules.levers


def test_any_set_of_levers_is_a_box():
    assert play_game({7}, Random(1)) == play_game(easy_box, Random(1))


# Wrong arguments

CALLS_WITH_A_BOX = {
    "play_game": lambda box: play_game(box),
    "simulate": lambda box: simulate(10, box),
    "dice_roll": lambda box: dice_roll(box=box),
    "play_simple_game": play_simple_game,
    "simulate_simple_game": lambda box: simulate_simple_game(10, box),
    "uct": lambda box: uct({}, box),
    "trees": lambda box: trees({}, box),
    "search": lambda box: search({}, box, 10),
    "monte_carlo_tree_search": lambda box: monte_carlo_tree_search(box, 10),
    "move_table": lambda box: move_table({}, box, 7),
    "subtree": lambda box: subtree({}, box),
    "learnt_probability": lambda box: learnt_probability({}, box),
    "build_tree": lambda box: build_tree({}, (box, None)),
}


@pytest.mark.parametrize("call", CALLS_WITH_A_BOX.values(), ids=CALLS_WITH_A_BOX.keys())
@pytest.mark.parametrize(("box", "message"), WRONG_BOXES)
def test_a_wrong_box_is_refused(call, box, message):
    with pytest.raises(ValueError, match=message):
        call(box)


@pytest.mark.parametrize("name", ["play_game", "uct"])
def test_none_is_refused_if_a_box_is_required(name):
    """`best_move` returns None if there is no move, and None must not become the full box."""
    with pytest.raises(ValueError, match=r"`box` must be a set of levers.*got None"):
        CALLS_WITH_A_BOX[name](None)


CALLS_WITH_A_TREE = {
    "uct": lambda tree: uct(tree, start_box),
    "trees": lambda tree: trees(tree, start_box),
    "search": lambda tree: search(tree, start_box, 10),
    "move_table": lambda tree: move_table(tree, start_box, 7),
    "subtree": lambda tree: subtree(tree, start_box),
    "learnt_probability": learnt_probability,
}


@pytest.mark.parametrize("call", CALLS_WITH_A_TREE.values(), ids=CALLS_WITH_A_TREE.keys())
@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (uct({}, easy_box, Random(1)), r"`tree` must be a map .* tree, result = uct"),
        ([], r"`tree` must be a map .*got \[\]"),
        (build_tree({}, (easy_box, None)), "`tree` must be a map from boxes to records"),
        (optimal_table(rules=Rules(levers=2)), "`tree` must be a map from boxes to records"),
        ({"a": 1}, "`tree` must be a map from boxes to records; got .*'a' and 1"),
    ],
    ids=["pair", "list", "complete tree", "optimal table", "words"],
)
def test_a_wrong_tree_is_refused(call, tree, message):
    with pytest.raises(ValueError, match=message):
        call(tree)


@pytest.mark.parametrize(
    "call",
    [
        flip_coin,
        throw_dart,
        lambda rng: estimate_pi(10, rng),
        dice_roll,
        lambda rng: play_game(start_box, rng),
        lambda rng: play_simple_game(start_box, rng),
        lambda rng: simulate(10, start_box, rng),
        lambda rng: simulate_simple_game(10, start_box, rng),
        lambda rng: look_up_table(10, rng),
        lambda rng: uct({}, start_box, rng),
        lambda rng: trees({}, start_box, rng),
        lambda rng: search({}, start_box, 10, rng),
        lambda rng: monte_carlo_tree_search(start_box, 10, rng),
    ],
)
def test_a_seed_is_not_a_generator(call):
    with pytest.raises(ValueError, match=r"`rng` must be a generator, for example random"):
        call(7)


@pytest.mark.parametrize("record", [(23, 77), Record(23, 77), 0.3])
def test_a_wrong_record_is_refused(record):
    for call in (ucb, mean, interval):
        with pytest.raises(ValueError, match=r"must be a (Record|tuple of finite numbers)"):
            call(record)


def test_a_node_is_a_pair():
    with pytest.raises(ValueError, match=r"`node` must be \(box, roll\)"):
        build_tree({}, start_box)


@pytest.mark.parametrize(
    "call",
    [
        lambda roll: move_table({}, start_box, roll),
        lambda roll: build_tree({}, (start_box, roll)),
    ],
)
@pytest.mark.parametrize("roll", WRONG_ROLLS)
def test_a_roll_that_the_dice_cannot_show_is_refused(call, roll):
    with pytest.raises(
        ValueError, match=f"`roll` must be from 2 to 12 with two dice; got {roll!r}"
    ):
        call(roll)


@pytest.mark.parametrize("n", [0, -5, 1e3, "3"])
@pytest.mark.parametrize(
    "call",
    [
        estimate_pi,
        simulate,
        simulate_simple_game,
        look_up_table,
        lambda n: search({}, start_box, n),
        lambda n: monte_carlo_tree_search(start_box, n),
    ],
)
def test_numbers_of_games_and_dives_are_at_least_one(call, n):
    message = rf"must be a whole number of at least 1; got {re.escape(repr(n))}"
    with pytest.raises(ValueError, match=message):
        call(n)


@pytest.mark.parametrize("z", [-1, float("nan"), float("inf"), "2"])
@pytest.mark.parametrize(
    "call",
    [
        lambda z: ucb(Record(1, (1, 0)), z=z),
        lambda z: uct({}, start_box, z=z),
        lambda z: trees({}, start_box, z=z),
        lambda z: search({}, start_box, 1, z=z),
        lambda z: monte_carlo_tree_search(start_box, 1, z=z),
        lambda z: move_table({}, start_box, 7, z=z),
    ],
)
def test_z_is_not_negative(call, z):
    with pytest.raises(ValueError, match=r"`z` must be a finite number of at least 0"):
        call(z)


@pytest.mark.parametrize("tree", [[], None, search({}, easy_box, 3)])
def test_a_complete_tree_is_built_only_on_a_complete_tree(tree):
    with pytest.raises(ValueError, match="`tree` must be a complete game tree"):
        build_tree(tree, (easy_box, None))


@pytest.mark.parametrize(("rules", "message"), WRONG_RULES)
def test_wrong_rules_are_refused(rules, message):
    with pytest.raises(ValueError, match=message):
        play_game(easy_box, rules=rules)
