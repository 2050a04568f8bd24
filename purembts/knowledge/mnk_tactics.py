"""Tactics of m,n,k-games: the squares that a player of gomoku looks at, found by bits.

A window is a line of `in_a_row` squares. If all its stones are of one player, its free squares are
those that this player lacks for a row. To lack one square is a threat to win at once. A stone that
makes such a threat is a four, as in gomoku: it forces the answer. Two threats cannot be stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from purembts.chance import Rng
from purembts.checks import whole_number
from purembts.display import all_squares, bits_of, square_bit
from purembts.game import Game, Turn, with_playout
from purembts.games.mnk import Board, Rules, mnk
from purembts.knowledge.narrowing import guess, narrowed, plays_like
from purembts.records import Scores

_MOST_SQUARES = 12
"""The number of squares that are considered where nothing is forced."""
_POSITIONS = 60
"""The usual number of positions in which a win by fours is looked for."""


def tactical(game: Game[Board, None], *, positions: int = _POSITIONS) -> Game[Board, None]:
    """The m,n,k-game with the moves that `squares` considers, and with `outlook` for random games.

    It is `game` itself if that has other functions, for example if a row loses.

    >>> from purembts.games.mnk import gomoku
    >>> len(gomoku.moves(Board(1 << 119, 1 << 103), None))
    223
    >>> len(tactical(gomoku).moves(Board(1 << 119, 1 << 103), None))
    12
    """
    whole_number(positions, "positions", 0)
    if not isinstance(game.rules, Rules) or not plays_like(game, mnk(**game.rules._asdict())):
        return game
    narrow = narrowed(game, partial(_boards, game.rules, positions))
    return with_playout(narrow, outlook, is_uniform=False)


def _boards(rules: Rules, positions: int, turn: Turn[Board, None]) -> tuple[Board, ...]:
    """The boards after a stone on each square of `squares`."""
    (first, second), is_first = turn.state, turn.player == 0
    mine, yours = _sides(turn.state, turn.player)
    choices = squares(rules, mine, yours, positions)
    return tuple(
        [Board(first | bit, second) if is_first else Board(first, second | bit) for bit in choices]
    )


def _sides(board: Board, player: int) -> tuple[int, int]:
    """The stones of `player`, and those of the other player."""
    return (board.second, board.first) if player else (board.first, board.second)


def squares(rules: Rules, mine: int, yours: int, positions: int = _POSITIONS) -> tuple[int, ...]:
    """The squares that the player with the stones `mine` considers, as bits, the best first.

    They are the first of these that there are: a square that wins; the squares that stop a win of
    the other player; the first square of a win by fours; the squares that stop such a win of the
    other player, and then this player's fours; the 12 squares of most promise. With 0 `positions`,
    wins by fours are not looked for.
    """
    free = all_squares(rules.columns, rules.rows) & ~(mine | yours)
    if wins := _winning(rules, mine, free):
        return (wins & -wins,)
    if stops := _winning(rules, yours, free):
        return tuple(bits_of(stops))
    if line := _win_by_fours(rules, mine, yours, [positions]):
        return line[:1]
    threat = _win_by_fours(rules, yours, mine, [positions])
    stopping = [
        bit for bit in sorted(threat) if not _win_by_fours(rules, yours, mine | bit, [positions])
    ]
    answers = (*stopping, *_fours(rules, mine, free)) if threat else ()
    return tuple(dict.fromkeys(answers)) or _promising(rules, mine, yours, _MOST_SQUARES)


# Windows


def _windows(rules: Rules, stones: int, free: int, most: int) -> Iterator[tuple[int, list[int]]]:
    """For each direction, the window at the corner, and the windows by the squares they lack.

    Number n of the list, from 0 to `most`, has the first squares of the windows with n free squares
    and otherwise `stones`. With `exactly`, a window does not count if a stone extends its line.
    """
    k, row = rules.in_a_row, rules.columns + 1
    for step in (1, row, row - 1, row + 1):
        firsts = [-1, *[0] * most]  # the windows with n free squares among their first i squares
        if rules.exactly:
            firsts[0] = ~(stones << step) & ~(stones >> (k * step))
        for i in range(k):
            stone, hole = stones >> (i * step), free >> (i * step)
            for n in range(most, 0, -1):
                firsts[n] = (firsts[n] & stone) | (firsts[n - 1] & hole)
            firsts[0] &= stone
        yield sum(1 << (i * step) for i in range(k)), firsts


def _lacks(rules: Rules, stones: int, free: int, most: int) -> list[list[int]]:
    """For n from 0 to `most`, the sets of n free squares that `stones` lack for a row."""
    sets: list[list[int]] = [[] for _ in range(most + 1)]
    for line, firsts in _windows(rules, stones, free, most):
        for n, starts in enumerate(firsts):
            sets[n] += [line * first & free for first in bits_of(starts)]  # a product is a shift
    return sets


def _winning(rules: Rules, stones: int, free: int) -> int:
    """The free squares that complete a row of `stones`."""
    wins = 0
    for line, (_, starts) in _windows(rules, stones, free, 1):
        for first in bits_of(starts):
            wins |= line * first
    return wins & free


def _fours(rules: Rules, stones: int, free: int) -> dict[int, int]:
    """The free squares where a stone threatens to win at once, each with the squares of the wins.

    Those with the most wins come first. Before the stone there must be no win at once.
    """
    wins_of: dict[int, int] = {}
    for pair in _lacks(rules, stones, free, 2)[2]:
        low = pair & -pair
        wins_of[low] = wins_of.get(low, 0) | (pair ^ low)
        wins_of[pair ^ low] = wins_of.get(pair ^ low, 0) | low
    return dict(sorted(wins_of.items(), key=lambda item: (-item[1].bit_count(), item[0])))


# Wins by fours


def _win_by_fours(rules: Rules, mine: int, yours: int, budget: list[int]) -> tuple[int, ...]:
    """The squares of a win in which each stone of mine is a four: the stones of both, in turn.

    The last ones are wins of which the other player can stop only one. It is () if no such win is
    found in as many positions as `budget` has; it gets fewer.
    """
    budget[0] -= 1
    free = all_squares(rules.columns, rules.rows) & ~(mine | yours)
    if budget[0] < 0:
        return ()
    if wins := _winning(rules, mine, free):
        return (wins & -wins,)
    must = _winning(rules, yours, free)  # or else the other player wins first
    for square, answers in _fours(rules, mine, free).items():
        if must & ~square:
            continue
        if answers & (answers - 1):
            return (square, *bits_of(answers))
        if rest := _win_by_fours(rules, mine | square, yours | answers, budget):
            return (square, answers, *rest)
    return ()


# Promise


def _promising(rules: Rules, mine: int, yours: int, most: int) -> tuple[int, ...]:
    """The `most` free squares of most promise, the best first; all of them if none has promise.

    Each window with stones of one player alone counts for its free squares, `_MORE` times as much
    with each more stone. On an empty board, the answer is the square in the middle.
    """
    free, k = all_squares(rules.columns, rules.rows) & ~(mine | yours), rules.in_a_row
    promise: dict[int, int] = {}
    sides = [_lacks(rules, stones, free, k - 1) for stones in (mine, yours)]
    for n in range(1, k):
        for lack in (*sides[0][n], *sides[1][n]) if n < k - 1 or len(promise) < most else ():
            for bit in bits_of(lack):
                promise[bit] = promise.get(bit, 0) + _MORE ** (k - n)
    middle = square_bit(rules.rows // 2, rules.columns // 2, rules.columns)
    best = sorted(promise, key=lambda bit: (-promise[bit], bit))[:most]
    return tuple(best or bits_of(free if mine | yours else middle))


_MORE = 8
"""The factor of the worth of a window for each more stone in it."""


def outlook(game: Game[Board, None], board: Board, rng: Rng) -> Scores:
    """A guess at the result of a game from `board`, or the result of one that has ended.

    It is the share of the player to move in the windows with stones of one player alone. A window
    counts `_MORE` times as much with each more stone, and twice for the player to move.
    """
    rules, player = game.rules, game.to_move(board)
    mine, yours = _sides(board, player)
    free = all_squares(rules.columns, rules.rows) & ~(mine | yours)
    my_windows, your_windows = (_windows_by_lacks(rules, stones, free) for stones in (mine, yours))
    if your_windows[0] or not free:
        return game.result(board)
    if my_windows[1]:
        return (0, 1) if player else (1, 0)
    my_worth, your_worth = 2 * _worth(rules, my_windows) + 1, _worth(rules, your_windows) + 1
    return guess(my_worth / (my_worth + your_worth), player, rng)


def _windows_by_lacks(rules: Rules, stones: int, free: int) -> list[int]:
    """The number of windows that lack n squares, for n from 0."""
    rows = [firsts for _, firsts in _windows(rules, stones, free, max(1, rules.in_a_row - 1))]
    return [sum(map(int.bit_count, column)) for column in zip(*rows, strict=True)]


def _worth(rules: Rules, numbers: list[int]) -> int:
    """The worth of windows, from their numbers by the squares that they lack."""
    return sum(_MORE ** (rules.in_a_row - n) * number for n, number in enumerate(numbers))
