"""Laws of playouts, simulations, bounds, bandit policies and solvers, each with planted faults.

The right functions are those of foreign.py and ours. A fault changes one thing in one of them.
"""

import random
from fractions import Fraction
from functools import cache, partial
from math import inf, nan, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foreign
from foreign import coins
from purembts import exact, simulation
from purembts.bandits import by_bound, epsilon_greedy, explore_then_commit, thompson, uniformly
from purembts.bounds import ucb1, ucb1_with, ucb_wald, wald_with
from purembts.game import plain_playout
from purembts.game import playout as our_playout
from purembts.games.shut_the_box import Rules, full_box, shut_the_box
from purembts.records import Record
from purembts.verify.algorithm_laws import (
    check_above_mean,
    check_bellman,
    check_bound,
    check_end,
    check_finds_best,
    check_games,
    check_grows,
    check_infinite,
    check_narrows,
    check_playout,
    check_policy,
    check_record,
    check_results,
    check_simulate,
    check_solver,
    check_tries_all,
    check_unbeaten,
    result_probabilities,
)
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from toys import quick_game

START = (7, 0)
broken = partial(pytest.raises, AssertionError)


# Random games


def plain_probabilities(game, state):
    """The literal recursion over all games."""
    found = {}
    events = game.chances(state)
    for event in events:
        moves = game.moves(state, event)
        after = [plain_probabilities(game, move) for move in moves] or [{game.result(state): 1}]
        for results in after:
            for result, share in results.items():
                share = Fraction(share, len(after) * len(events))
                found[result] = found.get(result, 0) + share
    return found


@settings(max_examples=20)
@given(seeds, st.integers(1, 3))
def test_probabilities_of_results_are_the_plain_recursion(seed, players):
    game = quick_game(random_game(seed, players, size=10))
    exactly = result_probabilities(game, 0)
    assert exactly == plain_probabilities(game, 0)
    assert sum(exactly.values()) == 1
    value = exact.solver(game, policy=exact.uniform)(0)
    for player in range(players):
        assert sum(p * Fraction(result[player]) for result, p in exactly.items()) == value[player]


def test_right_playouts_keep_the_laws():
    check_playout(foreign.playout, coins, START)
    check_playout(partial(our_playout, coins), coins, START)
    check_playout(partial(our_playout, coins), coins, (0, 1))
    game = quick_game(random_game(2, players=3, size=12))
    check_playout(partial(plain_playout, game), game, 0, n=3000, effect=0.2)


def test_catches_a_playout_that_prefers_the_first_move():
    def leaning(pile, rng):
        while options := foreign.moves(pile):
            pile = options[int(rng.random() ** 3 * len(options))]
        return foreign.result(pile)

    with broken(
        match=r"A playout must have the results of uniformly random play, .* In 20000 games from "
        r"\(7, 0\) with seed 7, .* do not fit .* The exact probabilities are 0\.\d{4} of \(., .\), "
    ):
        check_playout(leaning, coins, START)


def test_catches_a_playout_that_returns_an_impossible_result():
    def drawn(pile, rng):
        return foreign.playout(pile, rng) if rng.random() < 0.999 else (0.5, 0.5)

    with broken(match=r"\(0\.5, 0\.5\) came \d+ times, and has probability 0"):
        check_results(drawn, coins, START, n=20_000, seed=7, effect=0.05)


def test_catches_a_playout_that_draws_from_the_module():
    with broken(match=r"The same seed must give the same results. Seed 7 gave"):
        check_playout(lambda pile, rng: foreign.playout(pile, random), coins, START)


def test_a_playout_needs_enough_games():
    with pytest.raises(ValueError, match="must be large enough"):
        check_playout(foreign.playout, coins, START, n=100)


# Simulations


def test_right_simulations_keep_the_laws():
    check_simulate(foreign.simulate, coins, START)
    check_simulate(partial(simulation.simulate, coins), coins, START)
    check_simulate(partial(simulation.simulate_crowd, coins), coins, START)
    check_simulate(foreign.simulate, coins, (1, 0))


@pytest.mark.parametrize("players", [1, 3])
def test_simulations_of_games_with_many_results_keep_the_laws(players):
    game = quick_game(random_game(4, players, size=10))
    check_simulate(partial(simulation.simulate, game), game, 0, n=3000, effect=0.2)


def simulation_fails(simulate, match, game=coins, state=START):
    with broken(match=match):
        check_simulate(simulate, game, state)


def test_catches_a_simulation_with_one_game_too_few():
    simulation_fails(
        lambda pile, n, rng: foreign.simulate(pile, n - 1, rng),
        r"one visit and one result for each game. 20000 games gave Record\(visits=19999, .* Right a"
        "re 20000 visits",
    )


def test_catches_a_simulation_that_loses_a_result():
    def losing(pile, n, rng):
        return n, foreign.simulate(pile, n - 1, rng)[1]

    simulation_fails(losing, r"The scores of Record\(.* have the sum 19999. Right is 20000")


