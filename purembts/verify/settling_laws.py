"""Laws of better estimates from a tree, and of dives that leave out all that is certain.

The functions, trees and games are like those of `certainty_laws`, which has their definitions.
`backed_up(tree, state)` returns a tree, `robust(tree, state)` a policy, and
`settle(tree, state, rng)` a new tree and the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, TypeAlias

from pyrsistent import pmap

from purembts.checks import brief
from purembts.exact import solver
from purembts.game import E, Game, Policy, S
from purembts.mcts import merge_trees
from purembts.positions import children
from purembts.records import NOTHING, Record, Tree, rounding
from purembts.verify.certainty_laws import (
    AnyTree,
    Fold,
    certain_worths,
    chains,
    each_of,
    reached,
)
from purembts.verify.certificates import certain_after
from purembts.verify.laws import (
    Ends,
    as_text,
    best_range,
    broken,
    is_contest,
    is_within,
    mean_range,
    worst_values,
)
from purembts.verify.search_laws import Step, check_dive, line_of, stepped

Settle: TypeAlias = Callable[[Any, S, Any], tuple[Any, Any]]
"""One dive that leaves out all that is certain: the new tree, and the result of the game."""
EMPTY: Any = pmap()
"""A tree without positions."""


# Values backed up


def check_backed_up(backed_up: Fold[S], game: Game[S, E], start: S, *, seed: int = 7) -> None:
    """Check all laws of values that are backed up, in trees that are grown from `seed`.

    A tree can be a dict, a merge of trees, and one of values that were backed up before.
    """
    grown = chains(game, start, seed=seed)
    for tree in each_of(grown):
        check_one_backed_up(backed_up, game, start, tree)
        check_one_backed_up(backed_up, game, start, backed_up(tree, start))
    for one, other in pairwise(chain[-1] for chain in grown):
        check_one_backed_up(backed_up, game, start, dict(merge_trees(one, other).items()))


def check_one_backed_up(backed_up: Fold[S], game: Game[S, E], start: S, tree: AnyTree[S]) -> None:
    """Check all laws of values that are backed up in this tree."""
    after, places = backed_up(tree, start), reached(game, tree, start)
    for state in {**dict(tree.items()), **dict(after.items())}:
        old, new = tree.get(state), after.get(state)
        kept = old is not None and type(new) is Record and repr(new.visits) == repr(old.visits)
        if not kept or (new != old and state not in places):
            raise broken(
                "Values that are backed up must keep all visits, and all other positions.",
                f"The record of {brief(state)} was {old}, and is {new}.",
                "It must be the same, as it is not reached."
                if kept
                else f"Right are {0 if old is None else old.visits} visits.",
            )
    _check_means(game, start, tree, after, places)


def _check_means(
    game: Game[S, E],
    start: S,
    tree: AnyTree[S],
    after: Tree[S],
    places: Sequence[S],
) -> None:
    """A mean is the exact worth if it is certain, and else that of the best moves.

    It is the mean over the events whose moves have visits. Without such an event, it stays as it
    was. Best moves with equal values can have different values for the other players, so a value
    between them is right. Each mean is right up to its own rounding.
    """
    certain = certain_worths(game, tree, start)
    for state in places:
        right = _right_range(game, tree, certain, after, state) if after[state].visits else None
        error = rounding(len(game.chances(state)) + 4, game.score_range)
        if right and not is_within((got := _means(after[state]), got), right, error):
            raise broken(
                "A mean must be that of the best moves, over the events that are known.",
                f"The mean of {brief(state)} is {as_text(got)}.",
                f"Right is from {as_text(right[0])} to {as_text(right[1])}.",
            )


def _right_range(
    game: Game[S, E],
    tree: AnyTree[S],
    certain: Mapping[S, Any],
    after: Tree[S],
    state: S,
) -> Ends | None:
    """The lowest and the highest means that are right at `state`; None if they are not known."""
    if state in certain:
        return certain[state], certain[state]
    known = {move: after[move] for move in children(game, state) if move in after}
    if not all(record.visits for record in known.values()):
        return None  # such a move may have a value from its own moves
    if not known:
        return (_means(tree[state]),) * 2
    rows: list[Ends] = []
    for event in game.chances(state):
        moves = game.moves(state, event)
        if means := [_means(known[move]) for move in moves if move in known]:
            rows.append(best_range(means, game.to_move(state), rounding(4, game.score_range)))
        elif not moves:
            rows.append((game.result(state),) * 2)
    return mean_range(rows)


def _means(record: Record) -> tuple[float, ...]:
    return tuple([score / record.visits for score in record.scores])


# The policy


def check_policy(robust: Fold[S], game: Game[S, E], start: S, *, seed: int = 7) -> None:
    """Check all laws of a policy such as `robust`, in trees grown from `seed`."""
    for tree in each_of(chains(game, start, seed=seed)):
        check_play(robust, game, tree, start)


def check_play(robust: Fold[S], game: Game[S, E], tree: Tree[S], start: S) -> None:
    """The policy is never worth more than best play, and as much where the tree is settled.

    In a game for one player, or for two with a constant sum, each player meets best replies. In
    another game all follow the policy, and only settled positions are checked.
    """
    policy: Policy[S, E] = robust(tree, start)
    gets = worst_values(game, policy) if is_contest(game) else solver(game, policy=policy)
    certain = certain_worths(game, tree, start)
    for state in reached(game, tree, start):
        got = gets(state)
        if state in certain and got != certain[state]:
            raise broken(
                "A policy must be best play where the tree is settled.",
                f"At {brief(state)}, which is settled, it is worth {as_text(got)}.",
                f"Best play is worth {as_text(certain[state])}.",
            )


# Dives


def check_settle(
    settle: Settle[S],
    game: Game[S, E],
    start: S,
    *,
    tree: AnyTree[S] = EMPTY,
    remember: int | None = None,
    seed: int = 7,
) -> None:
    """Check all laws of a dive, in dives into `tree` from `start` until it is settled.

    `remember` is the most new positions of a dive; None if it adds the whole game.
    """
    rng, dives = Random(seed), 0
    while start not in (certain := certain_worths(game, tree, start)):
        dives += 1
        tree, step = stepped(settle, tree, start, rng, f"Dive {dives} with seed {seed}")
        check_dive(game, step)
        _check_open(game, step, certain, remember)
    state = rng.getstate()
    grown, result = settle(tree, start, rng)
    same, draws = grown is tree, rng.getstate() != state
    if not same or draws or tuple(result) != certain[start]:
        raise broken(
            "A dive from a settled position must return the same tree and the worth, and draw "
            "nothing.",
            f"From {brief(start)}, the tree is {'' if same else 'not '}the same, the result is "
            f"{as_text(tuple(result))}, and {'' if draws else 'no '}numbers are drawn.",
            f"The worth is {as_text(certain[start])}.",
        )


def _check_open(
    game: Game[S, E], step: Step[S], certain: Mapping[S, Any], remember: int | None
) -> None:
    """Each dive adds a position, so `start` is settled after finitely many dives."""
    line, new = line_of(game, step), sum(old == NOTHING for old, _ in step.changed.values())
    for state, move in pairwise(line):
        if move not in (left := _open_moves(game, certain, state)):
            raise broken(
                "A dive must leave out moves and events that are certain.",
                f"{step.name} went from {brief(state)} to {brief(move)}.",
                f"Open are {', '.join(map(brief, left))}.",
            )
    ends = not _open_moves(game, certain, line[-1])
    if new == 0 or not (new == remember or (ends and (remember is None or new < remember))):
        raise broken(
            "A dive must add its new positions, as many as it may remember.",
            f"{step.name} added {new} and ended at {brief(line[-1])}.",
            "Right is at least one, until nothing more is open."
            if remember is None
            else f"Right is {remember}, or fewer where nothing more is open.",
        )


def _open_moves(game: Game[S, E], certain: Mapping[S, Any], state: S) -> list[S]:
    """The moves that are not certain, after the events whose best move is not."""
    events = [each for each in game.chances(state) if not certain_after(game, certain, state, each)]
    moves = dict.fromkeys(move for event in events for move in game.moves(state, event))
    return [move for move in moves if move not in certain]
