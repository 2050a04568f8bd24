"""Tactics of Reversi: the guess at a result is fair to both players, and right at an end."""

from math import exp
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.games.reversi import Board, reversi, targets
from purembts.knowledge.narrowing import guess
from purembts.knowledge.reversi_tactics import _worth, outlook, tactical
from purembts.verify.checking import check
from purembts.verify.game_laws import games_pickle, playouts_have_results
from purembts.verify.strategies import seeds
from toys import after_moves

sizes = st.sampled_from([4, 6, 8])


def drawn_board(game, seed):
    rng = Random(seed)
    return after_moves(game, game.start, int(rng.random() * game.rules.size**2), rng)


@given(sizes, seeds)
def test_the_outlook_is_a_share_and_the_result_at_an_end(size, seed):
    game = reversi(size)
    board = drawn_board(game, seed)
    shares = outlook(game, board, Random(7))
    assert sum(shares) == pytest.approx(1)
    if not game.moves(board, None):
        assert shares == game.result(board)
    else:
        assert 0 < shares[0] < 1


def transposed(size, discs):
    """The discs with their rows as columns."""
    places = [divmod(n, size + 1) for n in range(size * (size + 1)) if discs >> n & 1]
    return sum(1 << (column * (size + 1) + row) for row, column in places)


@given(sizes, seeds)
def test_the_outlook_is_the_same_with_other_colours_and_in_a_mirror(size, seed):
    game = reversi(size)
    board = drawn_board(game, seed)
    shares = outlook(game, board, Random(7))
    changed = Board(board.white, board.black, 1 - board.player)
    assert outlook(game, changed, Random(7)) == pytest.approx(shares[::-1])
    mirror = Board(*(transposed(size, discs) for discs in board[:2]), board.player)
    assert outlook(game, mirror, Random(7)) == pytest.approx(shares)


def test_a_corner_is_good_and_a_disc_on_the_diagonal_beside_a_free_one_is_bad():
    """The discs of black are the same in number, on the corner a1, the square b2, or d2."""
    game = reversi()
    start = game.start
    corner, beside, other = (
        outlook(game, start._replace(black=start.black | (1 << n)), Random(7))[0]
        for n in (0, 10, 12)
    )
    assert corner > other > beside


def test_a_player_with_fewer_moves_is_behind_the_worth_of_the_discs():
    game = reversi()
    board = after_moves(game, game.start, 20, Random(2))
    own, other = board[board.player], board[1 - board.player]
    moves = [targets(8, *sides).bit_count() for sides in ((own, other), (other, own))]
    assert moves == [10, 17]
    by_discs = guess(1 / (1 + exp(-_worth(8, own, other))), board.player, Random(7))
    assert outlook(game, board, Random(7))[board.player] < by_discs[board.player]


def test_the_tactical_game_keeps_its_moves_and_the_laws_of_results():
    game = tactical(reversi(6))
    assert game.moves == reversi(6).moves
    check(game, examples=5, laws=(games_pickle, playouts_have_results))
