"""A tree that learns from the start of a game, with all trees that it ever was.

A learner keeps the tree after each stride of `thinking.growing`: of `engine.strides` for a game
without hidden information. The lengths of the strides follow from the game and from the dives so
far, and never from a clock. So the same seed has the same trees, those of `purembts search`.

The trees are `pmap`s, which share the records that they have in common. With many of them, the
garbage collector of Python walks through all again and again, so `gc.freeze()` takes each new tree
out of its sight; trees have no cycles, and are freed without it. Seconds for a history in CPython:

    game                       the last tree alone   all trees   all, frozen   all, collector off
    Shut the Box, 100 x 1,000                 0.40        0.50          0.39                 0.40
    tic-tac-toe,  500 x 200                   1.97        4.97          2.51                 2.32
    Reversi,      200 x 20                    0.49        0.63          0.61                 0.46

So no other map is needed: `immutables.Map`, which has no wheel of pure Python, took 3.86 seconds
for the trees of tic-tac-toe.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple, TypeAlias

from facade.links import (
    Link,
    game_of,
    labels_of,
    link_of,
    setting_of,
    solved_of,
    start_of,
    turns_of,
)
from facade.scenes import picture_facts, table_facts
from facade.strides import stride_of
from purembts import jsonl
from purembts.app.kinds import AnyGame, AnyTree, AnyTurn, Position
from purembts.app.lesson_results import curves_chart
from purembts.app.lessons import (
    final_of,
    learnt_value,
    marks_of,
    root,
    round_numbers,
    search_rng,
)
from purembts.app.solved import is_quickly_solved
from purembts.app.steps import counted
from purembts.app.thinking import growing
from purembts.bounds import AnyBound
from purembts.display import digits_of, number
from purembts.exact import solver, uniform
from purembts.pictures import Level, Line, Picture, chart, moves
from purembts.pictures import tree as tree_picture
from purembts.pictures.charts import WIDTH
from purembts.play import is_alone
from purembts.records import as_tree, mean
from purembts.report import Facts, Report, Value, event_text, report, row_columns
from purembts.simulation import flat
from purembts.tables import Table, filled, rows_table

MOST_KEPT = 1_000_000
"""The most records that the trees of a learner keep: see `is_full`.

