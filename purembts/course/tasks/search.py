"""Task 11: the bound, and Monte Carlo tree search dive by dive.

A dive is checked exactly. The difference of the trees before and after it is its path. The levers
that a step of the path shuts add up to its roll. So the check knows the moves from which the dive
chose, and that it chose the one with the highest bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from inspect import signature
from itertools import count, pairwise
from math import inf, isclose
from typing import Any, NamedTuple, TypeAlias

from purembts.bounds import ucb_wald
from purembts.course.tasks import calls, forms
from purembts.course.tasks.calls import ROLLS, SAMPLE, Mine, Tree, ask, same
from purembts.course.tasks.forms import AnyValue, Form, NotRead, Sides, Words, Wrong, levers
from purembts.course.tasks.games import SHUT, TELLING, up
from purembts.games.shut_the_box import LOSS, WIN, Box, full_box
from purembts.records import Record
from purembts.workshop import possible_moves

# The bound

_RECORDS: list[Sides] = [(w, n - w) for n in (*range(1, 11), 30, 100, 1000) for w in range(n + 1)]
"""Records to compare the bound at, with few games first."""


def ucb(mine: Mine, word: str) -> str:
    """The bound is (w + 2 sqrt(w l / n)) / n; 3 / n without a win; infinite without a game."""
    record_of = _form_of_records(mine, word)
    nothing, none = (_rated(mine, word, record) for record in (record_of(0, 0), None))
    is_none_better = isinstance(nothing, Wrong) and not isinstance(none, Wrong)
    cases = [(record_of(*sides),) for sides in _RECORDS]
    cases.append((None if is_none_better else record_of(0, 0),))

    def sides(record: AnyValue) -> Sides:
        return (0, 0) if record is None else forms.record(mine.words).read(record)

    def why(_answer: float, record: AnyValue) -> str:
        wins, losses = sides(record)
        few = "the rule of 3" if losses else "math.inf"
        rule = "(w + 2 sqrt(w l / n)) / n" if wins else few
        return f"{rule}, {sides_text((wins, losses))}"

    right = same(lambda record: _bound(sides(record)), why)
    calls.check_cases(mine, word, cases, forms.NUMBER, right)
    return f"{len(_RECORDS):,} records, checked exactly"


def _bound(sides: Sides) -> float:
    """The workshop's bound; infinite without games."""
    return ucb_wald(sides[0], sum(sides)) if any(sides) else inf


def _form_of_records(mine: Mine, word: str) -> Callable[[int, int], AnyValue]:
    """The form of records for which the bound of the solution is right, or else finite."""
    win, loss = mine.words.get("WIN", WIN), mine.words.get("LOSS", LOSS)
    possible: list[Callable[[int, int], AnyValue]] = [
        lambda wins, losses: Record(wins + losses, (wins, losses)),
        lambda wins, losses: (wins, losses),
    ]
    if isinstance(win, Hashable) and isinstance(loss, Hashable):
        possible.append(lambda wins, losses: {win: wins, loss: losses})
    finite, why = list[Callable[[int, int], AnyValue]](), "It gives math.inf."
    for record_of in possible:
        bound = _rated(mine, word, record_of(1, 3))
        if isinstance(bound, Wrong):
            why, cause = str(bound), bound.__cause__
            if not isinstance(cause, TypeError | AttributeError | ValueError | LookupError):
                raise bound
        elif isclose(bound, _bound((1, 3))):
            return record_of
        elif bound < inf:
            finite.append(record_of)
    if not finite:
        raise NotRead(f"{why} No form of a record could be read. Write {forms.RECORD}.")
    return finite[0]


def _rated(mine: Mine, word: str, record: AnyValue) -> Any:  # noqa: ANN401
    """The bound of a record, or the fault of a solution that makes none."""
    try:
        return ask(mine, word, forms.NUMBER, record)
    except Wrong as wrong:
        return wrong


def sides_text(sides: Sides) -> str:
    """A record in words."""
    return f"w = {sides[0]}, l = {sides[1]}"


# One dive

Records: TypeAlias = Mapping[Box, Sides]


class Dive(NamedTuple):
    """A dive of `uct`: the records before and after it, its result, and the new tree."""

    root: Box
    before: Records
    after: Records
    won: bool
    tree: AnyValue

    @property
    def path(self) -> list[Box]:
        """The root, and the boxes whose records change, those with many levers first."""
        boxes = {*self.before, *self.after}
        others = {box for box in boxes if self.before.get(box) != self.after.get(box)}
        return sorted({self.root, *others}, key=lambda box: (-len(box), sorted(box)))


