"""One turn of a game: what it shows, asks and answers, without a terminal."""

from itertools import takewhile
from random import Random

import pytest

from purembts import exact
from purembts.app.printed import printed
from purembts.app.sentences import HIDE, first_lines
from purembts.app.sessions import (
    Session,
    Setting,
    first_turn,
    seats_called,
    strategies_at,
)
from purembts.app.steps import Question, Shown, returned
from purembts.app.turns import _replied, games_played, one_turn, watched
from purembts.game import turn_at
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import gomoku, tic_tac_toe
from purembts.games.shut_the_box import shut_the_box
from purembts.players import strategy_player, uct_player
from work import told


def first_legal(turn, rng):
    return turn.moves[0]


FIRST = strategy_player(first_legal)
SETTING = Setting(tic_tac_toe, 7, names={1: "a"}, players={1: FIRST}, dives=60)


def texts(work):
    """The texts of the steps of `work` up to the first question."""
    steps = takewhile(lambda step: not isinstance(step, Question), work)
    return [text for step in steps if (text := printed(step, 80)) is not None]


def replied(setting, before, answer):
    """The session after an answer, and the texts of the steps to it."""
    steps, after = told(_replied(setting, before, answer))
    return after, texts(steps)


def session(game=tic_tac_toe, hints="none"):
    return Session(first_turn(Setting(game, 7), game.start), hints)


def test_an_answer_that_makes_no_move_keeps_the_turns():
    before = session()
    for answer in ("?", "h", "h tree", "h none", "l", "H Exact", "L"):
        after, lines = replied(SETTING, before, answer)
        assert after.turns is before.turns
        assert bool(lines) == (answer != "h none")
    assert replied(SETTING, before, "h tree")[0].hints == "tree"
    assert replied(SETTING, before, "h")[0].hints == "none"


def test_undo_leads_back_to_the_same_turns():
    before = session()
    after = returned(one_turn(SETTING, replied(SETTING, before, "b2")[0]))
    assert replied(SETTING, after, "u")[0].turns == before.turns
    with pytest.raises(ValueError, match="There is no choice to take back yet"):
        replied(SETTING, before, "u")


@pytest.mark.parametrize("answer", ["d4", "10", "h fly", "u 2", "? ?"])
def test_an_answer_that_is_wrong(answer):
    with pytest.raises(ValueError, match="must be"):
        replied(SETTING, session(), answer)


def test_a_strategy_that_breaks_the_rules_is_a_sentence():
    player = strategy_player(lambda turn, rng: "index")
    setting = SETTING._replace(persons=frozenset({1}), players={0: player})
    with pytest.raises(
        ValueError, match=r"^The strategy of player 1 must .*; got 'index' at Board"
    ):
        returned(one_turn(setting, session()))


def test_hints_that_are_not_possible_at_a_turn_end_after_the_position(monkeypatch):
    monkeypatch.setattr(exact, "MOST_POSITIONS", 2_000)
    board, error, moves = texts(one_turn(SETTING._replace(game=gomoku), session(gomoku, "exact")))
    assert board.startswith("\n15 . . .")
    assert "more than 2,000 positions can follow, " in error
    assert moves.startswith("  225 moves, for example a1")


def test_help_offers_what_the_game_has():
    [text] = replied(SETTING, session(), "?")[1]
    assert "take your last choice back\n" in text
    assert "none, random, tree or exact\n" in text
    box = shut_the_box()
    turns = first_turn(Setting(box, 7), frozenset(range(1, 10)))
    [text] = replied(Setting(box), Session(turns), "?")[1]
    assert "take your last choice back; the events of chance stay the same\n" in text
    [text] = replied(SECRET, dealt(), "?")[1]
    assert "take the last choice back\n" in text
    assert "none, random or tree\n" in text
    with pytest.raises(ValueError, match="must be none, random or tree; got 'EXACT'"):
        replied(SECRET, dealt(), "h EXACT")


BIG_TWO = big_two()
SECRET = Setting(BIG_TWO, 7, frozenset({0, 2}), players=dict.fromkeys((1, 3), FIRST))


