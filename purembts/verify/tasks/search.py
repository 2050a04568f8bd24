"""Task 11: the bound, and Monte Carlo tree search dive by dive.

A dive is checked exactly. The difference of the trees before and after it is its path, and each
step of the path tells its roll: the sum of the levers that it shuts. So the check knows the moves
that the dive chose from, and that the highest bound among them is chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import count, pairwise
from math import inf
from typing import Any, NamedTuple

from purembts.bounds import ucb_wald
from purembts.games.shut_the_box import LOSS, WIN, Box, full_box
from purembts.records import Record
from purembts.verify.tasks import forms
from purembts.verify.tasks.calls import Mine, Tree, ask, by_size, each, must_be, replaced
from purembts.verify.tasks.chances import GAMES, ROLLS, fits, fits_distribution, random_play
from purembts.verify.tasks.forms import NotRead, Value, WinsAndLosses, Wrong, counted, levers, read
from purembts.verify.tasks.games import TELLING, a_box
from purembts.verify.tasks.moves import SHUT
from purembts.workshop import possible_moves

# The bound


def ucb(mine: Mine, word: str) -> str:
    """The bound is (w + 2 sqrt(w l / n)) / n; 3 / n without a win; infinite without a game."""
    make = _form_of_records(mine, word)

    def check(mine: Mine, wins: int, losses: int) -> None:
        _check_bound(mine, word, make(wins, losses), (wins, losses))

    n = each(mine, RECORDS, check)
    errors = [_error_without(mine, word, nothing) for nothing in (make(0, 0), None)]
    if all(errors):
        raise Wrong(f"{errors[0]} Without games the bound must be infinite: math.inf.")
    return f"{n:,} records, checked exactly"


RECORDS: list[WinsAndLosses] = [
    (w, n - w) for n in (*range(1, 11), 100, 1000) for w in range(n + 1)
]
"""Records to compare the bound at, those of few games first."""


def _check_bound(mine: Mine, word: str, record: Value, numbers: WinsAndLosses) -> None:
    rule = "(w + 2 sqrt(w l / n)) / n" if numbers[0] else "the rule of 3"
    why = f"{rule} for {told(numbers)}" if any(numbers) else "math.inf, without games"
    found = ask(mine, word, forms.number_of, record)
    must_be(mine.text(word, record), found, bound_of(numbers), lambda: why)


def _error_without(mine: Mine, word: str, record: Value) -> str:
    """The error that the bound of no games raises, where the record is empty or None."""
    try:
        _check_bound(mine, word, record, (0, 0))
    except Wrong as wrong:
        if " raises " not in str(wrong):
            raise
        return str(wrong)
    return ""


def bound_of(record: WinsAndLosses) -> float:
    """The workshop's bound; infinite without games."""
    return ucb_wald(record[0], sum(record)) if any(record) else inf


def _form_of_records(mine: Mine, word: str) -> Callable[[int, int], Value]:
    """The form of records that `ucb` takes: the first with the right bound, or with a bound."""
    own = mine.words.get("WIN", WIN), mine.words.get("LOSS", LOSS)
    kinds: list[Callable[[int, int], Value]] = [
        lambda wins, losses: Record(wins + losses, (wins, losses)),
        lambda *pair: pair,
    ]
    kinds += [partial(_mapping, names) for names in (own, ("win", "loss"))]
    found, error = list[tuple[bool, int]](), ""
    for number, make in enumerate(kinds):
        try:
            bound = ask(mine, word, forms.number_of, make(1, 3))
            found.append((abs(bound - bound_of((1, 3))) > 1e-9, number))
        except Wrong as wrong:
            error = str(wrong)
            if "NameError" in error or "return" in error:
                raise
    if not found:
        raise NotRead(f"{error} No form of a record could be read. Write {forms.RECORD}.")
    return kinds[min(found)[1]]


def _mapping(names: tuple[Value, Value], wins: int, losses: int) -> Mapping[Value, int]:
    return {names[0]: wins, names[1]: losses}


# One dive

Records = dict[Box, WinsAndLosses]


class Dive(NamedTuple):
    """A dive of `uct`: the records before and after it, and its result."""

    root: Box
    before: Records
    after: Records
    won: bool

    @property
    def path(self) -> list[Box]:
        """The boxes whose records change, those with many levers first."""
        changed = (box for box, record in self.after.items() if record != self.before.get(box))
        return sorted(changed, key=lambda box: (-len(box), sorted(box)))


