"""Files are whole or not there; time limits stop."""

from functools import partial
from itertools import count
from pathlib import Path
from random import Random

import pytest

from purembts import search, shut_the_box, start_box
from purembts.game import Codec, turn_at
from purembts.games.mnk import tic_tac_toe
from purembts.play import play_game, random_player, think
from purembts.records import mean
from purembts.shell import clock
from purembts.shell.clock import within
from purembts.shell.files import checked_path, load_tree, save_tree, write_text

stb = shut_the_box()


def test_a_file_is_written_and_nothing_else_is_left(tmp_path):
    write_text(tmp_path / "table.txt", "one\n")
    write_text(tmp_path / "table.txt", "two\n")
    assert (tmp_path / "table.txt").read_bytes() == b"two\n"
    assert [path.name for path in tmp_path.iterdir()] == ["table.txt"]


@pytest.mark.parametrize("fault", [OSError, KeyboardInterrupt])
def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch, fault):
    path = tmp_path / "table.txt"
    write_text(path, "old\n")

    def half(self, data):
        with self.open("wb") as file:
            file.write(data[:2])
        raise fault

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(fault):
        write_text(path, "new\n")
    assert path.read_bytes() == b"old\n"
    assert [path.name for path in tmp_path.iterdir()] == ["table.txt"]


def test_a_file_is_replaced_and_never_written_over(tmp_path):
    """Whoever has the old file open goes on reading the old file, whole."""
    path = tmp_path / "table.txt"
    write_text(path, "old\n")
    with path.open() as reader:
        write_text(path, "new\n")
        assert reader.read() == "old\n"
    assert path.read_text() == "new\n"


def test_where_no_file_can_be_is_said(tmp_path):
    with pytest.raises(ValueError, match="is not a folder"):
        checked_path(tmp_path / "none" / "table.txt")
    with pytest.raises(ValueError, match="it is there, and not a file"):
        checked_path(tmp_path)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.txt").write_text("old\n")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_text(tmp_path / "link.txt", "new\n")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new\n"


def test_a_tree_of_100_000_dives_comes_back_equal(tmp_path):
    tree = search({}, start_box, 100_000, Random(7))
    save_tree(tmp_path / "tree.jsonl", shut_the_box(), tree)
    assert load_tree(tmp_path / "tree.jsonl", shut_the_box()) == tree


def test_a_tree_that_is_not_one_is_refused_by_file_and_line(tmp_path):
    path = tmp_path / "tree.jsonl"
    save_tree(path, shut_the_box(), search({}, start_box, 10, Random(7)))
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    with pytest.raises(ValueError, match=r"tree\.jsonl, line \d+: b.* is not JSON"):
        load_tree(path, shut_the_box())
    path.write_bytes(whole[:-1])
    assert len(load_tree(str(path), shut_the_box())) > 1
    path.write_bytes(b"\xff\x00\n")
    with pytest.raises(ValueError, match=r"tree\.jsonl, line 1: b.* is not JSON"):
        load_tree(path, shut_the_box())


def test_a_save_that_fails_leaves_the_old_tree(tmp_path):
    path = tmp_path / "tree.jsonl"
    save_tree(path, shut_the_box(), tree := search({}, start_box, 10, Random(7)))
    with pytest.raises(ValueError, match="cannot be written as JSON"):
        save_tree(path, shut_the_box()._replace(json=Codec(lambda box: box, frozenset)), tree)
    assert load_tree(path, shut_the_box()) == tree


def test_within_stops_when_the_time_is_up():
    times = iter([0.0, 0.5, 0.9, 1.0, 99.0])
    assert list(within(1.0, count(), clock=lambda: next(times))) == [0, 1, 2]


def test_within_gives_at_least_the_first():
    times = iter([0.0, 5.0])
    assert list(within(0.0, count(), clock=lambda: next(times))) == [0]


def test_a_timed_player_thinks_until_the_time_is_over(monkeypatch):
    """The clock ticks a second at each look: three looks are 1 + 20 + 20 dives."""
    ticks = iter(range(100))
    monkeypatch.setattr(clock, "within", partial(clock.within, clock=lambda: next(ticks)))
    turn = turn_at(tic_tac_toe, tic_tac_toe.start, None)
    rng, same = Random(7), Random(7)
    move = clock.timed_player(tic_tac_toe, 3)(turn, rng)
    tree = {}
    for dives in (1, 20, 20):
        tree, expected = think(tic_tac_toe, tree, turn, dives, same)
    assert move == expected
    assert rng.random() == same.random()


def test_a_timed_player_plays_a_game():
    how = {"final": mean, "rollouts": 2}
    for player in (clock.timed_player(tic_tac_toe, 0.001, **how), clock.timed_player(stb, 1e-9)):
        game = tic_tac_toe if player.args[0] is tic_tac_toe else stb
        assert play_game(game, game.start, (player, random_player), Random(7)) in (
            (1, 0),
            (0, 1),
            (0.5, 0.5),
        )


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "1", None])
def test_a_time_limit_is_a_time(seconds):
    with pytest.raises(ValueError, match=r"`seconds` must be a finite number above 0"):
        clock.timed_player(tic_tac_toe, seconds)
