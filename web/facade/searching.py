"""One search at a turn, one tree: its states, as a page draws them.

A state is whole: the rows of the moves, the top of the tree, the curve and the sentence are of the
same dives. The tree is that of a strategy that thinks, or that of the visitor, who lets it grow
from the position on the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial, reduce
from heapq import heappop, heappush
from itertools import islice, pairwise
from math import inf
from typing import Any, NamedTuple

from facade.links import Link, link_of, setting_in, turns_in, value_in
from purembts.app import hints
from purembts.app.clock import occasions, paced
from purembts.app.encoded import board_facts, encoded, squares_at
from purembts.app.hints import LOST, Cost, done_in
from purembts.app.players import player_called, search_game
from purembts.app.positions import AnyGame, AnyTree, AnyTurn, Position, labels_of, visible
from purembts.app.sentences import outcome
from purembts.app.sessions import Session, Setting, Turns, rng_of
from purembts.app.steps import Moved, Progress, counted
from purembts.app.turns import one_turn
from purembts.chance import Rng, pick
from purembts.display import Square, new_squares, number
from purembts.exact import MOST_POSITIONS, against_best, not_solvable, solver, uniform
from purembts.game import Policy, endless, result_of, turn_at
from purembts.mcts import final_of, learnt
from purembts.play import is_alone, player_name
from purembts.players import growing
from purembts.positions import children, positions
from purembts.records import Record, Scores, as_tree, marks_of, merge, visits
from purembts.report import Facts, Report, Value, report, score_of, worth

LARGEST_TREE = 150_000
"""The most positions of a tree that grows on."""
MOST_NODES, DEEPEST = 200, 5
"""The most nodes of a tree that are drawn, and the most moves from the root to one of them."""
MOST_FRAMES = 40
"""The most positions of a random game that are shown."""
_BETWEEN = 0.1
"""The least seconds between two states."""


class _Place(NamedTuple):
    """The last turn of a game, as the player to move sees it."""

    setting: Setting
    turns: Turns
    view: AnyTurn
    squares: Sequence[Sequence[Square]]
    """The squares that each move fills or changes."""


def _place_of(setting: Setting, turns: Turns) -> _Place:
    """The place of the last turn."""
    game, view = setting.game, visible(setting.game, turns[-1])
    now = squares_at(game, view.state)
    squares = [new_squares(now, squares_at(game, move)) for move in view.moves]
    return _Place(setting, turns, view, squares)


_newest: dict[Link, AnyTree] = {}
"""The last tree that was grown in a game, by the link of the game without its moves."""


def _keep(link: Link, tree: AnyTree) -> None:
    """Keep the last tree, and no other one."""
    _newest.clear()
    _newest[_without_moves(link)] = tree


def _without_moves(link: Link) -> Link:
    return link._replace(moves=(), players=())


# A strategy that thinks


def think(link: Mapping[str, Any]) -> Iterator[Facts]:
    """The states of the tree of the strategy whose turn it is; the last one has its `move`.

    Perfect play is a ValueError if too many positions can follow. Where people play behind views,
    a state has neither rows nor a tree: they would show the cards of the strategy.
    """
    whole = link_of(link)
    setting, turns = setting_in(whole), turns_in(whole)
    place, due = _place_of(setting, turns), occasions(_BETWEEN, 1)
    name = setting.names[turns[-1].player]
    if name == "perfect":
        yield from _solving(setting.game, place.view.moves, value_in(whole))
    player = player_called(setting.game, name, bound=setting.bound, value=setting.value)
    setting, last = setting._replace(players={turns[-1].player: player}), Progress("")
    for step in one_turn(setting, Session(turns), due=lambda _, tree: bool(tree) and next(due)):
        if isinstance(step, Progress):
            last = step
            if step.report or setting.game.hidden:
                yield _strategy_state(place, step, step.report)
        if isinstance(step, Moved):
            label = labels_of(setting.game, turns[-1])[turns[-1].moves.index(step.move)]
            _keep(whole, _tree_in(last))
            belief = step.belief and step.belief.report
            yield {**_strategy_state(place, last, belief), "move": label}


def _tree_in(step: Progress) -> AnyTree:
    return step.so_far or as_tree({})  # type: ignore[return-value]


def _strategy_state(place: _Place, step: Progress, report: Report | None) -> Facts:
    """The state of the tree of a strategy; the numbers alone without a report."""
    who = player_name(place.view.player).capitalize()
    said = f"{who} looks ahead: {counted(step.done, step.unit[:-1])}." if step.unit else ""
    state = _state(place, _tree_in(step) if report else as_tree({}), report, said)
    return {**state, "dives": step.done, "of": step.of, "unit": step.unit}


# The visitor's search


class _Search(NamedTuple):
    """A search from a turn. Its list and its maps change while it grows."""

    place: _Place
    game: AnyGame
    """The game in which it dives."""
    turn: AnyTurn
    """The turn in that game."""
    rng: Rng
    trees: list[AnyTree]
    """The newest tree alone."""
    shares: dict[str, dict[int, Fraction]]
    """The scores of the moves of its trees by their dives, against `random` and against `best`
    play."""


@lru_cache(maxsize=4)
def _search_at(link: Link) -> _Search:
    """The search from the last turn of a link, with an empty tree."""
    setting, turns = setting_in(link), turns_in(link)
    place, game = _place_of(setting, turns), search_game(setting.game)
    view = place.view
    turn = view if game.hidden or not view.moves else turn_at(game, view.state, view.event)
    rng = rng_of(setting, len(turns) - 1, "/hints")
    return _Search(place, game, turn, rng, [as_tree({})], {"random": {}, "best": {}})


def search(
    link: Mapping[str, Any],
    to: int = 0,
    film: bool = False,
    exact: bool = False,
) -> Iterator[Facts]:
    """The states of the visitor's tree from the last turn of a link, until it has `to` dives.

    Before its first dive, the state is that of the last tree in this game, seen from here. A `film`
    is of one dive more. With `exact`, there are exact values too, after steps of the kind `busy`.
    """
    whole = link_of(link)
    here = _search_at(whole._replace(players=()))
    place, value = here.place, value_in(whole) if exact else None
    if not place.view.moves:
        return
    if value:
        yield from _solving(place.setting.game, place.view.moves, value)
    dives = _dives(here)
    if film:
        path, shown = _film(here)
        yield {**_visitor_state(here, dives + 1, value, path), "film": shown}
    for _ in _growth(here, to):
        yield _visitor_state(here, to, value)
    if _dives(here):
        _keep(whole, here.trees[0])
    if dives >= to and not film:
        seen = None if dives else _newest.get(_without_moves(whole))
        yield _seen_state(place, seen, value) if seen else _visitor_state(here, dives, value)


def _dives(here: _Search) -> int:
    return done_in(here.trees[0], here.place.view)


def _growth(here: _Search, to: int) -> Iterator[None]:
    """Let the tree grow up to `to` dives, with a step at the marks and whenever one is due."""
    dives, due, bound = _dives(here), occasions(_BETWEEN, 1), here.place.setting.bound
    marks = {*marks_of(to), to} if to > dives else set[int]()
    parts = paced(b - a for a, b in pairwise([dives, *sorted(n for n in marks if n > dives)]))
    turn = None if here.game.hidden else here.turn
    start, last = here.turn.state, here.trees[0]
    for tree in growing(here.game, last, start, parts, here.rng, turn=turn, bound=bound):
        here.trees[0] = tree
        if (n := _dives(here)) in marks and n:
            _measure(here)
        if next(due) or n in marks:
            yield
        if len(tree) > LARGEST_TREE:
            return


def _visitor_state(
    here: _Search, of: int, value: Value | None, path: Sequence[Position] = ()
) -> Facts:
    """The state of the visitor's tree, which will have `of` dives."""
    place, tree, dives = here.place, here.trees[0], _dives(here)
    known = _report(place, tree, value)
    said = _sentence(place, known, counted(dives, "dive")) if dives else "No dives from here yet."
    state = _state(place, tree, known, f"{said}{_lost(place, known)}", path)
    curve = _curve(here, value) if dives else None
    return {**state, "dives": dives, "of": max(of, dives), "curve": curve}