def dealt():
    return Session(first_turn(Setting(BIG_TWO, 7), BIG_TWO.deal(Random(7))))


def test_people_do_not_see_the_views_of_each_other():
    before = dealt()
    who = before.turns[0].player
    setting = SECRET._replace(persons=frozenset({who, (who + 1) % 4}))
    after, [text] = replied(setting, before._replace(viewer=who), "1")
    assert text.startswith(HIDE)
    assert f"Player {who + 1}" in text
    later, _ = replied(setting, after._replace(viewer=after.turns[-1].player), "2")
    assert replied(setting, later, "u")[1] == [HIDE]


@pytest.mark.parametrize(("seen_by", "is_asked"), [(0, True), (1, False), (None, False)])
def test_a_person_takes_the_place_of_the_one_who_saw_the_last_view(seen_by, is_asked):
    """`seen_by` counts on from the player to move."""
    who = dealt().turns[0].player
    setting = SECRET._replace(persons=frozenset({who, (who + 1) % 4}))
    viewer = None if seen_by is None else (who + 1 - seen_by) % 4
    work = games_played(setting, dealt()._replace(viewer=viewer))
    asked = next(step.text for step in work if isinstance(step, Question))
    assert (asked == f"Player {who + 1}, press Enter for your turn: ") == is_asked


def test_the_end_of_a_game_is_shown_whole():
    """Before it, each turn has the view of its player alone."""
    setting = SECRET._replace(persons=frozenset(), players=dict.fromkeys(range(4), FIRST))
    *turns, end, result = [
        text for step in watched(setting, dealt()) if (text := printed(step, 80))
    ]
    assert not any("player 1:" in text for text in turns)
    assert "player 1:" in end
    assert "Points of player" in result


def test_the_trees_of_a_turn_that_are_due_have_reports():
    player = uct_player(tic_tac_toe, 30)
    setting = Setting(tic_tac_toe, 7, frozenset(), players={0: player, 1: player})
    steps = list(one_turn(setting, session(), due=lambda n, tree: n % 2 == 0))
    assert isinstance(steps[0], Shown)
    assert [bool(step.report) for step in steps[3:6]] == [False, True, False]
    assert steps[-1].belief.report.record.visits == 30


def test_the_first_lines():
    assert list(first_lines(SETTING._replace(names={1: "uct:5"}), session().turns[0])) == [
        "Tic-tac-toe. You are player 1; player 2 is uct:5.",
        "Type a move or its number, or ? for the rules and other words.",
    ]
    pair = Setting(big_two(), persons=frozenset({0, 2}), names={1: "a"})
    assert "You are players 1 and 3; player 2 is a" in next(first_lines(pair, dealt().turns[0]))
    alone = Setting(shut_the_box())
    assert next(first_lines(alone, dealt().turns[0])) == "Shut the Box."
    for coins, is_lost in ((20, False), (21, True)):
        turn = turn_at(last_coin(), Pile(coins), None)
        *_, last = first_lines(Setting(last_coin(), names={1: "perfect"}), turn)
        assert last.startswith("This start is lost for you if the others") == is_lost


def test_seats_and_the_players_who_have_them():
    game = big_two()
    assert seats_called(game, None) == {0}
    assert seats_called(game, [2, "4"]) == {1, 3}
    assert seats_called(game, ["all"]) == {0, 1, 2, 3}
    assert seats_called(shut_the_box(), ["all"]) == {0}
    assert strategies_at(game, {1}, None, "uct:5") == dict.fromkeys((0, 2, 3), "uct:5")
    assert strategies_at(game, {1}, ["a", "b", "c"], "uct:5") == {0: "a", 2: "b", 3: "c"}
    assert strategies_at(last_coin(), {0, 1}, None, "uct:5") == {}
    assert strategies_at(game, {1}, ["a", "b"], "uct:5") == {0: "a", 2: "b", 3: "b"}
    with pytest.raises(ValueError, match="The number of strategies must be at most 3; got 4"):
        strategies_at(game, {1}, ["a"] * 4, "uct:5")
    with pytest.raises(ValueError, match="`SEAT` must be 1, 2 or all; got '0'"):
        seats_called(last_coin(), ["0"])
