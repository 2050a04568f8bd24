"""Tactics of m,n,k-games against brute force by the rules, on small boards of any size."""

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.test_mnk import sizes
from purembts import exact
from purembts.app.positions import position_called
from purembts.chance import pick
from purembts.display import all_squares
from purembts.display import bits_of as bits
from purembts.games.mnk import Board, gomoku, mnk, tic_tac_toe
from purembts.knowledge.mnk_tactics import (
    _fours,
    _promising,
    _win_by_fours,
    _winning,
    outlook,
    squares,
    tactical,
)
from purembts.verify.checking import check
from purembts.verify.game_laws import games_pickle, playouts_have_results
from purembts.verify.strategies import seeds


def _board(rules):
    """All squares of the board."""
    return all_squares(rules.columns, rules.rows)


def drawn_board(game, seed):
    """A board after a random number of random moves; the game has not ended there."""
    rng, board = Random(seed), Board()
    for _ in range(int(rng.random() * game.rules.columns * game.rules.rows)):
        after = pick(game.moves(board, None), rng)
        if not game.moves(after, None):
            return board
        board = after
    return board


def sides(game, board):
    """The stones of the player to move, and those of the other."""
    return board[:: 1 if game.to_move(board) == 0 else -1]


def with_stone(board, player, bit):
    return Board(board.first | bit * (player == 0), board.second | bit * (player == 1))


def wins_by_rules(game, board, player):
    """The free squares where a stone of `player` wins, by the rules."""
    free = _board(game.rules) & ~(board.first | board.second)
    ends = [(bit, game.result(with_stone(board, player, bit))) for bit in bits(free)]
    return {bit for bit, result in ends if result[player] == 1}


games = st.builds(lambda size, exactly: mnk(*size, exactly=exactly), sizes, st.booleans())


@given(games, seeds)
def test_squares_that_win_are_those_of_the_rules(game, seed):
    board = drawn_board(game, seed)
    free = _board(game.rules) & ~(board.first | board.second)
    for player in (0, 1):
        found = set(bits(_winning(game.rules, board[player], free)))
        assert found == wins_by_rules(game, board, player)


@given(games, seeds)
def test_fours_are_the_stones_after_which_there_is_a_win_at_once(game, seed):
    board = drawn_board(game, seed)
    free = _board(game.rules) & ~(board.first | board.second)
    for player in (0, 1):
        if wins_by_rules(game, board, player):
            continue
        threats = {
            bit: wins_by_rules(game, with_stone(board, player, bit), player) for bit in bits(free)
        }
        found = {
            bit: set(bits(own)) for bit, own in _fours(game.rules, board[player], free).items()
        }
        assert found == {bit: own for bit, own in threats.items() if own}


def wins_by_fours(game, board, player):
    """True if `player`, who is to move, wins by stones that all threaten to win, by the rules."""
    if wins_by_rules(game, board, player):
        return True
    must = wins_by_rules(game, board, 1 - player)
    for bit in must or bits(_board(game.rules) & ~(board.first | board.second)):
        after = with_stone(board, player, bit)
        answers = wins_by_rules(game, after, player)
        if must - {bit} or not answers:
            continue
        if len(answers) > 1 or wins_by_fours(game, with_stone(after, 1 - player, *answers), player):
            return True
    return False


@given(games, seeds)
def test_a_win_by_fours_is_found_where_there_is_one(game, seed):
    board = drawn_board(game, seed)
    mine, yours = sides(game, board)
    line = _win_by_fours(game.rules, mine, yours, [10_000])
    assert bool(line) == wins_by_fours(game, board, game.to_move(board))


@given(games, seeds)
def test_the_squares_that_are_considered_are_free_and_never_none(game, seed):
    board = drawn_board(game, seed)
    mine, yours = sides(game, board)
    found = squares(game.rules, mine, yours, 5)
    free = _board(game.rules) & ~(board.first | board.second)
    assert found
    assert len(set(found)) == len(found)
    assert set(found) <= set(bits(free))


@given(seeds)
def test_tic_tac_toe_keeps_its_value_when_it_is_narrowed(seed):
    game = tactical(tic_tac_toe)
    board = drawn_board(tic_tac_toe, seed)
    assert exact.solver(game)(board) == exact.solver(tic_tac_toe)(board)


OWN_LAWS = (games_pickle, playouts_have_results)


@pytest.mark.parametrize("size", [(3, 3, 3), (5, 4, 4), (1, 4, 2), (5, 1, 1)])
def test_tactical_games_are_narrowed_games_with_right_results(size):
    check(tactical(mnk(*size)), examples=5, laws=OWN_LAWS)


