"""The workshop's words at the prompt, task by task."""

import re
from collections import Counter
from fractions import Fraction
from itertools import combinations as subsets
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyrsistent import PMap, pmap

from purembts import engine, exact, mcts, simulation
from purembts.bounds import ucb_wald
from purembts.game import plain_playout, turn_at
from purembts.games import shut_the_box as stb
from purembts.games.shut_the_box import (
    LOSS,
    USUAL,
    WIN,
    Rules,
    best_move,
    box_to_str,
    boxes,
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
from purembts.records import NOTHING, Record, interval, mean
from purembts.workshop import (
    all_boxes,
    best_move_table,
    best_move_table_string,
    build_tree,
    dice_roll,
    easy_box,
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
    trees,
    ucb,
    uct,
)
from stats import assert_probability
from strategies import rngs, rules_and_boxes, seeds, some_boxes

ROLLS = range(2, 13)
TWELVE = Rules(levers=12)
VARIANTS = [
    Rules(levers=6),
    Rules(levers=6, dice=1),
    Rules(levers=7, one_die_end=True),
    Rules(levers=7, most_levers=2),
]

# Tasks 2 and 3


def test_the_boxes_of_the_workshop():
    assert start_box == {1, 2, 3, 4, 5, 6, 7, 8, 9}
    assert sample_box == {2, 4, 5, 7, 8, 9}
    assert easy_box == {7}
    assert all(type(box) is frozenset for box in (start_box, sample_box, easy_box, *all_boxes))


def test_there_are_512_boxes_and_11_rolls_of_each():
    assert len(all_boxes) == len(set(all_boxes)) == 512
    assert all_boxes[0] == frozenset()
    assert all_boxes[-1] == start_box
    assert number_of_states() == 512 * 11
    assert number_of_states(rules=Rules(dice=1)) == 512 * 6
    one_die = sum(1 for box in all_boxes if sum(box) <= 6)
    assert number_of_states(rules=Rules(one_die_end=True)) == one_die * 6 + (512 - one_die) * 11


@given(seeds)
@settings(max_examples=10)
def test_two_dice_show_each_total_as_often_as_36_throws_do(seed):
    rng, n = Random(seed), 5000
    check_dice(lambda: dice_roll(rng), n)


def check_dice(roll, n):
    counts = Counter(roll() for _ in range(n))
    assert set(counts) <= set(ROLLS)
    for total in ROLLS:
        assert_probability(counts[total], n, Fraction(6 - abs(7 - total), 36), effect=0.06)


def test_one_die_is_used_at_the_end_where_the_rules_say_so():
    rules, rng = Rules(one_die_end=True), Random(1)
    small = {dice_roll(rng, box=frozenset({1, 5}), rules=rules) for _ in range(500)}
    large = {dice_roll(rng, box=frozenset({7}), rules=rules) for _ in range(500)}
    assert small == {1, 2, 3, 4, 5, 6}
    assert large == set(ROLLS)
    assert {dice_roll(rng, rules=Rules(dice=1)) for _ in range(500)} == small


def test_the_shut_box_wins():
    assert is_win(frozenset())
    assert not is_win(easy_box)


# Tasks 4 to 7


def test_the_simplified_game_by_hand():
    assert simple_start == start_box - {1}
    assert simple_moves(sample_box, 4) == (sample_box - {4},)
    assert simple_moves(sample_box, 3) == ()
    assert simple_moves(sample_box, 12) == ()


@given(some_boxes, st.sampled_from(ROLLS))
def test_the_simplified_game_is_the_one_with_one_lever_a_move(box, roll):
    assert simple_moves(box, roll) == possible_moves(box, roll, rules=Rules(most_levers=1))


def test_the_simplified_game_automatically():
    results = Counter(play_simple_game(easy_box, Random(seed)) for seed in range(20))
    assert set(results) == {WIN, LOSS}
    assert play_simple_game(frozenset()) == WIN
    record = simulate_simple_game(500, rng=Random(1))
    assert record == played_one_by_one(500)
    assert simulate_simple_game(50, start_box, Random(1)).scores == (0, 50)


def played_one_by_one(n):
    rng = Random(1)
    wins = sum(play_simple_game(simple_start, rng) == WIN for _ in range(n))
    return Record(n, (wins, n - wins))


def test_the_exact_value_of_the_simplified_game():
    """Every lever from 2 to 9 has to be thrown before any comes twice: in any order."""
    weights = [6 - abs(7 - lever) for lever in range(2, 10)]
    known = {frozenset(): Fraction(1)}
    for size in range(1, 9):
        for left in map(frozenset, subsets(range(8), size)):
            known[left] = sum(Fraction(weights[i], 36) * known[left - {i}] for i in left)
    assert exact.solver(simple_game)(simple_start)[0] == known[frozenset(range(8))]


# Task 8


@given(st.lists(st.integers(), max_size=8, unique=True))
def test_power_has_every_choice_once(items):
    chosen = power(items)
    assert len(chosen) == len(set(map(frozenset, chosen))) == 2 ** len(items)
    assert all(set(choice) <= set(items) for choice in chosen)


def test_lever_combinations_are_looked_up_by_the_roll():
    assert len(lever_combinations) == 13
    for roll, choices in enumerate(lever_combinations):
        assert choices == levers_for_roll(roll)
        assert all(sum(choice) == roll for choice in choices)
    assert lever_combinations[3] == ((1, 2), (3,))
    assert (1, 2, 3, 5) in lever_combinations[11]
    assert levers_for_roll(9, rules=Rules(most_levers=2)) == ((4, 5), (3, 6), (2, 7), (1, 8), (9,))


def check_moves(moves, box, roll, most=9):
    """`moves` are all the boxes that levers of the sum of the roll leave, each once."""
    expected = {
        box - set(shut)
        for size in range(1, most + 1)
        for shut in subsets(sorted(box), size)
        if sum(shut) == roll
    }
    assert len(moves) == len(set(moves))
    assert set(moves) == expected


def test_possible_moves_are_all_there_are():
    for box in all_boxes:
        for roll in ROLLS:
            check_moves(possible_moves(box, roll), box, roll)


@given(rules_and_boxes, st.integers(-1, 14))
def test_the_moves_of_variants_are_all_there_are(rules_and_box, roll):
    rules, box = rules_and_box
    game = shut_the_box(rules)
    possible = roll in game.chances(box)
    most = rules.most_levers or rules.levers
    check_moves(game.moves(box, roll), box, roll, most if possible else 0)


def test_rules_are_total():
    """An impossible roll has no moves, and none for a roll that is not rolled."""
    moves = shut_the_box().moves
    for roll in (-3, 0, 1, 13, None, 6.5):
        assert moves(start_box, roll) == ()
    assert shut_the_box(Rules(dice=1)).moves(start_box, 7) == ()


def test_moves_are_the_same_objects_whatever_box_is_asked_about():
    for move in possible_moves(frozenset([9, 1, 2]), 9):
        assert any(move is box for box in all_boxes)
    assert possible_moves({1, 2, 9}, 9) == (frozenset({1, 2}),)


def test_random_play_takes_each_possible_box_equally_often():
    """Not each lever: with 1, 3 and 4 up, a 4 leaves {4} as often as {1, 3}."""
    game, box = shut_the_box(), frozenset({1, 3, 4})
    value = exact.solver(game, exact.uniform)
    turn = turn_at(game, box, 4)
    assert set(turn.moves) == {frozenset({4}), frozenset({1, 3})}
    by_hand = (value(frozenset({4}))[0] + value(frozenset({1, 3}))[0]) / 2
    assert exact.turn_value(game, turn, exact.uniform, value)[0] == by_hand


def test_a_game_is_won_or_lost():
    assert {play_game(easy_box, Random(seed)) for seed in range(30)} == {WIN, LOSS}
    assert play_game(frozenset()) == WIN


@given(rules_and_boxes, seeds)
def test_the_own_playout_is_the_generic_one_with_the_same_draws(rules_and_box, seed):
    rules, box = rules_and_box
    game, one, two = shut_the_box(rules), Random(seed), Random(seed)
    for _ in range(20):
        assert play_game(box, one, rules=rules) == plain_playout(game, box, two)
    assert one.random() == two.random()
    assert simulate(50, box, one, rules=rules) == simulation.simulate(game, box, 50, two)


def test_simulate_from_the_full_box_unless_told_otherwise():
    assert simulate(200, rng=Random(1)) == simulate(200, start_box, Random(1))
    assert simulate(200, easy_box, Random(1)) != simulate(200, start_box, Random(1))
    assert simulate(200, rng=Random(1), rules=TWELVE).visits == 200


# Task 10


def test_the_look_up_table_is_a_map_from_all_boxes_to_records():
    table = look_up_table(2, Random(1))
    assert isinstance(table, PMap)
    assert set(table) == set(all_boxes)
    assert table[frozenset()] == Record(2, (2, 0))
    assert set(look_up_table(1, Random(1), rules=VARIANTS[0])) == set(boxes(VARIANTS[0]))


# Task 11


def test_ucb_of_a_record():
    assert ucb(None) == ucb(NOTHING) == ucb(Record(0, (0, 0))) == float("inf")
    assert ucb(Record(10, (1, 9))) == ucb_wald(1, 10)
    assert ucb(Record(10, (1, 9)), z=0) == 0.1
    assert ucb(Record(50, (0, 50))) == 0.06
    assert ucb(Record(1, (0, 1))) > ucb(Record(1, (1, 0))), "one loss outranks one win"


def test_uct_at_the_prompt():
    tree, result = uct({}, start_box)
    assert tree == {start_box: Record(1, result)}
    tree, result = uct(pmap(), easy_box, Random(1))
    assert set(tree) == {easy_box}


def test_the_prompt_is_the_generic_search_with_the_workshops_bound():
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


def test_what_is_learnt_from_nothing_is_random_play():
    assert learnt_probability({}) == exact.solver(shut_the_box(), exact.uniform)(start_box)[0]


@settings(max_examples=10)
@given(some_boxes, seeds)
def test_what_is_learnt_is_at_most_the_optimum(box, seed):
    tree = search({}, box, 200, Random(seed))
    assert learnt_probability(tree, box) <= win_probability(box)


# Task 12


def test_the_complete_tree_agrees_with_the_solver_everywhere():
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
def test_variants_agree_with_the_solver_everywhere(rules):
    tree = build_tree({}, (full_box(rules), None), rules=rules)
    solve = exact.solver(shut_the_box(rules))
    for (box, roll), probability in tree.items():
        assert probability == win_probability(box, roll, rules=rules)
        if roll is None:
            assert probability == solve(box)[0]


def test_a_built_tree_is_threaded_and_never_changed():
    first = build_tree({}, (easy_box, None))
    kept = dict(first)
    more = build_tree(first, (sample_box, 9))
    assert first == kept
    assert build_tree(more, (sample_box, 9)) is more
    assert all(more[node] == first[node] for node in first)
    given_dict = {}
    build_tree(given_dict, (easy_box, None))
    assert given_dict == {}


def test_the_probability_of_a_roll_is_that_of_the_best_move():
    assert win_probability(easy_box, 7) == 1
    assert win_probability(easy_box, 6) == 0
    assert win_probability(frozenset(), 7) == win_probability(frozenset()) == 1
    assert win_probability(easy_box) == Fraction(1, 6)
    assert win_probability(start_box) == Fraction(466473281, 6530347008)


def test_the_optimal_table_has_every_box():
    table = optimal_table()
    assert table == {box: win_probability(box) for box in all_boxes}


# Task 13


def test_best_moves_are_worth_what_the_roll_is_worth():
    table = best_move_table()
    assert set(table) == {(box, roll) for box in all_boxes for roll in ROLLS}
    for (box, roll), move in table.items():
        moves = possible_moves(box, roll)
        assert move == best_move(box, roll)
        if not moves:
            assert move is None
            continue
        assert move in moves
        assert win_probability(move) == win_probability(box, roll)
        assert move == next(m for m in moves if win_probability(m) == win_probability(box, roll))


def test_how_many_pairs_have_several_best_moves():
    """ERRATA.md counts 39 of them."""
    ties = sum(
        [win_probability(m) for m in possible_moves(box, roll)].count(win_probability(box, roll))
        > 1
        for box in all_boxes
        for roll in ROLLS
    )
    assert ties == 39


def test_a_box_is_nine_characters():
    assert box_to_str(start_box) == "123456789"
    assert box_to_str(sample_box) == " 2 45 789"
    assert box_to_str(frozenset()) == " " * 9
    assert box_to_str(None) == "x"
    assert box_to_str(frozenset({9, 11}), rules=TWELVE) == "        9  11  "


def test_the_table_as_text_has_the_workshops_form():
    text = best_move_table_string()
    assert text.endswith("\n")
    lines = text.splitlines()
    assert len(lines) == 512
    table = best_move_table()
    for box, line in zip(all_boxes, lines, strict=True):
        first, *rest = line.split("\t")
        assert first == box_to_str(box)
        assert rest == [box_to_str(table[box, roll]) for roll in ROLLS]


def test_the_text_of_a_variant():
    lines = best_move_table_string(rules=Rules(levers=6, dice=1)).splitlines()
    assert len(lines) == 64
    assert lines[1].split("\t") == ["1     ", "      ", "x", "x", "x", "x", "x"]


# What a person may get wrong

CALLS_WITH_A_BOX = {
    "play_game": lambda box: play_game(box),
    "simulate": lambda box: simulate(10, box),
    "is_win": is_win,
    "dice_roll": lambda box: dice_roll(box=box),
    "possible_moves": lambda box: possible_moves(box, 7),
    "simple_moves": lambda box: simple_moves(box, 7),
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
    "win_probability": win_probability,
    "best_move": lambda box: best_move(box, 7),
    "box_to_str": box_to_str,
}


@pytest.mark.parametrize("call", CALLS_WITH_A_BOX.values(), ids=CALLS_WITH_A_BOX.keys())
@pytest.mark.parametrize(
    ("box", "told"),
    [
        (frozenset({0, 3}), r"must have levers from 1 to 9 alone; got .*\[0\]"),
        (frozenset({10, "a"}), r"must have levers from 1 to 9 alone; got .*\[10, 'a'\]"),
        ("heads", "got 'heads'"),
        (7, "got 7"),
        ([1, 2], r"got \[1, 2\]"),
    ],
)
def test_a_foreign_box_is_refused(call, box, told):
    with pytest.raises(ValueError, match=told):
        call(box)


REQUIRED = {"play_game", "is_win", "possible_moves", "uct", "win_probability", "best_move"}


@pytest.mark.parametrize("name", sorted(REQUIRED))
def test_none_is_not_a_box_where_one_is_needed(name):
    """best_move answers None where there is no move: that must not start a game anew."""
    with pytest.raises(ValueError, match=r"`box` must be a set of levers.*got None"):
        CALLS_WITH_A_BOX[name](None)


def test_messages_do_not_flood_the_terminal():
    with pytest.raises(ValueError, match="`box` must be a set of levers") as refused:
        win_probability(optimal_table())
    assert len(str(refused.value)) < 300


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
    ("tree", "told"),
    [
        (uct({}, easy_box, Random(1)), r"`tree` must be a map .* tree, result = uct"),
        ([], r"`tree` must be a map .*got \[\]"),
        (build_tree({}, (easy_box, None)), "`tree` must be a map from boxes to records"),
        (optimal_table(rules=Rules(levers=2)), "`tree` must be a map from boxes to records"),
        ({"a": 1}, "`tree` must be a map from boxes to records; got .*'a' and 1"),
    ],
    ids=["pair", "list", "complete tree", "optimal table", "words"],
)
def test_what_is_no_tree_is_refused(call, tree, told):
    with pytest.raises(ValueError, match=told):
        call(tree)


