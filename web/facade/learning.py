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
from math import inf
from random import Random
from typing import Any, NamedTuple

from facade.links import Link, game_of, link_of, seed_of, setting_of, solved_of, start_of, turns_of
from purembts.app.clock import paced
from purembts.app.encoded import encoded
from purembts.app.estimates import values_chart
from purembts.app.kinds import NO_TREE, AnyGame, AnyTree, AnyTurn, Position
from purembts.app.sessions import Setting
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
from purembts.records import marks
from purembts.report import Facts, Value, report

LARGEST_TREE = 150_000
"""The most positions of a tree that grows on."""
_LOST = "No play scores more: the start is lost for the player who begins."
_YOUNG = "Random moves score more: a young tree knows little, and needs more dives."


class _Learner(NamedTuple):
    """A search with its history. The maps get more entries, which do not change."""

    setting: Setting
    start: Position
    best: Value
    """The exact value of a position, with best play."""
    rng: Random
    trees: dict[int, AnyTree]
    """The trees that are kept by their dives, from the empty one to the newest one."""
    values: dict[int, Fraction]
    """The exact values of what trees have learnt, by their dives."""
    is_small: bool
    """True if what a tree has learnt can be valued exactly while a person waits."""


# The trees


def learner_of(link: Link, seed: int | str) -> _Learner:
    """The learner of a game from its start, with the trees that it has so far."""
    return _learner(link._replace(moves=(), players=()), seed_of(seed))


@lru_cache(maxsize=2)
def _learner(link: Link, seed: int) -> _Learner:
    """A new learner with an empty tree."""
    setting, start = setting_of(link), start_of(link)
    best, is_small = solved_of(link).value, is_solvable(setting.game, start)
    return _Learner(setting, start, best, Random(seed), {0: NO_TREE}, {}, is_small)


def _is_mark(dives: int) -> bool:
    return dives in takewhile(dives.__ge__, marks())


def lengths(done: int, until: float = inf) -> Iterator[int]:
    """The dives from `done` to the next tree that is kept and so on, and to `until`.

    >>> list(lengths(8, 13))
    [1, 1, 3]
    """
    ends = chain([done], dropwhile(done.__ge__, chain(range(10), dropwhile((10).__gt__, marks()))))
    for begin, end in pairwise(ends):
        yield max(0, int(min(end, until)) - begin)
        if end >= until:
            return


def growth(learner: _Learner, until: int | None) -> Iterator[int]:
    """The dives of the newest tree after each short step, up to `until` or without end."""
    game, trees = learner.setting.game, learner.trees
    dives = max(trees)
    parts = paced(lengths(dives, inf if until is None else until))
    about = (game, trees[dives], learner.start, parts, learner.rng)
    for tree in growing(*about, bound=learner.setting.bound) if not _is_full(learner) else ():
        gc.freeze()
        if dives > 10 and not _is_mark(dives) and until != dives + 1:
            del trees[dives]
        dives = tree[learner.start].visits
        trees[dives] = tree
        yield dives
        if _is_full(learner):
            return


def _is_full(learner: _Learner) -> bool:
    """True if a learner grows no more."""
    return len(learner.trees[max(learner.trees)]) > LARGEST_TREE


# Exact values


def value_at(learner: _Learner, dives: int) -> Fraction:
    """The exact value of what the tree of so many dives has learnt, for the player who begins."""
    game, start = learner.setting.game, learner.start
    if dives not in learner.values:
        values = learnt_values(game, learner.trees[dives], start, final=final_of(game))
        learner.values[dives] = values[game.to_move(start)]
    return learner.values[dives]


def _best_play(learner: _Learner) -> Fraction:
    """The exact value of best play for the player who begins."""
    return learner.best(learner.start)[learner.setting.game.to_move(learner.start)]


def _curve(learner: _Learner, dives: int, width: float) -> Picture:
    """The learning curve so far, with a sign at the tree of so many dives."""
    game, chance = learner.setting.game, value_at(learner, 0)
    value_at(learner, max(learner.trees))
    marked = {"what the trees play": [n for n in sorted(learner.values) if n]}
    marked |= {"the tree shown": [dives]} if dives else {}
    lines = [Line(name, at, [float(learner.values[n]) for n in at]) for name, at in marked.items()]
    title = f"{game.name}: what the tree has learnt"
    values = (chance, _best_play(learner))
    return chart(values_chart(game, title, lines, *values), width=width)


