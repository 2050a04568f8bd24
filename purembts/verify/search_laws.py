"""Laws of a search: of one dive like `mcts.uct`, and of many dives like `engine.search`.

The search need not come from this library. It is a function `uct(tree, state, rng)` that returns a
new tree and the result of the game, or a function `search(tree, state, dives, rng)` that returns a
new tree. `partial(mcts.uct, game)` has the first form. The rules of the game are a `Game`.

A tree is a map from positions to records, each a `Record` or a pair of visits and scores. Any other
tree needs `read`, a function from the tree to such a map. A new, empty tree is `empty()`.

`check_uct` and `check_search` check all laws. A broken law is an AssertionError. Its message has
the law, the dive and the position, and the right answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any, Generic, NamedTuple, SupportsInt, TypeAlias

from purembts.chance import Rng
from purembts.checks import brief
from purembts.exact import against_best, solver, uniform
from purembts.game import E, Game, Policy, S, result_of
from purembts.mcts import learnt
from purembts.positions import children, positions
from purembts.records import NOTHING, Record, Scores, add_result, rounding
from purembts.verify.keeping import kept
from purembts.verify.statistics import acceptance

Uct: TypeAlias = Callable[[Any, S, Rng], tuple[Any, Scores]]
"""One dive from a position: the new tree, and the result of the game."""
Search: TypeAlias = Callable[[Any, S, int, Rng], Any]
"""The tree after some more dives from a position."""
Read: TypeAlias = Callable[[Any], Mapping[Any, Any]]
"""A function from a tree to a map from positions to records, or to pairs of visits and scores."""
Records: TypeAlias = dict[S, Record]
"""The records of a tree, without those that have no visits."""


def broken(law: str, found: str, right: str) -> AssertionError:
    """The error for a broken law: the law, the case that breaks it, and the right answer."""
    return AssertionError(f"{law} {found} {right}")


def read_tree(tree: Any, read: Read | None = None) -> Records[Any]:  # noqa: ANN401
    """The records of `tree`. A position without visits counts as one without a record.

    >>> read_tree({"a": (2, [1, 1]), "b": Record(0, ())})
    {'a': Record(visits=2, scores=(1, 1))}
    """
    items = (tree if read is None else read(tree)).items()
    return {position: Record(_whole(n), tuple(scores)) for position, (n, scores) in items if n}


def _whole(n: Any) -> Any:  # noqa: ANN401
    """A number of visits as an int, if it is a whole number of another type."""
    return int(n) if isinstance(n, SupportsInt) and n == int(n) else n


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

    `learns` is the number of dives of each search in `check_learning`. None leaves this law out.
    """
    for step in steps(uct, start, dives, seed=seed, empty=empty, read=read):
        check_old_tree(step)
        check_line(game, step)
        check_added(game, step)
        check_result(game, step)
    search = folding(uct)
    check_same_seed(lambda rng: read_tree(search(empty(), start, dives, rng), read), seed, "tree")
    if learns is not None:
        check_learning(search, game, start, learns, seed=seed, empty=empty, read=read)


