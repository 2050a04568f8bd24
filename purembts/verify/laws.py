"""The parts that several laws share: the error, trees of others, and ranges of exact values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from purembts.chance import Rng
from purembts.game import AnyGame, S
from purembts.records import NOTHING, Record, Scores

Ends: TypeAlias = tuple[Sequence[Any], Sequence[Any]]
"""The lowest and the highest values of a range, each for all players."""


def broken(law: str, case: str, right: str) -> AssertionError:
    """The error for a broken law: the law, the case that breaks it, and the right answer."""
    return AssertionError(f"{law} {case} {right}")


def board_text(game: AnyGame, state: Any) -> str:  # noqa: ANN401
    """The squares of a position, on lines that end a message; "" if its value says it all."""
    has_board = game.display.squares and not game.display.short
    return f"\n{game.display.show(state)}" if has_board else ""


# Dives and their trees

Uct: TypeAlias = Callable[[Any, S, Rng], tuple[Any, Scores]]
"""One dive from a position: the new tree, and the result of the game."""
Read: TypeAlias = Callable[[Any], Mapping[Any, Any]]
"""A function from a tree to a map from positions to records, or to pairs of visits and scores."""
Records: TypeAlias = dict[S, Record]
"""The records of a tree, without those that have no visits."""


def read_tree(tree: Any, read: Read | None = None) -> Records[Any]:  # noqa: ANN401
    """The records of `tree`. A position without visits counts as one without a record.

    Visits of another type become an int, if they are a whole number.

    >>> read_tree({"a": (2, [1, 1]), "b": Record(0, ())})
    {'a': Record(visits=2, scores=(1, 1))}
    """
    items = (tree if read is None else read(tree)).items()
    return {at: Record(int(n) if n == int(n) else n, tuple(q)) for at, (n, q) in items if n}


def changes(before: Records[S], after: Records[S]) -> dict[S, tuple[Record, Record]]:
    """The positions whose records differ, each with both records.

    >>> changes({"a": Record(1, (1, 0))}, {"a": Record(1, (1, 0)), "b": Record(1, (0, 1))})
    {'b': (Record(visits=0, scores=()), Record(visits=1, scores=(0, 1)))}
    """
    both = {at: (before.get(at, NOTHING), after.get(at, NOTHING)) for at in before | after}
    return {at: (old, new) for at, (old, new) in both.items() if old != new}


# Ranges


def best_range(values: Sequence[Sequence[Any]], player: int) -> Ends:
    """The lowest and the highest values of the moves that are best for `player`.

    Best moves can have different values for the other players.
    """
    most = max([value[player] for value in values])
    columns = list(zip(*[value for value in values if value[player] == most], strict=True))
    return tuple(map(min, columns)), tuple(map(max, columns))


def mean_range(ranges: Sequence[Ends]) -> Ends:
    """The range from the mean of the lowest values to the mean of the highest ones."""
    low, high = (
        tuple([sum(column) / len(rows) for column in zip(*rows, strict=True)])
        for rows in zip(*ranges, strict=True)
    )
    return low, high


def is_within(inner: Ends, outer: Ends, error: float = 0) -> bool:
    """True if the range `inner` is within `outer`, up to `error`."""
    columns = zip(outer[0], *inner, outer[1], strict=True)
    return all(low - error <= a <= b <= high + error for low, a, b, high in columns)