def _value_facts(learner: _Learner, dives: int, width: float) -> Facts:
    """A sentence on the exact value of a tree, and the learning curve with a sign at the tree.

    Before the first dive there is nothing to draw. All values are equal where the start is lost.
    """
    if not max(learner.trees) or not learner.is_small:
        return {"worth": "", "curve": None}
    game, value = learner.setting.game, value_at(learner, dives)
    player = game.to_move(learner.start) + 1
    whose = "" if is_alone(game) else f" for player {player} against best play"
    score = f"{number(value, digits_of(game.score_range))}{whose}"
    sentences, is_lost = [f"The moves of this tree score exactly {score}."], _is_lost(learner)
    if is_lost:
        sentences.append(_LOST)
    elif value < value_at(learner, 0):
        sentences.append(_YOUNG)
    curve = None if is_lost else encoded(_curve(learner, dives, width))
    return {"worth": " ".join(sentences), "curve": curve}


def _is_lost(learner: _Learner) -> bool:
    """True if no play scores more than the lowest score for the player who begins."""
    return _best_play(learner) <= learner.setting.game.score_range[0]


# The steps for a page


def _learner_at(link: Mapping[str, Any], seed: int | str) -> tuple[_Learner, AnyTurn]:
    """The learner of the game of a link, and the last turn of the link.

    A game with hidden information is a ValueError: the moves of a turn would show it.
    """
    whole = link_of(link)
    if game_of(whole).hidden:
        raise ValueError("The game must have no hidden information, which a tree would show.")
    return learner_of(whole, seed), turns_of(whole)[-1]


def _numbers(learner: _Learner, turn: AnyTurn, dives: int, width: float) -> Facts:
    """The facts of the tree of so many dives: its number, its positions, the moves of a turn."""
    game, trees = learner.setting.game, learner.trees
    known = report(game, turn, trees[dives], bound=learner.setting.bound, final=final_of(game))
    visits = known.record.visits if turn.moves else 0
    return {
        "k": [*trees].index(dives),
        "last": len(trees) - 1,
        "all_dives": max(trees),
        "dives": dives,
        "positions": len(trees[dives]),
        "bars": encoded(moves(known, width=width)) if visits else None,
        "visits": visits,
        "is_full": _is_full(learner),
    }


def _all_facts(learner: _Learner, turn: AnyTurn, dives: int, width: float) -> Facts:
    """The facts of a tree with its learning curve, and its top from a turn."""
    facts = _numbers(learner, turn, dives, width) | _value_facts(learner, dives, width)
    return {**facts, "tree": tree_pictures(learner, turn, dives, width) if facts["visits"] else []}


def tree_facts(
    link: Mapping[str, Any], seed: int | str, k: int | None = None, width: float = WIDTH
) -> Facts:
    """All facts of tree `k` of a learner, by default of its last tree.

    `width` is that of the pictures inside their margins.
    """
    learner, turn = _learner_at(link, seed)
    kept = [*learner.trees]
    return _all_facts(
        learner, turn, kept[-1 if k is None else max(0, min(k, len(kept) - 1))], width
    )


def grow(
    link: Mapping[str, Any], seed: int | str, until: int | None = None, width: float = WIDTH
) -> Iterator[Facts]:
    """The facts of each new tree, until there are `until` dives in all, or without end.

    A tree at 1, 2, 5, 10, ... dives has all facts, which take the time of some thousand dives.
    """
    learner, turn = _learner_at(link, seed)
    for dives in growth(learner, until):
        yield (_all_facts if _is_mark(dives) else _numbers)(learner, turn, dives, width)


def forget() -> None:
    """Forget all trees."""
    _learner.cache_clear()


# The pictures of a tree

FORMS = ((3, 2), (2, 3), (2, 2), (1, 8), (1, 5), (1, 3))
"""The forms of the picture of a tree, as `depth` and `most`: the first that fits is taken."""
LEAST, HIGH = 410, 530
"""The width of a picture that fits into a phone, made smaller; and the greatest height."""


def tree_pictures(learner: _Learner, turn: AnyTurn, dives: int, width: float) -> list[Facts]:
    """The phases of a single dive at the start that made a tree, or one picture from a turn."""
    game, state, tree = learner.setting.game, turn.state, learner.trees[dives]
    before = learner.trees.get(dives - 1) if state == learner.start else None
    draw = partial(_top, game) if before is None else partial(dive, game, before)
    for depth, most in FORMS:
        pictures = draw(tree, state, depth=depth, most=most)
        wide, high = size_of(pictures[-1])
        if wide <= max(LEAST, 1.2 * width + 32) and high <= HIGH:
            break
    return list(map(encoded, pictures))


def _top(game: AnyGame, tree: AnyTree, state: Position, **form: int) -> list[Picture]:
    """The picture of the top of a tree, in a list as the phases of a dive are."""
    return [tree_picture(game, tree, state, **form)]


def size_of(picture: Picture) -> tuple[float, float]:
    """The width and the height of a picture."""
    wide, high = picture.svg.partition(' viewBox="0 0 ')[2].partition('"')[0].split()
    return float(wide), float(high)
