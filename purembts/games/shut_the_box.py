"""The rules of Shut the Box, as in tasks 2 to 13 of James Vanderhyde's workshop.

A box is the frozenset of the levers that are up. A move is the box that it leaves. The two sides
are the player and the box. `WIN` is (1, 0) and `LOSS` is (0, 1), so the scores of a record are the
workshop's wins and losses.

The functions of the `Game` that `shut_the_box` returns are total: an impossible roll has no moves.
The functions for the prompt check the box, the roll and the rules, and play the usual game by
default. The functions that draw, search or learn are in the module `workshop`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import cache, partial
from operator import mul
from typing import Any, NamedTuple, TypeAlias, TypeVar

from pyrsistent import PMap, pmap
from toolz import frequencies, groupby

from purembts.checks import at_least_one, brief
from purembts.display import Codec, Display
from purembts.game import Game, Values
from purembts.games import shut_the_box_texts as texts
from purembts.records import Scores

T = TypeVar("T")

Box: TypeAlias = frozenset[int]
"""The levers that are up."""
Roll: TypeAlias = int | None
"""The total of the dice; None before a roll, and for the shut box, which needs no roll."""
Levers: TypeAlias = tuple[int, ...]
"""The levers that one move shuts, in ascending order."""

WIN: Scores = (1, 0)
LOSS: Scores = (0, 1)


class Rules(NamedTuple):
    """A variant of Shut the Box, as a value: `Rules()` is the usual game."""

    levers: int = 9
    """The number of levers. The first lever is 1."""
    dice: int = 2
    """The number of dice, 1 or 2."""
    one_die_end: bool = False
    """True if one die replaces two when the levers that are up add up to at most six."""
    most_levers: int | None = None
    """The largest number of levers that one move may shut; None for no limit."""


USUAL: Rules = Rules()


# The box

_canonical: dict[Box, Box] = {}


def canonical(box: Box) -> Box:
    """The frozenset that stands for all boxes equal to `box`.

    A dict finds the same object faster than an equal one.
    """
    return _canonical.setdefault(box, box)


def full_box(*, rules: Rules = USUAL) -> Box:
    """The box with all levers up."""
    return _full_box(checked_rules(rules).levers)


@cache
def _full_box(levers: int) -> Box:
    return canonical(frozenset(range(1, levers + 1)))


def power(items: Iterable[T]) -> tuple[tuple[T, ...], ...]:
    """All the subsets of `items`, as tuples: 2 ** n of them for n items.

    >>> power([1, 2, 3])
    ((), (1,), (2,), (1, 2), (3,), (1, 3), (2, 3), (1, 2, 3))
    """
    subsets: tuple[tuple[T, ...], ...] = ((),)
    for item in items:
        subsets += tuple((*subset, item) for subset in subsets)
    return subsets


def boxes(*, rules: Rules = USUAL) -> tuple[Box, ...]:
    """All the boxes. The first is the shut box, the last is the full box."""
    return tuple(canonical(frozenset(levers)) for levers in power(sorted(full_box(rules=rules))))


def is_win(box: Box, *, rules: Rules = USUAL) -> bool:
    """True if `box` is shut."""
    return not checked_box(box, rules)


def box_to_str(box: Box | None, *, rules: Rules = USUAL) -> str:
    """The levers of `box` as text, with a blank for each lever that is down; x for None.

    >>> box_to_str(frozenset({2, 4, 5, 7, 8, 9})), box_to_str(None)
    (' 2 45 789', 'x')
    """
    if box is None:
        return "x"
    box = checked_box(box, rules)
    levers = map(str, sorted(full_box(rules=rules)))
    return "".join(lever if int(lever) in box else " " * len(lever) for lever in levers)


# The dice

ONE_DIE: tuple[int, ...] = tuple(range(1, 7))
TWO_DICE: tuple[int, ...] = tuple(a + b for a in range(1, 7) for b in range(1, 7))


def throws(box: Box, *, rules: Rules = USUAL) -> tuple[int, ...]:
    """The equally likely throws for `box`: with two dice 36 totals, most of them repeated."""
    one_die = rules.dice == 1 or (rules.one_die_end and sum(box) <= max(ONE_DIE))
    return ONE_DIE if one_die else TWO_DICE


def _dice(rules: Rules, box: Box, i: int) -> tuple[int, ...]:
    """The faces of the dice in throw `i` of `throws`."""
    return (i + 1,) if throws(box, rules=rules) is ONE_DIE else (i // 6 + 1, i % 6 + 1)


@cache
def roll_counts(throws: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Each total in `throws`, with the number of throws that have it."""
    return tuple(frequencies(throws).items())