def dive(mine: Mine, word: str, tree: AnyValue, root: Box) -> Dive:
    """A dive into a tree; a `Wrong` if the old tree changes."""
    records = forms.tree_records(mine.words)
    before, text = records.read(tree), mine.text(word, tree, root)

    def parts(value: AnyValue) -> Dive:
        new_tree, result = value
        won = forms.result(mine.words).read(result)
        return Dive(root, before, records.read(new_tree), won, new_tree)

    both = f"`return tree, result`, with {records.text}, and WIN or LOSS as the result"
    parts_of_dive = ask(mine, word, Form(both, parts), tree, root)
    if records.read(tree) != before:
        change = f"`{word}` changed the tree that it was given: `{text}` must return a new tree"
        how = "Copy a dict first: {**tree, box: record}."
        raise Wrong(f"{change} and leave the old one alone. {how}")
    return parts_of_dive


def faults(dive: Dive) -> Iterator[str]:
    """The faults of a dive in sentences, the first one first."""
    begins = f"the dive is a {'win' if dive.won else 'loss'}, and the record of"
    for box in dive.path:
        old, new = dive.before.get(box, (0, 0)), dive.after.get(box, (0, 0))
        if new != (old[0] + dive.won, old[1] + (not dive.won)):
            goes = "stays at" if new == old else f"goes from {sides_text(old)} to"
            on_the_way = "Each box on the way gets the result, once"
            yield f"{begins} {levers(box)} {goes} {sides_text(new)}. {on_the_way}"
    for above, below in pairwise(dive.path):
        yield from _faults_of_step(dive.before, above, below)
    last = dive.path[-1]
    is_lost = not dive.won and not all(possible_moves(last, roll) for roll in ROLLS)
    is_end = (is_lost or last not in dive.before) if last else dive.won
    if not is_end:
        why = ENDS if last else "The shut box is a win each time: look at it before the dice"
        yield f"{begins} {levers(last)} is the last one that grows. {why}"


ENDS = (
    "A dive ends at a new box, with a win at the shut box, or with a roll that has no move. "
    "Perhaps the tree of the dive from the move is lost: tree, result = uct(tree, move)"
)
"""The advice about a dive whose path ends too early."""


def _faults_of_step(before: Records, above: Box, below: Box) -> Iterator[str]:
    """The faults of a step, which must lead from a known box to the move of the highest bound."""
    roll = sum(above) - sum(below)
    moves = possible_moves(above, roll) if roll in ROLLS else ()
    bounds = {move: _bound(before.get(move, (0, 0))) for move in moves}
    if above not in before:
        game = f"{levers(above)} is a new box, so the dive ends there with a random game"
        yield f"{game}; but the record of {levers(below)} grows, too"
    if below not in moves or bounds[below] < max(bounds.values()) - 1e-9:
        rated = ", ".join(f"{bounds[move]:.4g} for {levers(move)}" for move in moves)
        goes = f"it goes from {levers(above)} to {levers(below)}"
        yield f"{goes}; with a roll of {roll}, `ucb` is {rated or 'there for no move'}"


# Many dives

_SERIES = {SHUT: 2, up(7): 20, up(1, 2, 3): 50, up(1, 2, 3, 4): 50, up(1, 2, 3, 4, 5, 6): 100}
_SERIES |= {full_box(): 200}
"""The dives from some boxes, in each of three series that begin with an empty tree."""
_FORCED: Box = up(6, 7, 8)
"""Every roll has at most one move here, so the first steps of dives have the chances of rolls."""
_TWO_STEPS: Box = up(1, 2, 3, 4)
"""The box that is won twice as often as the new boxes after it."""
FIRST: Mapping[Box, int] = {up(7): 1000, up(1, 2): 1000, TELLING: 20_000}
"""The first dives from some boxes, which are random games."""