@pytest.mark.parametrize(
    "call",
    [
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
    with pytest.raises(ValueError, match=r"`rng` must be a generator, as random"):
        call(7)


@pytest.mark.parametrize("record", [(23, 77), Record(23, 77), 0.3])
def test_what_is_no_record_is_refused(record):
    for call in (ucb, mean, interval):
        with pytest.raises(ValueError, match="is not a record, as Record"):
            call(record)


def test_a_node_is_a_pair():
    with pytest.raises(ValueError, match=r"`node` must be \(box, roll\)"):
        build_tree({}, start_box)


CALLS_WITH_A_ROLL = {
    "possible_moves": lambda roll: possible_moves(start_box, roll),
    "simple_moves": lambda roll: simple_moves(start_box, roll),
    "move_table": lambda roll: move_table({}, start_box, roll),
    "build_tree": lambda roll: build_tree({}, (start_box, roll)),
    "win_probability": lambda roll: win_probability(start_box, roll),
    "win_probability of the shut box": lambda roll: win_probability(frozenset(), roll),
    "best_move": lambda roll: best_move(start_box, roll),
}


@pytest.mark.parametrize("call", CALLS_WITH_A_ROLL.values(), ids=CALLS_WITH_A_ROLL.keys())
@pytest.mark.parametrize("roll", [1, 13, 0, -7, 6.5, "7"])
def test_a_roll_that_the_dice_cannot_show_is_refused(call, roll):
    with pytest.raises(
        ValueError, match=f"`roll` must be from 2 to 12 with two dice; got {roll!r}"
    ):
        call(roll)


def test_one_die_shows_at_most_six():
    with pytest.raises(ValueError, match="`roll` must be from 1 to 6 with one die; got 7"):
        possible_moves(frozenset({1, 2}), 7, rules=Rules(one_die_end=True))
    assert possible_moves(frozenset({1, 2}), 1, rules=Rules(one_die_end=True)) == ({2},)


@pytest.mark.parametrize("n", [0, -5, 1e3, "3"])
@pytest.mark.parametrize(
    "call",
    [
        simulate,
        simulate_simple_game,
        look_up_table,
        lambda n: search({}, start_box, n),
        lambda n: monte_carlo_tree_search(start_box, n),
    ],
)
def test_numbers_of_games_and_dives_are_at_least_one(call, n):
    told = rf"must be a whole number of at least 1; got {re.escape(repr(n))}"
    with pytest.raises(ValueError, match=told):
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
def test_a_complete_tree_is_not_built_on_anything_else(tree):
    with pytest.raises(ValueError, match="`tree` must be a complete game tree"):
        build_tree(tree, (easy_box, None))


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (Rules(levers=0), "`levers` must be a whole number of at least 1"),
        (Rules(levers="nine"), "`levers` must be a whole number of at least 1; got 'nine'"),
        (Rules(dice=3), "`dice` must be 1 or 2; got 3"),
        (Rules(most_levers=0), "`most_levers` must be a whole number of at least 1"),
        (Rules(one_die_end="no"), "`one_die_end` must be True or False"),
        (12, "`rules` must be a value of Rules.*got 12"),
        (Rules, "`rules` must be a value of Rules"),
    ],
)
def test_rules_that_make_no_game_are_refused(rules, told):
    for call in (shut_the_box, full_box, boxes):
        with pytest.raises(ValueError, match=told):
            call(rules)
    with pytest.raises(ValueError, match=told):
        optimal_table(rules=rules)
    with pytest.raises(ValueError, match=told):
        levers_for_roll(7, rules=rules)
    with pytest.raises(ValueError, match=told):
        play_game(easy_box, rules=rules)


def test_other_ways_to_write_a_box_are_the_same_box():
    for box in ({7}, frozenset([7.0]), {7: None}.keys(), frozenset({7})):
        assert stb.checked_box(box, USUAL) is easy_box
    assert play_game({7}, Random(1)) == play_game(easy_box, Random(1))


@given(rngs, st.sampled_from(VARIANTS))
def test_everything_works_for_a_variant(rng, rules):
    box = full_box(rules)
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


def test_a_box_is_drawn_with_its_levers_up_and_down():
    assert shut_the_box(Rules(levers=10)).display.show(frozenset({1, 10})).splitlines() == [
        "+----+----+----+----+----+----+----+----+----+----+",
        "|  1 |    |    |    |    |    |    |    |    | 10 |  up",
        "|    |  2 |  3 |  4 |  5 |  6 |  7 |  8 |  9 |    |  down",
        "+----+----+----+----+----+----+----+----+----+----+",
    ]
