"""A game so far as a value: its setting, its turns, undo, the seats, and who may see what.

The event of turn n follows from the seed and n alone, so undo does not change the dice.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple, TypeAlias

from purembts.app.positions import AnyGame, AnyTurn, labels_of, position_called
from purembts.bounds import AnyBound, ucb1
from purembts.chance import Rng
from purembts.checks import brief
from purembts.game import draw_turn, movers_of
from purembts.players import Player
from purembts.report import Value

Turns: TypeAlias = tuple[AnyTurn, ...]
"""A game so far, at least one turn; the last is the one to play."""


class Setting(NamedTuple):
    """The facts of a game that stay the same while it is played."""

    game: AnyGame
    seed: int = 0
    persons: frozenset[int] = frozenset({0})
    """The players who are people."""
    names: Mapping[int, str] = {}
    """The names of the strategies of the other players, as a person types them."""
    players: Mapping[int, Player] = {}
    """The strategies of the other players."""
    dives: int = 10_000
    """The dives of a search for hints."""
    bound: AnyBound = ucb1
    value: Value | None = None
    """The exact value of a position, kept from turn to turn; None for a new solver each time."""
    rng: Rng | None = None
    """The generator of all draws, as in a match; None if each turn has its own, from the seed."""


class Session(NamedTuple):
    """A game so far, and what its people see of it."""

    turns: Turns
    hints: str = "none"
    """The kind of hints at every turn."""
    viewer: int | None = None
    """The person who saw the last view."""


def rng_of(setting: Setting, n: int, use: str = "") -> Rng:
    """The generator of turn `n`, from 0, for a use such as `/move`."""
    return setting.rng or Random(f"{setting.seed}/{n}{use}")


# Turns


def first_turn(setting: Setting, state: Any) -> Turns:  # noqa: ANN401
    """A game that begins at `state`."""
    return (draw_turn(setting.game, state, rng_of(setting, 0)),)


def after_move(setting: Setting, turns: Turns, move: Any) -> Turns:  # noqa: ANN401
    """The game after `move`, with the next event."""
    return (*turns, draw_turn(setting.game, move, rng_of(setting, len(turns))))


def choices(turns: Turns, persons: Collection[int]) -> list[int]:
    """The numbers of the turns, from 0, in which one of `persons` has made a choice."""
    return [
        n for n, turn in enumerate(turns[:-1]) if len(turn.moves) > 1 and turn.player in persons
    ]


def before_last(game: AnyGame, turns: Turns) -> Any:  # noqa: ANN401
    """The position before the last move; None at the start, and if hands are hidden."""
    return turns[-2].state if len(turns) > 1 and not game.hidden else None


def undone(turns: Turns, persons: Collection[int]) -> Turns:
    """The game at the last choice of `persons` before its last turn; `turns` if there is none."""
    before = choices(turns, persons)
    return turns[: before[-1] + 1] if before else turns


# The line of a game


def moves_so_far(game: AnyGame, turns: Turns) -> list[str]:
    """The names of the moves of a game so far, as in a line and in the link of a page."""
    pairs = pairwise(turns)
    return [labels_of(game, turn)[turn.moves.index(after.state)] for turn, after in pairs]


def line_of(setting: Setting, turns: Turns) -> str:
    """The game so far in one line that `position_called` reads, with the seed of a deal.

    The JSON of its first position comes first if the moves alone do not lead to the last one. ""
    without moves, and if no line is right: moves after different events can have the same name.
    """
    game, first, moves = setting.game, turns[0].state, moves_so_far(setting.game, turns)
    starts = [json.dumps(game.json.encode(first), ensure_ascii=False)] if game.json else []
    for line in (" ".join([*start, *moves]) for start in ([], starts) if moves):
        with suppress(ValueError):
            if position_called(game, [line], setting.seed) == turns[-1].state:
                return line
    return ""


# Who may see what


def public_state(setting: Setting, turns: Turns) -> Any:  # noqa: ANN401
    """The position that a screen may show. If hands are hidden, it is a view until the game ends.

    It is the view of the person to move, or of the first person; without people, of the player.
    """
    game, persons, turn = setting.game, setting.persons, turns[-1]
    if game.hidden is None or not turn.moves:
        return turn.state
    seat = turn.player if turn.player in persons or not persons else min(persons)
    return game.hidden.view(turn.state, seat)


def is_secret(setting: Setting) -> bool:
    """True if people play against each other who must not see each other's views."""
    return bool(setting.game.hidden) and len(setting.persons) > 1


# Seats


def either(words: Iterable[str]) -> str:
    """`words` with commas and `or` between them."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def seats_called(game: AnyGame, words: Sequence[object] | None) -> frozenset[int]:
    """The players, from 0, with the numbers `words` from 1, or `all`; by default the first one."""
    movers = movers_of(game)
    names = {str(mover + 1): {mover} for mover in movers} | {"all": {*movers}}
    for word in map(str, words or ()):
        if word not in names:
            raise ValueError(f"`SEAT` must be {either(names)}; got {brief(word)}.")
    return frozenset().union(*(names[str(word)] for word in words or (movers[0] + 1,)))


def strategies_at(
    game: AnyGame, persons: Iterable[int], names: Sequence[str] | None, usual: str
) -> dict[int, str]:
    """The names of the strategies of the players who are no `persons`.

    The last of `names` stands for all seats that are left.
    """
    seats = [player for player in movers_of(game) if player not in persons]
    if names and len(names) > len(seats):
        right = f"at most {len(seats)}" if seats else "0, as all seats are taken"
        raise ValueError(f"The number of strategies must be {right}; got {len(names)}.")
    *first, last = names or [usual]
    return {seat: first[i] if i < len(first) else last for i, seat in enumerate(seats)}
