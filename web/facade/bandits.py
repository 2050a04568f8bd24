"""A bandit: a person pulls the arms of a machine, and a policy pulls as often on the same machine.

The k-th pull of an arm pays the same for both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, groupby, islice
from random import Random
from typing import Any, NamedTuple

from facade.links import seed_of
from purembts.app.encoded import encoded
from purembts.app.estimates import BANDIT_BOUNDS, BANDIT_TITLES, BANDITS, arms_table
from purembts.app.steps import counted
from purembts.bandits import Pull, Pulls, after_pull, bernoulli
from purembts.bounds import ucb1
from purembts.chance import shuffled
from purembts.checks import brief, whole_number
from purembts.display import number
from purembts.pictures.charts import WIDTH, Chart, Level, Line
from purembts.report import Facts
from purembts.tables import Table, rows_table

MOST_PULLS = 5_000
"""The most pulls of one player. Those after them are left out."""
_END_OF_PULLS = (
    f"These are {MOST_PULLS:,} pulls, the most on this page. Start again, or take a new machine."
)
_PULL_BLOCK = 100
"""The pulls that are remembered together."""


class _Contest(NamedTuple):
    """A machine with arms that pay 1 or 0, and the pulls of a person; a policy pulls as often."""

    means: tuple[float, ...]
    seed: int
    """The seed of all pay."""
    policy: str
    names: tuple[str, ...]
    """For each pull, the number of the arm from "1", or the name of the policy that chose it."""
    link: Mapping[str, str]
    """The parts of the link, which name all this: means, or else a number of arms whose means are
    drawn from the seed; the seed, the policy, the pulls, and 1 if the person may see the means."""


# Links


def contest_of(link: Mapping[str, str]) -> _Contest:
    """The contest of a link; a ValueError says which part of it is wrong."""
    seed, text = seed_of(link.get("seed") or 0), (link.get("means") or "").strip()
    means = _means_in(text) if text else _random_means(link.get("arms") or "3", seed)
    policy, arms = link.get("policy") or "ucb1", "" if text else str(len(means))
    _check_name(policy, 0)
    names = tuple(islice(names_in(link.get("pulls") or "", len(means)), MOST_PULLS))
    about = {"means": text, "arms": arms, "seed": str(seed), "policy": policy}
    about |= {"pulls": names_text(names), "revealed": "1" if link.get("revealed") else ""}
    return _Contest(means, seed, policy, names, about)


def _means_in(text: str) -> tuple[float, ...]:
    """The means in `text`, for example `0.6, 0.5`."""
    parts = re.split(r"[,;\s]+", text.strip(" ,;"))
    means = tuple(float(part) if re.fullmatch(r"\d*\.?\d+", part) else -1.0 for part in parts)
    if not 2 <= len(means) <= 9 or not all(0 <= mean <= 1 for mean in means):
        right = "2 to 9 numbers from 0 to 1, for example 0.6, 0.5"
        raise ValueError(f"The means must be {right}; got {brief(text)}.")
    return means


def _random_means(text: str, seed: int) -> tuple[float, ...]:
    """The means of as many arms as `text` says: all different, from 0.05 to 0.95."""
    arms: Any = int(text) if re.fullmatch(r"\d{1,10}", text) else text
    means = shuffled(range(1, 20), Random(f"{seed}/means"))
    return tuple(n / 20 for n in means[: whole_number(arms, "arms", 2, 9)])


def names_in(text: str, arms: int) -> Iterator[str]:
    """The names of the pulls in `text`, for example `1121,2x10,ucb1x100`."""
    for part in filter(None, text.split(",")):
        match = re.fullmatch(r"([1-9]+)|(\w+)x(\d{1,6})", part)
        if not match:
            raise ValueError(f"The pulls must be like 1121,2x10,ucb1x100; got {brief(part)}.")
        names = [*match[1]] if match[1] else [match[2]]
        for name in names:
            _check_name(name, arms)
        yield from names * int(match[3] or 1)


def _check_name(name: str, arms: int) -> None:
    """Raise a ValueError if `name` is neither one of the arms nor a policy."""
    if arms and name.isdigit():
        if not 1 <= int(name) <= arms:
            raise ValueError(f"The arm must be a number from 1 to {arms}; got {name}.")
    elif name not in BANDITS:
        raise ValueError(f"The policy must be one of {', '.join(BANDITS)}; got {brief(name)}.")


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
    is_arm = name.isdigit()
    arm = int(name) - 1 if is_arm else BANDITS[name](history, Random(f"{seed}/{name}/{t}"))
    reward = pay(means, seed, arm, history[arm].n + 1)
    return Pull(arm, reward, after_pull(history, arm, reward))


def pay(means: Sequence[float], seed: int, arm: int, k: int) -> float:
    """The pay of the k-th pull of an arm, whoever pulls it."""
    return bernoulli(means[arm])(Random(f"{seed}/arm/{arm + 1}/{k}"))


# The steps for a page


def contest(
    link: Mapping[str, str], more: int = 1, rule: str = "", width: float = WIDTH
) -> Iterator[Facts]:
    """The contest of a link, and then, while the policy `rule` pulls on, up to `MOST_PULLS` pulls.

    The last `more` pulls are new. `width` is that of the chart. Each step of a rule has about a
    fortieth of the pulls so far, but at most 50: a fixed schedule.
    """
    contest = contest_of(link)
    yield _contest_facts(contest, more, width)
    while rule and len(contest.names) < MOST_PULLS:
        more = max(1, min(50, len(contest.names) // 40))
        contest = contest_of({**link, "pulls": f"{contest.link['pulls']},{rule}x{more}"})
        yield _contest_facts(contest, more, width)


def _contest_facts(contest: _Contest, more: int, width: float) -> Facts:
    """Both players of a contest, their arms, and the regret of both."""
    (means, seed, policy, names, link), title = contest, BANDIT_TITLES[contest.policy]
    others = pulls_of(means, seed, (policy,) * len(names))
    pulls = pulls_of(means, seed, names)
    players, last = {"You": pulls, title: others}, pulls[-1]
    return {
        "link": link,
        "policies": BANDIT_TITLES,
        "pulls": len(names),
        "left": MOST_PULLS - len(names),
        "full": _END_OF_PULLS if len(names) >= MOST_PULLS else "",
        "means": list(means) if link["revealed"] else None,
        "arms": [{"n": arm.n, "paid": arm.paid} for arm in last.history],
        "last": {"arm": last.arm, "reward": last.reward} if names else None,
        "said": _pay_sentence(pulls, min(more, len(names)), f"{title} {_total_pay(others[-1]):,}"),
        "scores": encoded(_scores(contest, players)),
        "chart": encoded(_contest_chart(contest, players), width=width) if names else None,
        "own": encoded(_player_arms(contest, last, "Your arms")),
        "other": encoded(_player_arms(contest, others[-1], f"The arms of {title}")),
    }


def _pay_sentence(pulls: Sequence[Pull], more: int, other: str) -> str:
    """The last pulls in words, with the pay so far, beside that of the other player."""
    n, last, total = len(pulls) - 1, pulls[-1], _total_pay(pulls[-1])
    if not n:
        return "No pulls so far."
    first = f"Pull {n:,}: arm {last.arm + 1} paid {last.reward}."
    if more > 1:
        new = total - _total_pay(pulls[-1 - more])
        first = f"Pulls {n - more + 1:,} to {n:,} paid {new:,}."
    return f"{first} Pay so far: you {total:,}, {other}."


def _total_pay(pull: Pull) -> float:
    """The pay of all pulls up to this one."""
    return sum(arm.paid for arm in pull.history)


def _scores(contest: _Contest, players: Mapping[str, Sequence[Pull]]) -> Table:
    """The pay of both players, and their regret."""
    rows = [
        [player, f"{_total_pay(pulls[-1]):,}", number(_regret(contest, pulls[-1]), 2)]
        for player, pulls in players.items()
    ]
    title = f"After {counted(len(contest.names), 'pull')}"
    return rows_table(title, ["player", "pay", "regret"], rows, words=["player"])


def _regret(contest: _Contest, pull: Pull) -> float:
    """The regret up to a pull: by the true means if the person may see them, or by the pay.

    It is the last value of `purembts.bandits.regret`, computed from the sums.
    """
    best, arms = max(contest.means), zip(contest.means, pull.history, strict=True)
    if contest.link["revealed"]:
        return sum([(best - mean) * arm.n for mean, arm in arms])
    return sum([best * arm.n - arm.paid for _, arm in arms])


def _contest_chart(contest: _Contest, players: Mapping[str, Sequence[Pull]]) -> Chart:
    """The regrets of the players over the pulls, at no more than about 200 of them."""
    n, is_open = len(contest.names), bool(contest.link["revealed"])
    at, by = sorted({-(-n * i // 200) for i in range(201)}), "true means" if is_open else "pay"
    lines = [
        Line(player, at, [_regret(contest, pulls[t]) for t in at])
        for player, pulls in players.items()
    ]
    levels, y = [Level("always right", 0.0)] * is_open, f"regret by the {by}"
    return Chart(f"Regret after {counted(n, 'pull')}, by the {by}", "pulls", y, lines, levels)


def _player_arms(contest: _Contest, pull: Pull, title: str) -> Table:
    """The table of the arms: pulls, mean, interval, bound, and the true mean if it is shown."""
    means = contest.means if contest.link["revealed"] else None
    bound = BANDIT_BOUNDS.get(contest.policy, ucb1)
    return arms_table(pull.history, bound=bound, means=means)._replace(title=title)
