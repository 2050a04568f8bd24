"""Mates in gomoku: positions with a win by fours, and the share that each level plays on.

    python tests/bench/mates.py --positions 100

A four threatens to win at once, so that the other player has one answer. The positions come from
games of players who take one of the six squares of most promise. The wins have at most five stones
of the winner, and are found by brute force on a list of windows, which uses no tactics of the
library. A level plays on if its move wins, by the same brute force.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from random import Random

from purembts.app.players import LEVELS, player_called
from purembts.chance import pick
from purembts.game import turn_at
from purembts.games.mnk import Board, gomoku
from purembts.knowledge.mnk_tactics import _promising
from purembts.records import Record, interval

DEEPEST = 5
"""The most stones of the winner."""
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
LINES = [
    {(row + i * down, column + i * right) for i in range(5)}
    for down, right in STEPS
    for row in range(15)
    for column in range(15)
    if row + 4 * down < 15 and 0 <= column + 4 * right < 15
]
"""The squares of all windows."""


def places(stones: int) -> frozenset:
    """The row and the column of each stone."""
    return frozenset(divmod(i, 16) for i in range(stones.bit_length()) if stones >> i & 1)


def missing(own: frozenset, other: frozenset, n: int) -> list[set]:
    """The sets of n free squares that `own` lacks for five in a row."""
    return [line - own for line in LINES if len(line - own) == n and not line & other]


def mate(own: frozenset, other: frozenset, deepest: int = DEEPEST) -> int:
    """The fewest stones with which the player to move wins by fours; 0 if more than `deepest`."""
    if missing(own, other, 1):
        return 1 if deepest else 0
    stops = set().union(*missing(other, own, 1))
    found = 0
    pairs = missing(own, other, 2)
    for square in sorted({square for pair in pairs for square in pair}) if deepest > 1 else ():
        if stops - {square}:
            continue
        answers = set().union(*missing(own | {square}, other, 1))
        rest = 1 if len(answers) > 1 else mate(own | {square}, other | answers, deepest - 1)
        if rest:
            found, deepest = 1 + rest, rest
            if found == 2:
                break
    return found


def is_lost(own: frozenset, other: frozenset, deepest: int) -> bool:
    """True if the player to move, with the stones `own`, has lost, or loses by fours.

    The other player has just put a stone. It must be a four.
    """
    if any(line <= other for line in LINES):
        return True
    stops = set().union(*missing(other, own, 1))
    if missing(own, other, 1) or not stops:
        return False
    return len(stops) > 1 or mate(other, own | stops, deepest) > 0


def positions(n: int) -> Iterator[tuple[Board, int]]:
    """`n` positions with a mate, each of its own game. Every other mate has three stones or more.

    The others have two stones or more. A game with a shorter mate is left.
    """
    seed = 0
    while n:
        rng, board, seed = Random(f"mates/{seed}"), Board(), seed + 1
        while gomoku.moves(board, None):
            sides = board[:: 1 if gomoku.to_move(board) == 0 else -1]
            stones = mate(*map(places, sides)) if min(sides) else 0
            if stones:
                if stones > 1 + n % 2:
                    n -= 1
                    yield board, stones
                break
            bit = pick(_promising(gomoku.rules, *sides, 6), rng)
            player = gomoku.to_move(board)
            board = Board(board[0] | bit * (player == 0), board[1] | bit * (player == 1))


def plays_on(level: str, board: Board) -> bool:
    """True if the move of a level wins by fours."""
    turn = turn_at(gomoku, board, None)
    move = player_called(gomoku, level)(turn, Random(7))
    own, other = map(places, move[:: 1 if turn.player == 0 else -1])
    return is_lost(other, own, DEEPEST - 1)


def main() -> None:
    """Print the share of the mates that each level plays on."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=100)
    found = list(positions(parser.parse_args().positions))
    lengths = Counter(stones for _, stones in found)
    print("stones of the winner:", ", ".join(f"{k}: {n}" for k, n in sorted(lengths.items())))
    for level in LEVELS:
        right = sum(plays_on(level, board) for board, _ in found)
        low, high = interval(Record(len(found), (right,)))
        print(f"{level}: {right} of {len(found)} ({low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main()
