"""The answers that a person gets in a game, without a terminal."""

from itertools import takewhile
from random import Random

import pytest

from purembts import exact
from purembts.app.hints import Setting, first_turn
from purembts.app.sitting import (
    _HIDE,
    Sitting,
    beginning,
    played,
    position_lines,
    replied,
    seats_called,
    specs_of,
    strategy_turn,
)
from purembts.app.steps import Question, Said, returned
from purembts.game import turn_at
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import gomoku, tic_tac_toe
from purembts.games.shut_the_box import shut_the_box


def first_legal(turn, rng):
    return turn.moves[0]


SETTING = Setting(tic_tac_toe, 7, strategies={1: first_legal}, dives=60)


def said(work):
    """The lines that the steps of `work` say."""
    for step in work:
        if isinstance(step, Said):
            yield from step.lines


def sitting(game=tic_tac_toe, kind="none"):
    return Sitting(first_turn(game, game.start, seed=7), kind)


def test_an_answer_that_makes_no_move_keeps_the_turns():
    before = sitting()
    for answer in ("?", "h", "h tree", "h none", "l", "H Exact", "L"):
        after, lines = returned(replied(SETTING, before, answer))
        assert after.turns is before.turns
        assert bool([*lines]) == (answer != "h none")
    assert returned(replied(SETTING, before, "h tree"))[0].kind == "tree"
    assert returned(replied(SETTING, before, "h"))[0].kind == "none"


def test_undo_leads_back_to_the_same_turns():
    before = sitting()
    after, _ = returned(replied(SETTING, before, "b2"))
    turns, _ = strategy_turn(SETTING, after.turns)
    assert returned(replied(SETTING, Sitting(turns), "u"))[0].turns == before.turns
    with pytest.raises(ValueError, match="There is no choice to take back yet"):
        returned(replied(SETTING, before, "u"))


@pytest.mark.parametrize("answer", ["d4", "10", "h fly", "u 2", "? ?"])
def test_an_answer_that_is_wrong(answer):
    with pytest.raises(ValueError, match="must be"):
        returned(replied(SETTING, sitting(), answer))


def test_a_strategy_that_breaks_the_rules_is_a_sentence():
    setting = SETTING._replace(persons=frozenset({1}), strategies={0: lambda turn, rng: "index"})
    with pytest.raises(
        ValueError, match=r"^The strategy of player 1 must .*; got 'index' at Board"
    ):
        strategy_turn(setting, sitting().turns)


def test_hints_that_are_not_possible_at_a_turn_end_after_the_position(monkeypatch):
    monkeypatch.setattr(exact, "MOST_POSITIONS", 2_000)
    steps = played(SETTING._replace(game=gomoku), sitting(gomoku, "exact"), ())
    told = list(said(takewhile(lambda step: not isinstance(step, Question), steps)))
    assert told[1].startswith("15 . . .")
    assert "more than 2,000 positions can follow. Begin nearer to the end." in told[2]
    assert told[3].startswith("  225 moves, for example a1")


def test_help_offers_what_the_game_has():
    [text] = returned(replied(SETTING, sitting(), "?"))[1]
    assert "take your last choice back\n" in text
    assert "none, random, tree or exact\n" in text
    box = shut_the_box()
    turns = first_turn(box, frozenset(range(1, 10)), seed=7)
    [text] = returned(replied(Setting(box), Sitting(turns), "?"))[1]
    assert "take your last choice back; the events of chance stay the same\n" in text
    [text] = returned(replied(SECRET, dealt(), "?"))[1]
    assert "take the last choice back\n" in text
    assert "none, random or tree\n" in text
    with pytest.raises(ValueError, match="must be none, random or tree; got 'EXACT'"):
        returned(replied(SECRET, dealt(), "h EXACT"))


BIG_TWO = big_two()
SECRET = Setting(BIG_TWO, 7, frozenset({0, 2}), dict.fromkeys((1, 3), first_legal))


def dealt():
    return Sitting(first_turn(BIG_TWO, BIG_TWO.deal(Random(7)), seed=7))


