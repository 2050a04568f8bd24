"""Strategies for Hypothesis: positions of any game, records, generators and games.

A position is drawn as a line of moves from the start. So Hypothesis shrinks it to a short game.
"""

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, NamedTuple, TypeAlias, TypeVar

from hypothesis import strategies as st

from purembts.chance import pick
from purembts.checks import whole_number
from purembts.game import Game, start_of
from purembts.games import big_two, last_coin, mnk, reversi, shut_the_box
from purembts.guards import checked_moves
from purembts.records import NOTHING, Record
from purembts.verify.random_games import random_game

S = TypeVar("S", bound=Hashable)
E = TypeVar("E", bound=Hashable)
K = TypeVar("K", bound=Hashable)

LONGEST = 150
"""The most moves of a walk."""
_Choose: TypeAlias = Callable[[Sequence[Any]], Any]
"""One of some events or moves."""


# Generators and records

seeds: st.SearchStrategy[int] = st.integers(0, 2**64)
"""Seeds of generators. Draw a seed for a statistical test, never the random numbers themselves:
Hypothesis chooses them to break the test."""
rngs: st.SearchStrategy[Random] = st.builds(Random, seeds)
"""Generators."""
halves: st.SearchStrategy[float] = st.integers(-20, 20).map(lambda points: points / 2)
"""Scores: wins, losses, draws and points. Their sums are exact."""


def records(players: int = 2) -> st.SearchStrategy[Record]:
    """Records of `players` players, `NOTHING` among them."""
    full = st.builds(Record, st.integers(1, 1000), st.tuples(*[halves] * players))
    return st.just(NOTHING) | full


def record_maps(keys: st.SearchStrategy[K], players: int = 2) -> st.SearchStrategy[dict[K, Record]]:
    """Maps from some `keys` to records, whose numbers need not be those of a search."""
    return st.dictionaries(keys, records(players), max_size=6)


# Positions


class Walk(NamedTuple):
    """A line of moves of a game: the positions, and the events between them, one event fewer."""

    positions: tuple[Any, ...]
    events: tuple[Any, ...] = ()


def walks(game: Game[S, E], start: S | None = None) -> st.SearchStrategy[Walk]:
    """Walks from `start`, by default the game's, at most as long as the longest of ten random ones.

    Hypothesis shrinks a walk to fewer moves, and to the first moves. A walk ends where the game has
    ended, where a position comes back, or where the functions of the game answer wrongly.
    """
    root = start_of(game, start)
    longest = max(len(random_walk(game, root, Random(seed)).events) for seed in range(10))
    return st.integers(0, longest).flatmap(partial(_walks_of, game, root))


@st.composite
def _walks_of(draw: st.DrawFn, game: Game[Any, Any], start: Any, moves: int) -> Walk:  # noqa: ANN401
    """Walks of `moves` moves, or fewer if the game ends before."""
    return _walk(game, start, moves, lambda items: items[draw(st.integers(0, len(items) - 1))])


def random_walk(game: Game[S, E], start: S, rng: Random) -> Walk:
    """A random game, cut off after `LONGEST` moves."""
    return _walk(game, start, LONGEST, partial(pick, rng=rng))


def _walk(game: Game[S, E], start: S, most: int, choose: _Choose) -> Walk:
    """A walk on which `choose` takes each event and each move, of at most `most` moves."""
    positions: list[Any] = [start]
    events: list[Any] = []
    while len(events) < most and not _came_back(positions):
        if not (turn := _turn(game, positions[-1], choose)):
            break
        events.append(turn[0])
        positions.append(turn[1])
    return Walk(tuple(positions), tuple(events))


def _came_back(positions: list[Any]) -> bool:
    """True if the last position is there before. Positions that do not compare are different."""
    try:
        return positions[-1] in positions[:-1]
    except Exception:  # noqa: BLE001 - a law says what is wrong with the position
        return False


def _turn(game: Game[S, E], state: S, choose: _Choose) -> tuple[E, S] | None:
    """An event and a move that `choose` takes; None if there is no move, or a wrong answer."""
    with suppress(Exception):  # a law says what is wrong with the answer
        event = choose(game.chances(state))
        if moves := checked_moves(game, state, event):
            return event, choose(moves)
    return None


def positions_of(game: Game[S, E], start: S | None = None) -> st.SearchStrategy[S]:
    """Positions that can be reached from `start`, by default the game's."""
    return walks(game, start).map(lambda walk: walk.positions[-1])


# Games

box_games: st.SearchStrategy[Game[shut_the_box.Box, shut_the_box.Roll]] = st.builds(
    shut_the_box.shut_the_box,
    levers=st.integers(1, 7),
    dice=st.sampled_from([1, 2, 3]),
    one_die_end=st.sampled_from([False, "sum", "shut"]),
    most_levers=st.none() | st.integers(1, 3),
)
"""Variants of Shut the Box, with seven levers at most."""


def boxes_of(levers: int = 9) -> st.SearchStrategy[shut_the_box.Box]:
    """Boxes with this number of levers, also those that cannot be reached."""
    return st.sampled_from(shut_the_box.boxes(levers))


def _big_two_game(flushes: Any, after_pass: bool, hand_size: int, seed: int) -> Game[Any, Any]:  # noqa: ANN401
    game = big_two.big_two(flushes=flushes, after_pass=after_pass)
    return game._replace(start=big_two.deal(Random(seed), hand_size=hand_size))


def _mnk_game(columns: int, rows: int, in_a_row: int, exactly: bool) -> Game[Any, Any]:
    return mnk.mnk(columns, rows, min(in_a_row, max(columns, rows)), exactly=exactly)


def _last_coin_game(coins: int, takes: frozenset[int], misere: bool) -> Game[Any, Any]:
    return last_coin.last_coin(takes, misere=misere)._replace(start=last_coin.Pile(coins))


_small: Callable[[int], st.SearchStrategy[int]] = partial(st.integers, 1)
small_games: st.SearchStrategy[Game[Any, Any]] = st.one_of(
    box_games,
    st.builds(_last_coin_game, _small(20), st.frozensets(_small(5), min_size=1), st.booleans()),
    st.builds(_mnk_game, _small(4), _small(4), _small(4), st.booleans()),
    st.sampled_from([4, 6]).map(reversi.reversi),
    st.builds(_big_two_game, st.sampled_from(["suit", "rank"]), st.booleans(), _small(5), seeds),
)
"""Games of the library with small variants of their rules, each with a start."""


def random_games(
    players: st.SearchStrategy[int] | None = None, *, size: int = 30
) -> st.SearchStrategy[Game[int, str]]:
    """Games made up at random, by default of one to four players, that begin at 0."""
    whole_number(size, "size", 1)
    return st.builds(partial(random_game, size=size), seeds, players or st.integers(1, 4))
