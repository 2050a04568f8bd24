"""A bandit: a person pulls the arms of a machine, and a policy pulls as often on the same machine.

The k-th pull of an arm pays the same for both. A link in texts carries everything: the means (or
the number of arms, whose means are then drawn from the seed), the seed, the policy and the pulls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, groupby, islice
from random import Random
from typing import Any, NamedTuple, TypeAlias

from facade.links import seed_of
from facade.scenes import picture_facts, table_facts
from purembts.app.estimates import BANDITS, arms_table
from purembts.app.steps import counted
from purembts.bandits import Pull, Pulls, after_pull, bernoulli
from purembts.bounds import ucb1, ucb_wald
from purembts.chance import shuffled
from purembts.checks import brief, whole_number
from purembts.display import number
from purembts.pictures.charts import WIDTH, Chart, Level, Line, chart
from purembts.report import Facts
from purembts.tables import Table, rows_table

MOST = 5_000
"""The most pulls of one player. Those after them are left out."""
FULL = f"These are {MOST:,} pulls, the most on this page. Start again, or take a new machine."
"""The reason why there are no more pulls."""
BLOCK = 100
"""The pulls that are remembered together."""
_TITLES = {
    "random": "Random arm",
    "commit": "Explore, then commit",
    "epsilon": "Epsilon-greedy (0.1)",
    "decaying": "Decaying epsilon-greedy",
    "ucb1": "UCB1",
    "workshop": "Bound of the workshop",
    "tuned": "UCB1-tuned",
    "thompson": "Thompson sampling",
}
"""The policies of the command line, by the names that a page shows."""


class _Machine(NamedTuple):
    """Arms that pay 1 or 0. The seed decides what each pull pays."""

    means: tuple[float, ...]
    seed: int


class _Contest(NamedTuple):
    """A machine, the pulls of a person, and the policy that pulls as often."""

    machine: _Machine
    typed: str
    """The means as typed; "" if they are drawn from the seed."""
    policy: str
    names: tuple[str, ...]
    """For each pull, the number of the arm from "1", or the name of the policy that chose it."""
    revealed: bool
    """True if the person may see the means."""


Players: TypeAlias = Mapping[str, Sequence[Pull]]
"""The pulls of both players by their names on the page, as `_pulls_of` gives them."""


# Links


def _contest_of(link: Mapping[str, str]) -> _Contest:
    """The contest of a link; a ValueError says which part of it is wrong."""
    seed = seed_of(link.get("seed") or 0)
    typed, policy = (link.get("means") or "").strip(), link.get("policy") or "ucb1"
    arms = 0 if typed else _arms(link.get("arms") or "3")
    means = _means(typed) if typed else _drawn_means(arms, seed)
    _check_name(policy, 0)
    names = tuple(islice(_names(link.get("pulls") or "", len(means)), MOST))
    return _Contest(_Machine(means, seed), typed, policy, names, bool(link.get("revealed")))


def _arms(text: str) -> int:
    """The number of arms in `text`."""
    number: Any = int(text) if re.fullmatch(r"\d{1,10}", text) else text
    return whole_number(number, "arms", 2, 9)


def _means(text: str) -> tuple[float, ...]:
    """The means in `text`, for example `0.6, 0.5`."""
    parts = re.split(r"[,;\s]+", text.strip(" ,;"))
    means = tuple(float(part) if re.fullmatch(r"\d*\.?\d+", part) else -1.0 for part in parts)
    if not 2 <= len(means) <= 9 or not all(0 <= mean <= 1 for mean in means):
        right = "2 to 9 numbers from 0 to 1, for example 0.6, 0.5"
        raise ValueError(f"The means must be {right}; got {brief(text)}.")
    return means


def _drawn_means(arms: int, seed: int) -> tuple[float, ...]:
    """The means of a machine that nobody has typed: all different, from 0.05 to 0.95."""
    return tuple(n / 20 for n in shuffled(range(1, 20), Random(f"{seed}/means"))[:arms])


def _names(text: str, arms: int) -> Iterator[str]:
    """The names of the pulls in `text`, for example `1121,2x10,ucb1x100`."""
    for part in filter(None, text.split(",")):
        found = re.fullmatch(r"([1-9]+)|(\w+)x(\d{1,6})", part)
        if not found:
            raise ValueError(f"The pulls must be like 1121,2x10,ucb1x100; got {brief(part)}.")
        names = [*found[1]] if found[1] else [found[2]]
        for name in names:
            _check_name(name, arms)
        yield from names * int(found[3] or 1)


def _check_name(name: str, arms: int) -> None:
    """Raise a ValueError if `name` is neither one of the arms nor a policy."""
    if arms and name.isdigit():
        if not 1 <= int(name) <= arms:
            raise ValueError(f"The arm must be a number from 1 to {arms}; got {name}.")
    elif name not in BANDITS:
        raise ValueError(f"The policy must be one of {', '.join(BANDITS)}; got {brief(name)}.")


def _text(names: Sequence[str]) -> str:
    """The pulls as a short text, which `_names` reads.

    >>> _text(["1", "1", "2", "2", "2", "2", "2", "ucb1"])
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


def _link_facts(contest: _Contest) -> Facts:
    """The link of a contest, each part as a text; parts that are not needed are empty."""
    return {
        "means": contest.typed,
        "arms": "" if contest.typed else str(len(contest.machine.means)),
        "seed": str(contest.machine.seed),
        "policy": contest.policy,
        "pulls": _text(contest.names),
        "revealed": "1" if contest.revealed else "",
    }


# Pulls