def check_search(
    search: Search[S],
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

    The game must be small. `learns` is the number of dives of each search in `check_learning`. None
    leaves this law out.
    """
    rng, tree = Random(seed), empty()
    for call in (1, 2):
        name = f"Search {call} with seed {seed}"
        before, grown = read_tree(tree, read), search(tree, start, dives, rng)
        kept, after = read_tree(tree, read), read_tree(grown, read)
        step, tree = Step(name, start, dives, before, kept, after), grown
        check_old_tree(step)
        check_reachable(game, step)
        check_visits(game, step)
        check_scores(game, step)
    check_same_seed(lambda rng: read_tree(search(empty(), start, dives, rng), read), seed, "tree")
    if learns is not None:
        check_learning(search, game, start, learns, seed=seed, empty=empty, read=read)


# Dives


class Step(NamedTuple, Generic[S]):
    """One call of a uct or a search, with the records of its trees."""

    name: str
    """The words for the call, such as "Dive 3 with seed 7"."""
    state: S
    """The position where the dives begin."""
    dives: int
    """The number of dives."""
    before: Records[S]
    """The records of the old tree, read before the call."""
    kept: Records[S]
    """The records of the old tree, read after the call."""
    after: Records[S]
    """The records of the new tree."""
    result: Scores = ()
    """The result of the game, if it was one dive."""


def changed(step: Step[S]) -> set[S]:
    """The positions whose records differ between the old tree and the new one."""
    both = {*step.before, *step.after}
    return {state for state in both if step.before.get(state) != step.after.get(state)}


def steps(
    uct: Uct[S],
    start: S,
    dives: int,
    *,
    seed: int = 7,
    empty: Callable[[], Any] = dict,
    read: Read | None = None,
) -> Iterator[Step[S]]:
    """The steps of `dives` dives from `start`, which begin with an empty tree."""
    rng, tree = Random(seed), empty()
    for i in range(1, dives + 1):
        name, before = f"Dive {i} with seed {seed}", read_tree(tree, read)
        grown, result = _pair(uct(tree, start, rng), name)
        kept, tree, after = read_tree(tree, read), grown, read_tree(grown, read)
        yield Step(name, start, 1, before, kept, after, result)


def _pair(answer: Any, name: str) -> tuple[Any, Scores]:  # noqa: ANN401
    if isinstance(answer, tuple) and len(answer) == 2:
        return answer
    raise broken(
        "A dive must return a pair: the new tree, and the result of the game.",
        f"{name} returned {brief(answer)}.",
        "For example, return tree, result.",
    )


def folding(uct: Uct[S]) -> Search[S]:
    """The search that makes its dives one after another by `uct`."""

    def search(tree: Any, state: S, dives: int, rng: Rng) -> Any:  # noqa: ANN401
        for i in range(1, dives + 1):
            tree, _ = _pair(uct(tree, state, rng), f"Dive {i}")
        return tree

    return search


# One law each


def check_old_tree(step: Step[S]) -> None:
    """The old tree has the same records after the call as before it."""
    for state in {**step.before, **step.kept}:
        old, new = step.before.get(state, NOTHING), step.kept.get(state, NOTHING)
        if old != new:
            raise broken(
                "The old tree must stay as it was.",
                f"{step.name} changed the record of {brief(state)} in it, from {old} to {new}.",
                "Return a new tree, or change a copy.",
            )


def check_line(game: Game[S, E], step: Step[S]) -> None:
    """The records that one dive changes are those of one line of moves from its first position."""
    line_of(game, step)


def line_of(game: Game[S, E], step: Step[S]) -> list[S]:
    """The positions that one dive changes, from the first to the last; or an AssertionError."""
    line, rest = [step.state], changed(step)
    moves = _reached(game, step.state, rest)
    _check_reached(step, rest, moves)
    while rest := rest - {line[-1]}:
        firsts = [state for state in rest if not any(state in moves[other] for other in rest)]
        if len(firsts) != 1 or firsts[0] not in moves[line[-1]]:
            several = ", ".join(map(brief, firsts or rest))
            raise broken(
                _LINE,
                f"{step.name} changed several positions after {brief(line[-1])}: {several}.",
                "A dive goes to one move at each turn.",
            )
        line += firsts
    return line


_LINE = "One dive must change the records of one line of moves, from its first position on."


def _check_reached(step: Step[S], places: set[S], reached: dict[S, set[S]]) -> None:
    if step.state not in places:
        raise broken(
            _LINE,
            f"{step.name} did not change the record of {brief(step.state)}, where it began.",
            "Each dive adds its result there.",
        )
    for state in places - reached.keys():
        raise broken(
            _LINE,
            f"{step.name} changed {brief(state)}, which no changed position has a move to.",
            "It may change the positions that it went through, and no other ones.",
        )


def _reached(game: Game[S, E], state: S, among: set[S]) -> dict[S, set[S]]:
    """The positions reached from `state` through positions of `among`, each with its moves."""
    moves: dict[S, set[S]] = {}
    waiting = [state]
    while waiting:
        if (position := waiting.pop()) not in moves:
            moves[position] = set(children(game, position)) & among
            waiting += moves[position]
    return moves


def check_added(game: Game[S, E], step: Step[S]) -> None:
    """Each record that one dive changes gets one visit and the scores of the result."""
    for state in changed(step):
        old, new = step.before.get(state, NOTHING), step.after.get(state, NOTHING)
        right = add_result(old, step.result)
        if new.visits != right.visits or not _agree(game, right, new):
            raise broken(
                "One dive must add one visit and its result to each record that it changes.",
                f"{step.name} with the result {brief(step.result)} changed the record of "
                f"{brief(state)} from {old} to {new}.",
                f"Right is {right}.",
            )


def _agree(game: Game[S, E], one: Record, other: Record) -> bool:
    """True if the scores are equal, up to the rounding of scores that are kept as means.

    A running mean has three operations for each game, and reading it has one more. Each rounds
    like a sum. Whole and half points in sums are not rounded.
    """
    if len(one.scores) != len(other.scores):
        return False
    error = 4 * rounding(max(one.visits, other.visits), game.score_range)
    return all(abs(a - b) <= error for a, b in zip(one.scores, other.scores, strict=True))


def check_result(game: Game[S, E], step: Step[S]) -> None:
    """The result of a dive is that of an end which can follow its last position."""
    last = line_of(game, step)[-1]
    possible = _results(game, step.state)[last]
    if step.result not in possible:
        raise broken(
            "The result of a dive must be a result of the game, from the last position on.",
            f"{step.name} went to {brief(last)} and returned {brief(step.result)}.",
            f"Possible results are {', '.join(map(brief, sorted(possible)[:8]))}.",
        )


@kept
def _results(game: Game[S, E], start: S) -> dict[S, frozenset[Scores]]:
    """The results of the ends that can follow, for each position that can follow `start`."""
    found: dict[S, frozenset[Scores]] = {}
    for state in positions(game, start):
        can_end = not all(game.moves(state, event) for event in game.chances(state))
        own = [frozenset([result_of(game, state)])] if can_end else []
        found[state] = frozenset().union(*own, *(found[move] for move in children(game, state)))
    return found


def check_reachable(game: Game[S, E], step: Step[S]) -> None:
    """Every position that is visited can follow the first one."""
    for state in changed(step):
        if state not in _results(game, step.state):
            raise broken(
                "Every position that is visited must be one that can follow the first one.",
                f"{step.name} visited {brief(state)}.",
                f"No line of moves leads to it from {brief(step.state)}.",
            )


def check_visits(game: Game[S, E], step: Step[S]) -> None:
    """The first position gets a visit from each dive, and any other no more than lead to it.

    The visits that lead to a position are those of all positions with a move to it.
    """
    places = changed(step)
    new = {
        state: step.after.get(state, NOTHING).visits - step.before.get(state, NOTHING).visits
        for state in places
    }
    if (got := new.get(step.state, 0)) != step.dives:
        raise broken(
            "The first position must get one visit from each dive.",
            f"{step.name} added {got} visits to {brief(step.state)}.",
            f"Right are {step.dives}.",
        )
    arrived = dict.fromkeys(places, 0) | {step.state: step.dives}
    for state, following in _reached(game, step.state, places).items():
        for move in following:
            arrived[move] += new[state]
    for state, visits in new.items():
        if not 0 < visits <= arrived[state]:
            raise broken(
                "A position must get no more visits than lead to it, and none may be lost.",
                f"{step.name} added {visits} visits to {brief(state)}.",
                f"The positions with a move to it got {arrived[state]}.",
            )


def check_scores(game: Game[S, E], step: Step[S]) -> None:
    """The scores of each changed record can be a sum of results that follow its position."""
    for state in changed(step):
        record = step.after.get(state, NOTHING)
        lows, highs = _limits(game, step.state, state, record.visits)
        if not _are_within(lows, _with_sum(record.scores), highs):
            raise broken(
                "The scores of a record must be a sum of results that can follow its position.",
                f"{step.name} gave {brief(state)} the record {record}.",
                f"Its scores, and then their sum, are at least {lows} and at most {highs}.",
            )


def _limits(game: Game[S, E], start: S, state: S, n: int) -> tuple[Scores, Scores]:
    """The lowest and the highest scores of `n` games from `state`, each with the sum of scores.

    They allow for the rounding of scores that are kept as means, as `_agree` does.
    """
    error = 4 * rounding(n, game.score_range) if n else 0.0
    columns = list(zip(*map(_with_sum, _results(game, start)[state]), strict=True))
    return (
        tuple(n * min(column) - error for column in columns),
        tuple(n * max(column) + error for column in columns),
    )


def _are_within(lows: Scores, scores: Scores, highs: Scores) -> bool:
    """True if there are as many scores, each of them between its limits."""
    return len(scores) == len(lows) and all(
        low <= score <= high for low, score, high in zip(lows, scores, highs, strict=True)
    )


def _with_sum(scores: Scores) -> Scores:
    """The scores, and then their sum."""
    total = 0.0
    for score in scores:
        total += score
    return (*scores, total)


def check_same_seed(run: Callable[[Random], Any], seed: int, what: str) -> None:
    """Two runs have equal values for each of three seeds, as they may by chance for one seed."""
    for each in range(seed, seed + 3):
        if (one := run(Random(each))) != (two := run(Random(each))):
            raise broken(
                f"The same seed must give the same {what}.",
                f"Seed {each} gave {_where_they_differ(one, two)}.",
                "Draw every random number from `rng`, in an order that depends on values.",
            )


def _where_they_differ(one: Any, two: Any) -> str:  # noqa: ANN401
    if isinstance(one, dict) and isinstance(two, dict):
        for key in {**one, **two}:
            if one.get(key) != two.get(key):
                return f"{brief(one.get(key))} at {brief(key)}, and then {brief(two.get(key))}"
    return f"{brief(one)}, and then {brief(two)}"


# Learning

LEAST = Fraction(9, 10)
"""The probability of a search that has learnt, which `check_learning` asks for."""
SEARCHES = 100
"""With 100 searches, a program that learns in half of them passes with a probability of 2e-4."""


def check_learning(
    search: Search[S],
    game: Game[S, E],
    start: S,
    dives: int,
    *,
    seed: int = 7,
    empty: Callable[[], Any] = dict,
    read: Read | None = None,
) -> None:
    """In nine searches of ten, the policy that the tree has learnt is nearer to best play.

    Its value at `start` is exact: one player follows the tree, and the other one knows the best
    replies. It is never above the value of best play. A search has learnt if the value is nearer to
    that of best play than to that of random play, for each player. `SEARCHES` searches of `dives`
    dives are made, from the seeds `"{seed}/0"`, `"{seed}/1"`, ... A search that learns with
    probability `LEAST` fails this law less often than once in 10^9.

    Only solitaire games and games of two players with a constant sum have best replies in this
    sense. For other games, it is a ValueError.
    """
    _check_contest(game, start)
    learns = 0
    for i in range(SEARCHES):
        tree = read_tree(search(empty(), start, dives, Random(f"{seed}/{i}")), read)
        learns += _has_learnt(game, start, tree, f"{seed}/{i}")
    least, _ = acceptance(SEARCHES, LEAST)
    if learns < least:
        raise broken(
            "A search must learn: its policy must come nearer to best play than to random play.",
            f"After {dives} dives from {brief(start)}, {learns} of {SEARCHES} searches had.",
            f"A search that learns with probability {float(LEAST)} does so {least} times or more.",
        )


def is_contest(game: Game[S, E]) -> bool:
    """True if the game has one player, or two players whose scores have a constant sum."""
    return game.players == 1 or (game.players == 2 and game.score_sum is not None)


def _check_contest(game: Game[S, E], start: S) -> None:
    if not is_contest(game):
        raise ValueError(
            "`game` must have one player, or two players and a `score_sum`; "
            f"got {game.players} players and score_sum={game.score_sum}."
        )
    if all(high == low for high, low in _best_and_random(game, start)):
        raise ValueError(
            "`start` must be a position where best play is better than random play; "
            f"got {brief(start)}."
        )


def _has_learnt(game: Game[S, E], start: S, tree: Records[S], seed: str) -> bool:
    """True if each player's policy by `tree` is nearer to best play than to random play."""
    policy, has_learnt = learnt(tree), True
    for player, (high, low) in enumerate(_best_and_random(game, start)):
        value = worst_value(game, start, policy, player)
        if value > high:
            raise broken(
                "No policy may be worth more than best play.",
                f"With seed {seed}, player {player} gets {value} from {brief(start)}, not {high}.",
                "The rules are wrong: the scores may have no constant sum.",
            )
        if high > low:
            has_learnt = has_learnt and high - value <= value - low
    return has_learnt


@kept
def _best_and_random(game: Game[S, E], start: S) -> list[tuple[Fraction, Fraction]]:
    """The values of best play and of random play for each player, against best replies."""
    value = solver(game)(start)
    return [(value[i], worst_value(game, start, uniform, i)) for i in range(game.players)]


def worst_value(game: Game[S, E], state: S, policy: Policy[S, E], player: int) -> Fraction:
    """The exact value of `policy` for `player`, if the other player knows the best replies."""
    value: Fraction = solver(game, against_best(player, policy))(state)[player]
    return value
