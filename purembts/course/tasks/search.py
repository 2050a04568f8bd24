"""Task 11: the bound, and Monte Carlo tree search dive by dive.

A dive is checked exactly. The difference of the trees before and after it is its path, and each
step of the path tells its roll: the sum of the levers that it shuts. So the check knows the moves
that the dive chose from, and that the highest bound among them is chosen.
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
from purembts.course.tasks.calls import GAMES, ROLLS, Mine, Tree, ask, each, same
from purembts.course.tasks.forms import Form, NotRead, Sides, Value, Words, Wrong, levers
from purembts.course.tasks.games import SHUT, TELLING, up
from purembts.games.shut_the_box import LOSS, WIN, Box, full_box
from purembts.records import Record
from purembts.workshop import possible_moves

# The bound

_RECORDS: list[Sides] = [(w, n - w) for n in (*range(1, 11), 30, 100, 1000) for w in range(n + 1)]
"""Records to compare the bound at, those of few games first."""


def ucb(mine: Mine, word: str) -> str:
    """The bound is (w + 2 sqrt(w l / n)) / n; 3 / n without a win; infinite without a game."""
    make = _form_of_records(mine, word)
    nothing, none = (_rated(mine, word, record) for record in (make(0, 0), None))
    is_none_better = isinstance(nothing, Wrong) and not isinstance(none, Wrong)
    cases = [*((make(*sides),) for sides in _RECORDS), (None if is_none_better else make(0, 0),)]

    def sides(record: Value) -> Sides:
        return (0, 0) if record is None else forms.record(mine.words).read(record)

    def why(_found: float, record: Value) -> str:
        wins, losses = sides(record)
        rule = "(w + 2 sqrt(w l / n)) / n" if wins else "the rule of 3" if losses else "math.inf"
        return f"{rule}, {told((wins, losses))}"

    right = same(lambda record: _bound(sides(record)), why)
    each(mine, word, cases, forms.NUMBER, right)
    return f"{len(_RECORDS):,} records, checked exactly"


def _bound(sides: Sides) -> float:
    """The workshop's bound; infinite without games."""
    return ucb_wald(sides[0], sum(sides)) if any(sides) else inf


def _form_of_records(mine: Mine, word: str) -> Callable[[int, int], Value]:
    """The form of records of which the solution makes the right bound, or else any finite one."""
    win, loss = mine.words.get("WIN", WIN), mine.words.get("LOSS", LOSS)
    made: list[Callable[[int, int], Value]] = [
        lambda wins, losses: Record(wins + losses, (wins, losses)),
        lambda wins, losses: (wins, losses),
        lambda wins, losses: {win: wins, loss: losses},
    ][: 3 if isinstance(win, Hashable) and isinstance(loss, Hashable) else 2]
    finite, why = list[Callable[[int, int], Value]](), "It gives math.inf."
    for make in made:
        bound = _rated(mine, word, make(1, 3))
        if isinstance(bound, Wrong):
            why, cause = str(bound), bound.__cause__
            if not isinstance(cause, TypeError | AttributeError | ValueError | LookupError):
                raise bound
        elif isclose(bound, _bound((1, 3))):
            return make
        elif bound < inf:
            finite.append(make)
    if not finite:
        raise NotRead(f"{why} No form of a record could be read. Write {forms.RECORD}.")
    return finite[0]


def _rated(mine: Mine, word: str, record: Value) -> Any:  # noqa: ANN401
    """The bound of a record, or the fault of a solution that makes none."""
    try:
        return ask(mine, word, forms.NUMBER, record)
    except Wrong as wrong:
        return wrong


def told(sides: Sides) -> str:
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
    tree: Value

    @property
    def path(self) -> list[Box]:
        """The root, and the boxes whose records change, those with many levers first."""
        boxes = {*self.before, *self.after}
        changed = (box for box in boxes if self.before.get(box) != self.after.get(box))
        return sorted({self.root, *changed}, key=lambda box: (-len(box), sorted(box)))


