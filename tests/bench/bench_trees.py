"""Large trees: the time of files, merging and subtrees for ten times the positions.

It needs the dependency group `bench`: python -m pytest tests/bench/bench_trees.py

The seconds and the memory of one WORK on a million positions, in a new process:
python tests/bench/bench_trees.py WORK 1000000, where WORK is save, load, merge or subtree. Save
before load: the file is tree.jsonl in the current folder.
"""

import gc
import resource
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from immutables import Map
from pyrsistent import pmap

from measured import seconds
from purembts.app.files import load_tree, save_tree
from purembts.games.last_coin import Pile, last_coin
from purembts.mcts import merge_trees, subtree
from purembts.records import Record

coins = last_coin()
SMALL, LARGE = 10_000, 100_000


def piles(n, empty=pmap, first=0):
    """A tree of n positions of the coin game, from `first` coins on."""
    return empty({Pile(first + i // 2, i % 2): Record(9, (1, 8)) for i in range(n)})


def save(n, path):
    tree = piles(n)
    return lambda: save_tree(path, coins, tree)


def load(n, path):
    return lambda: load_tree(path, coins)


def merging(n, empty=pmap):
    """Merging two trees that have half of their positions in common."""
    a, b = piles(n, empty), piles(n, empty, first=n // 4)
    return lambda: merge_trees(a, b)


def into_few(n, empty):
    a, b = piles(10, empty), piles(n, empty)
    return lambda: merge_trees(a, b)


def part(n, empty=pmap):
    """The subtree of nearly all positions."""
    tree, top, long = piles(n, empty), Pile(n // 2 - 1), coins._replace(max_turns=n)
    return lambda: subtree(long, tree, top)


@pytest.fixture
def no_collector():
    """No garbage collector: its first full collection falls between the two sizes."""
    gc.disable()
    yield
    gc.enable()


def bench_save_ten_times_the_positions(ratio, no_collector, tmp_path):
    """At most 20 times as long."""
    path = tmp_path / "tree.jsonl"
    ratio(save(SMALL, path), save(LARGE, path), at_least=1 / 20, rounds=3)


def bench_load_ten_times_the_positions(ratio, no_collector, tmp_path):
    """At most 20 times as long."""
    small, large = tmp_path / "small.jsonl", tmp_path / "large.jsonl"
    save(SMALL, small)()
    save(LARGE, large)()
    ratio(load(SMALL, small), load(LARGE, large), at_least=1 / 20, rounds=3)


@pytest.mark.parametrize("empty", [pmap, Map])
@pytest.mark.parametrize("work", [merging, into_few, part])
def bench_ten_times_the_positions(ratio, no_collector, work, empty):
    """At most 20 times as long: a large tree does not fit into the caches of a processor."""
    ratio(work(SMALL, empty), work(LARGE, empty), at_least=1 / 20, rounds=3)


def test_the_subtree_has_nearly_all_positions():
    assert len(part(1000)()) > 990


ALONE: Mapping[str, Callable] = {
    "save": lambda n: save(n, Path("tree.jsonl")),
    "load": lambda n: load(n, Path("tree.jsonl")),
    "merge": merging,
    "subtree": part,
}


def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    name, n = sys.argv[1], int(sys.argv[2])
    work, before = ALONE[name](n), megabytes()
    took = seconds(work)
    print(f"{name} of {n:,}: {took:.1f} s; {before:.0f} MB before, {megabytes():.0f} MB at most")