def test_people_do_not_see_the_views_of_each_other():
    before = dealt()
    who = before.turns[0].player
    setting = SECRET._replace(persons=frozenset({who, (who + 1) % 4}))
    before = before._replace(shown_to=who)
    after, lines = returned(replied(setting, before, "1"))
    assert lines[0] == _HIDE
    assert f"Player {who + 1}" in lines[1]
    later, _ = returned(replied(setting, after._replace(shown_to=after.turns[-1].player), "2"))
    assert returned(replied(setting, later, "u"))[1] == (_HIDE,)


@pytest.mark.parametrize(("seen_by", "is_asked"), [(0, True), (1, False), (None, False)])
def test_a_person_takes_the_place_of_the_one_who_saw_the_last_view(seen_by, is_asked):
    """`seen_by` counts on from the player to move."""
    who = dealt().turns[0].player
    setting = SECRET._replace(persons=frozenset({who, (who + 1) % 4}))
    shown_to = None if seen_by is None else (who + 1 - seen_by) % 4
    work = played(setting, dealt()._replace(shown_to=shown_to), ())
    asked = next(step.text for step in work if isinstance(step, Question))
    assert (asked == f"Player {who + 1}, press Enter for your turn: ") == is_asked


def test_the_end_of_a_game_is_shown_whole():
    game = big_two()
    setting = Setting(game, 7, strategies=dict.fromkeys((1, 2, 3), first_legal))
    turns = first_turn(game, game.deal(Random(7)), seed=7)
    while turns[-1].moves:
        seen = "\n".join(position_lines(setting, turns))
        assert "player 1:" not in seen, "a view, and not all hands"
        turns, _ = strategy_turn(
            setting._replace(strategies=dict.fromkeys(range(4), first_legal)), turns
        )
    steps = played(setting, Sitting(turns), ())
    told = takewhile(lambda step: not isinstance(step, Question), steps)
    lines = "\n".join(said(told))
    assert "player 1:" in lines
    assert "Points of player" in lines


def test_the_first_lines():
    assert list(beginning(SETTING, {1: "uct:5"}, sitting().turns[0])) == [
        "Tic-tac-toe. You are player 1; player 2 is uct:5.",
        "Type a move or its number, or ? for help.",
    ]
    pair = Setting(big_two(), persons=frozenset({0, 2}))
    assert "You are players 1 and 3; player 2 is a" in next(
        beginning(pair, {1: "a"}, dealt().turns[0])
    )
    alone = Setting(shut_the_box())
    assert next(beginning(alone, {}, dealt().turns[0])) == "Shut the Box."
    for coins, is_lost in ((20, False), (21, True)):
        turn = turn_at(last_coin(), Pile(coins), None)
        *_, last = beginning(Setting(last_coin()), {1: "perfect"}, turn)
        assert last.startswith("This start is lost for you if the others") == is_lost


def test_seats_and_the_players_who_have_them():
    game = big_two()
    assert seats_called(game, None) == {0}
    assert seats_called(game, [2, "4"]) == {1, 3}
    assert seats_called(game, ["all"]) == {0, 1, 2, 3}
    assert seats_called(shut_the_box(), ["all"]) == {0}
    assert specs_of(game, {1}, None, "uct:5") == dict.fromkeys((0, 2, 3), "uct:5")
    assert specs_of(game, {1}, ["a", "b", "c"], "uct:5") == {0: "a", 2: "b", 3: "c"}
    assert specs_of(last_coin(), {0, 1}, None, "uct:5") == {}
    assert specs_of(game, {1}, ["a", "b"], "uct:5") == {0: "a", 2: "b", 3: "b"}
    with pytest.raises(ValueError, match="The number of strategies must be at most 3; got 4"):
        specs_of(game, {1}, ["a"] * 4, "uct:5")
    with pytest.raises(ValueError, match="`SEAT` must be 1, 2 or all; got '0'"):
        seats_called(last_coin(), ["0"])
