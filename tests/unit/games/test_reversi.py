"""Reversi: counted positions, and a plain model."""

from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.chance import pick
from purembts.games.reversi import Board, reversi
from purembts.verify.strategies import seeds

reversi_8 = reversi()


def perft(board, depth):
    """How many lines of so many moves there are, a pass being one and an end not."""
    moves = reversi_8.moves(board, None)
    if depth == 1:
        return len(moves)
    return sum(perft(move, depth - 1) for move in moves)


def test_perft():
    """The numbers of lines from the start as published (OEIS A124004)."""
    counts = [perft(reversi_8.start, depth) for depth in range(1, 8)]
    assert counts == [4, 12, 56, 244, 1396, 8200, 55092]


def test_the_number_of_games_on_4_by_4_squares():
    """The known number of whole games, many of which have passes."""
    four = reversi(4)

    @cache
    def games(board):
        moves = four.moves(board, None)
        return sum(map(games, moves)) if moves else 1

    assert games(four.start) == 60_060


def rows_of(board, size):
    """The board as a map from row and column to 0 or 1."""
    return {
        (row, column): player
        for player, discs in enumerate((board.black, board.white))
        for row in range(size)
        for column in range(size)
        if discs >> row * (size + 1) + column & 1
    }


def plain_moves(discs, player, size):
    """The boards that `player` can move to, found by walking in all eight directions."""
    for row in range(size):
        for column in range(size):
            turned = []
            for dr, dc in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]:
                line, r, c = [], row + dr, column + dc
                while discs.get((r, c)) == 1 - player:
                    line.append((r, c))
                    r, c = r + dr, c + dc
                if discs.get((r, c)) == player:
                    turned += line
            if turned and (row, column) not in discs:
                yield {**discs, (row, column): player, **dict.fromkeys(turned, player)}


@given(st.sampled_from([4, 6, 8, 10]), seeds)
def test_the_rules_agree_with_a_plain_board(size, seed):
    any_game, board, rng = reversi(size), reversi(size).start, Random(seed)
    while moves := any_game.moves(board, None):
        discs = rows_of(board, size)
        plain = list(plain_moves(discs, board.player, size))
        assert [rows_of(move, size) for move in moves] == (plain or [discs])
        assert all(move.player == 1 - board.player for move in moves)
        board = pick(moves, rng)
    discs = rows_of(board, size)
    assert not any(list(plain_moves(discs, player, size)) for player in (0, 1))
    ahead = 2 * list(discs.values()).count(0) - len(discs)
    assert any_game.result(board) == ((1, 0) if ahead > 0 else (0, 1) if ahead < 0 else (0.5, 0.5))


def test_a_pass_is_a_move_to_the_same_board():
    """White has a disc in the corner and black one beside it, so only white can close a line."""
    four = reversi(4)
    white_to_move = Board(black=0b10, white=0b01, player=1)
    black_to_move = white_to_move._replace(player=0)
    assert four.moves(black_to_move, None) == (white_to_move,)
    assert four.display.label(black_to_move, white_to_move) == "pass"
    [closed] = four.moves(white_to_move, None)
    assert closed == Board(black=0, white=0b111, player=0)
    assert four.display.label(white_to_move, closed) == "c1"
    assert four.moves(closed, None) == ()
    assert four.result(closed) == (0, 1)


@pytest.mark.parametrize("player", [0, 1])
def test_a_board_in_a_file_is_of_either_player(player):
    board = reversi_8.start._replace(player=player)
    assert reversi_8.json.decode([board.black, board.white, player]) == board


def test_a_wrong_argument_is_refused():
    with pytest.raises(ValueError, match=r"`size` must be an even number; got 7\."):
        reversi(7)
    for value in ([1, 2], [1, 2.0, 0], [1, 2, True], "120", None):
        with pytest.raises(ValueError, match="A board must be a list of three whole"):
            reversi_8.json.decode(value)
    for value in ([1, 1, 0], [1 << 8, 1, 0], [-1, 0, 0], [2, 1, 2]):
        with pytest.raises(ValueError, match="A board must have each disc on a square"):
            reversi_8.json.decode(value)
