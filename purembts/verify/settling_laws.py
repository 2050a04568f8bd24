"""Laws of better estimates from a tree, and of dives that leave out all that is certain.

The functions need not come from this library. `backed_up(tree, state)` returns a tree,
`robust(tree, state)` a policy, and `settle(tree, state, rng)` a new tree and the result.
`partial(proving.backed_up, game)` has the first form. Trees and games are those of
`certainty_laws`.

`check_backed_up`, `check_policy` and `check_settle` check all laws of one function. A broken law
is an AssertionError. Its message has the law, the case that breaks it, and the right answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, TypeAlias

from pyrsistent import pmap

from purembts import jsonl
from purembts.checks import brief
from purembts.exact import against_best, solver
from purembts.game import E, Game, Policy, S, Values
from purembts.mcts import learnt, merge_trees
from purembts.positions import children
from purembts.proving import settled as right_settled
from purembts.records import Record, Tree, interval, rounding
from purembts.verify.certainty_laws import (
    Fold,
    as_text,
    chains,
    each_of,
    exactly,
    open_events,
    reached,
)
from purembts.verify.search_laws import (
    Step,
    broken,
    check_added,
    check_old_tree,
    check_result,
    is_contest,
    line_of,
    read_tree,
)

Settle: TypeAlias = Callable[[Any, S, Any], tuple[Any, Any]]
"""One dive that leaves out all that is certain: the new tree, and the result of the game."""
EMPTY: Any = pmap()
"""A tree without positions."""


# All laws


def check_backed_up(backed_up: Fold[S], game: Game[S, E], start: S, *, seed: int = 7) -> None:
    """Check all laws of values that are backed up, in trees that are grown from `seed`."""
    grown = chains(game, start, seed=seed)
    for tree in each_of(grown):
        check_visits_kept(backed_up, game, tree, start)
        check_backed(backed_up, game, tree, start)
        check_twice(backed_up, game, tree, start)
        check_reads(backed_up, game, tree, start)
    for one, other in pairwise(chain[-1] for chain in grown):
        check_sum_alone(backed_up, one, other, start)


def check_policy(robust: Fold[S], game: Game[S, E], start: S, *, seed: int = 7) -> None:
    """Check all laws of a policy such as `robust`, in trees grown from `seed`."""
    for tree in each_of(chains(game, start, seed=seed)):
        check_play(robust, game, tree, start)


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
        name, before = f"Dive {dives} with seed {seed}", read_tree(tree)
        grown, result = settle(tree, start, rng)
        step = Step(name, start, 1, before, read_tree(tree), read_tree(grown), result)
        check_old_tree(step)
        check_added(game, step)
        check_result(game, step)
        check_open(game, step, certain)
        check_new(game, step, certain, remember)
        tree = grown
    check_rest(settle, game, tree, start)


# Values backed up


def check_visits_kept(backed_up: Fold[S], game: Game[S, E], tree: Tree[S], start: S) -> None:
    """The tree has the same positions and visits, and other records only from `start` on."""
    after, places = backed_up(tree, start), set(reached(game, tree, start))
    for state in {**dict(tree.items()), **dict(after.items())}:
        old, new = tree.get(state), after.get(state)
        kept = old is not None and new is not None and new.visits == old.visits
        if not kept or (state not in places and new != old):
            raise broken(
                "Values that are backed up must keep all visits, and all other positions.",
                f"The record of {brief(state)} was {old}, and is {new}.",
                "It must be the same, as it is not reached."
                if kept
                else f"Right are {0 if old is None else old.visits} visits.",
            )


def check_backed(backed_up: Fold[S], game: Game[S, E], tree: Tree[S], start: S) -> None:
    """A mean is the exact worth if it is certain, and else that of the best moves.

    It is the mean over the events whose moves have visits. Without such an event, it stays as it
    was. Best moves with equal values can have different values for the other players, so a value
    between them is right. Each mean is right up to its own rounding.
    """
    certain, after = right_settled(game, tree, start), backed_up(tree, start)
    for state in reached(game, tree, start):
        n, scores = after[state]
        limits = _backed(game, tree, certain, after, state) if n else None
        error = rounding(len(game.chances(state)) + 4, game.score_range)
        if limits and not all(
            low - error <= score / n <= high + error
            for low, score, high in zip(limits[0], scores, limits[1], strict=True)
        ):
            raise broken(
                "A mean must be that of the best moves, over the events that are known.",
                f"The mean of {brief(state)} is {as_text(tuple([score / n for score in scores]))}.",
                f"Right is from {as_text(limits[0])} to {as_text(limits[1])}.",
            )


def _backed(
    game: Game[S, E], tree: Tree[S], certain: Mapping[S, Values], after: Tree[S], state: S
) -> tuple[Any, Any] | None:
    """The lowest and the highest means that are right at `state`; None if they are not known."""
    if state in certain:
        return certain[state], certain[state]
    if any((after.get(move) or Record(1, ())).visits == 0 for move in children(game, state)):
        return None  # it may have a value from its own moves
    rows, is_leaf = [], True
    for event in game.chances(state):
        moves = game.moves(state, event)
        known = [_means(after[move]) for move in moves if move in after]
        is_leaf = is_leaf and not known
        if known:
            rows.append(_best(game, known, game.to_move(state)))
        elif not moves:
            rows.append((game.result(state),) * 2)
    if is_leaf:
        return (_means(tree[state]),) * 2
    low, high = (
        tuple([sum(column) / len(rows) for column in zip(*[row[i] for row in rows], strict=True)])
        for i in (0, 1)
    )
    return low, high


def _means(record: Record) -> tuple[float, ...]:
    return tuple([score / record.visits for score in record.scores])


def _best(game: Game[S, E], known: Sequence[Any], player: int) -> tuple[Any, Any]:
    """The lowest and the highest values of the moves that are best, up to rounding."""
    most = max([value[player] for value in known]) - rounding(4, game.score_range)
    columns = list(zip(*[value for value in known if value[player] >= most], strict=True))
    return tuple(map(min, columns)), tuple(map(max, columns))


def check_twice(backed_up: Fold[S], game: Game[S, E], tree: Tree[S], start: S) -> None:
    """Values that are backed up again stay as they are, up to rounding."""
    once = backed_up(tree, start)
    twice = backed_up(once, start)
    error = rounding(len(tree) + 4, game.score_range)
    for state, (n, scores) in once.items():
        if any(abs(a - b) > n * error for a, b in zip(scores, twice[state].scores, strict=True)):
            raise broken(
                "Values that are backed up twice must be the same as once.",
                f"The record of {brief(state)} became {twice[state]}.",
                f"Right is {once[state]}.",
            )


def check_sum_alone(backed_up: Fold[S], one: Tree[S], other: Tree[S], start: S) -> None:
    """Values backed up in a merged tree depend on the sums of its records alone.

    It must not matter which tree comes first, and in which order the tree lists its positions.
    """
    right = read_tree(backed_up(merge_trees(one, other), start))
    turned = dict(sorted(merge_trees(other, one).items(), key=repr))
    for state, record in read_tree(backed_up(turned, start)).items():
        if right[state] != record:
            raise broken(
                "Values backed up in a merged tree must depend on the sums of its records alone.",
                f"With the trees the other way round, {brief(state)} has the record {record}.",
                f"Before, it was {right[state]}.",
            )


def check_reads(backed_up: Fold[S], game: Game[S, E], tree: Tree[S], start: S) -> None:
    """A tree of values backed up can be read like any other: its means, its policy, its text."""
    after = backed_up(tree, start)
    try:
        for state in reached(game, tree, start):
            for player in range(game.players):
                interval(after[state], player, score_range=game.score_range)
        solver(game, policy=learnt(after))(start)
        if game.json is not None:
            list(jsonl.lines(game, after))  # each of them is read as the same
    except ValueError as error:
        raise broken(
            "A tree of values that are backed up must be a tree like any other.",
            f"It cannot be read: {error}",
            "A mean must be within the range of scores, up to rounding.",
        ) from error


# The policy


def check_play(robust: Fold[S], game: Game[S, E], tree: Tree[S], start: S) -> None:
    """The policy is never worth more than best play, and as much where the tree is settled.

    In a game for one player, or for two with a constant sum, each player meets best replies. In
    another game all follow the policy, and only settled positions are checked.
    """
    policy: Policy[S, E] = robust(tree, start)
    certain = right_settled(game, tree, start)
    players = range(game.players)
    if is_contest(game):
        gets = [solver(game, against_best(player, policy)) for player in players]
    else:
        gets = [solver(game, policy=policy)]
    for state in reached(game, tree, start):
        right = exactly(game)(state)
        got = tuple([gets[player % len(gets)](state)[player] for player in players])
        if is_contest(game) and any(a > b for a, b in zip(got, right, strict=True)):
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


def check_open(game: Game[S, E], step: Step[S], certain: Mapping[S, Any]) -> None:
    """A dive enters no settled position, and goes on after no event that is certain."""
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


def check_new(
    game: Game[S, E], step: Step[S], certain: Mapping[S, Any], remember: int | None
) -> None:
    """A dive adds `remember` new positions, or as many as come before nothing more is open.

    So it adds one at least, and `start` is settled after finitely many dives.
    """
    new = len(step.after.keys() - step.before.keys())
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


def check_rest(
    settle: Settle[S],
    game: Game[S, E],
    tree: Any,  # noqa: ANN401
    start: S,
) -> None:
    """A dive from a settled position draws nothing, and returns the same tree and the worth."""
    grown, result = settle(tree, start, _NoNumbers())
    right = right_settled(game, tree, start)[start]
    if grown is not tree or tuple(result) != right:
        raise broken(
            "A dive from a settled position must return the same tree, and the worth.",
            f"From {brief(start)}, the tree is {'' if grown is tree else 'not '}the same, and the "
            f"result is {as_text(tuple(result))}.",
            f"The worth is {as_text(right)}.",
        )
