"""Tactics of m,n,k-games: the squares that a player of gomoku looks at, found by bits.

A window is a line of `in_a_row` squares. If all its stones are of one player, its free squares are
those that this player lacks for a row. To lack one square is a threat to win at once. A stone that
makes such a threat is a four, as in gomoku: it forces the answer. Two threats cannot be stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from purembts.chance import Rng
from purembts.checks import whole_number
from purembts.game import Game, Turn
from purembts.games.mnk import Board, Rules
from purembts.knowledge.narrowing import guess, informed, narrowed
from purembts.records import Scores

_MOST = 12
"""The number of squares that are considered where nothing is forced."""
_POSITIONS = 60
"""The usual number of positions in which a win by fours is looked for."""


def tactical(game: Game[Board, None], *, positions: int = _POSITIONS) -> Game[Board, None]:
    """The m,n,k-game with the moves that `squares` considers, and with `outlook` for random games.

    >>> from purembts.games.mnk import gomoku
    >>> len(gomoku.moves(Board(1 << 119, 1 << 103), None))
    223
    >>> len(tactical(gomoku).moves(Board(1 << 119, 1 << 103), None))
    12
    """
    whole_number(positions, "positions", 0)
    consider = partial(_boards, game.rules, positions)
    return informed(narrowed(game, consider), outlook)


def _boards(rules: Rules, positions: int, turn: Turn[Board, None]) -> tuple[Board, ...]:
    """The boards after a stone on each square of `squares`."""
    (first, second), is_first = turn.state, turn.player == 0
    mine, yours = _sides(turn.state, turn.player)
    found = squares(rules, mine, yours, positions)
    return tuple(
        [Board(first | bit, second) if is_first else Board(first, second | bit) for bit in found]
    )


def _sides(board: Board, player: int) -> tuple[int, int]:
    """The stones of `player`, and those of the other player."""
    return (board.second, board.first) if player else (board.first, board.second)


def squares(rules: Rules, mine: int, yours: int, positions: int = _POSITIONS) -> tuple[int, ...]:
    """The squares that the player with the stones `mine` considers, as bits, the best first.

    They are a win, or else the stops of a win, or else the first square of a win by fours, or else
    the stops of such a win and one's own fours, or else the 12 squares of most promise. With 0
    `positions`, wins by fours are not looked for.
    """
    free = _board(rules) & ~(mine | yours)
    if wins := _winning(rules, mine, free):
        return (wins & -wins,)
    if stops := _winning(rules, yours, free):
        return tuple(bits(stops))
    if line := _win_by_fours(rules, mine, yours, positions):
        return line[:1]
    threat = _win_by_fours(rules, yours, mine, positions)
    stopping = filter(partial(_is_stopped, rules, mine, yours, positions), sorted(threat))
    own = (*stopping, *_fours(rules, mine, free)) if threat else ()
    return tuple(dict.fromkeys(own)) or _promising(rules, mine, yours, _MOST)


def _is_stopped(rules: Rules, mine: int, yours: int, positions: int, square: int) -> bool:
    """True if no win by fours of the other player is found after a stone of mine on `square`."""
    return not _win_by_fours(rules, yours, mine | square, positions)


# Windows


@cache
def _board(rules: Rules) -> int:
    """All squares of the board."""
    row = (1 << rules.columns) - 1
    return sum(row << (i * (rules.columns + 1)) for i in range(rules.rows))


def bits(squares: int) -> Iterator[int]:
    """The squares, one by one."""
    while squares:
        bit = squares & -squares
        yield bit
        squares ^= bit


def _windows(rules: Rules, stones: int, free: int, most: int) -> Iterator[tuple[int, list[int]]]:
    """For each direction, the window at the corner, and the windows by the squares they lack.

    Number n of the list, from 0 to `most`, has the first squares of the windows with n free squares
    and otherwise `stones`. With `exactly`, a window beside one of `stones` in its line is none.
    """
    k, row = rules.in_a_row, rules.columns + 1
    for step in (1, row, row - 1, row + 1):
        found = [-1, *[0] * most]  # the windows with n free squares among their first i squares
        if rules.exactly:
            found[0] = ~(stones << step) & ~(stones >> (k * step))
        for i in range(k):
            own, holes = stones >> (i * step), free >> (i * step)
            for n in range(most, 0, -1):
                found[n] = (found[n] & own) | (found[n - 1] & holes)
            found[0] &= own
        yield sum(1 << (i * step) for i in range(k)), found


def _lacks(rules: Rules, stones: int, free: int, most: int) -> list[list[int]]:
    """For n from 0 to `most`, the sets of n free squares that `stones` lack for a row."""
    found: list[list[int]] = [[] for _ in range(most + 1)]
    for line, firsts in _windows(rules, stones, free, most):
        for n, starts in enumerate(firsts):
            found[n] += [line * first & free for first in bits(starts)]  # a product is a shift
    return found


def _winning(rules: Rules, stones: int, free: int) -> int:
    """The free squares that complete a row of `stones`."""
    found = 0
    for line, (_, starts) in _windows(rules, stones, free, 1):
        for first in bits(starts):
            found |= line * first
    return found & free


def _fours(rules: Rules, stones: int, free: int) -> dict[int, int]:
    """The free squares where a stone threatens to win at once, each with the squares of the wins.

    Those with the most wins come first. Before the stone there must be no win at once.
    """
    found: dict[int, int] = {}
    for pair in _lacks(rules, stones, free, 2)[2]:
        low = pair & -pair
        found[low] = found.get(low, 0) | (pair ^ low)
        found[pair ^ low] = found.get(pair ^ low, 0) | low
    return dict(sorted(found.items(), key=lambda each: (-each[1].bit_count(), each[0])))


# Wins by fours


def _win_by_fours(rules: Rules, mine: int, yours: int, positions: int) -> tuple[int, ...]:
    """The squares of a win in which each stone of mine is a four: the stones of both, in turn.

    The last ones are wins of which the other player can stop only one. It is () if no such win is
    found in `positions` positions.
    """
    return _by_fours(rules, mine, yours, [positions])


def _by_fours(rules: Rules, mine: int, yours: int, left: list[int]) -> tuple[int, ...]:
    """The squares of a win by fours; `left` has the number of positions, which becomes smaller."""
    left[0] -= 1
    free = _board(rules) & ~(mine | yours)
    if left[0] < 0:
        return ()
    if wins := _winning(rules, mine, free):
        return (wins & -wins,)
    must = _winning(rules, yours, free)  # or else the other player wins first
    for square, answers in _fours(rules, mine, free).items():
        if must & ~square:
            continue
        if answers & (answers - 1):
            return (square, *bits(answers))
        if rest := _by_fours(rules, mine | square, yours | answers, left):
            return (square, answers, *rest)
    return ()


# Promise


def _promising(rules: Rules, mine: int, yours: int, most: int) -> tuple[int, ...]:
    """The `most` free squares of most promise, the best first, or all that are free without any.

    Each window with stones of one player alone counts for its free squares, `_MORE` times as much
    with each more stone. On an empty board it is the square in the middle.
    """
    free, k = _board(rules) & ~(mine | yours), rules.in_a_row
    promise: dict[int, int] = {}
    sides = [_lacks(rules, stones, free, k - 1) for stones in (mine, yours)]
    for n in range(1, k):
        for lacked in (*sides[0][n], *sides[1][n]) if n < k - 1 or len(promise) < most else ():
            for bit in bits(lacked):
                promise[bit] = promise.get(bit, 0) + _MORE ** (k - n)
    middle = 1 << (rules.rows // 2 * (rules.columns + 1) + rules.columns // 2)
    best = sorted(promise, key=lambda bit: (-promise[bit], bit))[:most]
    return tuple(best or bits(free if mine | yours else middle))


_MORE = 8
"""The worth of a window as a multiple of that of one with a stone less."""


def outlook(game: Game[Board, None], board: Board, rng: Rng) -> Scores:
    """A guess at the result of a game from `board`, or the result of one that has ended.

    It is the share of the player to move in the windows with stones of one player alone. A window
    counts `_MORE` times as much with each more stone, and twice for the player to move.
    """
    rules, player = game.rules, game.to_move(board)
    mine, yours = _sides(board, player)
    free = _board(rules) & ~(mine | yours)
    own, other = (_windows_by_lacks(rules, stones, free) for stones in (mine, yours))
    if other[0] or not free:
        return game.result(board)
    if own[1]:
        return (0, 1) if player else (1, 0)
    mines, all_others = 2 * _worth(rules, own) + 1, _worth(rules, other) + 1
    return guess(mines / (mines + all_others), player, rng)


def _windows_by_lacks(rules: Rules, stones: int, free: int) -> list[int]:
    """The number of windows that lack n squares, for n from 0."""
    found = [each for _, each in _windows(rules, stones, free, max(1, rules.in_a_row - 1))]
    return [sum(map(int.bit_count, column)) for column in zip(*found, strict=True)]


def _worth(rules: Rules, numbers: list[int]) -> int:
    """The worth of windows, from their numbers by the squares that they lack."""
    return sum(_MORE ** (rules.in_a_row - n) * number for n, number in enumerate(numbers))
