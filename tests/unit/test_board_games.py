"""UCT and flat Monte Carlo on the board games, against what solver and symmetry say."""

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from marks import cases
from purembts import exact, mcts
from purembts.app.starts import position_called
from purembts.bounds import ucb1_with
from purembts.fast import engine
from purembts.game import turn_at
from purembts.games import last_coin, mnk, reversi
from purembts.play import move_called
from purembts.players import perfect_player, uct_player
from purembts.records import mean, visits

tic_tac_toe = mnk.tic_tac_toe
gomoku = mnk.gomoku
coins = last_coin.last_coin()


ENDGAMES = {
    "coin game": (coins, last_coin.Pile(4), "take 1"),
    "coin game, second player": (coins, last_coin.Pile(5, 1), "take 2"),
    "coin game, misere": (last_coin.last_coin(misere=True), last_coin.Pile(3), "take 2"),
    "tic-tac-toe": (tic_tac_toe, position_called(tic_tac_toe, ["a1 a2 b1 b2"]), "c1"),
    "tic-tac-toe, second player": (tic_tac_toe, mnk.Board(261, 18), "b2"),
    "gomoku": (gomoku, position_called(gomoku, ["h8 a1 h9 a2 h10 a4 h11 h7"]), "h12"),
    "gomoku, second": (gomoku, position_called(gomoku, ["a1 h8 a2 h9 a3 h10 a5 h11 h7"]), "h12"),
    "Reversi": (reversi.reversi(4), reversi.Board(266338, 3212, 0), "a4"),
    "Reversi, second player": (reversi.reversi(4), reversi.Board(137344, 64, 1), "d4"),
}
"""A game, a position, and the one move that wins there, as a person sees it."""


@pytest.mark.parametrize(
    ("game", "state", "label"),
    cases(ENDGAMES, slow=("gomoku", "gomoku, second", "Reversi, second player")),
)
def test_the_one_winning_move_is_found(game, state, label):
    """The solver, where it can, and the search find the one winning move, and are sure of it."""
    turn = turn_at(game, state, None)
    assert len(turn.moves) > 1
    if len(turn.moves) < 20:  # else it would never end
        value = exact.solver(game)
        [move] = [move for move in turn.moves if value(move)[turn.player] == 1]
        assert game.display.label(state, move) == label
        assert perfect_player(game)(turn, Random(7)) == move
    move, dives = move_called(game, turn, label), 500 + 20 * len(turn.moves)
    for seed in range(3):
        tree = engine.search(game, {}, state, dives, Random(seed))
        assert mcts.learnt(tree, final=visits)(turn) == (move,)
        assert mean(tree[move], turn.player) > 0.8
    assert uct_player(game, dives)(turn, Random(7)) == move


def least(game, player, seed, side):
    """The least that `player` can score on `side`, whatever the other one does.

    It draws anew at each turn, from the seed and the turn. Where nothing that it might do could
    lose any more, it is not asked.
    """

    def careless(turn, values):
        own = [value[side] for value in values]
        return (turn.moves[own.index(min(own))],)

    at_worst = exact.solver(game, careless)

    @cache
    def score(state):
        turn = turn_at(game, state, None)
        if at_worst(state)[side] >= Fraction(1, 2):
            return Fraction(1, 2)
        if not turn.moves:
            return game.result(state)[side]
        if turn.player == side:
            return score(player(turn, Random(f"{seed}/{state}")))
        return min(score(move) for move in turn.moves)

    return score(game.start)


@pytest.mark.slow
def test_uct_loses_no_line_of_tic_tac_toe():
    """With 2,000 dives a turn and c = 1, from either side, against every reply."""
    player = uct_player(tic_tac_toe, 2000, bound=ucb1_with(1))
    assert [least(tic_tac_toe, player, 0, side) for side in (0, 1)] == [Fraction(1, 2)] * 2
