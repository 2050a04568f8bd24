"""The order of moves and events, compared between two processes."""

from dataclasses import dataclass

from pyrsistent import pmap, pset

from purembts.games.last_coin import last_coin
from purembts.games.shut_the_box import shut_the_box
from purembts.verify.order import LAW, random_turns, verdict


@dataclass(frozen=True)
class Words:
    words: frozenset


class Plain:
    """A value whose text has its address."""


def one_move(value):
    """The pairs of a game with the single move `value`."""
    game = last_coin()._replace(
        start="start",
        chances=lambda state: (None,),
        moves=lambda state, event: (value,) if state == "start" else (),
    )
    return next(random_turns(game, 0))["moves"]


def test_the_text_of_a_value_does_not_depend_on_the_order_of_its_sets():
    forwards, backwards = frozenset([1, 9]), frozenset([9, 1])
    assert list(forwards) != list(backwards)  # equal sets whose orders differ
    for wrapped in (lambda x: x, Words, lambda x: (1, x), lambda x: pmap({"x": x}), pset):
        [(one, _)], [(other, _)] = one_move(wrapped(forwards)), one_move(wrapped(backwards))
        assert one == other
    assert one_move(frozenset([1, 9]))[0][0] != one_move(frozenset([1, 8]))[0][0]


def test_the_text_of_a_value_has_no_address():
    assert one_move(Plain())[0][0] == one_move(Plain())[0][0]
    assert one_move(len)[0][0] == one_move(len)[0][0]


def test_games_are_walked_again_with_the_same_seed():
    for game in (shut_the_box(), last_coin()):
        assert [*random_turns(game, 7)] == [*random_turns(game, 7)]
        assert [*random_turns(game, 7)] != [*random_turns(game, 8)]


def test_the_first_turn_that_differs_is_told_with_the_moves_before_it():
    same = {"line": [], "events": [("None", "None")], "moves": [("a", "A"), ("b", "B")]}
    one = {"line": ["A"], "events": [("None", "None")], "moves": [("c", "C"), ("d", "D")]}
    other = {**one, "moves": one["moves"][::-1]}
    assert verdict([same, one], [same, one]) == {**verdict([], []), "status": "kept", "cases": 2}
    found = verdict([same, one], [same, other])
    assert (found["law"], found["status"], found["line"]) == (LAW, "broken", ["A"])
    assert found["message"] == "In two processes, the moves are 'C, D' and 'D, C'."
    events = {**one, "events": [("1", "1")]}
    assert "the events are 'None' and '1'" in verdict([one], [events])["message"]
