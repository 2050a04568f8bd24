"""The bandit of the page: the same luck for all players, and the numbers of the library."""

import json
from itertools import islice
from random import Random

import pytest

from facade import bandits
from facade.bandits import MOST_PULLS, POLICIES, contest
from purembts.app.sampled_results import BANDIT_TITLES, BANDITS
from purembts.bandits import bernoulli, regret
from purembts.bandits import pulls as library_pulls
from purembts.bounds import ucb1
from purembts.records import Record, interval

MEANS = (0.6, 0.5, 0.2)
LINK = {"means": "0.6, 0.5, 0.2", "seed": "7"}


def pulled(link, name, times):
    """The contest after more pulls, as the page asks for it."""
    return contest({**link, "pulls": f"{link.get('pulls', '')},{name}x{times}"})


class Luck:
    """The pay of an arm in the order of its pulls, whoever pulls it."""

    def __init__(self, arm):
        self.arm, self.k = arm, 0

    def __call__(self, rng):
        self.k += 1
        return bernoulli(MEANS[self.arm])(Random(f"7/arm/{self.arm + 1}/{self.k}"))


def test_the_kth_pull_of_an_arm_pays_the_same_for_all_players():
    shown = contest({**LINK, "pulls": "1x40,2x40,3x40"})
    for player in shown["players"]:
        for i, arm in enumerate(player["arms"]):
            luck = Luck(i)
            assert arm["paid"] == sum(luck(None) for _ in range(arm["n"]))
        assert sum(arm["n"] for arm in player["arms"]) == 120
    assert [arm["n"] for arm in shown["players"][0]["arms"]] == [40, 40, 40]


def test_a_policy_beside_the_person_is_the_one_of_the_library():
    done = list(islice(library_pulls([Luck(i) for i in range(3)], BANDITS["ucb1"]), 300))
    *_, last = regret(done, MEANS)
    for revealed, loss in (("", last.realised), ("1", last.expected)):
        you, other, *_ = contest({**LINK, "pulls": "1x300", "revealed": revealed})["players"]
        assert [arm["n"] for arm in other["arms"]] == [arm.n for arm in done[-1].history]
        assert other["line"][-1] == [300, loss]
        assert other["regret"] == f"{loss:.1f}"
    assert you["line"][-1] == [300, 0]


def test_an_arm_has_its_interval_and_bound_and_the_next_one_the_highest():
    you = contest({**LINK, "pulls": "1121,3x5,2x30"})["players"][0]
    for arm in you["arms"]:
        assert arm["bound"] == ucb1(arm["paid"], arm["n"], 39)
        assert (arm["low"], arm["high"]) == interval(Record(arm["n"], (arm["paid"],)))
    bounds = [arm["bound"] for arm in you["arms"]]
    assert you["next"] == bounds.index(max(bounds))
    young = contest({**LINK, "pulls": "1"})["players"][0]
    assert (young["arms"][1]["low"], young["arms"][1]["high"]) == (0, 1)
    assert (young["next"], young["arms"][1]["bound"]) == (1, None)


def test_hidden_means_are_nowhere_in_what_a_page_gets():
    link = {"seed": "11", "arms": "4", "pulls": "1234"}
    hidden, shown = contest(link), contest({**link, "revealed": "1"})
    assert len(set(shown["means"])) == 4
    assert hidden["means"] is None
    assert hidden["link"]["means"] == ""


def test_a_link_carries_the_whole_position():
    shown = pulled({**LINK, "pulls": "1121"}, "2", 10)
    shown = pulled(shown["link"], "thompson", 100)
    shown = pulled(shown["link"], "3", 1)
    assert shown["link"]["pulls"] == "1121,2x10,thompsonx100,3"
    bandits.pulls_of.cache_clear()
    assert contest(shown["link"]) == shown
    assert shown["said"].startswith("Pull 115: arm 3 paid ")
    assert shown["players"][0]["line"][-1][0] == 115


def test_the_pulls_in_a_link_are_read_as_they_were_written():
    rng = Random(18)
    for _ in range(200):
        names = [rng.choice(["1", "2", "3", "ucb1", "epsilon"]) for _ in range(rng.randrange(30))]
        names = [name for name in names for _ in range(rng.choice([1, 1, 1, 4, 5, 30]))]
        assert list(bandits.names_in(bandits.names_text(names), 3)) == names


@pytest.mark.parametrize("name", POLICIES)
def test_the_same_rule_from_the_start_has_the_same_luck(name):
    you, *others = contest({**LINK, "pulls": f"{name}x150"})["players"]
    [other] = [player for player in others if player["name"] == BANDIT_TITLES[name]]
    assert {**you, "name": ""} == {**other, "name": ""}


def test_pulls_after_the_most_are_left_out():
    last = pulled({**LINK, "pulls": "1x4999"}, "2", 10)
    assert (last["pulls"], last["players"][0]["arms"][1]["n"]) == (MOST_PULLS, 1)
    assert last["full"].startswith("These are 5,000 pulls, the most on this page.")
    assert not contest({**LINK, "pulls": "1x4999"})["full"]
    json.dumps(last, allow_nan=False)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"means": "0.6, two"}, "2 to 9 numbers from 0 to 1, for example 0.6, 0.5; got '0.6, two'"),
        ({"means": "0.6, 1.5"}, "numbers from 0 to 1"),
        ({"means": "0.6"}, "2 to 9 numbers"),
        ({"means": "", "arms": "12"}, "`arms` must be a whole number from 2 to 9; got 12."),
        ({"seed": "x"}, "The seed must be a whole number from 0 to 9007199254740991; got 'x'"),
        ({"pulls": "14"}, "The arm must be a number from 1 to 3; got 4"),
        ({"pulls": "1-2"}, "The pulls must be like 1121,2x10,ucb1x100; got '1-2'"),
        ({"pulls": "bestx3"}, "The policy must be one of"),
    ],
)
def test_a_wrong_link_is_refused_in_a_sentence(part, message):
    with pytest.raises(ValueError, match=message):
        contest({**LINK, **part})
