"""A ladder of players: all against all from both sides, with ratings and their intervals.

    python tests/bench/ladder.py gomoku --minutes 30

Two players meet in pairs of games, with the sides changed, which begin with the same random moves
or the same deal.

Each game is a line in a file, `ladder_gomoku.jsonl`, so Ctrl-C loses at most the games in play, and
the next call goes on. The table is printed at the end, or at once with `--minutes 0`. Ratings are
those of Bradley and Terry (1952), on the scale of Elo: 400 points more are ten wins for each loss.
A pair plays as many games from each side.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import combinations, count, islice
from math import log10
from pathlib import Path
from random import Random
from typing import NamedTuple

from purembts.app.players import strategy_called
from purembts.app.positions import bound_at
from purembts.chance import pick
from purembts.game import Game, Strategy, Turn, first_position
from purembts.games import big_two, mnk, reversi
from purembts.loading import game_called
from purembts.play import play_game
from purembts.records import Record, interval

# Greedy players: they look one move ahead


def longest_rows(turn: Turn, rng: Random, *, rules: mnk.Rules) -> mnk.Board:
    """A stone that makes the longest rows, or stops those of the other player; at random of equals.

    A row of n neighbours counts 10 ** n, and a tenth more if it is one's own.
    """
    mine, other = turn.state[:: 1 if turn.player == 0 else -1]

    def worth(move: mnk.Board) -> float:
        stone = (move[0] | move[1]) ^ (mine | other)
        rows, others = (map((10).__pow__, runs(rules, side, stone)) for side in (mine, other))
        return 1.1 * sum(rows) + sum(others)

    return best_of(turn, worth, rng)


def runs(rules: mnk.Rules, stones: int, stone: int) -> Iterator[int]:
    """In each direction the stones in a row with `stone`, on both sides of it together."""
    row = rules.columns + 1
    for step in (1, row, row - 1, row + 1):
        n, up, down = 0, stone << step, stone >> step
        while up & stones:
            n, up = n + 1, up << step
        while down & stones:
            n, down = n + 1, down >> step
        yield min(n, rules.in_a_row)


def most_discs(turn: Turn, rng: Random) -> reversi.Board:
    """The move after which the player has the most discs, at random of equals."""
    return best_of(turn, lambda move: move[turn.player].bit_count(), rng)


def most_cards(turn: Turn, rng: Random) -> big_two.CardTable:
    """The move after which the player has the fewest cards, at random of equals."""
    return best_of(turn, lambda move: -move.hands[turn.player].bit_count(), rng)


def best_of(turn: Turn, worth: Callable, rng: Random):
    """One of the moves of the highest worth."""
    worths = [worth(move) for move in turn.moves]
    best = max(worths)
    return pick([move for move, n in zip(turn.moves, worths, strict=True) if n == best], rng)


def greedy(game: Game) -> Strategy:
    """The greedy player of a game."""
    if isinstance(game.rules, mnk.Rules):
        return lambda turn, rng: longest_rows(turn, rng, rules=game.rules)
    return most_discs if isinstance(game.rules, reversi.Rules) else most_cards


# Games


class Ladder(NamedTuple):
    """A game of a ladder, its rules, and the names of the players that search without a level."""

    game: str
    rules: tuple[str, ...]
    players: tuple[str, ...]


RANDOM, JOBS = 4, 2
"""The random moves at the beginning of a game, and the games that are played side by side."""
LEVELS = ("easy", "medium", "hard")
FOUR = ("columns=6", "rows=6", "in_a_row=4")
LADDERS = {
    "gomoku": Ladder("gomoku", (), ("flat:200", "uct:200", "uct:3000")),
    "reversi": Ladder("reversi", (), ("flat:300", "uct:300", "uct:2000")),
    "big-two": Ladder("big-two", (), ("flat:300", "uct:200", "uct:1000")),
    "four-in-a-row": Ladder("mnk", FOUR, ("flat:500", "uct:500", "uct:3000")),
}
"""A ladder has these players, the levels, and players that are random and greedy."""


class Planned(NamedTuple):
    """A game of a ladder: the number of its round, and the players, the first one in seat 1."""

    round: int
    first: str
    second: str


class Played(NamedTuple):
    """A game that has been played: the points of the first player, and seconds for each move."""

    round: int
    first: str
    second: str
    points: float
    seconds: tuple[float, float]
    slowest: tuple[float, float]


def planned(players: Sequence[str]) -> Iterator[Planned]:
    """The games of the players, round by round, without end."""
    for i in count():
        for a, b in combinations(players, 2):
            yield from (Planned(i, a, b), Planned(i, b, a))


def played(name: str, plan: Planned) -> Played:
    """The result of a game. With four players, the two have every other seat."""
    ladder = LADDERS[name]
    game = game_called(ladder.game, ladder.rules)
    seconds: tuple[list[float], list[float]] = ([], [])
    pair = [
        timed(strategy(ladder, game, player), times)
        for player, times in zip(plan[1:], seconds, strict=True)
    ]
    first = opening(game, Random(f"{name}/{plan.round}/{'/'.join(sorted(plan[1:]))}"))
    scores = play_game(game, first, pair * (game.players // 2), Random("/".join(map(str, plan))))
    ours, others = sum(scores[::2]), sum(scores[1::2])
    points = 1 if ours > others else 0 if ours < others else 0.5
    means = tuple(sum(times) / max(1, len(times)) for times in seconds)
    return Played(*plan, points, means, tuple(max(times, default=0) for times in seconds))


def opening(game: Game, rng: Random):
    """A deal, or the position after `RANDOM` moves, so that two players play different games."""
    state = first_position(game, rng)
    for _ in range(0 if game.hidden else RANDOM):
        state = pick(game.moves(state, None), rng)
    return state


def strategy(ladder: Ladder, game: Game, name: str) -> Strategy:
    """The strategy of a player of the ladder."""
    if name == "greedy":
        return greedy(game)
    bound = bound_at(ladder.game, game)
    return strategy_called(game, name, bound=bound)


def timed(strategy: Strategy, times: list[float]) -> Strategy:
    """`strategy`, which adds the seconds of each move with a choice to `times`."""

    def move(turn, rng):
        begin = time.process_time()
        chosen = strategy(turn, rng)
        if len(turn.moves) > 1:
            times.append(time.process_time() - begin)
        return chosen

    return move


def play_on(name: str, players: Sequence[str], path: Path, seconds: float) -> None:
    """Play the next games, until the time is over, and add them to the file."""
    ended = {Planned(*game[:3]) for game in read(path)}
    games = (plan for plan in planned(players) if plan not in ended)
    end = time.time() + seconds
    with ProcessPoolExecutor(JOBS) as pool, path.open("a", encoding="utf-8") as file:
        waiting = {pool.submit(played, name, plan) for plan in islice(games, 2 * JOBS)}
        while waiting and time.time() < end:
            future = next(as_completed(waiting))
            waiting.remove(future)
            print(json.dumps(future.result()), file=file, flush=True)
            waiting.add(pool.submit(played, name, next(games)))
        for future in waiting:
            future.cancel()


def read(path: Path) -> list[Played]:
    """The games in the file."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else ()
    return [Played(*json.loads(line)) for line in lines]