@pytest.mark.slow
@pytest.mark.parametrize("exactly", [False, True])
def test_tactical_gomoku_keeps_all_laws(exactly):
    check(tactical(mnk(15, 15, 5, exactly=exactly)), examples=5)


@given(games, seeds)
def test_the_outlook_is_sure_only_where_the_game_has_ended_or_is_won_at_once(game, seed):
    board = drawn_board(game, seed)
    player = game.to_move(board)
    shares = outlook(game, board, Random(7))
    assert sum(shares) == pytest.approx(1)
    assert (shares[player] == 1) == bool(wins_by_rules(game, board, player))
    assert shares[player] > 0
    for move in game.moves(board, None):
        if not game.moves(move, None):
            assert outlook(game, move, Random(7)) == game.result(move)


def test_the_outlook_of_the_player_with_more_stones_in_windows_is_better():
    ahead, behind = (
        position_called(gomoku, line.split()) for line in ("h8 a1 i8 a3", "h8 g7 a1 i8")
    )
    assert outlook(gomoku, ahead, Random(7))[0] > 0.8
    assert outlook(gomoku, behind, Random(7))[0] < outlook(gomoku, ahead, Random(7))[0]


THREE_FOURS = "d8 c8 e8 o1 f8 o3 g5 g4 g6 o7 h9 o11 i9 o13 k9 l9"
"""Each four forces its answer, and the last one makes two wins at once."""
SCENES = {
    "a win comes before a stop": ("h8 a1 i8 a2 j8 a3 k8 a4", {"g8", "l8"}, 1),
    "a win is stopped": ("h8 a1 i8 o1 j8 o3 k8", {"g8", "l8"}, 2),
    "an open three becomes four": ("h8 a1 i8 o1 j8 o3", {"g8", "k8"}, 1),
    "an open three is stopped": ("h8 a1 i8 o1 j8", {"g8", "k8"}, 2),
    "two fours at once": ("h8 g8 i8 a1 j8 a3 k5 k4 k6 a5 k7 o15", {"k8"}, 1),
    "three fours in turn": (THREE_FOURS, {"g8", "h8"}, 1),
    "the first stone is in the middle": ("", {"h8"}, 1),
}


@pytest.mark.parametrize("name", SCENES)
def test_gomoku_as_a_player_sees_it(name):
    moves, right, count = SCENES[name]
    board = position_called(gomoku, moves.split())
    found = tactical(gomoku).moves(board, None)
    labels = {gomoku.display.label(board, move) for move in found}
    assert labels <= right
    assert len(labels) == count


def test_a_win_by_fours_is_stopped_on_its_squares():
    board = position_called(gomoku, THREE_FOURS.split())
    line = _win_by_fours(gomoku.rules, *board, [100])
    assert len(line) > 4
    stops = squares(gomoku.rules, board.second, board.first)
    assert set(stops) & set(line)
    own = _fours(gomoku.rules, board.second, _board(gomoku.rules) & ~(board.first | board.second))
    for stop in set(stops) - set(own):
        assert not _win_by_fours(gomoku.rules, board.first, board.second | stop, [100])


@given(games, seeds)
def test_promise_counts_windows(game, seed):
    """The best square by a plain count, over windows that are listed one by one."""
    board = drawn_board(game, seed)
    assume(board != Board())
    k, row = game.rules.in_a_row, game.rules.columns + 1
    lines = [
        sum(first << i * step for i in range(k))
        for step in (1, row, row - 1, row + 1)
        for first in bits(_board(game.rules))
    ]
    free = _board(game.rules) & ~(board.first | board.second)
    worth = dict.fromkeys(bits(free), 0)
    for line in lines:
        if line & ~_board(game.rules) or (line & board.first and line & board.second):
            continue
        n = (line & (board.first | board.second)).bit_count()
        for bit in bits(line & free) if n else ():
            worth[bit] += 8**n
    if game.rules.exactly or not any(worth.values()):
        return
    found = _promising(game.rules, *board, most=99)
    assert sorted((worth[bit] for bit in found), reverse=True) == [worth[bit] for bit in found]
    assert {bit for bit in worth if worth[bit]} == set(found)


def test_a_row_that_would_be_too_long_is_no_win_with_exactly():
    """Squares 1, 2, 4 and 5 of a line of eight have stones. One on 3 makes five."""
    for exactly, right in ((False, {1 << 2, 1 << 5}), (True, {1 << 5})):
        game = mnk(8, 1, 3, exactly=exactly)
        assert set(bits(_winning(game.rules, 0b11011, 0b11100100))) == right
