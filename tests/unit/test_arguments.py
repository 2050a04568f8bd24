"""The arguments that every function takes: a game comes first, then a position of the game."""

import re
from functools import partial
from random import Random

import pytest

from purembts import mcts, pictures
from purembts.curves import curves
from purembts.determinize import information_set, lifted
from purembts.exact import is_solvable, solver, uniform
from purembts.fast.engine import search, search_parallel, strides
from purembts.game import Turn, draw_turn, first_position, playout, turn_at
from purembts.games.big_two import big_two
from purembts.games.mnk import tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box
from purembts.knowledge.narrowing import informed, narrowed
from purembts.play import match, move_called, play_game
from purembts.players import (
    flat_player,
    perfect_player,
    random_player,
    settle_player,
    uct_player,
)
from purembts.proving import certificate, settled
from purembts.records import Record
from purembts.report import report, reports
from purembts.simulation import flat, simulate, simulate_crowd

# A game

TURN = Turn(5, None, (4, 3), 1)
TAKING_A_GAME = {
    "uct": lambda game: mcts.uct(game, {}, 5),
    "uct, and no game": lambda game: mcts.uct(game, 5, Random(7)),
    "uct into records": lambda game: mcts.uct(game, {5: Record(1, (1, 0))}, 5),
    "trees": lambda game: mcts.trees(game, {}, 5),
    "subtree": lambda game: mcts.subtree(game, {}, 5),
    "search": lambda game: search(game, {}, 5, 9),
    "search, and no game": lambda game: search(game, {}, 9, Random(7)),
    "strides": lambda game: next(strides(game, {}, 5, 9)),
    "search_parallel": lambda game: search_parallel(game, {}, 5, 9, seed=7, chunks=2),
    "simulate": lambda game: simulate(game, 5, 9),
    "simulate, and no game": lambda game: simulate(game, 9, Random(7)),
    "flat": lambda game: flat(game, 5, 9),
    "simulate_crowd": lambda game: simulate_crowd(game, 5, 9),
    "solver": solver,
    "is_solvable": lambda game: is_solvable(game, 5),
    "turn_at": lambda game: turn_at(game, 5, None),
    "draw_turn": lambda game: draw_turn(game, 5),
    "first_position": first_position,
    "report": lambda game: report(game, TURN, {}),
    "reports": lambda game: reports(game, 5, {}),
    "uct_player": lambda game: uct_player(game, 9),
    "flat_player": lambda game: flat_player(game, 9),
    "perfect_player": perfect_player,
    "settle_player": lambda game: settle_player(game, 9),
    "play_game": lambda game: play_game(game, 5, (random_player,) * 2),
    "match": lambda game: match(game, (random_player,) * 2, 9, seed=7),
    "move_called": lambda game: move_called(game, TURN, "1"),
    "curves": lambda game: curves(game, (9,), 2, seed=7),
    "information_set": lambda game: information_set(game, 5),
    "lifted": lambda game: lifted(game, random_player),
    "narrowed": lambda game: narrowed(game, uniform),
    "informed": lambda game: informed(game, playout),
    "settled": lambda game: settled(game, {}, 5),
    "certificate": lambda game: certificate(game, 5),
    "pictures.position": lambda game: pictures.position(game, 5),
    "pictures.tree": lambda game: pictures.tree(game, {}, 5),
    "pictures.film": lambda game: pictures.film(game, 5),
}


@pytest.mark.parametrize("use", TAKING_A_GAME.values(), ids=TAKING_A_GAME)
def test_the_first_argument_must_be_a_game(use):
    right = r"`game` must be a Game, for example shut_the_box\(\), and the first argument; got"
    with pytest.raises(ValueError, match=rf"^{right} {{}}\.$"):
        use({})
    call = r"If `reversi` makes a game, call it: reversi\(\)\."
    with pytest.raises(ValueError, match=rf"^{right} <function reversi at \w+>\. {call}$"):
        use(reversi)


# A position

AT_A_POSITION = {
    "uct": lambda state: mcts.uct(tic_tac_toe, {}, state),
    "search": lambda state: search(tic_tac_toe, {}, state, 9),
    "simulate": lambda state: simulate(tic_tac_toe, state, 9),
    "solver": lambda state: solver(tic_tac_toe)(state),
    "play_game": lambda state: play_game(tic_tac_toe, state, (random_player,) * 2),
}


@pytest.mark.parametrize("use", AT_A_POSITION.values(), ids=AT_A_POSITION)
@pytest.mark.parametrize("state", ["x", 3, (1, 2), None])
def test_an_error_at_a_value_of_another_type_shows_a_position(use, state):
    board = r"must be a position of Tic-tac-toe, for example Board\(first=0, second=0\)"
    with pytest.raises(ValueError, match=f"^`state` {board}; got {re.escape(repr(state))}\\. "):
        use(state)


def test_a_set_is_shown_a_frozenset():
    right = (
        r"`state` must be a position of Shut the Box, for example frozenset\({1, 2, 3, .*got {1}"
    )
    for use in (mcts.uct, partial(search, dives=9)):
        with pytest.raises(ValueError, match=right):
            use(shut_the_box(), {}, {1})


def test_a_position_of_a_dealt_game_is_shown_and_one_of_the_right_type_is_not():
    with pytest.raises(
        ValueError, match=r"position of Big Two, for example Table\(hands=.*got 5\."
    ):
        mcts.uct(big_two(), {}, 5)
    with pytest.raises(ValueError, match=r"^`moves` of Tic-tac-toe must have a value for \(Board"):
        mcts.uct(tic_tac_toe, {}, tic_tac_toe.start._replace(first="x"))


def test_a_position_can_be_a_key():
    listed = tic_tac_toe._replace(start=[5], moves=lambda state, event: ())
    with pytest.raises(ValueError, match=r"A position of Tic-tac-toe must be hashable.*got \[5\]"):
        mcts.uct(listed, {}, [5])
