"""The laws of a search: right searches of others keep them, and each planted fault breaks its law.

The searches are those of foreign.py. A fault changes one thing in them.
"""

import random
from fractions import Fraction
from functools import partial
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyrsistent import pmap

import foreign
from foreign import coins
from purembts import mcts
from purembts.fast import engine
from purembts.game import Game
from purembts.records import Record
from purembts.verify.random_games import random_game
from purembts.verify.search_laws import (
    Step,
    check_added,
    check_learning,
    check_line,
    check_old_tree,
    check_reachable,
    check_result,
    check_same_seed,
    check_scores,
    check_search,
    check_uct,
    check_visits,
    folding,
    line_of,
    read_tree,
    steps,
    worst_value,
)
from purembts.verify.strategies import seeds
from toys import MAPPINGS, PERSISTENT, quick_game

START = (7, 0)


def uct_fails(uct, match, **how):
    with pytest.raises(AssertionError, match=match):
        check_uct(uct, coins, START, **how)


def search_fails(search, match, **how):
    with pytest.raises(AssertionError, match=match):
        check_search(search, coins, START, **how)


# Right ones


def test_right_functions_of_others_keep_the_laws():
    check_uct(foreign.uct, coins, START)
    check_search(foreign.search, coins, START, learns=None)
    check_search(folding(foreign.uct), coins, START, learns=None)


@pytest.mark.parametrize("empty", [*PERSISTENT, *MAPPINGS])
def test_ours_keep_the_laws(empty):
    check_uct(partial(mcts.uct, coins), coins, START, empty=empty, learns=None)
    check_search(partial(engine.search, coins), coins, START, empty=empty, learns=None)


def test_ours_learn():
    check_uct(partial(mcts.uct, coins), coins, START, learns=100)
    check_search(partial(engine.search, coins), coins, START, learns=100)


@settings(max_examples=10)
@given(seeds, st.integers(1, 3), seeds)
def test_ours_keep_the_laws_in_games_with_chance(game_seed, players, seed):
    game = quick_game(random_game(game_seed, players))
    how = {"seed": seed, "learns": None, "dives": 40}
    check_uct(partial(mcts.uct, game), game, 0, **how)
    check_search(partial(engine.search, game), game, 0, **how)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_search_learns_a_solitaire_game_with_chance(seed):
    game = quick_game(random_game(seed, players=1, size=12))
    check_learning(partial(engine.search, game), game, 0, 300)


def test_a_tree_may_hold_whole_games():
    """A search may put all positions of a random game into the tree."""

    def whole(tree, pile, rng):
        positions = foreign.line(tree, pile)
        while options := foreign.moves(positions[-1]):
            positions.append(options[int(rng.random() * len(options))])
        scores = foreign.result(positions[-1])
        return foreign.added(tree, positions, scores), scores

    check_uct(whole, coins, START)


def test_a_tree_may_keep_means():
    """They are read as sums, with an error of rounding that the laws allow for."""
    thirds = coins._replace(
        result=lambda pile: (1 / 3, 2 / 3) if pile[1] else (2 / 3, 1 / 3), score_range=(0, 1)
    )

    def uct(tree, pile, rng):
        sums = {place: (n, [n * mean for mean in means]) for place, (n, means) in tree.items()}
        positions = foreign.line(sums, pile)
        scores = thirds.result((0, foreign.playout(positions[-1], rng)[0]))
        grown = dict(tree)
        for position in positions:
            n, means = tree.get(position, (0, [0.0, 0.0]))
            moved = [m + (s - m) / (n + 1) for m, s in zip(means, scores, strict=True)]
            grown[position] = (n + 1, moved)
        return grown, scores

    def read(tree):
        return {place: (n, [n * mean for mean in means]) for place, (n, means) in tree.items()}

    check_uct(uct, thirds, START, dives=300, learns=None, read=read)


