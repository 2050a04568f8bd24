"""The frames of a game that is watched."""

from itertools import accumulate, islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.app.frames import beside, frame, is_done, leading, stages
from purembts.app.sentences import fitted, move_line
from purembts.app.thinking import all_thoughts, split_by_time
from purembts.games.big_two import big_two
from purembts.games.mnk import gomoku, tic_tac_toe
from purembts.players import (
    flat_player,
    parts_of,
    random_player,
    uct_player,
)
from purembts.verify.strategies import seeds

NAMES = {0: "uct:80", 1: "random"}


def thoughts(game=tic_tac_toe, dives=80, seed=7):
    players = {0: uct_player(game, dives), 1: random_player}
    return list(all_thoughts(game, game.start, players, Random(seed)))


@given(st.integers(1, 10_000))
def test_the_parts_add_up(dives):
    parts = parts_of(dives)
    assert sum(parts) == dives
    assert min(parts) > 0
    assert len(parts) <= 4


@given(seeds)
def test_the_leading_move_at_the_end_is_the_move_that_is_made(seed):
    for thought in thoughts(seed=seed):
        if thought.move is not None and thought.reports:
            assert leading(thought.reports[-1]).move == thought.move
            assert [known.record.visits for known in stages(thought.reports)] == [10, 20, 40, 80]


def test_the_thoughts_of_a_turn_come_one_by_one():
    first = [thought for thought in thoughts() if thought.turn.state == tic_tac_toe.start]
    assert [len(thought.reports) for thought in first] == [1, 2, 3, 4, 4]
    assert [is_done(thought) for thought in first] == [False] * 4 + [True]


def test_of_many_reports_four_are_told():
    [*_, last] = [t for t in thoughts(dives=80) if t.turn.state == tic_tac_toe.start]
    known = last.reports
    assert stages(known + known[-1:]) == list(known)
    assert stages(()) == []


@pytest.mark.parametrize("width", [30, 40, 60])
@pytest.mark.parametrize("game", [gomoku, big_two()], ids=lambda game: game.name)
def test_frames_fit_a_small_terminal(game, width):
    players = dict.fromkeys(range(4), uct_player(game, 30))
    names = dict.fromkeys(range(4), "uct:30")
    start = game.start or game.deal(Random(7))
    before = None
    for thought in islice(all_thoughts(game, start, players, Random(7)), 12):
        lines = frame(game, names, 0, before, thought, width=width, height=22)
        assert len(lines) <= 22
        assert max(map(len, lines)) <= max(width, 33)  # the board
        assert lines[0].startswith("15 .") or game is not gomoku
        if thought.move is not None:
            assert lines[-1] in fitted(move_line(game, thought.turn, thought.move), width)
            before = thought.turn.state


def test_a_frame_leaves_the_changes_out_before_the_moves():
    [*_, last] = [t for t in thoughts(gomoku, dives=80)[:5] if t.reports]
    text = "\n".join(frame(gomoku, NAMES, 0, None, last, width=60, height=30))
    assert "visits" in text
    assert "leads" not in text
    assert "leads" in "\n".join(frame(gomoku, NAMES, 0, None, last, width=60, height=40))


def test_the_table_does_not_move_with_the_mark():
    begins = set()
    before = None
    for n, thought in enumerate(filter(is_done, thoughts())):
        lines = frame(tic_tac_toe, NAMES, n, before, thought, ends=("\x1b[7m(", ")\x1b[0m"))
        plain = frame(tic_tac_toe, NAMES, n, before, thought)
        assert [line.replace("\x1b[7m", "").replace("\x1b[0m", "") for line in lines] == plain
        begins.add(plain[0].index("T"))
        before = thought.turn.state
    assert len(begins) == 1


def test_words_stand_below_a_board_that_is_too_wide():
    assert beside(["ab", "c"], ["d" * 50, "e"], 80) == ["ab     " + "d" * 50, "c      e"]
    assert beside(["ab", "c"], ["d" * 50, "e"], 50) == ["ab", "c", "", "d" * 50, "e"]
    assert beside(["ab"], ["d", "e"], 80) == ["ab     d", "       e"]


def test_flat_thoughts_have_no_changes():
    players = dict.fromkeys((0, 1), flat_player(tic_tac_toe, 90))
    first = next(all_thoughts(tic_tac_toe, tic_tac_toe.start, players, Random(7)))
    assert stages(first.reports) == list(first.reports)
    assert sum(row.visits for row in first.reports[0].rows) == 90


@given(st.lists(st.integers(1, 500), max_size=4), st.floats(0.0001, 0.3))
def test_strides_add_up_to_their_parts_and_end_with_them(parts, seconds_of_a_dive):
    now, done, ends = [0.0], 0, set()
    for n in split_by_time(parts, lambda: now[0]):
        assert n > 0
        assert n * seconds_of_a_dive <= 0.4 or n <= 20
        now[0] += n * seconds_of_a_dive
        done += n
        ends.add(done)
    assert done == sum(parts)
    assert ends.issuperset(accumulate(parts))
