"""The results of each command as plain data: what `--json` prints, and what the tables show."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import isfinite, pi
from typing import Any, NamedTuple, TypeAlias

from purembts import bandits
from purembts.game import Game, turn_at
from purembts.games.shut_the_box import (
    USUAL,
    Box,
    Roll,
    Rules,
    best_move,
    rolls,
    shut_the_box,
    win_probability,
)
from purembts.mcts import MoveRow, learnt
from purembts.records import NOTHING, Record, interval, mean
from purembts.shell.steps import LessonRow, random_value
from purembts.workshop import Tree, learnt_probability, move_table

Facts: TypeAlias = dict[str, Any]
"""An object of JSON."""


class Estimate(NamedTuple):
    """A mean after a number of games or darts, with its 95 % interval."""

    games: int
    mean: float
    low: float
    high: float


def game_facts(box: Box, *, rules: Rules = USUAL) -> Facts:
    """The name of the game, its rules, and the box at the start."""
    return {"game": "Shut the Box", "rules": rules._asdict(), "box": sorted(box)}


def record_facts(record: Record) -> Facts:
    """A record, its mean and the 95 % interval of the mean. Without visits these two are null."""
    visited = record.visits > 0
    return {
        "visits": record.visits,
        "scores": list(record.scores),
        "mean": mean(record) if visited else None,
        "interval": list(interval(record)) if visited else None,
    }


def value_facts(value: Fraction) -> Facts:
    """An exact probability as a float and as a fraction."""
    return {"probability": float(value), "exactly": str(value)}


def learn_facts(rows: Iterable[LessonRow], box: Box, *, rules: Rules = USUAL) -> Facts:
    """The rows of `learn`."""
    row_facts = [
        {"play": row.play, "seen": record_facts(row.record), "exact": value_facts(row.exact)}
        for row in rows
    ]
    return {**game_facts(box, rules=rules), "rows": row_facts}


def simulate_facts(record: Record, box: Box, *, rules: Rules = USUAL) -> Facts:
    """A record of random games, and the exact probability to win one."""
    return {
        **game_facts(box, rules=rules),
        "seen": record_facts(record),
        "random_play": value_facts(random_value(box, rules=rules)),
    }


def search_facts(tree: Tree, box: Box, z: float, *, rules: Rules = USUAL) -> Facts:
    """The record of `box` in `tree`, the worth of what the tree has learnt, and all its moves."""
    return {
        **game_facts(box, rules=rules),
        "seen": record_facts(tree.get(box) or NOTHING),
        "positions": len(tree),
        "learnt": value_facts(learnt_probability(tree, box, rules=rules)),
        "random_play": value_facts(random_value(box, rules=rules)),
        "best_play": value_facts(win_probability(box, rules=rules)),
        "rolls": [
            {"roll": roll, "moves": list(_move_facts(tree, box, roll, z, rules))}
            for roll in rolls(box, rules=rules)
        ],
    }


def _move_facts(tree: Tree, box: Box, roll: int, z: float, rules: Rules) -> Iterator[Facts]:
    game: Game[Box, Roll] = shut_the_box(rules)
    chosen = learnt(tree)(turn_at(game, box, roll), ())
    best = win_probability(box, roll, rules=rules)
    for row in move_table(tree, box, roll, z=z, rules=rules):
        value = win_probability(row.move, rules=rules)
        yield {
            **_row_facts(row, box),
            "exact": value_facts(value),
            "learnt": row.visits > 0 and row.move in chosen,
            "best": value == best,
        }


def _row_facts(row: MoveRow, box: Box) -> Facts:
    return {
        "box": sorted(row.move),
        "shut": sorted(box - row.move),
        "visits": row.visits,
        "mean": row.mean,
        "interval": list(row.interval) if row.visits else None,
        "bound": row.bound if isfinite(row.bound) else None,
    }


def solve_facts(box: Box, *, rules: Rules = USUAL) -> Facts:
    """The exact probability to win, and the best move of every roll."""
    return {
        **game_facts(box, rules=rules),
        "best_play": value_facts(win_probability(box, rules=rules)),
        "random_play": value_facts(random_value(box, rules=rules)),
        "rolls": [_roll_facts(box, roll, rules) for roll in rolls(box, rules=rules)],
    }


def _roll_facts(box: Box, roll: int, rules: Rules) -> Facts:
    best = best_move(box, roll, rules=rules)
    return {
        "roll": roll,
        "moves": len(shut_the_box(rules).moves(box, roll)),
        "best_move": None if best is None else sorted(best),
        "shut": None if best is None else sorted(box - best),
        **value_facts(win_probability(box, roll, rules=rules)),
    }


# Bandits and pi


def bandit_facts(
    curves: Mapping[str, bandits.Curve], means: Sequence[float], pulls: int, runs: int
) -> Facts:
    """The curves of the policies, with the arms, the pulls and the runs that gave them."""
    return {
        "means": list(means),
        "pulls": pulls,
        "runs": runs,
        "policies": {name: _curve_facts(curve, runs) for name, curve in curves.items()},
        "lai_robbins": bandits.lai_robbins(means),
    }


def _curve_facts(curve: bandits.Curve, runs: int) -> Facts:
    """A curve for JSON, which has no infinity: the ends of the interval of one run are null."""
    nulls = {} if runs > 1 else dict.fromkeys(("low", "high"), [None] * len(curve.at))
    return {**curve._asdict(), **nulls}


def estimates(records: Iterable[Record], factor: float = 1) -> list[Estimate]:
    """The means of the records and their 95 % intervals, all multiplied by `factor`."""
    return [_estimate(record, factor) for record in records]


def _estimate(record: Record, factor: float) -> Estimate:
    low, high = interval(record)
    return Estimate(record.visits, factor * mean(record), factor * low, factor * high)


def pi_facts(series: Sequence[Estimate]) -> Facts:
    """The last estimate of pi, and the series of estimates that led to it."""
    last = series[-1]
    return {
        "darts": last.games,
        "estimate": last.mean,
        "interval": [last.low, last.high],
        "pi": pi,
        "estimates": [
            {"darts": one.games, "mean": one.mean, "low": one.low, "high": one.high}
            for one in series
        ],
    }