def test_any_tree_can_be_read():
    pairs = [((3, 0), 2, (1, 1)), ((1, 1), 0, ())]
    read = read_tree(pairs, lambda tree: {place: (n, scores) for place, n, scores in tree})
    assert read == read_tree({(3, 0): Record(2, (1, 1))}) == {(3, 0): Record(2, (1, 1))}
    for two in (2.0, np.int64(2), np.float64(2), Fraction(2)):
        [record] = read_tree({(3, 0): (two, (1, 1))}).values()
        assert type(record.visits) is int
        assert record == Record(2, (1, 1))
    assert read_tree({(3, 0): (2.5, (1, 1))}) == {(3, 0): (2.5, (1, 1))}


def test_the_law_of_learning_needs_a_game_with_something_to_learn():
    search = foreign.search
    with pytest.raises(ValueError, match=r"`start` must be .* best play is better .* got \(1, 0\)"):
        check_learning(search, coins, (1, 0), 10)
    for game in (coins._replace(score_sum=None), random_game(1, players=3)):
        with pytest.raises(ValueError, match=r"`game` must have one player, or two players and a"):
            check_learning(search, game, 0, 10)


def test_catches_a_sum_that_is_not_constant():
    """The second player chooses x, or y after which the first one chooses.

    The first player gets more from x by threatening with a bad reply to y.
    """
    after = {"start": ("x", "y"), "y": ("good", "bad")}
    ends = {"x": (2, 1), "good": (1, 2), "bad": (0, 0)}
    rules = Game(
        lambda at, event: after.get(at, ()),
        ends.__getitem__,
        lambda at: int(at == "start"),
        score_range=(0, 2),
    )
    tree = {"bad": (1, (2, 0)), "good": (1, (1, 2))}
    with pytest.raises(AssertionError, match=r"No policy may be worth more .* gets 2 from 'start'"):
        check_learning(lambda *args: tree, rules, "start", 10)


# Faults of one dive


def test_catches_a_uct_that_changes_its_tree():
    def changing(tree, pile, rng):
        grown, scores = foreign.uct(tree, pile, rng)
        tree.update(grown)
        return tree, scores

    uct_fails(
        changing,
        r"The old tree must stay as it was. Dive 1 with seed 7 changed the record of \(7, 0\) in it"
        r", from Record\(visits=0, .* to Record\(visits=1, .*Return a new tree, or change a copy",
    )


def test_catches_a_uct_that_forgets_positions():
    def forgetting(tree, pile, rng):
        grown, scores = foreign.uct(tree, pile, rng)
        return dict(list(grown.items())[:3]), scores

    uct_fails(forgetting, "must learn", dives=3)

    def dropping(tree, pile, rng):
        grown, scores = foreign.uct(tree, pile, rng)
        return {place: record for place, record in grown.items() if record[0] != 3}, scores

    uct_fails(dropping, r"must add one visit and its result .* from .*visits=2, .*Right is Record")


def test_catches_a_visit_that_is_counted_twice():
    def twice(tree, pile, rng):
        positions = foreign.line(tree, pile)
        scores = foreign.playout(positions[-1], rng)
        grown = foreign.added(tree, positions, scores)
        n, sums = grown[positions[-1]]
        return {**grown, positions[-1]: (n + 1, sums)}, scores

    uct_fails(
        twice,
        r"One dive must add one visit and its result .* Dive 1 with seed 7 .* the record of \(7, 0"
        r"\) from Record\(visits=0, .* to Record\(visits=2, .*Right is Record\(visits=1",
    )


def test_catches_a_uct_that_credits_the_loser():
    def crediting(tree, pile, rng):
        positions = foreign.line(tree, pile)
        scores = foreign.playout(positions[-1], rng)
        return foreign.added(tree, positions, scores[::-1]), scores

    uct_fails(crediting, r"add one visit and its result .* with the result \(., .\) changed")


def test_catches_a_uct_that_returns_the_result_of_the_loser():
    """The records fit the result, but at an end of the game the result is another one."""

    def turned(tree, pile, rng):
        positions = foreign.line(tree, pile)
        scores = foreign.playout(positions[-1], rng)[::-1]
        return foreign.added(tree, positions, scores), scores

    uct_fails(
        turned, r"must be a result of the game, from the last position on. Dive .* Possible r"
    )