def test_catches_a_simulation_of_one_player():
    simulation_fails(lambda pile, n, rng: (n, [n]), r"There are 2 players")


def test_catches_a_simulation_that_credits_the_loser():
    def turned(pile, n, rng):
        visits, sums = foreign.simulate(pile, n, rng)
        return visits, sums[::-1]

    simulation_fails(
        turned,
        r"must fit the exact probabilities. Player 0 has the score 1 in \d+ of 20000 games of Recor"
        r"d.* The exact probability is 0\.\d+, so \d+ to \d+ are right",
    )


def test_catches_a_simulation_of_best_play():
    simulation_fails(
        lambda pile, n, rng: (n, [n * score for score in foreign.value(pile)]), "must fit the exact"
    )


def test_catches_a_simulation_that_draws_from_the_module():
    simulation_fails(
        lambda pile, n, rng: foreign.simulate(pile, n, random), "must give the same records"
    )


def test_catches_a_wrong_simulation_of_a_game_with_many_results():
    """Its random games leave out the first event of chance."""
    game = quick_game(random_game(4, players=3, size=10))
    unlucky = game._replace(chances=lambda state: game.chances(state)[-1:])
    check = partial(check_simulate, game=game, state=0, n=3000, effect=0.2)
    check(partial(simulation.simulate, game))
    with broken(match="A playout must have the results of uniformly random play"):
        check(partial(simulation.simulate, unlucky))


def test_the_laws_of_a_record_by_themselves():
    check_games(coins, Record(10, (3, 7)), 10)
    check_record(
        Record(100, (50, 50)), {(1, 0): Fraction(1, 2), (0, 1): Fraction(1, 2)}, effect=0.5
    )
    with broken(match="must fit the exact probabilities"):
        check_record(Record(10, (3, 7)), {(1, 0): Fraction(1)}, effect=0.5)


# Bounds

GOOD = [
    ucb1,
    ucb_wald,
    ucb1_with(0),
    ucb1_with(0.1),
    wald_with(0),
    wald_with(5),
    foreign.bound,
    lambda q, n, total: min(1, ucb1(q, n, total)) if n else inf,
    lambda q, n, total: q / n if n else inf,
]


@pytest.mark.parametrize("bound", GOOD)
def test_right_bounds_keep_the_laws(bound):
    check_bound(bound)


def lower(q, n, total):
    return 2 * q / n - ucb1(q, n, total) if n else inf


def finite(q, n, total):
    return ucb1(q, n, total) if n else 1


BAD = {
    "its sign turned": (
        lower,
        check_above_mean,
        "An upper bound must not be below the mean. bound(",
    ),
    "no infinity": (finite, check_infinite, "bound(0, 0, 0) is 1. Right is inf."),
    "zero": (lambda q, n, total: 0 if not n else q / n, check_infinite, "is 0. Right is inf"),
    "NaN": (lambda q, n, total: nan if n else inf, check_above_mean, "is nan."),
    "no visits": (
        lambda q, n, total: q / n + 1 if n else inf,
        check_narrows,
        "bound(2, 4, 1048576) is 1.5, and bound(4, 8, 1048576) is 1.5. The second one has more",
    ),
    "more visits": (
        lambda q, n, total: q / n + sqrt(n) if n else inf,
        check_narrows,
        "A bound must shrink with visits",
    ),
    "without the score": (
        lambda q, n, total: 1 + 1 / n if n else inf,
        check_grows,
        "A bound must grow with the score. For the means 1/4, 1/2 and 3/4 in",
    ),
    "losses": (
        lambda q, n, total: 2 - q / n + 1 / n if n else inf,
        check_grows,
        "For the means 1/4, 1/2 and 3/4 in 4 visits, it is [2.0, 1.75, 1.5].",
    ),
}


@pytest.mark.parametrize(("bound", "law", "message"), BAD.values(), ids=BAD)
def test_catches_a_wrong_bound(bound, law, message):
    for check in (law, check_bound):
        with broken() as caught:
            check(bound)
        assert message in str(caught.value)
    others = {check_infinite, check_above_mean, check_narrows, check_grows} - {law}
    if bound not in (lower, BAD["NaN"][0]):
        for check in others:
            check(bound)


# Bandit policies


@pytest.mark.parametrize(
    "policy", [foreign.policy, epsilon_greedy(0.2), by_bound(), explore_then_commit(5), thompson]
)
def test_right_policies_keep_the_laws(policy):
    check_policy(policy)


def greedy(history, rng):
    """Pulls the arm that has paid most, and never tries an arm as such."""
    paid = [arm.paid for arm in history]
    return paid.index(max(paid))


def test_catches_a_policy_that_never_tries_an_arm():
    message = r"A policy must try every arm. In 300 pulls with seed 7, arm 1 was left out"
    for check in (check_policy, partial(check_tries_all, pulls=300, seed=7)):
        with broken(match=message):
            check(greedy)


