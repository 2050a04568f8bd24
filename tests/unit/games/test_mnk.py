"""m,n,k-games against a plain model on a list of rows, and what is known of tic-tac-toe."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import exact, play
from purembts.chance import pick
from purembts.game import plain_playout, playout, random_play, turn_at
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


def test_gomoku_in_every_direction_and_not_round_an_edge():
    stride = 16
    for step in (1, stride, stride + 1, stride - 1):
        row = sum(1 << 7 * stride + 7 + i * step for i in range(-2, 3))
        assert gomoku.result(Board(row, 0)) == (1, 0)
        assert gomoku.result(Board(0, row)) == (0, 1)
        assert gomoku.result(Board(row & (row - 1), 0)) == (0.5, 0.5)
    round_an_edge = sum(1 << bit for bit in (12, 13, 14, 16, 17))
    assert gomoku.result(Board(round_an_edge, 0)) == (0.5, 0.5)


def test_exactly_five():
    six = 0b111111 << 16
    assert mnk.mnk(15, 15, 5, exactly=True).result(Board(six, 0)) == (0.5, 0.5)
    assert mnk.mnk(15, 15, 5, exactly=True).result(Board(six >> 1 & six, 0)) == (1, 0)
    assert gomoku.result(Board(six, 0)) == (1, 0)


@given(seeds)
def test_the_playout_on_few_squares_is_the_plain_one_with_the_same_draws(seed):
    for any_game in (tic_tac_toe, mnk.mnk(3, 2, 2, exactly=True)):
        ours, theirs = Random(seed), Random(seed)
        expected = plain_playout(any_game, Board(), theirs)
        assert playout(any_game, Board(), ours) == expected
        assert ours.random() == theirs.random()


def test_rows_that_can_be_spoilt_are_played_move_by_move():
    assert random_play(mnk.mnk(4, 4, 3, exactly=True)) is plain_playout
    assert random_play(gomoku) is mnk.playout


def test_the_playout_of_a_game_that_has_ended_is_its_result():
    full = Board(0b0101_0010_0011, 0b0010_0101_0100)
    for board in (Board(0b111, 0b110000), full):
        assert mnk.playout(tic_tac_toe, board, Random(7)) == tic_tac_toe.result(board)


def test_a_board_is_shown_and_its_moves_are_named():
    board = Board()
    for label in ("b2", "c1", "a1"):
        turn = turn_at(tic_tac_toe, board, None)
        board = play.move_called(tic_tac_toe, turn, label.upper())
    assert tic_tac_toe.display.show(board) == " 3 . . .\n 2 . x .\n 1 x . o\n   a b c"
    turn = turn_at(tic_tac_toe, board, None)
    with pytest.raises(ValueError, match="The move must be one of these: b1, a2, c2, a3"):
        play.move_called(tic_tac_toe, turn, "b2")


def test_a_wrong_board_is_refused():
    for value in ("x", [1], [True, 0], None):
        with pytest.raises(ValueError, match="A board must be a list of two whole"):
            tic_tac_toe.json.decode(value)
    for value in ([1, 1], [8, 0], [3, 0], [-1, 0]):
        with pytest.raises(ValueError, match="A board must have each stone on a"):
            tic_tac_toe.json.decode(value)


def test_a_block_of_stones_is_even():
    """After a block the same player is to move as before it."""
    assert mnk._BLOCK % 2 == 0
