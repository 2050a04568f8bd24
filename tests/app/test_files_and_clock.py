"""Files are written whole or not at all; time limits stop."""

import os
import resource
from itertools import accumulate, islice, pairwise
from pathlib import Path
from random import Random
from stat import S_IMODE
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import jsonl, search, shut_the_box, start_box
from purembts.app import clock, files
from purembts.app.files import checked_path, load_tree, save_tree, write_parts
from purembts.games.last_coin import Pile, last_coin
from purembts.records import Record

stb = shut_the_box()


def write_text(path, text):
    write_parts(path, [text.encode()])


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("fault", [OSError, KeyboardInterrupt])
@pytest.mark.parametrize("step", [(files, "copymode"), (Path, "replace")])
def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch, step, fault):
    path = tmp_path / "table.txt"
    write_text(path, "old\n")

    def fail(*args):
        raise fault

    monkeypatch.setattr(*step, fail)
    with pytest.raises(fault):
        write_text(path, "new\n")
    assert path.read_bytes() == b"old\n"
    assert names_in(tmp_path) == ["table.txt"]


def test_a_full_disk_leaves_the_old_file(tmp_path):
    """The disk takes 1,000 bytes of the new file, and then no more."""
    path = tmp_path / "table.txt"
    write_text(path, "old\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(OSError, match=r"File too large: '.*table\.txt'"):
            write_text(path, "new\n" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == b"old\n"
    assert names_in(tmp_path) == ["table.txt"]


@pytest.mark.parametrize("mode", [0o600, 0o666, 0o755])
def test_a_replaced_file_keeps_its_permissions(tmp_path, mode):
    path = tmp_path / "table.txt"
    path.write_text("old\n")
    path.chmod(mode)
    write_text(path, "new\n")
    assert path.read_bytes() == b"new\n"
    assert S_IMODE(path.stat().st_mode) == mode
    assert names_in(tmp_path) == ["table.txt"]


def test_a_private_file_is_private_before_it_has_data(tmp_path, monkeypatch):
    path, sizes = tmp_path / "table.txt", []
    path.write_text("old\n")
    monkeypatch.setattr(files, "copymode", lambda _, new: sizes.append(new.stat().st_size))
    write_text(path, "new\n")
    assert sizes == [0]


def test_a_tree_is_written_line_by_line(tmp_path, monkeypatch):
    """Memory holds one line at a time: while the last are made, the first are in the new file."""
    path, sizes, coins = tmp_path / "tree.jsonl", [], last_coin()

    def watched(lines):
        for line in lines:
            yield line
            sizes.extend(new.stat().st_size for new in tmp_path.glob(".purembts.*.new"))

    tree = {Pile(n): Record(9, (1, 8)) for n in range(2000)}
    lines = jsonl.lines
    monkeypatch.setattr(jsonl, "lines", lambda *args, **how: watched(lines(*args, **how)))
    save_tree(path, coins, tree)
    assert len(sizes) == 2001
    assert 0 < sizes[1000] < sizes[-1] <= path.stat().st_size
    assert dict(load_tree(path, coins)) == tree


def test_a_path_where_no_file_can_be_written_is_refused(tmp_path):
    with pytest.raises(ValueError, match="is not a folder"):
        checked_path(tmp_path / "none" / "table.txt")
    with pytest.raises(ValueError, match="it exists and is not a file"):
        checked_path(tmp_path)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.txt").write_text("old\n")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_text(tmp_path / "link.txt", "new\n")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new\n"


def test_of_two_writers_at_one_path_one_wins_and_its_file_is_whole(tmp_path, monkeypatch):
    path = tmp_path / "tree.jsonl"
    rename = Path.replace

    def second(new, target):
        monkeypatch.setattr(Path, "replace", rename)
        write_text(path, "two\n")
        assert path.read_text() == "two\n"
        rename(new, target)

    monkeypatch.setattr(Path, "replace", second)
    write_text(path, "one\n")
    assert path.read_text() == "one\n"
    assert names_in(tmp_path) == ["tree.jsonl"]


def test_a_damaged_tree_is_refused_by_file_and_line(tmp_path):
    path = tmp_path / "tree.jsonl"
    save_tree(path, shut_the_box(), search({}, start_box, 10, Random(7)))
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    with pytest.raises(ValueError, match=r"tree\.jsonl, line \d+: a line must be JSON; got b"):
        load_tree(path, shut_the_box())
    path.write_bytes(whole[:-1])
    assert len(load_tree(str(path), shut_the_box())) > 1


def test_a_tree_that_could_not_be_loaded_leaves_the_old_tree(tmp_path):
    path = tmp_path / "tree.jsonl"
    save_tree(path, stb, tree := search({}, start_box, 10, Random(7)))
    with pytest.raises(ValueError, match=r"^position .*: `visits` must be a whole number"):
        save_tree(path, stb, {start_box: Record(-1, (0, -1))})
    assert load_tree(path, stb) == tree
    assert names_in(tmp_path) == ["tree.jsonl"]


def test_strides_are_paced_by_the_time_that_they_take(monkeypatch):
    """A stride doubles until it takes a fortieth of the time, or a twentieth of a second."""
    for seconds, most in ((1, 80), (100, 160)):
        lengths = pace(monkeypatch, seconds, lambda now: 0.0005)
        assert lengths[:5] == sorted(min(k, most) for k in (1, 20, 40, 80, 160))
        assert most in lengths


def test_strides_are_shorter_when_dives_take_longer_but_a_twentieth_of_all(monkeypatch):
    lengths = pace(monkeypatch, 10, lambda now: 0.0005 if now < 0.5 else 0.01)
    assert max(lengths) == 160
    assert min(lengths[8:]) < 80
    assert all(20 * k >= sum(lengths[:i]) - 20 for i, k in enumerate(lengths) if i > 0)
    assert pace(monkeypatch, 1, lambda now: 9) == [1]


def pace(monkeypatch, seconds, time_of_a_dive):
    """The lengths of strides, by a clock that knows the time of each dive."""
    now = [0.0]
    lengths = []
    monkeypatch.setattr(clock, "monotonic", lambda: now[0])
    for k in clock.lasting(seconds):
        lengths.append(k)
        now[0] += k * time_of_a_dive(now[0])
    return lengths


def test_work_at_times_is_a_small_part_of_the_time(monkeypatch):
    now, begins = [0.0], []
    monkeypatch.setattr(clock, "monotonic", lambda: now[0])
    for is_due in islice(clock.occasions(60, 0.05), 100_000):
        now[0] += 0.1
        if is_due:
            begins.append(now[0])
            now[0] += 1 if now[0] < 500 else 30
    pauses = [end - begin for begin, end in pairwise([0.0, *begins])]
    assert all(60 <= pause < 61.3 for pause in pauses[:8])
    assert all(600 <= pause - 30 < 603 for pause in pauses[9:])
    assert len(pauses) > 20


@given(st.lists(st.integers(1, 500), max_size=4), st.floats(0.0001, 0.3))
def test_strides_add_up_to_their_parts_and_end_with_them(parts, seconds_of_a_dive):
    now, done, ends = [0.0], 0, set()
    with patch.object(clock, "monotonic", lambda: now[0]):
        for n in clock.paced(parts):
            assert n > 0
            assert n * seconds_of_a_dive <= 0.2 or n <= max(20, done // 20)
            now[0] += n * seconds_of_a_dive
            done += n
            ends.add(done)
    assert done == sum(parts)
    assert ends.issuperset(accumulate(parts))


@pytest.mark.parametrize("shut", ["", "old"])
def test_a_folder_and_an_old_file_have_to_be_open_to_writing(tmp_path, monkeypatch, shut):
    """Asked of a stand-in, because all files are open to root."""
    (old := tmp_path / "old").touch()
    assert checked_path(old) == old
    is_open = {tmp_path, old} - {tmp_path / shut}
    monkeypatch.setattr(os, "access", lambda path, mode: mode == os.W_OK and path in is_open)
    with pytest.raises(ValueError, match="old cannot be written: there is no permission to"):
        checked_path(old)
    if shut == "old":
        assert checked_path(tmp_path / "new") == tmp_path / "new"