def _seen_state(place: _Place, tree: AnyTree, value: Value | None) -> Facts:
    """The state of a tree that was grown elsewhere in the game, seen from here."""
    known, dives = _report(place, tree, value), done_in(tree, place.view)
    came = f"{counted(dives, 'dive')} of the last search came here."
    state = _state(place, tree if dives else as_tree({}), known, came)
    return {**state, "dives": dives, "of": dives}


def _report(place: _Place, tree: AnyTree, value: Value | None) -> Report:
    """The knowledge about the turn."""
    game, bound = place.setting.game, place.setting.bound
    return report(game, place.view, tree, bound=bound, final=final_of(game), value=value)


def _sentence(place: _Place, known: Report, dives: str) -> str:
    """The sentence that says which move would be played."""
    most = "most visits" if final_of(place.setting.game) is visits else "best mean"
    best = next((row.label for row in known.rows if row.learnt), "")
    return f"After {dives}: {best}, the move with the {most}." if best else f"After {dives}."


def _lost(place: _Place, known: Report) -> str:
    """The sentence that says that all is lost, if that is known."""
    game = place.setting.game
    exact = [row.exact for row in known.rows if row.exact is not None]
    is_lost = exact and max(exact) == game.score_range[0] and not is_alone(game)
    return f" {LOST}" if is_lost and len(place.turns) == 1 else ""


