"""A tree that learns from the start of a game, with the trees that it was before.

A learner keeps the trees of the first ten dives and of the `marks`, the newest one, and the one
before a single dive that was asked for, as a page shows the phases of such a dive. They are those
of `purembts search` with the same seed. Trees are `pmap`s, which share records; the
garbage collector of Python would walk through all of them again and again, so `gc.freeze()` takes
each out of its sight. Trees have no cycles, and are freed without it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain, dropwhile, pairwise, takewhile
from operator import ge
from random import Random
from typing import Any, NamedTuple

from facade.links import (
    Link,
    game_of,
    link_of,
    seed_of,
    setting_of,
    solved_of,
    start_of,
    turns_of,
)
from facade.scenes import picture_facts
from purembts.app.clock import paced
from purembts.app.estimates import values_chart
from purembts.app.kinds import AnyGame, AnyTree, AnyTurn, Position
from purembts.bounds import AnyBound
from purembts.curves import learnt_values
from purembts.display import digits_of, number
from purembts.exact import is_solvable
from purembts.mcts import final_of
from purembts.pictures import Line, Picture, chart, moves
from purembts.pictures import tree as tree_picture
from purembts.pictures.charts import WIDTH
from purembts.pictures.films import dive
from purembts.play import is_alone
from purembts.players import growing
from purembts.records import as_tree, marks
from purembts.report import Facts, Value, report

MOST = 150_000
"""The most positions of a tree that grows on."""


class _Learner(NamedTuple):
    """A search with its history. The lists grow; what is in them does not change."""

    game: AnyGame
    start: Position
    bound: AnyBound
    value: Value
    """The exact value of a position, for a game that `is_small`."""
    is_small: bool
    """True if what a tree has learnt can be valued exactly while a person waits."""
    rng: Random
    trees: list[AnyTree]
    """The trees that are kept, from the empty one to the newest one."""
    ends: list[int]
    """The dives of each tree."""
    values: dict[int, Fraction]
    """The exact values of what trees have learnt, by the numbers of dives."""


# The trees


def _learner_of(link: Link, seed: int) -> _Learner:
    """The learner of a game from its start, with the trees that it has so far."""
    return _learner(link._replace(moves=(), players=()), seed)


@lru_cache(maxsize=2)
def _learner(link: Link, seed: int) -> _Learner:
    game, start = game_of(link), start_of(link)
    tree: AnyTree = as_tree({})
    about = (setting_of(link).bound, solved_of(link).value, is_solvable(game, start))
    return _Learner(game, start, *about, Random(seed), trees=[tree], ends=[0], values={})


def _is_mark(dives: int) -> bool:
    return dives in takewhile(dives.__ge__, marks())


def lengths(done: int, until: int | None) -> Iterator[int]:
    """The dives from `done` to the next tree that is kept and so on, and to `until`.

    >>> list(lengths(8, 13))
    [1, 1, 3]
    """
    ends = dropwhile(partial(ge, done), chain(range(10), dropwhile((10).__gt__, marks())))
    for begin, end in pairwise(chain([done], ends)):
        if until is not None and end >= until:
            yield max(0, until - begin)
            return
        yield end - begin


def grown(learner: _Learner, until: int | None) -> Iterator[int]:
    """The number of the newest tree after each short step, up to `until` dives or without end."""
    parts = paced(lengths(learner.ends[-1], until))
    about = (learner.game, learner.trees[-1], learner.start, parts, learner.rng)
    for tree in growing(*about, bound=learner.bound) if not is_full(learner) else ():
        gc.freeze()
        end = learner.ends[-1]
        if end > 10 and not _is_mark(end) and until != end + 1:
            del learner.trees[-1], learner.ends[-1]
        learner.trees.append(tree)
        learner.ends.append(tree[learner.start].visits)
        yield len(learner.trees) - 1
        if is_full(learner):
            return


def is_full(learner: _Learner) -> bool:
    """True if a learner grows no more."""
    return len(learner.trees[-1]) > MOST


# Exact values


def _best_value(learner: _Learner) -> Fraction:
    """The exact value of best play for the player who begins."""
    return learner.value(learner.start)[learner.game.to_move(learner.start)]


def value_at(learner: _Learner, k: int) -> Fraction:
    """The exact value of what tree `k` has learnt, for the player who begins."""
    dives, values = learner.ends[k], learner.values
    if dives not in values:
        about = (learner.game, learner.trees[k], learner.start)
        exactly = learnt_values(*about, final=final_of(learner.game))
        values[dives] = exactly[learner.game.to_move(learner.start)]
    return values[dives]


def curve(learner: _Learner, k: int, width: float = WIDTH) -> Picture:
    """The learning curve so far, with a sign at tree `k`."""
    value_at(learner, k)
    value_at(learner, -1)
    known = [dives for dives in sorted(learner.values) if dives]
    shown = {"what the trees play": known, "the tree shown": [learner.ends[k]] * (k > 0)}
    lines = [
        Line(name, dives, [float(learner.values[each]) for each in dives])
        for name, dives in shown.items()
        if dives
    ]
    title = f"{learner.game.name}: what the tree has learnt"
    ends = (value_at(learner, 0), _best_value(learner))
    return chart(values_chart(learner.game, title, lines, *ends), width=width)


def _exact_facts(learner: _Learner, k: int, width: float) -> Facts:
    """The learning curve with a sign at tree `k`, and a sentence; None if there is none.

    Before the first dive there is nothing to draw. All values are equal where the start is lost.
    """
    if not learner.ends[-1] or not learner.is_small:
        return {"worth": "", "curve": None}
    drawn = None if is_lost(learner) else picture_facts(curve(learner, k, width))
    return {"worth": _worth_of(learner, k), "curve": drawn}


def is_lost(learner: _Learner) -> bool:
    """True if no play scores more than the lowest score for the player who begins."""
    return _best_value(learner) <= learner.game.score_range[0]


def _worth_of(learner: _Learner, k: int) -> str:
    """The sentence that says the exact value of tree `k`, and the reason for a low one."""
    game, value = learner.game, value_at(learner, k)
    player = game.to_move(learner.start) + 1
    whose = "" if is_alone(game) else f" for player {player} against best play"
    said = (
        f"The moves of this tree score exactly {number(value, digits_of(game.score_range))}{whose}."
    )
    if is_lost(learner):
        return f"{said} No play scores more: the start is lost for the player who begins."
    if value < value_at(learner, 0):
        return f"{said} Random moves score more: a young tree knows little, and needs more dives."
    return said


# What a page shows


def _at(link: Mapping[str, Any], seed: int | str) -> tuple[_Learner, AnyTurn]:
    """The learner of the game of a link, and the last turn of the link.

    A game with hidden information is a ValueError: the moves of a turn would show it.
    """
    found = link_of(link)
    if game_of(found).hidden:
        raise ValueError("The game must have no hidden information, which a tree would show.")
    return _learner_of(found, seed_of(seed)), turns_of(found)[-1]


def shown(learner: _Learner, turn: AnyTurn, k: int, width: float | None = None) -> Facts:
    """The facts of tree `k`: its dives, its positions, and the moves of a turn.

    `width` is that of the picture of the moves inside its margins.
    """
    game, tree = learner.game, learner.trees[k]
    known = report(game, turn, tree, bound=learner.bound, final=final_of(game))
    seen = known.record.visits if turn.moves else 0
    return {
        "k": k,
        "last": len(learner.trees) - 1,
        "all_dives": learner.ends[-1],
        "dives": learner.ends[k],
        "positions": len(learner.trees[k]),
        "bars": picture_facts(moves(known, width=width)) if seen else None,
        "visits": seen,
        "is_full": is_full(learner),
    }


def tree_facts(
    link: Mapping[str, Any], seed: int | str, k: int | None = None, width: float = WIDTH
) -> Facts:
    """All facts of tree `k` of a learner, by default of its last tree.

    `width` is that of the pictures inside their margins.
    """
    learner, turn = _at(link, seed)
    last = len(learner.trees) - 1
    return _all_facts(learner, turn, last if k is None else max(0, min(k, last)), width)


def _all_facts(learner: _Learner, turn: AnyTurn, k: int, width: float) -> Facts:
    """The facts of tree `k` with its learning curve, and its top from a turn."""
    facts = {**shown(learner, turn, k, width), **_exact_facts(learner, k, width)}
    return {**facts, "tree": tree_pictures(learner, turn, k, width) if facts["visits"] else []}


FORMS = ((3, 2), (2, 3), (2, 2), (1, 8), (1, 5), (1, 3))
"""The forms of the picture of a tree, as `depth` and `most`: the first that fits is taken."""
LEAST, HIGH = 410, 530
"""The width of a picture that fits into a phone, made smaller; and the greatest height."""


def tree_pictures(learner: _Learner, turn: AnyTurn, k: int, width: float) -> list[Facts]:
    """The phases of the dive at the start that made tree `k`, or one picture from a turn."""
    game, state, (before, tree) = learner.game, turn.state, learner.trees[k - 1 : k + 1]
    is_dive = state == learner.start and learner.ends[k] - learner.ends[k - 1] == 1
    draw = partial(dive, game, before) if is_dive else partial(_alone, game)
    for depth, most in FORMS:
        drawn = draw(tree, state, depth=depth, most=most)
        wide, high = size_of(drawn[-1])
        if wide <= max(LEAST, 1.2 * width + 32) and high <= HIGH:
            break
    return list(map(picture_facts, drawn))


def _alone(game: AnyGame, tree: AnyTree, state: Position, **form: int) -> list[Picture]:
    return [tree_picture(game, tree, state, **form)]


def size_of(picture: Picture) -> tuple[float, float]:
    """The width and the height of a picture."""
    wide, high = picture.svg.partition(' viewBox="0 0 ')[2].partition('"')[0].split()
    return float(wide), float(high)


def grow(
    link: Mapping[str, Any], seed: int | str, until: int | None = None, width: float = WIDTH
) -> Iterator[Facts]:
    """The facts of each new tree, until there are `until` dives in all, or without end.

    A tree at 1, 2, 5, 10, ... dives has all facts, which take the time of some thousand dives.
    """
    learner, turn = _at(link, seed)
    for k in grown(learner, until):
        yield (_all_facts if _is_mark(learner.ends[k]) else shown)(learner, turn, k, width)


def forget() -> None:
    """Forget all trees."""
    _learner.cache_clear()
