"""m,n,k-games against a plain model on a list of rows, and what is known of tic-tac-toe."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import exact
from purembts.chance import pick
from purembts.game import plain_playout, random_play
from purembts.games import mnk
from purembts.games.mnk import Board, gomoku, tic_tac_toe
from purembts.positions import positions
from purembts.verify.strategies import seeds

sizes = st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6)).filter(
    lambda size: size[2] <= max(size[:2])
)


def stones_of(rules, bits):
    """The squares of one player as pairs of column and row."""
    return {
        (column, row)
        for row in range(rules.rows)
        for column in range(rules.columns)
        if bits >> row * (rules.columns + 1) + column & 1
    }


def plain_win(stones, k, *, exactly):
    """Whether a line of k is among `stones`, found by walking."""
    for x, y in stones:
        for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)]:
            if (x - dx, y - dy) in stones:
                continue
            length = 1
            while (x + length * dx, y + length * dy) in stones:
                length += 1
            if length == k or (length > k and not exactly):
                return True
    return False


@given(sizes, st.booleans(), seeds)
def test_the_rules_agree_with_a_plain_board(size, exactly, seed):
    any_game = mnk.mnk(*size, exactly=exactly)
    rules, rng, board = any_game.rules, Random(seed), Board()
    squares = rules.columns * rules.rows
    for number in range(squares + 1):
        assert any_game.to_move(board) == number % 2
        stones = [stones_of(rules, bits) for bits in board]
        won = [plain_win(side, rules.in_a_row, exactly=exactly) for side in stones]
        moves = any_game.moves(board, None)
        if any(won) or number == squares:
            assert moves == ()
            result = (1, 0) if won[0] else (0, 1) if won[1] else (0.5, 0.5)
            assert any_game.result(board) == result
            return
        assert len(moves) == squares - number
        for move in moves:
            after = [stones_of(rules, bits) for bits in move]
            assert after[1 - number % 2] == stones[1 - number % 2]
            assert len(after[number % 2] - stones[number % 2]) == 1
        board = pick(moves, rng)


def test_tic_tac_toe_is_a_draw_and_random_play_has_its_exact_value():
    assert len(list(positions(tic_tac_toe, Board()))) == 5478
    assert exact.solver(tic_tac_toe)(Board()) == (Fraction(1, 2), Fraction(1, 2))
    at_random = exact.solver(tic_tac_toe, policy=exact.uniform)(Board())
    assert at_random == (Fraction(817, 1260), Fraction(443, 1260))


def test_rows_that_can_be_spoilt_are_played_move_by_move():
    assert random_play(mnk.mnk(4, 4, 3, exactly=True)) is plain_playout
    assert random_play(gomoku) is mnk._playout


def test_a_wrong_board_is_refused():
    for value in ("x", [1], [True, 0], None):
        with pytest.raises(ValueError, match="A board must be a list of two whole"):
            tic_tac_toe.json.decode(value)
    for value in ([1, 1], [8, 0], [3, 0], [-1, 0]):
        with pytest.raises(ValueError, match="A board must have each stone on a"):
            tic_tac_toe.json.decode(value)
