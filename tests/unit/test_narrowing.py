"""Narrowed and informed games: all searches use them, reports say so, and no proof takes them."""

from random import Random

import pytest

from purembts.determinize import information_set, view_turn
from purembts.fast import engine
from purembts.game import playout, turn_at
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import Board, mnk, tic_tac_toe
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.knowledge.big_two_plan import keeps_plan
from purembts.knowledge.narrowing import informed, narrowed
from purembts.players import uct_player
from purembts.proving import backed_up, certain_range, robust, settle, settle_search, settled
from purembts.report import report, table
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
    "Big Two": (narrowed(big_two(), keeps_plan), deal(Random(7), each=2)),
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
    for name in ("tic-tac-toe", "Shut the Box", "Big Two", "twice"):
        game, start = NARROWED[name]
        for seed in range(5):
            assert playout(game, start, Random(seed)) == playout(game.whole, start, Random(seed))
    for game in (
        informed(narrowed(tic_tac_toe, last_two), at_once),
        narrowed(informed(tic_tac_toe, at_once), last_two),
    ):
        assert playout(game, Board()) == (0.5, 0.5)
        assert len(game.moves(Board(), None)) == 2


def test_hidden_hands_are_searched_by_the_moves_that_are_considered():
    game, start = narrowed(big_two(), keeps_plan), deal(Random(7), each=8)
    turn = view_turn(big_two(), turn_at(big_two(), start, None))
    kept = set(view_turn(game, turn_at(game, start, None)).moves)
    tree = information_set(game, turn.state, Random(7), budget=60)
    assert {move for move in turn.moves if move in tree} == kept
    player = uct_player(game, 60)
    known = player.known(turn, tree)
    assert {row.move for row in known.rows if row.considered} == kept
    assert len(kept) < len(known.rows)


def test_a_report_says_which_moves_were_not_considered():
    game = narrowed(tic_tac_toe, first_and_last)
    turn = turn_at(tic_tac_toe, Board(), None)
    tree = engine.search(game, {}, Board(), 60, Random(7))
    known = uct_player(game, 60).known(turn, tree)
    assert [row.label for row in known.rows if row.considered] == ["a1", "c3"]
    found = table(known)
    marks = found.columns[-1].cells
    assert marks[1:-1] == ("-",) * 7
    assert sorted(marks[::8]) == ["", "*"]
    assert "-: not considered by the search" in found.columns[-1].note
    whole = report(tic_tac_toe, turn, tree)
    assert all(row.considered for row in whole.rows)
    assert "not considered" not in table(whole).columns[-1].note


PROOFS = {
    "settled": lambda game: settled(game, {}, Board()),
    "certain_range": lambda game: certain_range(game, {}, Board()),
    "backed_up": lambda game: backed_up(game, {}, Board()),
    "robust": lambda game: robust(game, {}, Board()),
    "settle": lambda game: settle(game, {}, Board(), Random(7)),
    "settle_search": lambda game: settle_search(game, {}, Board(), 9, Random(7)),
}


@pytest.mark.parametrize("name", PROOFS)
def test_no_value_of_a_narrowed_game_is_certain(name):
    PROOFS[name](tic_tac_toe)
    with pytest.raises(ValueError, match=r"`game` must have all its moves, .*, narrowed"):
        PROOFS[name](narrowed(tic_tac_toe, last_two))
