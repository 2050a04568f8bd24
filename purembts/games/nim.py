"""Nim: two players in turn take from one of some heaps, and the player who takes last wins.

The player to move loses against best play if the nim-sum of the heaps is 0, which is the exclusive
or of their sizes (Bouton, "Nim, a game with a complete mathematical theory", 1901).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from typing import Any, NamedTuple

from purembts.checks import brief, true_or_false, whole_number
from purembts.display import Codec, Display
from purembts.game import Game
from purembts.records import Scores


class Heaps(NamedTuple):
    """The size of each heap, and the player to move: 0 or 1."""

    sizes: tuple[int, ...] = (3, 4, 5)
    player: int = 0


class Rules(NamedTuple):
    """A variant of Nim, as a value."""

    heaps: tuple[int, ...]
    """The sizes of the heaps at the start."""
    misere: bool
    """The player who takes last loses."""


def nim(heaps: Iterable[int] = (3, 4, 5), *, misere: bool = False) -> Game[Heaps, None]:
    """The game in which a turn takes one or more from one heap.

    The player who takes last wins, or loses with `misere`.

    >>> [move.sizes for move in nim((1, 2)).moves(Heaps((1, 2)), None)]
    [(0, 2), (1, 1), (1, 0)]
    """
    return _game(Rules(_checked_sizes(heaps), true_or_false(misere, "misere")))


def _checked_sizes(heaps: Iterable[int]) -> tuple[int, ...]:
    """`heaps` as a tuple, or a ValueError."""
    sizes = tuple(heaps) if isinstance(heaps, Iterable) else ()
    if not sizes:
        raise ValueError(f"`heaps` must be sizes of heaps, such as (3, 4, 5); got {brief(heaps)}.")
    return tuple(whole_number(size, "heaps", 0) for size in sizes)


@cache
def _game(rules: Rules) -> Game[Heaps, None]:
    """The game with `rules`, the same one at every call."""
    return Game(
        moves=_moves,
        result=partial(_result, rules),
        to_move=_to_move,
        name="Nim",
        start=Heaps(rules.heaps),
        rules=rules,
        display=Display(
            show,
            label,
            short=_short,
            typed_position=_typed_heaps,
            look="coins",
            about=f"Two players take one or more from one heap in turn. The player who takes the "
            f"last one {'loses' if rules.misere else 'wins'}.",
        ),
        json=Codec(_encode, _decode),
        is_small=True,
    )


def _moves(heaps: Heaps, event: None) -> tuple[Heaps, ...]:  # noqa: ARG001
    """The heaps after each move: one or more are gone from the first heap, or the second."""
    sizes, player = heaps
    return tuple(
        Heaps((*sizes[:i], left, *sizes[i + 1 :]), 1 - player)
        for i, size in enumerate(sizes)
        for left in reversed(range(size))
    )


def _result(rules: Rules, heaps: Heaps) -> Scores:
    """The player who is not to move took last."""
    winner = heaps.player if rules.misere else 1 - heaps.player
    return (1, 0) if winner == 0 else (0, 1)


def _to_move(heaps: Heaps) -> int:
    return heaps.player


# Text for people, and JSON


def show(heaps: Heaps) -> str:
    """A row for each heap that is left, the sizes, and the player to move, or that it is over.

    >>> print(show(Heaps((3, 0, 2), 1)))
    ooo
    oo
    heaps of 3, 0, 2; player 2 takes
    """
    rows = ["o" * size for size in heaps.sizes if size]
    following = f"player {heaps.player + 1} takes" if rows else "the game has ended"
    return "\n".join([*rows, f"heaps of {', '.join(map(str, heaps.sizes))}; {following}"])


def label(before: Heaps, after: Heaps) -> str:
    """The name of a move.

    >>> label(Heaps((3, 4, 5)), Heaps((3, 4, 1), 1))
    'take 4 from heap 3'
    """
    taken = [size - left for size, left in zip(before.sizes, after.sizes, strict=True)]
    return f"take {max(taken)} from heap {taken.index(max(taken)) + 1}"


def _short(heaps: Heaps) -> str:
    return ",".join(map(str, heaps.sizes))


def _typed_heaps(text: str) -> Heaps:
    """The heaps with the sizes in `text`, and the first player to move; or a ValueError.

    >>> _typed_heaps("1,4,5")
    Heaps(sizes=(1, 4, 5), player=0)
    """
    try:
        sizes = [int(size) for size in text.split(",")]
    except ValueError:
        raise ValueError(f"Heaps must be their sizes, such as 3,4,5; got {brief(text)}.") from None
    return Heaps(_checked_sizes(sizes))


def _encode(heaps: Heaps) -> Any:  # noqa: ANN401
    return [list(heaps.sizes), heaps.player]


def _decode(value: Any) -> Heaps:  # noqa: ANN401
    """The heaps with the sizes and the player in `value`, or a ValueError if there are none."""
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[0], list):
        raise ValueError(f"Heaps must be a list of sizes and the player; got {brief(value)}.")
    sizes, player = value
    return Heaps(_checked_sizes(sizes), whole_number(player, "player", 0, 1))