# A state


def _state(
    place: _Place,
    tree: AnyTree,
    known: Report | None,
    said: str,
    path: Sequence[Position] = (),
) -> Facts:
    """The facts of a tree that all states have."""
    return {
        "kind": "tree",
        "unit": "dives",
        "positions": len(tree),
        "said": said,
        "rows": _rows(place, known) if known else [],
        "tree": _tree_facts(place, tree, _top(place, tree, path)),
        "curve": None,
        "film": None,
    }


def _rows(place: _Place, known: Report) -> list[Facts]:
    """For each move its label and its squares, its visits, and its worth as numbers and texts.

    The heat goes from 0 for the worst of the moves to 1 for the best one.
    """
    digits, scores = _digits(known), [score_of(row) for row in known.rows]
    numbers = [score for score in scores if score > -inf]
    middle = (max(numbers) + min(numbers)) / 2 if numbers else 0.0
    most = max(numbers) - middle if numbers else 0.0
    return [
        {
            "label": row.label,
            "squares": squares,
            "visits": row.visits,
            "mean": None if row.mean is None else _part(known, row.mean),
            "score": "" if row.mean is None else number(row.mean, digits),
            "exact": "" if row.exact is None else number(row.exact, digits),
            "heat": None if score == -inf else abs(0.5 + (score - middle) / (2 * most or 1.0)),
            "best": row.best or (row.learnt and row.exact is None),
        }
        for row, squares, score in zip(known.rows, place.squares, scores, strict=True)
    ]


def _digits(known: Report) -> int:
    """The digits of scores after the point; small ones need more of them."""
    low, high = known.game.score_range
    most = max((abs(score_of(row)) for row in known.rows if score_of(row) > -inf), default=0)
    return 1 if high - low > 1 else 2 if most >= 0.1 else 3


def _part(known: Report, score: float) -> float:
    """A score as a part of the range of scores, from 0 to 1."""
    low, high = known.game.score_range
    return min(max((score - low) / (high - low), 0.0), 1.0)


class _Node(NamedTuple):
    """A position in the top of a tree. One that is reached on two ways is two nodes."""

    state: Position
    parent: int
    """The number of the node before; -1 for the root."""
    slot: int
    """The number of the position among the `slots` that can follow from the parent."""
    slots: int
    depth: int


def _top(place: _Place, tree: AnyTree, path: Sequence[Position] = ()) -> list[_Node]:
    """The most visited nodes of a tree from a turn on, each after its parent, and all of `path`."""
    nodes, waiting = list[_Node](), [(-inf, 0, _Node(place.view.state, -1, 0, 1, 0))]
    while waiting and len(nodes) < MOST_NODES:
        node, n = heappop(waiting)[2], len(nodes)
        nodes.append(node)
        after = _after(place, node) if node.depth < DEEPEST else []
        for i, child in enumerate(after):
            if (record := tree.get(child)) and record.visits:
                rank = -inf if child in path[node.depth + 1 :] else -record.visits
                order = n * MOST_NODES**2 + i
                heappush(waiting, (rank, order, _Node(child, n, i, len(after), node.depth + 1)))
    return nodes if len(nodes) > 1 or place.view.state in tree else []


def _after(place: _Place, node: _Node) -> list[Position]:
    """The positions that can follow from a node; behind a view, only those of the turn itself."""
    if node.depth == 0:
        return list(dict.fromkeys(place.view.moves))
    game = place.setting.game
    return [] if game.hidden else list(children(game, node.state))


