"""The top of a search tree as a picture.

The positions of a tree are shared: it is a DAG, and each position is drawn once. `top_of` is the
graph, as a value. The columns of the picture are the numbers of moves from the root.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from toolz import groupby

from purembts.checks import at_least_one, whole_number
from purembts.display import Display, counted, digits_of, number
from purembts.game import Game, S, a_game
from purembts.pictures import svg
from purembts.pictures.boards import board
from purembts.pictures.svg import DARK, PAPER, Attribute, Drawing, Picture
from purembts.positions import children
from purembts.records import NOTHING, Record, Tree, as_tree, checked_record, mean
from purembts.report import short_text, turns_at

_Pair: TypeAlias = tuple[float, float]
_LINES = "#9fb3c8"
GAP, TURN, APART = 14.0, 46.0, 20.0
"""The space between two nodes of a column, the space in which an edge bends, and the space between
the ends of two edges."""
_BRACED = 4
"""The most members of a first position whose sets are written in braces."""

_NOTE = svg.text_lines(["mean score of the player who moved there, and visits"])


class Node(NamedTuple):
    """A position of the tree."""

    state: Any
    name: str
    """The position in a few characters; "" if the game has no such text."""
    visits: int
    mean: str
    """The mean score of the player who moved here, and at the root of the player to move."""
    layer: int
    """The length of the longest way from the root."""
    moves: Sequence[tuple[str, int, str]]
    """The moves to other nodes: the name, the number of the node, and the event that allows it."""


def top_of(
    game: Game[S, Any],
    tree: Tree[S] | dict[S, Record],
    state: S,
    *,
    depth: int,
    most: int,
) -> list[Node]:
    """The part of `tree` at most `depth` moves from `state`, each position once, this one first.

    Of the children of a position after any event, the `most` with the most visits are there.
    """
    whole_number(depth, "depth", 0)
    at_least_one(most, "most")
    display, tree = a_game(game).display, as_tree(tree)
    graph = _graph(game, tree, state, depth, most)
    layers, ids = _layers(graph, [state]), {position: i for i, position in enumerate(graph)}
    movers = {state: game.to_move(state)}
    is_small = isinstance(state, frozenset) and len(state) <= _BRACED
    nodes = []
    for parent, moves in graph.items():
        movers |= dict.fromkeys(moves, game.to_move(parent))
        name = _name(game, parent, is_small=is_small)
        edges = [
            (svg.cut(display.label(parent, move), 24), ids[move], _event(game, parent, move))
            for move in moves
        ]
        numbers = _numbers(game, tree.get(parent) or NOTHING, movers[parent])
        nodes.append(Node(parent, name, *numbers, layers[parent], edges))
    return nodes


def _name(game: Game[S, Any], state: S, *, is_small: bool) -> str:
    """A set in braces, as the pages write it, or a short text; "" for a board, which is drawn."""
    display = game.display
    if display.short and is_small and isinstance(state, frozenset):
        return f"{{{', '.join(map(str, sorted(state)))}}}"
    return short_text(game, state) or ("" if display.squares else svg.cut(display.show(state), 24))


def _event(game: Game[S, Any], state: S, move: S) -> str:
    """The only event of several that allows a move, in a few characters; "" if there is none."""
    turns = turns_at(game, state)
    events = [turn.event for turn in turns if len(turns) > 1 and move in turn.moves]
    return svg.cut(str(events[0]), 8) if len(events) == 1 else ""


def _numbers(game: Game[S, Any], record: Record, player: int) -> tuple[int, str]:
    """The visits of a record, and its mean as a text."""
    if not checked_record(record).visits:
        return 0, "-"
    return record.visits, number(mean(record, player), min(3, digits_of(game.score_range)))


def _graph(game: Game[S, Any], tree: Tree[S], state: S, depth: int, most: int) -> dict[S, list[S]]:
    """Each position of the graph with its children there, the nearest positions first."""
    graph: dict[S, list[S]] = {}
    layer = [state]
    for _ in range(depth):
        for parent in layer:
            n = {child: (tree.get(child) or NOTHING).visits for child in children(game, parent)}
            graph[parent] = sorted(filter(n.get, n), key=lambda child: -n[child])[:most]
        below = dict.fromkeys(child for parent in layer for child in graph[parent])
        layer = [child for child in below if child not in graph]
    return graph | {position: [] for position in layer}


def _layers(graph: dict[S, list[S]], layer: list[S]) -> dict[S, int]:
    """The length of the longest way from the root, which is in `layer`, to each position."""
    layers: dict[S, int] = {}
    for length in range(len(graph)):
        layers |= dict.fromkeys(layer, length)
        layer = list(dict.fromkeys(child for parent in layer for child in graph[parent]))
    return layers


def tree(
    game: Game[S, Any], tree: Tree[S] | dict[S, Record], state: S, *, depth: int = 2, most: int = 3
) -> Picture:
    """The top of `tree`: its most visited positions at most `depth` moves from `state`.

    Each position is drawn once, with its mean and its visits. The mean is that of the player who
    moved there. An edge is the wider, the more visits the position at its end has.
    """
    nodes = top_of(game, tree, state, depth=depth, most=most)
    title = f"{game.name}: the top of a tree of {counted(nodes[0].visits, 'visit')}"
    drawing = svg.stacked([_drawing(game.display, nodes), _NOTE])
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


def _sizes(display: Display[Any], nodes: Sequence[Node]) -> list[_Pair]:
    """The width and the height of each node, with room for its text and the ends of its edges."""
    ends = Counter(child for node in nodes for _, child, _ in node.moves)
    texts = [_inside(display, node) for node in nodes]
    highs = [max(text.height + 12, APART * ends[i] + 6) for i, text in enumerate(texts)]
    return [(text.width + 16, high) for text, high in zip(texts, highs, strict=True)]


def _drawing(display: Display[Any], nodes: Sequence[Node]) -> Drawing:
    """The edges, their names and events, and above them the nodes; one without visits is pale."""
    sizes = _sizes(display, nodes)
    columns, y = _columns(nodes, sizes), _centres(nodes, [high for _, high in sizes])
    moves = [(i, *move) for i, node in enumerate(nodes) for move in node.moves]
    moves_to = groupby(2, moves)
    most = max((node.visits for node in nodes[1:]), default=0) or 1
    edges, names, boxes = [], [], []
    for i, node in enumerate(nodes):
        x, width = columns[node.layer][0], 1 + 7 * node.visits / most
        box = _node_box(display, node, *sizes[i])
        pale = None if node.visits else "0.3"
        facts = {"opacity": pale, "data_visits": str(node.visits), "data_mean": node.mean}
        boxes.append(svg.group(x, y[i] - sizes[i][1] / 2, box, **facts))
        arrivals = sorted(moves_to.get(i, ()), key=lambda move: y[move[0]])
        for place, (parent, label, _, event) in enumerate(arrivals):
            begin, bend = columns[nodes[parent].layer]
            end = y[i] + APART * (place - (len(arrivals) - 1) / 2)
            line = _edge(begin + sizes[parent][0], y[parent], bend, end, x)
            tip = svg.tip(f"{label}: {node.visits:,} visits")
            look: dict[str, Attribute] = {"fill": "none", "stroke": _LINES, "stroke_width": width}
            edges.append(svg.path(line, tip, **look, data_edge=f"{parent} {i}"))
            name = svg.words_on_lines(x - 5, end - width / 2 - 3, label)
            if event:
                name += _sign(columns[node.layer - 1][1] + TURN, end, event)
            names.append(name)
    return Drawing(columns[-1][1], 2 * y[0], "".join([*edges, *names, *boxes]))


def _inside(display: Display[Any], node: Node) -> Drawing:
    """The name or the small board of a node, and below it its mean and its visits."""
    above = svg.text_lines([svg.cut(node.name, 40)] if node.name else [], 14, DARK)
    if display.squares and not node.name:
        squares = display.squares(node.state)
        side = min(14.0, max(5.0, 72 / max(len(squares.rows), 1)))
        above = board(squares, side, display.look)
    below = [f"{node.mean} · {node.visits:,}"] if node.visits else []
    return svg.stacked([above, svg.text_lines(below)], 2)


def _node_box(display: Display[Any], node: Node, width: float, height: float) -> str:
    """A node in a frame of this size."""
    inside = _inside(display, node)
    numbers = f"mean {node.mean}, visits {node.visits:,}" if node.visits else "no visits"
    tip = f"{svg.cut(node.name, 60)} {numbers}".strip()
    frame = svg.element("rect", width=width, height=height, rx=6, fill=PAPER, stroke=DARK)
    return svg.tip(tip) + frame + svg.group(8, (height - inside.height) / 2, inside.body)


def _sign(x: float, y: float, event: str) -> str:
    """The sign of an event of chance, on the edge of a move that it allows."""
    wide = _sign_width(event)
    look: dict[str, Attribute] = {"fill": PAPER, "stroke": _LINES, "stroke_width": 1.5}
    frame = svg.element("rect", x=x, y=y - 9, width=wide, height=18, rx=9, **look)
    return frame + svg.words(x + wide / 2, y + 4, event, 12, "middle", data_event=event)


def _sign_width(event: str) -> float:
    """The width of the sign of an event; 0 without one."""
    return max(18.0, svg.width_of(event, 12) + 10) if event else 0.0


def _edge(x: float, y: float, bend: float, end: float, to: float) -> str:
    """A line from (x, y) to the right that bends after `bend`, and ends level with `end`."""
    middle, straight = bend + TURN / 2, bend + TURN
    return f"M{x},{y}H{bend}C{middle},{y} {middle},{end} {straight},{end}H{to}"


def _columns(nodes: Sequence[Node], sizes: Sequence[_Pair]) -> list[_Pair]:
    """The left and the right side of each column, with room for the moves to it before it."""
    columns: list[_Pair] = []
    for layer in range(1 + max(node.layer for node in nodes)):
        moves = [move for node in nodes for move in node.moves if nodes[move[1]].layer == layer]
        rooms = [svg.width_of(label, 13) + 12 + _sign_width(event) for label, _, event in moves]
        room = max(rooms, default=0)
        side = room + (columns[-1][1] + TURN if columns else 0)
        wide = max(sizes[i][0] for i, node in enumerate(nodes) if node.layer == layer)
        columns.append((side, side + wide))
    return columns


def _centres(nodes: Sequence[Node], heights: Sequence[float]) -> list[float]:
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
    bands = [height + GAP for height in heights]
    for i in reversed(order):
        bands[i] = max(bands[i], sum(bands[child] for child in below[i]))
    y = [(bands[0] - GAP) / 2] * len(bands)
    for i in order:
        at = y[i] - sum(bands[child] for child in below[i]) / 2
        for child in below[i]:
            y[child] = at + bands[child] / 2
            at += bands[child]
    return y
