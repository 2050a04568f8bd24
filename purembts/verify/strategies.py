"""Strategies for Hypothesis: positions of any game, records, generators, rules and games.

A position is drawn as a line of moves from the start. So Hypothesis shrinks it to a short game.
"""

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st

from purembts.chance import pick
from purembts.checks import whole_number
from purembts.game import Game, checked_moves, start_of
from purembts.games import big_two, last_coin, mnk, reversi, shut_the_box
from purembts.records import NOTHING, Record
from purembts.verify.random_games import random_game

S = TypeVar("S", bound=Hashable)
E = TypeVar("E", bound=Hashable)
K = TypeVar("K", bound=Hashable)

LONGEST = 150
"""The most turns of a line, if random games are longer than that."""


# Generators and records

seeds: st.SearchStrategy[int] = st.integers(0, 2**64)
"""Seeds of generators. Draw a seed for a statistical test, never the random numbers themselves:
Hypothesis chooses them to break the test."""
rngs: st.SearchStrategy[Random] = st.builds(Random, seeds)
"""Generators."""
halves: st.SearchStrategy[float] = st.integers(-20, 20).map(lambda points: points / 2)
"""Scores: wins, losses, draws and points. Their sums are exact."""


def records(
    players: int = 2, scores: st.SearchStrategy[float] = halves
) -> st.SearchStrategy[Record]:
    """Records of `players` players, `NOTHING` among them."""
    full = st.builds(Record, st.integers(1, 1000), st.tuples(*[scores] * players))
    return st.just(NOTHING) | full


def record_maps(keys: st.SearchStrategy[K], players: int = 2) -> st.SearchStrategy[dict[K, Record]]:
    """Maps from some `keys` to records. They are trees only for what adds records up."""
    return st.dictionaries(keys, records(players), max_size=6)


# Positions


class Line(NamedTuple):
    """A line of moves: the positions, and the events between them, one event fewer."""

    positions: tuple[Any, ...]
    events: tuple[Any, ...] = ()


def lines(
    game: Game[S, E], start: S | None = None, *, longest: int | None = None
) -> st.SearchStrategy[Line]:
    """Lines of moves from `start`, by default the game's, with at most `longest` moves.

    By default, `longest` is the length of the longest of ten random games, or `LONGEST`. Hypothesis
    shrinks a line to fewer moves, and to the first moves. A line ends where the game has ended,
    where a position comes back, or where the functions of the game answer wrongly.
    """
    root = start_of(game, start)
    if longest is None:
        longest = max(length(game, root, Random(seed)) for seed in range(10))
    return st.integers(0, longest).flatmap(partial(_lines_of, game, root))


@st.composite
def _lines_of(draw: st.DrawFn, game: Game[Any, Any], start: Any, moves: int) -> Line:  # noqa: ANN401
    """Lines of `moves` moves, or fewer if the game ends before."""
    positions: list[Any] = [start]
    events: list[Any] = []
    while len(events) < moves and not _came_back(positions):
        if not (found := _step(game, positions[-1], partial(_drawn, draw))):
            break
        events.append(found[0])
        positions.append(found[1])
    return Line(tuple(positions), tuple(events))


def _came_back(positions: list[Any]) -> bool:
    """True if the last position is there before. Positions that do not compare are different."""
    try:
        return positions[-1] in positions[:-1]
    except Exception:  # noqa: BLE001 - a law says what is wrong with the position
        return False


def _drawn(draw: st.DrawFn, items: Sequence[Any]) -> Any:  # noqa: ANN401
    return items[draw(st.integers(0, len(items) - 1))]


def _step(game: Game[S, E], state: S, choose: Callable[[Sequence[Any]], Any]) -> tuple[E, S] | None:
    """An event and a move that `choose` takes; None if there is no move, or a wrong answer."""
    with suppress(Exception):  # a law says what is wrong with the answer
        event = choose(game.chances(state))
        if moves := checked_moves(game, state, event):
            return event, choose(moves)
    return None


def length(game: Game[S, E], state: S, rng: Random) -> int:
    """The number of moves of a random game, `LONGEST` at most."""
    moves = 0
    while moves < LONGEST and (found := _step(game, state, lambda items: pick(items, rng))):
        moves, state = moves + 1, found[1]
    return moves


def positions(game: Game[S, E], start: S | None = None) -> st.SearchStrategy[S]:
    """Positions that can be reached from `start`, by default the game's."""
    return lines(game, start).map(lambda line: line.positions[-1])


# Games and their rules

box_rules: st.SearchStrategy[shut_the_box.Rules] = st.builds(
    shut_the_box.Rules,
    levers=st.integers(1, 7),
    dice=st.sampled_from([1, 2, 3]),
    one_die_end=st.sampled_from([False, "sum", "shut"]),
    most_levers=st.none() | st.integers(1, 3),
)
"""Rules of Shut the Box, with seven levers at most."""


def boxes(rules: shut_the_box.Rules = shut_the_box.USUAL) -> st.SearchStrategy[shut_the_box.Box]:
    """Boxes of these rules, also those that cannot be reached."""
    return st.sampled_from(shut_the_box.boxes(rules=rules))


_rules_and_boxes: st.SearchStrategy[tuple[shut_the_box.Rules, shut_the_box.Box]] = (
    box_rules.flatmap(lambda rules: st.tuples(st.just(rules), boxes(rules)))
)
"""Pairs of rules of Shut the Box and a box of these rules."""


def _deal(flushes: Any, after_pass: bool, each: int, seed: int) -> Game[Any, Any]:  # noqa: ANN401
    rules = big_two.Rules(flushes=flushes, after_pass=after_pass)
    return big_two.big_two(rules)._replace(start=big_two.deal(Random(seed), hand_size=each))


def _board(columns: int, rows: int, in_a_row: int, exactly: bool) -> Game[Any, Any]:
    return mnk.mnk(columns, rows, min(in_a_row, max(columns, rows)), exactly=exactly)


def _pile(coins: int, takes: frozenset[int], misere: bool) -> Game[Any, Any]:
    return last_coin.last_coin(takes, misere=misere)._replace(start=last_coin.Pile(coins))


_small: Callable[[int], st.SearchStrategy[int]] = partial(st.integers, 1)
games: st.SearchStrategy[Game[Any, Any]] = st.one_of(
    st.builds(shut_the_box.shut_the_box, box_rules),
    st.builds(_pile, _small(20), st.frozensets(_small(5), min_size=1), st.booleans()),
    st.builds(_board, _small(4), _small(4), _small(4), st.booleans()),
    st.sampled_from([4, 6]).map(reversi.reversi),
    st.builds(_deal, st.sampled_from(["suit", "rank"]), st.booleans(), _small(5), seeds),
)
"""Games of the library with small variants of their rules, each with a start."""


def random_games(
    players: st.SearchStrategy[int] | None = None, *, size: int = 30
) -> st.SearchStrategy[Game[int, str]]:
    """Games made up at random, by default of one to four players, that begin at 0."""
    whole_number(size, "size", 1)
    return st.builds(partial(random_game, size=size), seeds, players or st.integers(1, 4))
