"""A search as a moving picture: its tree grows as a bloom, with the root in the middle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from heapq import heappop, heappush
from itertools import islice, pairwise
from math import cos, pi, sin, sqrt
from random import Random
from typing import Any, NamedTuple

from purembts.checks import a_seed
from purembts.display import counted, number
from purembts.fast.engine import strides
from purembts.game import Game, S
from purembts.pictures import svg
from purembts.pictures.svg import Drawing, Picture
from purembts.positions import children
from purembts.records import NOTHING, Record, Tree, mean

_MARKS = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000)
"""The numbers of dives after which the tree is shown."""
_MOST = 1_600
"""The most positions that are drawn."""
_RADIUS = 240.0
_PERIOD = 14
_BLUE, _MIDDLE, _ORANGE = (46, 124, 214), (136, 141, 150), (224, 118, 16)
"""The colours of a mean of 0, of one half and of 1, which are seen on light and on dark ground."""


class _Branch(NamedTuple):
    """A position with its record, its ring and its sector, and the edge that leads to it."""

    state: Any
    record: Record
    depth: int = 0
    sector: tuple[float, float] = (pi / 2, 5 * pi / 2)
    edge: str = ""


def film(game: Game[S, Any], state: S, *, seed: int = 7) -> Picture:
    """A search of 10,000 dives from `state` that grows: a picture that moves, again and again.

    Each of the most visited positions is drawn once. Its edge is the wider, the more visits it has;
    orange if the player to move at `state` wins more often from there, and blue if others do. For a
    reader who wants no motion, the last tree stands still.
    """
    steps = [after - before for before, after in pairwise((0, *_MARKS))]
    trees = [*islice(strides(game, {}, state, steps, Random(a_seed(seed))), 1, None)]
    nodes = list(islice(_branches(game, trees[-1], state), 1, _MOST))
    texts = [_caption(game, tree, state) for tree in trees]
    title = f"{game.name}: a search of {_MARKS[-1]:,} dives"
    stages = list(_stages(game, state, nodes, trees))
    return svg.picture(title, "\n".join(texts), _film(stages, texts))


def _caption(game: Game[S, Any], tree: Tree[S], state: S) -> str:
    """The dives so far, and the move with the most visits."""
    moves = [move for move in children(game, state) if move in tree]
    n = counted(tree[state].visits, "dive")
    if not moves:
        return f"{n}."
    best = max(moves, key=lambda move: tree[move].visits)
    share = number(mean(tree[best], game.to_move(state)), 2)
    label = svg.cut(game.display.label(state, best), 24)
    return f"{n}. Most visits: {label}, {tree[best].visits:,}, mean score {share}."


def _branches(game: Game[S, Any], tree: Tree[S], state: S) -> Iterator[_Branch]:
    """The positions of the tree, each once, those with the most visits first, from the root on."""
    heap, shown = [(0, 0, _Branch(state, tree[state]))], {state}
    while heap:
        node = heappop(heap)[2]
        yield node
        for child in _children(game, tree, node):
            if child.state not in shown:
                shown.add(child.state)
                heappush(heap, (-child.record.visits, len(shown), child))


def _children(game: Game[S, Any], tree: Tree[S], node: _Branch) -> Iterator[_Branch]:
    """The children with visits, each in its slot of the sector."""
    moves, (begin, end) = list(children(game, node.state)), node.sector
    slot = (end - begin) / max(len(moves), 1)
    for i, move in enumerate(moves):
        if (record := tree.get(move) or NOTHING).visits:
            sector = (begin + i * slot, begin + (i + 1) * slot)
            yield _Branch(move, record, node.depth + 1, sector, _twig(node, sum(sector) / 2))


def _twig(node: _Branch, angle: float) -> str:
    """The curve from a node to a child at this angle."""
    inner, outer = (_RADIUS * (1 - 0.7**depth) for depth in (node.depth, node.depth + 1))
    middle, begin = (inner + outer) / 2, sum(node.sector) / 2 if node.depth else angle
    polar = ((inner, begin), (middle, begin), (middle, angle), (outer, angle))
    points = [f"{round(r * cos(a))} {round(r * sin(a))}" for r, a in polar]
    return f"M{points[0]}C{' '.join(points[1:])}"


def _stages(
    game: Game[S, Any], state: S, nodes: Sequence[_Branch], trees: Sequence[Tree[S]]
) -> Iterator[str]:
    """The edges of the positions that are new in each tree; those of one look are one path."""
    low, high = game.score_range
    lines: dict[tuple[int, str, float], str] = {}
    for node in nodes:
        stage = next(i for i, tree in enumerate(trees) if node.state in tree)
        share = (mean(node.record, game.to_move(state)) - low) / (high - low)
        width = max(0.8, round(18 * sqrt(node.record.visits / _MARKS[-1]), 1))
        look = (stage, _colour(round(share, 1)), width)
        lines[look] = lines.get(look, "") + node.edge
    for i in range(len(trees)):
        yield "".join(
            svg.element("path", d=line, stroke=colour, stroke_width=width)
            for (stage, colour, width), line in lines.items()
            if stage == i
        )


def _colour(share: float) -> str:
    """Blue for 0, grey for one half, orange for 1."""
    end, far = _BLUE if share < 0.5 else _ORANGE, abs(2 * share - 1) ** 0.5
    parts = (grey + far * (part - grey) for grey, part in zip(_MIDDLE, end, strict=True))
    return "#" + "".join(f"{round(part):02x}" for part in parts)


def _film(stages: Sequence[str], texts: Sequence[str]) -> Drawing:
    """The stages one after the other. Each of them stays, and has a text until the next one."""
    name, high = "f" + sha256("".join([*stages, *texts]).encode()).hexdigest()[:8], 2 * _RADIUS
    rules = [f"#{name} path{{animation:{name} {_PERIOD}s infinite}}"]
    rules += [f"@keyframes {name}{{0%,5%{{stroke-width:1px}}}}"]
    trees, words, last = [], [], len(texts) - 1
    for i, (stage, text) in enumerate(zip(stages, texts, strict=True)):
        trees.append(svg.element("g", stage, id=f"{name}-{i}"))
        here = None if i == last else "hidden"
        words.append(svg.words(0, high + 30, text, 15, id=f"{name}-t{i}", visibility=here))
        rules += _rules(f"{name}-", i, is_last=i == last)
    style = f"@media (prefers-reduced-motion:no-preference){{{''.join(rules)}}}"
    bloom = svg.group(_RADIUS, _RADIUS, *trees, fill="none", stroke_linecap="round", id=name)
    return Drawing(high, high + 40, "".join([svg.element("style", style), bloom, *words]))


def _rules(name: str, i: int, *, is_last: bool) -> Iterator[str]:
    """The styles of stage i: its edges come and stay, and its text is gone with the next one."""
    begin, end = 8 * i, 100 if is_last else 8 * i + 8
    after = "visible" if is_last else "hidden"
    yield f"@keyframes {name}{i}{{0%,{begin}%{{opacity:0}}{begin + 4}%{{opacity:1}}}}"
    yield f"#{name}{i}{{animation:{name}{i} {_PERIOD}s infinite}}"
    yield f"@keyframes {name}t{i}{{0%{{visibility:hidden}}{begin}%{{visibility:visible}}"
    yield f"{end}%,100%{{visibility:{after}}}}}"
    yield f"#{name}t{i}{{animation:{name}t{i} {_PERIOD}s step-end infinite}}"