def dive(mine: Mine, word: str, given: Value, root: Box) -> Dive:
    """A dive into a tree; a `Wrong` if the given tree changes."""
    tree = forms.tree(mine.words)
    before, text = tree.read(given), mine.text(word, given, root)

    def parts(value: Value) -> Dive:
        grown, result = value
        won = forms.result(mine.words).read(result)
        return Dive(root, before, tree.read(grown), won, grown)

    both = f"`return tree, result`, with {tree.text}, and WIN or LOSS as the result"
    made = ask(mine, word, Form(both, parts), given, root)
    if tree.read(given) != before:
        changed = f"`{word}` changed the tree that it was given: `{text}` must return a new tree"
        how = "Copy a dict first: {**tree, box: record}."
        raise Wrong(f"{changed} and leave the old one alone. {how}")
    return made


def faults(made: Dive) -> Iterator[str]:
    """Sentences about a dive that say why it is none of the workshop, the first fault first."""
    begins = f"the dive is a {'win' if made.won else 'loss'}, and the record of"
    for box in made.path:
        old, new = made.before.get(box, (0, 0)), made.after.get(box, (0, 0))
        if new != (old[0] + made.won, old[1] + (not made.won)):
            goes = "stays at" if new == old else f"goes from {told(old)} to"
            on_the_way = "Each box on the way gets the result, once"
            yield f"{begins} {levers(box)} {goes} {told(new)}. {on_the_way}"
    for above, below in pairwise(made.path):
        yield from _faults_of_step(made.before, above, below)
    last = made.path[-1]
    is_lost = not made.won and not all(possible_moves(last, roll) for roll in ROLLS)
    is_end = (is_lost or last not in made.before) if last else made.won
    if not is_end:
        yield f"{begins} {levers(last)} is the last one that grows. {ENDS}"


ENDS = (
    "A dive ends at a new box, with a win at the shut box, or with a roll that has no move. "
    "Perhaps the tree of the dive from the move is lost: tree, result = uct(tree, move)"
)
"""The advice about a dive whose path ends too early."""


def _faults_of_step(before: Records, above: Box, below: Box) -> Iterator[str]:
    """Faults unless some roll leads from a known box to the box below with the highest bound."""
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

_SERIES: Mapping[Box, int] = {
    SHUT: 2,
    up(7): 20,
    up(1, 2, 3): 50,
    up(1, 2, 3, 4): 50,
    up(1, 2, 3, 4, 5, 6): 100,
    full_box(): 200,
}
"""The dives from some boxes, in each of three series that begin with an empty tree."""
_FORCED: Box = up(6, 7, 8)
"""Every roll has at most one move here, so the first steps of dives have the chances of rolls."""
_TWO_STEPS: Box = up(1, 2, 3, 4)
"""The box that is won twice as often as the new boxes after it."""
FIRST: Mapping[Box, int] = {up(7): 1000, up(1, 2): 1000, TELLING: 20_000}
"""The first dives from some boxes, which are random games."""