# Ratings


def ratings(players: Sequence[str], games: Sequence[Played]) -> dict[str, float]:
    """The ratings that fit the games, with a mean of 0.

    The strengths are those of Bradley and Terry, by the fixed point of Hunter (2004), "MM
    algorithms for generalized Bradley-Terry models". Each pair has one more draw, so that no rating
    is infinite.
    """
    meetings = Counter(frozenset(game[1:3]) for game in games)
    wins = {name: share(games, name).scores[0] + (len(players) - 1) / 2 for name in players}
    strengths = dict.fromkeys(players, 1.0)
    for _ in range(300):
        weights = {
            name: sum(
                (meetings[frozenset((name, other))] + 1) / (strengths[name] + strengths[other])
                for other in players
                if other != name
            )
            for name in players
        }
        strengths = {name: wins[name] / weights[name] for name in players}
    scale = {name: 400 * log10(strength) for name, strength in strengths.items()}
    middle = sum(scale.values()) / len(scale)
    return {name: rating - middle for name, rating in scale.items()}


def rating_intervals(
    players: Sequence[str], games: Sequence[Played], draws: int = 100
) -> dict[str, tuple[float, float]]:
    """The 95 % intervals of the ratings: those of games drawn again, of each pair as many."""
    rng, pairs = Random(7), {}
    for game in games:
        pairs.setdefault(game[1:3], []).append(game)
    samples = [
        ratings(players, [pick(pair, rng) for pair in pairs.values() for _ in pair])
        for _ in range(draws)
    ]
    ends = {name: sorted(sample[name] for sample in samples) for name in players}
    k = draws // 40
    return {name: (column[k], column[-1 - k]) for name, column in ends.items()}


# The table


def share(games: Sequence[Played], name: str, other: str | None = None) -> Record:
    """The record of a player, against one other player or against all."""
    points = [
        game.points if game.first == name else 1 - game.points
        for game in games
        if name in game[1:3] and other in (None, *game[1:3])
    ]
    return Record(len(points), (sum(points),))


def table(players: Sequence[str], games: Sequence[Played]) -> str:
    """The ladder as a table of Markdown, the best player first."""
    scale, ends = ratings(players, games), rating_intervals(players, games)
    order = sorted(players, key=lambda name: -scale[name])
    rows = [["player", "rating", "score", "s a move", *(f"`{name}`" for name in order)]]
    rows.append(["---"] * len(rows[0]))
    for name in order:
        record = share(games, name)
        low, high = interval(record)
        times = [game.seconds[game.second == name] for game in games if name in game[1:3]]
        rows.append(
            [
                f"`{name}`",
                f"{scale[name]:+.0f} ({ends[name][0]:+.0f} to {ends[name][1]:+.0f})",
                f"{record.scores[0] / record.visits:.2f} ({low:.2f} to {high:.2f})",
                f"{sum(times) / len(times):.2f}",
                *(cell(share(games, name, other)) if other != name else "" for other in order),
            ]
        )
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def cell(record: Record) -> str:
    """Points of games, such as `7 of 10`."""
    return f"{record.scores[0]:g} of {record.visits}" if record.visits else ""


def main() -> None:
    """Play on, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=LADDERS)
    parser.add_argument("--players", nargs="+", help="some of the players (default: all)")
    parser.add_argument("--minutes", type=float, default=30)
    options = parser.parse_args()
    path = Path(f"ladder_{options.game}.jsonl")
    players = options.players or ("random", "greedy", *LADDERS[options.game].players, *LEVELS)
    try:
        play_on(options.game, players, path, 60 * options.minutes)
    except KeyboardInterrupt:
        print("interrupted; the next call goes on")
    games = [game for game in read(path) if {*game[1:3]} <= {*players}]
    print(table(players, games))
    slowest = Counter()
    for game in games:
        for name, seconds in zip(game[1:3], game.slowest, strict=True):
            slowest[name] = max(slowest[name], seconds)
    print("slowest moves:", ", ".join(f"{name} {time:.2f} s" for name, time in slowest.items()))


if __name__ == "__main__":
    main()