That is 1.9 million dives of Shut the Box, 180,000 of tic-tac-toe and 100,000 of Reversi. In CPython
the first 1,000,000 dives of Shut the Box and 368,000 of tic-tac-toe took 165 and 136 megabytes.
"""
SHOWN = 12
"""The most moves of a turn that are shown: those of the most visits."""
FLAT = 1_000
"""The random games after each move that flat Monte Carlo plays."""


class Learner(NamedTuple):
    """A search with its history. The lists grow; what is in them does not change."""

    game: AnyGame
    start: Position
    bound: AnyBound
    value: Value
    """The exact value of a position, for a game that `is_small`."""
    is_small: bool
    """True if what a tree has learnt can be valued exactly while a person waits."""
    stride: int
    trees: list[AnyTree]
    """The tree after 0 dives, and after each stride."""
    ends: list[int]
    """The dives of each tree."""
    values: dict[int, Fraction]
    """The exact values of what trees have learnt, by the numbers of the trees."""
    asked: list[int]
    """The length of the next stride, which `longer` takes."""
    longer: Iterator[AnyTree]


# The trees


def learner_of(link: Link, seed: int) -> Learner:
    """The learner of a game from its start, with the trees that it has so far."""
    return _learner(link._replace(moves=(), players=()), seed)


@lru_cache(maxsize=2)
def _learner(link: Link, seed: int) -> Learner:
    setting, start, solved = setting_of(link), start_of(link), solved_of(link)
    game, bound = setting.game, setting.bound
    asked: list[int] = []
    tree: AnyTree = as_tree({})
    rng = search_rng(seed, tree, root(game, start))
    longer = growing(game, tree, root(game, start), iter(asked.pop, None), rng, bound=bound)
    is_small, stride = is_quickly_solved(solved, start), stride_of(link)
    about = (game, start, bound, solved.value, is_small, stride)
    return Learner(*about, trees=[tree], ends=[0], values={}, asked=asked, longer=longer)


def next_end(done: int, stride: int, last: int | None = None) -> int:
    """The dives of the next tree: a mark, a multiple of `stride`, or `last`.

    >>> next_end(0, 1000), next_end(15, 1000), next_end(12_000, 1000), next_end(8_000, 1000, 8_300)
    (1, 20, 13000, 8300)
    """
    mark = next(each // 10 for each in round_numbers() if each // 10 > done)
    ends = [(done // stride + 1) * stride, mark]
    return min(ends if last is None else [*ends, last])


def add_stride(learner: Learner, last: int | None = None) -> None:
    """Let a learner make its next stride, which ends at `last` dives at the latest."""
    done = learner.ends[-1]
    end = next_end(done, learner.stride, last)
    learner.asked.append(end - done)
    tree = next(learner.longer, None)
    if tree is None:
        raise ValueError("An error has ended this search. Start again.")
    gc.freeze()
    learner.trees.append(tree)
    learner.ends.append(end)


def is_full(learner: Learner) -> bool:
    """True if a learner keeps as many records as it may.

    A tree has ten records at most for each dive of its stride that the tree before it does not.
    """
    strides = zip(learner.trees[1:], pairwise(learner.ends), strict=True)
    return sum(min(len(tree), 10 * (end - begin)) for tree, (begin, end) in strides) > MOST_KEPT


# Exact values


def levels(learner: Learner) -> tuple[Level, Level]:
    """The exact values of best and of random play for the player who begins."""
    game, start = learner.game, learner.start
    by_chance = f"random play{'' if is_alone(game) else ' against best play'}"
    best = learner.value(start)[game.to_move(start)]
    # An empty tree has learnt nothing, so its moves are random.
    return Level("best play", float(best)), Level(by_chance, float(value_at(learner, 0)))


def value_at(learner: Learner, k: int) -> Fraction:
    """The exact value of what tree `k` has learnt, for the player who begins."""
    if k not in learner.values:
        learner.values[k] = learnt_value(learner.game, learner.trees[k], learner.start)
    return learner.values[k]


def curve(learner: Learner, k: int, width: float = WIDTH) -> Picture:
    """The learning curve so far, with a sign at tree `k`."""
    value_at(learner, k)
    value_at(learner, len(learner.trees) - 1)
    known = [each for each in sorted(learner.values) if learner.ends[each]]
    shown = {"what the trees play": known, "the tree shown": [k] if learner.ends[k] else []}
    lines = [
        Line(
            name,
            tuple(learner.ends[each] for each in numbers),
            tuple(float(learner.values[each]) for each in numbers),
        )
        for name, numbers in shown.items()
        if numbers
    ]
    title = f"{learner.game.name}: what the tree has learnt"
    return chart(curves_chart(title, lines, levels(learner)), width=width)


def _whose(learner: Learner) -> str:
    """The player of the exact values, in a game of several."""
    player = learner.game.to_move(learner.start) + 1
    return "" if is_alone(learner.game) else f" for player {player} against best play"


# Answers


def _at(link: Mapping[str, Any], seed: int) -> tuple[Learner, AnyTurn]:
    """The learner of the game of a link, and the last turn of the link.

    A game with hidden information is a ValueError: the moves of a turn would show it.
    """
    found = link_of(link)
    if why := _why_not(game_of(found)):
        raise ValueError(why)
    return learner_of(found, seed), turns_of(found)[-1]


def known_at(learner: Learner, turn: AnyTurn, k: int) -> Report:
    """The report of tree `k` about a turn."""
    about: dict[str, Any] = {"bound": learner.bound, "final": final_of(learner.game)}
    return report(learner.game, turn, learner.trees[k], **about)


PLAYED = "*: the move that the tree would play"
COLUMNS = ("move", "visits", "mean", "95 % interval", "")


def moves_table(known: Report) -> Table:
    """The moves of a report with their intervals, and a mark at the move that is played."""
    place = f" after {event_text(known)}" if event_text(known) else ""
    columns = row_columns(known, known.rows)
    kept = filled(column for column in columns if column.heading in COLUMNS)
    said = (column._replace(note=column.note and PLAYED) for column in kept)
    return Table(f"{known.game.name}: the moves{place}", tuple(said))


def _most_visited(known: Report) -> Report:
    """`known` with at most `SHOWN` of its moves, in their order."""
    ranked = sorted(known.rows, key=lambda row: -row.visits)[:SHOWN]
    return known._replace(rows=tuple(row for row in known.rows if row in ranked))


def shown(learner: Learner, turn: AnyTurn, k: int, width: float | None = None) -> Facts:
    """The facts of tree `k`: its dives, its positions, and the moves of a turn.

    `width` is that of the picture of the moves inside its margins.
    """
    known = _most_visited(known_at(learner, turn, k)) if turn.moves else None
    return {
        "k": k,
        "last": len(learner.trees) - 1,
        "all_dives": learner.ends[-1],
        "stride": learner.stride,
        "dives": learner.ends[k],
        "positions": len(learner.trees[k]),
        "moves": table_facts(moves_table(known)) if known else None,
        "bars": picture_facts(moves(known, width=width)) if known and known.record.visits else None,
        "more_moves": len(turn.moves) - len(known.rows) if known else 0,
        "visits": known.record.visits if known else 0,
        "is_full": is_full(learner),
        "is_small": learner.is_small,
    }


def learning(
    link: Mapping[str, Any], seed: int, k: int | None = None, width: float = WIDTH
) -> Facts:
    """The facts of tree `k` of a learner, by default of its last tree, with its learning curve.

    `width` is that of the pictures inside their margins.
    """
    learner, turn = _at(link, seed)
    last = len(learner.trees) - 1
    k = last if k is None else max(0, min(k, last))
    return {**shown(learner, turn, k, width), **exact_facts(learner, k, width)}


def exact_facts(learner: Learner, k: int, width: float) -> Facts:
    """The learning curve with a sign at tree `k`, and a sentence; None if there is none.

    Before the first dive there is nothing to draw.
    """
    if not learner.ends[-1] or not learner.is_small:
        return {"worth": "", "curve": None}
    worth = number(value_at(learner, k), digits_of(learner.game.score_range))
    dives = counted(learner.ends[k], "dive")
    return {
        "worth": f"After {dives}, the moves of the tree score exactly {worth}{_whose(learner)}."
        + (_lost(learner) or _young(learner, k)),
        "curve": picture_facts(curve(learner, k, width)),
    }


def _lost(learner: Learner) -> str:
    """The sentence that says why a curve stays at the lowest score, or no text."""
    best_play, worst = levels(learner)[0].value, learner.game.score_range[0]
    if best_play > worst:
        return ""
    return " No play scores more: the start is lost for the player who begins."


def _young(learner: Learner, k: int) -> str:
    """The sentence about a tree whose moves are worse than random ones, or no text."""
    if value_at(learner, k) >= value_at(learner, 0):
        return ""
    return " Random moves score more: a young tree knows little, and needs more dives."


def learns(link: Mapping[str, Any]) -> Facts:
    """`why` a game has no tree, or None. No game is played, so code with a loop cannot hang."""
    return {"why": _why_not(game_of(link_of(link)))}


def _why_not(game: AnyGame) -> str | None:
    if not game.hidden:
        return None
    return (
        f"{game.name} hides information. A tree from the start of a game would know what no player "
        "may know, so there is none here. Ask for hints: they search what the player to move sees."
    )


def top(link: Mapping[str, Any], seed: int, k: int) -> Facts:
    """The picture of the top of tree `k`, from the position of a link."""
    learner, turn = _at(link, seed)
    return picture_facts(tree_picture(learner.game, learner.trees[k], turn.state, depth=2, most=3))


# Flat Monte Carlo beside the tree

Way: TypeAlias = Sequence[tuple[float | Fraction | None, bool]]
"""A way to choose a move: for each move a number, and True if the move is played."""


WAYS = {
    "flat": f"the mean of {FLAT:,} random games after each move",
    "flat in the limit": "the exact mean, as of infinitely many random games",
    "tree": "the mean in the tree shown",
    "best play": "the exact value, with best play after the move",
}
"""The ways to choose a move that are compared, with their meanings."""


def compare(link: Mapping[str, Any], seed: int, k: int) -> Facts:
    """The moves of the present turn by flat Monte Carlo, by tree `k` and by best play, as a table.

    It is for small games alone, as it has exact values. `words` say where flat Monte Carlo leads.
    """
    (learner, turn), n = _at(link, seed), len(link_of(link).moves) + 1
    game = learner.game
    if not learner.is_small or not turn.moves:
        raise ValueError("The position must be one of a small game, with moves to compare.")
    labels, rng = labels_of(game, turn), Random(f"{seed}/{n}/flat")
    games = flat(game, turn.state, FLAT * len(labels), rng, event=turn.event)
    by_chance, exact = (
        [value(move)[turn.player] for move in turn.moves]
        for value in (solver(game, policy=uniform), learner.value)
    )
    ways = (
        _best([mean(games[move], turn.player) for move in turn.moves]),
        _best(by_chance),
        [(row.mean, row.learnt) for row in known_at(learner, turn, k).rows],
        _best(exact),
    )
    title = f"{game.name}: flat Monte Carlo and {counted(learner.ends[k], 'dive')}"
    leads = "In the limit, flat Monte Carlo plays", "The tree plays"
    words = [
        _verdict(lead, labels, exact, [is_played for _, is_played in way].index(True))
        for lead, way in zip(leads, ways[1:3], strict=True)
        if any(is_played for _, is_played in way)
    ]
    table = _compared(title, labels, ways, digits_of(game.score_range))
    return {"table": table_facts(table), "words": words}


def _best(values: Sequence[float | Fraction]) -> Way:
    """The way to choose a move of the highest of `values`."""
    return [(value, value == max(values)) for value in values]


def _compared(title: str, labels: Sequence[str], ways: Sequence[Way], digits: int) -> Table:
    """A row for each move, where the moves that a way plays have a mark."""
    cells = [[f"{number(n, digits)} {' *'[is_played]}" for n, is_played in way] for way in ways]
    meanings = (f"{name}: {meaning}" for name, meaning in WAYS.items())
    notes = [*meanings, "*: a move that is played in this way"]
    rows = list(map(list, zip(labels, *cells, strict=True)))
    return rows_table(title, ["move", *WAYS], rows, words=["move"], notes=notes)


def _verdict(lead: str, labels: Sequence[str], exact: Sequence[Fraction], choice: int) -> Facts:
    """A sentence on a choice: its worth, and the worth of the best move where that is better."""
    top_worth = max(exact)
    if exact[choice] == top_worth:
        return {"text": f"{lead} {labels[choice]}. No move is better.", "is_best": True}
    worths = f"worth {_worth(exact[choice])} against best play"
    best_move = f"The best move is {labels[exact.index(top_worth)]}, worth {_worth(top_worth)}."
    return {"text": f"{lead} {labels[choice]}, {worths}. {best_move}", "is_best": False}


def _worth(value: Fraction) -> str:
    """An exact value in a few characters."""
    return str(value) if value.denominator <= 2 else number(value, 4)


# A tree as text


def tree_lines(link: Mapping[str, Any], seed: int, dives: int) -> str:
    """The tree after `dives` dives as JSON Lines; a tree of views, if information is hidden."""
    learner = learner_of(link_of(link), seed)
    while learner.ends[-1] < dives:
        add_stride(learner, dives)
    if dives not in learner.ends:
        raise ValueError(f"`dives` must be those of a tree that is kept; got {dives}.")
    tree, views = learner.trees[learner.ends.index(dives)], learner.game.hidden is not None
    return "".join(f"{line}\n" for line in jsonl.lines(learner.game, tree, views=views))


def forget() -> None:
    """Forget all trees."""
    _learner.cache_clear()


# Steps


def grow(
    link: Mapping[str, Any], seed: int, until: int | None = None, width: float = WIDTH
) -> Iterator[Facts]:
    """The facts of each new tree, until there are `until` dives in all, or without end.

    A tree at 1, 2, 5, 10, ... dives has the learning curve. A learner that is full grows no more.
    """
    learner, turn = _at(link, seed)
    while (until is None or learner.ends[-1] < until) and not is_full(learner):
        add_stride(learner, until)
        k = len(learner.trees) - 1
        facts, dives = shown(learner, turn, k, width), learner.ends[k]
        # A value takes the time of some thousand dives.
        if learner.is_small and dives in marks_of(dives):
            facts |= exact_facts(learner, k, width)
        yield facts


ANSWERS = {
    "learns": learns,
    "learning": learning,
    "top_of_tree": top,
    "tree_lines": tree_lines,
    "forget": forget,
    "compare": compare,
}
STEPS = {"grow": grow}
