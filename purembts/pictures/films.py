"""A search as a moving picture: dives in their four phases, and then the trees of many dives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import accumulate, pairwise, repeat
from operator import sub
from random import Random
from textwrap import wrap
from typing import Any, NamedTuple

from purembts.display import number
from purembts.fast.engine import search
from purembts.game import Game, S, turns_at
from purembts.pictures import svg
from purembts.pictures.svg import DARK, Drawing, Picture
from purembts.pictures.trees import NOTE, Node, drawn, layout, outline, recorded, top_of
from purembts.play import is_alone, movers_of
from purembts.positions import children
from purembts.records import NOTHING, Tree, as_tree

_TOLD = 3
"""The most moves of a path that a sentence names, if there are more."""


class _Frame(NamedTuple):
    """A part of a film: a tree, the path of a dive in it, and a sentence, for some seconds."""

    said: str
    tree: Tree[Any]
    path: Sequence[Any] = ()
    seconds: float = 2.5


_SLOW, _MARKS = {1, 2, 24}, {23, 100, 1000}
"""The dives of a film that are shown in their phases, and those after which a tree is shown."""


def film(game: Game[S, Any], state: S, *, seed: int = 7) -> Picture:
    """A search from `state` that grows: a picture that moves by itself, again and again.

    Three dives have a frame for each phase, and the trees after 23, 100 and 1,000 dives a frame
    each. The places are those of the last tree, as in `tree`. For a reader who wants no motion, the
    last tree stands still.
    """
    frames = list(_frames(game, state, _SLOW, _MARKS, Random(seed)))
    bodies = []
    for frame, (_, top) in zip(frames, _tops(game, frames, state, 3, 9), strict=True):
        words = svg.lines_of(_lines(frame.said, top.width), 14, DARK)
        bodies.append(svg.stacked([top, words, NOTE]))
    text = "\n".join(frame.said for frame in frames)
    title = f"{game.name}: a search of {max(_MARKS):,} dives"
    return svg.picture(title, text, _film(bodies, [frame.seconds for frame in frames]))


def dive(
    game: Game[S, Any], before: Tree[S], after: Tree[S], state: S, *, depth: int = 2, most: int = 3
) -> list[Picture]:
    """The phases of the dive from `state` by which `after` grew from `before`, a picture of each.

    The title of a picture is the sentence of its phase. The places are those of the last tree.
    """
    frames = list(_phases(game, before, after, state))
    return [
        svg.picture(frame.said, "\n".join(outline(nodes)), svg.stacked([top, NOTE]))
        for frame, (nodes, top) in zip(frames, _tops(game, frames, state, depth, most), strict=True)
    ]


def _tops(
    game: Game[S, Any], frames: Sequence[_Frame], state: S, depth: int, most: int
) -> Iterator[tuple[list[Node], Drawing]]:
    """The top of the tree of each frame, as nodes and drawn, at the places of the last one."""
    last = frames[-1]
    nodes = top_of(game, last.tree, state, depth=depth, most=most, path=last.path)
    places, ids = layout(game.display, nodes), {node.state: i for i, node in enumerate(nodes)}
    for frame in frames:
        known = recorded(game, nodes, frame.tree)
        path = [ids[each] for each in frame.path if each in ids]
        yield known, drawn(game.display, known, places, path)


def _frames(
    game: Game[S, Any], state: S, slow: set[int], marks: set[int], rng: Random
) -> Iterator[_Frame]:
    """The frames of one search, in the order of its dives."""
    tree: Tree[S] = as_tree({})
    for before, i in pairwise(sorted({0, *marks, *slow, *(each - 1 for each in slow)})):
        grown = search(game, tree, state, i - before, rng)
        if i in slow:
            yield from _phases(game, tree, grown, state)
        if i in marks:
            yield _Frame(f"The tree after {i:,} dives.", grown, seconds=4)
        tree = grown


def _phases(game: Game[S, Any], tree: Tree[S], grown: Tree[S], state: S) -> Iterator[_Frame]:
    """The phases of the dive from `state` by which `grown` grew from `tree`."""
    path = _path_of(game, tree, grown)
    i, is_new = grown[state].visits, path[-1] not in tree
    old = (tree.get(state) or NOTHING).scores or repeat(0)
    scores = list(map(sub, grown[state].scores, old))
    result = "scores " + " and ".join(number(score, int(score % 1 > 0)) for score in scores)
    if is_alone(game) and sorted(scores) == [0, 1]:
        result = "is won" if scores[movers_of(game)[0]] else "is lost"
    first = "the first position is new" if is_new else "no move is possible"
    steps = [_step(game, tree, *step) for step in pairwise(path)]
    more = [f"and {len(steps) - _TOLD} more moves"] if len(steps) > _TOLD + 1 else []
    told = "; ".join([*(steps[:_TOLD] if more else steps), *more]) or first
    yield _Frame(f"Dive {i:,}. Select: {told}.", tree, (path[:-1] or path) if is_new else path)
    if is_new:
        yield _Frame(f"Dive {i:,}. Expand: the new position gets a record.", tree, path)
    played = "a random game from there" if is_new else "the game has ended, and"
    yield _Frame(f"Dive {i:,}. Simulate: {played} {result}.", tree, path)
    yield _Frame(f"Dive {i:,}. Backpropagate: the result is added to each record.", grown, path)


def _path_of(game: Game[S, Any], before: Tree[S], after: Tree[S]) -> list[S]:
    """The path of the dive by which `after` grew from `before`.

    A dive changes the records of its path alone, and no position comes twice. So the last one is
    that from which no move leads to another one of them, and so on.
    """
    rest = {state for state, record in after.items() if before.get(state) != record}
    below = {each: {child for child in children(game, each) if child in rest} for each in rest}
    path: list[S] = []
    while rest:
        path += [each for each in rest if below[each] <= set(path)]
        rest.difference_update(path)
    return path[::-1]


def _step(game: Game[S, Any], tree: Tree[S], before: S, after: S) -> str:
    """The event of chance and the move between two positions, in words; `tree` was before."""
    turn = next(turn for turn in turns_at(game, before) if after in turn.moves)
    label, moves = game.display.label(before, after), set(turn.moves)
    untried = sum(move not in tree for move in moves)
    which = f"one of {untried} moves" if untried > 1 else "the last move"
    if len(moves) > 1:
        highest = f" has the highest bound of {len(moves)} moves"
        label += highest if after in tree else f", {which} not tried yet"
    return label if turn.event is None else f"{game.display.event(turn.event)}, {label}"


def _lines(text: str, width: float) -> list[str]:
    """`text` in two lines, of which the second one may be empty."""
    lines = wrap(text, max(20, int(width / svg.width_of("x", 14))))
    return [*lines, "", ""][: max(2, len(lines))]


def _film(frames: Sequence[Drawing], seconds: Sequence[float]) -> Drawing:
    """Drawings one after the other, each for its number of seconds."""
    name = "f" + sha256("".join(frame.body for frame in frames).encode()).hexdigest()[:8]
    total, ends = sum(seconds), list(accumulate(seconds, initial=0.0))
    rules, groups = [], []
    for i, (frame, begin, end) in enumerate(zip(frames, ends, ends[1:], strict=False)):
        each = f"{name}-{i}"
        shown = f"{100 * begin / total:.3f}%{{visibility:visible}}"
        hidden = f"{100 * end / total:.3f}%{{visibility:hidden}}" if end < total else ""
        start = "0%{visibility:hidden}" if begin else ""
        rules.append(f"@keyframes {each}{{{start}{shown}{hidden}}}")
        rules.append(f"#{each}{{animation:{each} {total:g}s step-end infinite}}")
        last = None if i == len(frames) - 1 else "hidden"
        groups.append(svg.element("g", frame.body, id=each, visibility=last))
    style = f"@media (prefers-reduced-motion:no-preference){{{''.join(rules)}}}"
    width = max(frame.width for frame in frames)
    height = max(frame.height for frame in frames)
    return Drawing(width, height, "".join([svg.element("style", style), *groups]))
