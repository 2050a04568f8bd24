"""Tactics of Reversi: a guess at the result by corners, the squares beside them, and mobility."""

from __future__ import annotations

from functools import cache
from math import exp

from purembts.chance import Rng
from purembts.display import all_squares, square_bit
from purembts.game import Game, with_playout
from purembts.games.reversi import Board, Rules, reversi, targets
from purembts.knowledge.narrowing import guess, plays_like
from purembts.records import Scores


def tactical(game: Game[Board, None]) -> Game[Board, None]:
    """The game of Reversi with `outlook` for random games. It keeps all its moves.

    It is `game` itself if that has other functions, for example if fewer discs win.

    >>> from random import Random
    >>> from purembts.game import playout
    >>> from purembts.games.reversi import reversi
    >>> black, white = playout(tactical(reversi()), reversi().start, Random(7))
    >>> round(black, 1), round(white, 1)
    (0.5, 0.5)
    """
    if not isinstance(game.rules, Rules) or not plays_like(game, reversi(game.rules.size)):
        return game
    return with_playout(game, outlook, is_uniform=False)


def outlook(game: Game[Board, None], board: Board, rng: Rng) -> Scores:
    """A guess at the result of a game from `board`, or the result of one that has ended."""
    size, player = game.rules.size, board.player
    discs, others = board[player], board[1 - player]
    mine, yours = targets(size, discs, others).bit_count(), targets(size, others, discs).bit_count()
    if not mine and not yours:
        return game.result(board)
    ahead = 0.7 * (mine - yours) / (mine + yours + 2) + _worth(size, discs, others)
    return guess(1 / (1 + exp(-ahead)), player, rng)


def _worth(size: int, discs: int, others: int) -> float:
    """The worth of `discs` against `others`, on the scale of the logarithm of odds.

    A corner counts 1.6, and beside a free corner a disc counts -1 on the diagonal and -0.3 on the
    edge. A disc beside a free square gives moves to the other player. With fewer than 20 free
    squares, the discs count as well, and more with each move.
    """
    everything, corners = all_squares(size, size), _corners(size)
    free, row = everything & ~(discs | others), size + 1
    beside = free | (free << 1) | (free >> 1)
    beside |= (beside << row) | (beside >> row)
    open_discs, open_others = (beside & discs).bit_count(), (beside & others).bit_count()
    worth = 1.6 * (open_others - open_discs) / (open_discs + open_others + 1)
    worth += 1.6 * _more(discs, others, corners)
    unsafe = corners & free
    along = (unsafe << 1) | (unsafe >> 1) | (unsafe << row) | (unsafe >> row)
    worth -= 0.3 * _more(discs, others, along)
    diagonal = (unsafe << (row + 1)) | (unsafe << (row - 1))
    diagonal |= (unsafe >> (row + 1)) | (unsafe >> (row - 1))
    worth -= _more(discs, others, diagonal)
    late = max(0, 20 - free.bit_count()) / 20
    return worth + 5 * late * _more(discs, others, everything) / (discs | others).bit_count()


def _more(discs: int, others: int, squares: int) -> int:
    """The number of `discs` on `squares`, less that of `others` there."""
    return (discs & squares).bit_count() - (others & squares).bit_count()


@cache
def _corners(size: int) -> int:
    """The corners of the board."""
    return sum(square_bit(row, column, size) for row in (0, size - 1) for column in (0, size - 1))