def dive(mine: Mine, word: str, tree: Value, before: Records, root: Box) -> tuple[Value, Dive]:
    """The tree after a dive, and the dive; a `Wrong` if the given tree changes."""
    text = mine.text(word, tree, root)  # as it was before the dive
    grown, result = ask(mine, word, tree_and_result, tree, root)
    if read(text, forms.tree_of(mine.words), tree) != before:
        raise Wrong(
            f"`uct` changed the tree that it was given: `{text}` must return a new tree and leave "
            "the old one alone. Copy a dict first: {**tree, box: record}."
        )
    after = read(text, forms.tree_of(mine.words), grown)
    return grown, Dive(root, before, after, read(text, forms.result_of(mine.words), result))


def tree_and_result(value: Value) -> tuple[Value, Value]:
    """The tree and the result of a dive."""
    if value is None or not isinstance(value, tuple | list) or len(value) != 2:
        raise NotRead("the new tree and the result: return tree, result")
    if not hasattr(value[0], "items"):
        raise NotRead("the tree first, and then the result")
    return value[0], value[1]


def faults(made: Dive) -> Iterator[str]:
    """Sentences about a dive that say why it is none of the workshop, the first fault first."""
    root, before, after, won = made
    path, result = made.path, "win" if won else "loss"
    for box in sorted({*before} - {*after}, key=by_size):
        yield f"the box {levers(box)} is lost from the tree"
    if root not in path:
        yield (
            f"the dive begins at {levers(root)} and is a {result}, and the record of this box "
            f"stays at {told(before.get(root, (0, 0)))}. Each box on the way gets the result"
        )
    for box in path:
        old, new = before.get(box, (0, 0)), after[box]
        if new != (old[0] + won, old[1] + (not won)):
            yield (
                f"the dive is a {result}, and the record of {levers(box)} goes from {told(old)} to "
                f"{told(new)}; each record on the path gets one {result} more"
            )
    for above, below in pairwise(path):
        yield from _faults_of_step(before, above, below)
    yield from _faults_of_end(before, path[-1], won)


def told(record: WinsAndLosses) -> str:
    """A record in words: `1 win and 2 losses`."""
    return f"{counted(record[0], 'win')} and {counted(record[1], 'loss')}"


def _faults_of_step(before: Records, above: Box, below: Box) -> Iterator[str]:
    """Faults unless some roll leads from a known box to the box below with the highest bound."""
    roll = sum(above) - sum(below)
    moves = possible_moves(above, roll) if roll in ROLLS else ()
    if above not in before:
        yield (
            f"{levers(above)} is a new box, so the dive ends there with a random game; but the "
            f"record of {levers(below)} grows, too"
        )
    if below not in moves:
        both = f"the records of {levers(above)} and {levers(below)} grow"
        yield f"{both}, and no roll leads from the first to the second"
    bounds = {move: bound_of(before.get(move, (0, 0))) for move in moves}
    best = max(bounds, key=lambda move: bounds[move])
    if bounds[below] < bounds[best] - 1e-9:
        one, other = (
            f"{levers(box)} ({told(before[box]) if box in before else 'no record'}: "
            f"{bounds[box]:.4g})"
            for box in (below, best)
        )
        at = f"at {levers(above)} with a roll of {roll}"
        yield f"{at} it goes to {one}, and {other} has the higher `ucb`"


def _faults_of_end(before: Records, last: Box, won: bool) -> Iterator[str]:
    """Faults unless the dive can end at `last` with its result.

    A new box is the leaf. A known one is where the game is lost, or the box before the shut one, if
    the shut box has no record.
    """
    stops = f"the record of {levers(last)} is the last one that grows"
    if not last and not won:
        shuts = "A dive that shuts the box is a win, for each box on the way"
        yield f"the shut box gets a loss. {shuts}"
    elif last and last not in before:
        if won and not random_play()(last):
            yield f"it wins from {levers(last)}, from where there is no way to win"
    elif last and won and (sum(last) not in ROLLS or SHUT in before):
        yield (
            f"the dive wins, and {stops}. A roll without a move loses there. After a move, the "
            f"next box must get the win, too. {THROWN_AWAY}"
        )
    elif last and not won and all(possible_moves(last, roll) for roll in ROLLS):
        yield (
            f"the dive is lost, and {stops}. Every roll has a move there, so the dive goes on, and "
            f"a new box gets a record. {THROWN_AWAY}"
        )


THROWN_AWAY = "Perhaps the tree of the dive from the move is lost: tree, result = uct(tree, move)"
"""The usual reason why the boxes after the first one have no records."""

# Many dives