@pytest.mark.parametrize("scores", [(2, -1), (1, 1), (0.5, 0.5), (1,), (1, 0, 0)])
def test_catches_a_result_that_the_game_has_not(scores):
    def odd(tree, pile, rng):
        record = (tree.get(pile, (0, 0))[0] + 1, [scores[0] for _ in scores])
        return {pile: record}, scores

    step = Step("Dive 1 with seed 7", START, 1, {}, {}, {START: Record(1, scores)}, scores)
    with pytest.raises(AssertionError, match=r"The result of a dive must be a result of the game"):
        check_result(coins, step)
    uct_fails(odd, "must be a result of the game|must add one visit and its result")


def test_catches_a_uct_that_draws_from_the_module():
    def drawing(tree, pile, rng):
        return foreign.uct(tree, pile, random)

    uct_fails(
        drawing, r"The same seed must give the same tree. Seed \d gave Record.* at .*, and th"
    )


def test_catches_a_uct_that_returns_the_tree_alone():
    uct_fails(lambda tree, pile, rng: foreign.uct(tree, pile, rng)[0], "must return a pair: the n")
    uct_fails(lambda tree, pile, rng: [*foreign.uct(tree, pile, rng)], r"returned \[\{\(7, 0\): \(")


def test_catches_a_uct_that_leaves_out_its_first_position():
    def rootless(tree, pile, rng):
        positions = foreign.line({**tree, pile: (1, [0, 0])}, pile)[1:]
        scores = foreign.playout(positions[-1], rng)
        return foreign.added(tree, positions, scores), scores

    uct_fails(rootless, r"Dive 1 with seed 7 did not change the record of \(7, 0\), where it began")


def test_catches_a_result_that_is_added_to_the_leaf_and_the_root_alone():
    def gap(tree, pile, rng):
        positions = foreign.line(tree, pile)
        scores = foreign.playout(positions[-1], rng)
        return foreign.added(tree, {pile: None, positions[-1]: None}, scores), scores

    uct_fails(gap, r"changed \(., .\), which no changed position has a move to")


def test_catches_a_dive_that_visits_two_moves():
    def both(tree, pile, rng):
        positions = [pile, *foreign.moves(pile)] if pile in tree else [pile]
        scores = foreign.playout(pile, rng)
        return foreign.added(tree, positions, scores), scores

    start = START
    first, second = steps(both, start, 2)
    assert line_of(coins, first) == [start]
    # (6, 1) has no move to (5, 1), where the same player has to move.
    with pytest.raises(AssertionError, match=r"several positions after \(7, 0\): \(., 1\), \(., 1"):
        check_line(coins, second)


def test_catches_a_position_that_does_not_belong_to_the_game():
    def stray(tree, pile, rng):
        grown, scores = foreign.uct(tree, pile, rng)
        return foreign.added(grown, ["stray"], scores), scores

    uct_fails(stray, r"Dive 1 with seed 7 changed 'stray', which no changed position has a move to")


def test_catches_a_uct_that_maximises_for_the_wrong_player(monkeypatch):
    check = partial(check_uct, foreign.uct, coins, START, learns=100)
    check()
    bound = foreign.bound
    monkeypatch.setattr(foreign, "bound", lambda q, n, total: bound(n - q, n, total))
    with pytest.raises(
        AssertionError, match=r"A search must learn: .* After 100 dives from \(7, 0"
    ):
        check()


def test_catches_a_search_that_never_goes_deeper():
    """Flat Monte Carlo knows nothing of the turns after the first."""

    def flat(tree, pile, rng):
        positions = foreign.line(tree, pile)[:2]
        scores = foreign.playout(positions[-1], rng)
        return foreign.added(tree, positions, scores), scores

    uct_fails(flat, r"After 300 dives from \(7, 0\), 0 of 100 searches had. .* does so 68 times")


def test_catches_too_few_dives():
    uct_fails(foreign.uct, r"A search must learn: .* After 3 dives", learns=3)
    check_uct(foreign.uct, coins, START, learns=None)


# Faults of a search


def test_catches_a_search_that_changes_its_tree():
    def changing(tree, pile, dives, rng):
        tree.update(foreign.search(tree, pile, dives, rng))
        return tree

    search_fails(changing, r"The old tree must stay as it was. Search 1 with seed 7 changed")


