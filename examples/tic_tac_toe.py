"""Tic-tac-toe: its exact value, the openings that UCT has learnt, and matches of strategies."""

from random import Random

from purembts.exact import solver, uniform
from purembts.fast.engine import search
from purembts.games.mnk import tic_tac_toe
from purembts.play import match, turns
from purembts.players import flat_player, perfect_player, random_player, uct_player
from purembts.records import interval, mean

start = tic_tac_toe.start


def main() -> None:
    """Print a game, the openings as a search sees them, and a round of matches."""
    best_play, by_chance = (
        solver(tic_tac_toe)(start)[0],
        solver(tic_tac_toe, policy=uniform)(start)[0],
    )
    print(f"worth to the player who starts: {best_play} with best play, {by_chance} by chance\n")

    tree = search(tic_tac_toe, {}, start, 10_000, Random(7))
    print("the openings after 10,000 dives:")
    for move in tic_tac_toe.moves(start, None):
        record, label = tree[move], tic_tac_toe.display.label(start, move)
        low, high = interval(record)
        means = f"mean {mean(record):.3f} ({low:.3f} to {high:.3f})"
        print(f"  {label}: {record.visits:5} visits, {means}")

    uct = uct_player(tic_tac_toe, 500)
    *_, last = turns(tic_tac_toe, start, (uct, random_player), Random(7))
    print(f"\nUCT against chance ends in {tic_tac_toe.result(last.state)}:")
    print(tic_tac_toe.display.show(last.state))

    print("\n100 games each, starting in turn:       won drawn lost")
    players = {
        "UCT, 500 dives": uct,
        "flat, 500 games": flat_player(tic_tac_toe, 500),
        "perfect": perfect_player(tic_tac_toe),
        "random": random_player,
    }
    for one, other in (
        ("UCT, 500 dives", "random"),
        ("flat, 500 games", "random"),
        ("UCT, 500 dives", "flat, 500 games"),
        ("UCT, 500 dives", "perfect"),
        ("flat, 500 games", "perfect"),
    ):
        own, _ = match(tic_tac_toe, (players[one], players[other]), 100, seed=7)
        print(f"  {one + ' - ' + other:38} {own.wins:3} {own.draws:5} {own.losses:4}")


if __name__ == "__main__":
    main()