def _tree_facts(place: _Place, tree: AnyTree, nodes: Sequence[_Node]) -> list[Facts]:
    """The facts of the nodes; a `share` is the mean of the player to move at the root, 0 to 1."""
    game, (low, high) = place.setting.game, place.setting.game.score_range
    facts = []
    for node in nodes:
        n, scores = tree.get(node.state) or _sum_of(place, tree)
        share = (scores[place.view.player] / n - low) / (high - low)
        before = nodes[node.parent].state
        label = game.display.label(before, node.state) if node.depth else ""
        known = {"label": label, "visits": n, "share": share, "depth": node.depth}
        facts.append({"parent": node.parent, **known, "slot": node.slot, "slots": node.slots})
    return facts


def _sum_of(place: _Place, tree: AnyTree) -> Record:
    """The sum of the records after a turn, for a tree that has none of the turn itself."""
    return reduce(merge, [tree[move] for move in place.view.moves if move in tree])


# The curve


def _measure(here: _Search) -> None:
    """Keep the score of what the tree plays against random play, where the game is small."""
    if here.place.setting.game.is_small:
        shares = here.shares["random"]
        if not shares:
            shares[0] = _score(here, as_tree({}), uniform)
        shares[_dives(here)] = _score(here, here.trees[0], uniform)


def _score(here: _Search, tree: AnyTree, other: Policy[Any, Any] | None) -> Fraction:
    """The exact score of what a tree plays from the turn, if the others play by `other`, or best.

    It is a part of the range of scores, from 0 to 1.
    """
    game, player = here.place.setting.game, here.place.view.player
    mine = learnt(tree, final=final_of(game))

    def both(turn: AnyTurn) -> Sequence[Position]:
        return mine(turn) if turn.player == player or other is None else other(turn)

    is_best = other is None
    value = solver(game, against_best(player, mine)) if is_best else solver(game, policy=both)
    moves, (low, high) = mine(here.place.view), game.score_range
    scores = [Fraction(value(move)[player]) for move in moves]
    return (sum(scores, Fraction()) / len(scores) - Fraction(low)) / Fraction(high - low)


def _curve(here: _Search, value: Value | None) -> Facts | None:
    """The learning curve so far; None in a large game. With `value`, also against best play."""
    points, exact = here.shares["random"], None
    if not points:
        return None
    if value:
        worths, n, view = here.shares["best"], _dives(here), here.place.view
        if n not in worths:
            worths[n] = _score(here, here.trees[0], None)
        best = max(value(move)[view.player] for move in view.moves)
        exact = {"points": sorted(worths.items()), "best": best}
    alone = is_alone(here.place.setting.game)
    title = "Share of wins" if alone else "Share of wins against random play"
    shares = sorted((n, share) for n, share in points.items() if n)
    return {"title": title, "points": shares, "random": points[0], "exact": exact}


# A film of one dive


def _film(here: _Search) -> tuple[Sequence[Position], Facts | None]:
    """Let the tree grow by one dive: its path and its phases; none behind a view."""
    before, state = here.trees[0], here.turn.state
    if here.game.hidden:
        return (), next((None for _ in _growth(here, _dives(here) + 1)), None)
    frames: list[tuple[Position, tuple[int, ...]]] = []
    policy = partial(_recorded, frames, here.place.setting.game)
    how: dict[str, Any] = {"bound": here.place.setting.bound, "default_policy": policy}
    [after] = growing(here.game, before, state, [1], here.rng, turn=here.turn, **how)
    here.trees[0] = after
    walk = positions(here.game, state, skip=lambda at: before.get(at) == after.get(at))
    path = [*walk][::-1]
    return path, _phases(here, path, frames, is_new=path[-1] not in before)


def _recorded(
    frames: list[tuple[Position, tuple[int, ...]]],
    game: AnyGame,
    _: AnyGame,
    state: Position,
    rng: Rng,
) -> Scores:
    """The result of a random game from `state`, as `plain_playout`; its positions go to `frames`.

    Each has the dice that were thrown there.
    """
    for _turn in range(game.max_turns):
        events = game.chances(state)
        n = pick(range(len(events)), rng)
        faces = game.display.dice(state, n) if game.display.dice and len(events) > 1 else ()
        frames.append((state, faces))
        moves = game.moves(state, events[n])
        if not moves:
            return result_of(game, state)
        state = pick(moves, rng)
    raise endless(game, state)