def test_catches_one_dive_too_few():
    def fewer(tree, pile, dives, rng):
        return foreign.search(tree, pile, dives - 1, rng)

    search_fails(fewer, r"one visit from each dive. Search 1 .* added 99 visits to \(7, 0\). Right")


def test_catches_a_search_that_begins_anew():
    def forgetting(tree, pile, dives, rng):
        return foreign.search({}, pile, dives, rng)

    search_fails(forgetting, r"one visit from each dive. Search 2 with seed 7 added 0 visits")


def test_catches_visits_of_leaves_that_are_counted_twice():
    def double(tree, pile, dives, rng):
        grown = foreign.search(tree, pile, dives, rng)
        twice = {place: (2 * n, [2 * s for s in sums]) for place, (n, sums) in grown.items()}
        return {**twice, pile: grown[pile]}

    search_fails(double, r"no more visits than lead to it, .* The positions with a move to it got")


def test_catches_lost_visits():
    def losing(tree, pile, dives, rng):
        grown = foreign.search(tree, pile, dives, rng)
        return {place: record for place, record in grown.items() if place != (5, 1) or not tree}

    search_fails(losing, r"none may be lost. Search 2 with seed 7 added -\d+ visits to \(5, 1\)")


def test_catches_a_position_that_cannot_be_reached():
    def stray(tree, pile, dives, rng):
        return {**foreign.search(tree, pile, dives, rng), (8, 0): (1, [1, 0])}

    search_fails(
        stray, r"one that can follow the first .* visited \(8, 0\). No line .* from \(7, 0"
    )


def test_catches_a_search_that_credits_the_loser(monkeypatch):
    added = foreign.added
    monkeypatch.setattr(foreign, "added", lambda tree, line, s: added(tree, line, s[::-1]))
    search_fails(
        foreign.search, r"must be a sum of results that can follow .* gave \(0, .\) the re"
    )


@pytest.mark.parametrize("sums", [[99, 0], [50.5, 50.5], [101, -1], [100]])
def test_catches_scores_that_are_no_sum_of_results(sums):
    def odd(tree, pile, dives, rng):
        return {**foreign.search(tree, pile, dives, rng), pile: (100, sums)}

    search_fails(
        odd, r"The scores of a record must be a sum of results that can follow its positio"
    )


def test_catches_a_search_that_draws_from_the_module():
    def drawing(tree, pile, dives, rng):
        return foreign.search(tree, pile, dives, random)

    search_fails(drawing, "The same seed must give the same tree")


def test_catches_a_search_that_ignores_chance_to_learn():
    def lazy(tree, pile, dives, rng):
        return {pile: (tree.get(pile, (0, 0))[0] + dives, [0, 0])}

    with pytest.raises(AssertionError, match="0 of 100 searches had"):
        check_learning(lazy, coins, START, 300)


# The laws by themselves


def test_a_dive_that_changes_nothing_is_no_dive():
    step = Step("Dive 1", START, 1, {}, {}, {}, (1, 0))
    with pytest.raises(AssertionError, match="did not change the record"):
        check_line(coins, step)
    check_old_tree(step)
    check_added(coins, step)
    with pytest.raises(AssertionError, match=r"added 0 visits to \(7, 0\). Right are 1"):
        check_visits(coins, step)
    check_reachable(coins, step)
    check_scores(coins, step)


def test_a_line_is_found_among_positions_with_shared_moves():
    """In a DAG a changed position can follow from several others."""
    game = random_game(3)
    for step in steps(partial(mcts.uct, game), 0, 60, seed=5, empty=pmap):
        line = line_of(game, step)
        assert line == sorted(line)
        assert step.result is not None


def test_the_worst_value_of_best_play_is_its_value():
    search = partial(engine.search, coins)
    policy = mcts.learnt(search({}, (7, 0), 2000, Random(1)))
    assert worst_value(coins, (7, 0), policy, 0) == 1
    assert worst_value(coins, (6, 0), mcts.learnt({}), 0) == 0


def test_other_values_of_a_seed_are_shown():
    numbers = iter(range(10))
    with pytest.raises(AssertionError, match="Seed 7 gave 0, and then 1"):
        check_same_seed(lambda rng: next(numbers), 7, "number")
