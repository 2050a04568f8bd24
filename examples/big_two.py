"""A tournament of Big Two: random play, the plan, search, hybrid, and search that sees all hands.

`python examples/big_two.py 40 400` plays 40 deals, each in all 120 seatings, with searches of 400
dives a turn. That takes long. Without arguments it plays few deals with short searches, only to
show the table.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import perm

from purembts.bounds import ucb1_with
from purembts.chance import Rng
from purembts.determinize import lifted
from purembts.game import Strategy, Turn
from purembts.games.big_two import Table, View, big_two
from purembts.knowledge.big_two_plan import plan_strategy
from purembts.play import match
from purembts.players import Player, random_player, uct_player
from purembts.records import mean

ROLLOUTS = 4
MAX_CARDS = 32


def players(budget: int) -> dict[str, Strategy[Table, None]]:
    """The five strategies by name. Those that search have the same budget."""
    game, bound = big_two(), ucb1_with(0.2)
    search = uct_player(game, budget, rollouts=ROLLOUTS, bound=bound, final=mean)
    return {
        "search, sees all hands": uct_player(
            game._replace(hidden=None), budget, rollouts=ROLLOUTS, bound=bound, final=mean
        ),
        "search": lifted(game, search.__call__),
        "hybrid": lifted(game, partial(hybrid, search)),
        "plan": lifted(game, plan_strategy),
        "random": random_player,
    }


def hybrid(search: Player, turn: Turn[View, None], rng: Rng) -> View:
    """The move of the plan while many cards are left, and otherwise that of `search`."""
    if sum(turn.state.counts) > MAX_CARDS:
        return plan_strategy(turn, rng)
    move: View = search(turn, rng)
    return move


def main(deals: int = 2, budget: int = 2) -> None:
    """Print the mean points of each strategy in a game, with 95 % intervals."""
    named = players(budget)
    with ProcessPoolExecutor() as pool:
        games = deals * perm(len(named), 4)
        standings = match(big_two(), tuple(named.values()), games, seed=7, executor=pool)
    print(f"{deals} deals, {standings[0].games} games each, {budget} dives of {ROLLOUTS} games")
    for name, standing in zip(named, standings, strict=True):
        low, high = standing.interval
        print(f"{name:24} {standing.mean:+6.2f}  ({low:+.2f} to {high:+.2f})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
