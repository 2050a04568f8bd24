"""The plan of a hand of Big Two, and the strategy that keeps to it, in examples/big_two.py."""

import runpy
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from games.test_big_two_cards import numbers_of, rich_hands, some_hands
from purembts.determinize import lifted, view_turn
from purembts.game import turn_at
from purembts.games.big_two import big_two, card_table, play_between
from purembts.games.big_two_cards import cards, plays
from purembts.play import match
from purembts.players import random_player

game = big_two()
EXAMPLE = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "big_two.py"))
_effort, game_plan, plan_strategy = map(EXAMPLE.get, ("_effort", "game_plan", "plan_strategy"))


@given(hand=some_hands | rich_hands())
def test_a_plan_has_every_card_once_and_no_other_choice_of_five_card_hands_takes_less_effort(hand):
    def by_rank(rest):
        groups = [rest & 15 << 4 * rank for rank in range(13)]
        pairs = [3 << 4 * rank for rank, group in enumerate(groups) if group.bit_count() == 4]
        whole = [group for group in groups if group and group.bit_count() < 4]
        return [*whole, *pairs, *(pair << 2 for pair in pairs)]

    plan, own = game_plan(hand), plays(hand)
    assert set(plan) <= set(own)
    assert sorted(n for play in plan for n in numbers_of(play)) == numbers_of(hand)
    assert [p.bit_count() for p in plan] == sorted(p.bit_count() for p in plan)
    fives = [play for play in own if play.bit_count() == 5]
    two = [(a, b) for a, b in combinations(fives, 2) if not a & b]
    for chosen in ((), *((five,) for five in fives), *two):
        other = [*chosen, *by_rank(hand & ~sum(chosen))]
        assert sum(map(_effort, plan)) <= sum(map(_effort, other)) + 1e-9


THREE, TWO = "10♥ J♥ Q♥", "10♥ J♥"
ANSWERS = [
    # it leads with what takes the most effort
    ("3♦ 9♣ 9♥ 2♠", THREE, "", "3♦"),
    ("A♣ 4♣ 4♥ 2♠", THREE, "", "4♣ 4♥"),
    # it answers with the lowest play that will do, and passes rather than break a pair
    ("5♦ 9♦ 2♠", THREE, "4♦", "5♦"),
    ("3♦ 9♣ 9♥", THREE, "4♦", ""),
    # against two cards it plays high
    ("3♦ 9♣ 9♥", TWO, "4♦", "9♥"),
    ("5♦ 9♦ 2♠", TWO, "4♦", "2♠"),
    ("3♦ 9♣ 9♥ 2♠", TWO, "", "9♣ 9♥"),
    ("3♦ 9♣ 2♠", TWO, "", "2♠"),
]


@pytest.mark.parametrize(("hand", "last", "lead", "answer"), ANSWERS)
def test_the_plan_answers(hand, last, lead, answer):
    hands = [hand, "10♦ J♦ Q♦", "10♣ J♣ Q♣", last]
    state = card_table([cards(each) for each in hands], lead=cards(lead))
    turn = view_turn(game, turn_at(game, state, None))
    assert str(play_between(turn.state, plan_strategy(turn, Random(7)))) == answer


def test_the_plan_beats_random_play():
    players = (lifted(game, plan_strategy), *[random_player] * 3)
    own, *others = match(game, players, 240, seed=7)
    assert own.interval[0] > max(other.interval[1] for other in others)