@pytest.mark.parametrize("arm", [3, -1, None, True, 0.5, "0", [0]])
def test_catches_a_policy_that_names_no_arm(arm):
    with broken(
        match=r"must return the index of an arm. It returned .* Right is a whole number fr"
    ):
        check_policy(lambda history, rng: arm)


def test_catches_a_policy_that_draws_from_the_module():
    with broken(match="The same seed must give the same choices of arms"):
        check_policy(lambda history, rng: uniformly(history, random))


def test_catches_a_policy_that_learns_nothing():
    message = (
        r"The regret .* grow slower than that of random choice. At pull 300, \d+ of 150 runs pulled"
        r" the best of the arms \(0\.1, 0\.9, 0\.1\). A policy .* probability 0.75 does it 78 times"
    )
    for check in (check_policy, partial(check_finds_best, pulls=300, seed=7)):
        for policy in (uniformly, lambda history, rng: sum(arm.n for arm in history) % 3):
            with broken(match=message):
                check(policy)


def test_catches_a_policy_that_takes_the_worst_arm():
    with broken(match="must grow slower than that of random choice"):
        check_policy(by_bound(lambda q, n, total: ucb1(n - q, n, total)))


# Solvers


def test_right_solvers_keep_the_laws():
    check_solver(foreign.value, coins, (30, 0))
    check_solver(lambda pile: [float(x) for x in foreign.value(pile)], coins, (30, 0))
    check_solver(exact.solver(coins), coins, (30, 0))
    box_game = shut_the_box(Rules(levers=6))
    check_solver(exact.solver(box_game), box_game, full_box(rules=Rules(levers=6)), policies=3)


@settings(max_examples=15)
@given(seeds, st.integers(1, 3))
def test_our_solver_keeps_the_laws_in_any_game(seed, players):
    game = quick_game(random_game(seed, players, size=12))
    check_solver(exact.solver(game), game, 0, policies=3)


@settings(max_examples=15)
@given(seeds, st.integers(1, 3))
def test_a_solver_in_floats_keeps_the_laws(seed, players):
    thirds = quick_game(random_game(seed, players, size=12))
    game = thirds._replace(result=lambda s: tuple(x / 3 for x in thirds.result(s)))
    check_solver(float_solver(game), game, 0, policies=3)


def float_solver(game):
    """The literal recursion in floats; the last one among equals is played."""

    @cache
    def value(state):
        outcomes = []
        for event in game.chances(state):
            values = [value(move) for move in reversed(game.moves(state, event))]
            mover = game.to_move(state)
            outcomes.append(max(values, key=lambda v: v[mover]) if values else game.result(state))
        return [sum(column) / len(outcomes) for column in zip(*outcomes, strict=True)]

    return value


def test_catches_a_solver_with_the_wrong_player():
    def for_the_first(pile):
        options = [for_the_first(move) for move in foreign.moves(pile)]
        return max(options) if options else foreign.result(pile)

    with broken(
        match=r"The value must be the mean over the events of the value of a best move. The value "
        r"of \(2, 1\) for player 0 is 1. Right is 0(\.0)?, the mean for player 1 to move"
    ):
        check_solver(for_the_first, coins, (7, 0))


def test_catches_a_solver_that_turns_the_result():
    with broken(match=r"the result where the game has ended. The value of \(0, .\) is .* Right is"):
        check_solver(lambda pile: foreign.value(pile)[::-1], coins, (7, 0))
    with broken(match=r"There are 2 players"):
        check_end(lambda pile: foreign.value(pile)[:1], coins, (7, 0))


def test_catches_a_solver_that_averages_where_it_should_choose():
    average = exact.solver(coins, policy=exact.uniform)
    with broken(match="the value of a best move"):
        check_bellman(average, coins, (2, 0))
    with broken(
        match=r"No policy may beat the solver. At \(., .\), player . gets 1 by the random policy "
        r"of seed 7/\d+, if the other player replies best. The solver's value is ., which is t"
    ):
        for i in range(20):
            check_unbeaten(lambda pile: (0, 0), coins, (7, 0), f"7/{i}")


def test_catches_a_solver_that_forgets_how_often_an_event_comes():
    """The events are "a", "b" and "b" at some positions."""
    game = quick_game(random_game(10, players=1))
    wrong = exact.solver(game._replace(chances=lambda s: tuple(dict.fromkeys(game.chances(s)))))
    with broken(match="must be the mean over the events"):
        check_solver(wrong, game, 0)


def test_games_without_best_replies_are_held_to_the_equation_alone():
    game = quick_game(random_game(5, players=3))
    check_solver(exact.solver(game), game, 0)
    with broken(match="must be the mean over the events"):
        check_solver(exact.solver(game, policy=exact.uniform), game, 0)
