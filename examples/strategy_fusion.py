"""Strategy fusion: an error of perfect information search that information set search avoids.

A coin lies hidden. The player may be safe, which pays 0.7. Or the player may guess heads or tails,
which pays 1 if it is right. A player who sees the coin guesses right. So a search of one world
after the other finds that a guess is worth 1, because it plays another strategy in each world. A
player who does not see the coin must guess the same in both worlds, which is worth 1/2. A tree of
views has one record for "about to guess", and learns that.

The second part is an endgame of Big Two. There the same error makes a player expect too much.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from purembts.bounds import ucb1_with
from purembts.chance import Rng
from purembts.determinize import information_set, perfect_information
from purembts.display import Hidden
from purembts.game import Game
from purembts.games.big_two import big_two, deal, play_between
from purembts.games.big_two import view as seen_by
from purembts.records import mean


class Coin(NamedTuple):
    """The side of the coin that is up, and the player's last word."""

    heads: bool
    said: str = "nothing"


class Seen(NamedTuple):
    """The part of it that the player knows."""

    said: str


NEXT = {"nothing": ("safe", "guess"), "guess": ("heads", "tails")}


def moves(coin: Coin, event: None) -> tuple[Coin, ...]:  # noqa: ARG001
    """The words that can be said next."""
    return tuple(coin._replace(said=said) for said in NEXT.get(coin.said, ()))


def result(coin: Coin) -> tuple[float]:
    """The pay for the last word."""
    if coin.said == "safe":
        return (0.7,)
    return (1,) if coin.heads == (coin.said == "heads") else (0,)


def to_move(coin: Coin) -> int:  # noqa: ARG001
    """The only player."""
    return 0


def view(coin: Coin, player: int) -> Seen:  # noqa: ARG001
    """The last word, without the side of the coin."""
    return Seen(coin.said)


def worlds(seen: Seen, rng: Rng) -> Iterator[Coin]:
    """Coins with either side up, each equally likely."""
    while True:
        yield Coin(rng.random() < 0.5, seen.said)


hidden_coin = Game(
    moves=moves,
    result=result,
    to_move=to_move,
    name="Hidden coin",
    players=1,
    score_sum=None,
    hidden=Hidden(view, worlds),
)


METHODS = {"perfect information": perfect_information, "information set": information_set}


def main() -> None:
    """Print the values that both methods give to the same moves."""
    print("A hidden coin: safe pays 0.7")
    for name, method in METHODS.items():
        how = {"worlds": 20} if method is perfect_information else {}
        budget = 200 if how else 4000
        tree = method(hidden_coin, Seen("nothing"), Random(7), budget=budget, rollouts=1, **how)
        safe, guess = (tree[Seen(said)] for said in ("safe", "guess"))
        chosen = "guess" if guess.visits > safe.visits else "safe"
        print(f"  {name:20} guess {mean(guess):.2f}  safe {mean(safe):.2f}  plays {chosen}")

    game, table = big_two(), deal(Random("f3"), hand_size=3)
    known = seen_by(table, 0)
    print(f"Big Two, three cards each, the lead with {known.hand}: mean points")
    for name, method in METHODS.items():
        how = {"worlds": 40} if method is perfect_information else {}
        budget = 150 if how else 6000
        bound = ucb1_with(0.1)
        tree = method(game, known, Random(7), budget=budget, rollouts=1, bound=bound, **how)
        moves = {seen_by(move, 0): move for move in game.moves(table, None)}
        best = max(moves, key=lambda move: tree[move].visits if move in tree else 0)
        print(f"  {name:20} {play_between(known, best)} {mean(tree[best]):+.1f}")


if __name__ == "__main__":
    main()
