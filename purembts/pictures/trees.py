"""The top of a search tree, as a picture and as DOT.

The positions of a tree are shared: it is a DAG, and each position is drawn once. `top_of` is the
graph, as a value. The columns of the picture are the numbers of moves from the root.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from toolz import groupby

from purembts.checks import at_least_one, whole_number
from purembts.display import Squares, digits_of, number
from purembts.game import Game, S
from purembts.pictures.boards import board
from purembts.pictures.svg import (
    DARK,
    GREY,
    PAPER,
    Drawing,
    Picture,
    cut,
    element,
    lines_of,
    moved,
    picture,
    short,
    spread,
    stacked,
    tip,
    width_of,
    words,
)
from purembts.positions import children
from purembts.records import NOTHING, Record, Tree, as_tree, mean

LINES = "#9fb3c8"
GAP, TURN, LABEL = 14.0, 46.0, 13.0
"""The space between two nodes of a column, the space in which an edge bends, and the size of
the text beside an edge."""


class Node(NamedTuple):
    """A position of the tree."""

    state: Any
    name: str
    """The position in a few characters; "" if the game has no such text."""
    squares: Squares | None
    """The board; None if there is none, or if the position has a name."""
    visits: int
    mean: str
    """The mean score of the player who moved here, and at the root of the player to move."""
    layer: int
    """The length of the longest way from the root."""


class Edge(NamedTuple):
    """A move between two nodes, which are numbers."""

    parent: int
    child: int
    label: str


class Top(NamedTuple):
    """The top of a tree: its nodes, the root first, and the moves between them."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


# The graph


def top_of(
    game: Game[S, Any],
    tree: Tree[S] | dict[S, Record],
    state: S,
    *,
    depth: int = 2,
    most: int = 3,
) -> Top:
    """The part of `tree` at most `depth` moves from `state`, each position once.

    Of the children of a position after any event, the `most` with the most visits are kept.
    """
    whole_number(depth, "depth", 0)
    at_least_one(most, "most")
    kept = _kept(game, as_tree(tree), state, depth, most)
    movers = {child: game.to_move(parent) for parent, own in kept.items() for child in own}
    movers[state] = game.to_move(state)
    layers = _layers(kept)
    nodes = [_node(game, as_tree(tree), each, movers[each], layers[each]) for each in kept]
    ids = {each: i for i, each in enumerate(kept)}
    edges = (
        Edge(ids[parent], ids[child], game.display.label(parent, child))
        for parent, own in kept.items()
        for child in own
    )
    return Top(tuple(nodes), tuple(edges))


def _kept(game: Game[S, Any], tree: Tree[S], state: S, depth: int, most: int) -> dict[S, list[S]]:
    """Each position of the graph with its children there, the nearest positions first."""
    kept: dict[S, list[S]] = {}
    reached = [state]
    for level in range(depth + 1):
        for parent in reached:
            kept[parent] = _ranked(game, tree, parent)[:most] if level < depth else []
        following = dict.fromkeys(child for parent in reached for child in kept[parent])
        reached = [child for child in following if child not in kept]
    return kept


def _ranked(game: Game[S, Any], tree: Tree[S], state: S) -> list[S]:
    """The children of `state` that have visits, those with the most visits first."""
    seen = {child: (tree.get(child) or NOTHING).visits for child in children(game, state)}
    return sorted((child for child in seen if seen[child]), key=lambda child: -seen[child])


def _layers(kept: dict[S, list[S]]) -> dict[S, int]:
    """The length of the longest way from the root to each position."""
    layers = dict.fromkeys(kept, 0)
    for _ in kept:
        before = dict(layers)
        for parent, own in kept.items():
            for child in own:
                layers[child] = max(layers[child], layers[parent] + 1)
        if layers == before:
            break
    return layers


def _node(game: Game[S, Any], tree: Tree[S], state: S, mover: int, layer: int) -> Node:
    display, record = game.display, tree.get(state) or NOTHING
    name = display.short(state) if display.short else ""
    squares = display.squares(state) if display.squares and not name else None
    digits = min(3, digits_of(game.score_range))
    worth = number(mean(record, mover), digits) if record.visits else "-"
    return Node(state, name, squares, record.visits, worth, layer)


def _texts(node: Node) -> tuple[str, ...]:
    """The lines of a node: its name, and its mean and visits."""
    numbers = f"{node.mean} · {node.visits:,}"
    return (cut(node.name, 40), numbers) if node.name else (numbers,)


def _widths(top: Top) -> list[float]:
    """The widths of the edges, from 1 to 8, by the visits of the child."""
    visits = [top.nodes[edge.child].visits for edge in top.edges]
    return [1 + 7 * n / max(visits) for n in visits]


# The places


class Slot(NamedTuple):
    """The place of a node, or of an edge that crosses a column."""

    layer: int
    width: float
    height: float


