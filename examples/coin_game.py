"""The coin game: the moves of flat Monte Carlo, beside those of the solver.

The experiment is that of "Introduction to Monte Carlo Tree Search". The agent of that article, with
1,000 random games a turn, won 96 of 100 games against random play. Each player started half of the
games.
"""

from itertools import accumulate
from math import comb
from random import Random

from purembts.exact import best, solver, uniform
from purembts.game import turn_at
from purembts.games.last_coin import Pile, last_coin
from purembts.play import match
from purembts.players import flat_player, perfect_player, random_player, uct_player
from purembts.records import mean

coins = last_coin()
against_chance = solver(coins, policy=uniform)
perfect = solver(coins)


def thought_experiment() -> None:
    """Print the estimates of 10,000 random games from 20 coins, and the exact values."""
    print("20 coins, 10,000 random games:")
    *_, records = flat_player(coins, 10_000).trees(turn_at(coins, Pile(20), None), Random(7))
    for move, record in sorted(records.items(), reverse=True):
        print(
            f"  {coins.display.label(Pile(20), move)}: {record.scores[0]} of {record.visits} won, "
            f"{mean(record):.4f}; against random play {float(against_chance(move)[0]):.5f}, "
            f"against perfect play {perfect(move)[0]}"
        )


def misled(piles: range) -> list[int]:
    """The piles where the best move against random play loses, but another move wins."""
    found = []
    for pile in piles:
        turn = turn_at(coins, Pile(pile), None)
        believed = best(turn, [against_chance(move) for move in turn.moves])[0]
        if perfect(Pile(pile))[0] == 1 and perfect(believed)[0] == 0:
            found.append(pile)
    return found


def expected_wins(games: int) -> float:
    """The probability that flat Monte Carlo wins against random play from 21 coins.

    `games` is an even number, half of them for each move. Each player starts half the games.
    """
    own, other = [0.0], [1.0]  # the probability to win on its own turn and on the other's, by pile
    for pile in range(1, 22):
        one = prefers_one(pile, games // 2) if pile > 1 else 1.0
        two = max(pile - 2, 0)
        own.append(one * other[pile - 1] + (1 - one) * other[two])
        other.append((own[pile - 1] + own[two]) / 2 if pile > 1 else own[0])
    return (own[21] + other[21]) / 2


def prefers_one(pile: int, n: int) -> float:
    """The probability that n games after one coin win at least as often as n after two coins."""
    one, two = (float(against_chance(Pile(pile - k, 1))[0]) for k in (1, 2))
    at_most = accumulate(binomial(n, two))
    return sum(p * q for p, q in zip(binomial(n, one), at_most, strict=True))


def binomial(n: int, p: float) -> list[float]:
    """The probabilities that 0, 1, ..., n of n games are won."""
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def main() -> None:
    """Print the article's experiments, and the exact results beside them."""
    thought_experiment()
    print("piles up to 30 where it converges to a losing move:", *misled(range(1, 31)))
    print()
    print("against random play, 100 games from 21 coins:")
    for name, player in {
        f"flat, expected {100 * expected_wins(1000):.1f}": flat_player(coins, 1000),
        "UCT, 200 dives": uct_player(coins, 200),
        "perfect": perfect_player(coins),
    }.items():
        print(f"  {name:24} {match(coins, (player, random_player), 100, seed=7)[0].wins:3} won")
    print("against perfect play:")
    for name, player in {
        "flat": flat_player(coins, 1000),
        "UCT, 200 dives": uct_player(coins, 200),
    }.items():
        standing, _ = match(coins, (player, perfect_player(coins)), 100, seed=7)
        print(f"  {name:24} {standing.wins:3} won")


if __name__ == "__main__":
    main()
