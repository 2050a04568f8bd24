"""Lines lead from the start by moves, shrink to short games, and stop at a wrong answer."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from purembts.game import Game
from purembts.games import reversi
from purembts.games.last_coin import last_coin
from purembts.games.shut_the_box import shut_the_box
from purembts.records import NOTHING
from purembts.verify import strategies as some


@given(some.small_games.flatmap(lambda game: st.tuples(st.just(game), some.walks(game))))
def test_a_line_is_a_game_or_its_beginning(game_and_line):
    game, line = game_and_line
    assert line.positions[0] == game.start
    assert len(line.events) == len(line.positions) - 1
    for (before, after), event in zip(pairwise(line.positions), line.events, strict=True):
        assert event in game.chances(before)
        assert after in game.moves(before, event)


def test_lines_shrink_to_the_shortest_and_to_the_first_moves():
    game = reversi.reversi(4)
    line = find(some.walks(game), lambda line: len(line.events) >= 3)
    assert len(line.events) == 3
    assert line.positions[1] == game.moves(game.start, None)[0]
    gone = find(some.positions_of(last_coin()), lambda pile: pile.coins < 19)
    assert gone.coins == 18


def test_lines_reach_many_positions():
    game = shut_the_box()
    seen = set()

    @given(some.walks(game))
    @settings(max_examples=500, database=None, suppress_health_check=list(HealthCheck))
    def see(line):
        seen.update(line.positions)

    see()
    assert len(seen) > 100
    assert min(map(len, seen)) <= 3


def test_a_line_stops_where_a_game_answers_wrongly():
    def moves(state, event):
        return (state + 1,) if state < 3 else 7

    wrong = Game(moves, lambda state: (1, 0), lambda state: 0, start=0)
    line = find(some.walks(wrong), lambda line: line.positions[-1] == 3)
    assert line == some.Walk((0, 1, 2, 3), (None, None, None))
    with pytest.raises(NoSuchExample):
        find(some.walks(wrong), lambda line: line.positions[-1] > 3)


def test_a_game_without_a_start_needs_one():
    game = last_coin()._replace(start=None)
    with pytest.raises(ValueError, match="`start` must be a position, as Last coin has no start"):
        some.walks(game)


@given(some.records(3), some.record_maps(some.boxes_of(), players=1))
def test_a_record_without_visits_is_nothing(record, boxes):
    for any_record in [record, *boxes.values()]:
        assert (any_record.visits == 0) == (any_record == NOTHING)
