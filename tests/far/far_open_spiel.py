"""Our rules of Reversi and of m,n,k-games against OpenSpiel's, along random games.

At each of at least 40,000 plies, the player to move and the legal moves are the same. Both games
end at the same ply with the same result. OpenSpiel 2.0.2 has Reversi, which it calls othello, on 8
by 8 squares alone.

They need the dependency group `far`: python -m pytest tests/far/far_open_spiel.py
"""

from random import Random

import pyspiel
import pytest

from purembts.chance import pick
from purembts.display import COLUMNS
from purembts.games.mnk import mnk, tic_tac_toe
from purembts.games.reversi import reversi

GAMES = {
    "othello": (reversi(), 8, 20_000),
    "tic_tac_toe": (tic_tac_toe, 3, 4000),
    "mnk(m=3,n=5,k=3)": (mnk(3, 5, 3), 3, 4000),
    "mnk(m=7,n=4,k=4)": (mnk(7, 4, 4), 7, 4000),
    "mnk(m=15,n=15,k=5)": (mnk(15, 15, 5), 15, 4000),
    "gomoku(size=6,connect=4)": (mnk(6, 6, 4), 6, 4000),
}
"""For each game of OpenSpiel ours, the number of columns, and the plies to compare."""


def action(columns, label):
    """OpenSpiel's number for the move with our label: the squares row by row, and then the pass."""
    if label == "pass":
        return columns * columns
    return columns * (int(label[1:]) - 1) + COLUMNS.index(label[0])


def check_ply(game, state, theirs, columns):
    """The player and the moves agree; our moves by OpenSpiel's numbers. At an end, the results."""
    moves = game.moves(state, None)
    assert theirs.is_terminal() == (not moves)
    if not moves:
        assert game.result(state) == tuple((score + 1) / 2 for score in theirs.returns())
        return {}
    assert theirs.current_player() == game.to_move(state)
    numbers = {action(columns, game.display.label(state, move)): move for move in moves}
    assert sorted(numbers) == sorted(theirs.legal_actions())
    return numbers


def compare(name, game, columns, plies, seed=7):
    """The results of random games with at least `plies` plies in all, each ply checked."""
    rng, ended = Random(f"{seed}/{name}"), []
    their_game = pyspiel.load_game(name)
    while plies > 0:
        state, theirs = game.start, their_game.new_initial_state()
        while numbers := check_ply(game, state, theirs, columns):
            number = pick(sorted(numbers), rng)
            state = numbers[number]
            theirs.apply_action(number)
            plies -= 1
        ended.append(game.result(state))
    return ended


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_are_those_of_open_spiel(name):
    """Each player wins at least one of the games."""
    game, columns, plies = GAMES[name]
    ended = compare(name, game, columns, plies)
    assert {(1, 0), (0, 1)} <= set(ended)


FAULTS = {
    "the other player begins": lambda game: game._replace(
        to_move=lambda state: 1 - game.to_move(state)
    ),
    "the loser is credited": lambda game: game._replace(
        result=lambda state: game.result(state)[::-1]
    ),
    "a longer row does not win": lambda game: mnk(6, 6, 4, exactly=True),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_comparison_can_fail(fault):
    wrong = FAULTS[fault](mnk(6, 6, 4))
    with pytest.raises(AssertionError):
        compare("gomoku(size=6,connect=4)", wrong, 6, 10_000)
