"""Laws of better estimates from a tree, and of dives that leave out all that is certain.

The functions, trees and games are like those of `certainty_laws`. `backed_up(tree, state)` returns
a tree, `robust(tree, state)` a policy, and `settle(tree, state, rng)` a new tree and the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, TypeAlias

from pyrsistent import pmap

from purembts import jsonl
from purembts.checks import brief
from purembts.exact import solver
from purembts.game import E, Game, Policy, S
from purembts.mcts import learnt, merge_trees
from purembts.positions import children
from purembts.proving import settled as right_settled
from purembts.records import NOTHING, Record, Tree, interval, rounding
from purembts.verify.certainty_laws import Fold, as_text, chains, each_of, open_events, reached
from purembts.verify.laws import (
    Ends,
    best_range,
    broken,
    exactly,
    is_contest,
    is_within,
    mean_range,
    read_tree,
    worst_values,
)
from purembts.verify.search_laws import Step, check_dive, line_of, stepped

Settle: TypeAlias = Callable[[Any, S, Any], tuple[Any, Any]]
"""One dive that leaves out all that is certain: the new tree, and the result of the game."""
EMPTY: Any = pmap()
"""A tree without positions."""


# Values backed up


def check_backed_up(backed_up: Fold[S], game: Game[S, E], start: S, *, seed: int = 7) -> None:
    """Check all laws of values that are backed up, in trees that are grown from `seed`."""
    grown = chains(game, start, seed=seed)
    for tree in each_of(grown):
        check_one_backed_up(backed_up, game, start, tree)
    for one, other in pairwise(chain[-1] for chain in grown):
        _check_sum_alone(backed_up, one, other, start)


def check_one_backed_up(backed_up: Fold[S], game: Game[S, E], start: S, tree: Tree[S]) -> None:
    """Check all laws of values that are backed up in this tree."""
    once, places = backed_up(tree, start), reached(game, tree, start)
    _check_visits_kept(tree, once, places)
    _check_means(game, start, tree, once, places)
    _check_reads(game, start, once, places)
    _check_twice(game, once, backed_up(once, start))


def _check_visits_kept(tree: Tree[S], after: Tree[S], places: Sequence[S]) -> None:
    for state in {**dict(tree.items()), **dict(after.items())}:
        old, new = tree.get(state), after.get(state)
        kept = old is not None and new is not None and new.visits == old.visits
        if not kept or (new != old and state not in places):
            raise broken(
                "Values that are backed up must keep all visits, and all other positions.",
                f"The record of {brief(state)} was {old}, and is {new}.",
                "It must be the same, as it is not reached."
                if kept
                else f"Right are {0 if old is None else old.visits} visits.",
            )


def _check_means(
    game: Game[S, E], start: S, tree: Tree[S], after: Tree[S], places: Sequence[S]
) -> None:
    """A mean is the exact worth if it is certain, and else that of the best moves.

    It is the mean over the events whose moves have visits. Without such an event, it stays as it
    was. Best moves with equal values can have different values for the other players, so a value
    between them is right. Each mean is right up to its own rounding.
    """
    certain = right_settled(game, tree, start)
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
    game: Game[S, E], tree: Tree[S], certain: Mapping[S, Any], after: Tree[S], state: S
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


def _check_twice(game: Game[S, E], once: Tree[S], twice: Tree[S]) -> None:
    error = rounding(len(once) + 4, game.score_range)
    for state, (n, scores) in once.items():
        if any(abs(a - b) > n * error for a, b in zip(scores, twice[state].scores, strict=True)):
            raise broken(
                "Values that are backed up twice must be the same as once.",
                f"The record of {brief(state)} became {twice[state]}.",
                f"Right is {once[state]}.",
            )


def _check_sum_alone(backed_up: Fold[S], one: Tree[S], other: Tree[S], start: S) -> None:
    """It must not matter in which order the tree lists its positions."""
    right = read_tree(backed_up(merge_trees(one, other), start))
    turned = dict(sorted(merge_trees(other, one).items(), key=repr))
    for state, record in read_tree(backed_up(turned, start)).items():
        if right[state] != record:
            raise broken(
                "Values backed up in a merged tree must depend on the sums of its records alone.",
                f"With the trees the other way round, {brief(state)} has the record {record}.",
                f"Before, it was {right[state]}.",
            )


def _check_reads(game: Game[S, E], start: S, after: Tree[S], places: Sequence[S]) -> None:
    """The tree has intervals of its means, a policy, and a text that is read as the same."""
    try:
        for state in places:
            for player in range(game.players):
                interval(after[state], player, score_range=game.score_range)
        solver(game, policy=learnt(after))(start)
        if game.json is not None:
            list(jsonl.lines(game, after))
    except ValueError as error:
        raise broken(
            "A tree of values that are backed up must be a tree like any other.",
            f"It cannot be read: {error}",
            "A mean must be within the range of scores, up to rounding.",
        ) from error


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
    certain, contest = right_settled(game, tree, start), is_contest(game)
    gets = worst_values(game, policy) if contest else solver(game, policy=policy)
    for state in reached(game, tree, start):
        got, right = gets(state), exactly(game)(state)
        if contest and any(a > b for a, b in zip(got, right, strict=True)):
            raise broken(
                "No policy may be worth more than best play.",
                f"At {brief(state)}, the policy is worth {as_text(got)}.",
                f"Best play is worth {as_text(right)}: the rules are wrong.",
            )
        if state in certain and got != right:
            raise broken(
                "A policy must be best play where the tree is settled.",
                f"At {brief(state)}, which is settled, it is worth {as_text(got)}.",
                f"Best play is worth {as_text(right)}.",
            )


# Dives


def check_settle(
    settle: Settle[S],
    game: Game[S, E],
    start: S,
    *,
    tree: Tree[S] | dict[S, Record] = EMPTY,
    remember: int | None = None,
    seed: int = 7,
) -> None:
    """Check all laws of a dive, in dives into `tree` from `start` until it is settled.

    `remember` is the most new positions of a dive; None if it adds the whole game.
    """
    rng, dives = Random(seed), 0
    while start not in (certain := right_settled(game, tree, start)):
        dives += 1
        tree, step = stepped(settle, tree, start, rng, f"Dive {dives} with seed {seed}")
        check_dive(game, step)
        _check_open(game, step, certain)
        _check_new(game, step, certain, remember)
    _check_rest(settle, tree, start, certain[start])


def _check_open(game: Game[S, E], step: Step[S], certain: Mapping[S, Any]) -> None:
    line = line_of(game, step)
    for state in line:
        if state in certain:
            raise broken(
                "A dive must leave out settled positions.",
                f"{step.name} went to {brief(state)}.",
                f"Its worth is certain: {as_text(certain[state])}.",
            )
    for state, move in pairwise(line):
        if not any(move in game.moves(state, e) for e in open_events(game, certain, state)):
            raise broken(
                "A dive must leave out events that are certain.",
                f"{step.name} went from {brief(state)} to {brief(move)}.",
                "After each event with this move, the best move is certain.",
            )


def _check_new(
    game: Game[S, E], step: Step[S], certain: Mapping[S, Any], remember: int | None
) -> None:
    """So `start` is settled after finitely many dives."""
    new = sum(old == NOTHING for old, _ in step.changed.values())
    last = line_of(game, step)[-1]
    ends = not open_events(game, certain, last)
    if new == 0 or not (new == remember or (ends and (remember is None or new < remember))):
        raise broken(
            "A dive must add its new positions, as many as it may remember.",
            f"{step.name} added {new} and ended at {brief(last)}.",
            "Right is at least one, until nothing more is open."
            if remember is None
            else f"Right is {remember}, or fewer where nothing more is open.",
        )


class _NoNumbers:
    """A generator that must not be asked."""

    def random(self) -> float:
        raise broken(
            "A dive from a settled position must draw no number.",
            "It drew one.",
            "The tree stays the same, and the result is the worth.",
        )


def _check_rest(settle: Settle[S], tree: Any, start: S, worth: Any) -> None:  # noqa: ANN401
    grown, result = settle(tree, start, _NoNumbers())
    if grown is not tree or tuple(result) != worth:
        raise broken(
            "A dive from a settled position must return the same tree, and the worth.",
            f"From {brief(start)}, the tree is {'' if grown is tree else 'not '}the same, and the "
            f"result is {as_text(tuple(result))}.",
            f"The worth is {as_text(worth)}.",
        )
