"""A turn of a game with a tree, as a page draws it: rows of the moves, and the top of the tree."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from math import inf
from typing import NamedTuple

from purembts.app.encoded import move_squares, table_facts
from purembts.app.hints import Cost, cost_table, visits_at
from purembts.app.positions import AnyGame, AnyTree, AnyTurn, Position, visible
from purembts.app.sessions import Setting, Turns
from purembts.display import Square, counted, number
from purembts.positions import children
from purembts.records import NOTHING
from purembts.report import Facts, Report, heat_digits, worth

MOST_NODES, DEEPEST = 200, 5
"""The most nodes of a tree that are drawn, and the most moves from the root to one of them."""


class Scene(NamedTuple):
    """The last turn of a game, as the player to move sees it."""

    setting: Setting
    turns: Turns
    view: AnyTurn
    squares: Sequence[Sequence[Square]]
    """The squares that each move fills or changes."""


def scene_of(setting: Setting, turns: Turns) -> Scene:
    """The scene of the last turn."""
    view = visible(setting.game, turns[-1])
    return Scene(setting, turns, view, move_squares(setting.game, view))


def state_of(
    scene: Scene, tree: AnyTree, report: Report | None, said: str, path: Sequence[Position] = ()
) -> Facts:
    """The facts of a tree at a scene, with a sentence; without a report, no moves and no tree."""
    dives = visits_at(tree, scene.view)
    return {
        "kind": "tree",
        "dives": dives,
        "of": dives,
        "said": said,
        "rows": _move_facts(scene, report) if report else [],
        "tree": _node_facts(scene, tree, top_nodes(scene, tree, path)) if report else [],
        "curve": None,
        "film": None,
    }


def _move_facts(scene: Scene, report: Report) -> list[Facts]:
    """For each move its label and its squares, its visits, and its worth as numbers and texts.

    The heat goes from 0 for the worst of the moves to 1 for the best one. It is by the exact values
    where they are known, and otherwise by the means.
    """
    digits, scores = heat_digits(report), list(map(worth, report.rows))
    numbers = [score for score in scores if score > -inf]
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)

    def heat(score: float) -> float:
        return (score - low) / (high - low) if high > low else 0.5

    return [
        {
            "label": row.label,
            "squares": squares,
            "visits": row.visits,
            "score": "" if row.mean is None else number(row.mean, digits),
            "exact": "" if row.exact is None else number(row.exact, digits),
            "heat": None if score == -inf else heat(score),
            "best": row.best or (row.learnt and row.exact is None),
        }
        for row, squares, score in zip(report.rows, scene.squares, scores, strict=True)
    ]


def part_of(game: AnyGame, score: float) -> float:
    """A score as a part of the range of scores, from 0 to 1."""
    low, high = game.score_range
    return min(max((score - low) / (high - low), 0.0), 1.0)


# The top of a tree


class _Node(NamedTuple):
    """A position in the top of a tree. One that is reached on two ways is two nodes."""

    state: Position
    parent: int
    """The number of the node before; -1 for the root."""
    slot: int
    """The number of the position among the `slots` that can follow from the parent."""
    slots: int
    depth: int


def top_nodes(scene: Scene, tree: AnyTree, path: Sequence[Position] = ()) -> list[_Node]:
    """The most visited nodes of a tree from a turn on, each after its parent, and all of `path`."""
    nodes, waiting = list[_Node](), [(-inf, 0, _Node(scene.view.state, -1, 0, 1, 0))]
    while waiting and len(nodes) < MOST_NODES:
        node, n = heappop(waiting)[2], len(nodes)
        nodes.append(node)
        below = _below(scene, node) if node.depth < DEEPEST else []
        for i, child in enumerate(below):
            if visits := (tree.get(child) or NOTHING).visits:
                rank = -inf if child in path[node.depth + 1 :] else -visits
                order = n * MOST_NODES**2 + i
                heappush(waiting, (rank, order, _Node(child, n, i, len(below), node.depth + 1)))
    return nodes if len(nodes) > 1 or scene.view.state in tree else []


def _below(scene: Scene, node: _Node) -> list[Position]:
    """The positions that can follow from a node; behind a view, only those of the turn itself."""
    if node.depth == 0:
        return list(dict.fromkeys(scene.view.moves))
    game = scene.setting.game
    return [] if game.hidden else list(children(game, node.state))


def _node_facts(scene: Scene, tree: AnyTree, nodes: Sequence[_Node]) -> list[Facts]:
    """The facts of nodes; a `share` is the mean of the player to move at the root, from 0 to 1."""
    game, player, facts = scene.setting.game, scene.view.player, []
    for state, parent, slot, slots, depth in nodes:
        n, scores = tree.get(state) or NOTHING
        label = game.display.label(nodes[parent].state, state) if depth else ""
        share = part_of(game, scores[player] / n) if n else 0.5
        visits = n if depth else visits_at(tree, scene.view)
        facts.append({"parent": parent, "label": label, "visits": visits, "share": share})
        facts[-1] |= {"slot": slot, "slots": slots, "depth": depth}
    return facts


# The cost of choices


def costs_facts(game: AnyGame, costs: Sequence[Cost], of: int) -> Facts:
    """The choices whose costs are known, of `of` in all, with their table."""
    table = table_facts(cost_table(game, costs)) if costs else None
    choices = list(map(_cost_facts, costs))
    said = f"{len(costs)} of {counted(of, 'choice')} so far." if len(costs) < of else _costly(costs)
    return {"said": said, "choices": choices, "table": table}


def _costly(costs: Sequence[Cost]) -> str:
    """The sentence that names the choice with the largest loss."""
    worst = max(costs, key=lambda cost: cost.loss or 0, default=None)
    if worst is None or not worst.loss:
        return "No choice is known to have cost anything."
    loss = number(worst.loss, heat_digits(worst.report))
    what = f"move {worst.number + 1}, {worst.choice.label}"
    return f"The costliest choice: {what}. It cost {loss}; {worst.best.label} was better."


def _cost_facts(cost: Cost) -> Facts:
    """A choice with its worth, the worth of the best move, and the loss; "" if that is unclear.

    A loss of a tenth of the range of scores is costly.
    """
    game, loss = cost.report.game, cost.loss
    return {
        "at": cost.number,
        "label": cost.choice.label,
        "best": cost.best.label,
        "share": part_of(game, worth(cost.choice)),
        "before": part_of(game, worth(cost.best)),
        "loss": "" if loss is None else number(loss, heat_digits(cost.report)),
        "is_costly": loss is not None and loss >= (game.score_range[1] - game.score_range[0]) / 10,
    }
