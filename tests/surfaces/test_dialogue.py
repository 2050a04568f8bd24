"""The answers that a person gets in a game, without a terminal."""

import pytest

from purembts.games.big_two import big_two
from purembts.games.last_coin import last_coin
from purembts.games.mnk import gomoku, tic_tac_toe
from purembts.games.shut_the_box import shut_the_box
from purembts.play import first_legal_player
from purembts.surfaces.dialogue import (
    Setting,
    Sitting,
    beginning,
    end_lines,
    position_lines,
    replied,
    seats_called,
    specs_of,
    strategy_turn,
    turn_lines,
)
from purembts.surfaces.history import first_turn

SETTING = Setting(tic_tac_toe, 7, strategies={1: first_legal_player}, dives=60)


def sitting(game=tic_tac_toe, kind="none"):
    return Sitting(first_turn(game, game.start, seed=7), kind)


def test_a_move_and_its_answer():
    after, lines = replied(SETTING, sitting(), "b2")
    assert lines == ()
    assert len(after.turns) == 2
    turns, lines = strategy_turn(SETTING, after.turns)
    assert lines == ["Player 2 plays a1."]
    *_, board = position_lines(SETTING, turns)
    assert board == " 3 . . .\n 2 . x .\n 1(o). .\n   a b c"


def test_an_answer_that_makes_no_move_keeps_the_turns():
    before = sitting()
    for answer in ("?", "h", "h tree", "h none", "l", "H Exact", "L"):
        after, lines = replied(SETTING, before, answer)
        assert after.turns is before.turns
        assert bool([*lines]) == (answer != "h none")
    assert replied(SETTING, before, "h tree")[0].kind == "tree"
    assert replied(SETTING, before, "h")[0].kind == "none"


def test_undo_leads_back_to_the_same_turns():
    before = sitting()
    after, _ = replied(SETTING, before, "b2")
    turns, _ = strategy_turn(SETTING, after.turns)
    assert replied(SETTING, Sitting(turns), "u")[0].turns == before.turns
    with pytest.raises(ValueError, match="There is no choice to take back yet"):
        replied(SETTING, before, "u")


@pytest.mark.parametrize("answer", ["d4", "10", "h fly", "u 2", "? ?"])
def test_an_answer_that_is_wrong(answer):
    with pytest.raises(ValueError, match="must be"):
        replied(SETTING, sitting(), answer)


def test_hints_at_every_turn_stand_in_the_place_of_the_moves():
    *_, moves = turn_lines(SETTING, sitting())
    *_, hints = turn_lines(SETTING, sitting(kind="exact"))
    assert moves.startswith("  1: a1  2: b1")
    assert hints.startswith("exact: the expected score with best play\n")


def test_hints_that_are_not_possible_at_a_turn_are_left_out_with_a_reason():
    large = SETTING._replace(game=gomoku)
    *_, reason, moves = turn_lines(large, sitting(gomoku, "exact"))
    assert "more than 100,000 positions" in reason
    assert moves == "  225 moves; type l for all of them"


def test_the_end_of_a_game_is_shown_whole():
    game = big_two()
    setting = Setting(game, 7, strategies=dict.fromkeys((1, 2, 3), first_legal_player))
    turns = first_turn(game, game.deal(__import__("random").Random(7)), seed=7)
    while turns[-1].moves:
        seen = "\n".join(position_lines(setting, turns))
        assert "player 1:" not in seen, "a view, and not all hands"
        turns, _ = strategy_turn(
            setting._replace(strategies=dict.fromkeys(range(4), first_legal_player)), turns
        )
    lines = "\n".join(end_lines(setting, turns))
    assert "player 1:" in lines
    assert "Points: you " in lines


def test_the_first_lines():
    assert list(beginning(SETTING, {1: "uct:5"})) == [
        "Tic-tac-toe. You are player 1; player 2 is uct:5.",
        "Type a move or its number, or ? for help.",
    ]
    alone = Setting(shut_the_box())
    assert next(beginning(alone, {})) == "Shut the Box."


def test_seats_and_the_players_who_have_them():
    game = big_two()
    assert seats_called(game, None) == {0}
    assert seats_called(game, [2, "4"]) == {1, 3}
    assert seats_called(game, ["all"]) == {0, 1, 2, 3}
    assert seats_called(shut_the_box(), ["all"]) == {0}
    assert specs_of(game, {1}, None, "uct:5") == dict.fromkeys((0, 2, 3), "uct:5")
    assert specs_of(game, {1}, ["a", "b", "c"], "uct:5") == {0: "a", 2: "b", 3: "c"}
    assert specs_of(last_coin(), {0, 1}, None, "uct:5") == {}
    for specs in (["a", "b"], ["a"] * 4):
        with pytest.raises(ValueError, match="must be 1 or 3, for the other seats; got"):
            specs_of(game, {1}, specs, "uct:5")
    with pytest.raises(ValueError, match="`SEAT` must be 1 or 2 or all; got '0'"):
        seats_called(last_coin(), ["0"])