def rolls(box: Box | None = None, *, rules: Rules = USUAL) -> tuple[int, ...]:
    """The possible totals of the dice for `box`, in ascending order: 2 to 12 in the usual game.

    >>> rolls(), rolls(frozenset({7}), rules=Rules(levers=7, dice=1))
    ((2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), (1, 2, 3, 4, 5, 6))
    """
    return tuple(sorted(set(throws(box_or_full(box, rules), rules=rules))))


def number_of_states(*, rules: Rules = USUAL) -> int:
    """The number of pairs of a box and a roll.

    >>> number_of_states()
    5632
    """
    return sum(len(rolls(box, rules=rules)) for box in boxes(rules=rules))


# The simplified game


def simple_moves(box: Box, roll: int) -> tuple[Box, ...]:
    """The box after `roll` in the simplified game, in a tuple; an empty tuple if `roll` loses.

    >>> [sorted(box) for box in simple_moves(frozenset({2, 4}), 4)]
    [[2]]
    >>> simple_moves(frozenset({2, 4}), 3)
    ()
    """
    return _simple_moves(checked_box(box, USUAL), checked_roll(roll, box, USUAL))


def _simple_moves(box: Box, roll: Roll) -> tuple[Box, ...]:
    return (canonical(box - {roll}),) if roll in box else ()


# The moves


def levers_for_roll(roll: int, *, rules: Rules = USUAL) -> tuple[Levers, ...]:
    """The sets of levers that add up to `roll`.

    >>> levers_for_roll(6)
    ((1, 2, 3), (2, 4), (1, 5), (6,))
    """
    if not isinstance(roll, int):
        raise ValueError(f"`roll` must be a whole number; got {brief(roll)}.")
    choices = power(range(1, min(checked_rules(rules).levers, roll) + 1))
    return tuple(levers for levers in _allowed(choices, rules) if sum(levers) == roll)


def _allowed(choices: Iterable[Levers], rules: Rules) -> Iterator[Levers]:
    """The members of `choices` that one move may shut."""
    most = rules.levers if rules.most_levers is None else rules.most_levers
    return (levers for levers in choices if len(levers) <= most)


@cache
def combinations(*, rules: Rules = USUAL) -> tuple[tuple[Levers, ...], ...]:
    """The tuple of `levers_for_roll` for each roll; the roll is the index."""
    highest = max(TWO_DICE)
    choices: tuple[Levers, ...] = ((),)
    for lever in range(1, min(rules.levers, highest) + 1):
        choices += tuple((*shut, lever) for shut in choices if sum(shut) + lever <= highest)
    by_roll = groupby(sum, _allowed(choices, rules))
    return tuple(tuple(by_roll.get(roll, ())) for roll in range(highest + 1))


@cache
def _shuts(rules: Rules) -> tuple[tuple[Box, ...], ...]:
    """`combinations` as sets."""
    return tuple(tuple(map(frozenset, choices)) for choices in combinations(rules=rules))


_FEW = 14
"""The most levers of a game whose boxes are kept as linked positions: 2 ** 14 boxes."""


def _moves(rules: Rules, box: Box, roll: Roll) -> tuple[Box, ...]:
    if roll not in throws(box, rules=rules):
        return ()
    return tuple([canonical(box - shut) for shut in _shuts(rules)[roll] if shut <= box])


def possible_moves(box: Box, roll: int, *, rules: Rules = USUAL) -> tuple[Box, ...]:
    """The boxes that `box` can become with `roll`; an empty tuple if `roll` loses.

    They have the order of `combinations`. Equal boxes have the same moves in the same order.

    >>> [box_to_str(box) for box in possible_moves(frozenset({2, 4, 5, 7, 8, 9}), 9)]
    [' 2    789', '   45  89', ' 2 45 78 ']
    """
    box = checked_box(box, rules)
    return _moves(rules, box, checked_roll(roll, box, rules))


# The games


@cache
def _chances(rules: Rules, box: Box) -> tuple[Roll, ...]:
    return throws(box, rules=rules) if box else (None,)


def _result(box: Box) -> Scores:
    return LOSS if box else WIN


def _to_move(box: Box) -> int:  # noqa: ARG001
    return 0


