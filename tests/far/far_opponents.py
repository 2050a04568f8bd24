"""Our levels of Reversi and gomoku against players that are not ours.

`python tests/far/far_opponents.py --games 20` prints the scores with their intervals. The players
are OpenSpiel's search in C++, with random games and ten times the dives of ours or more, and in
Reversi an alpha-beta search of depth 3 with a table of the worth of each square.
"""

import argparse
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, NamedTuple

import pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search

from far_open_spiel import check_ply
from peers import open_spiel_bot
from purembts.app.players import strategy_called
from purembts.chance import pick
from purembts.game import turn_at
from purembts.games.mnk import gomoku
from purembts.games.reversi import reversi
from purembts.records import Record, interval

QUARTER = ((100, -20, 10, 5), (-20, -50, -2, -2), (10, -2, -1, -1), (5, -2, -1, -1))
"""The worth of the squares of a quarter of the board, from the corner."""
SQUARES = tuple(QUARTER[min(y, 7 - y)][min(x, 7 - x)] for y in range(8) for x in range(8))
RANDOM = 4
"""The number of random moves at the beginning of a game."""


class Other(NamedTuple):
    """A player that is not ours, in games of OpenSpiel."""

    game: Any
    spiel: str
    columns: int
    choose: Callable[[Any, int], int]
    """A function from a state of OpenSpiel and a seed to a move."""


def searching(name, dives):
    """OpenSpiel's search in C++, with a new tree for each move."""
    game = pyspiel.load_game(name)
    return lambda state, seed: open_spiel_bot(game, dives, seed).step(state)


def alpha_beta(state, seed):
    """The move of an alpha-beta search of depth 3, by the worth of the squares or the result."""
    worth = partial(worth_of, player=state.current_player())
    return alpha_beta_search(state.get_game(), state, lambda at: worth(at) / 10_000, 3)[1]


def worth_of(state, player):
    """The worth of the squares of `player` less that of the squares of the other one."""
    lines = str(state).splitlines()[2:10]
    discs = [disc for line in lines for disc in line[2:17:2]]
    black = sum(SIGNS[disc] * worth for disc, worth in zip(discs, SQUARES, strict=True))
    return -black if player else black


SIGNS = {"x": 1, "o": -1, "-": 0}


def played(other, level, ours, seed):
    """The score of our level as player `ours`, in a game that begins with random moves."""
    rng = Random(seed // 2)
    move_of = strategy_called(other.game, level)
    state, theirs = other.game.start, pyspiel.load_game(other.spiel).new_initial_state()
    while numbers := check_ply(other.game, state, theirs, other.columns):
        if len(theirs.history()) < RANDOM:
            number = pick(sorted(numbers), rng)
        elif theirs.current_player() == ours:
            move = move_of(turn_at(other.game, state, None), rng)
            number = next(each for each, own in numbers.items() if own == move)
        else:
            number = other.choose(theirs, int(rng.random() * 2**31))
        state = numbers[number]
        theirs.apply_action(number)
    return other.game.result(state)[ours]


def score(other, level, games):
    """The record of our level in games from both sides, two for each beginning."""
    points = sum(played(other, level, seed % 2, seed) for seed in range(games))
    return Record(games, (points,))


def othello(choose):
    return Other(reversi(), "othello", 8, choose)


def five(choose):
    return Other(gomoku, FIVE, 15, choose)


FIVE = "mnk(m=15,n=15,k=5)"
MATCHES = {
    "alpha-beta of depth 3": (othello(alpha_beta), ("easy", "medium", "hard")),
    "OpenSpiel, 500 dives": (othello(searching("othello", 500)), ("medium",)),
    "OpenSpiel, gomoku, 1,000 dives": (five(searching(FIVE, 1000)), ("medium",)),
}
"""The other players, each with the levels that it meets. Ten times the dives of `hard` take more
than half a minute a move."""


def test_hard_wins_most_games_against_alpha_beta():
    other, _ = MATCHES["alpha-beta of depth 3"]
    assert score(other, "hard", 4).scores[0] >= 3


def main():
    """Print the scores of all matches."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--against", nargs="+", default=list(MATCHES))
    options = parser.parse_args()
    for name in options.against:
        other, levels = MATCHES[name]
        for level in levels:
            record = score(other, level, options.games)
            low, high = interval(record)
            print(f"{name}: {level} {record.scores[0]:g} of {options.games}", end=" ")
            print(f"(95 % interval {low:.2f} to {high:.2f})", flush=True)


if __name__ == "__main__":
    main()