def uct(mine: Mine, word: str) -> str:
    """A dive goes where the bound is highest, and plays a random game from the first new box."""
    made = sum(len(_series(mine, word, root, n)) for root, n in _SERIES.items() for _ in range(3))
    for box, n in FIRST.items():
        wins = sum(dive(mine, word, Tree(), box).won for _ in range(n))
        cases = f"first dives of `uct` from {levers(box)}, each a random game,"
        calls.fits("the probability of winning", cases, wins, n, calls.random_play()(box))
    forced = _series(mine, word, _FORCED, GAMES // 10)[1:]
    sure = _fits_steps("in dives", _FORCED, [each.path for each in forced])
    _plays_from_leaves(mine, word)
    for first in sorted(_FORCED):
        box = _FORCED - {first}
        gone_on = [each.path for each in forced if box in each.path and box in each.before]
        _fits_steps(f"after a roll of {first} in dives", box, [path[1:] for path in gone_on])
    return f"{made:,} dives, each checked exactly; {sure}"


def _fits_steps(where: str, box: Box, paths: Sequence[Sequence[Box]]) -> str:
    """The phrase about the first rolls of some paths from a box where each roll has one move."""
    steps = Counter(sum(path[0] - path[1]) if path[1:] else "a loss at once" for path in paths)
    rolls: dict[object, Fraction] = {roll: ROLLS[roll] for roll in sorted(box)}
    right = {**rolls, "a loss at once": 1 - sum(rolls.values(), Fraction(0))}
    hint = " Throw the dice again for each step."
    return calls.fits_all(f"rolls {where} of `uct` from {levers(_FORCED)}", steps, right, hint)


def _plays_from_leaves(mine: Mine, word: str) -> None:
    """Raise a `Wrong` unless second dives play a random game from the new box that they reach."""
    leaves, wins = Counter[Box](), 0
    for _ in range(GAMES // 4):
        second = dive(mine, word, dive(mine, word, Tree(), _TWO_STEPS).tree, _TWO_STEPS)
        if second.path[1:] and second.path[-1]:
            leaves[second.path[-1]] += 1
            wins += second.won
    n, value = leaves.total(), calls.random_play()
    p = sum((times * value(box) for box, times in leaves.items()), Fraction(0)) / n
    cases = f"second dives of `uct` from {levers(_TWO_STEPS)}, each a random game from a new box,"
    calls.fits("the probability of winning", cases, wins, n, p)


def _series(mine: Mine, word: str, root: Box, dives: int) -> list[Dive]:
    """Some dives from `root`, each into the tree of the one before; all are checked."""
    made, tree = list[Dive](), Tree()
    for number in range(1, dives + 1):
        made.append(dive(mine, word, made[-1].tree if made else tree, root))
        for fault in faults(made[-1]):
            raise Wrong(f"Dive {number} of `{word}` from {levers(root)}: {fault}.")
    return made


# The search in one call


def search(mine: Mine, word: str) -> str:
    """A search makes its dives one after the other, and goes on with the tree that it is given."""
    sure, root = monte_carlo_tree_search(mine, word, Tree()), up(1, 2, 3)
    grown = calls.call(mine, word, Tree(), root, _GROWN)
    if _is_tree(grown):
        if not set(forms.tree(mine.words).read(grown)) > {root}:
            text = mine.text(word, Tree(), root, _GROWN)
            raise Wrong(f"`{text}` has no box but {levers(root)}: it makes no dives with `uct`.")
        with calls.replaced(mine, word, "uct", _watched(mine, root, _GROWN)):
            ask(mine, word, _dives_from(mine.words, root, 2 * _GROWN), grown, root, _GROWN)
    return sure


_GROWN = 100
"""The dives of a tree with which a search goes on."""


def monte_carlo_tree_search(mine: Mine, word: str, *given: Tree) -> str:
    """The search from an empty tree gives the record of its box, or the tree."""
    n, wins = GAMES // 10, 0
    for root, dives in ((up(7), 1), (up(7), 7), (up(1, 2, 3), 20), (full_box(), 30), (up(7), n)):
        with calls.replaced(mine, word, "uct", _watched(mine, root)):
            wins = ask(mine, word, _dives_from(mine.words, root, dives), *given, root, dives)
    return calls.fits(f"the share of wins of `{word}`", "dives from {7}", wins, n, Fraction(1, 6))


_GOES_ON = "Each dive goes on with the tree of the one before: tree, result = uct(...)."


def _watched(mine: Mine, root: Box, visits: int = 0) -> Callable[..., Value]:
    """A `uct` that looks at the tree of each dive: `root` must have a visit of each dive before."""
    uct, numbers = mine.words.get("uct"), count(visits)

    def watched(*given: Value, **named: Value) -> Value:
        tree, box, *_ = signature(uct).bind(*given, **named).arguments.values()  # type: ignore[arg-type]
        if box == root:  # a uct that calls itself goes on with smaller boxes
            visits, right = sum(forms.tree(mine.words).read(tree).get(root, ())), next(numbers)
            if visits != right:
                gets = f"Dive {right + 1} gets a tree in which {levers(root)} has n = {visits}"
                raise Wrong(f"{gets}; it must be {right}. {_GOES_ON}")
        return uct(*given, **named)  # type: ignore[misc]

    return watched


def _dives_from(words: Words, root: Box, dives: int) -> Form[int]:
    """Records of a root after some dives, or their trees: the wins."""

    def wins_of(value: Value) -> int:
        record = value.get(root, (0, 0)) if _is_tree(value) else value
        wins, losses = forms.record(words).read(record)
        if wins + losses != dives:
            found = f"{levers(root)} has n = {wins + losses:,}"
            raise Wrong(f"{found}; it must be {dives:,}. {_GOES_ON}")
        return wins

    return Form(f"{forms.RECORD}, or the tree", wins_of)


def _is_tree(value: Value) -> bool:
    """True for a mapping with boxes as keys."""
    return hasattr(value, "items") and any(isinstance(key, frozenset) for key in value)