@cache
def shut_the_box(rules: Rules = USUAL) -> Game[Box, Roll]:
    """The game of Shut the Box with `rules`."""
    checked_rules(rules)
    return Game(
        moves=partial(_moves, rules),
        result=_result,
        to_move=_to_move,
        chances=partial(_chances, rules),
        name="Shut the Box",
        start=full_box(rules=rules),
        movers=(0,),
        rules=rules,
        display=_display(rules),
        json=Codec(sorted, partial(_decode, rules)),
        is_small=rules.levers <= _FEW,
    )


def _display(rules: Rules, about: str = "") -> Display[Box]:
    n = rules.levers
    return Display(
        show=partial(texts.show, n),
        label=texts.label,
        short=partial(box_to_str, rules=rules) if n < 10 else texts.short,
        event=texts.event,
        squares=partial(texts.squares, n),
        typed_move=partial(texts.typed_move, n),
        typed_position=partial(_typed_box, rules),
        dice=partial(_dice, rules),
        about=about or texts.about(n, rules.dice, rules.most_levers),
    )


def _typed_box(rules: Rules, text: str) -> Box:
    return checked_box(texts.typed_box(rules.levers, text), rules)


def _decode(rules: Rules, levers: Any) -> Box:  # noqa: ANN401
    """The box with `levers`, or a ValueError if there is no such box."""
    if not isinstance(levers, list) or not all(isinstance(lever, int) for lever in levers):
        raise ValueError(f"A box must be a list of levers; got {brief(levers)}.")
    return checked_box(frozenset(levers), rules)


# Exact values, in whole numbers


def win_probability(box: Box, roll: Roll = None, *, rules: Rules = USUAL) -> Fraction:
    """The exact probability to win from `box`, or from `box` and a `roll`, with best play.

    >>> float(win_probability(full_box()))
    0.07143162230560597
    >>> win_probability(frozenset({7})), win_probability(frozenset({7}), 7)
    (Fraction(1, 6), Fraction(1, 1))
    """
    box = checked_box(box, rules)
    if roll is not None and checked_roll(roll, box, rules) and box:
        move = best_move(box, roll, rules=rules)
        return Fraction(0) if move is None else win_probability(move, rules=rules)
    return Fraction(_value(rules, box), _page(rules, 0)[0])


def _values(rules: Rules, box: Box) -> Values:
    win = win_probability(box, rules=rules)
    return (win, 1 - win)


def best_move(box: Box, roll: int, *, rules: Rules = USUAL) -> Box | None:
    """The box after the best move, the first if several are equally good; None without a move.

    >>> best_move(full_box(), 6) == full_box() - {6}
    True
    """
    box = checked_box(box, rules)
    moves = _moves(rules, box, checked_roll(roll, box, rules))
    return max(moves, key=partial(_value, rules), default=None)


def optimal_table(*, rules: Rules = USUAL) -> PMap[Box, Fraction]:
    """A map from every box to the exact probability to win from it with best play."""
    return pmap({box: win_probability(box, rules=rules) for box in boxes(rules=rules)})


_LOW: int = 9
"""The number of low levers. A page has the values of the boxes that differ in these alone."""

_Way: TypeAlias = tuple[int, int, list[int]]
"""A move: the roll, the mask of the low levers that it shuts, and the page that it leads to."""


def _value(rules: Rules, box: Box) -> int:
    """The probability to win from `box` with best play, times 36 ** levers.

    It is the value of `exact.solver` times this factor. The factor makes it a whole number: a game
    has at most one turn for each lever, and each turn divides by 36 throws, or by 6. A lever that
    the dice cannot show stays up, so a page is needed for the others alone.
    """
    if max(box, default=0) > max(TWO_DICE):
        return 0
    high, low = divmod(_mask(box), 1 << _LOW)
    return _page(rules, high)[low]


def _mask(levers: Iterable[int]) -> int:
    """The bit mask of `levers`: bit k - 1 is 1 for lever k."""
    return sum([1 << (lever - 1) for lever in levers])


