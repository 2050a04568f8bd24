"""Long work in steps: random games, dives and lessons. An interrupt keeps the finished steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import count, pairwise, takewhile
from random import Random
from typing import NamedTuple

from purembts.app.kinds import AnyTree, Position
from purembts.app.steps import Progress, counted
from purembts.bounds import AnyBound, ucb1
from purembts.chance import Rng, repeatedly
from purembts.exact import against_best, is_solvable, solver, uniform
from purembts.game import E, Game, Policy, S, Values, no_chance
from purembts.mcts import Final, learnt
from purembts.play import is_alone
from purembts.players import growing
from purembts.proving import backed_up
from purembts.records import NOTHING, Record, Tree, as_tree, mean, merge, visits
from purembts.simulation import simulate

STEP = 5_000
"""The games or dives of one step."""

_ROUND = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)  # each about 1.2 times the one before it


def marks_of(n: int) -> list[int]:
    """The dives at which a learning curve of `n` dives has a value: from n / 10,000 on.

    There are three for each power of ten. Each takes the time of three exact values.

    >>> marks_of(100), marks_of(100_000)[:5]
    ([1, 2, 5, 10, 20, 50, 100], [10, 20, 50, 100, 200])
    """
    every = (mark * 10**power for power in count() for mark in (1, 2, 5))
    return [mark for mark in takewhile(lambda mark: mark <= n, every) if mark * 10_000 >= n]


def steps_of(n: int) -> Iterator[int]:
    """The sizes of the steps of `n` games or dives, at most `STEP` each."""
    return (min(STEP, n - done) for done in range(0, n, STEP))


# Random games


def estimates(
    play: Callable[[int], Record], n: int, before: tuple[Record, ...] = ()
) -> Iterator[tuple[tuple[Record, ...], int]]:
    """After each step, the records so far and the number of games or darts; `n` of them in all.

    The records are those after `round_numbers`, and after `n`. `play(k)` is the record of k more
    games or darts. The work continues after the records `before`, of which the last is the newest.
    """
    record = before[-1] if before else NOTHING
    ends = dict.fromkeys([*takewhile(lambda end: end < n, round_numbers()), n])
    records = tuple(each for each in before if each.visits in ends)
    after = [record.visits, *(end for end in ends if end > record.visits)]
    for size in (size for begin, end in pairwise(after) for size in steps_of(end - begin)):
        record = merge(record, play(size))
        if record.visits in ends:
            records = (*records, record)
        yield records, record.visits


def round_numbers() -> Iterator[int]:
    """10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, ...: without end, ten a power of ten."""
    return (mark * 10**power for power in count() for mark in _ROUND)


def darts(throw: Callable[[Rng], tuple[float, float]], rng: Rng, n: int) -> Record:
    """The record of `n` darts: their number, and the number inside the circle of radius 1."""
    hits = (x * x + y * y < 1 for x, y in repeatedly(n, partial(throw, rng)))
    return Record(n, (sum(hits),))


# Dives


def root(game: Game[S, E], start: S) -> Position:
    """The position where a search begins: `start`, or if there are views that of the mover."""
    return game.hidden.view(start, game.to_move(start)) if game.hidden else start


def search_seed(
    seed: int | str, tree: AnyTree | dict[Position, Record], start: Position
) -> int | str:
    """The seed of a search that continues from `tree`; for a new tree it is `seed`.

    It depends on the dives so far, so that the same seed does not draw the same games again.
    """
    dives = (tree.get(start) or NOTHING).visits
    return f"{seed}/{dives}" if dives else seed


def solved_within(
    game: Game[S, E], start: S, most: int, policy: Policy[S, E] | None = None
) -> Callable[[S], Values]:
    """The exact values of `game`; a ValueError if it hides information or is too large.

    More than `most` positions that can follow `start` are too many.
    """
    if game.hidden:
        raise ValueError(f"{game.name} hides information, so it has no exact values.")
    if not is_solvable(game, start, most):
        raise ValueError(
            f"{game.name} is too large to solve: more than {counted(most, 'position')} can follow. "
            "--most-positions N allows more, and --from POSITION begins nearer to the end."
        )
    return solver(game, policy=policy)


def values_of(game: Game[S, E], start: S, tree: Tree[S]) -> dict[str, Values]:
    """The exact values of what `tree` has learnt, of random play and of best play."""
    return {
        "learnt": _values_of(game, learnt(tree, final=final_of(game)), start),
        "random_play": solver(game, policy=uniform)(start),
        "best_play": solver(game)(start),
    }


def final_of(game: Game[S, E]) -> Final:
    """The number by which the records of `game` rank moves: the mean, or the visits.

    The most visited move is the usual choice. It is a bad one in a game with chance, where the
    visits of a position come from many others, and behind a view, where most moves have few.
    """
    return visits if game.chances is no_chance and not game.hidden else mean


# A lesson


class Reading(NamedTuple):
    """The exact values of the policies that follow from one tree, for the player who begins."""

    dives: int
    positions: int
    learnt: Fraction
    """The value of `mcts.learnt`, by the mean or by the visits: see `final_of`."""
    backed_up: Fraction
    """The value of the best mean in the tree that `proving.backed_up` gives."""


class LessonRow(NamedTuple):
    """A way to play, with its record and its exact value."""

    play: str
    record: Record
    """The games or dives that were played in this way; NOTHING without games."""
    exact: Fraction
    """The exact expected score of the player who begins."""


class Lesson(NamedTuple):
    """The rows of a lesson so far, and the tree of its dives."""

    rows: tuple[LessonRow, ...]
    tree: AnyTree
    curve: tuple[Reading, ...] = ()
    """The readings of the tree at each mark of a curve."""
    ends: Mapping[str, Fraction] = {}
    """The exact values of random play and of best play, as far as they are known."""
    progress: Progress = Progress("random games")
    """The part of the present work that is done."""


def learnt_value(game: Game[S, E], tree: Tree[S] | dict[S, Record], start: S) -> Fraction:
    """The exact score of the player who begins with what `tree` has learnt.

    The other players play best against it.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> learnt_value(last_coin(), {}, Pile(4))
    Fraction(1, 4)
    """
    return _values_of(game, learnt(tree, final=final_of(game)), start)[game.to_move(start)]


def _values_of(game: Game[S, E], policy: Policy[S, E], start: S) -> Values:
    """The exact values where the player who begins plays `policy`, and the others the best."""
    return solver(game, against_best(game.to_move(start), policy))(start)


def reading(game: Game[S, E], tree: Tree[S], start: S) -> Reading:
    """The exact values of each policy that follows from `tree`.

    >>> from purembts.fast.engine import search
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> tree = search(last_coin(), {}, Pile(13), 30, Random(7))
    >>> read = reading(last_coin(), tree, Pile(13))
    >>> read.positions, read.learnt, read.backed_up
    (26, Fraction(0, 1), Fraction(1, 1))
    """
    policies = learnt(tree, final=final_of(game)), learnt(backed_up(game, tree, start))
    values = [_values_of(game, policy, start)[game.to_move(start)] for policy in policies]
    return Reading(tree[start].visits, len(tree), *values)


def learn(
    game: Game[S, E],
    start: S,
    games: int,
    dives: Sequence[int],
    *,
    seed: int,
    bound: AnyBound = ucb1,
    tree: Tree[S] | dict[S, Record] | None = None,
    marks: Sequence[int] = (),
) -> Iterator[Lesson]:
    """The lesson after each of its steps: random play, UCT after each number of `dives`, best play.

    The dives continue from `tree`. The curve has a reading at each of `marks` up to the last of the
    dives, and at each of `dives`.
    """
    lesson = first = Lesson((), as_tree(tree or {}))
    for lesson in _random_rows(game, start, games, first, seed):
        yield lesson
    rng = Random(search_seed(f"{seed}/dives", lesson.tree, start))
    ends = sorted({*dives, *[mark for mark in marks if mark < max(dives)]})
    lengths = [after - done for done, after in pairwise([0, *ends])]
    for n, after in zip(lengths, ends, strict=True):
        done = (lesson.tree.get(start) or NOTHING).visits
        yield (lesson := lesson._replace(progress=Progress(counted(n, "dive"), 0, n)))
        for grown in growing(game, lesson.tree, start, steps_of(n), rng, bound=bound):
            progress = Progress(counted(n, "dive"), grown[start].visits - done, n)
            yield (lesson := lesson._replace(tree=grown, progress=progress))
        read = reading(game, lesson.tree, start)
        lesson = lesson._replace(curve=(*lesson.curve, read))
        if after in dives:
            yield (lesson := _with_row(lesson, uct_play(read), lesson.tree[start], read.learnt))
    value = solver(game)(start)[game.to_move(start)]
    yield _with_row(lesson, "best play", NOTHING, value, "best play")


AGAINST_BEST = "random play against best play"
"""The name of random play where others move too, who play best."""


def uct_play(read: Reading) -> str:
    """The name of the way to play that a tree of UCT gives."""
    return f"UCT, {counted(read.dives, 'dive')}"


def _random_rows(
    game: Game[S, E], start: S, games: int, lesson: Lesson, seed: int
) -> Iterator[Lesson]:
    """The lesson with the rows of random play."""
    player = game.to_move(start)
    yield lesson._replace(progress=Progress("random games", 0, games))
    play = partial(simulate, game, start, rng=Random(f"{seed}/random play"))
    for records, done in estimates(play, games):  # noqa: B007 - the last are kept
        lesson = lesson._replace(progress=Progress("random games", done, games))
        yield lesson
    value = solver(game, policy=uniform)(start)[player]
    label = f"random moves, {counted(games, 'game')}"
    end = "random play" if is_alone(game) else ""
    yield (lesson := _with_row(lesson, label, records[-1], value, end))
    if not is_alone(game):
        alone = learnt_value(game, {}, start)
        yield _with_row(lesson, "random moves against best play", NOTHING, alone, AGAINST_BEST)


def _with_row(lesson: Lesson, play: str, record: Record, value: Fraction, end: str = "") -> Lesson:
    """`lesson` with one more way to play, whose exact value can be an `end`."""
    ends = {**lesson.ends, end: value} if end else lesson.ends
    return lesson._replace(rows=(*lesson.rows, LessonRow(play, record, value)), ends=ends)
