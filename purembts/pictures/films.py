"""A search as a moving picture: dives in their four phases, and then the trees of many dives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import accumulate, pairwise, repeat
from operator import sub
from random import Random
from textwrap import wrap
from typing import Any, NamedTuple

from purembts.checks import a_seed
from purembts.display import number
from purembts.fast.engine import search
from purembts.game import Game, S
from purembts.pictures import svg
from purembts.pictures.svg import DARK, Drawing, Picture
from purembts.pictures.trees import NOTE, Node, drawing, in_lines, layout, top_of, with_means
from purembts.play import is_alone, movers_of
from purembts.positions import positions
from purembts.records import NOTHING, Tree, as_tree
from purembts.report import turns_at

_STEPS = 3
"""The most moves of a path that a sentence names, if there are more."""


class _Frame(NamedTuple):
    """A part of a film: a sentence, a tree, and the path of a dive in it, for some seconds."""

    sentence: str
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
    frames = list(_frames(game, state, _SLOW, _MARKS, Random(a_seed(seed))))
    drawings = []
    for frame, (_, top) in zip(frames, _tops(game, frames, state, 3, 9), strict=True):
        lines = wrap(frame.sentence, max(20, int(top.width / svg.width_of("x", 14))))
        lines += [""] * (2 - len(lines))  # so that the frames have the same height
        drawings.append(svg.stacked([top, svg.text_lines(lines, 14, DARK), NOTE]))
    text = "\n".join(frame.sentence for frame in frames)
    title = f"{game.name}: a search of {max(_MARKS):,} dives"
    return svg.picture(title, text, _film(drawings, [frame.seconds for frame in frames]))


def dive(
    game: Game[S, Any], before: Tree[S], after: Tree[S], state: S, *, depth: int = 2, most: int = 3
) -> list[Picture]:
    """The phases of the dive from `state` by which `after` grew from `before`, a picture of each.

    The title of a picture is the sentence of its phase. The places are those of the last tree.
    """
    frames = list(_phases(game, before, after, state))
    return [
        svg.picture(frame.sentence, "\n".join(in_lines(nodes)), svg.stacked([top, NOTE]))
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
        top = with_means(game, nodes, frame.tree)
        path = [ids[position] for position in frame.path if position in ids]
        yield top, drawing(game.display, top, places, path)


def _frames(
    game: Game[S, Any], state: S, slow: set[int], marks: set[int], rng: Random
) -> Iterator[_Frame]:
    """The frames of one search, in the order of its dives."""
    tree: Tree[S] = as_tree({})
    for before, n in pairwise(sorted({0, *marks, *slow, *(dive - 1 for dive in slow)})):
        after = search(game, tree, state, n - before, rng)
        if n in slow:
            yield from _phases(game, tree, after, state)
        if n in marks:
            yield _Frame(f"The tree after {n:,} dives.", after, seconds=4)
        tree = after


def _phases(game: Game[S, Any], before: Tree[S], after: Tree[S], state: S) -> Iterator[_Frame]:
    """The phases of the dive from `state` by which `after` grew from `before`."""
    # A dive changes only the records on its path. Each position comes after its children.
    path = [*positions(game, state, skip=lambda at: before.get(at) == after.get(at))][::-1]
    n, is_new = f"Dive {after[state].visits:,}", path[-1] not in before
    old = (before.get(state) or NOTHING).scores or repeat(0)
    scores = list(map(sub, after[state].scores, old))
    result = "scores " + " and ".join(number(score, int(score % 1 > 0)) for score in scores)
    if is_alone(game) and sorted(scores) == [0, 1]:
        result = "is won" if scores[movers_of(game)[0]] else "is lost"
    first = "the first position is new" if is_new else "no move is possible"
    steps = [_step(game, before, *step) for step in pairwise(path)]
    if len(steps) > _STEPS + 1:
        steps = [*steps[:_STEPS], f"and {len(steps) - _STEPS} more moves"]
    way = (path[:-1] or path) if is_new else path
    yield _Frame(f"{n}. Select: {'; '.join(steps) or first}.", before, way)
    if is_new:
        yield _Frame(f"{n}. Expand: the new position gets a record.", before, path)
    game_text = "a random game from there" if is_new else "the game has ended, and"
    yield _Frame(f"{n}. Simulate: {game_text} {result}.", before, path)
    yield _Frame(f"{n}. Backpropagate: the result is added to each record.", after, path)


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


def _film(frames: Sequence[Drawing], seconds: Sequence[float]) -> Drawing:
    """Drawings one after the other, each for its number of seconds."""
    film = "f" + sha256("".join(frame.body for frame in frames).encode()).hexdigest()[:8]
    total, ends = sum(seconds), list(accumulate(seconds, initial=0.0))
    rules, groups = [], []
    for i, (frame, begin, end) in enumerate(zip(frames, ends, ends[1:], strict=False)):
        name, is_last = f"{film}-{i}", i == len(frames) - 1
        visible = f"{100 * begin / total:.3f}%{{visibility:visible}}"
        hidden = f"{100 * end / total:.3f}%{{visibility:hidden}}" if end < total else ""
        start = "0%{visibility:hidden}" if begin else ""
        rules.append(f"@keyframes {name}{{{start}{visible}{hidden}}}")
        rules.append(f"#{name}{{animation:{name} {total:g}s step-end infinite}}")
        groups.append(
            svg.element("g", frame.body, id=name, visibility=None if is_last else "hidden")
        )
    style = f"@media (prefers-reduced-motion:no-preference){{{''.join(rules)}}}"
    body = "".join([svg.element("style", style), *groups])
    width, height = max(frame.width for frame in frames), max(frame.height for frame in frames)
    return Drawing(width, height, body)
