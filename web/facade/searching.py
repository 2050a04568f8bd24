"""One search at a turn with one tree: of a strategy that thinks, or of the visitor.

The visitor lets the tree grow from the position on the board, and it plays random games. Each
answer is a state that is whole: its rows, its tree, its curve and its sentence are of the same
dives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from facade.links import Link, link_of, setting_in, turns_in
from facade.states import Scene, costs_facts, part_of, scene_of, state_of, top_nodes
from purembts.app.clock import occasions, paced
from purembts.app.encoded import board_facts
from purembts.app.hints import costs
from purembts.app.players import player_called, search_game
from purembts.app.positions import AnyGame, AnyTree, AnyTurn, Position, labels_of
from purembts.app.sentences import outcome
from purembts.app.sessions import Session, Setting, rng_of
from purembts.app.steps import Moved, Progress
from purembts.app.turns import one_turn
from purembts.chance import Rng
from purembts.display import counted
from purembts.exact import MOST_POSITIONS, against_best, not_solvable, solver, uniform
from purembts.game import is_alone, plain_playout, turn_at
from purembts.mcts import final_of, learnt, subtree
from purembts.play import player_name
from purembts.players import growing
from purembts.positions import positions
from purembts.records import NOTHING, Scores, as_tree, marks_of, visits
from purembts.report import Facts, Report, Value, report

LARGEST_TREE = 150_000
"""The most positions of a tree that grows on."""
MOST_FRAMES = 40
"""The most positions of a random game that are shown."""
_SECONDS = 0.1
"""The least time between two states."""


@lru_cache(maxsize=1)
def _trees_of(link: Link) -> list[AnyTree]:  # noqa: ARG001 - the key of the cache
    """The tree of a game, alone in a list: the last one that grew, whoever let it grow."""
    return [as_tree({})]


def _without_moves(link: Link) -> Link:
    return link._replace(moves=(), players=())


# A strategy that thinks


def strategy_trees(link: Mapping[str, Any]) -> Iterator[Facts]:
    """The states of the tree of the strategy whose turn it is; the last one has its `move`.

    Perfect play is a ValueError if too many positions can follow. Where people play behind views,
    a state has neither rows nor a tree: they would show the cards of the strategy.
    """
    whole = link_of(link)
    setting, turns = setting_in(whole), turns_in(whole)
    scene, due = scene_of(setting, turns), occasions(_SECONDS, 1)
    game, turn, last = setting.game, turns[-1], Progress("")
    if setting.names[turn.player] == "perfect":
        yield from _solving(setting, scene.view.moves)
    name, value = setting.names[turn.player], setting.value
    player = player_called(game, name, bound=setting.bound, value=value)
    setting = setting._replace(players={turn.player: player})
    for step in one_turn(setting, Session(turns), due=lambda _, tree: bool(tree) and next(due)):
        if isinstance(step, Progress):
            last = step
            if step.report or game.hidden:
                yield _strategy_state(scene, step, step.report)
        if isinstance(step, Moved):
            belief = step.belief
            _trees_of(_without_moves(whole))[0] = _tree_in(last) if belief else as_tree({})
            state = _strategy_state(scene, last, belief and belief.report)
            yield {**state, "move": labels_of(game, turn)[turn.moves.index(step.move)]}


def _tree_in(step: Progress) -> AnyTree:
    return step.so_far or as_tree({})  # type: ignore[return-value]


def _strategy_state(scene: Scene, step: Progress, report: Report | None) -> Facts:
    """The state of the tree of a strategy; the numbers alone without a report."""
    who = player_name(scene.view.player).capitalize()
    said = f"{who} looks ahead: {counted(step.done, step.unit[:-1])}." if step.unit else ""
    state = state_of(scene, _tree_in(step), report, said)
    return {**state, "dives": step.done, "of": step.of}


# The visitor's search


class _Search(NamedTuple):
    """A search from a turn. Its list and its maps change while it grows."""

    scene: Scene
    game: AnyGame
    """The game in which it dives."""
    turn: AnyTurn
    """The turn in that game."""
    rng: Rng
    trees: list[AnyTree]
    """The tree of its game alone."""
    shares: dict[str, dict[int, Fraction]]
    """The scores of the moves of its trees by their dives, against `random` or `best` play."""


@lru_cache(maxsize=4)
def _search_at(link: Link) -> _Search:
    """The search from the last turn of a link, which has no tree yet."""
    setting, turns = setting_in(link), turns_in(link)
    scene, game = scene_of(setting, turns), search_game(setting.game)
    view = scene.view
    turn = view if game.hidden or not view.moves else turn_at(game, view.state, view.event)
    rng = rng_of(setting, len(turns) - 1, "/hints")
    return _Search(scene, game, turn, rng, [], {"random": {}, "best": {}})


def visitor_trees(
    link: Mapping[str, Any], to: int = 0, film: bool = False, exact: bool = False
) -> Iterator[Facts]:
    """The states of the visitor's tree from the last turn of a link, until it has `to` dives.

    It is the last tree of this game, perhaps of an earlier turn. A `film` shows one more dive.
    With `exact`, there are exact values too, after steps of the kind `busy`.
    """
    whole = link_of(link)
    here = _search_at(whole._replace(players=()))._replace(trees=_trees_of(_without_moves(whole)))
    setting, moves = here.scene.setting, here.scene.view.moves
    value = setting.value if exact else None
    if not moves:
        return
    if exact:
        yield from _solving(setting, moves)
    if len(here.trees[0]) > LARGEST_TREE and not here.game.hidden:
        here.trees[0] = subtree(here.game, here.trees[0], here.turn.state)
    dives = _dives(here)
    if not dives and (film or to):
        here.trees[0] = as_tree({})
    elif not dives:
        here = here._replace(trees=[as_tree({})])  # the tree is of other positions, and stays
    for scores in here.shares.values():
        for n in [n for n in scores if n > dives]:
            del scores[n]  # of a tree that is gone
    if film:
        path, film_facts = _film_of(here)
        yield {**_visitor_state(here, dives + 1, value, path), "film": film_facts}
    for _ in _growth(here, to):
        yield _visitor_state(here, to, value)
    if dives >= to and not film:
        yield _visitor_state(here, to, value)


def _dives(here: _Search) -> int:
    return (here.trees[0].get(here.scene.view.state) or NOTHING).visits


def _growth(here: _Search, to: int) -> Iterator[None]:
    """Let the tree grow up to `to` dives, with a step at the marks and whenever one is due."""
    dives, due, bound = _dives(here), occasions(_SECONDS, 1), here.scene.setting.bound
    marks = {*marks_of(to), to} if to > dives else set[int]()
    parts = paced(b - a for a, b in pairwise([dives, *sorted(n for n in marks if n > dives)]))
    turn, state = None if here.game.hidden else here.turn, here.turn.state
    for tree in growing(here.game, here.trees[0], state, parts, here.rng, turn=turn, bound=bound):
        here.trees[0] = tree
        if (n := _dives(here)) in marks:
            _measure(here, n)
        is_full = len(tree) > LARGEST_TREE
        if next(due) or n in marks or is_full:
            yield
        if is_full:
            return


def _visitor_state(
    here: _Search, of: int, value: Value | None, path: Sequence[Position] = ()
) -> Facts:
    """The state of the visitor's tree, which will have `of` dives."""
    game, bound, view = here.scene.setting.game, here.scene.setting.bound, here.scene.view
    tree, dives, final = here.trees[0], _dives(here), final_of(game)
    beliefs = report(game, view, tree, bound=bound, final=final, value=value)
    came = f"After {counted(dives, 'dive')}" if of else f"{counted(dives, 'dive')} came here before"
    said = _best_sentence(beliefs, came) if dives else "No dives from here yet."
    said += _limit(here)
    said += " The number of a move is its score with best play." if value else ""
    said += " The tree is full." if len(tree) > LARGEST_TREE else ""
    state = state_of(here.scene, tree, beliefs, said, path)
    return {**state, "of": max(of, dives), "curve": _curve(here, value)}


