"""The words of the workshop, task by task, and the library, which is equal to them."""

import re
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purembts
from purembts import (
    NOTHING,
    WIN,
    Record,
    all_boxes,
    best_move,
    best_move_table,
    box_to_str,
    build_tree,
    easy_box,
    is_win,
    learnt_probability,
    mcts,
    play_game,
    play_simple_game,
    possible_moves,
    sample_box,
    search,
    shut_the_box,
    simple_moves,
    simple_start,
    simulate,
    simulate_simple_game,
    simulation,
    start_box,
    ucb,
    uct,
    win_probability,
)
from purembts.bounds import wald_with
from purembts.exact import solver
from purembts.fast import engine
from purembts.game import plain_playout
from purembts.games.last_coin import last_coin, pile
from purembts.games.shut_the_box import simple_game
from purembts.verify.strategies import boxes_of, seeds
from purembts.workshop import ROLLS, THROWS, choice_line

GAME, COINS = shut_the_box(), last_coin()
rolls = st.sampled_from([*ROLLS])
zs = st.sampled_from([0, 0.5, 2, 3])


def test_the_words_are_at_most_45():
    assert len({*purembts.__all__}) == len(purembts.__all__) <= 45
    assert all(hasattr(purembts, name) for name in purembts.__all__)


def test_a_prompt_offers_the_words_and_the_modules():
    offered = {*dir(purembts)}
    assert offered >= {*purembts.__all__, "mcts", "exact", "fast", "__version__"}
    others = offered - {*purembts.__all__, "__version__"}
    assert all(getattr(purembts, name).__name__ == f"purembts.{name}" for name in others)
    assert re.match(r"\d+\.\d+", purembts.__version__)
    with pytest.raises(AttributeError, match="has no attribute 'brief'"):
        purembts.brief  # noqa: B018


def test_a_game_shows_its_name():
    assert repr(GAME) == "Game('Shut the Box')"


# The library is equal to the plain words, draw for draw


def folded(tree, box, dives, rng, z):
    for _ in range(dives):
        tree, result = uct(tree, box, rng, z=z)
    return tree, result


@given(boxes_of(), seeds, zs)
def test_a_dive_of_the_library_is_the_dive_of_the_workshop(box, seed, z):
    one, two, tree = Random(seed), Random(seed), {}
    for _ in range(40):
        expected = uct(tree, box, one, z=z)
        assert mcts.uct(GAME, tree, box, two, bound=wald_with(z)) == expected
        tree = expected[0]
    assert one.random() == two.random()


@given(boxes_of(), seeds, zs, st.integers(0, 60), st.integers(1, 120))
def test_a_search_is_folded_dives(box, seed, z, before, dives):
    tree = folded({}, start_box, before, Random(seed + 1), z)[0] if before else {}
    one, two, three = (Random(seed) for _ in range(3))
    expected, _ = folded(tree, box, dives, one, z)
    assert engine.search(GAME, tree, box, dives, two, bound=wald_with(z)) == expected
    assert search(tree, box, dives, three, z=z) == expected
    assert one.random() == two.random() == three.random()


@given(boxes_of(), seeds)
def test_random_games_of_the_library_are_those_of_the_workshop(box, seed):
    one, two, three = (Random(seed) for _ in range(3))
    results = [play_game(box, one) for _ in range(40)]
    assert results == [plain_playout(GAME, box, two) for _ in range(40)]
    wins = results.count(WIN)
    assert simulation.simulate(GAME, box, 40, three) == Record(40, (wins, 40 - wins))
    assert simulate(40, box, Random(seed)) == Record(40, (wins, 40 - wins))
    assert one.random() == two.random() == three.random()


@given(boxes_of(), seeds)
def test_simplified_games_of_the_library_are_those_of_the_workshop(box, seed):
    one, two = Random(seed), Random(seed)
    for _ in range(20):
        assert play_simple_game(box, one) == plain_playout(simple_game, box, two)
    assert simulate_simple_game(20, box, one) == simulation.simulate(simple_game, box, 20, two)
    assert one.random() == two.random()


