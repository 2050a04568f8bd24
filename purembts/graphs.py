"""The top of a search tree as a graph, a value that a picture can draw.

The positions of a tree are shared: it is a DAG, and each position is there once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from purembts.checks import at_least_one, whole_number
from purembts.display import cut, digits_of, number
from purembts.game import Game, S
from purembts.positions import children
from purembts.records import NOTHING, Record, Tree, as_tree, mean
from purembts.report import short_text, turns_at


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
    game: Game[S, Any], tree: Tree[S] | dict[S, Record], state: S, *, depth: int, most: int
) -> list[Node]:
    """The part of `tree` at most `depth` moves from `state`, each position once, this one first.

    A position has at most `most` children, those with the most visits after any event.
    """
    whole_number(depth, "depth", 0)
    at_least_one(most, "most")
    graph = _graph(game, as_tree(tree), state, depth, most)
    layers, ids = _layers(graph, [state]), {position: i for i, position in enumerate(graph)}
    movers, digits = {state: game.to_move(state)}, min(3, digits_of(game.score_range))
    display, nodes = game.display, []
    for parent, moves in graph.items():
        movers |= dict.fromkeys(moves, game.to_move(parent))
        labels = [cut(display.label(parent, move), 24) for move in moves]
        events = [_event(game, parent, move) for move in moves]
        edges = list(zip(labels, [ids[move] for move in moves], events, strict=True))
        record = tree.get(parent) or NOTHING
        score = number(mean(record, movers[parent]), digits) if record.visits else "-"
        text = "" if display.squares else cut(display.show(parent), 24)  # a board is drawn
        name = short_text(game, parent) or text
        nodes.append(Node(parent, name, record.visits, score, layers[parent], edges))
    return nodes


def _event(game: Game[S, Any], state: S, move: S) -> str:
    """The event that allows a move, in a few characters; "" if every or several events do."""
    turns = turns_at(game, state)
    events = [turn.event for turn in turns if len(turns) > 1 and move in turn.moves]
    return cut(str(events[0]), 8) if len(events) == 1 else ""


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
