"""What the first page and the path show at once, without Python: a search, figures, a machine.

The search is that of `uct`, dive for dive, with the random games of some dives.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from math import sqrt
from random import Random
from typing import NamedTuple

from purembts.bandits import Arm, bernoulli, by_bound, pulls
from purembts.bounds import ucb1
from purembts.chance import pick
from purembts.exact import solver
from purembts.fast.engine import strides
from purembts.game import Policy, Turn
from purembts.games.mnk import Board, tic_tac_toe
from purembts.mcts import backpropagate, learnt, select
from purembts.records import Scores, as_tree

SEED, DIVES = 319, 10_000
SLOW = (1, 2, 3, 11, 12, 13, 62, 67)
"""The dives that are shown in their phases: the first, those after all openings, deeper ones."""
MARKS = (0, 10, 100, 1_000, 10_000)
"""The numbers of dives after which the moves are judged against random play."""
ARMS, PULLS, PAY_SEED = (0.3, 0.7, 0.5), 20, 34
"""The chances of the arms of a machine, the pulls of a player, and the seed of the pay."""


class Dive(NamedTuple):
    """One dive: its path from the start to the leaf, and the random game from there."""

    path: Sequence[Board]
    game: Sequence[Board]
    """The positions from the leaf to the end."""
    result: Scores


def dives(rng: Random) -> Iterator[Dive]:
    """The dives of a search from the start of tic-tac-toe, without end."""
    tree, start = as_tree({}), tic_tac_toe.start
    while True:
        path = select(tic_tac_toe, tree, start, ucb1, rng)
        game = [path[-1][0]]
        while moves := tic_tac_toe.moves(game[-1], None):
            game.append(pick(moves, rng))
        result = tic_tac_toe.result(game[-1])
        yield Dive([state for state, _ in path], game, result)
        tree = backpropagate(tree, path, result)


def squares(states: Sequence[Board]) -> str:
    """The squares of the moves between `states`: a digit each, from 0 for a1 and 1 for b1."""
    stones = [(after ^ before).bit_length() - 1 for before, after in pairwise(map(_taken, states))]
    return "".join(f"{stone // 4 * 3 + stone % 4}" for stone in stones)


def _taken(board: Board) -> int:
    return board.first | board.second


def written(dive: Dive) -> str:
    """The squares of the path of a dive; then x, o or - if X has won, O has won, or nobody."""
    return squares(dive.path) + {(1, 0): "x", (0, 1): "o"}.get(dive.result, "-")


def share_won(policy: Policy[Board, None], start: Board) -> float:
    """The exact share of games from `start` that X wins by `policy` against random moves."""
    wins = tic_tac_toe._replace(result=_x_wins)
    value = solver(wins, policy=lambda turn: turn.moves if turn.player else policy(turn))
    return round(float(value(start)[0]), 4)


def _x_wins(board: Board) -> Scores:
    return (1, 0) if tic_tac_toe.result(board) == (1, 0) else (0, 1)


def _moves(turn: Turn[Board, None]) -> Sequence[Board]:
    """Random play: all moves."""
    return turn.moves


def search_facts() -> Mapping[str, object]:
    """The dives, some of their random games, and the games won after each opening and each mark."""
    game, start = tic_tac_toe, tic_tac_toe.start
    record = list(islice(dives(Random(SEED)), DIVES))
    trees = strides(game, {}, start, [b - a for a, b in pairwise(MARKS)], Random(SEED))
    return {
        "DIVES": "".join(map(written, record)),
        "GAMES": {n: squares(record[n - 1].game) for n in SLOW},
        "CHANCES": [share_won(_moves, move) for move in game.moves(start, None)],
        "WON": {n: share_won(learnt(tree), start) for n, tree in zip(MARKS, trees, strict=True)},
    }


def machine_facts() -> Mapping[str, object]:
    """The chances of the arms, the pay of their pulls, and the arms that the bound pulls."""
    pay = [_pay(p, Random(f"{PAY_SEED}/{arm}")) for arm, p in enumerate(ARMS)]
    rule = [pull.arm for pull in islice(pulls([*map(_arm, pay)], by_bound(bound)), PULLS)]
    return {"ARMS": ARMS, "PAY": pay, "RULE": rule}


def bound(paid: float, n: int, _: int) -> float:
    """The most that an arm may be worth, at most 1: its mean and half a root of 1/n more.

    Half a root of 1/n is the highest standard error of a mean. The bars of the page end at 1, so
    UCB1, which is mostly above 1 in so few pulls, would not be seen there.
    """
    return min(1, paid / n + 0.5 / sqrt(n)) if n else 1


def _pay(p: float, rng: Random) -> list[float]:
    return [bernoulli(p)(rng) for _ in range(PULLS)]


def _arm(pay: Sequence[float]) -> Arm:
    """The arm whose pulls have this pay, one after the other."""
    rest = iter(pay)
    return lambda _: next(rest)


def script() -> str:
    """The script js/recorded.js, a module of constants."""
    facts = {**search_facts(), **machine_facts()}
    return "".join(f"export const {name} = {json.dumps(fact)};\n" for name, fact in facts.items())
