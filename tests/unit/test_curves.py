"""Learning curves and exact regret, compared with the solver and with enumeration, in Fractions."""

from fractions import Fraction
from functools import cache
from itertools import islice, product
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from planted import balanced
from purembts import curves as plain
from purembts.bandits import by_bound, thompson, uniformly
from purembts.bounds import ucb1, ucb_wald, wald_with
from purembts.curves import Curves, exact_regret, learning, learnt_values
from purembts.exact import against_best, solver
from purembts.fast.curves import (
    UNKNOWN,
    backed_up_ranks,
    curves,
    flat_of,
    ranks_of,
    trials_of,
    value,
)
from purembts.fast.engine import search, strides
from purembts.game import turn_at
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import last_coin, pile
from purembts.games.mnk import gomoku
from purembts.games.shut_the_box import shut_the_box
from purembts.mcts import learnt
from purembts.pictures.charts import _plot_of, curves_chart
from purembts.proving import backed_up
from purembts.records import Record, mean, visits
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from purembts.workshop import learnt_probability
from toys import bounds

STB = shut_the_box()
flat_of = cache(flat_of)


def exactly(game, start, policy):
    """The exact score of the player who begins with `policy`, by the solver."""
    player = game.to_move(start)
    return solver(game, against_best(player, policy))(start)[player]


def check_tree(game, start, tree):
    """The values and means of `tree` are those of the solver and of the fold, up to rounding."""
    flat = flat_of(game, start)
    for final in (mean, visits):
        got = value(flat, ranks_of(flat, tree, final))
        exact = exactly(game, start, learnt(tree, final=final))
        assert abs(Fraction(got) - exact) <= Fraction(flat.error)
    ranks = backed_up_ranks(flat, ranks_of(flat, tree))
    folded = backed_up(game, tree, start) if tree else {}
    assert abs(Fraction(value(flat, ranks)) - exactly(game, start, learnt(folded))) <= flat.error
    means = {state: mean(record, flat.player) for state, record in folded.items()}
    assert list(ranks) == pytest.approx(
        [means.get(state, UNKNOWN) for state in flat.numbers], abs=1e-13
    )


# The value of a tree


@example(balanced(random_game(1266781897)), 0, 44, ucb1)  # a mean that differs in its last bit
@given(
    st.builds(random_game, seeds, st.just(1)) | st.builds(random_game, seeds).map(balanced),
    seeds,
    st.integers(1, 200),
    bounds,
)
def test_values_of_random_games_are_those_of_the_solver(game, seed, dives, bound):
    check_tree(game, 0, search(game, {}, 0, dives, Random(seed), bound=bound))


def test_the_rounding_that_is_stated_is_small_and_grows_with_the_scores():
    assert 1e-15 < flat_of(STB, STB.start).error < 1e-13
    game, larger = random_game(7, 1), random_game(7, 1)._replace(score_range=(-20, 20))
    assert flat_of(larger, 0).error == 10 * flat_of(game, 0).error


def test_a_game_of_three_has_no_curves():
    with pytest.raises(ValueError, match=r"for one player, or for two .*; got random game 7\.$"):
        trials_of(random_game(7, 3), (1,), {"UCB1": ucb1}, seed=7, start=0)


# Curves


SIX = shut_the_box(levers=6, dice=1)


@pytest.mark.parametrize(("game", "seeds"), [(SIX, 12), (STB, 2), (last_coin(), 5)])
def test_the_fast_readings_are_the_plain_ones(game, seeds):
    """To the last bits, also where moves are equal: seed 0 has two of them after 150 dives."""
    how = {"game": game, "marks": (1, 20, 150), "bounds": {"UCB1": ucb1}, "seed": "k"}
    fast, slow = trials_of(**how), plain.trials_of(**how)
    for i in range(seeds):
        for one, other in zip(fast.readings(i), slow.readings(i), strict=True):
            assert one == pytest.approx(other, abs=1e-13)
    assert plain.curves(**how, seeds=2).lines.keys() == curves(**how, seeds=2).lines.keys()


def test_a_run_has_the_values_of_the_trees_of_its_seed():
    trials = trials_of(STB, [100, 40, 100], {"z": wald_with(1)}, seed="word")
    assert trials.marks == (40, 100)
    for i in range(3):
        run = list(trials.readings(i))
        stages = strides(STB, {}, STB.start, [40, 60], Random(f"word/{i}"), bound=wald_with(1))
        trees = list(islice(stages, 1, None))
        own = [float(learnt_probability(tree)) for tree in trees]
        assert [reading["z"] for reading in run] == pytest.approx(own)
    assert trials.best == solver(STB)(STB.start)[0]
    assert trials.chance == learnt_probability({})


