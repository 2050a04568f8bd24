"""The bandit of the page: the same luck for both players, and the numbers of the library."""

import json
from itertools import islice, pairwise
from random import Random

import pytest

from facade import bandits
from facade.bandits import MOST_PULLS, contest_of, pay
from purembts.app.estimates import BANDIT_TITLES, BANDITS, arms_table
from purembts.bandits import Pulls, bernoulli, regret
from purembts.bandits import pulls as library_pulls
from purembts.tables import rows_of

LINK = {"means": "0.6, 0.5, 0.2", "seed": "7", "policy": "ucb1"}


def bandit(link, more=1, width=600):
    """The contest of a link, as the page asks for it."""
    return next(bandits.contest(link, more, width=width))


def rows(shown):
    return list(zip(*[column["cells"] for column in shown["columns"]], strict=True))


def pulled(link, name, times):
    """The contest after more pulls, as the page asks for it."""
    return bandit({**link, "pulls": f"{link.get('pulls', '')},{name}x{times}"}, times)


def heads(shown):
    return [column["heading"] for column in shown["columns"]]


def test_the_kth_pull_of_an_arm_pays_the_same_for_both_players():
    shown = bandit({**LINK, "pulls": "1x40,2x40,3x40"})
    means = (0.6, 0.5, 0.2)
    for arm, facts in enumerate(shown["arms"]):
        paid = [Random(f"7/arm/{arm + 1}/{k}").random() < means[arm] for k in range(1, 41)]
        assert facts == {"n": 40, "paid": sum(paid)}
        assert paid == [pay(means, 7, arm, k) for k in range(1, 41)]
    other = rows(shown["other"])
    for arm, row in enumerate(other):
        n = int(row[1])
        paid = sum(pay(means, 7, arm, k) for k in range(1, n + 1))
        assert row[2] == f"{paid / n:.4f}"
    assert sum(int(row[1]) for row in other) == 120


def test_the_opponent_is_the_policy_of_the_library():
    class Luck:
        """The pay of each arm in the order of its pulls."""

        def __init__(self, arm):
            self.arm, self.k = arm, 0

        def __call__(self, rng):
            self.k += 1
            return bernoulli((0.6, 0.5, 0.2)[self.arm])(Random(f"7/arm/{self.arm + 1}/{self.k}"))

    done = list(islice(library_pulls([Luck(i) for i in range(3)], BANDITS["ucb1"]), 300))
    shown = bandit({**LINK, "pulls": "1x300"})
    assert [int(row[1]) for row in rows(shown["other"])] == [arm.n for arm in done[-1].history]
    *_, last = regret(done, (0.6, 0.5, 0.2))
    assert rows(shown["scores"])[1][2] == f"{last.realised:.2f}"
    revealed = bandit({**LINK, "pulls": "1x300", "revealed": "1"})
    assert rows(revealed["scores"])[1][2] == f"{last.expected:.2f}"
    assert rows(revealed["scores"])[0][2] == "0.00"


@pytest.mark.parametrize("revealed", ["", "1"])
def test_the_table_of_the_arms_has_the_numbers_of_the_report(revealed):
    shown = bandit({**LINK, "pulls": "1121,3x5,2x30", "revealed": revealed})
    history = [Pulls(arm["n"], arm["paid"], arm["paid"]) for arm in shown["arms"]]
    means = (0.6, 0.5, 0.2) if revealed else None
    assert rows(shown["own"]) == list(rows_of(arms_table(history, means=means)))
    last = ["true mean"] if revealed else []
    assert heads(shown["own"]) == ["arm", "pulls", "mean", "95 % interval", "bound", *last]


def test_hidden_means_are_nowhere_in_what_a_page_gets():
    link = {"seed": "11", "arms": "4", "pulls": "1234"}
    means = contest_of(link).means
    assert len(set(means)) == 4
    hidden = bandit(link)
    assert hidden["means"] is None
    assert hidden["link"]["means"] == ""
    assert "true mean" not in json.dumps(hidden)
    assert bandit({**link, "revealed": "1"})["means"] == list(means)


