"""Laws of a search: of one dive like `mcts.uct`, and of many dives like `engine.search`.

The search need not come from this library: `partial(mcts.uct, game)` and `partial(search, game)`
have its forms. A tree is a map from positions to records, each a `Record` or a pair of visits and
scores. Any other tree needs `read`, a function from the tree to such a map. `empty()` is a new
tree.

A broken law is an AssertionError with the law, the dive and the position, and the right answer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from math import prod
from random import Random
from typing import Any, Generic, NamedTuple, TypeAlias

from purembts.chance import Rng
from purembts.checks import a_seed, at_least_one, brief, whole_number
from purembts.exact import against_best, solver, uniform
from purembts.fast import engine
from purembts.game import E, Game, Policy, S, Values
from purembts.guards import check_facts, checked_result
from purembts.mcts import learnt
from purembts.positions import children, positions
from purembts.records import Record, Scores, add_result, rounding
from purembts.verify.laws import (
    Read,
    Records,
    Uct,
    board_text,
    broken,
    changes,
    is_within,
    read_tree,
)
from purembts.verify.statistics import FALSE_ALARM, acceptance

AnySearch: TypeAlias = Callable[[Any, S, int, Rng], Any]
"""The tree after some more dives from a position."""


# All laws


def check_uct(
    uct: Uct[S],
    game: Game[S, E],
    start: S,
    *,
    dives: int = 100,
    seed: int = 7,
    learns: int | None = 300,
    empty: Callable[[], Any] = dict,
    read: Read | None = None,
) -> None:
    """Check all laws of one dive, in `dives` dives from `start`. The game must be small.

    In a game with chance, at least `CHANCES` dives are made. `learns` is the number of dives of
    each search in `_check_learning`. None leaves this law out.
    """
    rng, tree, dives = Random(a_seed(seed)), empty(), at_least_one(dives, "dives")
    steps = defaultdict[tuple[S, ...], list[Any]](list)
    check_facts(game)
    quick = game._replace(moves=cache(game.moves), chances=cache(game.chances))
    has_chance = any(len({*quick.chances(state)}) > 1 for state in positions(quick, start))
    for i in range(1, (max(dives, CHANCES) if has_chance else dives) + 1):
        tree, growth = growth_of(uct, tree, start, rng, f"Dive {i} with seed {seed}", read=read)
        _check_end(quick, growth, check_dive(quick, growth), steps)
    for line, after in steps.items():
        n = LATER if line[1:] else len(after)
        if n <= len(after):
            _check_chances(quick, line, after[:n], seed)

    def search(tree: Any, state: S, dives: int, rng: Rng) -> Any:  # noqa: ANN401
        for _ in range(dives):
            tree, _result = uct(tree, state, rng)
        return tree

    how: dict[str, Any] = {"dives": dives, "seed": seed, "learns": learns}
    check_search(search, game, start, **how, empty=empty, read=read)


def check_search(
    search: AnySearch[S],
    game: Game[S, E],
    start: S,
    *,
    dives: int = 100,
    seed: int = 7,
    learns: int | None = 300,
    empty: Callable[[], Any] = dict,
    read: Read | None = None,
) -> None:
    """Check all laws of a search, which makes `dives` dives and then goes on with its tree.

    The game must be small. `learns` is the number of dives of each search that has to learn. None
    leaves this law out.
    """
    check_facts(game)
    rng, tree, call = Random(a_seed(seed)), empty(), as_uct(search, at_least_one(dives, "dives"))
    for i in (1, 2):
        name = f"Search {i} with seed {seed}"
        tree, growth = growth_of(call, tree, start, rng, name, dives=dives, read=read)
        check_dives(game, growth)
    check_same_seed(lambda rng: read_tree(search(empty(), start, dives, rng), read), seed, "tree")
    if learns is not None:
        _check_learning(search, game, start, learns, seed=seed, empty=empty, read=read)


def check_same_seed(run: Callable[[Random], Any], seed: int, what: str) -> None:
    """Check that two runs have equal values for each of three seeds; one seed may do by chance."""
    for same in range(whole_number(seed, "seed", 0), seed + 3):
        if (one := run(Random(same))) != (two := run(Random(same))):
            differ = changes(one, two) if isinstance(one, dict) else (one, two)
            raise broken(
                f"The same seed must give the same {what}.",
                f"Seed {same} gave once, and then again, {brief(differ)}.",
                "Draw every random number from `rng`, in an order that depends on values.",
            )


# Growth


class Growth(NamedTuple, Generic[S]):
    """One call of a uct or a search, with the records of its trees."""

    name: str
    """The words for the call, such as "Dive 3 with seed 7"."""
    state: S
    """The position where the dives begin."""
    dives: int
    """The number of dives."""
    changes: dict[S, tuple[Record, Record]]
    """The positions whose records differ between the old tree and the new one, with both."""
    result: Scores
    """The result of the game, if it was one dive."""


def growth_of(
    uct: Uct[S],
    tree: Any,  # noqa: ANN401
    state: S,
    rng: Rng,
    name: str,
    *,
    dives: int = 1,
    read: Read | None = None,
) -> tuple[Any, Growth[S]]:
    """The new tree of `uct`, and its growth. The old tree must stay as it was.

    Only an object that is no map, and needs `read`, may grow in place. Then it is the new tree.
    """
    before = read_tree(tree, read)
    new_tree, result = _pair(uct(tree, state, rng), name)
    grows_in_place = new_tree is tree and not isinstance(tree, Mapping)
    now = before if grows_in_place else read_tree(tree, read)
    for place, (old, new) in changes(before, now).items():
        raise broken(
            "The old tree must stay as it was.",
            f"{name} changed the record of {brief(place)} in it, from {old} to {new}.",
            "Return a new tree, or change a copy.",
        )
    return new_tree, Growth(name, state, dives, changes(before, read_tree(new_tree, read)), result)


def _pair(answer: Any, name: str) -> tuple[Any, Scores]:  # noqa: ANN401
    """The pair that a dive returns; an AssertionError if it is none."""
    if isinstance(answer, tuple) and len(answer) == 2:
        return answer
    raise broken(
        "A dive must return a pair: the new tree, and the result of the game.",
        f"{name} returned {brief(answer)}.",
        "For example, return tree, result.",
    )


def as_uct(search: AnySearch[S], dives: int) -> Uct[S]:
    """A search of `dives` dives in the form of one dive, with an empty result."""
    return lambda tree, state, rng: (search(tree, state, dives, rng), ())


# One dive


def check_dive(game: Game[S, E], growth: Growth[S]) -> list[S]:
    """The line of moves of one dive, whose records and result must keep the laws."""
    line = _line_of(game, growth)
    last = line[-1]
    for state, (old, new) in growth.changes.items():
        right = add_result(old, growth.result)
        sums = list(zip(new.scores, right.scores, strict=False))
        error = _error(game, max(new.visits, right.visits))
        is_near = len(new.scores) == len(right.scores) and all(abs(a - b) <= error for a, b in sums)
        if new.visits != right.visits or not is_near:
            raise broken(
                "One dive must add one visit and its result to each record that it changes.",
                f"{growth.name} with the result {brief(growth.result)} changed the record of "
                f"{brief(state)} from {old} to {new}.",
                f"Right is {right}.",
            )
    if growth.result not in _possible_results(game, last):
        possible = sorted({*_possible_results(game, last)})[:8]
        raise broken(
            "The result of a dive must be a result of the game, from the last position on.",
            f"{growth.name} went to {brief(last)} and returned {brief(growth.result)}.",
            f"Possible results are {', '.join(map(brief, possible))}.{board_text(game, last)}",
        )
    return line


def _possible_results(game: Game[S, E], start: S) -> Iterator[Scores]:
    """The results that can follow `start`, one for each position where the game can end."""
    for state in positions(game, start):
        if not all(game.moves(state, event) for event in game.chances(state)):
            yield checked_result(game, state)


def _line_of(game: Game[S, E], growth: Growth[S]) -> list[S]:
    """The positions that one dive changes, from the first to the last; or an AssertionError."""
    others = [state for state in growth.changes if state != growth.state]
    if len(others) == len(growth.changes):
        raise broken(
            _LINE,
            f"{growth.name} did not change the record of {brief(growth.state)}, where it began.",
            "Each dive adds its result there.",
        )
    # Each position comes before those that can follow it, and others come last.
    below = positions(game, growth.state, skip=lambda state: state not in growth.changes)
    line = list(below)[::-1]
    line += [state for state in others if state not in line]
    for before, after in pairwise(line):
        if after not in {*children(game, before)}:
            raise broken(
                _LINE,
                f"{growth.name} changed {brief(before)} and then {brief(after)}.",
                "No move leads from the one to the other. A dive goes to one move at each turn."
                f"{board_text(game, before)}",
            )
    return line


_LINE = "One dive must change the records of one line of moves, from its first position on."


def _error(game: Game[S, E], n: int) -> float:
    """The rounding error of the scores of `n` games that are kept as means.

    A running mean has three operations for each game, and reading it has one more. Each rounds
    like a sum. Whole and half points in sums are not rounded.
    """
    return 4 * rounding(n, game.score_range)


# Where dives go

CHANCES, LATER = 2000, 100
"""The dives from the first position, and from a later one, that `_check_chances` looks at.