def test_statistics_are_those_of_the_runs():
    n = 20
    trials = trials_of(STB, (30, 1000), {"UCB1": ucb1}, seed=7)
    runs = [list(trials.readings(i)) for i in range(n)]
    line = curves(STB, (30, 1000), n, {"UCB1": ucb1}, seed=7).lines["UCB1"]
    assert line == learning(trials, runs)["UCB1"]
    for k in range(2):
        values = sorted(run[k]["UCB1"] for run in runs)
        half = 1.96 * stdev(values) / sqrt(n)
        seen = (line.curve.mean[k], line.curve.low[k], line.curve.high[k])
        assert seen == pytest.approx((fmean(values), fmean(values) - half, fmean(values) + half))
        assert line.quantiles[k] == tuple(values[i - 1] for i in (1, 5, 10, 15, 19))
        assert line.worse[k] == sum(value < trials.chance * 0.999999 for value in values) / n
    assert line.worse[0] > line.worse[1]


def test_curves_show_themselves_within_the_scores():
    """By the normal distribution, the interval of ten wins of twelve would end at 1.05."""
    trials = trials_of(last_coin(), [1], {"UCB1": ucb1}, seed=7)
    lines = learning(trials, [[{"UCB1": value}] for value in [0.0] * 2 + [1.0] * 10])
    shown = Curves(trials, 12, lines)
    [line] = curves_chart(shown).lines
    assert line.high == (1,)
    plot = _plot_of(curves_chart(shown))
    assert (plot.up[0], plot.up[-1]) == (0, 1)
    assert "0.6131 to 1.0000" in str(shown)
    assert shown._repr_html_().count("<table") == 1


def test_a_value_that_is_that_of_chance_up_to_rounding_is_not_worse():
    trials = trials_of(STB, [1], {"UCB1": ucb1}, seed=7)
    below = [float(trials.chance) - gap for gap in (0, trials.error, 1e-9)]
    [line] = learning(trials, [[{"UCB1": value}] for value in below]).values()
    assert line.worse == (1 / 3,)


@pytest.mark.parametrize(
    ("game", "marks", "message"),
    [
        (STB, (), "`len.marks.` must be"),
        (STB, (0,), "`marks` must be a whole number of at least 1; got 0"),
        (gomoku, (1,), "Gomoku is too large for exact values: more than 20,000 positions"),
        (big_two()._replace(start=deal(Random(7))), (1,), "Big Two hides information"),
    ],
)
def test_wrong_arguments_are_refused(game, marks, message):
    with pytest.raises(ValueError, match=message):
        curves(game, marks, 1, seed=7)


def test_the_value_of_what_is_learnt_is_against_the_best_answer():
    """In a pile of 4 the first move wins if it takes 1, and then 4 minus the other's move."""
    game, start = last_coin(), pile(4)
    tree = {
        pile(3, player=1): Record(1, (1, 0)),
        pile(2): Record(1, (0, 1)),
        pile(1): Record(1, (1, 0)),
    }
    assert learnt(tree)(turn_at(game, start, None)) == (pile(3, player=1),)
    # With 2 coins left it takes 1 or 2 at random, as the tree knows neither pile.
    assert learnt_values(game, tree, start)[0] == Fraction(1, 2)
    known = {**tree, pile(0, player=1): Record(1, (1, 0))}
    assert learnt_values(game, known, start)[0] == solver(game)(start)[0] == 1


# Exact regret


def enumerated(policy, means, n):
    """The expected regret after n pulls, over all sequences of pay."""
    total = 0
    for pays in product((0, 1), repeat=n):
        history, weight, lost = [(0, 0)] * len(means), Fraction(1), 0
        for pay in pays:
            arm = policy([(n, won, won) for n, won in history], None)
            weight *= means[arm] if pay else 1 - means[arm]
            lost += max(means) - means[arm]
            history[arm] = (history[arm][0] + 1, history[arm][1] + pay)
        total += weight * lost
    return total


@pytest.mark.parametrize("policy", [by_bound(ucb1), by_bound(ucb_wald)])
@pytest.mark.parametrize(
    "means",
    [
        (Fraction(3, 5), Fraction(1, 2)),
        (Fraction(0), Fraction(1, 3), Fraction(1, 4)),
        (Fraction(1),),
    ],
)
def test_the_regret_is_that_of_all_sequences_of_pay(policy, means):
    found = exact_regret(policy, means, 9)
    assert [found[n - 1] for n in (1, 5, 9)] == [enumerated(policy, means, n) for n in (1, 5, 9)]


@pytest.mark.parametrize("policy", [uniformly, thompson])
def test_a_policy_that_draws_has_no_exact_regret_here(policy):
    with pytest.raises(ValueError, match="`policy` must not draw"):
        exact_regret(policy, (0.5, 0.25), 3)


def test_too_many_histories_are_refused(monkeypatch):
    monkeypatch.setattr("purembts.curves._MOST_HISTORIES", 10)
    assert len(exact_regret(by_bound(ucb1), (0.6, 0.5), 3)) == 3
    with pytest.raises(ValueError, match="`pulls` must be at most 3 here; simulate more"):
        exact_regret(by_bound(ucb1), (0.6, 0.5), 10)
