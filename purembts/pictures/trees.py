"""The top of a search tree as a picture: the graph that `graphs.top_of` gives, in columns.

The columns are the numbers of moves from the root.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from toolz import groupby

from purembts.display import Display, counted, cut
from purembts.game import Game, S
from purembts.graphs import Node, top_of
from purembts.guards import explained
from purembts.pictures import svg
from purembts.pictures.boards import board
from purembts.pictures.svg import DARK, PAPER, Attribute, Drawing, Picture
from purembts.records import Record, Tree

_LINES = "#9fb3c8"
GAP, TURN, APART = 14.0, 46.0, 20.0
"""The space between two nodes of a column, the space in which an edge bends, and the space between
the ends of two edges."""


@explained
def tree(
    game: Game[S, Any], tree: Tree[S] | dict[S, Record], state: S, *, depth: int = 2, most: int = 3
) -> Picture:
    """The top of `tree`: its most visited positions at most `depth` moves from `state`.

    Each position is drawn once, with its mean and its visits. The mean is that of the player who
    moved there. An edge is wider if the position at its end has more visits.
    """
    nodes = top_of(game, tree, state, depth=depth, most=most)
    title = f"{game.name}: the top of a tree of {counted(nodes[0].visits, 'visit')}"
    note = svg.text_lines(["mean score of the player who moved there, and visits"])
    drawing = svg.stacked([_drawing(game.display, nodes), note])
    return svg.picture(title, "\n".join(_lines(nodes)), drawing)


def _lines(nodes: Sequence[Node]) -> Iterator[str]:
    """The moves of the graph in words. Those from a shared position stand below the first of it."""
    walk, before = [(0, *move) for move in reversed(nodes[0].moves)], set()
    while walk:
        level, label, i, _ = walk.pop()
        yield f"{'  ' * level}{label}: mean {nodes[i].mean}, visits {nodes[i].visits:,}."
        if i not in before:
            before.add(i)
            walk += [(level + 1, *move) for move in reversed(nodes[i].moves)]


class _Layout(NamedTuple):
    """The places of the nodes in the picture."""

    nodes: Sequence[Node]
    boxes: Sequence[Drawing]
    columns: Sequence[tuple[float, float]]
    """The left and the right side of each column."""
    y: Sequence[float]
    """The height of the centre of each node."""


class _Edge(NamedTuple):
    """A move in the picture, with the height of its end."""

    parent: int
    child: int
    label: str
    event: str
    y: float
    width: float


def _drawing(display: Display[Any], nodes: Sequence[Node]) -> Drawing:
    """The edges, their names and events, and above them the nodes."""
    ends = Counter(child for node in nodes for _, child, _ in node.moves)
    boxes = [_node_box(display, node, ends[i]) for i, node in enumerate(nodes)]
    layout = _Layout(nodes, boxes, _columns(nodes, boxes), _centres(nodes, boxes))
    edges = list(_edges(nodes, layout.y))
    parts = [_edge_line(layout, edge) for edge in edges]
    parts += [_edge_name(layout, edge) for edge in edges]
    parts += [_placed(layout, i) for i in range(len(nodes))]
    return Drawing(layout.columns[-1][1], 2 * layout.y[0], "".join(parts))


def _edges(nodes: Sequence[Node], y: Sequence[float]) -> Iterator[_Edge]:
    """The edges to each node, one below the other, those from the highest nodes first."""
    most = max((node.visits for node in nodes[1:]), default=0) or 1
    moves_to = groupby(2, [(i, *move) for i, node in enumerate(nodes) for move in node.moves])
    for child, moves in sorted(moves_to.items()):
        top, width = y[child] - APART * (len(moves) - 1) / 2, 1 + 7 * nodes[child].visits / most
        for place, (i, label, _, event) in enumerate(sorted(moves, key=lambda move: y[move[0]])):
            yield _Edge(i, child, label, event, top + APART * place, width)


def _edge_line(layout: _Layout, edge: _Edge) -> str:
    """A line from the parent that bends after its column, and is level with its end from there."""
    child, (left, bend) = layout.nodes[edge.child], layout.columns[layout.nodes[edge.parent].layer]
    begin, y = left + layout.boxes[edge.parent].width, layout.y[edge.parent]
    middle, level = bend + TURN / 2, bend + TURN
    curve = f"C{middle},{y} {middle},{edge.y} {level},{edge.y}"
    line = f"M{begin},{y}H{bend}{curve}H{layout.columns[child.layer][0]}"
    tip = svg.tip(f"{edge.label}: {child.visits:,} visits")
    look: dict[str, Attribute] = {"fill": "none", "stroke": _LINES, "stroke_width": edge.width}
    return svg.path(line, tip, **look, data_edge=f"{edge.parent} {edge.child}")


def _edge_name(layout: _Layout, edge: _Edge) -> str:
    """The name of a move above the end of its edge, and the sign of the event that allows it."""
    layer = layout.nodes[edge.child].layer
    end, begin = layout.columns[layer][0], layout.columns[layer - 1][1] + TURN
    name = svg.words_on_lines(end - 5, edge.y - edge.width / 2 - 3, edge.label)
    return f"{name}{_sign(begin, edge.y, edge.event)}" if edge.event else name


def _placed(layout: _Layout, i: int) -> str:
    """A node at its place; it is pale without visits."""
    node, box = layout.nodes[i], layout.boxes[i]
    facts = {"data_visits": str(node.visits), "data_mean": node.mean}
    x, y = layout.columns[node.layer][0], layout.y[i] - box.height / 2
    return svg.group(x, y, box.body, opacity=None if node.visits else "0.3", **facts)


def _node_box(display: Display[Any], node: Node, ends: int) -> Drawing:
    """A node in a frame, with room for the ends of this number of edges."""
    inside, numbers = _inside(display, node), "no visits"
    if node.visits:
        numbers = f"mean {node.mean}, visits {node.visits:,}"
    width, height = inside.width + 16, max(inside.height + 12, APART * ends + 6)
    tip = svg.tip(f"{cut(node.name, 60)} {numbers}".strip())
    frame = svg.element("rect", width=width, height=height, rx=6, fill=PAPER, stroke=DARK)
    body = svg.group(8, (height - inside.height) / 2, inside.body)
    return Drawing(width, height, f"{tip}{frame}{body}")


def _inside(display: Display[Any], node: Node) -> Drawing:
    """The name or the small board of a node, and below it its mean and its visits."""
    if display.squares and not node.name:
        squares = display.squares(node.state)
        side = min(14.0, max(5.0, 72 / max(len(squares.rows), 1)))
        above = board(squares, side, display.look, (), {})
    else:
        above = svg.text_lines([cut(node.name, 40)] if node.name else [], 14, DARK)
    below = [f"{node.mean} · {node.visits:,}"] if node.visits else []
    return svg.stacked([above, svg.text_lines(below)], 2)


def _sign(x: float, y: float, event: str) -> str:
    """The sign of an event of chance, on the edge of a move that it allows."""
    wide = _sign_width(event)
    look: dict[str, Attribute] = {"fill": PAPER, "stroke": _LINES, "stroke_width": 1.5}
    frame = svg.element("rect", x=x, y=y - 9, width=wide, height=18, rx=9, **look)
    return frame + svg.words(x + wide / 2, y + 4, event, 12, "middle", data_event=event)


def _sign_width(event: str) -> float:
    """The width of the sign of an event; 0 without one."""
    return max(18.0, svg.width_of(event, 12) + 10) if event else 0.0


def _columns(nodes: Sequence[Node], boxes: Sequence[Drawing]) -> list[tuple[float, float]]:
    """The left and the right side of each column, with room for the moves to it before it."""
    columns: list[tuple[float, float]] = []
    for layer in range(1 + max(node.layer for node in nodes)):
        moves = [move for node in nodes for move in node.moves if nodes[move[1]].layer == layer]
        rooms = [svg.width_of(label, 13) + 12 + _sign_width(event) for label, _, event in moves]
        room = max(rooms, default=0)
        side = room + (columns[-1][1] + TURN if columns else 0)
        wide = max(boxes[i].width for i, node in enumerate(nodes) if node.layer == layer)
        columns.append((side, side + wide))
    return columns


def _centres(nodes: Sequence[Node], boxes: Sequence[Drawing]) -> list[float]:
    """The heights of the centres of the nodes. Each node has a band of the picture.

    The bands of its children lie in it. A node that has several parents is a child of the one most
    to the left. An edge is level with its end right after the column of its parent, so it crosses
    no other node.
    """
    order = sorted(range(len(nodes)), key=lambda i: nodes[i].layer)
    below: dict[int, list[int]] = {}
    placed: set[int] = set()
    for i in order:
        below[i] = [child for _, child, _ in nodes[i].moves if child not in placed]
        placed.update(below[i])
    bands = [box.height + GAP for box in boxes]
    for i in reversed(order):
        bands[i] = max(bands[i], sum(bands[child] for child in below[i]))
    y = [(bands[0] - GAP) / 2] * len(bands)
    for i in order:
        top = y[i] - sum(bands[child] for child in below[i]) / 2
        for child in below[i]:
            y[child] = top + bands[child] / 2
            top += bands[child]
    return y
