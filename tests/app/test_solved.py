"""Exact values that are worked out in steps."""

import pytest

from purembts import exact, start_box, win_probability
from purembts.app.hints import solving
from purembts.app.sessions import nothing_solved
from purembts.app.steps import Progress
from purembts.games.big_two import big_two
from purembts.games.mnk import gomoku, tic_tac_toe
from purembts.games.shut_the_box import shut_the_box

STB = shut_the_box()


def test_positions_are_found_and_then_solved_in_short_steps():
    solved = nothing_solved(STB)
    steps = list(solving(solved, start_box))
    assert steps[0] == Progress("Positions found", 63, unit="positions")
    assert steps[-6:] == [
        Progress("Positions solved", min(n, 511), 511, "positions") for n in range(100, 700, 100)
    ]
    assert solved.value(start_box)[0] == win_probability(start_box)


def test_what_was_solved_is_not_solved_again():
    solved = nothing_solved(tic_tac_toe)
    assert list(solving(solved, tic_tac_toe.start)) != []
    assert list(solving(solved, tic_tac_toe.start)) == []
    later = tic_tac_toe.moves(tic_tac_toe.start, None)[0]
    assert list(solving(solved, later)) == []


def test_a_game_is_refused_at_the_first_position_too_many(monkeypatch):
    monkeypatch.setattr(exact, "MOST_POSITIONS", 2_000)
    solved, seen = nothing_solved(gomoku), []
    with pytest.raises(ValueError, match=r"too large for exact values") as error:
        seen.extend(solving(solved, gomoku.start))
    assert "more than 2,000 positions can follow" in str(error.value)
    assert gomoku.start not in solved.positions
    assert list(solving(nothing_solved(STB), start_box))[-1].done == 511


def test_hidden_hands_have_no_exact_values():
    with pytest.raises(ValueError, match="hides information"):
        list(solving(nothing_solved(big_two()), None))
