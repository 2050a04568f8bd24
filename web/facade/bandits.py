"""A bandit: a person and some policies pull the arms of one machine, all of them equally often.

The k-th pull of an arm pays the same for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, groupby, islice
from math import isfinite
from operator import attrgetter
from random import Random
from typing import Any

from facade.links import seed_of
from purembts.app.sampled_results import BANDIT_TITLES, BANDITS
from purembts.bandits import Pull, Pulls, after_pull, bernoulli, regret
from purembts.bounds import ucb1
from purembts.chance import shuffled
from purembts.checks import brief, whole_number
from purembts.display import number
from purembts.records import NOTHING, Record, interval
from purembts.report import Facts

MOST_PULLS = 5_000
"""The most pulls of one player. Those after them are left out."""
POLICIES = ("ucb1", "thompson", "epsilon", "random")
"""The policies that pull beside a person."""
_END_OF_PULLS = f"These are {MOST_PULLS:,} pulls, the most on this page. Take a new machine."
_PULL_BLOCK = 100
"""The pulls that are remembered together."""

# Links


def means_of(link: Mapping[str, str], seed: int) -> tuple[float, ...]:
    """The means of the arms in a link, or means from the seed, as many as the link says.

    Those that are drawn are all different, from 0.05 to 0.95.
    """
    text, arms = link.get("means", "").strip(" ,;"), link.get("arms") or "3"
    if not text:
        n: Any = int(arms) if re.fullmatch(r"\d{1,10}", arms) else arms
        means = shuffled(range(1, 20), Random(f"{seed}/means"))
        return tuple(mean / 20 for mean in means[: whole_number(n, "arms", 2, 9)])
    parts = re.split(r"[,;\s]+", text)
    numbers = tuple(float(part) if re.fullmatch(r"\d*\.?\d+", part) else -1.0 for part in parts)
    if not 2 <= len(numbers) <= 9 or not all(0 <= mean <= 1 for mean in numbers):
        right = "2 to 9 numbers from 0 to 1, for example 0.6, 0.5"
        raise ValueError(f"The means must be {right}; got {brief(text)}.")
    return numbers


def names_in(text: str, arms: int) -> Iterator[str]:
    """The name of each pull in `text`, for example `1121,2x10,ucb1x100`.

    It is the number of the arm from "1", or the name of the policy that chooses it.
    """
    for part in filter(None, text.split(",")):
        match = re.fullmatch(r"([1-9]+)|(\w+)x(\d{1,6})", part)
        if not match:
            raise ValueError(f"The pulls must be like 1121,2x10,ucb1x100; got {brief(part)}.")
        names = [*match[1]] if match[1] else [match[2]]
        for name in names:
            if name.isdigit() and not 1 <= int(name) <= arms:
                raise ValueError(f"The arm must be a number from 1 to {arms}; got {name}.")
            if not name.isdigit() and name not in BANDITS:
                right = f"one of {', '.join(BANDITS)}"
                raise ValueError(f"The policy must be {right}; got {brief(name)}.")
        yield from names * int(match[3] or 1)


def names_text(names: Sequence[str]) -> str:
    """The pulls as a short text, which `names_in` reads.

    >>> names_text(["1", "1", "2", "2", "2", "2", "2", "ucb1"])
    '11,2x5,ucb1x1'
    """
    parts = [""]
    for name, group in groupby(names):
        times = len(list(group))
        if name.isdigit() and times < 5:
            parts[-1] += name * times
        else:
            parts += [f"{name}x{times}", ""]
    return ",".join(filter(None, parts))


# Pulls


@lru_cache(maxsize=256)
def pulls_of(means: tuple[float, ...], seed: int, names: tuple[str, ...]) -> tuple[Pull, ...]:
    """The state before the first pull, as a pull of no arm, and then the pulls with these names."""
    if not names:
        return (Pull(-1, 0, (Pulls(),) * len(means)),)
    cut = (len(names) - 1) // _PULL_BLOCK * _PULL_BLOCK
    *before, last = pulls_of(means, seed, names[:cut])
    return (*before, *accumulate(names[cut:], partial(_next_pull, means, seed), initial=last))


def _next_pull(means: Sequence[float], seed: int, last: Pull, name: str) -> Pull:
    """The pull with this name, after the pull `last`."""
    history, t = last.history, sum(arm.n for arm in last.history) + 1
    rule = BANDITS.get(name)
    arm = rule(history, Random(f"{seed}/{name}/{t}")) if rule else int(name) - 1
    reward = bernoulli(means[arm])(Random(f"{seed}/arm/{arm + 1}/{history[arm].n + 1}"))
    return Pull(arm, reward, after_pull(history, arm, reward))


# The facts for a page


def contest(link: Mapping[str, str]) -> Facts:
    """The contest of a link: the arms, the pay and the regret of each player.

    The parts of the link are means, or else a number of arms, whose means are drawn from the seed;
    the seed; the pulls; and 1 if the means are revealed.
    """
    seed, is_open = seed_of(link.get("seed") or 0), bool(link.get("revealed"))
    means, text = means_of(link, seed), link.get("means", "").strip()
    names = tuple(islice(names_in(link.get("pulls") or "", len(means)), MOST_PULLS))
    rules = {"You": names, **{BANDIT_TITLES[rule]: (rule,) * len(names) for rule in POLICIES}}
    players = [
        _player_facts(player, pulls_of(means, seed, rule), means, is_open)
        for player, rule in rules.items()
    ]
    machine = {"means": text, "arms": "" if text else str(len(means)), "seed": str(seed)}
    return {
        "link": {**machine, "pulls": names_text(names), "revealed": "1" if is_open else ""},
        "pulls": len(names),
        "full": _END_OF_PULLS if len(names) >= MOST_PULLS else "",
        "means": means if is_open else None,
        "players": players,
        "said": _pay_sentence(len(names), players),
    }


def _player_facts(name: str, pulls: Sequence[Pull], means: Sequence[float], is_open: bool) -> Facts:
    """The last pull of a player, the arms, and the regret after about 100 numbers of pulls.

    The regret is exact if the means are revealed; else it is about the pay.
    """
    last, n = pulls[-1], len(pulls) - 1
    kind = attrgetter("expected" if is_open else "realised")
    losses = [0.0, *map(kind, regret(pulls[1:], means))]
    return {
        "name": name,
        "paid": sum(arm.paid for arm in last.history),
        "regret": number(losses[-1], 1),
        "line": [[t, losses[t]] for t in sorted({-(-n * i // 100) for i in range(101)})],
        "arm": last.arm,
        "reward": last.reward,
        "next": BANDITS["ucb1"](last.history, Random(0)),
        "arms": [_arm_facts(arm, n) for arm in last.history],
    }


def _arm_facts(arm: Pulls, total: int) -> Facts:
    """The pulls of an arm, the 95 % interval of its mean, and its bound; None if infinite."""
    n, paid, _ = arm
    (low, high), bound = interval(Record(n, (paid,)) if n else NOTHING), ucb1(paid, n, total)
    limits = {"low": low, "high": high, "bound": bound if isfinite(bound) else None}
    return {"n": n, "paid": paid, **limits}


def _pay_sentence(n: int, players: Sequence[Facts]) -> str:
    """The last pull of the person, and the pay of all players."""
    pay, you = [f"{player['name']} {player['paid']:,}" for player in players], players[0]
    last = f"Pull {n:,}: arm {you['arm'] + 1} paid {you['reward']}. Pay so far: {', '.join(pay)}."
    return last if n else "No pulls so far."