Chain: TypeAlias = list[int]
"""The slots of an edge from its parent to its child."""


class Layout(NamedTuple):
    """Slots with their places: those of the nodes first, in their order."""

    slots: list[Slot]
    chains: list[Chain]
    """The chain of each edge."""
    y: list[float]
    """The centres of the slots."""


def _layout(top: Top) -> Layout:
    """Slots in columns, near the slots that they have edges with."""
    ends = Counter(edge.child for edge in top.edges)
    slots = [_slot(node, ends[i]) for i, node in enumerate(top.nodes)]
    chains = []
    for edge in top.edges:
        first, last = top.nodes[edge.parent].layer, top.nodes[edge.child].layer
        crossed = [Slot(layer, 0, 14) for layer in range(first + 1, last)]
        chains.append([edge.parent, *range(len(slots), len(slots) + len(crossed)), edge.child])
        slots += crossed
    before, after = _neighbours(chains)
    columns = _columns(slots, before)
    y = [0.0] * len(slots)
    for _ in range(6):
        for column in columns:
            _settle(column, slots, y, before)
        for column in reversed(columns):
            _settle(column, slots, y, after)
    top_edge = min(at - slot.height / 2 for at, slot in zip(y, slots, strict=True))
    return Layout(slots, chains, [at - top_edge for at in y])


def _slot(node: Node, ends: int) -> Slot:
    """The room of a node. Each of the edges that end there has a line of its own."""
    drawn = _inside(node)
    return Slot(node.layer, drawn.width + 16, max(drawn.height + 12, 20.0 * ends + 6))


Neighbours: TypeAlias = dict[int, list[int]]
"""For a slot, the slots of the next column on one side that it has edges with."""


def _neighbours(chains: Sequence[Chain]) -> tuple[Neighbours, Neighbours]:
    """The neighbours before each slot, and those after it."""
    before: Neighbours = {}
    after: Neighbours = {}
    for chain in chains:
        for one, other in pairwise(chain):
            before.setdefault(other, []).append(one)
            after.setdefault(one, []).append(other)
    return before, after


def _columns(slots: Sequence[Slot], before: Neighbours) -> list[list[int]]:
    """The slots of each layer, in the order of the slots that lead to them."""
    layers: list[list[int]] = [[] for _ in range(1 + max(slot.layer for slot in slots))]
    for slot in [0, *before]:
        layers[slots[slot].layer].append(slot)
    places = {0: 0.0}
    for layer in layers[1:]:
        wanted = {slot: _mean([places[each] for each in before[slot]]) for slot in layer}
        layer.sort(key=wanted.__getitem__)
        places |= {slot: float(place) for place, slot in enumerate(layer)}
    return layers


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _settle(column: Sequence[int], slots: Sequence[Slot], y: list[float], near: Neighbours) -> None:
    """Move the slots of a column as near as possible to the means of their neighbours."""
    wanted = [_mean([y[each] for each in near.get(slot, [slot])]) for slot in column]
    sizes = [slots[slot].height + GAP for slot in column]
    for slot, at in zip(column, spread(wanted, sizes), strict=True):
        y[slot] = at


# The picture


def tree(
    game: Game[S, Any],
    tree: Tree[S] | dict[S, Record],
    state: S,
    *,
    depth: int = 2,
    most: int = 3,
) -> Picture:
    """The top of `tree`: its most visited positions at most `depth` moves from `state`.

    Each position is drawn once, with its mean and its visits. The mean is that of the player who
    moved there. An edge is the wider, the more visits the position at its end has.
    """
    top = top_of(game, tree, state, depth=depth, most=most)
    visits = f"{top.nodes[0].visits:,} visit{'' if top.nodes[0].visits == 1 else 's'}"
    title = f"{game.name}: the top of a tree of {visits}"
    notes = ["mean score of the player who moved there, and visits"]
    drawing = stacked([_drawn(top, _layout(top)), lines_of(notes, 13)])
    return picture(title, "\n".join(_outline(top)), drawing)


def _outline(top: Top) -> Iterator[str]:
    """The moves of the graph in words. Those from a shared position stand below the first of it."""
    below = groupby(lambda edge: edge.parent, reversed(top.edges))
    walk = [(edge, 0) for edge in below.get(0, ())]
    seen = set()
    while walk:
        edge, level = walk.pop()
        node = top.nodes[edge.child]
        yield f"{'  ' * level}{edge.label}: mean {node.mean}, visits {node.visits:,}."
        if edge.child not in seen:
            seen.add(edge.child)
            walk += [(each, level + 1) for each in below.get(edge.child, ())]


class Across(NamedTuple):
    """The places of a column on the horizontal axis."""

    bend: float
    """The right end of the bends of the edges, where the names of the moves begin."""
    left: float
    """The left sides of the nodes."""
    right: float


