"""Proofs and searches by the clock: the Reversi endgames, and four in a row at equal time.

python tests/bench/clocked.py endgames EMPTY SECONDS
python tests/bench/clocked.py rows SIZE SECONDS GAMES     (SIZE x SIZE squares, SECONDS a move)

The times depend on the machine, so only those of one run can be compared.
"""

import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import Any

from endgames import collection, game
from purembts.app.clock import paced
from purembts.chance import pick
from purembts.exact import solver
from purembts.fast.engine import strides
from purembts.game import Game, Turn, turn_at
from purembts.games.mnk import mnk
from purembts.mcts import learnt
from purembts.proving import robust, settle_search, settle_strides
from purembts.records import NOTHING, interval, mean, tally, visits

MANY = 10**8


class TimeIsUpError(Exception):
    """The time is up."""


@contextmanager
def limited(seconds: float):
    """A block of code that ends early, without an error, after `seconds`."""

    def stop(*_):
        raise TimeIsUpError

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except TimeIsUpError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def timed(work: Callable[[], Any], seconds: float) -> float | None:
    """The seconds that `work` takes, or None if it was not ready in time."""
    start, answer = time.perf_counter(), None
    with limited(seconds):
        answer = work()
    return time.perf_counter() - start if answer else None


def last(items):
    return deque(items, maxlen=1)[0]


# Moves within a time


def uct_move(game: Game, turn: Turn, seconds: float, rng: Random):
    """The most visited move of a search, as `players.uct_player` plays it."""
    trees = strides(game, {}, turn.state, paced(seconds), rng, turn=turn)
    return learnt(last(trees), final=visits)(turn)[0]


def settle_move(game: Game, turn: Turn, seconds: float, rng: Random):
    """The move with the most visits of those that were open of late; a proved one if there is one.

    A certain move gets no more visits. It would take much longer to look for all certain moves in
    the tree, or to back up its values.
    """
    start = time.monotonic()
    trees = list(settle_strides(game, {}, turn.state, paced(seconds), rng, remember=1))
    if time.monotonic() < start + seconds:
        return robust(game, trees[-1], turn.state)(turn)[0]
    dives = trees[-1][turn.state].visits
    before = [tree for tree in trees[1:] if tree[turn.state].visits <= LATE * dives][-1]
    of_late = [move for move in turn.moves if count(trees[-1], move) > count(before, move)]
    return max(of_late or turn.moves, key=partial(count, trees[-1]))


LATE = 0.7
"""The share of the dives after which the others are late."""


def count(tree, move) -> int:
    return (tree.get(move) or NOTHING).visits


# Endgames


def quartiles(numbers: Sequence[float | None], digits: int = 2) -> str:
    """The median and the quartiles, as text, where None is more than all numbers."""
    some = sorted(number for number in numbers if number is not None)
    n = len(numbers)
    named = [
        f"{some[i]:,.{digits}f}" if (i := round((n - 1) * part)) < len(some) else "-"
        for part in (1 / 4, 1 / 2, 3 / 4)
    ]
    return f"{named[1]} ({named[0]} to {named[2]})" + (
        "" if len(some) == n else f", {len(some)} of {n} in time"
    )


def endgames(empty: float, seconds: float):
    """Print the times of the positions with this number of empty squares."""
    ways = {
        "solver": lambda board: solver(game)(board),
        "proof": lambda board: settle_search(game, {}, board, MANY, Random(1), remember=8),
    }
    boards = collection(int(empty))
    times = {
        name: [timed(partial(way, board), seconds) for board in boards]
        for name, way in ways.items()
    }
    print(f"{empty:.0f} empty squares, {len(boards)} positions")
    for name, own in times.items():
        print(f"  {name}, s:", quartiles(own))
    pairs = zip(*times.values(), strict=True)
    print("  solver / proof:", quartiles([a / b if a and b else None for a, b in pairs]))


# Four in a row


def rows(size: float, seconds: float, games: float):
    """Print the standing of settle against UCT in four in a row, both with the same time."""
    board = mnk(int(size), int(size), 4)
    players = (partial(settle_move, board), partial(uct_move, board))
    results = [seated(board, players, seconds, i) for i in range(int(games))]
    record = tally(results)
    low, high = interval(record, 0)
    wins, losses = results.count((1, 0)), results.count((0, 1))
    print(
        f"4 in a row on {size:.0f} x {size:.0f}, {seconds} s a move: settle won {wins} and lost "
        f"{losses} of {len(results)}, mean {mean(record, 0):.3f} ({low:.3f} to {high:.3f})"
    )


def seated(game: Game, players: Sequence[Callable], seconds: float, i: int):
    """The scores of the players in game i. Two games with colours changed have one opening."""
    opening, rng, up = Random(f"rows/{i // 2}"), Random(f"rows/{i // 2}/{i}"), i % 2
    state = game.start
    for _ in range(2):
        state = pick(game.moves(state, None), opening)
    while moves := game.moves(state, None):
        player = players[game.to_move(state) ^ up]
        turn = turn_at(game, state, None)
        state = player(turn, seconds, rng) if len(moves) > 1 else moves[0]
    result = game.result(state)
    return result[::-1] if up else result


if __name__ == "__main__":
    what, *numbers = sys.argv[1:]
    {"endgames": endgames, "rows": rows}[what](*map(float, numbers))