def test_a_link_carries_the_whole_position():
    shown = pulled({**LINK, "pulls": "1121"}, "2", 10)
    shown = pulled(shown["link"], "thompson", 100)
    shown = pulled(shown["link"], "3", 1)
    assert shown["link"]["pulls"] == "1121,2x10,thompsonx100,3"
    assert bandit(shown["link"]) == shown
    bandits.pulls_of.cache_clear()
    assert bandit(shown["link"]) == shown
    assert shown["left"] == MOST_PULLS - 115


def test_several_pulls_are_told_with_their_pay():
    before = bandit({**LINK, "pulls": "1121"})
    shown = pulled(before["link"], "1", 10)
    paid = shown["arms"][0]["paid"] - before["arms"][0]["paid"]
    assert shown["said"].startswith(f"Pulls 5 to 14 paid {paid}. Pay so far: you ")


def test_the_pulls_in_a_link_are_read_as_they_were_written():
    rng = Random(18)
    for _ in range(200):
        names = [rng.choice(["1", "2", "3", "ucb1", "epsilon"]) for _ in range(rng.randrange(30))]
        names = [name for name in names for _ in range(rng.choice([1, 1, 1, 4, 5, 30]))]
        assert list(bandits.names_in(bandits.names_text(names), 3)) == names


def test_the_same_rule_from_the_start_has_the_same_luck():
    for name in BANDITS:
        shown = bandit({**LINK, "policy": name, "pulls": f"{name}x150"})
        assert rows(shown["own"]) == rows(shown["other"])
        assert sum(arm["n"] for arm in shown["arms"]) == 150


@pytest.mark.slow
def test_a_run_is_the_fold_of_its_pulls_and_ends_at_the_most():
    steps = list(bandits.contest({**LINK, "pulls": "12"}, rule="decaying"))[1:]
    assert [step["pulls"] for step in steps[:4]] == [3, 4, 5, 6]
    assert max(b["pulls"] - a["pulls"] for a, b in pairwise(steps)) == 50
    assert steps[-1]["pulls"] == MOST_PULLS
    assert steps[-1]["full"].startswith("These are 5,000 pulls, the most on this page.")
    assert not steps[-2]["full"]
    assert steps[-1] == {**bandit(steps[-1]["link"]), "said": steps[-1]["said"]}
    assert pulled(steps[-1]["link"], "1", 10)["pulls"] == MOST_PULLS


def test_the_chart_shows_the_regret_of_both_players():
    shown = bandit({**LINK, "pulls": "1x1000", "revealed": "1"})
    assert "You: 0 at 0, 0 at 1,000." in shown["chart"]["text"]
    regret_of_other = rows(shown["scores"])[1][2]
    assert f"{float(regret_of_other):g} at 1,000." in shown["chart"]["text"]
    narrow = bandit({**LINK, "pulls": "1x1000"}, width=268)
    assert 'width="300"' in narrow["chart"]["svg"]


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"means": "0.6, two"}, "2 to 9 numbers from 0 to 1, for example 0.6, 0.5; got '0.6, two'"),
        ({"means": "0.6, 1.5"}, "numbers from 0 to 1"),
        ({"means": "-0.1, 0.5"}, "numbers from 0 to 1"),
        ({"means": "0.6"}, "2 to 9 numbers"),
        (
            {"means": "", "arms": "12"},
            "`arms` must be a whole number from 2 to 9; got 12.",
        ),
        ({"seed": "x"}, "The seed must be a whole number from 0 to 9007199254740991; got 'x'"),
        ({"policy": "best"}, "The policy must be one of random, commit, .*; got 'best'"),
        ({"pulls": "14"}, "The arm must be a number from 1 to 3; got 4"),
        ({"pulls": "1-2"}, "The pulls must be like 1121,2x10,ucb1x100; got '1-2'"),
        ({"pulls": "bestx3"}, "The policy must be one of"),
    ],
)
def test_a_wrong_link_is_refused_in_a_sentence(part, message):
    with pytest.raises(ValueError, match=message):
        bandit({**LINK, **part})


def test_each_policy_of_the_command_line_has_a_title():
    assert bandit(LINK)["policies"] == BANDIT_TITLES
