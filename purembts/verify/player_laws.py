"""The law of players: the exact loss of a player's moves, in a game that can be solved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from purembts.checks import brief
from purembts.exact import solver
from purembts.game import E, Game, S, Strategy, checked_move
from purembts.report import turns_at


class Loss(NamedTuple):
    """The loss of a move: the value of the best move less that of the move, for its player."""

    loss: float
    state: object
    label: str
    """The name of the move."""
    best: str
    """The name of the best move."""


def check_player(
    choose: Strategy[S, E],
    game: Game[S, E],
    positions: Iterable[S],
    *,
    most: float,
    seed: int | str = 0,
) -> float:
    """The mean loss of the moves that `choose` makes; an AssertionError if it is above `most`.

    `choose` gets a turn and a generator, and returns one of the moves of the turn. A loss is exact:
    the solver of the game knows the value of each move.

    >>> from purembts.games.last_coin import last_coin, pile
    >>> from purembts.players import perfect_player
    >>> check_player(perfect_player(last_coin()), last_coin(), map(pile, range(2, 20)), most=0)
    0.0
    """
    moves = list(losses(choose, game, positions, seed=seed))
    if not moves:
        raise ValueError("`positions` must have one where the game goes on; got none.")
    mean = sum(move.loss for move in moves) / len(moves)
    if mean > most:
        worst = max(moves, key=lambda move: move.loss)
        raise AssertionError(
            f"The mean loss of {len(moves)} moves is {mean:.3g}; it must be at most {most:.3g}. "
            f"The worst is {worst.label} at {brief(worst.state)}: {worst.best} is worth "
            f"{worst.loss:.3g} more."
        )
    return mean


def losses(
    choose: Strategy[S, E], game: Game[S, E], positions: Iterable[S], *, seed: int | str = 0
) -> Iterator[Loss]:
    """The loss of the move that `choose` makes at each position and event where there is a move."""
    value = solver(game)
    for number, state in enumerate(positions):
        for turn in turns_at(game, state):
            if not turn.moves:
                continue
            choice = checked_move(turn, choose(turn, Random(f"{seed}/{number}/{turn.event}")))
            worth = {move: value(move)[turn.player] for move in turn.moves}
            best = max(worth, key=worth.__getitem__)
            names = (game.display.label(state, move) for move in (choice, best))
            yield Loss(float(worth[best] - worth[choice]), state, *names)