@lru_cache(maxsize=256)
def _pulls_of(machine: _Machine, names: tuple[str, ...]) -> tuple[Pull, ...]:
    """The state before the first pull, as a pull of no arm, and then the pulls with these names."""
    if not names:
        return (Pull(-1, 0, (Pulls(),) * len(machine.means)),)
    cut = (len(names) - 1) // BLOCK * BLOCK
    *before, last = _pulls_of(machine, names[:cut])
    return (*before, *accumulate(names[cut:], partial(_next, machine), initial=last))


def _next(machine: _Machine, last: Pull, name: str) -> Pull:
    """The pull with this name, after the pull `last`."""
    history = last.history
    if name.isdigit():
        arm = int(name) - 1
    else:
        t = sum(arm.n for arm in history) + 1
        arm = BANDITS[name](history, Random(f"{machine.seed}/{name}/{t}"))
    reward = pay(machine, arm, history[arm].n + 1)
    return Pull(arm, reward, after_pull(history, arm, reward))


def pay(machine: _Machine, arm: int, k: int) -> float:
    """The pay of the k-th pull of an arm, whoever pulls it."""
    return bernoulli(machine.means[arm])(Random(f"{machine.seed}/arm/{arm + 1}/{k}"))


# What a page shows


def bandit(link: Mapping[str, str], more: int = 1, width: float = WIDTH) -> Facts:
    """The contest of a link: both players, their arms, and the regret of both.

    The last `more` pulls are new. `width` is that of the chart.
    """
    contest = _contest_of(link)
    machine, names, title = contest.machine, contest.names, _TITLES[contest.policy]
    own, other = _pulls_of(machine, names), _pulls_of(machine, (contest.policy,) * len(names))
    players = {"You": own, title: other}
    regrets = chart(_regret_chart(contest, players), width=width) if names else None
    return {
        "link": _link_facts(contest),
        "policies": _TITLES,
        "pulls": len(names),
        "left": MOST - len(names),
        "full": FULL if len(names) >= MOST else "",
        "means": list(machine.means) if contest.revealed else None,
        "arms": [{"n": arm.n, "paid": arm.paid} for arm in own[-1].history],
        "last": {"arm": own[-1].arm, "reward": own[-1].reward} if names else None,
        "said": _said(own, other, title, min(more, len(names))),
        "scores": table_facts(_scores(contest, players)),
        "chart": regrets and picture_facts(regrets),
        "own": table_facts(_contest_table(contest, own[-1].history, "Your arms")),
        "other": table_facts(_contest_table(contest, other[-1].history, f"The arms of {title}")),
    }


def bandit_run(link: Mapping[str, str], name: str, width: float = WIDTH) -> Iterator[Facts]:
    """The contest while the rule of a policy pulls on, up to `MOST` pulls.

    Each step has about a fortieth of the pulls so far, but at most 50: a fixed schedule.
    """
    pulls = len(_contest_of(link).names)
    while pulls < MOST:
        more = max(1, min(50, pulls // 40))
        shown = bandit({**link, "pulls": f"{link.get('pulls', '')},{name}x{more}"}, more, width)
        link, pulls = shown["link"], shown["pulls"]
        yield shown


def _said(own: Sequence[Pull], other: Sequence[Pull], title: str, more: int) -> str:
    """The last pulls in words, with the pay of both so far."""
    n = len(own) - 1
    if not n:
        return "No pulls so far."
    first = f"Pull {n:,}: arm {own[-1].arm + 1} paid {own[-1].reward}."
    if more > 1:
        first = f"Pulls {n - more + 1:,} to {n:,} paid {_paid(own[-1]) - _paid(own[-1 - more]):,}."
    return f"{first} Pay so far: you {_paid(own[-1]):,}, {title} {_paid(other[-1]):,}."


def _paid(pull: Pull) -> float:
    """The pay of all pulls up to this one."""
    return sum(arm.paid for arm in pull.history)


def _scores(contest: _Contest, players: Players) -> Table:
    """The pay of both players, and their regret."""
    rows = [
        [who, f"{_paid(pulled[-1]):,}", number(lost(contest, pulled[-1].history), 2)]
        for who, pulled in players.items()
    ]
    title = f"After {counted(len(contest.names), 'pull')}"
    return rows_table(title, ["player", "pay", "regret"], rows, words=["player"])


def lost(contest: _Contest, history: Sequence[Pulls]) -> float:
    """The regret after some pulls: by the true means if they are known, or by the pay.

    It is the last value of `purembts.bandits.regret`, computed from the sums.
    """
    means, best = contest.machine.means, max(contest.machine.means)
    if contest.revealed:
        return sum([(best - mean) * arm.n for mean, arm in zip(means, history, strict=True)])
    return sum([best * arm.n - arm.paid for arm in history])


def _regret_chart(contest: _Contest, players: Players) -> Chart:
    """The regrets of the players over the pulls, at no more than about 200 of them."""
    n = len(contest.names)
    at = sorted({-(-n * i // 200) for i in range(201)})
    by = "the true means" if contest.revealed else "the pay"
    return Chart(
        title=f"Regret after {counted(n, 'pull')}, by {by}",
        x="pulls",
        y=f"regret by {by}",
        lines=[
            Line(who, at, [lost(contest, pulled[t].history) for t in at])
            for who, pulled in players.items()
        ],
        levels=[Level("always right", 0.0)] if contest.revealed else [],
    )


def _contest_table(contest: _Contest, history: Sequence[Pulls], title: str) -> Table:
    """The table of the arms: pulls, mean, interval, bound, and the true mean if it is known."""
    means = contest.machine.means if contest.revealed else None
    bound = ucb_wald if contest.policy == "workshop" else ucb1
    return arms_table(history, bound=bound, means=means)._replace(title=title)
