"""Gomoku: UCT with 1,000 dives a move against random play, as in the article.

In "Gomoku with Monte Carlo Tree Search", a crude agent with this budget beats a random one.
"""

from random import Random

from purembts.games.mnk import gomoku
from purembts.play import turns
from purembts.players import random_player, uct_player


def main(games: int = 2) -> None:
    """Print the last board of each game; UCT begins every other game."""
    uct = uct_player(gomoku, 1000)
    for i in range(games):
        seats = (random_player, uct) if i % 2 else (uct, random_player)
        *played, last = turns(gomoku, gomoku.start, seats, Random(f"7/{i}"))
        won = gomoku.result(last.state)[i % 2] == 1
        print(
            f"UCT is {'xo'[i % 2]} and {'wins' if won else 'does not win'} in {len(played)} moves:"
        )
        print(gomoku.display.show(last.state))


if __name__ == "__main__":
    main()
