"""Arms, policies and regret, against exact enumeration and the bounds of the literature."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache, partial
from itertools import islice
from math import log, pi, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import bandits, bounds, engine, mcts
from purembts.bandits import (
    Pull,
    Pulls,
    auer_schedule,
    bernoulli,
    by_bound,
    epsilon_greedy,
    experiment,
    explore_then_commit,
    gaussian,
    lai_robbins,
    means_of,
    pulls,
    regret,
    root_schedule,
    thompson,
    ucb1_tuned,
    uniformly,
)
from purembts.bounds import ucb1, ucb_wald
from purembts.variates import gamma
from stats import assert_probability
from strategies import seeds

POLICIES = {
    "uniformly": uniformly,
    "explore then commit": explore_then_commit(3),
    "epsilon-greedy": epsilon_greedy(0.1),
    "epsilon-greedy, Auer": epsilon_greedy(auer_schedule(5, 0.2)),
    "epsilon-greedy, root": epsilon_greedy(root_schedule(1, 1000)),
    "UCB1": by_bound(),
    "UCB1, c = 1": by_bound(partial(ucb1, c=1)),
    "workshop": by_bound(ucb_wald),
    "UCB1-Tuned": ucb1_tuned,
    "Thompson": thompson,
}
policies = st.sampled_from(list(POLICIES.values()))
chances = st.lists(st.sampled_from([0, 0.25, 0.5, 0.75, 1]), min_size=1, max_size=4)


@given(policies, chances, seeds)
def test_pulls_are_counted(policy, ps, seed):
    arms = [bernoulli(p) for p in ps]
    counts = [Pulls()] * len(arms)
    for pull in islice(pulls(arms, policy, Random(seed)), 50):
        n, paid, squares = counts[pull.arm]
        counts[pull.arm] = Pulls(n + 1, paid + pull.reward, squares + pull.reward**2)
        assert pull.known == tuple(counts)


def test_squares_are_of_what_was_paid():
    paid = []
    for pull in islice(pulls([gaussian(1, 2)], uniformly, Random(7)), 20):
        paid.append(pull.reward)
        [known] = pull.known
        assert known == Pulls(
            len(paid), pytest.approx(sum(paid)), pytest.approx(sum(x * x for x in paid))
        )


@given(policies, chances, seeds)
def test_the_same_seed_pulls_the_same(policy, ps, seed):
    arms = [bernoulli(p) for p in ps]
    one, two = (list(islice(pulls(arms, policy, Random(seed)), 30)) for _ in range(2))
    assert one == two


@given(policies, chances, seeds)
def test_expected_regret_never_falls_and_equal_arms_have_none(policy, ps, seed):
    arms = [bernoulli(p) for p in ps]
    running = list(islice(regret(pulls(arms, policy, Random(seed)), ps), 50))
    expected = [0, *(now.expected for now in running)]
    assert expected == sorted(expected)
    equal = [bernoulli(ps[0]) for _ in ps]
    means = means_of(equal)
    running = regret(pulls(equal, policy, Random(seed)), means)
    assert {now.expected for now in islice(running, 50)} == {0}


def test_regret_is_what_the_best_arm_would_have_paid_more():
    ends = list(regret([Pull(1, 1, ()), Pull(0, 0, ()), Pull(1, 0, ())], (0.75, 0.5)))
    assert [end.expected for end in ends] == [0.25, 0.25, 0.5]
    assert [end.realised for end in ends] == [-0.25, 0.5, 1.25]


def test_the_bound_of_a_bandit_is_the_bound_in_the_tree():
    """One definition, two uses: what the search selects by is what `by_bound` takes."""
    assert mcts.uct.__kwdefaults__["bound"] is ucb1
    assert engine.search.__kwdefaults__["bound"] is bounds.ucb1
    assert by_bound().args == (ucb1,)
    known = (Pulls(5, 3, 3), Pulls(4, 2, 2), Pulls(2, 1, 1))
    tree = {i: mcts.Record(arm.n, (arm.paid, 0)) for i, arm in enumerate(known)}
    from toys import pile_game

    for bound in (ucb1, ucb_wald, partial(ucb1, c=0.1)):
        child = mcts.best_child(pile_game, tree, (0, 1, 2), 0, bound)
        assert by_bound(bound)(known, Random(7)) == child


# Against exact enumeration, with two Bernoulli arms


def wrong_pulls(choose, p, q, horizon):
    """How likely the worse arm is at each pull: the first pays with p, the second with q < p.

    `choose` says how likely the first arm is chosen, for the pulls and wins of both.
    """

    @cache
    def paths(n1, w1, n2, w2):
        """How likely these counts come about."""
        if min(n1 - w1, w1, n2 - w2, w2) < 0:
            return Fraction(0)
        if n1 + n2 == 0:
            return Fraction(1)
        first = [(1, 1, p), (1, 0, 1 - p)]
        second = [(1, 1, q), (1, 0, 1 - q)]
        return sum(
            (
                paths(n1 - 1, w1 - w, n2, w2) * choose(n1 - 1, w1 - w, n2, w2) * chance
                for _, w, chance in first
                if n1
            ),
            Fraction(0),
        ) + sum(
            (
                paths(n1, w1, n2 - 1, w2 - w) * (1 - choose(n1, w1, n2 - 1, w2 - w)) * chance
                for _, w, chance in second
                if n2
            ),
            Fraction(0),
        )

    def at(t):
        return sum(
            paths(n1, w1, t - n1, w2) * (1 - choose(n1, w1, t - n1, w2))
            for n1 in range(t + 1)
            for w1 in range(n1 + 1)
            for w2 in range(t - n1 + 1)
        )

    return [at(t) for t in range(horizon)]


def choice_of_ucb1(n1, w1, n2, w2):
    if not n1 or not n2:
        return Fraction(int(not n1))
    width = 2 * log(n1 + n2)
    first, second = (w / n + sqrt(width / n) for n, w in ((n1, w1), (n2, w2)))
    return Fraction(int(first >= second or abs(first - second) < 1e-12))


def choice_of_epsilon_greedy(n1, w1, n2, w2, epsilon=Fraction(1, 4)):
    greedy = w1 * n2 >= w2 * n1 if n1 and n2 else not n1
    return epsilon / 2 + (1 - epsilon) * greedy


@pytest.mark.parametrize(
    ("policy", "choose"),
    [(by_bound(), choice_of_ucb1), (epsilon_greedy(0.25), choice_of_epsilon_greedy)],
    ids=["UCB1", "epsilon-greedy"],
)
def test_short_horizons_have_their_exact_expected_regret(policy, choose):
    """At each of ten pulls the worse arm is pulled as often as it should: regret is their sum."""
    p, q, runs, horizon = Fraction(3, 4), Fraction(1, 2), 4000, 10
    exact = wrong_pulls(choose, p, q, horizon)
    arms = (bernoulli(0.75), bernoulli(0.5))
    played = [
        [pull.arm for pull in islice(pulls(arms, policy, Random(f"7/{i}")), horizon)]
        for i in range(runs)
    ]
    for t, chance in enumerate(exact):
        assert_probability(sum(run[t] for run in played), runs, chance, effect=0.1)
    expected = float(sum(exact) * (p - q))
    means = (0.75, 0.5)
    ends = [list(regret([Pull(arm, 0, ()) for arm in run], means))[-1].expected for run in played]
    assert sum(ends) / runs == pytest.approx(sum(map(sum, played)) / runs * 0.25)
    assert 0 < expected < horizon / 4


def test_the_check_of_short_horizons_can_fail():
    exact = wrong_pulls(choice_of_epsilon_greedy, Fraction(3, 4), Fraction(1, 2), 6)
    arms, runs = (bernoulli(0.75), bernoulli(0.5)), 4000
    played = [
        [pull.arm for pull in islice(pulls(arms, epsilon_greedy(0.5), Random(f"7/{i}")), 6)]
        for i in range(runs)
    ]
    with pytest.raises(AssertionError):
        assert_probability(sum(run[5] for run in played), runs, exact[5], effect=0.1)


def test_constant_epsilon_loses_its_share_for_ever():
    """In the limit the regret of a pull is epsilon times the mean gap: here 0.2 * (0 + 0.8) / 2."""
    arms, n = (bernoulli(0.9), bernoulli(0.1)), 40_000
    later = islice(pulls(arms, epsilon_greedy(0.2), Random(7)), n, 2 * n)
    wrong = sum(pull.arm for pull in later)
    assert_probability(wrong, n, Fraction(1, 10), effect=0.015)


# Against the literature


def auer_bound(means, t):
    """Auer, Cesa-Bianchi and Fischer (2002), theorem 1, on the expected regret of UCB1."""
    gaps = [max(means) - mean for mean in means if mean < max(means)]
    return 8 * sum(log(t) / gap for gap in gaps) + (1 + pi * pi / 3) * sum(gaps)


def test_the_regret_of_ucb1_lies_between_the_bounds():
    """Under the one of Auer et al., and over what no good policy can go under in the limit."""
    means, t = (0.8, 0.5, 0.4), 4000
    curve = experiment({"UCB1": by_bound()}, [bernoulli(p) for p in means], t, 30, seed=7)["UCB1"]
    assert curve.at[-1] == t
    assert curve.high[-1] < auer_bound(means, t)
    assert curve.low[-1] > lai_robbins(means) * log(t)


def test_regret_grows_with_the_logarithm_or_with_time():
    """From half the pulls to all, UCB1 loses a little and constant epsilon as much again."""
    arms = (bernoulli(0.9), bernoulli(0.5))
    curves = experiment(
        {"UCB1": by_bound(), "epsilon": epsilon_greedy(0.3), "uniformly": uniformly},
        arms, 4000, 20, seed=7,
    )  # fmt: skip
    halfway = curves["UCB1"].at.index(2000)
    grown = {name: curve.mean[-1] / curve.mean[halfway] for name, curve in curves.items()}
    assert grown["UCB1"] < 1.5 < 1.9 < grown["epsilon"] < 2.1
    assert 1.9 < grown["uniformly"] < 2.1
    assert curves["UCB1"].high[-1] < curves["epsilon"].low[-1] < curves["uniformly"].low[-1]


def test_lai_robbins_by_hand():
    kl = 0.25 * log(0.25 / 0.5) + 0.75 * log(0.75 / 0.5)
    assert lai_robbins((0.5, 0.25)) == pytest.approx(0.25 / kl)
    assert lai_robbins((0.5, 0.5)) == 0
    assert lai_robbins((1, 0.5)) == 0


# What policies do


def test_explore_then_commit_stays_with_its_choice():
    """The arm that was best after two pulls each is pulled for ever, even if it pays no more."""
    policy = explore_then_commit(2)
    assert [policy(known, None) for known in ((Pulls(), Pulls()), (Pulls(1), Pulls()))] == [0, 1]
    assert policy((Pulls(2, 2, 2), Pulls(2, 1, 1)), None) == 0
    assert policy((Pulls(2, 1, 1), Pulls(2, 2, 2)), None) == 1
    assert policy((Pulls(50, 2, 2), Pulls(2, 1, 1)), None) == 0
    assert policy((Pulls(3, 2, 2), Pulls(2, 2, 2)), None) == 0


def test_schedules():
    assert auer_schedule(5, 0.5)(1, 2) == 1
    assert auer_schedule(5, 0.5)(400, 2) == 5 * 2 / (0.25 * 400)
    assert root_schedule(2, 1000)(500, 2) == sqrt(2 * log(1000) / 500)
    assert root_schedule(2, 1000)(1, 2) == 1


def test_ucb1_tuned_by_hand():
    """Arms of the same mean: the one whose pay varies has the higher bound."""
    n, t = 10_000, 20_000
    assert ucb1_tuned((Pulls(n, 5000, 2500), Pulls(n, 5000, 5000)), None) == 1
    variance = 0.25 - 0.25 + sqrt(2 * log(t) / n)
    assert variance < 0.25
    assert bandits._tuned(Pulls(n, 5000, 2500), t) == 0.5 + sqrt(log(t) / n * variance)
    assert bandits._tuned(Pulls(1, 1, 1), t) == 1 + sqrt(log(t) * 0.25)
    assert bandits._tuned(Pulls(10**6, 10**5, 10**5), 10**6 + 5) == pytest.approx(
        0.1 + sqrt(log(10**6 + 5) / 10**6 * (0.09 + sqrt(2 * log(10**6 + 5) / 10**6)))
    )


def test_thompson_draws_from_beta():
    """Between Beta(2, 1) and the uniform law, the first is greater with probability 2/3."""
    rng, n = Random(7), 20_000
    firsts = sum(thompson((Pulls(1, 1, 1), Pulls()), rng) == 0 for _ in range(n))
    assert_probability(firsts, n, Fraction(2, 3), effect=0.04)


def test_arms_pay_by_their_laws():
    rng, n = Random(7), 20_000
    assert_probability(sum(bernoulli(0.3)(rng) for _ in range(n)), n, 0.3, effect=0.04)
    above = sum(gaussian(2, 3)(rng) > 5 for _ in range(n))
    assert_probability(above, n, 0.15865525, effect=0.03)


# Experiments


def test_an_experiment_is_its_runs():
    arms, names = (bernoulli(0.7), bernoulli(0.2)), ("UCB1", "Thompson")
    some = {name: POLICIES[name] for name in names}
    curves = experiment(some, arms, 50, 6, seed=7)
    for name in names:
        runs = []
        for i in range(6):
            running = regret(pulls(arms, some[name], Random(f"7/{name}/{i}")), (0.7, 0.2))
            runs.append([now.expected for now in islice(running, 50)])
        means = [sum(column) / 6 for column in zip(*runs, strict=True)]
        assert curves[name].at == tuple(range(1, 51))
        assert curves[name].mean == pytest.approx(means)
        assert all(low <= mean <= high for _, mean, low, high in zip(*curves[name], strict=True))
    with ThreadPoolExecutor(2) as pool:
        assert experiment(some, arms, 50, 6, seed=7, executor=pool) == curves


def test_the_interval_of_a_mean_by_hand():
    """Runs of 0 and 2 vary by sqrt(2), their mean by 1."""
    assert bandits._half_interval([0, 2], 1) == pytest.approx(1.96)
    assert bandits._half_interval([3], 3) == float("inf")


def test_long_curves_are_known_at_some_pulls():
    [curve] = experiment({"u": uniformly}, (bernoulli(1), bernoulli(0)), 1234, 2, seed=7).values()
    assert len(curve.at) == 200
    assert curve.at[-1] == 1234


def test_means_of_arms_of_ones_own_are_told():
    always = [lambda rng: 1, lambda rng: 0.5]
    curves = experiment({"UCB1": by_bound()}, always, 10, 1, seed=7, means=(1, 0.5))
    assert curves["UCB1"].mean[1] == 0.5
    assert curves["UCB1"].high[1] == float("inf")
    with pytest.raises(ValueError, match="is not known; write means="):
        experiment({"UCB1": by_bound()}, always, 10, 1, seed=7)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: pulls((), uniformly), "There are no arms; one is bernoulli"),
        (lambda: experiment({}, (), 1, 1, seed=7), "There are no arms"),
        (lambda: epsilon_greedy(1.5), "`epsilon` must be from 0 to 1"),
        (lambda: epsilon_greedy(float("nan")), "`epsilon` must be from 0 to 1"),
        (lambda: bernoulli(-0.1), "The mean of a Bernoulli arm is -0.1; it has to be from 0 to 1"),
        (lambda: gaussian(float("inf")), "The mean of a normal arm is inf; it has to be finite"),
        (lambda: gaussian(0, -1), "`deviation` must be"),
        (lambda: explore_then_commit(0), "`times` must be a whole number of at least 1"),
        (lambda: auer_schedule(1, 0), "`d` must be a finite number above 0"),
        (lambda: root_schedule(-1, 5), "`c` must be a finite number of at least 0"),
        (lambda: experiment({}, (bernoulli(1),), 0, 1, seed=7), "`pulls` must be"),
        (lambda: experiment({}, (bernoulli(1),), 1, 0, seed=7), "`runs` must be"),
        (lambda: experiment({}, (bernoulli(1),), 1, 1, seed=None), "`seed` must be"),
        (
            lambda: experiment({}, (bernoulli(1),), 1, 1, seed=7, means=(1, 0)),
            "There are 2 means for 1 arms",
        ),
        (lambda: gamma(0.5), "`shape` must be a finite number of at least 1"),
        (
            lambda: next(pulls((bernoulli(1),), lambda known, rng: 1)),
            "The policy answered 1; there are arms 0 to 0",
        ),
    ],
)
def test_what_cannot_be_is_told(wrong, told):
    with pytest.raises(ValueError, match=told):
        wrong()