def _columns_across(top: Top, layout: Layout) -> list[Across]:
    """The columns from the left, each with room for the names of the moves before it."""
    columns: list[Across] = []
    for layer in range(1 + max(node.layer for node in top.nodes)):
        ends = [edge.label for edge in top.edges if top.nodes[edge.child].layer == layer]
        room = max((width_of(cut(label, 24), LABEL) + 12 for label in ends), default=0)
        bend = columns[-1].right + TURN if columns else 0.0
        wide = max(slot.width for slot in layout.slots if slot.layer == layer)
        columns.append(Across(bend, bend + room, bend + room + wide))
    return columns


def _drawn(top: Top, layout: Layout) -> Drawing:
    """The nodes, and below them the edges."""
    columns = _columns_across(top, layout)
    ends = _ends(top, layout)
    edges = [_edge(top, i, layout, columns, ends[i], width) for i, width in enumerate(_widths(top))]
    labels = [
        _label(edge, columns[top.nodes[edge.child].layer], at, width)
        for edge, at, width in zip(top.edges, ends, _widths(top), strict=True)
    ]
    nodes = [
        _box(node, slot, columns[node.layer].left, y)
        for node, slot, y in zip(top.nodes, layout.slots, layout.y, strict=False)
    ]
    bottoms = (y + slot.height / 2 for y, slot in zip(layout.y, layout.slots, strict=True))
    return Drawing(columns[-1].right, max(bottoms), "".join([*edges, *labels, *nodes]))


def _ends(top: Top, layout: Layout) -> list[float]:
    """The height at which each edge ends: those of one node are apart, in their order."""
    ends = [0.0] * len(top.edges)
    by_child = groupby(lambda i: top.edges[i].child, range(len(top.edges)))
    for child, own in by_child.items():
        own.sort(key=lambda i: layout.y[layout.chains[i][-2]])
        for place, i in enumerate(own):
            ends[i] = layout.y[child] + 20.0 * (place - (len(own) - 1) / 2)
    return ends


def _edge(
    top: Top, i: int, layout: Layout, columns: Sequence[Across], end: float, width: float
) -> str:
    """Edge i as a curve from its parent through the columns that it crosses."""
    first, *rest = layout.chains[i]
    slot, y = layout.slots[first], layout.y[first]
    column = columns[slot.layer]
    path = f"M{short(column.left + slot.width)},{short(y)}H{short(column.right)}"
    for after in rest:
        x, column = column.right, columns[layout.slots[after].layer]
        to = end if after == rest[-1] else layout.y[after]
        middle = (x + column.bend) / 2
        path += (
            f"C{short(middle)},{short(y)} {short(middle)},{short(to)} "
            f"{short(column.bend)},{short(to)}"
            f"H{short(column.left if after == rest[-1] else column.right)}"
        )
        y = to
    edge = top.edges[i]
    return element(
        "path",
        tip(f"{edge.label}: {top.nodes[edge.child].visits:,} visits"),
        d=path,
        fill="none",
        stroke=LINES,
        stroke_width=width,
        data_edge=f"{edge.parent} {edge.child}",
    )


def _label(edge: Edge, column: Across, y: float, width: float) -> str:
    """The name of a move, above the end of its edge."""
    return words(
        column.left - 5,
        y - width / 2 - 3,
        cut(edge.label, 24),
        LABEL,
        text_anchor="end",
        stroke=PAPER,
        stroke_width=3,
        paint_order="stroke",
        stroke_linejoin="round",
    )


def _box(node: Node, slot: Slot, left: float, y: float) -> str:
    """A node with its text or its board."""
    inside = _inside(node)
    return element(
        "g",
        tip(f"{cut(node.name, 60)} mean {node.mean}, visits {node.visits:,}".strip()),
        element("rect", width=slot.width, height=slot.height, rx=6, fill=PAPER, stroke=DARK),
        moved(8, (slot.height - inside.height) / 2, inside.body),
        transform=f"translate({short(left)} {short(y - slot.height / 2)})",
        data_visits=str(node.visits),
        data_mean=node.mean,
    )


def _inside(node: Node) -> Drawing:
    """The small board of a node beside its numbers, or its name above them."""
    if node.squares is None:
        *names, numbers = _texts(node)
        return stacked([lines_of(names, 14, DARK), lines_of([numbers], LABEL, GREY)], 2)
    side = min(14.0, max(5.0, 72 / max(len(node.squares.rows), 1)))
    drawn = board(node.squares, side, with_names=False)
    beside = lines_of([node.mean, f"{node.visits:,}"], LABEL, DARK)
    high = max(drawn.height, beside.height)
    return Drawing(
        drawn.width + 10 + beside.width,
        high,
        moved(0, (high - drawn.height) / 2, drawn.body)
        + moved(drawn.width + 10, (high - beside.height) / 2, beside.body),
    )