The test of two dice misses a probability at the first position that is off by 0.14, or at a later
one by 0.7, with a probability of at most `MISSED`. A dive that keeps the laws fails with a
probability of at most `FALSE_ALARM`, which at most `CHANCES` lines share.
"""
_END: Any = "end"
_LEAF: Any = "leaf"
"""The steps of a dive that goes on nowhere: the game ends there, or the tree grows there."""


def _check_end(
    game: Game[S, E], growth: Growth[S], line: list[S], steps: dict[tuple[S, ...], list[Any]]
) -> None:
    """Check that a dive ends at a new position or at an end, and add its line to `steps`.

    `steps` has the step of each dive after each line of moves. A tree may have several nodes for a
    line, or for a position. So a position where the game goes on counts as new as often as a tree
    with a node for each line and each event has nodes for its line.
    """
    last = line[-1]
    is_over = any(not game.moves(last, event) for event in game.chances(last))
    is_end = is_over and growth.result == checked_result(game, last)
    for i, step in enumerate([*line[1:], _END if is_end else _LEAF], start=1):
        steps[tuple(line[:i])].append(step)
    leaves = steps[tuple(line)].count(_LEAF)
    if leaves > _nodes(game, line):
        raise broken(
            "A dive must end at a new position, or at an end of the game.",
            f"{growth.name} with the result {brief(growth.result)} ended at {brief(last)}, "
            f"like {leaves - 1} before it on the same line.",
            "The game goes on there. So does a dive, and each position on its line gets the "
            f"result, also the one where the game ends.{board_text(game, last)}",
        )


def _nodes(game: Game[S, E], line: Sequence[S]) -> int:
    """The most nodes of a tree for a line of moves, one for each event on the way and at its end.

    The node for a position before its event counts as one more.
    """
    *events, last = ({*game.chances(state)} for state in line)
    steps = zip(pairwise(line), events, strict=True)
    ways = [sum(after in game.moves(at, one) for one in some) for (at, after), some in steps]
    return prod(ways) * (1 if len(last) == 1 else len(last) + 1)


def _check_chances(game: Game[S, E], line: Sequence[S], after: Sequence[Any], seed: int) -> None:
    """Test how often dives went on as they do after each event at the end of `line`.

    An event leads to one of its moves, however the dive chooses. So a set of moves comes at least
    as often as the events with no other moves, and at most as often as those with one of them.
    """
    n, state, leaves = len(after), line[-1], _nodes(game, line)
    options = {event: {*game.moves(state, event)} or {_END} for event in game.chances(state)}
    sets = [options[event] for event in game.chances(state)]
    for event, option in options.items():
        low = Fraction(sum(moves <= option for moves in sets), len(sets))
        high = Fraction(sum(not moves.isdisjoint(option) for moves in sets), len(sets))
        alarm = FALSE_ALARM / CHANCES / len(options)
        least = acceptance(n, low, alarm)[0] - leaves
        most = acceptance(n, high, alarm)[1] + leaves
        cases = sum(step in option for step in after)
        if not least <= cases <= most:
            raise broken(
                "Chance in a dive must have the game's distribution.",
                f"Of the first {n} dives with seed {seed} that came to {brief(state)}, {cases} "
                f"{'ended there' if option == {_END} else 'went on as'} after "
                f"{game.display.event(event)}.",
                f"Right are {max(least, 0)} to {min(most, n)}. Draw one of `chances` at each "
                f"position, each as often and in each dive again.{board_text(game, state)}",
            )


# Many dives


def check_dives(game: Game[S, E], growth: Growth[S]) -> None:
    """Check the laws of many dives: the positions, their visits and their scores.

    The visits that lead to a position are those of all positions with a move to it.
    """
    added = {state: new.visits - old.visits for state, (old, new) in growth.changes.items()}
    arrived = Counter({growth.state: growth.dives})
    for state, visits in added.items():
        arrived.update(dict.fromkeys(children(game, state), visits))
    for state in dict.fromkeys([growth.state, *added]):
        visits, most = added.get(state, 0), arrived[state]
        if not (0 if state != growth.state else most - 1) < visits <= most:
            raise broken(
                "A position must get no more visits than lead to it, and the first one all of "
                "them.",
                f"{growth.name} added {visits} visits to {brief(state)}.",
                f"{most} lead to it.",
            )
    check_scores(game, growth.name, {state: new for state, (_, new) in growth.changes.items()})


def check_scores(game: Game[S, E], name: str, records: Records[S]) -> None:
    """Check that the scores are within the range of results, and have the right sum.

    `name` has the words for what gave the records, such as "Dive 3 with seed 7".
    """
    for state, record in records.items():
        n, scores = record
        (low, high), total = game.score_range, game.score_sum
        lows, highs = (low,) * game.players, (high,) * game.players
        if not any(game.moves(state, event) for event in game.chances(state)):
            lows = highs = checked_result(game, state)
        error = _error(game, n)
        near = total is None or abs(sum(scores) - n * total) <= game.players * error
        ends = tuple([n * score for score in lows]), tuple([n * score for score in highs])
        if len(scores) != len(lows) or not near or not is_within((scores, scores), ends, error):
            raise broken(
                "The scores of a record must be a sum of results that can follow its position.",
                f"{name} gave {brief(state)} the record {record}.",
                f"The scores are at least {ends[0]} and at most {ends[1]}"
                f"{'' if total is None else f', with the sum {n * total}'}.",
            )


# Learning

LEARNS = Fraction(9, 10)
"""The probability that a search learns, which `_check_learning` asks for."""
SEARCHES = 100
"""With 100 searches, a program that learns in half of them passes with a probability of 2e-4."""


def _check_learning(
    search: AnySearch[S],
    game: Game[S, E],
    start: S,
    dives: int,
    *,
    seed: int = 7,
    empty: Callable[[], Any] = dict,
    read: Read | None = None,
) -> None:
    """In nine searches of ten, the policy that the tree has learnt is nearer to best play.

    The policy has an exact value at `start`: one player follows the tree, and the other one knows
    the best replies. So it is never above the value of best play. A search has learnt if it is
    nearer to best play than to random play, for each player. Searches of `dives` dives are made
    from the seeds `"{seed}/0"`, `"{seed}/1"`, ..., at most `SEARCHES`. A search that learns with
    probability `LEARNS` fails this law less often than once in 10^9.

    Only solitaire games and games of two players with a constant sum have best replies in this
    sense. For other games, it is a ValueError; and so it is where `engine.search` fails this law.
    """
    highs, (least, _) = solver(game)(start), acceptance(SEARCHES, LEARNS)
    lows = _values_against(highs, uniform, game, start)

    def learners(search: AnySearch[S], empty: Callable[[], Any], read: Read | None) -> list[bool]:
        results = list[bool]()
        while sum(results) < least and results.count(False) <= SEARCHES - least:
            tree = search(empty(), start, dives, Random(f"{seed}/{len(results)}"))
            gets = _values_against(highs, learnt(read_tree(tree, read)), game, start)
            columns = zip(lows, gets, highs, strict=True)
            results.append(all(2 * got >= low + high or low == high for low, got, high in columns))
        return results

    results = [] if lows == highs else learners(search, empty, read)
    if sum(results) >= least:
        return
    if not results or sum(learners(partial(engine.search, game), dict, None)) < least:
        raise _nothing_to_learn(start, dives, lows, highs)
    raise broken(
        "A search must learn: its policy must come nearer to best play than to random play.",
        f"After {dives} dives from {brief(start)}, {sum(results)} of {len(results)} searches had.",
        f"A search that learns with probability {float(LEARNS)} does so {least} times or more in "
        f"{SEARCHES}.",
    )


def _nothing_to_learn(start: S, dives: int, lows: Values, highs: Values) -> ValueError:
    """The error about a position where random play is as good as best play, or nearly."""
    player = max(range(len(highs)), key=lambda player: highs[player] - lows[player])
    best, random = (f"{float(values[player]):.4f}" for values in (highs, lows))
    right = f"`start` must be a position where a right search learns in {dives} dives"
    where = f"where player {player} gets {best} by best play and {random} by random play"
    advice = "Try another position, another game or more dives."
    return ValueError(f"{right}; got {brief(start)}, {where}. {advice}")


def _values_against(best: Values, policy: Policy[S, E], game: Game[S, E], start: S) -> Values:
    """The value at `start` that each player gets by `policy` where the others reply best.

    So none is above `best`, the value of best play.
    """
    if game.players > 2 or (game.players == 2 and game.score_sum is None):
        right = "`game` must have one player, or two players and a `score_sum`"
        raise ValueError(f"{right}; got {game.players} players and score_sum={game.score_sum}.")
    players = range(game.players)
    values = [solver(game, against_best(player, policy))(start)[player] for player in players]
    for player, (value, most) in enumerate(zip(values, best, strict=True)):
        if value > most:
            raise broken(
                "No policy may be worth more than best play.",
                f"At {brief(start)}, player {player} gets {value}, and {most} by best play.",
                "The rules are wrong: the scores may have no constant sum.",
            )
    return tuple(values)
