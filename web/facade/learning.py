"""A tree that learns from the start of a game, with the trees that it was before.

A learner keeps the trees of the first ten dives and of the `marks`, the newest one, and the one
before a single dive that was asked for, as a page shows the phases of such a dive. They are those
of `purembts search` with the same seed. Trees are `pmap`s, which share records; the
garbage collector of Python would walk through all of them again and again, so `gc.freeze()` takes
each out of its sight. Trees have no cycles, and are freed without it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import pairwise, takewhile
from random import Random
from typing import Any, NamedTuple

from facade.links import Link, game_in, link_of, seed_of, setting_in, turns_in, value_in
from purembts.app.clock import paced
from purembts.app.encoded import encoded
from purembts.app.positions import NO_TREE, AnyGame, AnyTree, AnyTurn, Position
from purembts.bounds import AnyBound
from purembts.curves import learnt_values, values_chart
from purembts.display import digits_of, number
from purembts.exact import is_solvable
from purembts.mcts import final_of, uct
from purembts.pictures import Chart, Line, Picture, moves
from purembts.pictures import tree as tree_picture
from purembts.pictures.charts import WIDTH
from purembts.pictures.films import dive
from purembts.play import is_alone
from purembts.players import growing
from purembts.records import marks
from purembts.report import Facts, Value, report

LARGEST_TREE = 150_000
"""The most positions of a tree that grows on."""
_ENDLESS = 10**9
"""More dives than a person waits for."""
_LOST = "No play scores more: the start is lost for the player who begins."
_YOUNG = "Random moves score more: a young tree knows little, and needs more dives."


class _Learner(NamedTuple):
    """A search with its history. The maps get more entries, which do not change."""

    game: AnyGame
    start: Position
    bound: AnyBound
    rng: Random
    trees: dict[int, AnyTree]
    """The trees that are kept by their dives, from the empty one to the newest one."""
    values: dict[int, Fraction]
    """The exact values of what trees have learnt, by their dives, for the player who begins."""
    best: Callable[[], Fraction | None]
    """The exact value of best play for that player; None if the game is too large."""


# The trees


@lru_cache(maxsize=2)
def _new_learner(link: Link, seed: int, bound: AnyBound) -> _Learner:
    """The learner of the game of a link from its start, with an empty tree."""
    game, start = game_in(link), turns_in(link)[0].state
    best = cache(partial(_best_play, game, start, value_in(link)))
    return _Learner(game, start, bound, Random(seed), {0: NO_TREE}, {}, best)


def _best_play(game: AnyGame, start: Position, value: Value) -> Fraction | None:
    """The exact value of best play for the player who begins; None if the game is too large."""
    return value(start)[game.to_move(start)] if is_solvable(game, start) else None


def learner_of(link: Link, seed: int | str) -> _Learner:
    """The learner of the game of a link, with the trees that it has so far.

    A game with hidden information is a ValueError: the moves of a turn would show it.
    """
    if game_in(link).hidden:
        raise ValueError("The game must have no hidden information, which a tree would show.")
    beginning = link._replace(moves=(), players=())
    return _new_learner(beginning, seed_of(seed), setting_in(link).bound)


def _is_mark(dives: int) -> bool:
    return dives in takewhile(dives.__ge__, marks())


def lengths(dives: int, until: int) -> list[int]:
    """The dives from `dives` to the next tree that is kept and so on, and to `until`.

    >>> lengths(8, 13)
    [1, 1, 3]
    """
    ends = {dives, until, *range(dives + 1, 11), *takewhile(until.__gt__, marks())}
    return [end - begin for begin, end in pairwise(sorted(ends)) if dives <= begin < until]


def growth(learner: _Learner, until: int | None) -> Iterator[int]:
    """The dives of the newest tree after each short step, up to `until` or without end."""
    (game, start, bound, rng, trees, *_), dives = learner, max(learner.trees)
    if until == dives + 1:
        new = iter([uct(game, trees[dives], start, rng, bound=bound)[0]])
    else:
        parts = paced(lengths(dives, _ENDLESS if until is None else until))
        new = growing(game, trees[dives], start, parts, rng, bound=bound)
    while not _is_full(learner) and (tree := next(new, None)):
        gc.freeze()
        if dives > 10 and not _is_mark(dives) and until != dives + 1:
            del trees[dives]
        dives = tree[start].visits
        trees[dives] = tree
        yield dives


def _is_full(learner: _Learner) -> bool:
    """True if a learner grows no more."""
    return len(learner.trees[max(learner.trees)]) > LARGEST_TREE


# The steps for a page


def learner_trees(
    link: Mapping[str, Any],
    seed: int | str,
    k: int | None = None,
    until: int | None = 0,
    width: float = WIDTH,
) -> Iterator[Facts]:
    """All facts of tree `k` of a learner, by default of its last tree, and then those of new trees.

    They come until there are `until` dives in all; None is without end. A new tree at 1, 2, 5, 10,
    ... dives has all facts, which take the time of some thousand dives. `width` is that of the
    pictures inside their margins.
    """
    whole = link_of(link)
    learner, now = learner_of(whole, seed), turns_in(whole)[-1]
    numbers = [*learner.trees]
    number = numbers[-1] if k is None else numbers[max(0, min(k, len(numbers) - 1))]
    yield _all_facts(learner, now, number, width)
    for dives in growth(learner, until):
        yield (_all_facts if _is_mark(dives) else _tree_facts)(learner, now, dives, width)


def forget() -> None:
    """Forget all trees."""
    _new_learner.cache_clear()


def _tree_facts(learner: _Learner, now: AnyTurn, dives: int, width: float) -> Facts:
    """The facts of the tree of so many dives: its number, its positions, the moves of a turn."""
    game, trees = learner.game, learner.trees
    beliefs = report(game, now, trees[dives], bound=learner.bound, final=final_of(game))
    visits = beliefs.record.visits if now.moves else 0
    return {
        "k": [*trees].index(dives),
        "last": len(trees) - 1,
        "all_dives": max(trees),
        "dives": dives,
        "positions": len(trees[dives]),
        "bars": encoded(moves(beliefs, width=width)) if visits else None,
        "visits": visits,
        "is_full": _is_full(learner),
    }


def _all_facts(learner: _Learner, now: AnyTurn, dives: int, width: float) -> Facts:
    """The facts of a tree with its value, its learning curve, and its top from a turn.

    Before the first dive there is nothing to draw. All values are equal where the start is lost.
    """
    facts, values = _tree_facts(learner, now, dives, width), learner.values
    facts |= {"tree": tree_pictures(learner, now.state, dives, width) if facts["visits"] else []}
    best = learner.best() if facts["all_dives"] else None
    if best is None:
        return {**facts, "worth": "", "curve": None}
    for n in (0, dives, facts["all_dives"]):
        values[n] = value_at(learner, n)
    is_lost = best <= learner.game.score_range[0]
    curve = None if is_lost else encoded(_curve(learner, dives, best), width=width)
    return {**facts, "worth": _worth_sentence(learner, dives, is_lost=is_lost), "curve": curve}


# Exact values


def value_at(learner: _Learner, dives: int) -> Fraction:
    """The exact value of what the tree of so many dives has learnt, for the player who begins."""
    game, start, _, _, trees, values, _ = learner
    if dives in values:
        return values[dives]
    return learnt_values(game, trees[dives], start, final=final_of(game))[game.to_move(start)]


def _worth_sentence(learner: _Learner, dives: int, *, is_lost: bool) -> str:
    """The sentence that says the exact value of a tree, and the reason for a low one."""
    game, values, player = learner.game, learner.values, learner.game.to_move(learner.start) + 1
    whose = "" if is_alone(game) else f" for player {player} against best play"
    score = f"{number(values[dives], digits_of(game.score_range))}{whose}"
    reason = _LOST if is_lost else _YOUNG if values[dives] < values[0] else ""
    return f"The moves of this tree score exactly {score}. {reason}".rstrip()


def _curve(learner: _Learner, dives: int, best: Fraction) -> Chart:
    """The learning curve so far, with a sign at the tree of so many dives."""
    game, values = learner.game, learner.values
    points = {"what the trees play": [n for n in sorted(values) if n]}
    points |= {"the tree shown": [dives]} if dives else {}
    lines = [Line(name, at, [float(values[n]) for n in at]) for name, at in points.items()]
    title = f"{game.name}: what the tree has learnt"
    return values_chart(game, title, lines, values[0], best)


# The pictures of a tree

FORMS = ((3, 2), (2, 3), (2, 2), (1, 8), (1, 5), (1, 3))
"""The forms of the picture of a tree, as `depth` and `most`: the first that fits is taken."""
LEAST, HIGH = 410, 530
"""The width of a picture that fits into a phone, made smaller; and the greatest height."""


def tree_pictures(learner: _Learner, state: Position, dives: int, width: float) -> list[Facts]:
    """The phases of a single dive at the start that made a tree, or one picture from a position."""
    game, tree = learner.game, learner.trees[dives]
    before = learner.trees.get(dives - 1) if state == learner.start else None
    for depth, most in FORMS:
        if before is None:
            pictures = [tree_picture(game, tree, state, depth=depth, most=most)]
        else:
            pictures = dive(game, before, tree, state, depth=depth, most=most)
        wide, high = size_of(pictures[-1])
        if wide <= max(LEAST, 1.2 * width + 32) and high <= HIGH:
            break
    return list(map(encoded, pictures))


def size_of(picture: Picture) -> tuple[float, float]:
    """The width and the height of a picture."""
    wide, high = picture.svg.partition(' viewBox="0 0 ')[2].partition('"')[0].split()
    return float(wide), float(high)
