"""What each command finds out: facts for a program, and tables of them for a person."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import count, pairwise, repeat, takewhile
from math import isfinite, pi
from random import Random
from typing import Any, NamedTuple, TypeAlias

from rich.table import Table

from purembts import bandits, bounds, exact
from purembts.best_moves import describe_rules
from purembts.chance import repeatedly
from purembts.game import Game, turn_at
from purembts.games.shut_the_box import (
    USUAL,
    Box,
    Roll,
    Rules,
    best_move,
    box_to_str,
    full_box,
    rolls,
    shut_the_box,
    win_probability,
)
from purembts.mcts import MoveRow, learnt
from purembts.records import NOTHING, Record, interval, mean, merge
from purembts.shell.clock import within
from purembts.shell.progress import watched
from purembts.workshop import (
    Tree,
    in_circle,
    learnt_probability,
    move_table,
    search,
    simulate,
    simulate_crowd,
    start_box,
    throw_dart,
)

STEP = 5_000
"""Games or dives between two looks at the progress bar."""

SHORT_STEP = 500
"""Dives between two looks at the clock: some milliseconds."""

CROWD = 10**12
"""Random games that are not played one by one, so many that their interval pins the exact value."""


class Estimate(NamedTuple):
    """What a simulation says after so many games."""

    games: int
    mean: float
    low: float
    high: float


Facts: TypeAlias = dict[str, Any]
"""What --json prints."""


class LessonRow(NamedTuple):
    """A way to play, as `learn` shows it."""

    play: str
    record: Record
    """What was seen of it; NOTHING where nothing had to be tried."""
    exact: Fraction
    """The exact probability to win with it."""


class Lesson(NamedTuple):
    """How far `learn` has come."""

    rows: tuple[LessonRow, ...]
    tree: Tree


# The work, step by step


def random_games(n: int, box: Box, rng: Random, rules: Rules) -> Iterator[Record]:
    """The records of random games from `box` after each step, until there are n."""
    record = NOTHING
    for games in watched(_steps(n), "random games", -(-n // STEP)):
        record = merge(record, simulate(games, box, rng, rules=rules))
        yield record


def grown(
    tree: Tree, box: Box, dives: int | None, seconds: float | None, rng: Random, **how: Any
) -> Iterator[Tree]:
    """The trees after each step of `dives` more dives, or after each step for so many seconds."""
    steps: Iterable[int]
    if dives is None:
        steps = watched(within(seconds or 0, repeat(SHORT_STEP)), f"{seconds:g} seconds")
    else:
        steps = watched(_steps(dives), f"{dives:,} dives", -(-dives // STEP))
    for n in steps:
        tree = search(tree, box, n, rng, **how)
        yield tree


def _steps(n: int) -> Iterator[int]:
    """The numbers that add up to n in steps."""
    return (min(STEP, n - done) for done in range(0, n, STEP))


def fresh(seed: int, tree: Tree, box: Box) -> Random:
    """The generator for a search: `Random(seed)` from nothing.

    From a tree that was kept it is another, which does not draw the same games again.
    """
    done = (tree.get(box) or NOTHING).visits
    return Random(f"{seed}/{done}") if done else Random(seed)


def learn(
    games: int,
    dives: Sequence[int],
    z: float,
    seed: int,
    *,
    box: Box = start_box,
    rules: Rules = USUAL,
    tree: Tree | None = None,
) -> Iterator[Lesson]:
    """Random play by simulation, what UCT has learnt after each number of dives, and best play.

    The dives go on from `tree`.
    """
    lesson = Lesson((), {} if tree is None else tree)
    *_, record = random_games(games, box, Random(f"{seed}/random play"), rules)
    random_play = random_value(box, rules)
    yield (lesson := _with_row(lesson, f"random moves, {games:,} games", record, random_play))
    crowd = simulate_crowd(CROWD, box, Random(f"{seed}/crowd"), rules=rules)
    yield (lesson := _with_row(lesson, "random moves, a crowd of 10^12", crowd, random_play))
    before = (lesson.tree.get(box) or NOTHING).visits
    rng = Random(f"{seed}/dives/{before}" if before else f"{seed}/dives")
    for done, after in pairwise([0, *sorted(set(dives))]):
        for grown_tree in grown(lesson.tree, box, after - done, None, rng, z=z, rules=rules):
            yield (lesson := lesson._replace(tree=grown_tree))
        worth = learnt_probability(lesson.tree, box, rules=rules)
        label = f"UCT, {before + after:,} dives"
        yield (lesson := _with_row(lesson, label, lesson.tree[box], worth))
    yield _with_row(lesson, "best play", NOTHING, win_probability(box, rules=rules))


def _with_row(lesson: Lesson, play: str, record: Record, exactly: Fraction) -> Lesson:
    return lesson._replace(rows=(*lesson.rows, LessonRow(play, record, exactly)))


def random_value(box: Box, rules: Rules) -> Fraction:
    """The exact probability to win from `box` when every move is random."""
    return exact.solver(shut_the_box(rules), exact.uniform)(box)[0]


# Facts


def head(box: Box, rules: Rules) -> Facts:
    """Which game the facts are about."""
    return {"game": "Shut the Box", "rules": rules._asdict(), "box": sorted(box)}


def record_facts(record: Record) -> Facts:
    """A record, its mean and the 95 % interval of that; null where there are no visits."""
    seen = record.visits > 0
    return {
        "visits": record.visits,
        "scores": list(record.scores),
        "mean": mean(record) if seen else None,
        "interval": list(interval(record)) if seen else None,
    }


def value_facts(value: Fraction) -> Facts:
    """A probability as a number and as the fraction that it is."""
    return {"probability": float(value), "exactly": str(value)}


def learn_facts(rows: Iterable[LessonRow], box: Box, rules: Rules) -> Facts:
    """The rows of `learn`."""
    told_rows = [
        {"play": row.play, "seen": record_facts(row.record), "exact": value_facts(row.exact)}
        for row in rows
    ]
    return {**head(box, rules), "rows": told_rows}


def simulate_facts(record: Record, box: Box, rules: Rules) -> Facts:
    """A record of random games beside the exact probability to win one."""
    random_play = value_facts(random_value(box, rules))
    return {**head(box, rules), "seen": record_facts(record), "random_play": random_play}


def search_facts(tree: Tree, box: Box, z: float, rules: Rules) -> Facts:
    """What the dives won, what the tree has learnt, and the moves of every roll."""
    return {
        **head(box, rules),
        "seen": record_facts(tree.get(box) or NOTHING),
        "positions": len(tree),
        "learnt": value_facts(learnt_probability(tree, box, rules=rules)),
        "random_play": value_facts(random_value(box, rules)),
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
    for choice in move_table(tree, box, roll, z=z, rules=rules):
        exactly = win_probability(choice.move, rules=rules)
        yield {
            **_choice_facts(choice, box),
            "exact": value_facts(exactly),
            "learnt": choice.visits > 0 and choice.move in chosen,
            "best": exactly == best,
        }


def _choice_facts(choice: MoveRow, box: Box) -> Facts:
    return {
        "box": sorted(choice.move),
        "shut": sorted(box - choice.move),
        "visits": choice.visits,
        "mean": choice.mean,
        "interval": list(choice.interval) if choice.visits else None,
        "bound": choice.bound if isfinite(choice.bound) else None,
    }


def solve_facts(box: Box, rules: Rules) -> Facts:
    """The exact probability to win, and the best move of every roll."""
    return {
        **head(box, rules),
        "best_play": value_facts(win_probability(box, rules=rules)),
        "random_play": value_facts(random_value(box, rules)),
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


# Tables of them


def learn_table(rows: Iterable[LessonRow], box: Box = start_box, rules: Rules = USUAL) -> Table:
    """The rows of `learn` for a person."""
    table = _table(
        f"Shut the Box: probability to win from {_from(box, rules)}",
        ["how it plays", "seen", "95 % interval", "exact"],
        caption="seen: games or dives won (of dives the interval is nominal)\n"
        "exact: of random and best play, and of what the tree has learnt",
    )
    for row in rows:
        table.add_row(row.play, *_seen(record_facts(row.record)), f"{float(row.exact):.5f}")
    return table


def simulate_table(facts: Facts, box: Box, rules: Rules) -> Table:
    """What `simulate` has found for a person."""
    table = _table(
        f"Shut the Box: random games from {_from(box, rules)}",
        ["games", "won", "seen", "95 % interval", "exact"],
    )
    seen = facts["seen"]
    exactly = f"{facts['random_play']['probability']:.5f}"
    table.add_row(f"{seen['visits']:,}", f"{seen['scores'][0]:,}", *_seen(seen), exactly)
    return table


def search_tables(facts: Facts, box: Box, rules: Rules) -> Iterator[Table]:
    """What `search` has found for a person: the whole, and the moves of every roll."""
    seen = facts["seen"]
    table = _table(
        f"Shut the Box: UCT from {_from(box, rules)}",
        ["dives", "won", "seen", "95 % interval", "learnt", "best play"],
        caption="learnt: the exact probability to win with the moves that the tree knows as best",
    )
    values = (f"{facts[key]['probability']:.5f}" for key in ("learnt", "best_play"))
    table.add_row(f"{seen['visits']:,}", f"{seen['scores'][0]:,}", *_seen(seen), *values)
    yield table
    if box:
        yield _moves_table(facts, rules)


def _moves_table(facts: Facts, rules: Rules) -> Table:
    table = _table(
        "What the tree knows of each move",
        ["roll", "shut", "to the box", "visits", "mean", "95 % interval", "bound", "exact", ""],
        caption="exact: with best play from there; * what the tree would play, = no move is better",
    )
    for roll in facts["rolls"]:
        for number, move in enumerate(roll["moves"]):
            table.add_row("" if number else str(roll["roll"]), *_move_cells(move, rules))
        if not roll["moves"]:
            table.add_row(str(roll["roll"]), "", "lost")
        table.add_section()
    return table


def _move_cells(move: Facts, rules: Rules) -> Iterator[str]:
    yield _plus(move["shut"])
    yield box_to_str(frozenset(move["box"]), rules=rules)
    yield f"{move['visits']:,}"
    yield from _seen(move, 4)
    yield "" if move["bound"] is None else f"{move['bound']:.4f}"
    yield f"{move['exact']['probability']:.4f}"
    yield ("*" if move["learnt"] else " ") + ("=" if move["best"] else " ")


def solve_tables(facts: Facts, box: Box, rules: Rules) -> Iterator[Table]:
    """What `solve` has found for a person."""
    table = _table(
        f"Shut the Box: probability to win from {_from(box, rules)}",
        ["how it plays", "probability", "exactly"],
    )
    for name, key in (("best play", "best_play"), ("random moves", "random_play")):
        value = facts[key]
        table.add_row(name, f"{value['probability']:.7f}", value["exactly"])
    yield table
    if box:
        yield _rolls_table(facts, rules)


def _rolls_table(facts: Facts, rules: Rules) -> Table:
    table = _table("The best move of each roll", ["roll", "moves", "shut", "to the box", "then"])
    for roll in facts["rolls"]:
        move = roll["best_move"]
        cells = ("", "lost") if move is None else (_plus(roll["shut"]), _box(move, rules))
        table.add_row(str(roll["roll"]), str(roll["moves"]), *cells, f"{roll['probability']:.5f}")
    return table


def _table(title: str, heads: Sequence[str], **how: Any) -> Table:
    table = Table(title=title, **how)
    for heading in heads:
        words = heading in ("how it plays", "to the box")
        table.add_column(heading, justify="left" if words else "right")
    return table


def _from(box: Box, rules: Rules) -> str:
    """Where a game starts, and by which rules if they are not the usual ones."""
    start = (
        "the full box"
        if box == full_box(rules=rules)
        else f"the box {_plus(sorted(box)) or 'shut'}"
    )
    return start if rules == USUAL else f"{start} ({describe_rules(rules)})"


def _box(levers: Iterable[int], rules: Rules) -> str:
    return box_to_str(frozenset(levers), rules=rules)


def _plus(levers: Iterable[int]) -> str:
    return "+".join(map(str, levers))


def _seen(facts: Facts, digits: int = 5) -> tuple[str, str]:
    """The mean and its interval, blank where nothing was seen."""
    if not facts["visits"]:
        return "", ""
    low, high = facts["interval"]
    return f"{facts['mean']:.{digits}f}", f"{low:.{digits}f} to {high:.{digits}f}"


# Bandits, and estimates as they go on

BANDITS: dict[str, bandits.BanditPolicy] = {
    "random": bandits.uniformly,
    "commit": bandits.explore_then_commit(50),
    "epsilon": bandits.epsilon_greedy(0.1),
    "decaying": bandits.epsilon_greedy(bandits.auer_schedule(5, 0.5)),
    "ucb1": bandits.by_bound(),
    "workshop": bandits.by_bound(bounds.ucb_wald),
    "tuned": bandits.ucb1_tuned,
    "thompson": bandits.thompson,
}
"""The policies of the command line, by their names."""


def bandit_runs(
    names: Sequence[str], means: Sequence[float], pulls: int, runs: int, seed: int
) -> Iterator[tuple[dict[str, list[float]], ...]]:
    """The runs of these policies that are done, after each, while a bar shows that they go on."""
    policies = {name: BANDITS[name] for name in names}
    arms = [bandits.bernoulli(mean) for mean in means]
    done: tuple[dict[str, list[float]], ...] = ()
    for run in watched(bandits.runs_of(policies, arms, pulls, runs, seed), "runs", runs):
        done = (*done, run)
        yield done


def bandit_facts(
    curves: dict[str, bandits.Curve], means: Sequence[float], pulls: int, runs: int
) -> Facts:
    """The curves, and what they are of."""
    return {
        "means": list(means),
        "pulls": pulls,
        "runs": runs,
        "policies": {name: _curve_facts(curve, runs) for name, curve in curves.items()},
        "lai_robbins": bandits.lai_robbins(means),
    }


def _curve_facts(curve: bandits.Curve, runs: int) -> Facts:
    """A curve as JSON has it, where one run leaves no interval."""
    unknown = {} if runs > 1 else dict.fromkeys(("low", "high"), [None] * len(curve.at))
    return {**curve._asdict(), **unknown}


def bandit_table(facts: Facts) -> Table:
    """The regret of each policy after a tenth, half and all of the pulls."""
    curves = facts["policies"]
    at = next(iter(curves.values()))["at"]
    looks = [bisect_left(at, facts["pulls"] * share) for share in (0.1, 0.5, 1)]
    means = ", ".join(f"{mean:g}" for mean in facts["means"])
    table = Table(title=f"Regret of {len(facts['means'])} arms that pay {means} on average")
    table.add_column("policy")
    for look in looks:
        table.add_column(f"after {at[look]:,} pulls", justify="right")
    table.add_column("95 % interval", justify="right")
    for name, curve in curves.items():
        shown = [f"{curve['mean'][look]:.2f}" for look in looks]
        low, high = curve["low"][-1], curve["high"][-1]
        table.add_row(name, *shown, "" if low is None else f"{low:.2f} to {high:.2f}")
    table.caption = (
        f"regret: expected pay lost against always the best arm; mean of {facts['runs']} runs"
    )
    return table


def estimates_of_pi(darts: int, rng: Random) -> Iterator[tuple[Record, ...]]:
    """The records of darts that hit, at more and more darts, until all are thrown."""

    def throw(n: int) -> Record:
        return Record(n, (sum(map(in_circle, repeatedly(n, partial(throw_dart, rng)))),))

    return _growing(darts, throw)


def estimates_of_winning(
    games: int, box: Box, rng: Random, rules: Rules
) -> Iterator[tuple[Record, ...]]:
    """The records of random games, at more and more games, until all are played."""
    return _growing(games, lambda n: simulate(n, box, rng, rules=rules))


def _growing(n: int, more: Callable[[int], Record]) -> Iterator[tuple[Record, ...]]:
    """The records so far, at ten numbers for each power of ten, and at n."""
    steps = (step * 10**power for power in count() for step in ROUND)
    ends = [*takewhile(lambda end: end < n, steps), n]
    records: tuple[Record, ...] = ()
    for before, after in watched(list(pairwise([0, *ends])), f"{n:,} games"):
        record = merge(records[-1] if records else NOTHING, more(after - before))
        records = (*records, record)
        yield records


ROUND = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)
"""Numbers that are about as far from one another, as factors."""


def estimates(records: Iterable[Record], factor: float = 1) -> list[Estimate]:
    """What the records say, times `factor`, with their 95 % intervals."""
    told = []
    for record in records:
        low, high = interval(record)
        told.append(Estimate(record.visits, factor * mean(record), factor * low, factor * high))
    return told


def pi_facts(said: Sequence[Estimate]) -> Facts:
    """What the darts say of pi, and what they said on the way."""
    return {
        "darts": said[-1].games,
        "estimate": said[-1].mean,
        "interval": [said[-1].low, said[-1].high],
        "pi": pi,
        "estimates": [
            {"darts": n, "mean": mean, "low": low, "high": high} for n, mean, low, high in said
        ],
    }


def pi_table(facts: Facts) -> Table:
    """The estimate at each power of ten, and at the end."""
    table = Table(title=f"Pi by {facts['darts']:,} darts")
    for heading in ("darts", "estimate", "95 % interval"):
        table.add_column(heading, justify="right")
    powers = [row for row in facts["estimates"] if str(row["darts"]).strip("0") == "1"] or facts[
        "estimates"
    ][-1:]
    if powers[-1] != facts["estimates"][-1]:
        powers.append(facts["estimates"][-1])
    for row in powers:
        table.add_row(
            f"{row['darts']:,}", f"{row['mean']:.5f}", f"{row['low']:.5f} to {row['high']:.5f}"
        )
    table.caption = f"pi is {pi:.5f}"
    return table
