"""A ladder of players: all against all from both sides, with ratings and their intervals.

    python tests/bench/ladder.py gomoku --minutes 30

Two players meet in pairs of games, with the sides changed, which begin with the same random moves
or the same deal.

Each game is a line in a file, `ladder_gomoku.jsonl`, so Ctrl-C loses at most the games in play, and
the next call goes on. The table is printed at the end, or at once with `--minutes 0`. The chart is
for `docs/pictures`: `--chart FILE`. Ratings are those of Bradley and Terry (1952), on the scale of
Elo: 400 points more are ten wins for each loss. A pair plays as many games from each side.
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

from purembts.app.players import bound_at, strategy_called
from purembts.chance import pick
from purembts.game import Game, Strategy, Turn, first_position
from purembts.games import big_two, mnk, reversi
from purembts.loading import game_called
from purembts.pictures import svg
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
        own, stopped = (map((10).__pow__, runs(rules, side, stone)) for side in (mine, other))
        return 1.1 * sum(own) + sum(stopped)

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
    best = [move for move, own in zip(turn.moves, worths, strict=True) if own == max(worths)]
    return best[int(rng.random() * len(best))]


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


def played(name: str, each: Planned) -> Played:
    """The result of a game. With four players, the two have every other seat."""
    ladder = LADDERS[name]
    game = game_called(ladder.game, ladder.rules)
    seconds: tuple[list[float], list[float]] = ([], [])
    pair = [
        timed(strategy(ladder, game, own), spent)
        for own, spent in zip((each.first, each.second), seconds, strict=True)
    ]
    first = opening(game, Random(f"{name}/{each.round}/{'/'.join(sorted(each[1:]))}"))
    scores = play_game(game, first, pair * (game.players // 2), Random("/".join(map(str, each))))
    own, other = sum(scores[::2]), sum(scores[1::2])
    points = 1 if own > other else 0 if own < other else 0.5
    means = tuple(sum(spent) / max(1, len(spent)) for spent in seconds)
    return Played(*each, points, means, tuple(max(spent, default=0) for spent in seconds))


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


def timed(strategy: Strategy, spent: list[float]) -> Strategy:
    """`strategy`, which adds the seconds of each move with a choice to `spent`."""

    def move(turn, rng):
        begin = time.process_time()
        chosen = strategy(turn, rng)
        if len(turn.moves) > 1:
            spent.append(time.process_time() - begin)
        return chosen

    return move


def play_on(name: str, players: Sequence[str], path: Path, seconds: float) -> None:
    """Play the next games, until the time is over, and add them to the file."""
    done = {Planned(*each[:3]) for each in read(path)}
    games = (each for each in planned(players) if each not in done)
    end = time.time() + seconds
    with ProcessPoolExecutor(JOBS) as pool, path.open("a", encoding="utf-8") as file:
        waiting = {pool.submit(played, name, each) for each in islice(games, 2 * JOBS)}
        while waiting and time.time() < end:
            ended = next(as_completed(waiting))
            waiting.remove(ended)
            print(json.dumps(ended.result()), file=file, flush=True)
            waiting.add(pool.submit(played, name, next(games)))
        for each in waiting:
            each.cancel()


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
    points, met = Counter(), Counter()
    for each in games:
        points[each.first] += each.points
        points[each.second] += 1 - each.points
        met[each.first, each.second] += 1
        met[each.second, each.first] += 1
    wins = {own: points[own] + (len(players) - 1) / 2 for own in players}
    strength = dict.fromkeys(players, 1.0)
    for _ in range(300):
        strength = {
            own: wins[own]
            / sum(
                (met[own, other] + 1) / (strength[own] + strength[other])
                for other in players
                if other != own
            )
            for own in players
        }
    found = {own: 400 * log10(each) for own, each in strength.items()}
    middle = sum(found.values()) / len(found)
    return {own: each - middle for own, each in found.items()}


def rating_intervals(
    players: Sequence[str], games: Sequence[Played], draws: int = 100
) -> dict[str, tuple[float, float]]:
    """The 95 % intervals of the ratings: those of games drawn again, of each pair as many."""
    rng, pairs = Random(7), {}
    for each in games:
        pairs.setdefault((each.first, each.second), []).append(each)
    again = [
        ratings(players, [own[int(rng.random() * len(own))] for own in pairs.values() for _ in own])
        for _ in range(draws)
    ]
    ends = {own: sorted(each[own] for each in again) for own in players}
    k = draws // 40
    return {own: (each[k], each[-1 - k]) for own, each in ends.items()}


# The table and the chart


def share(games: Sequence[Played], own: str, other: str | None = None) -> Record:
    """The record of a player, against one other player or against all."""
    points = [
        each.points if each.first == own else 1 - each.points
        for each in games
        if own in each[1:3] and other in (None, *each[1:3])
    ]
    return Record(len(points), (sum(points),))


def table(players: Sequence[str], games: Sequence[Played]) -> str:
    """The ladder as a table of Markdown, the best player first."""
    found, ends = ratings(players, games), rating_intervals(players, games)
    order = sorted(players, key=lambda own: -found[own])
    lines = [
        "| player | rating | score | s a move | " + " | ".join(f"`{own}`" for own in order) + " |"
    ]
    lines.append("|" + "---|" * (4 + len(order)))
    for own in order:
        record = share(games, own)
        low, high = interval(record)
        spent = [each.seconds[each.second == own] for each in games if own in each[1:3]]
        against = [cell(share(games, own, other)) if other != own else "" for other in order]
        cells = [
            f"`{own}`",
            f"{found[own]:+.0f} ({ends[own][0]:+.0f} to {ends[own][1]:+.0f})",
            f"{record.scores[0] / record.visits:.2f} ({low:.2f} to {high:.2f})",
            f"{sum(spent) / len(spent):.2f}",
            *against,
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def cell(record: Record) -> str:
    """Points of games, such as `7 of 10`."""
    return f"{record.scores[0]:g} of {record.visits}" if record.visits else ""


def chart(name: str, players: Sequence[str], games: Sequence[Played]) -> svg.Picture:
    """The ratings as points with their intervals, the best player on top."""
    found, ends = ratings(players, games), rating_intervals(players, games)
    low, high = min(a for a, _ in ends.values()), max(b for _, b in ends.values())
    order, left, width = sorted(players, key=lambda own: -found[own]), 110.0, 420.0

    def at(rating: float) -> float:
        return left + (rating - low) / (high - low) * width

    body = ""
    for i, own in enumerate(order):
        y, (begin, end) = 16.0 + 28 * i, ends[own]
        colour = svg.CHOICE if own in LEVELS else svg.GREY
        body += svg.words(left - 14, y + 5, own, 14, "end")
        body += svg.path(f"M{at(begin)},{y}H{at(end)}", stroke=colour, stroke_width=2.0)
        body += svg.element("circle", cx=at(found[own]), cy=y, r=6.0, fill=colour)
        body += svg.words(left + width + 64, y + 5, f"{found[own]:+.0f}", 14, "end")
    title = f"Ratings of the players of {name}, with 95 % intervals"
    text = ", ".join(f"{own} {found[own]:+.0f}" for own in order)
    return svg.picture(title, text, svg.Drawing(left + width + 70, 28.0 * len(order), body))


def main() -> None:
    """Play on, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=LADDERS)
    parser.add_argument("--players", nargs="+", help="some of the players (default: all)")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--chart", type=Path, help="write the chart to this file")
    options = parser.parse_args()
    path = Path(f"ladder_{options.game}.jsonl")
    others = ("random", "greedy", *LADDERS[options.game].players, *LEVELS)
    players = options.players or others
    try:
        play_on(options.game, players, path, 60 * options.minutes)
    except KeyboardInterrupt:
        print("interrupted; the next call goes on")
    games = [each for each in read(path) if {each.first, each.second} <= {*players}]
    slowest = Counter()
    for each in games:
        for own, seconds in zip((each.first, each.second), each.slowest, strict=True):
            slowest[own] = max(slowest[own], seconds)
    print(table(players, games))
    print(
        "slowest moves in seconds:", ", ".join(f"{own} {each:.2f}" for own, each in slowest.items())
    )
    if options.chart:
        options.chart.write_text(chart(options.game, players, games).svg, "utf-8")


if __name__ == "__main__":
    main()
