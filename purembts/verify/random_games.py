"""Small games made up from a seed, to try an algorithm on games that it was not written for.

They have chance, any number of players and scores of any sign, and several ways lead to a position.
They are so small that `exact.solver` finds every value.
"""

from functools import partial
from random import Random

from purembts.checks import a_seed, whole_number
from purembts.display import Codec
from purembts.game import Game
from purembts.records import Scores


def random_game(seed: int | str, players: int = 2, size: int = 30) -> Game[int, str]:
    """A game made up from `seed` with positions from 0, the start, to at most `size` - 1.

    A move leads to one of the next five positions. Each player scores from -2 to 2, in steps of
    1/2. A position has one to three events, "a" or "b".

    >>> game = random_game(7)
    >>> game.moves(0, "a"), game.moves(0, "b"), game.to_move(0), game.result(29)
    ((1, 4), (1, 3, 4, 5), 0, (1.5, -1.5))
    """
    whole_number(players, "players", 1)
    whole_number(size, "size", 1)
    return Game(
        moves=partial(_random_moves, a_seed(seed), size),
        result=partial(_random_result, seed, players),
        to_move=partial(_random_player, seed, players),
        chances=partial(_random_events, seed),
        name=f"random game {seed}",
        players=players,
        score_range=(-2, 2),
        score_sum=None,
        start=0,
        json=Codec(int, partial(whole_number, name="state", least=0)),
    )


def _random_moves(seed: int | str, size: int, state: int, event: str) -> tuple[int, ...]:
    rng = Random(f"{seed}/moves/{state}/{event}")
    return tuple(s for s in range(state + 1, min(state + 6, size)) if rng.random() < 0.5)


def _random_result(seed: int | str, players: int, state: int) -> Scores:
    rng = Random(f"{seed}/result/{state}")
    return tuple(int(rng.random() * 9 - 4) / 2 for _ in range(players))


def _random_player(seed: int | str, players: int, state: int) -> int:
    return int(Random(f"{seed}/player/{state}").random() * players)


def _random_events(seed: int | str, state: int) -> tuple[str, ...]:
    return ("a", "b", "b")[: 1 + int(Random(f"{seed}/chances/{state}").random() * 3)]
