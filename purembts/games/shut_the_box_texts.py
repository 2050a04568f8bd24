"""Shut the Box for people: the texts of boxes, moves and rolls, and what a person types.

A box is the frozenset of the levers that are up, from 1 to `n`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from purembts.checks import brief
from purembts.display import Squares


def show(n: int, box: frozenset[int]) -> str:
    """A picture of `box` as text, with each of `n` levers up or down.

    >>> print(show(4, frozenset({1, 4})))
    +---+---+---+---+
    | 1 |   |   | 4 |  up
    |   | 2 | 3 |   |  down
    +---+---+---+---+
    """
    levers, width = range(1, n + 1), len(str(n))
    edge = "+" + f"{'-' * (width + 2)}+" * n
    up = "".join(f"| {lever if lever in box else '':>{width}} " for lever in levers)
    down = "".join(f"| {'' if lever in box else lever:>{width}} " for lever in levers)
    return f"{edge}\n{up}|  up\n{down}|  down\n{edge}"


SIMPLE = (
    "Lever 1 is shut from the start. A roll of two dice shuts the lever with its number. You win "
    "if all levers are shut. You lose if that lever is shut already, or if there is none: after a "
    "roll of 10, 11 or 12. There is never a choice."
)
"""The rules of the simplified game."""


def about(n: int, dice: int, end: bool | str, most: int | None) -> str:
    """The rules of the game, for a person. The arguments are the fields of its `Rules`.

    >>> about(9, 2, "shut", None).partition(" Shut ")[0]
    'The levers 1 to 9 are up. In each turn you roll two dice, or one once 7 and above are shut.'
    """
    few = "" if most is None else f", {most} at most,"
    thrown = ("one die", "two dice", "three dice")[dice - 1]
    if end and dice > 1:
        small = "7 and above are shut" if end == "shut" else "those that are up add up to at most 6"
        thrown = f"{thrown}, or one once {small}"
    return (
        f"The levers 1 to {n} are up. In each turn you roll {thrown}. Shut levers{few} whose "
        "numbers add up to the roll. You win if all levers are shut. You lose if no levers fit the "
        "roll."
    )


def short(n: int, box: frozenset[int]) -> str:
    """The levers that are up, with a blank for each that is down; with commas if `n` is above 9.

    >>> short(9, frozenset({2, 4})), short(12, frozenset({1, 2, 11}))
    (' 2 4     ', '1,2,11')
    """
    if n > 9:
        return ",".join(map(str, sorted(box)))
    return "".join(str(lever) if lever in box else " " for lever in range(1, n + 1))


def squares(n: int, box: frozenset[int]) -> Squares:
    """One row of the levers that are up; the columns name all levers."""
    names = tuple(str(lever) for lever in range(1, n + 1))
    return Squares((tuple(name if int(name) in box else "" for name in names),), names)


def event(roll: int | None) -> str:
    """The words for a roll.

    >>> event(9)
    'roll 9'
    """
    return f"roll {roll}"


def label(before: frozenset[int], after: frozenset[int]) -> str:
    """The levers that the move from `before` to `after` shuts, as text.

    >>> label(frozenset({2, 5, 7}), frozenset({5}))
    'shut 2+7'
    """
    return _shutting(before - after)


def _shutting(levers: Iterable[int]) -> str:
    return f"shut {'+'.join(map(str, sorted(levers)))}"


def typed_move(n: int, box: frozenset[int], text: str) -> str:  # noqa: ARG001
    """The label of the move that shuts the levers in `text`, or `text` if it names none.

    >>> typed_move(9, frozenset({1, 8}), "8+1"), typed_move(9, frozenset({1, 8}), "Shut 18")
    ('shut 1+8', 'shut 1+8')
    """
    levers = _typed_levers(n, text.strip().lower().removeprefix("shut"))
    return _shutting(levers) if levers else text


def why_not(n: int, box: frozenset[int], roll: int | None, text: str) -> str:
    """The reason why the levers in `text` cannot be shut; "" if it names no levers.

    >>> why_not(9, frozenset({1, 2, 3, 8}), 10, "2+3"), why_not(9, frozenset({2, 8}), 10, "1 9")
    ('2 + 3 is 5; the roll is 10.', '1 and 9 are shut already.')
    >>> why_not(9, frozenset({2, 8}), 10, "0 2"), why_not(9, frozenset({2, 8}), 10, "2 2")
    ('', '')
    """
    levers = _typed_levers(n, text.strip().lower().removeprefix("shut")) or ()
    shut = [str(lever) for lever in levers if lever not in box]
    if not levers:
        return ""
    if shut:
        return f"{' and '.join(shut)} {'is' if len(shut) == 1 else 'are'} shut already."
    return f"{' + '.join(map(str, levers))} is {sum(levers)}; the roll is {roll}."


def typed_box(n: int, text: str) -> frozenset[int]:
    """The box in which the levers in `text` are up, perhaps in its picture; or a ValueError.

    >>> typed_box(9, "27") == typed_box(9, "2, 7") == frozenset({2, 7})
    True
    >>> typed_box(4, show(4, frozenset({1, 4}))) == frozenset({1, 4})
    True
    """
    up = re.findall(r"\d+", text.partition("up")[0])
    levers = _typed_levers(n, ",".join(up) if "|" in text else text)
    if levers is None:
        raise ValueError(
            f"A box must be the levers that are up, from 1 to {n} and each once, for example 27 "
            f"or 2,7; got {brief(text)}."
        )
    return frozenset(levers)


def _typed_levers(n: int, text: str) -> tuple[int, ...] | None:
    """The levers in `text`, with blanks, commas or + between them; None if it has anything else.

    A number that is no lever stands for its digits: 27 for 2 and 7 if there are nine levers.
    """
    names = {str(lever): lever for lever in range(1, n + 1)}
    words = text.replace(",", " ").replace("+", " ").split()
    parts = [part for word in words for part in ([word] if word in names else word)]
    is_right = {*parts} <= names.keys() and len({*parts}) == len(parts)
    return tuple(names[part] for part in parts) if is_right else None