def _phases(
    here: _Search,
    path: Sequence[Position],
    frames: Sequence[tuple[Position, tuple[int, ...]]],
    *,
    is_new: bool,
) -> Facts:
    """The four phases of a dive in words, its path in the tree, its random game, and its result."""
    frames = frames or [(path[-1], ())]  # the last roll has ended the game
    game, end = here.place.setting.game, frames[-1][0]
    steps = [game.display.label(a, b) for a, b in pairwise(path)]
    old, new = steps[: len(steps) - is_new], steps[len(steps) - is_new :]
    select = (
        f"{', '.join(old)}, by the highest bound." if old else "moves without dives come first."
    )
    name = ", ".join(new) or ("the position on the board" if is_new else "no position")
    score, (low, high) = result_of(game, end)[here.place.view.player], game.score_range
    said = {
        "select": f"Select: {select}",
        "expand": f"Expand: {name} is new.",
        "simulate": f"Simulate: a random game. {outcome(game, end)}",
        "backpropagate": "Backpropagate: the result is added on the whole way back.",
    }
    return {
        "phases": [{"name": name, "said": sentence} for name, sentence in said.items()],
        "path": _numbers(_top(here.place, here.trees[0], path), path),
        "game": _frames(game, frames),
        "share": (score - low) / (high - low),
    }


def _numbers(nodes: Sequence[_Node], path: Sequence[Position]) -> list[int]:
    """The numbers of the nodes on a path."""
    numbers = [0]
    for state in path[1:]:
        steps = (n for n, node in enumerate(nodes) if node[:2] == (state, numbers[-1]))
        numbers.extend(islice(steps, 1))
    return numbers


def _frames(game: AnyGame, frames: Sequence[tuple[Position, tuple[int, ...]]]) -> list[Facts]:
    """The positions of a random game, at most `MOST_FRAMES` of them, as data."""
    step = max(1, -(-len(frames) // MOST_FRAMES))
    some = [*frames[::-step]][::-1]
    pairs = zip([None, *(state for state, _ in some)], some, strict=False)
    facts = [board_facts(game, state, before, dice) for before, (state, dice) in pairs]
    return [
        {**position, "text": "" if position["rows"] else position["text"]} for position in facts
    ]


# Exact values


def _solving(game: AnyGame, moves: Sequence[Position], value: Value) -> Iterator[Facts]:
    """Steps of the kind `busy` until the exact values of all moves are known.

    Too many positions are a ValueError.
    """
    if game.hidden:
        raise not_solvable(game)
    seen = set[Position]()
    for move in moves:
        for position in positions(game, move, skip=seen.__contains__):
            seen.add(position)
            value(position)
            if len(seen) > MOST_POSITIONS:
                raise not_solvable(game)
            if len(seen) % 500 == 0:
                yield {"kind": "busy", "said": f"{len(seen):,} positions are solved."}


# The cost of choices


def costs(link: Mapping[str, Any]) -> Iterator[Facts]:
    """The costs of the choices of the people in a game so far, the last first, after each of them.

    Each is worth a part of the range of scores, from 0 to 1.
    """
    whole = link_of(link)
    setting = setting_in(whole)
    for step in hints.costs(setting, turns_in(whole)):
        if isinstance(step, Progress) and step.unit == "choices":
            yield _cost_facts(setting.game, step)


def _cost_facts(game: AnyGame, step: Progress) -> Facts:
    """The facts of the choices so far, with their table."""
    so_far: Any = step.so_far
    facts = {"kind": "costs", "done": step.done, "of": step.of}
    table = encoded(hints.cost_table(game, so_far)) if so_far else None
    said = f"{step.done} of {counted(step.of or 0, 'choice')}."
    return {**facts, "said": said, "choices": [*map(_choice_facts, so_far)], "table": table}


def _choice_facts(cost: Cost) -> Facts:
    """A choice with its worth, that of the best move, and the loss in words; "" if it is unclear.

    A loss of a tenth of the range of scores is costly.
    """
    known, (low, high) = cost.report, cost.report.game.score_range
    return {
        "at": cost.number,
        "label": cost.choice.label,
        "best": cost.best.label,
        "share": _part(known, worth(cost.choice)),
        "before": _part(known, worth(cost.best)),
        "loss": "" if cost.loss is None else number(cost.loss, _digits(known)),
        "is_costly": cost.loss is not None and cost.loss >= (high - low) / 10,
    }
