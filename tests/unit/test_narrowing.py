"""Narrowed and informed games: all searches use them."""

from random import Random

import pytest

from purembts.determinize import information_set, view_turn
from purembts.fast.engine import search
from purembts.game import plain_playout, playout, random_play, turn_at
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import Board, mnk, tic_tac_toe
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.knowledge.mnk_tactics import tactical
from purembts.knowledge.narrowing import informed, narrowed
from purembts.play import play_game
from purembts.players import random_player, uct_player
from purembts.simulation import simulate
from purembts.verify.checking import check
from purembts.verify.game_laws import LAWS, playouts_agree


def last_two(turn):
    """The last two moves of a turn."""
    return turn.moves[-2:]


def first_and_last(turn):
    return (turn.moves[0], turn.moves[-1])


def none(turn):
    return ()


def at_once(game, state, rng):
    """A draw, unless the game has ended."""
    return (0.5, 0.5) if game.moves(state, None) else game.result(state)


NARROWED = {
    "tic-tac-toe": (narrowed(tic_tac_toe, last_two), Board()),
    "coins, one of three": (narrowed(last_coin((1, 2, 3)), lambda turn: turn.moves[:1]), Pile(9)),
    "Shut the Box": (narrowed(shut_the_box(), last_two), full_box()),
    "Big Two": (narrowed(big_two(), last_two), deal(Random(7), hand_size=2)),
    "twice": (narrowed(narrowed(mnk(4, 3, 3), last_two), first_and_last), Board()),
    "informed": (informed(narrowed(tic_tac_toe, last_two), at_once), Board()),
}


@pytest.mark.parametrize("name", NARROWED)
def test_narrowed_games_keep_the_laws(name):
    game, start = NARROWED[name]
    laws = [law for law in LAWS if "pickle" not in law.name and law is not playouts_agree]
    check(game, start, examples=10, laws=laws)


def test_moves_are_kept_in_the_order_of_the_policy_and_never_none():
    assert narrowed(tic_tac_toe, lambda turn: turn.moves[:2][::-1]).moves(Board(), None) == (
        Board(2),
        Board(1),
    )
    assert narrowed(tic_tac_toe, none).moves(Board(), None) == tic_tac_toe.moves(Board(), None)


def test_random_games_have_all_the_moves_unless_they_are_informed():
    for game in (tic_tac_toe, shut_the_box(), mnk(4, 3, 3)):
        narrow = narrowed(narrowed(game, last_two), first_and_last)
        for seed in range(5):
            result = playout(game, game.start, Random(seed))
            assert playout(narrow, game.start, Random(seed)) == result
    for game in (
        informed(narrowed(tic_tac_toe, last_two), at_once),
        narrowed(informed(tic_tac_toe, at_once), last_two),
    ):
        assert playout(game, Board()) == (0.5, 0.5)
        assert len(game.moves(Board(), None)) == 2


def first_loses(board):
    return tic_tac_toe.result(board)[::-1]


@pytest.mark.parametrize("game", [narrowed(tic_tac_toe, last_two), tactical(mnk(4, 4, 3))])
def test_knowledge_is_not_used_for_functions_that_are_changed_afterwards(game):
    changed, board = game._replace(result=first_loses), Board(1)
    assert random_play(changed) is plain_playout
    for use in (
        lambda: search(changed, {}, board, 9),
        lambda: simulate(changed, board, 9),
        lambda: play_game(changed, board, (random_player,) * 2),
        lambda: uct_player(changed, 9)(turn_at(changed, board, None)),
    ):
        with pytest.raises(ValueError, match="knowledge that was made for other functions"):
            use()


def test_hidden_hands_are_searched_by_the_moves_that_are_considered():
    game, start = narrowed(big_two(), last_two), deal(Random(7), hand_size=8)
    turn = view_turn(big_two(), turn_at(big_two(), start, None))
    kept = set(view_turn(game, turn_at(game, start, None)).moves)
    tree = information_set(game, turn.state, Random(7), budget=60)
    assert {move for move in turn.moves if move in tree} == kept
    assert len(kept) < len(turn.moves)


def test_a_player_searches_the_moves_that_are_considered():
    """The turn of a match has all moves."""
    turn = turn_at(tic_tac_toe, Board(), None)
    player = uct_player(narrowed(tic_tac_toe, first_and_last), 60)
    *_, tree = player.trees(turn, Random(7))
    known = player.report(turn, tree)
    assert [row.label for row in known.rows if row.visits] == ["a1", "c3"]
