"""Arms, policies and regret, compared with hand-made examples and the bounds of the literature."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from itertools import islice
from math import log, nan, pi, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import gamma as stats_gamma
from scipy.stats import norm

from marks import cases
from purembts import bandits
from purembts.bandits import (
    Pull,
    Pulls,
    auer_schedule,
    bernoulli,
    by_bound,
    epsilon_greedy,
    explore_then_commit,
    gamma,
    gaussian,
    lai_robbins,
    normal,
    pulls,
    regret,
    regret_curves,
    root_schedule,
    runs_of,
    thompson,
    ucb1_tuned,
    uniformly,
)
from purembts.bounds import ucb1_with, ucb_wald
from purembts.verify.algorithm_laws import check_policy
from purembts.verify.statistics import assert_probability
from purembts.verify.strategies import seeds


def experiment(policies, arms, n, runs, **options):
    """The curves of some runs."""
    return regret_curves(list(runs_of(policies, arms, n, runs, **options)), n)


POLICIES = {
    "uniformly": uniformly,
    "explore then commit": explore_then_commit(3),
    "epsilon-greedy": epsilon_greedy(0.1),
    "epsilon-greedy, Auer": epsilon_greedy(auer_schedule(5, 0.2)),
    "epsilon-greedy, root": epsilon_greedy(root_schedule(1, 1000)),
    "UCB1": by_bound(),
    "UCB1, c = 1": by_bound(ucb1_with(1)),
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
        assert pull.history == tuple(counts)


@pytest.mark.parametrize(
    "name",
    cases(
        {name: (name,) for name in sorted(POLICIES.keys() - {"uniformly"})},
        slow=("epsilon-greedy, Auer", "epsilon-greedy, root", "UCB1, c = 1", "workshop"),
    ),
)
def test_policies_keep_the_laws(name):
    """The schedule of Auer et al. explores for long if the gap may be small."""
    check_policy(POLICIES[name], pulls=2000 if name == "epsilon-greedy, Auer" else 300)


def test_regret_is_the_lead_of_the_best_arm():
    ends = list(regret([Pull(0, 1, ()), Pull(1, 0, ()), Pull(0, 0, ())], (0.5, 0.75)))
    assert [end.expected for end in ends] == [0.25, 0.25, 0.5]
    assert [end.realised for end in ends] == [-0.25, 0.5, 1.25]


# Against the literature. `test_curves` has the exact regret by enumeration.


def auer_bound(means, t):
    """Auer, Cesa-Bianchi and Fischer (2002), theorem 1, on the expected regret of UCB1."""
    gaps = [max(means) - mean for mean in means if mean < max(means)]
    return 8 * sum(log(t) / gap for gap in gaps) + (1 + pi * pi / 3) * sum(gaps)


def test_the_regret_of_ucb1_lies_between_the_bounds():
    """Below the bound of Auer et al., and above the limit of Lai and Robbins for good policies."""
    means, t = (0.8, 0.5, 0.4), 4000
    curve = experiment({"UCB1": by_bound()}, [bernoulli(p) for p in means], t, 30, seed=7)["UCB1"]
    assert curve.at[-1] == t
    assert curve.high[-1] < auer_bound(means, t)
    assert curve.low[-1] > lai_robbins(means) * log(t)


def test_lai_robbins_at_its_ends():
    assert lai_robbins((0.5, 0.5)) == lai_robbins((1, 0.5)) == 0
    assert lai_robbins((0, 0.5)) == pytest.approx(0.5 / log(2))


# What policies do


def test_ucb1_tuned_by_hand():
    """Of two arms with the same mean, the one whose pay varies has the higher bound."""
    n, t = 10_000, 20_000
    assert ucb1_tuned((Pulls(n, 5000, 2500), Pulls(n, 5000, 5000)), None) == 1
    assert bandits._tuned(Pulls(1, 1, 1), t) == 1 + sqrt(log(t) * 0.25)
    variance = 0.09 + sqrt(2 * log(t) / 10**6)
    assert bandits._tuned(Pulls(10**6, 10**5, 10**5), t) == pytest.approx(
        0.1 + sqrt(log(t) / 10**6 * variance)
    )


@pytest.mark.parametrize("pay", [-0.5, 1.5])
def test_thompson_takes_arms_that_pay_0_or_1(pay):
    running = pulls([lambda rng: pay], thompson, Random(7))
    next(running)
    with pytest.raises(ValueError, match=f"must pay 0 or 1; got {pay} from 1 pulls"):
        next(running)


def test_thompson_draws_from_beta():
    """A draw from Beta(2, 1) is above a uniform one with probability 2/3."""
    rng, n = Random(7), 20_000
    firsts = sum(thompson((Pulls(1, 1, 1), Pulls()), rng) == 0 for _ in range(n))
    assert_probability(firsts, n, Fraction(2, 3), effect=0.04)


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


def test_long_curves_have_200_points():
    [curve] = experiment({"u": uniformly}, (bernoulli(1), bernoulli(0)), 1234, 2, seed=7).values()
    assert len(curve.at) == 200
    assert curve.at[-1] == 1234


ONE = (bernoulli(1),)
UCB1 = {"UCB1": by_bound()}


def test_an_arm_of_ones_own_has_no_known_mean():
    with pytest.raises(ValueError, match=r"An arm must be made by bernoulli or gaussian; got <"):
        experiment(UCB1, [lambda rng: 1], 10, 1, seed=7)


@pytest.mark.parametrize("bad", [2, 0.5, nan, "0", "", None])
def test_a_policy_answers_with_the_index_of_an_arm(bad):
    with pytest.raises(ValueError, match=r"A policy must return the index .* from 0 to 1; got "):
        next(pulls(ONE * 2, lambda history, rng: bad))


def test_the_same_seed_pulls_the_same_arms_on_every_machine():
    """Held fast, because a small change of a policy may be too small for statistics."""
    arms = [bernoulli(0.5), bernoulli(0.6), bernoulli(0.45)]
    pulled = {
        name: "".join(f"{p.arm}{p.reward}" for p in islice(pulls(arms, policy, Random(7)), 400))
        for name, policy in POLICIES.items()
    }
    assert hashlib.sha256(repr(pulled).encode()).hexdigest()[:8] == "65831a63"


def test_the_pay_of_a_gaussian_arm_is_a_scaled_normal_number():
    assert gaussian(2, deviation=3)(Random(7)) == 2 + 3 * normal(Random(7))
    assert gaussian(2)(Random(7)) == gaussian(2, deviation=1)(Random(7))


# Random variates, against the distributions of scipy


@pytest.mark.parametrize("shape", [1, 2, 7.5])
def test_gamma_and_normal_numbers_have_their_distributions(shape):
    rng, n = Random(7), 20_000
    drawn, bells = [gamma(shape, rng) for _ in range(n)], [normal(rng) for _ in range(n)]
    for share in (0.05, 0.3, 0.5, 0.8, 0.99):
        limit, other = stats_gamma.ppf(share, shape), norm.ppf(share)
        assert_probability(sum(x < limit for x in drawn), n, share, effect=0.04)
        assert_probability(sum(x < other for x in bells), n, share, effect=0.04)


DRAWS = (normal, *(partial(gamma, shape) for shape in (1, 2.5, 40)))


def test_the_same_seed_draws_the_same_numbers():
    """Held fast, because a change of a number in a method may be too small for statistics.

    To nine digits: the last digits are those of the machine's `log`.
    """
    rng = Random(7)
    drawn = " ".join(f"{draw(rng):.9g}" for draw in DRAWS for _ in range(2000))
    assert hashlib.sha256(drawn.encode()).hexdigest()[:8] == "97562f7c"
