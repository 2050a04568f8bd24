"""The laws of players: they make moves of their game, also of a game that is derived.

In a game that can be solved, the loss of a move is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from purembts.checks import a_seed, brief
from purembts.exact import solver
from purembts.game import AnyGame, E, Game, S, Strategy
from purembts.guards import check_facts
from purembts.play import move_of
from purembts.players import Player
from purembts.records import Scores
from purembts.report import turns_at
from purembts.verify.laws import board_text, read_tree
from purembts.verify.position_laws import require
from purembts.verify.search_laws import check_scores


def derived_games(game: AnyGame) -> tuple[AnyGame, AnyGame]:
    """Two games that a person could derive from `game` by `_replace`.

    In the first one the lowest score is the best, as in misère games, and scores count tenfold. The
    second one refuses every second move.
    """
    (low, high), total = game.score_range, game.score_sum
    misere = game._replace(
        name=f"{game.name}, misère",
        result=partial(_reversed_scores, game.result, low + high),
        score_range=(10 * low, 10 * high),
        score_sum=None if total is None else 10 * (game.players * (low + high) - total),
    )
    some_moves = partial(_every_second_move, game.moves)
    return misere, game._replace(name=f"{game.name}, some moves", moves=some_moves)


def _reversed_scores(result: Callable[[S], Scores], total: float, state: S) -> Scores:
    """For each player, ten times the difference of `total` and the score at `state`."""
    return tuple(10 * (total - score) for score in result(state))


def _every_second_move(moves: Callable[[S, E], Sequence[S]], state: S, event: E) -> Sequence[S]:
    """The first move at `state` after `event`, the third one, and so on."""
    return moves(state, event)[::2]


def check_moves(
    player_of: Callable[[AnyGame], Strategy[Any, Any]],
    game: AnyGame,
    positions: Iterable[Any],
    *,
    seed: int | str = 0,
) -> None:
    """Hold the player of `game`, and those of its `derived_games`, to the moves of their games.

    `player_of` makes the player of a game. An AssertionError says which move is none of its turn,
    or which mean of a `Player` cannot be one of scores of its game. Where hands are hidden, the
    player must be a strategy of positions, such as `determinize.lifted` makes.

    >>> from purembts.games.last_coin import last_coin, pile
    >>> from purembts.players import uct_player
    >>> check_moves(lambda game: uct_player(game, 20), last_coin(), map(pile, range(2, 9)))
    """
    check_facts(game)
    states, seed = list(positions), a_seed(seed)
    for one in (game, *derived_games(game)):
        choose = player_of(one)
        turns = [turn for state in states for turn in turns_at(one, state) if turn.moves]
        for number, turn in enumerate(turns):
            rng = Random(f"{seed}/{number}")
            move = choose(turn, rng)
            right = f"The player of {one.name} must play a move of its turn"
            got = f"got {brief(move)} at {brief(turn.state)}.{board_text(one, turn.state)}"
            require(move in turn.moves, f"{right}; {got}")
            if isinstance(choose, Player) and len(turn.moves) > 1:
                *_, tree = choose.trees(turn, rng)
                check_scores(one, f"The player of {one.name}", read_tree(tree))


class Loss(NamedTuple):
    """The value of the best move minus the value of the move that was made, for its player."""

    loss: float
    state: Any
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
            f"{worst.loss:.3g} more.{board_text(game, worst.state)}"
        )
    return mean


def losses(
    choose: Strategy[S, E], game: Game[S, E], positions: Iterable[S], *, seed: int | str = 0
) -> Iterator[Loss]:
    """The loss of the move that `choose` makes at each position and event where there is a move."""
    value, seed = solver(game), a_seed(seed)
    for number, state in enumerate(positions):
        for turn in turns_at(game, state):
            if not turn.moves:
                continue
            choice = move_of(turn, choose(turn, Random(f"{seed}/{number}/{turn.event}")))
            worth = {move: value(move)[turn.player] for move in turn.moves}
            best = max(worth, key=worth.__getitem__)
            names = (game.display.label(state, move) for move in (choice, best))
            yield Loss(float(worth[best] - worth[choice]), state, *names)
