"""A collection of Reversi endgames: positions with 8 to 12 empty squares.

Each is from a game of its own, which begins with random moves, and goes on with searches of few
dives by both sides. It is open: the player to move wins about half of the random games from it.
"""

from functools import cache
from random import Random

from purembts.game import turn_at
from purembts.games.reversi import Board, reversi
from purembts.players import random_player, uct_player
from purembts.records import mean
from purembts.simulation import simulate

EMPTY = (8, 9, 10, 11, 12)
EACH = 12
"""The number of positions with each number of empty squares."""
DIVES = 30
"""The dives for a move, after `RANDOM_MOVES` to 2 * `RANDOM_MOVES` random moves."""
GAMES, SHARE = 200, (0.35, 0.65)
"""The number of random games from a position, and the share of them that its player wins."""
RANDOM_MOVES = 10

game = reversi()
player = uct_player(game, DIVES)


def empty_squares(board: Board) -> int:
    return 64 - (board.black | board.white).bit_count()


def endgame(empty: int, i: int) -> Board:
    """Number i of the positions with this number of empty squares."""
    rng = Random(f"endgames/{empty}/{i}")
    while not is_open(board := reached(empty, rng), rng):
        pass
    return board


def is_open(board: Board, rng: Random) -> bool:
    """True if there is a choice at `board`, and random games from it are won by both players."""
    share = mean(simulate(game, board, GAMES, rng), board.player)
    return SHARE[0] <= share <= SHARE[1] and len(game.moves(board, None)) > 1


def reached(empty: int, rng: Random) -> Board:
    """The position with this number of empty squares in a new game."""
    while True:
        board, random_moves = game.start, RANDOM_MOVES + int(rng.random() * RANDOM_MOVES)
        while game.moves(board, None):
            if empty_squares(board) == empty:
                return board
            strategy = random_player if random_moves > 0 else player
            board = strategy(turn_at(game, board, None), rng)
            random_moves -= 1


@cache
def collection(empty: int) -> tuple[Board, ...]:
    """All positions with this number of empty squares, which takes some seconds."""
    return tuple([endgame(empty, i) for i in range(EACH)])