def _best_sentence(beliefs: Report, came: str) -> str:
    """The sentence that says which move would be played."""
    most = "most visits" if final_of(beliefs.game) is visits else "best mean"
    best = [f": {row.label}, the move with the {most}" for row in beliefs.rows if row.learnt]
    return f"{came}{best[0] if best else ''}."


def _limit(here: _Search) -> str:
    """The sentence that says that only some of the moves are searched; "" if all are."""
    n, of = len(here.turn.moves), len(here.scene.view.moves)
    return f" It looks at {n} of {of} moves, the most promising ones." if n < of else ""


# The curve


def _measure(here: _Search, dives: int) -> None:
    """Keep the score of what the tree plays against random play, where the game is small."""
    shares = here.shares["random"]
    if here.scene.setting.game.is_small:
        shares[dives] = _score(here, here.trees[0])
        shares[0] = shares[0] if 0 in shares else _score(here, as_tree({}))


def _score(here: _Search, tree: AnyTree, *, is_best: bool = False) -> Fraction:
    """The exact score of what a tree plays from the turn, against random play, or against the best.

    It is a part of the range of scores, from 0 to 1.
    """
    game, player = here.scene.setting.game, here.scene.view.player
    mine = learnt(tree, final=final_of(game))

    def policy(turn: AnyTurn) -> Sequence[Position]:
        return mine(turn) if turn.player == player else uniform(turn)

    value = solver(game, against_best(player, mine)) if is_best else solver(game, policy=policy)
    moves, (low, high) = mine(here.scene.view), game.score_range
    scores = [Fraction(value(move)[player]) for move in moves]
    return (sum(scores, Fraction()) / len(scores) - Fraction(low)) / Fraction(high - low)