SERIES: Mapping[Box, int] = {
    SHUT: 2,
    a_box(7): 20,
    a_box(1, 2, 3): 50,
    a_box(1, 2, 3, 4): 50,
    a_box(1, 2, 3, 4, 5, 6): 100,
    full_box(): 200,
}
"""The dives from some boxes, in each of three series that begin with an empty tree."""
FORCED: Box = a_box(6, 7, 8)
"""Every roll has at most one move here, so the first steps of dives have the chances of rolls."""
FIRST: Mapping[Box, int] = {a_box(7): 1000, a_box(1, 2): 1000, TELLING: 20_000}
"""The first dives from some boxes, which are random games."""


def uct(mine: Mine, word: str) -> str:
    """A dive goes where the bound is highest, and plays a random game from the first new box."""
    made = sum(len(_series(mine, word, root, n)) for root, n in SERIES.items() for _ in range(3))
    for box, n in FIRST.items():
        wins = sum(dive(mine, word, Tree(), {}, box)[1].won for _ in range(n))
        cases = f"first dives of `uct` from {levers(box)}, each a random game,"
        fits("the probability of winning", cases, wins, n, random_play()(box))
    steps = Counter(map(_first_step, _series(mine, word, FORCED, GAMES // 10)[1:]))
    dice = {f"{roll}": ROLLS[roll] for roll in sorted(FORCED)}
    right = {**dice, "a loss at once": 1 - sum(dice.values(), Fraction(0))}
    sure = fits_distribution("rolls in dives of `uct` from {6, 7, 8}", steps, right)
    return f"{made:,} dives, each checked exactly; {sure}"


def _series(mine: Mine, word: str, root: Box, dives: int) -> list[Dive]:
    """`dives` dives from `root`, each into the tree of the one before; all are checked."""
    tree, before, made = Tree(), Records(), list[Dive]()
    for number in range(1, dives + 1):
        tree, last = dive(mine, word, tree, before, root)
        for fault in faults(last):
            raise Wrong(f"Dive {number} of `uct` from {levers(root)}: {fault}.")
        made.append(last)
        before = last.after
    return made


def _first_step(made: Dive) -> str:
    """The first roll of a dive from `FORCED`, as the records tell it."""
    below = made.path[1:]
    return f"{sum(FORCED) - sum(below[0])}" if below else "a loss at once"


# The search in one call


def search(mine: Mine, word: str) -> str:
    """A search makes its dives one after the other, each into the tree of the one before."""
    return monte_carlo_tree_search(mine, word, Tree())


def monte_carlo_tree_search(mine: Mine, word: str, *tree: Tree) -> str:
    """The search from an empty tree gives the record of its box, or the tree."""

    def wins_of(root: Box, dives: int) -> int:
        record = partial(_record_of, forms.record_of(mine.words), root, dives)
        with replaced(mine, word, "uct", _watched(mine, word, root)):
            return ask(mine, word, record, *tree, root, dives)

    for root, dives in [(a_box(7), 1), (a_box(7), 7), (a_box(1, 2, 3), 20), (full_box(), 30)]:
        wins_of(root, dives)
    n = GAMES // 10
    wins = wins_of(a_box(7), n)
    return fits(f"the share of wins of `{word}`", "dives from {7}", wins, n, Fraction(1, 6))


def _record_of(form: forms.Form[WinsAndLosses], root: Box, dives: int, value: Value) -> int:
    """The wins of a search, by the record of its root or by its tree."""
    if hasattr(value, "items") and any(isinstance(key, set | frozenset) for key in value):
        value = next((record for box, record in value.items() if box == root), None)
        if value is None:
            raise Wrong(f"It has no record of the box {levers(root)}.")
    wins, losses = form(value)
    if wins + losses != dives:
        is_lost = "" if wins + losses else " Each dive returns a new tree: tree, result = uct(...)."
        found = counted(wins + losses, "dive")
        raise Wrong(f"That is a record of {found}; it must be {dives:,}.{is_lost}")
    return wins


def _watched(mine: Mine, word: str, root: Box) -> Callable[..., Value]:
    """A `uct` that looks at the tree of each dive: in dive k, `root` must have k - 1 visits."""
    real, visits = mine.words.get("uct"), count()

    def watched(*values: Any, **named: Any) -> Value:
        given: list[Value] = [*values, *named.values()]
        if root in given:  # a uct that calls itself goes on with smaller boxes
            tree = next((value for value in given if hasattr(value, "items")), Tree())
            found, right = (
                sum(read(word, forms.tree_of(mine.words), tree).get(root, (0, 0))),
                next(visits),
            )
            if found != right:
                raise Wrong(
                    f"`{word}`: dive {right + 1} from {levers(root)} gets a tree with "
                    f"{counted(found, 'visit')} of this box. It must get the tree of the dive "
                    f"before it, with {counted(right, 'visit')}."
                )
        return real(*values, **named)  # type: ignore[misc]

    return watched