@cache
def _page(rules: Rules, high: int) -> list[int]:
    """The values of the boxes whose high levers are `high`; the mask of the low ones is the index.

    Of the other pages, it needs those alone that moves lead to.
    """
    page = [] if high else [len(TWO_DICE) ** rules.levers]
    boxes = zip(_times(rules, high), _fitting(rules, high, page), strict=True)
    for times, ways in list(boxes)[len(page) :]:
        best, box = [0] * len(times), len(page)
        for roll, shut, after in ways:
            value = after[box ^ shut]
            if value > best[roll]:
                best[roll] = value
        page.append(sum(map(mul, best, times)) // len(TWO_DICE))
    return page


def _times(rules: Rules, high: int) -> list[list[int]]:
    """For each box of a page, the number of throws of 36 with each total, which is the index."""
    few, many = [_times_of(throws(frozenset({lever}), rules=rules)) for lever in (1, 7)]
    times = [many] * (1 << min(rules.levers, _LOW))
    for levers in power(range(1, min(rules.levers, max(ONE_DIE)) + 1)):
        if not high and sum(levers) <= max(ONE_DIE):
            times[_mask(levers)] = few
    return times


def _times_of(thrown: tuple[int, ...]) -> list[int]:
    """The number of throws of 36 with each total, if `thrown` are the equally likely throws."""
    each = len(TWO_DICE) // len(thrown)
    return [each * thrown.count(total) for total in range(max(TWO_DICE) + 1)]


def _fitting(rules: Rules, high: int, page: list[int]) -> list[list[_Way]]:
    """For each box of `page`, the ways to shut some of its levers."""
    ways: list[_Way] = []
    for roll, shuts in enumerate(combinations(rules=rules)[1:], 1):
        for over, low in [divmod(_mask(shut), 1 << _LOW) for shut in shuts]:
            if over & high == over:
                ways.append((roll, low, _page(rules, high ^ over) if over else page))
    fitting = [ways]
    for bit in [1 << i for i in range(min(rules.levers, _LOW))][::-1]:
        fitting = [
            each for ways in fitting for each in ([way for way in ways if not way[1] & bit], ways)
        ]
    return fitting


# Checks


def checked_box(box: Box, rules: Rules) -> Box:
    """The canonical frozenset that equals `box`; a ValueError if it is no box of the game."""
    full = full_box(rules=rules)
    if not isinstance(box, (frozenset, AbstractSet)):  # the first answers at once
        hint = " To pass a generator, write rng=..." if hasattr(box, "random") else ""
        raise ValueError(
            f"`box` must be a set of levers, for example frozenset({{2, 7}}); got {brief(box)}."
            f"{hint}"
        )
    if not box <= full:
        foreign = brief(sorted(box - full, key=str))
        raise ValueError(
            f"`box` must have only levers from 1 to {max(full)}; got {brief(box)} with {foreign}."
        )
    # The new box is made of the levers of `full`, because 2.0 and True equal whole numbers.
    return _canonical.get(frozenset(box)) or canonical(
        frozenset(lever for lever in sorted(full) if lever in box)
    )


def box_or_full(box: Box | None, rules: Rules) -> Box:
    """`checked_box(box, rules)`, or the full box if `box` is None."""
    return full_box(rules=rules) if box is None else checked_box(box, rules)


def checked_roll(roll: Roll, box: Box, rules: Rules) -> Roll:
    """`roll`, or a ValueError if the dice cannot show it."""
    thrown = throws(box, rules=rules)
    if roll not in thrown:
        dice = "one die" if thrown is ONE_DIE else "two dice"
        raise ValueError(
            f"`roll` must be from {min(thrown)} to {max(thrown)} with {dice}; got {brief(roll)}."
        )
    return thrown[thrown.index(roll)]


def checked_rules(rules: Rules) -> Rules:
    """`rules`, or a ValueError if they make no game."""
    if rules is USUAL:  # nearly always, and often in a row
        return rules
    if not isinstance(rules, Rules):
        raise ValueError(
            f"`rules` must be a value of Rules, for example Rules(levers=12); got {brief(rules)}."
        )
    at_least_one(rules.levers, "levers")
    if rules.dice not in (1, 2):
        raise ValueError(f"`dice` must be 1 or 2; got {brief(rules.dice)}.")
    if not isinstance(rules.one_die_end, bool):
        raise ValueError(f"`one_die_end` must be True or False; got {brief(rules.one_die_end)}.")
    if rules.most_levers is not None:
        at_least_one(rules.most_levers, "most_levers")
    return rules


# The simplified game, as a value

simple_start: Box = canonical(full_box() - {1})
"""The start of the simplified game: lever 1 is down, because two dice never show 1."""
simple_game: Game[Box, Roll] = Game(
    moves=_simple_moves,
    result=_result,
    to_move=_to_move,
    chances=partial(_chances, USUAL),
    name="Simplified Shut the Box",
    start=simple_start,
    movers=(0,),
    display=_display(USUAL, texts.SIMPLE),
    json=Codec(sorted, partial(_decode, USUAL)),
)
"""The game in which a move shuts the lever that the dice show. There is never a choice."""
