"""The work of each command, step by step, so that an interrupt leaves the steps that are done."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import count, islice, pairwise, takewhile
from random import Random
from typing import Any, NamedTuple

from purembts import bandits, bounds, exact
from purembts.chance import repeatedly
from purembts.games.shut_the_box import USUAL, Box, Rules, shut_the_box, win_probability
from purembts.records import NOTHING, Record, merge
from purembts.shell.clock import paced
from purembts.shell.progress import counted, watched
from purembts.workshop import (
    USUAL_Z,
    Tree,
    in_circle,
    learnt_probability,
    simulate,
    simulate_crowd,
    start_box,
    strides,
    throw_dart,
)

STEP = 5_000
"""Games or dives between two looks at the progress bar."""

CROWD = 10**12
"""Random games that are not played one by one. In five decimals their interval is one number."""

ROUND = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)
"""Round numbers, each about 1.2 times the number before it."""

BANDITS: Mapping[str, bandits.BanditPolicy] = {
    "random": bandits.uniformly,
    "commit": bandits.explore_then_commit(50),
    "epsilon": bandits.epsilon_greedy(0.1),
    "decaying": bandits.epsilon_greedy(bandits.auer_schedule(5, 0.5)),
    "ucb1": bandits.by_bound(),
    "workshop": bandits.by_bound(bounds.ucb_wald),
    "tuned": bandits.ucb1_tuned,
    "thompson": bandits.thompson,
}
"""The policies of `bandit`, by their names on the command line."""


class LessonRow(NamedTuple):
    """A row of `learn`: a way to play."""

    play: str
    record: Record
    """The games or dives that were played in this way; NOTHING for best play."""
    exact: Fraction
    """The exact probability to win with it."""


class Lesson(NamedTuple):
    """The rows that `learn` has so far, and the tree of its dives."""

    rows: tuple[LessonRow, ...]
    tree: Tree


# Random games and dives


def random_games(n: int, box: Box, rng: Random, *, rules: Rules = USUAL) -> Iterator[Record]:
    """The records of random games from `box` after each step, the last with n games."""
    record = NOTHING
    for games in watched(_steps(n), "random games", -(-n // STEP)):
        record = merge(record, simulate(games, box, rng, rules=rules))
        yield record


def _steps(n: int) -> Iterator[int]:
    """The sizes of the steps, which add up to n."""
    return (min(STEP, n - done) for done in range(0, n, STEP))


def random_value(box: Box, *, rules: Rules = USUAL) -> Fraction:
    """The exact probability to win from `box` when every move is random."""
    return exact.solver(shut_the_box(rules), exact.uniform)(box)[0]


def grown(tree: Tree, box: Box, dives: int, rng: Random, **options: Any) -> Iterator[Tree]:
    """The trees after each step of a search, the last with `dives` more dives than `tree`.

    `options` are those of `workshop.strides`.
    """
    lengths = watched(_steps(dives), counted(dives, "dive"), -(-dives // STEP))
    yield from islice(strides(tree, box, lengths, rng, **options), 1, None)


def grown_within(
    tree: Tree, box: Box, seconds: float, rng: Random, **options: Any
) -> Iterator[Tree]:
    """The trees after each step of a search that takes `seconds`. `options` are as for `grown`."""
    lengths = watched(paced(seconds), f"{seconds:g} seconds")
    yield from islice(strides(tree, box, lengths, rng, **options), 1, None)


def search_rng(seed: int, tree: Tree, box: Box) -> Random:
    """The generator for a search that continues from `tree`; for a new tree it is `Random(seed)`.

    It depends on the dives so far, so that the same seed does not draw the same games again.
    """
    visits = (tree.get(box) or NOTHING).visits
    return Random(f"{seed}/{visits}") if visits else Random(seed)


# The lesson


def learn(
    games: int,
    dives: Sequence[int],
    *,
    seed: int,
    z: float = USUAL_Z,
    box: Box = start_box,
    rules: Rules = USUAL,
    tree: Tree | None = None,
) -> Iterator[Lesson]:
    """The lesson after each of its steps: random play, UCT after each number of `dives`, best play.

    The dives continue from `tree`.
    """
    lesson = Lesson((), {} if tree is None else tree)
    *_, record = random_games(games, box, Random(f"{seed}/random play"), rules=rules)
    random_play = random_value(box, rules=rules)
    yield (lesson := _with_row(lesson, f"random moves, {games:,} games", record, random_play))
    crowd = simulate_crowd(CROWD, box, Random(f"{seed}/crowd"), rules=rules)
    yield (lesson := _with_row(lesson, "random moves, a crowd of 10^12", crowd, random_play))
    before = (lesson.tree.get(box) or NOTHING).visits
    rng = Random(f"{seed}/dives/{before}" if before else f"{seed}/dives")
    for done, after in pairwise([0, *sorted(set(dives))]):
        for longer in grown(lesson.tree, box, after - done, rng, z=z, rules=rules):
            yield (lesson := lesson._replace(tree=longer))
        value = learnt_probability(lesson.tree, box, rules=rules)
        label = f"UCT, {before + after:,} dives"
        yield (lesson := _with_row(lesson, label, lesson.tree[box], value))
    yield _with_row(lesson, "best play", NOTHING, win_probability(box, rules=rules))


def _with_row(lesson: Lesson, play: str, record: Record, value: Fraction) -> Lesson:
    return lesson._replace(rows=(*lesson.rows, LessonRow(play, record, value)))


# Bandits, and estimates that become better


def bandit_runs(
    names: Sequence[str], means: Sequence[float], pulls: int, runs: int, *, seed: int
) -> Iterator[tuple[dict[str, list[float]], ...]]:
    """The runs so far, after each run: for each policy in `names`, its regret at each mark.

    The arms pay 1 with the probabilities `means`.
    """
    policies = {name: BANDITS[name] for name in names}
    arms = [bandits.bernoulli(mean) for mean in means]
    done: tuple[dict[str, list[float]], ...] = ()
    for run in watched(bandits.runs_of(policies, arms, pulls, runs, seed=seed), "runs", runs):
        done = (*done, run)
        yield done


def estimates_of_pi(darts: int, rng: Random) -> Iterator[tuple[Record, ...]]:
    """The records so far, at round numbers of darts and at the end.

    A record has the number of darts, and the number that hit.
    """

    def throw(n: int) -> Record:
        return Record(n, (sum(map(in_circle, repeatedly(n, partial(throw_dart, rng)))),))

    return _growing(darts, "dart", throw)


def estimates_of_winning(
    games: int, box: Box, rng: Random, *, rules: Rules = USUAL
) -> Iterator[tuple[Record, ...]]:
    """The records so far of random games from `box`, at round numbers of games and at the end."""
    return _growing(games, "game", lambda n: simulate(n, box, rng, rules=rules))


def _growing(n: int, unit: str, play: Callable[[int], Record]) -> Iterator[tuple[Record, ...]]:
    """The records so far, after each of ten round numbers for each power of ten, and after n.

    `play(k)` is the record of k more games or darts; `unit` names one of them.
    """
    marks = (mark * 10**power for power in count() for mark in ROUND)
    ends = [*takewhile(lambda end: end < n, marks), n]
    records: tuple[Record, ...] = ()
    for before, after in watched(list(pairwise([0, *ends])), counted(n, unit)):
        record = merge(records[-1] if records else NOTHING, play(after - before))
        records = (*records, record)
        yield records