def _curve(here: _Search, value: Value | None) -> Facts | None:
    """The learning curve so far; None in a large game. With `value`, also against best play."""
    points, exact, game = here.shares["random"], None, here.scene.setting.game
    if not points:
        return None
    if value:
        worths, n, view = here.shares["best"], _dives(here), here.scene.view
        worths[n] = worths[n] if n in worths else _score(here, here.trees[0], is_best=True)
        best = max(value(move)[view.player] for move in view.moves)
        exact = {"points": sorted(worths.items()), "best": part_of(game, float(best))}
        exact["title"] = "" if is_alone(game) else "Score against best play"
    title = f"Share of wins{'' if is_alone(game) else ' against random play'}"
    shares = sorted((n, share) for n, share in points.items() if n)
    return {"title": title, "points": shares, "random": points[0], "exact": exact}


# A film of one dive

_Frames: TypeAlias = list[tuple[Position, tuple[int, ...]]]
"""The positions of a random game, each with the dice that were thrown there."""


def _film_of(here: _Search) -> tuple[Sequence[Position], Facts | None]:
    """Let the tree grow by one dive: its path and its phases; none behind a view."""
    before, state, frames = here.trees[0], here.turn.state, _Frames()
    if here.game.hidden:
        return (), next((None for _ in _growth(here, _dives(here) + 1)), None)
    policy = partial(_random_game, frames, here.scene.setting.game)
    how: dict[str, Any] = {"bound": here.scene.setting.bound, "default_policy": policy}
    [after] = growing(here.game, before, state, [1], here.rng, turn=here.turn, **how)
    here.trees[0] = after
    walk = positions(here.game, state, skip=lambda at: before.get(at) == after.get(at))
    path = list(walk)[::-1]
    frames = frames or [(path[-1], ())]  # the last roll has ended the game
    return path, _film_facts(here, path, frames, is_new=path[-1] not in before)


def _random_game(frames: _Frames, game: AnyGame, _: AnyGame, state: Position, rng: Rng) -> Scores:
    """The result of a random game, whose positions go to `frames`."""
    dice = game.display.dice

    def noted_moves(at: Position, n: int) -> Sequence[Position]:
        events = game.chances(at)
        frames.append((at, dice(at, n) if dice and len(events) > 1 else ()))
        return game.moves(at, events[n])

    by_number = game._replace(moves=noted_moves, chances=lambda at: range(len(game.chances(at))))
    return plain_playout(by_number, state, rng)


def _film_facts(here: _Search, path: Sequence[Position], frames: _Frames, *, is_new: bool) -> Facts:
    """The four phases of a dive in words, its path in the tree, its random game, and its result."""
    game, end = here.scene.setting.game, frames[-1][0]
    steps = [game.display.label(before, after) for before, after in pairwise(path)]
    way, name = ", ".join(steps), "no position"
    if is_new:
        way, name = ", ".join(steps[:-1]), steps[-1] if steps else "the position on the board"
    phases = (
        f"Select: {f'{way}, by the highest bound' if way else 'new moves come first'}.",
        f"Expand: {name} is new.",
        f"Simulate: a random game. {outcome(game, end)}",
        "Backpropagate: the result is added on the whole way back.",
    )
    return {
        "phases": phases,
        "path": _path_numbers(here, path),
        "game": _frame_facts(game, frames),
        "share": part_of(game, game.result(end)[here.scene.view.player]),
    }


def _path_numbers(here: _Search, path: Sequence[Position]) -> list[int]:
    """The numbers of the nodes on a path."""
    numbers, nodes = [0], top_nodes(here.scene, here.trees[0], path)
    for state in path[1:]:
        numbers += [n for n, node in enumerate(nodes) if node[:2] == (state, numbers[-1])]
    return numbers


def _frame_facts(game: AnyGame, frames: _Frames) -> list[Facts]:
    """The positions of a random game as data: at most `MOST_FRAMES`, and the last one."""
    some = frames[:: -max(1, -(-len(frames) // MOST_FRAMES))][::-1]
    pairs = zip([None, *(state for state, _ in some)], some, strict=False)
    facts = [board_facts(game, state, before, dice) for before, (state, dice) in pairs]
    return [{**position, "text": ""} if position["rows"] else position for position in facts]


# Exact values, and the cost of choices


def _solving(setting: Setting, moves: Sequence[Position]) -> Iterator[Facts]:
    """Steps of the kind `busy` until the exact values of all moves are known.

    Too many positions are a ValueError.
    """
    game, value, solved = setting.game, setting.value, set[Position]()
    if value is None or game.hidden:
        raise not_solvable(game)
    for move in moves:
        for position in positions(game, move, skip=solved.__contains__):
            solved.add(position)
            value(position)
            if len(solved) > MOST_POSITIONS:
                raise not_solvable(game)
            if len(solved) % 500 == 0:
                yield {"kind": "busy", "said": f"{len(solved):,} positions are solved."}


def choice_costs(link: Mapping[str, Any]) -> Iterator[Facts]:
    """The costs so far, after each choice of the people is judged, from the last one back.

    Each is worth a part of the range of scores, from 0 to 1.
    """
    whole = link_of(link)
    setting = setting_in(whole)
    for step in costs(setting, turns_in(whole)):
        yield costs_facts(setting.game, step.so_far, step.of or 0)  # type: ignore[arg-type]