@given(boxes_of(), rolls)
def test_the_rules_of_the_library_are_those_of_the_workshop(box, roll):
    assert GAME.moves(box, roll) == possible_moves(box, roll)
    assert simple_game.moves(box, roll) == simple_moves(box, roll)
    assert GAME.chances(box) == (THROWS if box else (None,))
    assert (GAME.result(box) == WIN) == is_win(box)
    assert GAME.display.short(box) == box_to_str(box)


def test_the_values_of_the_solver_are_those_of_the_workshop():
    value = solver(GAME)
    for box in all_boxes:
        assert value(box) == (win_probability(box), 1 - win_probability(box))


# Tasks 1 to 9. `course/test_tasks` marks the words as it marks those of learners.


def test_a_choice_has_its_hint():
    box, move, line = frozenset({2, 4, 6}), frozenset({2, 4}), "[ 2 4     ] shut 6"
    hints = {None: "", 0: "  0.0000", 0.25: "  0.2500", Fraction(1, 3): "  0.3333"}
    hints |= {Record(100, (3, 97)): "  0.0300 (95 %: 0.0103 to 0.0845)", NOTHING: "  not known"}
    for hint, text in hints.items():
        for key in (move, (move, None)):
            assert choice_line(box, move, None if hint is None else {key: hint}) == line + text
    assert choice_line(box, move, {}) == f"{line}  not known"


# Task 11


@given(st.integers(1, 1000), st.integers(0, 1000), zs)
def test_ucb_is_the_bound_of_the_library(n, wins, z):
    wins = min(wins, n)
    assert ucb(Record(n, (wins, n - wins)), z=z) == wald_with(z)(wins, n)
    assert ucb(None) == ucb(NOTHING) == ucb(Record(0, (0, 0))) == float("inf")


# Tasks 12 and 13


def test_the_complete_tree_has_the_probabilities_to_win():
    tree = build_tree({}, (start_box, None))
    assert len(tree) == 6121
    assert {box for box in all_boxes if (box, None) not in tree} == {simple_start}
    assert all(value == win_probability(*node) for node, value in tree.items())


def test_build_tree_adds_to_a_tree_and_does_not_change_it():
    first = build_tree({}, (easy_box, None))
    kept = dict(first)
    more = build_tree(first, (sample_box, 9))
    assert first == kept
    assert build_tree({}, (frozenset({7.0}), None)) == first
    assert build_tree(more, (sample_box, 9)) is more
    assert all(more[node] == first[node] for node in first)


def test_the_best_move_is_the_first_of_the_moves_with_the_highest_probability():
    ties, table = 0, best_move_table()
    for box in all_boxes:
        for roll in ROLLS:
            moves = possible_moves(box, roll)
            best = [m for m in moves if win_probability(m) == win_probability(box, roll)]
            assert table[box, roll] == best_move(box, roll) == (best[0] if moves else None)
            ties += len(best) > 1
    assert ties == 39  # as ERRATA.md says
    assert len(table) == 5632


def test_a_plain_set_says_itself_that_it_is_no_key():
    with pytest.raises(TypeError, match="unhashable type: 'set'"):
        possible_moves({1, 7}, 7)


GAME_CALLS = [
    lambda: search(COINS, {}, start_box, 9),
    lambda: uct(COINS, {}, pile(5)),
    lambda: learnt_probability(COINS, {}),
]


@pytest.mark.parametrize("call", GAME_CALLS)
def test_a_word_of_the_workshop_says_which_word_takes_another_game(call):
    other = r"Other games: engine\.search, mcts\.uct, simulation\.simulate\.$"
    with pytest.raises(ValueError, match=other):
        call()


def test_a_tree_of_pairs_is_read_and_another_record_is_named():
    pairs = {start_box: (1, 4), frozenset({7}): (2, 3)}
    records = {box: Record(5, pair) for box, pair in pairs.items()}
    assert learnt_probability(pairs) == learnt_probability(records)
    assert uct(pairs, start_box, Random(7)) == uct(records, start_box, Random(7))
    with pytest.raises(ValueError, match=r"A record must be a Record.* got \{'win': 1\}"):
        learnt_probability({start_box: {"win": 1}})