def uct(mine: Mine, word: str) -> str:
    """A dive goes where the bound is highest, and plays a random game from the first new box."""
    n_dives = 3 * sum(_SERIES.values())
    for root, n in _SERIES.items():
        for _ in range(3):
            _series(mine, word, root, n)
    for box, n in FIRST.items():
        wins = sum(dive(mine, word, Tree(), box).won for _ in range(n))
        cases = f"first dives of `uct` from {levers(box)}, each a random game,"
        calls.check_chance("the probability of winning", cases, wins, n, calls.random_play()(box))
    forced = _series(mine, word, _FORCED, SAMPLE // 10)[1:]
    sure = _check_steps("in dives", _FORCED, [one.path for one in forced])
    _plays_from_leaves(mine, word)
    for first in sorted(_FORCED):
        box = _FORCED - {first}
        paths = [one.path[1:] for one in forced if box in one.path and box in one.before]
        _check_steps(f"after a roll of {first} in dives", box, paths)
    return f"{n_dives:,} dives, each checked exactly; {sure}"


def _check_steps(where: str, box: Box, paths: Sequence[Sequence[Box]]) -> str:
    """The phrase about the first rolls of some paths from a box where each roll has one move."""
    steps = Counter(sum(path[0] - path[1]) if path[1:] else "a loss at once" for path in paths)
    rolls: dict[object, Fraction] = {roll: ROLLS[roll] for roll in sorted(box)}
    right = {**rolls, "a loss at once": 1 - sum(rolls.values(), Fraction(0))}
    hint = " Throw the dice again for each step."
    return calls.check_chances(f"rolls {where} of `uct` from {levers(_FORCED)}", steps, right, hint)


def _plays_from_leaves(mine: Mine, word: str) -> None:
    """Raise a `Wrong` unless second dives play a random game from the new box that they reach."""
    leaves, wins = Counter[Box](), 0
    for _ in range(SAMPLE // 4):
        second = _series(mine, word, _TWO_STEPS, 2)[1]
        if second.path[1:] and second.path[-1]:
            leaves[second.path[-1]] += 1
            wins += second.won
    n, value = leaves.total(), calls.random_play()
    p = sum((times * value(box) for box, times in leaves.items()), Fraction(0)) / n
    cases = f"second dives of `uct` from {levers(_TWO_STEPS)}, each a random game from a new box,"
    calls.check_chance("the probability of winning", cases, wins, n, p)


def _series(mine: Mine, word: str, root: Box, dives: int) -> list[Dive]:
    """Some dives from `root`, each into the tree of the one before; all are checked."""
    series, tree = list[Dive](), Tree()
    for number in range(1, dives + 1):
        series.append(dive(mine, word, tree, root))
        tree = series[-1].tree
        for fault in faults(series[-1]):
            raise Wrong(f"Dive {number} of `{word}` from {levers(root)}: {fault}.")
    return series


# The search in one call


def search(mine: Mine, word: str) -> str:
    """A search makes its dives one after the other, and goes on with the tree that it is given."""
    sure, root = monte_carlo_tree_search(mine, word, Tree()), up(1, 2, 3)
    tree = calls.call(mine, word, Tree(), root, _DIVES)
    if _is_tree(tree):
        if not set(forms.tree_records(mine.words).read(tree)) > {root}:
            text = mine.text(word, Tree(), root, _DIVES)
            raise Wrong(f"`{text}` has no box but {levers(root)}: it makes no dives with `uct`.")
        with calls.replaced(mine, word, "uct", _watched(mine, root, _DIVES)):
            ask(mine, word, _form_of_wins(mine.words, root, 2 * _DIVES), tree, root, _DIVES)
    return sure


_DIVES = 100
"""The dives of a tree with which a search goes on."""


def monte_carlo_tree_search(mine: Mine, word: str, *tree: Tree) -> str:
    """The search from an empty tree gives the record of its box, or the tree."""
    n, wins = SAMPLE // 10, 0
    for root, dives in ((up(7), 1), (up(7), 7), (up(1, 2, 3), 20), (full_box(), 30), (up(7), n)):
        with calls.replaced(mine, word, "uct", _watched(mine, root)):
            wins = ask(mine, word, _form_of_wins(mine.words, root, dives), *tree, root, dives)
    return calls.check_chance(f"the share of wins of `{word}`", "dives from {7}", wins, n, 1 / 6)


_GOES_ON = "Each dive goes on with the tree of the one before: tree, result = uct(...)."


def _watched(mine: Mine, root: Box, visits: int = 0) -> Callable[..., AnyValue]:
    """A `uct` that checks each tree: `root` must have one visit for each of the dives before."""
    uct, numbers = mine.words.get("uct"), count(visits)

    def watched(*values: AnyValue, **keywords: AnyValue) -> AnyValue:
        bound = signature(uct).bind(*values, **keywords)  # type: ignore[arg-type]
        tree, box, *_ = bound.arguments.values()
        if box == root:  # a uct that calls itself goes on with smaller boxes
            records, right = forms.tree_records(mine.words).read(tree), next(numbers)
            if (visits := sum(records.get(root, ()))) != right:
                gets = f"Dive {right + 1} gets a tree in which {levers(root)} has n = {visits}"
                raise Wrong(f"{gets}; it must be {right}. {_GOES_ON}")
        return uct(*values, **keywords)  # type: ignore[misc]

    return watched


def _form_of_wins(words: Words, root: Box, dives: int) -> Form[int]:
    """Records of a root after some dives, or their trees: the wins."""

    def wins(value: AnyValue) -> int:
        record = value.get(root, (0, 0)) if _is_tree(value) else value
        wins, losses = forms.record(words).read(record)
        if wins + losses != dives:
            n = f"{levers(root)} has n = {wins + losses:,}"
            raise Wrong(f"{n}; it must be {dives:,}. {_GOES_ON}")
        return wins

    return Form(f"{forms.RECORD}, or the tree", wins)


def _is_tree(value: AnyValue) -> bool:
    """True for a mapping with boxes as keys."""
    return hasattr(value, "items") and any(isinstance(key, frozenset) for key in value)
